// Collectives over NCCL and RCCL. Their functions enqueue work on the device and return. Before each, ranks meet over
// MPI, as they do for MPI's own collectives: a rank that is missing or calls something else is named, and nothing that
// it would have to take part in is enqueued. What fails on the way is seen by barrier(), which looks for asynchronous
// errors while it waits. A rank that gives up first takes back what all of its groups have on the device, where nothing
// else ends; and while something of theirs is there, a thread keeps the time (patience.hpp).
//
// Left alone, the library moves data by kernels, which take compute units. From 2.28 on it can ask copy engines
// instead, within a host, for functions that move and do not add: where the group's policy is to take no block (CTA, as
// NVIDIA calls it), and both buffers lie in windows, memory that all ranks have registered together.

#include "nccl_communicator.hpp"

#include <tilestep/backend/check.hpp>    // TS_CHECK, TS_GPU
#include <tilestep/backend/error.hpp>    // Error, not_here
#include <tilestep/backend/runtime.hpp>  // require_device
#include <tilestep/backend/stream.hpp>   // current_stream

#include TILESTEP_NCCL_HEADER  // <nccl.h> or <rccl/rccl.h>: CMake names the one of the backend

#include <unistd.h>  // gethostname

#include <algorithm>   // std::max
#include <atomic>      // whether a call has returned
#include <cstring>     // std::memcmp
#include <functional>  // a call
#include <map>         // groups that were made before
#include <memory>      // what a thread may keep, a stream that may not be needed
#include <set>         // functions that were called before, groups
#include <thread>      // a call that may not return
#include <utility>     // std::exchange
#include <vector>      // what all ranks say

namespace tilestep {

namespace {

// Has the library copy engines, and an all-to-all of its own?
#if NCCL_VERSION_CODE >= 22800 && defined(NCCL_CTA_POLICY_ZERO)
#define TILESTEP_NCCL_WINDOWS 1
#else
#define TILESTEP_NCCL_WINDOWS 0
#endif

ncclDataType_t type_of(DType type) {
  switch (type) {
    case DType::f64: return ncclFloat64;
    case DType::f32: return ncclFloat32;
    case DType::i32: return ncclInt32;
    case DType::f16: return ncclFloat16;
    case DType::bf16: return ncclBfloat16;
    default: bad_input("sums of " + to_string(type) + " do not travel over " + nccl_name() + ": take f32, f64 or i32");
  }
}

// [stream]
GpuStream native(Stream const& stream) { return static_cast<GpuStream>(stream.native()); }
// [stream]

/// A stream in place of another, and what orders the two.
struct Detour {
  Stream stream{"copies of " TILESTEP_NCCL_NAME};
  Event before, after;
};

/// A call in a thread of its own.
struct WatchedCall {
  std::atomic<bool> done = false;
  ncclResult_t code = ncclSuccess;
};

/// Where a process's device is.
struct Place {
  char host[64] = {};
  char bus[32] = {};
};

Place place_of_device() {
  require_device();
  Place place;
  int device = 0;
  TS_CHECK(TS_GPU(GetDevice)(&device));
  TS_CHECK(TS_GPU(DeviceGetPCIBusId)(place.bus, int(sizeof(place.bus)), device));
  (void)gethostname(place.host, sizeof(place.host) - 1);
  return place;
}

/// Every rank of a group has a device of its own, or all of them say who has not. @return whether they share a host
bool require_own_devices(MpiCommunicator& ranks) {
  Place const mine = place_of_device();
  std::vector<Place> places(static_cast<std::size_t>(ranks.size()));
  ranks.all_gather_host(&mine, places.data(), std::int64_t(sizeof(Place)));
  bool one_host = true;
  for (Place const& place : places) one_host = one_host && std::strcmp(place.host, mine.host) == 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (std::memcmp(&places[i], &places[j], sizeof(Place)) != 0) continue;
      not_here("ranks " + std::to_string(ranks.world_rank(int(j))) + " and " +
               std::to_string(ranks.world_rank(int(i))) + " have the same device, " + places[i].bus + " of " +
               places[i].host + ", and " + nccl_name() +
               " wants one for each: start fewer processes there, or take --over mpi");
    }
  }
  return one_host;
}

