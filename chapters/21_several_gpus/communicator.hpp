#pragma once
// What ranks say to one another, as MPI and NCCL have it: every rank of a group calls the same function with the same
// sizes. Memory is the device's. What a call asks for is there for what this rank enqueues on the device after it; MPI
// also waits for it, NCCL does not.

#include <cstdint>  // std::int64_t
#include <memory>   // a part of a group, memory

namespace tilestep {

class Communicator {
 public:
  Communicator() = default;
  Communicator(Communicator const&) = delete;
  Communicator& operator=(Communicator const&) = delete;
  virtual ~Communicator() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  /// Memory for all_gather and all_to_all, which may move it faster than other memory. Every rank asks for as many
  /// bytes. It goes with the last copy of the pointer, which must go before this object.
  /// @param name     what reports call it
  /// @param element  bytes of an element
  [[nodiscard]] virtual std::shared_ptr<void> memory(char const* name, std::int64_t bytes, std::int64_t element) = 0;

  /// Do all_gather and all_to_all leave all compute units to others, where both of their buffers are from memory()?
  [[nodiscard]] virtual bool by_copy_engines() const = 0;

  /// Puts what each rank has behind one another, in the order of ranks.
  /// @param mine   `bytes` of this rank; it may lie where it goes in `all`, and is then not written
  /// @param all    size() * bytes
  /// @par Errors   here and below, bad_input: a rank calls another function or names another size; Exit::wrong: a rank
  ///     does not come in time
  virtual void all_gather(void const* mine, void* all, std::int64_t bytes) = 0;

  /// Gives part r of what this rank has to rank r.
  /// @param parts     size() * bytes: what rank 0 gets comes first
  /// @param received  size() * bytes: what rank 0 sent comes first
  virtual void all_to_all(void const* parts, void* received, std::int64_t bytes) = 0;

  /// Gives all ranks what `root` has. @param data  bytes: read on the root, written on the others
  virtual void broadcast(void* data, std::int64_t bytes, int root) = 0;

  /// Waits for all ranks, and for all that this one has enqueued on the device: where other ranks take part in it, this
  /// is the wait that ends when one of them fails.
  virtual void barrier() = 0;

  /// The ranks that name the same color, in the order in which they stand here.
  [[nodiscard]] virtual std::unique_ptr<Communicator> split(int color) = 0;
};

}  // namespace tilestep
