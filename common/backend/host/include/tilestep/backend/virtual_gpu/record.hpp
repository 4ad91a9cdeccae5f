#pragma once
// What a kernel's pointers tell the virtual GPU: where they point, and every access through them. Each function is
// called from the place in the kernel that stands for one instruction; the return address says which one.

#include <tilestep/backend/memory.hpp>  // GlobalMemory, SharedMemory

#include <cstdint>      // std::uintptr_t
#include <type_traits>  // std::conditional_t

namespace tilestep::virtual_gpu {

struct GlobalView;  // one allocation of device memory, as one worker sees it
struct SharedView;  // one SharedArray of the block that runs

template <class Memory>
using View = std::conditional_t<std::is_same_v<Memory, GlobalMemory>, GlobalView, SharedView>;

/// The allocation that a kernel's pointer points into. Null outside a kernel and without checks: accesses are then
/// plain.
GlobalView* find_view(std::uintptr_t address, bool read_only);

/// The shared array at this address. Null as above.
SharedView* find_view(std::uintptr_t address, std::int64_t bytes, int element_size, char const* name);

/// Checks and counts one access of `bytes` bytes. An inactive one is a lane that its predicate keeps out.
/// @param registers  what is written
/// @return whether the memory may be touched: false for inactive lanes and wherever a hazard forbids it
bool record_read(GlobalView& view, std::uintptr_t address, int bytes, bool active);
bool record_write(GlobalView& view, std::uintptr_t address, void const* registers, int bytes, bool active);
bool record_read(SharedView& view, std::uintptr_t address, int bytes, bool active);
bool record_write(SharedView& view, std::uintptr_t address, void const* registers, int bytes, bool active);

/// How a tensor lies in memory.
struct TensorDescription {
  int element_size;
  int rank;                           // of what follows
  std::int64_t const *shape, *stride; // strides in elements
  int const* numbers;                 // mode of a coordinate -> how many of these extents it has; null: one
  std::int64_t (*unswizzle)(std::int64_t);  // from an element's place to where the strides put it; null: it is there
};

/// Remembers that such a tensor starts here, so that messages can print coordinates.
void describe(GlobalView* view, std::uintptr_t base, TensorDescription const& tensor);
void describe(SharedView* view, std::uintptr_t base, TensorDescription const& tensor);

}  // namespace tilestep::virtual_gpu
