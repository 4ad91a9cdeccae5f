#pragma once
// How a problem is computed: which way round, on which tile, in which order, in how many slices of K. A chapter says
// what there is to choose from, and a planner chooses: what the command line asks for, else what was fastest where
// this problem was measured, else what a rule finds cheapest.

#include <tilestep/harness/gemm_choices.hpp>   // GemmJob, GemmChoice
#include <tilestep/harness/gemm_options.hpp>   // GemmOwnOptions
#include <tilestep/harness/gemm_schedule.hpp>  // schedule_for, ScheduleOptions

#include <cstdint>      // std::int64_t
#include <functional>   // what a chapter says
#include <optional>     // a plan that is remembered
#include <span>         // a table
#include <string>       // a sentence
#include <string_view>  // targets
#include <vector>       // what --tune tries

namespace tilestep {

/// The fastest of the candidates for one problem, as measured. docs/tools/tune.py writes tables of them from records of
/// --tune.
struct TableRow {
  DType dtype;
  char const* layout;
  std::int64_t m, n, k;
  char const* tile;  ///< the name of a choice
  int split_k;       ///< slices of K
  int group;         ///< rows of tiles that are walked together; 0: as many as the schedule suggests
};

/// The row of this very problem in its layout, or null. Rows of f16 are bf16's, too, which is as fast.
TableRow const* row_of(std::span<TableRow const> table, GemmCall const& call);

/// The same product with M and N exchanged: C^T = B A^T. Strides say how it is stored.
GemmCall transposed(GemmCall call);

/// Of so many slices of K, those that have a tile. One where there is no tile at all.
int slices_with_tiles(int k_tiles, int slices);

/// The last rows or columns of C, if a kernel of their own computes them.
struct GemmRest {
  bool along_m;       ///< rows of C, else columns
  std::int64_t from;  ///< the first of them
  bool exchanged;     ///< computed as the transposed product of the part
  GemmChoice choice;  ///< on the same operands, which are copies if the plan's choice copies them
  TileSchedule schedule;
};

/// A problem on its way to the device.
struct GemmPlan {
  GemmJob job;  ///< the whole problem; its schedule counts the tiles before the rest
  GemmChoice choice;
  double cost = 0;  ///< by which it was chosen; 0: by nothing
  std::optional<GemmRest> rest = {};
};

/// Launches copies of the operands that need one, the kernel, and the second pass where K is in slices; and kernel and
/// second pass of the rest.
void run(GemmPlan const& plan);

/// The plan in words: tiles, order, slices, copies; then the rest's.
std::string describe(GemmPlan const& plan);

/// What a reader or a table asks for: a choice by its name, slices of K, rows of tiles in a group. "auto" and zeros:
/// what suits the problem.
struct GemmWishes {
  std::string tile = "auto";
  std::string exchange = "auto";  ///< is C^T = B A^T computed? no, yes
  ScheduleOptions schedule = {};
};

/// What a chapter tells its planner.
struct GemmPlanning {
  /// What computes a problem, whose pointers may be null: of several with one name the first counts. None: not here.
  std::function<GemmChoices(GemmCall const&)> choices = {};
  /// What a problem costs on one of them, in any unit: the least is taken where nothing was measured.
  std::function<double(GemmCall const&, GemmChoice const&, TileSchedule const&)> cost = {};
  /// Does cost() know what slices of K cost? Then numbers of slices are compared, else one is suggested.
  std::function<bool(GemmCall const&)> weighs_slices = [](GemmCall const&) { return false; };
  /// Slices are compared as long as their tiles are no more than so many rounds, and they have so many elements of K.
  int most_rounds = 3, shortest_slice = 256;
  /// All numbers of slices are compared up to this one; 0: those that --tune tries.
  int most_slices = 0;
  /// What a further launch costs, in cost()'s unit: C in two parts, each on a tile of its own, is compared with one
  /// tile for all. None: it is not.
  std::optional<double> further_launch = {};
  /// Rows of tiles in a group, of which the cost decides; 0: as many as the schedule suggests.
  std::function<std::vector<int>(GemmCall const&)> weighed_groups = [](GemmCall const&) { return std::vector<int>{0}; };
  /// What was measured on a target: no rows where nothing was.
  std::function<std::span<TableRow const>(std::string_view target)> table = [](std::string_view) {
    return std::span<TableRow const>();
  };
  /// May it be computed as C^T = B A^T? The ways to compute it, false for as it is; a table's rows take the first.
  std::function<std::vector<bool>(GemmCall const&)> ways = [](GemmCall const&) { return std::vector<bool>{false}; };
  // What --tune tries, where K is long enough and the machine not full without: slices of K, then rows of tiles in a
  // group.
  std::vector<int> slices = {1, 2, 3, 4, 6, 8, 16};
  std::vector<int> groups = {0, 4, 16};
};

/// Makes plans. It has the options of the command line bound to it, so it stays where it is.
class GemmPlanner {
public:
  explicit GemmPlanner(GemmPlanning planning);
  GemmPlanner(GemmPlanner const&) = delete;
  GemmPlanner& operator=(GemmPlanner const&) = delete;

  /// @par Errors  not_here: no kernel for the types on the target; bad_input: wishes that do not fit
  GemmPlan plan_for(GemmCall const& call, GemmWishes const& wishes) const;
  /// The same with the wishes of the command line. The last plan is remembered: the next call of the same problem, on
  /// other operands, takes it.
  GemmPlan plan_for(GemmCall const& call) const;

  /// --tile, --group, --split-k, --plan, and what --tune measures. The planner outlives them.
  GemmOwnOptions own_options();

private:
  GemmPlan planned(GemmCall const& call, bool exchanged, GemmChoice const& choice, GemmWishes const& wishes) const;
  GemmChoices choices_for(GemmCall const& call) const;
  GemmChoices all_for(GemmCall const& call) const;
  std::vector<bool> ways_for(GemmCall const& call, GemmWishes const& wishes) const;
  GemmChoice asked_choice(GemmCall const& call, std::string const& name) const;
  std::vector<int> slices_for(GemmCall const& call, GemmChoice const& choice, GemmWishes const& wishes) const;
  int at_once(GemmCall const& call, GemmChoice const& choice) const;
  bool allows_slices(GemmCall const& call, GemmChoice const& choice, int slices, int at_once) const;
  std::vector<GemmPlan> plans_on(GemmChoices const& choices, GemmCall const& call, bool exchanged,
                                 GemmWishes const& wishes) const;
  std::vector<GemmPlan> plans_in_two(GemmCall const& call, bool exchanged, GemmWishes const& wishes,
                                     double least) const;
  std::vector<GemmCandidate> candidates(GemmCall const& call) const;

  /// A plan, and what it was made for.
  struct Remembered {
    GemmCall call;
    GemmWishes wishes;
    GemmPlan plan;
  };
  GemmPlan remembered(std::optional<Remembered>& last, GemmCall const& call, GemmWishes const& wishes) const;

  GemmPlanning planning_;
  mutable std::optional<Remembered> last_;
  GemmWishes asked_;
  bool only_plan_ = false;
};

}  // namespace tilestep