class NcclCommunicator final : public Communicator, public PlainNccl {
 public:
  explicit NcclCommunicator(std::unique_ptr<MpiCommunicator> part) : NcclCommunicator(*part, true) {
    own_ranks_ = std::move(part);  // lives as long as this group
  }
  /// @param engines  copy engines move what they can
  NcclCommunicator(MpiCommunicator& ranks, bool engines);
  NcclCommunicator(NcclCommunicator const&) = delete;
  NcclCommunicator& operator=(NcclCommunicator const&) = delete;
  ~NcclCommunicator() override;

  [[nodiscard]] int rank() const override { return ranks_.rank(); }
  [[nodiscard]] int size() const override { return ranks_.size(); }
  [[nodiscard]] std::shared_ptr<void> memory(char const* name, std::int64_t bytes, std::int64_t element) override;
  [[nodiscard]] bool by_copy_engines() const override { return engines_; }
  void all_gather(void const* mine, void* all, std::int64_t bytes) override;
  void all_to_all(void const* parts, void* received, std::int64_t bytes) override;
  void reduce_scatter(void const* sums, void* mine, std::int64_t count, DType type) override;
  void broadcast(void* data, std::int64_t bytes, int root) override;
  void barrier() override;
  [[nodiscard]] std::unique_ptr<Communicator> split(int color) override;

 private:
  void call(char const* function, std::function<ncclResult_t(GpuStream)> const& enqueue);
  void require(char const* function, ncclResult_t code);
  void watched(char const* function, std::function<ncclResult_t()> const& enqueue);
  static void look_for_errors(char const* function);
  static void abort_all();

  std::unique_ptr<MpiCommunicator> own_ranks_;
  MpiCommunicator& ranks_;
  ncclComm_t group_ = nullptr;
  bool engines_ = false;  ///< copy engines move what lies in memory()
  std::unique_ptr<Detour> detour_;  ///< for the default stream
  std::set<std::string> called_;                                            ///< functions whose connections are there
  std::map<std::vector<int>, std::shared_ptr<Communicator>> parts_;         ///< by the colors of all ranks
};

/// A group that its parent keeps: making one takes longer than a product, and every product asks for the same.
class KeptPart final : public Communicator {
 public:
  explicit KeptPart(std::shared_ptr<Communicator> part) : part_(std::move(part)) {}
  [[nodiscard]] int rank() const override { return part_->rank(); }
  [[nodiscard]] int size() const override { return part_->size(); }
  [[nodiscard]] std::shared_ptr<void> memory(char const* name, std::int64_t bytes, std::int64_t element) override {
    return part_->memory(name, bytes, element);
  }
  [[nodiscard]] bool by_copy_engines() const override { return part_->by_copy_engines(); }
  void all_gather(void const* mine, void* all, std::int64_t bytes) override { part_->all_gather(mine, all, bytes); }
  void all_to_all(void const* parts, void* received, std::int64_t bytes) override {
    part_->all_to_all(parts, received, bytes);
  }
  void broadcast(void* data, std::int64_t bytes, int root) override { part_->broadcast(data, bytes, root); }
  void barrier() override { part_->barrier(); }
  [[nodiscard]] std::unique_ptr<Communicator> split(int color) override { return part_->split(color); }

 private:
  std::shared_ptr<Communicator> part_;
};

/// The groups of this process that the library has.
std::set<NcclCommunicator*>& groups() {
  static std::set<NcclCommunicator*> all;
  return all;
}

/// The process ends where it has waited for the device for longer than for a rank.
void watch_the_device() {
  double const seconds = patience_in_seconds() + seconds_to_end;
  watch(seconds, nccl_name() + ": this rank waited for its device, where a function of several ranks is under way, " +
                     "for " + std::to_string(int(seconds)) + " s: all ranks end");
}

[[noreturn]] void end(std::string const& sentence) {
  give_up_at_once(nccl_name() + ": " + sentence + ": all ranks end (NCCL_DEBUG=WARN tells more)");
}

// [group]
/// Rank 0 draws the id of the group, and MPI carries it to the others.
NcclCommunicator::NcclCommunicator(MpiCommunicator& ranks, bool engines) : ranks_(ranks) {
  bool const one_host = require_own_devices(ranks);
  ncclUniqueId id{};
  if (rank() == 0) require("making of an id", ncclGetUniqueId(&id));
  std::vector<ncclUniqueId> ids(static_cast<std::size_t>(size()));
  ranks.all_gather_host(&id, ids.data(), std::int64_t(sizeof(id)));
  auto const group = std::make_shared<ncclComm_t>(nullptr);
  engines_ = engines && one_host && TILESTEP_NCCL_WINDOWS;
  watched("making of a group", [group, first = ids[0], ranks_here = size(), mine = rank(), take_none = engines_] {
#if TILESTEP_NCCL_WINDOWS
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    if (take_none) config.CTAPolicy = NCCL_CTA_POLICY_ZERO;
    return ncclCommInitRankConfig(group.get(), ranks_here, first, mine, &config);
#else
    (void)take_none;
    return ncclCommInitRank(group.get(), ranks_here, first, mine);
#endif
  });
  group_ = *group;
  groups().insert(this);
  before_giving_up(abort_all);
  if (engines_) (void)memory("a window, to see whether there are any", 1, 1);
}
// [group]

