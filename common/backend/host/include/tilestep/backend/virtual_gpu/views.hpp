#pragma once
// What a kernel's pointer carries beside its address: the bounds and the name of the memory it was made for.

#include <tilestep/backend/virtual_gpu/allocation.hpp>    // Allocation
#include <tilestep/backend/virtual_gpu/tensor_names.hpp>  // TensorNames

#include <cstdint>  // std::uintptr_t
#include <memory>   // std::shared_ptr
#include <string>   // names

namespace tilestep::virtual_gpu {

/// What both kinds of view have.
struct MemoryView {
  std::uintptr_t begin = 0;
  std::int64_t bytes = 0;
  std::int64_t element_size = 1;
  std::string name;
  std::uint64_t identity = 0;                                          // the same on every worker
  std::shared_ptr<TensorNames> tensors = std::make_shared<TensorNames>();  // shared by the views of one allocation

  [[nodiscard]] bool contains(std::int64_t offset, int size) const {
    return std::uint64_t(offset) < std::uint64_t(bytes) && bytes - offset >= size;
  }
};

/// One allocation as one worker sees it.
struct GlobalView : MemoryView {
  Allocation* allocation = nullptr;  // null: the pointer points to no device memory
  bool read_only = false;            // made from a pointer to const
  bool plain_reads =
      false;  // reads need no record: all of it was written before the launch, and this is the quick pass
};

/// One SharedArray of the block that runs.
struct SharedView : MemoryView {
  std::uint32_t offset = 0;  // in the block's shared memory
};

}  // namespace tilestep::virtual_gpu
