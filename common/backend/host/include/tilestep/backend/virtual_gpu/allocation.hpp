#pragma once
// Device memory of the virtual GPU: ordinary memory with a name, a record of which bytes were ever written and, while a
// kernel runs, of who touched it. Guard space around it keeps allocations apart.

#include <tilestep/backend/virtual_gpu/history_array.hpp>  // HistoryArray
#include <tilestep/backend/virtual_gpu/ownership.hpp>      // Ownership
#include <tilestep/backend/virtual_gpu/rollback.hpp>       // Rollback
#include <tilestep/backend/virtual_gpu/stream_order.hpp>   // StreamAccesses

#include <atomic>   // workers share allocations
#include <cstdint>  // std::uintptr_t
#include <memory>   // std::unique_ptr
#include <mutex>    // std::mutex
#include <string>   // names

namespace tilestep::virtual_gpu {

class Allocation {
 public:
  /// @par Errors  bad_input if there is not that much memory
  Allocation(std::string name, std::int64_t bytes, std::int64_t element_size);
  ~Allocation();
  Allocation(Allocation const&) = delete;

  [[nodiscard]] std::string const& name() const { return name_; }
  [[nodiscard]] std::uintptr_t begin() const { return reinterpret_cast<std::uintptr_t>(begin_); }
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }
  [[nodiscard]] std::int64_t element_size() const { return element_size_; }

  // Which bytes were ever written.
  [[nodiscard]] bool fully_initialised() const { return !is_written_; }
  [[nodiscard]] bool initialised(std::int64_t offset, std::int64_t bytes) const;
  void set_initialised(std::int64_t offset, std::int64_t bytes);
  void set_uninitialised(std::int64_t offset, std::int64_t bytes);

  /// Looks whether data of the host's has the bits of registers that nobody wrote.
  void note_data(std::int64_t offset, std::int64_t bytes);
  [[nodiscard]] unsigned looks_unwritten() const { return looks_unwritten_; }  ///< sizes of the values that do

  // A launch with checks. Its quick pass may run on several workers; its careful pass runs on one.
  /// @param overlaps  the kernel may begin while those before it run
  /// @param watches  what it reads and writes is compared with other streams
  void begin_launch(bool overlaps, bool watches);
  void begin_careful_pass();  ///< undoes the quick pass
  void end_launch(std::string const& kernel);
  void note_view(bool read_only);  ///< a kernel points here
  void quick_read(std::int64_t offset, int bytes, std::uint64_t thread);
  void quick_write(std::int64_t offset, int bytes, std::uint64_t thread);
  /// True if the quick pass cannot rule out a hazard.
  [[nodiscard]] bool doubtful() const { return doubtful_ || (was_written_ && has_read_only_view_); }
  void doubt() { doubtful_ = true; }
  [[nodiscard]] HistoryArray& histories();  ///< of the careful pass

  // What operations of all streams did here.
  [[nodiscard]] bool watches_reads() const { return watches_; }
  void note_read_bytes(std::int64_t offset, int bytes);  ///< through a pointer that only reads
  [[nodiscard]] StreamAccesses& stream_accesses() { return stream_accesses_; }
  /// Compares what the launch read and wrote. @pre  the launch is over, and end_launch() was not called
  std::vector<StreamRace> note_launch(std::shared_ptr<Operation const> const& launch);

  // Kernels before this one that may still run.
  void forget_kernels() { earlier_ = {}; }  ///< all have ended
  void follow_the_caller();                 ///< whose kernels wrote and read all of it
  /// The kernel that conflicts with an access by a kernel that has not waited for those before it; null if none does.
  [[nodiscard]] std::string const* conflicting_kernel(std::int64_t offset, int bytes, bool is_write) const;

 private:
  std::string name_;
  std::int64_t bytes_, element_size_;
  unsigned char* memory_ = nullptr;        // with guards
  unsigned char* begin_ = nullptr;
  ZeroedArray<unsigned char> is_written_;  // 1 for each byte that was written; absent when all were

  unsigned looks_unwritten_ = 0;

  std::atomic<bool> doubtful_ = false, was_written_ = false, has_read_only_view_ = false;
  std::mutex mutex_;
  Ownership owners_;
  std::unique_ptr<Rollback> old_contents_, old_is_written_;
  HistoryArray histories_;
  StreamAccesses stream_accesses_;
  bool watches_ = false;
  ZeroedArray<std::atomic<unsigned char>> is_read_;  // 1 for each record that a pointer to const read, if it watches
  // What kernels before this one did that may still run. Of reads it is not known where they were.
  struct Earlier {
    std::string kernel;
    bool read = false, wrote = false;
    bool wrote_anywhere = false;  // by several kernels: where is not known
    Ownership owners;
  };
  Earlier earlier_;
};

/// All device memory.
class DeviceMemory {
 public:
  /// The allocation that has this address or ends there; null if there is none.
  Allocation* find(std::uintptr_t address);
  void* allocate(std::string name, std::int64_t bytes, std::int64_t element_size);
  void free(void* memory);

  template <class Visit>
  void for_each(Visit&& visit) {
    for (auto const& allocation : allocations_) visit(*allocation);
  }

 private:
  std::vector<std::unique_ptr<Allocation>> allocations_;  // by address
};

DeviceMemory& device_memory();

}  // namespace tilestep::virtual_gpu