NcclCommunicator::~NcclCommunicator() {
  parts_.clear();
  groups().erase(this);
  if (group_ != nullptr) (void)ncclCommDestroy(group_);
}

/// Takes back what is on its way, in all groups, so that the device ends.
void NcclCommunicator::abort_all() {
  for (NcclCommunicator* const each : groups()) {
    if (each->group_ != nullptr) (void)ncclCommAbort(std::exchange(each->group_, nullptr));
  }
}

void NcclCommunicator::require(char const* function, ncclResult_t code) {
  if (code == ncclSuccess) return;
  std::string const where = "on rank " + std::to_string(ranks_.world_rank(rank()));
  end(std::string(function) + " failed " + where + ", " + ncclGetErrorString(code));
}

/// What failed in any group: a product on a grid is carried by parts of the group that waits for it.
void NcclCommunicator::look_for_errors(char const* function) {
  for (NcclCommunicator* const each : groups()) {
    ncclResult_t error = ncclSuccess;
    each->require(function, ncclCommGetAsyncError(each->group_, &error));
    each->require(function, error);
  }
}

/// A call that waits for the other ranks inside the library runs in a thread of its own, and this one looks at the
/// clock. Where it is not back in time, the process ends with the thread in it.
void NcclCommunicator::watched(char const* function, std::function<ncclResult_t()> const& enqueue) {
  int device = 0;
  TS_CHECK(TS_GPU(GetDevice)(&device));
  auto const call = std::make_shared<WatchedCall>();  // the thread's, too, where it is left behind
  std::thread caller([call, device, enqueue] {
    bool const chosen = TS_GPU(SetDevice)(device) == TS_GPU(Success);  // each thread has its own choice
    call->code = chosen ? enqueue() : ncclUnhandledCudaError;
    call->done = true;
  });
  if (!wait_for([call] { return call->done.load(); })) {
    caller.detach();
    group_ = nullptr;  // the thread has it
    give_up_naming({}, nccl_name() + "'s " + function);
  }
  caller.join();
  require(function, call->code);
}

/// Enqueues a function of the library: it follows what stands on the current stream, and what goes there later follows
/// it. The first of each kind connects the ranks, and waits for them. Until barrier() comes, whatever waits for the
/// device is watched: a launch that finds its queue full, memory that is freed.
void NcclCommunicator::call(char const* function, std::function<ncclResult_t(GpuStream)> const& enqueue) {
  watch_the_device();
  Stream& here = current_stream();
  // CUDA takes copies in batches on every stream but the default one (cudaMemcpyBatchAsync).
  Detour* detour = nullptr;
  if (engines_ && native(here) == nullptr) {
    if (!detour_) detour_ = std::make_unique<Detour>();
    detour = detour_.get();
    detour->before.record(here), detour->stream.wait(detour->before);
  }
  auto const on_stream = [enqueue, stream = native(detour ? detour->stream : here)] { return enqueue(stream); };
  if (called_.insert(function).second) watched(function, on_stream);
  else require(function, on_stream());
  if (detour) detour->after.record(detour->stream), here.wait(detour->after);
}

// [memory]
/// Registers memory with the group. Where the library gives no window, copy engines cannot reach what other ranks have.
std::shared_ptr<void> NcclCommunicator::memory(char const* name, std::int64_t bytes, std::int64_t element) {
#if TILESTEP_NCCL_WINDOWS
  if (engines_) {
    struct Window {
      void* data = nullptr;
      ncclWindow_t window = nullptr;
    };
    constexpr std::int64_t page = 2 << 20;  // what a device maps at once
    auto const size = std::size_t((std::max<std::int64_t>(bytes, 1) + page - 1) / page * page);
    auto const made = std::make_shared<Window>();
    ranks_.meet("memory", bytes);
    watched("making of memory", [made, size, group = group_] {
      ncclResult_t const code = ncclMemAlloc(&made->data, size);
      if (code != ncclSuccess) return code;
      return ncclCommWindowRegister(group, made->data, size, &made->window, NCCL_WIN_COLL_SYMMETRIC);
    });
    if (made->window == nullptr) engines_ = false;
    return {made->data, [this, made](void*) {
              if (made->window != nullptr && group_ != nullptr) (void)ncclCommWindowDeregister(group_, made->window);
              (void)ncclMemFree(made->data);
            }};
  }
#endif
  return ranks_.memory(name, bytes, element);
}
// [memory]

