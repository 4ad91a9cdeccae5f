// A program without NCCL: for the virtual GPU, and for GPUs where the library was not found when this was built.

#include "nccl_communicator.hpp"

#include <tilestep/backend/error.hpp>   // not_here
#include <tilestep/harness/record.hpp>  // on_virtual_gpu

namespace tilestep {

std::string nccl_name() { return TILESTEP_NCCL_NAME; }
std::string nccl_version() { return ""; }

namespace {
[[noreturn]] void refuse() {
  not_here(on_virtual_gpu() ? nccl_name() + " moves data between GPUs, and here are virtual ones: take --over mpi"
                            : "this program was built without " + nccl_name() +
                                  ": take --over mpi, or build it where its header and its library are");
}
}  // namespace

std::unique_ptr<Communicator> nccl_communicator(MpiCommunicator&, bool) { refuse(); }
std::unique_ptr<PlainNccl> plain_nccl(MpiCommunicator&) { refuse(); }

}  // namespace tilestep
