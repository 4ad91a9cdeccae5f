#pragma once
// The instructions of a kernel as a worker meets them: by which calls the kernel comes to each, and who has executed it
// since when.

#include <tilestep/backend/virtual_gpu/call_path.hpp>  // call_path

#include <cstddef>          // std::size_t
#include <cstdint>          // std::uintptr_t
#include <memory>           // std::unique_ptr
#include <source_location>  // where a function was called
#include <vector>           // std::vector

namespace tilestep::virtual_gpu {

struct TraceSite;  // warp_trace.hpp

/// An access to memory, a copy, a wait.
struct Instruction {
  // Each access reads these four: they stand together.
  void const* path = nullptr;               // call_path(): the same on every worker
  int number = 0;                           // among its worker's, from 1
  mutable TraceSite* site = nullptr;        // its addresses in the worker's trace; null before its first access
  mutable std::vector<std::uint32_t> last;  // thread -> when it last executed this; 0: never

  std::vector<std::uintptr_t> calls;  // the addresses to which they return, from the instruction outwards
  std::source_location place{};       // of functions that ask where they are called: what is known without line tables
};

/// The number in 16 bits, as memory keeps it for each element; 0 where it does not fit.
inline std::uint16_t short_number(int number) { return number <= 0xFFFF ? std::uint16_t(number) : 0; }

/// All instructions that a worker has met in a launch.
class Instructions {
 public:
  /// Forgets all: a launch of so many threads a block (or cluster) begins.
  void begin_launch(int threads);

  /// The instruction that a function of the frame `from` carries out. @param to  the frame that started the kernel
  Instruction& find(Frame const* from, Frame const* to) {
    void const* const path = call_path(from, to);
    Slot const& first = slots_[slot_of(path)];
    if (first.path == path) [[likely]] return *first.instruction;
    return find_or_add(path, [&](Instruction& added) {
      for_each_call(from, to, [&](std::uintptr_t return_address) { added.calls.push_back(return_address); });
    });
  }

  /// The second request of an instruction that makes two.
  Instruction& second_of(Instruction const& first) {
    return find_or_add(static_cast<char const*>(first.path) + 1,
                       [&](Instruction& added) { added.calls = first.calls; });
  }

  /// By its number; null for 0.
  [[nodiscard]] Instruction const* at(int number) const {
    return number == 0 ? nullptr : all_[std::size_t(number - 1)].get();
  }

 private:
  struct Slot {
    void const* path = nullptr;
    Instruction* instruction = nullptr;
  };

  [[nodiscard]] std::size_t slot_of(void const* path) const {
    return (reinterpret_cast<std::uintptr_t>(path) * 0x9e3779b97f4a7c15) >> shift_;
  }
  /// The place of `path` in the table, or the empty one where it belongs.
  [[nodiscard]] Slot& slot(void const* path) {
    std::size_t at = slot_of(path);
    while (slots_[at].path != nullptr && slots_[at].path != path) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }
  template <class Fill>
  Instruction& find_or_add(void const* path, Fill&& fill) {
    Slot const& found = slot(path);
    if (found.path == path) return *found.instruction;
    Instruction& added = add(path);
    fill(added);
    return added;
  }
  Instruction& add(void const* path);

  int threads_ = 0;
  int shift_ = 64 - 9;
  std::vector<Slot> slots_ = std::vector<Slot>(512);  // a hash table with linear probing
  std::vector<std::unique_ptr<Instruction>> all_;
};

}  // namespace tilestep::virtual_gpu
