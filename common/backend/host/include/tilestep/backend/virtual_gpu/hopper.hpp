#pragma once
// What Hopper has beyond older NVIDIA GPUs, as the virtual GPU does it, for one cluster: mbarriers, copies by tensor
// map, wgmma, barriers of a few warps. Copies and products are in flight until they are waited for and happen as late
// as they can. Memory remembers, for every 16 bytes, who wrote them and which of those that read or write on their own
// are at work there.

#include <tilestep/backend/mbarrier_object.hpp>        // Mbarrier
#include <tilestep/backend/pointer.hpp>                // SharedPtr
#include <tilestep/backend/tma_map.hpp>                // TensorMap
#include <tilestep/backend/virtual_gpu/hazard_log.hpp>  // Kind
#include <tilestep/backend/virtual_gpu/instruction.hpp>  // Instruction
#include <tilestep/backend/virtual_gpu/order.hpp>      // Order
#include <tilestep/backend/virtual_gpu/views.hpp>      // SharedView
#include <tilestep/backend/virtual_gpu/wgmma_lane.hpp>  // WgmmaKind, WgmmaThread

#include <cstdint>          // std::uint32_t
#include <source_location>  // which instruction of the kernel this is
#include <string>           // messages
#include <vector>           // std::vector

namespace tilestep::virtual_gpu {

class Worker;
using Where = std::source_location;

/// Shared memory knows for every 16 bytes who uses them; lines are those that a swizzle arranges.
inline constexpr std::uint32_t piece_bytes = 16, line_bytes = 128;

class Hopper {
 public:
  /// @param threads, shared_bytes  of the whole cluster  @param block_threads  of one block
  Hopper(Worker& worker, int threads, int block_threads, std::int64_t block_bytes);
  [[nodiscard]] Order const& order() const { return order_; }
  void begin_cluster();
  void end_cluster();

  // Ordinary accesses, before memory's other records. @return false: what is there is not visible to the reader
  bool read(std::uint32_t at, int bytes, Instruction const& call);
  [[nodiscard]] bool written_by_copy(std::uint32_t at) const;  // and by nobody since
  [[nodiscard]] bool has_landed(std::uint32_t at) const;  // a copy wrote it; threads may have changed a part since
  void write(std::uint32_t at, int bytes, Instruction const& call);
  void wrote(std::uint32_t at, int bytes, int thread, Instruction const& call);  // cp.async landed
  void meet(int first, int last);                       // a barrier of these threads

  // Mbarriers: mbarrier.cpp.
  void init(SharedPtr<Mbarrier> barrier, int arrivals, Where const& place);
  void arrive(SharedPtr<Mbarrier> barrier, int rank, std::int64_t bytes, Where const& place);  // rank -1: this block's
  /// @param cluster  learns from arrivals of other blocks, too
  void wait(SharedPtr<Mbarrier> barrier, int parity, bool cluster, Where const& place);
  void fence(bool for_accesses);

  // Copies: bulk_copy.cpp.
  void load(std::uintptr_t to, TensorMap const& map, SharedPtr<Mbarrier> barrier, unsigned blocks,
            int const* origin, int rank, Where const& place);
  void store(TensorMap const& map, std::uintptr_t from, int const* origin, int rank, Where const& place);
  void commit_stores();
  void wait_for_stores(int groups);
  bool land_a_load();  // none is in flight: false

  // Products: wgmma.cpp.
  void multiply(WgmmaKind const& kind, WgmmaThread const& thread, Where const& place);
  void fence_products();
  void commit_products();
  void wait_for_products(int groups, Where const& place);

  // Meetings: meetings.cpp.
  void meet_group(int id, int threads, bool waits, Where const& place);
  void meet_cluster(Where const& place);
  void set_registers(int registers, bool takes, Where const& place);
  bool wake();             // lets those go on whose wait is over
  void report_deadlock();  // nobody can go on

  // in the shared memory of the thread's block
  [[nodiscard]] std::uint32_t shared_offset(std::uintptr_t address) const;

 private:
  // 16 bytes of shared memory.
  struct Piece {
    std::uint32_t time = 0;         // of the last write; a copy's: when it landed
    std::uint32_t landed = 0;       // when the last copy landed
    std::uint16_t writer = 0;       // an agent
    std::uint8_t loading = 0;       // copies in flight into it
    std::uint8_t storing = 0;       // copies in flight that read it
    std::uint16_t multiplying = 0;  // products in flight that read it
    std::uint16_t by = 0;           // the instruction that wrote it, or that the copy in flight into it is
  };
  struct MbarrierState {
    std::uint32_t at;               // in the cluster's shared memory
    int arrivals, pending;
    std::int64_t bytes = 0;         // announced and not landed
    std::uint64_t phase = 0;        // phases that have ended
    int maker;
    std::uint32_t made;
    Instruction const* made_by;
    Knowledge gathering, ended;     // what those who arrived in this phase knew; in the last one
    Knowledge near_gathering, near_ended;  // the same of those of the mbarrier's own block
    bool unseen = false;            // a copy landed that nobody has waited for
  };
  struct Load {
    TensorTile tile;
    std::int64_t origin[3];
    std::uint32_t to;
    int barrier, issuer;
    Instruction const* call;
  };
  struct Store {
    TensorTile tile;
    std::int64_t origin[3];
    std::uint32_t from;
    std::uint64_t group;
    Instruction const* call;
  };
  struct Product {
    WgmmaKind kind;
    TileDescriptor a, b;
    bool accumulate;
    std::uint64_t group;
    Instruction const* call;
    std::vector<WgmmaThread> threads;  // of the warpgroup, as they came
  };
  // Accumulators of a thread from the first product in flight until the last has landed.
  struct Sums {
    void* registers;
    int users;
    std::vector<std::uint32_t> values;
  };
  struct ThreadState {
    std::vector<std::uint32_t> fences, mbarrier_fences;  // when
    std::vector<Store> stores;
    std::uint64_t store_groups = 0, products = 0, product_groups = 0;
    std::vector<std::pair<int, std::uint32_t>> arrivals;  // at other blocks: at which, and when last
    bool fenced = false;
    std::vector<Sums> sums;
    int registers = 0;
  };
  struct Group {
    int threads = 0, arrived = 0;
    Knowledge known;
  };

