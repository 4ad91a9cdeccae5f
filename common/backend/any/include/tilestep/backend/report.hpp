#pragma once
// What is known after a kernel ran: how long it took and, on the virtual GPU, the hazards found and what the hardware
// would have done. Plain data, the same for every backend.

#include <algorithm>    // std::lower_bound
#include <cstdint>      // std::int64_t
#include <string>       // messages
#include <string_view>  // names
#include <vector>       // std::vector

namespace tilestep {

/// The order in which blocks, and the threads of a block between two barriers, run on the virtual GPU.
struct Schedule {
  enum class Kind { in_order, reverse, random } kind = Kind::in_order;
  std::uint64_t seed = 0;  ///< of Kind::random
};

/// How kernels run from now on.
struct RunOptions {
  std::string target;   ///< empty: the backend's own (sm80 on the virtual GPU)
  Schedule schedule;    ///< virtual GPU only
  bool check = true;    ///< virtual GPU only: find hazards and count
  int workers = 0;      ///< virtual GPU only: operating-system threads, 0 = one per core
  std::string machine = {};  ///< virtual GPU only: what machine_named() takes; empty: the one of the target
};

/// A kind of hazard, and the name under which docs/symptoms.md explains it.
struct HazardKind {
  std::string_view kind, name;
};
/// All kinds that the virtual GPU reports; the last four are of Hopper's own instructions.
inline constexpr HazardKind hazard_kinds[] = {
    {"race", "race"},
    {"out of bounds", "out-of-bounds"},
    {"uninitialised read", "never-written"},
    {"register never written", "register-never-written"},
    {"misaligned access", "misaligned"},
    {"copy in flight", "copy-in-flight"},
    {"divergent barrier", "divergent-barrier"},
    {"not uniform", "not-uniform"},
    {"broken requirement", "broken-requirement"},
    {"too much shared memory", "too-much-shared-memory"},
    {"wgmma in flight", "wgmma-in-flight"},
    {"missing fence", "missing-fence"},
    {"byte count", "byte-count"},
    {"deadlock", "deadlock"},
};
/// The name of a kind; empty if there is no such kind.
constexpr std::string_view hazard_name(std::string_view kind) {
  for (HazardKind const& each : hazard_kinds) {
    if (each.kind == kind) return each.name;
  }
  return {};
}

/// Something a correct kernel never does.
struct Hazard {
  std::string kind;     ///< of hazard_kinds
  std::string message;  ///< names the kernel, block, thread, tensor and coordinate; both threads of a race
};

/// "race: kernel ...; see docs/symptoms.md#race"
inline std::string text_of(Hazard const& hazard) {
  return hazard.kind + ": " + hazard.message + "; see docs/symptoms.md#" + std::string(hazard_name(hazard.kind));
}

/// How often warps executed one kind of instruction.
struct InstructionCount {
  std::string name;  ///< as the vendor's manual spells it
  std::int64_t count = 0;
  friend bool operator==(InstructionCount const&, InstructionCount const&) = default;
};

/// What the hardware would have done. A request is one memory instruction of one warp with at least one lane active.
struct Counters {
  std::int64_t global_load_requests = 0;
  std::int64_t global_load_bytes = 0;          ///< asked for by active lanes
  std::int64_t global_load_sectors =
      0;  ///< 32-byte sectors (NVIDIA) or 128-byte lines (AMD) touched, request by request
  std::int64_t global_load_sectors_ideal = 0;  ///< the fewest that hold the distinct bytes of each request
  std::int64_t global_store_requests = 0;
  std::int64_t global_store_bytes = 0;
  std::int64_t global_store_sectors = 0;
  std::int64_t global_store_sectors_ideal = 0;
  std::int64_t shared_load_requests = 0;
  std::int64_t shared_load_bytes = 0;
  std::int64_t shared_load_wavefronts = 0;        ///< passes over the banks under the target's phase rule
  std::int64_t shared_load_wavefronts_ideal =
      0;  ///< one for each phase with an active lane; the rest are bank conflicts
  std::int64_t shared_store_requests = 0;
  std::int64_t shared_store_bytes = 0;
  std::int64_t shared_store_wavefronts = 0;
  std::int64_t shared_store_wavefronts_ideal = 0;
  std::int64_t barriers = 0;    ///< times a block passed sync_threads()
  std::int64_t warp_syncs = 0;  ///< times a warp passed sync_warp()
  std::int64_t shuffles = 0;    ///< shuffle instructions of a warp
  std::int64_t fma = 0;         ///< fma() of one thread
  std::vector<InstructionCount> matrix_instructions;  ///< matrix instructions of a warp, in alphabetical order

