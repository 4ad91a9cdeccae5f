#pragma once
// The processes that mpirun started, from their first word to their last: one sentence where something fails, and no
// process that waits for another that never comes.

#include "communicator.hpp"       // Communicator
#include "nccl_communicator.hpp"  // PlainNccl

#include <cstdint>     // std::int64_t
#include <functional>  // a program
#include <memory>      // the library as it comes
#include <string>      // a sentence

namespace tilestep {

/// Chooses what moves data between devices: "mpi", from the device to the host, as a message, and to the device; or
/// what nccl_name() is called, from device to device. Without a choice it is "mpi".
/// @param engines  copy engines move what they can, else kernels all
/// @pre  every rank chooses the same
/// @par Errors  not_here: it is not in this program, or two ranks would share a device
void move_data_over(std::string const& library, bool engines = true);

/// All ranks.
/// @pre  run_processes() has called the program
Communicator& all_ranks();

/// All ranks over the library as it comes; nullptr where it does not move data.
std::unique_ptr<PlainNccl> all_ranks_by_plain_nccl();

/// Compares a number with that of rank 0. Every rank calls it.
/// @par Errors  bad_input: "rank 2 ..., rank 0 ...: " and the remedy, where they differ
void require_same(std::uint64_t number, std::string const& what, std::string const& remedy);

/// The largest of the ranks' numbers. Every rank calls it.
double largest_of_all(double number);

/// Calls the program in every process, each with a device of its own as far as there are enough: the ranks of a host
/// take its devices in their order, which CUDA_VISIBLE_DEVICES or HIP_VISIBLE_DEVICES sets. Rank 0 prints and writes
/// files. Where ranks fail, the first of them says why, and all end; where only some fail, the others do not wait for
/// them.
/// @return the worst exit code of all ranks
int run_processes(int argc, char** argv, std::function<int(int argc, char** argv)> const& program);

}  // namespace tilestep