  // memory.cpp
  // 16 bytes that tensor cores or TMA read or write. @param does  "issues a wgmma that reads"
  void check_engine_read(std::uint32_t at, char const* does, Instruction const& call);
  void check_engine_write(std::uint32_t at, Instruction const& call);
  bool check_writer(Piece const& piece, std::uint32_t at, char const* does, Instruction const& call);
  void check_readers(std::uint32_t line, Instruction const& call);
  [[nodiscard]] bool concurrent(std::uint32_t time, int agent) const;  // with the thread that runs
  [[nodiscard]] bool is_new(std::uint32_t time) const;                 // since the cluster began
  [[nodiscard]] bool has_fence(std::vector<std::uint32_t> const& fences, std::uint32_t time, int thread) const;
  void note_line_read(std::uint32_t at, int agent, Instruction const& call);  // an agent's number in its block
  /// Reports that `call` does something to the memory at `at`.
  /// @param remedy  '@' is the line of the other side in brackets, '#' where the remedy is missing: between both lines
  /// @param other  the other side of the hazard
  void report(Kind kind, Instruction const* call, int variant, std::string const& does, std::uint32_t at,
              std::string const& remedy, Instruction const* other = nullptr);
  [[nodiscard]] Instruction const* numbered(int number) const;
  /// "for the end of its phase of mbarrier full, element 0", of the copy that brings a piece or brought it.
  [[nodiscard]] std::string for_phase(Piece const& piece, std::uint32_t at) const;
  [[nodiscard]] Instruction const* store_of(std::uint32_t at) const;    // a store in flight that reads there
  [[nodiscard]] Instruction const* product_of(std::uint32_t at) const;  // a product in flight that reads there
  [[nodiscard]] bool in_bounds(std::uint32_t at, std::int64_t bytes) const;
  [[nodiscard]] int me() const;
  [[nodiscard]] bool checks() const;
  [[nodiscard]] std::uint32_t block_begin(int rank) const { return std::uint32_t(rank) * std::uint32_t(block_bytes_); }
  [[nodiscard]] std::uint32_t now() const;
  std::uint32_t tick();  // the time; later things come after

  // mbarrier.cpp
  /// False, and reported, where the mbarrier lies outside of its array. @param does  "arrives at"
  bool is_in_array(char const* does, SharedPtr<Mbarrier> barrier, Instruction const& call);
  int find(char const* does, SharedPtr<Mbarrier> barrier, int rank, Instruction const& call);
  void note_arrival_elsewhere(int rank);
  void check_arrivals_elsewhere();
  void end_phase_if_complete(MbarrierState& barrier, Instruction const& call);
  void release(Knowledge& to);
  [[nodiscard]] bool has_ended(int barrier, int parity) const;
  [[nodiscard]] std::string waits_for(int barrier, int parity) const;

  // bulk_copy.cpp
  void move_box(TensorTile const& tile, std::int64_t const* origin, std::uint32_t at, bool loads) const;
  void note_box(TensorTile const& tile, std::int64_t const* origin, bool loads, Instruction const& call);
  void finish_store(int thread, Store const& store);

  // wgmma.cpp
  struct WarpgroupState {
    std::vector<Product> products;      // from the oldest in flight on
    std::uint64_t finished = 0;
    std::vector<std::uint64_t> wanted;  // groups that each thread leaves in flight
  };
  void count_readers(Product const& product, int group, int more);
  void finish_products(int group, std::uint64_t groups_left);
  void execute(int group, Product& product);

  Worker& worker_;
  int threads_, block_threads_;
  std::int64_t block_bytes_;
  Order order_;
  std::vector<Piece> pieces_;
  // (agent of the block, line): when it read the line, and by which instruction
  std::vector<std::uint32_t> line_reads_;
  std::vector<std::uint16_t> line_readers_;
  std::vector<std::uint32_t> line_read_;   // line: when last by anybody
  struct Stored {
    std::uint32_t time = 0;
    int thread = 0;
    Instruction const* call = nullptr;
  };
  std::vector<Stored> line_stored_;  // line: when a thread's store had read it
  int line_agents_;
  std::vector<MbarrierState> barriers_;
  std::vector<Load> loads_;
  std::uint64_t landed_ = 0;
  std::vector<ThreadState> states_;
  std::vector<Group> groups_;               // 16 for each block
  std::vector<WarpgroupState> warpgroups_;
};

/// The state of the cluster that runs. A kernel that does not say `only_on = "sm90"` stops with a hazard.
Hopper& hopper();

}  // namespace tilestep::virtual_gpu
