#pragma once
// Communicator over MPI, and how long it waits. Only the sources that speak MPI include it.

#include "communicator.hpp"  // Communicator

#include <mpi.h>  // MPI_Comm

#include <functional>  // what is waited for
#include <string>      // names of functions
#include <vector>      // ranks

namespace tilestep {

/// How long a rank waits for another, in seconds; 25 at first.
void set_patience(double seconds);
double patience_in_seconds();
/// Has this rank waited for another in vain?
bool waited_in_vain();

/// Asks `done` again and again, until it says so or the patience is at an end. @return whether it is done
bool wait_for(std::function<bool()> const& done);
/// Ends a wait in vain. @par Errors  Exit::wrong: always, and all ranks end
[[noreturn]] void give_up(std::string const& what);
/// Ends this rank, and all others without waiting for them. @par Errors  Exit::wrong: always, with the sentence
[[noreturn]] void give_up_at_once(std::string const& sentence);

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

  /// Tells all ranks which function this one is about to call, and hears the same from them.
  /// @param function  "barrier", "all_gather", "reduce_scatter", "broadcast" or "split"
  /// @par Errors  as Communicator
  void meet(char const* function, std::int64_t bytes, int root = 0);
  [[nodiscard]] std::unique_ptr<MpiCommunicator> split_over_mpi(int color);
  /// The rank in MPI_COMM_WORLD of a rank of this group.
  [[nodiscard]] int world_rank(int rank) const { return world_ranks_[std::size_t(rank)]; }

 private:
  /// What a rank is about to do. All ranks of a group must be about to do the same.
  struct Intent {
    std::int64_t function, bytes, root;
  };
  void finish(MPI_Request request, char const* function) const;

  MPI_Comm group_;
  int rank_ = 0;
  std::vector<int> world_ranks_;  ///< of each rank of this group
};

}  // namespace tilestep
