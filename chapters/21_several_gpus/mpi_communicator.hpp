#pragma once
// Communicator over MPI, whose waits have an end. Only the sources that speak MPI include it.

#include "communicator.hpp"  // Communicator
#include "patience.hpp"      // how long a rank waits

#include <mpi.h>  // MPI_Comm

#include <functional>  // what is waited for, what is called
#include <string>      // names of functions
#include <vector>      // ranks

namespace tilestep {

/// Calls it in each function of a communicator, with the function's name, when all ranks have met for it and before
/// anything has moved.
void in_each_function(std::function<void(char const* function)> call);

/// The ranks whose answers a rank asks for that waited in vain: a group of its own, of all ranks.
void ask_in(MPI_Comm all);

/// Ends a wait in vain for a function of several ranks, and names the ranks that stopped, if any did.
/// @param missing  ranks of MPI_COMM_WORLD that did not come to it; none where all came, and it was not complete
/// @par Errors  Exit::wrong: always, and all ranks end
[[noreturn]] void give_up_naming(std::vector<int> const& missing, std::string const& function);

class MpiCommunicator final : public Communicator {
 public:
  /// @param group  freed by this object if it is not MPI_COMM_WORLD
  explicit MpiCommunicator(MPI_Comm group);
  ~MpiCommunicator() override;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return int(world_ranks_.size()); }
  [[nodiscard]] std::shared_ptr<void> memory(char const* name, std::int64_t bytes, std::int64_t element) override;
  [[nodiscard]] bool by_copy_engines() const override { return false; }
  void all_gather(void const* mine, void* all, std::int64_t bytes) override;
  void all_to_all(void const* parts, void* received, std::int64_t bytes) override;
  void broadcast(void* data, std::int64_t bytes, int root) override;
  void barrier() override;
  [[nodiscard]] std::unique_ptr<Communicator> split(int color) override;

  /// all_gather of host memory.
  void all_gather_host(void const* mine, void* all, std::int64_t bytes);

  /// Tells all ranks which function this one is about to call, and hears the same from them.
  /// @param function  one of `functions` in the source
  /// @param ready  asked again and again; this rank tells the others when it says so
  /// @par Errors  as Communicator
  void meet(char const* function, std::int64_t bytes, int root = 0, std::function<bool()> const& ready = {});
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
