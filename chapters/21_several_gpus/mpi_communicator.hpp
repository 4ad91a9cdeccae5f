#pragma once
// Communicator over MPI, and how long it waits. Only the sources that speak MPI include it.

#include "communicator.hpp"  // Communicator

#include <mpi.h>  // MPI_Comm

#include <string>  // names of functions
#include <vector>  // ranks

namespace tilestep {

/// How long a rank waits for another, in seconds; 25 at first.
void set_patience(double seconds);
double patience_in_seconds();
/// Has this rank waited for another in vain?
bool waited_in_vain();

class MpiCommunicator final : public Communicator {
 public:
  /// @param group  freed by this object if it is not MPI_COMM_WORLD
  explicit MpiCommunicator(MPI_Comm group);
  ~MpiCommunicator() override;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return int(world_ranks_.size()); }
  void all_gather(void const* mine, void* all, std::int64_t bytes) override;
  void reduce_scatter(void const* sums, void* mine, std::int64_t count, DType type) override;
  void broadcast(void* data, std::int64_t bytes, int root) override;
  void barrier() override;
  [[nodiscard]] std::unique_ptr<Communicator> split(int color) override;

  /// all_gather of host memory.
  void all_gather_host(void const* mine, void* all, std::int64_t bytes);

 private:
  /// What a rank is about to do. All ranks of a group must be about to do the same.
  struct Intent {
    std::int64_t function, bytes, root;
  };
  void meet(char const* function, std::int64_t bytes, int root = 0);
  void finish(MPI_Request request, char const* function) const;

  MPI_Comm group_;
  int rank_ = 0;
  std::vector<int> world_ranks_;  ///< of each rank of this group
};

}  // namespace tilestep
