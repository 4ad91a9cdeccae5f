#pragma once
// Communicator over NCCL, or over RCCL, which has the same functions for AMD GPUs. A program that was built without
// either has these functions, too, and they say so.

#include "mpi_communicator.hpp"  // MpiCommunicator

#include <tilestep/harness/types.hpp>  // DType

#include <memory>  // a communicator
#include <string>  // names

namespace tilestep {

/// "NCCL" or "RCCL": the library for this program's devices. On the virtual GPU it is NCCL, which is not there.
std::string nccl_name();
/// Its version as the library itself tells, such as "2.28.9"; empty where it is not in this program.
std::string nccl_version();

/// The ranks of a group, whose data travels from device to device. MPI carries the group's id, and what ranks tell one
/// another before each function.
/// @param engines  between devices of one host copy engines move it, where the library can
/// @pre  every rank of the group calls it, and has chosen its device
/// @par Errors  not_here: the library is not in this program, or two ranks have the same device
std::unique_ptr<Communicator> nccl_communicator(MpiCommunicator& ranks, bool engines);

/// The library as it comes, with nothing chosen for it, and a sum of its own: what others are measured beside.
class PlainNccl {
 public:
  PlainNccl() = default;
  PlainNccl(PlainNccl const&) = delete;
  PlainNccl& operator=(PlainNccl const&) = delete;
  virtual ~PlainNccl() = default;

  /// As Communicator::all_gather.
  virtual void all_gather(void const* mine, void* all, std::int64_t bytes) = 0;
  /// Adds what all ranks have, in the library's order, and gives each rank its part of the sums.
  /// @param sums   size() * count numbers: those for rank 0 come first   @param mine  count numbers
  /// @param type   f16, bf16, f32, f64 or i32
  virtual void reduce_scatter(void const* sums, void* mine, std::int64_t count, DType type) = 0;
};

/// The same group as the library forms it when it is left alone. @par Errors  as nccl_communicator()
std::unique_ptr<PlainNccl> plain_nccl(MpiCommunicator& ranks);

}  // namespace tilestep
