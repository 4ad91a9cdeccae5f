// What the program can be asked for, and what every process does.

#include "program.hpp"

#include "bench.hpp"              // bench_several
#include "mpi_communicator.hpp"   // in_each_function
#include "nccl_communicator.hpp"  // nccl_name
#include "patience.hpp"           // set_patience
#include "predict.hpp"            // predictions
#include "processes.hpp"          // all_ranks, require_same
#include "several.hpp"            // run_on_several

#include <tilestep/backend/error.hpp>            // bad_input
#include <tilestep/harness/command_line.hpp>     // CommandLine
#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures
#include <tilestep/harness/gemm_options.hpp>     // GemmOwnOptions
#include <tilestep/harness/gemm_types.hpp>       // matrix_types, f64_by_matrix
#include <tilestep/harness/record.hpp>           // on_virtual_gpu

#include <algorithm>  // std::transform
#include <cctype>     // std::tolower
#include <csignal>    // a failure on request
#include <iostream>   // std::ostream
#include <optional>   // a type, where there is one

namespace tilestep {

namespace {

struct Asked {
  Extent2 grid;
  std::string over;
  bool overlap = false;
  std::int64_t chunks = 0, message_units = -1;
  std::string engines = "yes";
  double patience = 25;
  bool who = false;
  bool predict = false;
  std::int64_t failing = -1, failing_at = 0;
  std::string failure = "error";
  std::int64_t repeat = 1;
} asked;

/// "nccl" or "rccl", as --over has it.
std::string nccl_option() {
  std::string name = nccl_name();
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return name;
}

Sharing sharing_of(GemmCall const& call) {
  std::int64_t const ranks = all_ranks().size();
  Sharing sharing{.scheme = Scheme::grid, .overlap = asked.overlap, .message_units = asked.message_units};
  if (asked.chunks > 0) sharing.chunks = asked.chunks;
  if (call.kernel != "grid") {
    sharing.scheme = call.kernel == "scatter" ? Scheme::scatter : Scheme::gather;
    sharing.p = ranks;
    return sharing;
  }
  std::int64_t p = asked.grid.rows, q = asked.grid.cols;
  if (asked.grid == Extent2{}) {  // as square as it can be
    for (std::int64_t rows = 1; rows * rows <= ranks; ++rows) p = ranks % rows == 0 ? rows : p;
    q = ranks / p;
  }
  if (p * q != ranks) {
    bad_input("--grid " + to_string(asked.grid) + " has " + std::to_string(p * q) + " ranks, and there are " +
              std::to_string(ranks) + ": choose two factors of that, or mpirun -np " + std::to_string(p * q));
  }
  sharing.p = p, sharing.q = q;
  return sharing;
}

/// What is wrong with a problem for several devices; "" if nothing is.
std::string refusal(GemmCall const& call) {
  if (!(asked.patience > 0)) return "--patience is a number of seconds: choose more than 0";
  set_patience(asked.patience);
  if (call.batch != 1) return "several devices compute one product at a time: leave out --batch, or take chapter 17";
  if (call.kernel != "grid" && !(asked.grid == Extent2{})) return "--grid is for --kernel grid: leave one of them out";
  if (asked.chunks < 0 || asked.chunks > 64) return "--chunks is a number of pieces: choose 1 to 64, or 0 for 4";
  if (asked.chunks > 0 && !asked.overlap) return "--chunks is for --overlap: add that, or leave both out";
  if (asked.chunks > 0 && call.kernel == "grid")
    return "--chunks is for --kernel gather and scatter, a grid has its panels: leave it out";
  if (call.kernel != "gather" && call.acc == DType::f16)
    return "sums of " + call.kernel + " travel in f32, f64 and i32: take --acc f32, or --kernel gather";
  if (asked.message_units < -1)
    return "--message-units is a number of compute units: choose 0 or more, or -1 for what messages need";
  if (asked.message_units >= 0 && !asked.overlap)
    return "--message-units is for --overlap: add that, or leave both out";
  if (asked.failing_at < 0) return "--failing-at is the number of a collective: choose 1 or more, or 0 for before them";
  if (asked.failing_at > 0 && asked.failing < 0) return "--failing-at is for --failing: add that, or leave both out";
  if (asked.repeat < 1) return "--repeat is how often it is computed: choose 1 or more";
  if (asked.repeat > 1 && call.beta != 0) return "--repeat would read its own C with --beta: leave one of them out";
  (void)sharing_of(call);
  if (asked.engines == "no" && asked.over == "mpi")
    return "--copy-engines is for " + nccl_name() + ": leave it out, or take --over " + nccl_option();
  move_data_over(asked.over, asked.engines == "yes");
  return "";
}

/// Fails as --failure asks for.
void fail() {
  if (asked.failure == "error") bad_input("this rank fails, as --failing asks for");
  std::raise(asked.failure == "killed" ? SIGKILL : SIGSTOP);
}

/// Collectives that this rank has come to since it was made.
class CountedCollectives {
 public:
  CountedCollectives() {
    in_each_function([this](std::string const& function) {
      if (function != "all_gather" && function != "all_to_all" && function != "broadcast") return;
      if (++count_ == asked.failing_at && all_ranks().rank() == asked.failing) fail();
    });
  }
  ~CountedCollectives() { in_each_function({}); }
  CountedCollectives(CountedCollectives const&) = delete;
  CountedCollectives& operator=(CountedCollectives const&) = delete;
  [[nodiscard]] std::int64_t count() const { return count_; }