  /// Adds `count` executions of the matrix instruction `name`.
  void add_matrix_instructions(std::string_view name, std::int64_t count) {
    auto const before = [](InstructionCount const& one, std::string_view other) { return one.name < other; };
    auto const at = std::lower_bound(matrix_instructions.begin(), matrix_instructions.end(), name, before);
    if (at != matrix_instructions.end() && at->name == name) at->count += count;
    else matrix_instructions.insert(at, {std::string(name), count});
  }

  [[nodiscard]] std::int64_t shared_load_conflicts() const {
    return shared_load_wavefronts - shared_load_wavefronts_ideal;
  }
  [[nodiscard]] std::int64_t shared_store_conflicts() const {
    return shared_store_wavefronts - shared_store_wavefronts_ideal;
  }

  /// Calls visit(name, value) for every counter but the matrix instructions, in the order above. The values can be
  /// changed if `self` is not const.
  template <class Self, class Visit>
  static void visit_all(Self& self, Visit&& visit) {
    visit("global_load_requests", self.global_load_requests);
    visit("global_load_bytes", self.global_load_bytes);
    visit("global_load_sectors", self.global_load_sectors);
    visit("global_load_sectors_ideal", self.global_load_sectors_ideal);
    visit("global_store_requests", self.global_store_requests);
    visit("global_store_bytes", self.global_store_bytes);
    visit("global_store_sectors", self.global_store_sectors);
    visit("global_store_sectors_ideal", self.global_store_sectors_ideal);
    visit("shared_load_requests", self.shared_load_requests);
    visit("shared_load_bytes", self.shared_load_bytes);
    visit("shared_load_wavefronts", self.shared_load_wavefronts);
    visit("shared_load_wavefronts_ideal", self.shared_load_wavefronts_ideal);
    visit("shared_store_requests", self.shared_store_requests);
    visit("shared_store_bytes", self.shared_store_bytes);
    visit("shared_store_wavefronts", self.shared_store_wavefronts);
    visit("shared_store_wavefronts_ideal", self.shared_store_wavefronts_ideal);
    visit("barriers", self.barriers);
    visit("warp_syncs", self.warp_syncs);
    visit("shuffles", self.shuffles);
    visit("fma", self.fma);
  }
  template <class Visit>
  void for_each(Visit&& visit) const { visit_all(*this, visit); }

  Counters& operator+=(Counters const& other) {
    std::vector<std::int64_t> values;
    other.for_each([&](char const*, std::int64_t value) { values.push_back(value); });
    auto next = values.begin();
    visit_all(*this, [&](char const*, std::int64_t& value) { value += *next++; });
    for (InstructionCount const& each : other.matrix_instructions) add_matrix_instructions(each.name, each.count);
    return *this;
  }
  friend bool operator==(Counters const&, Counters const&) = default;
};

/// One launch.
struct KernelReport {
  std::string kernel;
  std::string target;
  std::int64_t blocks = 0;
  int threads = 0;                ///< of a block
  std::int64_t shared_bytes = 0;  ///< of a block
  std::vector<Hazard> hazards;    ///< virtual GPU only
  Counters counters;              ///< virtual GPU only
  bool assumed_rules = false;     ///< wavefronts were counted under a phase rule without a source: say so beside them
  double seconds = 0;
};

}  // namespace tilestep
