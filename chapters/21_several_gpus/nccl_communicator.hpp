#pragma once
// Communicator over NCCL, or over RCCL, which has the same functions for AMD GPUs. A program that was built without
// either has these functions, too, and they say so.

#include "mpi_communicator.hpp"  // MpiCommunicator

#include <memory>  // a communicator
#include <string>  // names

namespace tilestep {

/// "NCCL" or "RCCL": the library for this program's devices. On the virtual GPU it is NCCL, which is not there.
std::string nccl_name();
/// Its version as the library itself tells, such as "2.28.9"; empty where it is not in this program.
std::string nccl_version();

/// The ranks of a group, whose data travels from device to device. MPI carries the group's id, and what ranks tell one
/// another before each function.
/// @pre  every rank of the group calls it, and has chosen its device
/// @par Errors  not_here: the library is not in this program, or two ranks have the same device
std::unique_ptr<Communicator> nccl_communicator(MpiCommunicator& ranks);

}  // namespace tilestep