// [collectives]
void NcclCommunicator::all_gather(void const* mine, void* all, std::int64_t bytes) {
  ranks_.meet("all_gather", bytes);
  call("all_gather", [=, group = group_](GpuStream stream) {
    return ncclAllGather(mine, all, std::size_t(bytes), ncclInt8, group, stream);
  });
}

void NcclCommunicator::all_to_all(void const* parts, void* received, std::int64_t bytes) {
  ranks_.meet("all_to_all", bytes);
#if TILESTEP_NCCL_WINDOWS
  call("all_to_all", [=, group = group_](GpuStream stream) {
    return ncclAlltoAll(parts, received, std::size_t(bytes), ncclInt8, group, stream);
  });
#else
  call("all_to_all", [=, ranks = size(), group = group_](GpuStream stream) {
    ncclResult_t code = ncclGroupStart();
    for (int other = 0; other < ranks && code == ncclSuccess; ++other) {
      auto const at = other * bytes;
      code = ncclSend(static_cast<char const*>(parts) + at, std::size_t(bytes), ncclInt8, other, group, stream);
      if (code == ncclSuccess)
        code = ncclRecv(static_cast<char*>(received) + at, std::size_t(bytes), ncclInt8, other, group, stream);
    }
    ncclResult_t const end = ncclGroupEnd();
    return code == ncclSuccess ? end : code;
  });
#endif
}

void NcclCommunicator::reduce_scatter(void const* sums, void* mine, std::int64_t count, DType type) {
  ncclDataType_t const element = type_of(type);
  ranks_.meet("reduce_scatter", count * bytes_of(type));
  call("reduce_scatter", [=, group = group_](GpuStream stream) {
    return ncclReduceScatter(sums, mine, std::size_t(count), element, ncclSum, group, stream);
  });
}

void NcclCommunicator::broadcast(void* data, std::int64_t bytes, int root) {
  ranks_.meet("broadcast", bytes, root);
  call("broadcast", [=, group = group_](GpuStream stream) {
    return ncclBroadcast(data, data, std::size_t(bytes), ncclInt8, root, group, stream);
  });
}

void NcclCommunicator::barrier() {
  watch_the_device();
  ranks_.meet("barrier", 0);
  watch_the_device();
  GpuError code{};
  ranks_.meet("the end of what was enqueued", 0, 0, [&] {
    look_for_errors("what was enqueued");
    code = TS_GPU(StreamQuery)(native(current_stream()));
    return code != TS_GPU(ErrorNotReady);
  });
  watch_no_more();
  TS_CHECK(code);
}
// [collectives]

std::unique_ptr<Communicator> NcclCommunicator::split(int color) {
  std::vector<int> colors(static_cast<std::size_t>(size()));
  ranks_.all_gather_host(&color, colors.data(), std::int64_t(sizeof(color)));
  std::shared_ptr<Communicator>& part = parts_[colors];
  if (!part) part = std::make_shared<NcclCommunicator>(ranks_.split_over_mpi(color));
  return std::make_unique<KeptPart>(part);
}

}  // namespace

std::string nccl_name() { return TILESTEP_NCCL_NAME; }

std::string nccl_version() {
  int version = 0;  // 22809 is 2.28.9
  if (ncclGetVersion(&version) != ncclSuccess) return "of an unknown version";
  int const major = version >= 10000 ? 10000 : 1000;
  return std::to_string(version / major) + "." + std::to_string(version % major / 100) + "." +
         std::to_string(version % 100);
}

std::unique_ptr<Communicator> nccl_communicator(MpiCommunicator& ranks, bool engines) {
  return std::make_unique<NcclCommunicator>(ranks, engines);
}
std::unique_ptr<PlainNccl> plain_nccl(MpiCommunicator& ranks) {
  return std::make_unique<NcclCommunicator>(ranks, false);
}

}  // namespace tilestep