 private:
  std::int64_t count_ = 0;
};

void run_call(GemmCall const& call) {
  Sharing const sharing = sharing_of(call);
  require_same(number_of_problem(call, sharing), "another problem", "start all ranks with the same options");
  require_same(number_of_operands(call), "other operands", "give all ranks the same files");
  bool const fails = all_ranks().rank() == asked.failing;
  if (fails && asked.failing_at == 0) fail();
  CountedCollectives const collectives;
  run_on_several(call, all_ranks(), sharing, asked.repeat);
  if (fails) {
    bad_input("--failing-at " + std::to_string(asked.failing_at) + ": this rank comes to " +
              std::to_string(collectives.count()) + " collectives: choose one of them, or 0");
  }
}

/// What moves the data, in words.
std::string moved_over() {
  return asked.over == "mpi" ? "MPI through the host's memory" : nccl_name() + " " + nccl_version();
}

/// The problem is shared by so many ranks, in these tiles.
std::string note(GemmCall const& call) {
  Sharing const s = sharing_of(call);
  std::string const ranks = std::to_string(s.p) + (call.kernel == "grid" ? " x " + std::to_string(s.q) : "");
  std::string over;  // on the virtual GPU there is but one way
  if (!on_virtual_gpu()) over = ", over " + moved_over();
  std::string how;
  if (s.overlap) how = call.kernel == "grid" ? ", panels" : ", " + std::to_string(s.chunks) + " chunks";
  if (s.overlap) how += " beside products";
  return call.kernel + " on " + ranks + (s.p * s.q == 1 ? " rank" : " ranks") + over + how + ": " +
         shapes_in_words(call, s);
}

void declare(CommandLine& line) {
  asked = {};
  asked.over = on_virtual_gpu() ? "mpi" : nccl_option();
  line.add("--over", asked.over, {nccl_option(), "mpi"}, "what moves data between devices; mpi stages it on the host");
  line.add("--copy-engines", asked.engines, {"yes", "no"},
           "over " + nccl_name() + ": copy engines move what they can, or kernels all");
  line.add("--grid", asked.grid, "the grid of ranks, such as 2x3; without it the most square one");
  line.add("--overlap", asked.overlap, "what travels does so beside the products, on a stream of its own");
  line.add("--chunks", asked.chunks, "with --overlap: chunks that gather and scatter cut a rank's rows into; 0: 4");
  line.add("--message-units", asked.message_units,
           "with --overlap: compute units that products leave to messages; -1: none to copy engines, else 32");
  line.add("--repeat", asked.repeat, "compute it so often, each enqueued behind the one before without a wait");
  line.add("--who", asked.who, "print who holds what, and compute nothing");
  line.add("--predict", asked.predict, "print how long a model expects it to take, and compute nothing");
  line.add("--patience", asked.patience, "seconds that a rank waits for another before all end");
  line.add("--failing", asked.failing, "the rank that fails in the middle, to see what happens; -1: none");
  line.add("--failing-at", asked.failing_at, "the collective that it fails in, 1 for its first; 0: before all of them");
  line.add("--failure", asked.failure, {"error", "killed", "stopped"}, "how it fails");
}

bool show_instead(CommandLine const& line, GemmCall const& call) {
  if (asked.who) line.out() << who_holds_what(call, sharing_of(call));
  if (asked.predict) line.out() << predictions(call.m, call.n, call.k);
  return asked.who || asked.predict;
}

}  // namespace

int several_main(int argc, char** argv) {
  GemmChapter chapter;
  chapter.name = "21_several_gpus";
  chapter.adds = "several devices, one product: shards as layouts, gather, scatter and a grid of ranks over MPI";
  chapter.types = matrix_types();
  chapter.types.push_back(f64_by_matrix());
  chapter.kernels = {"grid", "scatter", "gather"};
  chapter.run = run_call;
  chapter.refuses = refusal;
  chapter.note = note;
  chapter.figures = chapter_figures;
  GemmOwnOptions own;
  own.declare = declare;
  own.instead = show_instead;
  own.parts = [](GemmCall const& call) { return call.kernel == "scatter" ? std::optional(call.out) : std::nullopt; };
  own.bench = [argc, argv](CommandLine const& line, GemmCall const& call) {
    std::string command = "mpirun -np " + std::to_string(all_ranks().size());
    for (int i = 0; i < argc; ++i) command += std::string(" ") + argv[i];
    return bench_several(line, call, sharing_of(call), asked.chunks, moved_over(), command);
  };
  return gemm_main(argc, argv, chapter, own);
}

}  // namespace tilestep
