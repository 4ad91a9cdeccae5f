#pragma once
// What ranks say to one another, as MPI and NCCL have it: every rank of a group calls the same function with the same
// sizes. Memory is the device's. What a call asks for is there for what this rank enqueues on the device after it; MPI
// also waits for it, NCCL does not.

#include <tilestep/harness/types.hpp>  // DType

#include <cstdint>  // std::int64_t
#include <memory>   // a part of a group

namespace tilestep {

class Communicator {
 public:
  Communicator() = default;
  Communicator(Communicator const&) = delete;
  Communicator& operator=(Communicator const&) = delete;
  virtual ~Communicator() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  /// Puts what each rank has behind one another, in the order of ranks.
  /// @param mine   `bytes` of this rank
  /// @param all    size() * bytes
  /// @par Errors   here and below, bad_input: a rank calls another function or names another size; Exit::wrong: a rank
  ///     does not come in time
  virtual void all_gather(void const* mine, void* all, std::int64_t bytes) = 0;

  /// Adds what all ranks have, in an order that is the same in every run with the same ranks on the same devices, and
  /// gives each rank its part of the sums. Over MPI it is the order of ranks.
  /// @param sums   size() * count numbers: those for rank 0 come first
  /// @param mine   count numbers
  /// @param type   f32, f64 or i32; over NCCL also f16 and bf16
  virtual void reduce_scatter(void const* sums, void* mine, std::int64_t count, DType type) = 0;

  /// Gives all ranks what `root` has. @param data  bytes: read on the root, written on the others
  virtual void broadcast(void* data, std::int64_t bytes, int root) = 0;

  /// Waits for all ranks, and for all that this one has enqueued on the device: where other ranks take part in it, this
  /// is the wait that ends when one of them fails.
  virtual void barrier() = 0;

  /// The ranks that name the same color, in the order in which they stand here.
  [[nodiscard]] virtual std::unique_ptr<Communicator> split(int color) = 0;
};

}  // namespace tilestep
