// Collectives over MPI. Ranks meet before each, and a waiting rank watches the clock, so that it can name the rank that
// did not come.

#include "mpi_communicator.hpp"

#include <tilestep/backend/error.hpp>    // Error, bad_input
#include <tilestep/backend/runtime.hpp>  // copy_to_host, copy_to_device
#include <tilestep/backend/stream.hpp>   // Enqueued

#include <array>    // names
#include <chrono>   // the clock
#include <climits>  // INT_MAX
#include <cstring>  // std::strcmp, std::memcpy
#include <thread>   // std::this_thread::sleep_for

namespace tilestep {

namespace {

double patience = 25;
bool gave_up = false;

using Clock = std::chrono::steady_clock;

constexpr std::array functions{"barrier", "all_gather", "reduce_scatter", "broadcast", "split"};

std::int64_t number_of(char const* function) {
  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (std::strcmp(functions[i], function) == 0) return std::int64_t(i);
  }
  return -1;
}

int as_count(std::int64_t bytes) {
  if (bytes > INT_MAX)
    bad_input("a message of " + std::to_string(bytes) + " bytes: choose more ranks or smaller extents");
  return int(bytes);
}

std::vector<unsigned char> on_host(void const* memory, std::int64_t bytes) {
  std::vector<unsigned char> copy(static_cast<std::size_t>(bytes));
  copy_to_host(copy.data(), memory, bytes);
  return copy;
}

// [sum]
/// Adds the ranks' parts in the order of ranks, which is what makes the sum the same in every run.
template <class T>
void add_in_order(std::vector<unsigned char> const& parts, unsigned char* sums, std::int64_t count, int ranks) {
  for (std::int64_t i = 0; i < count; ++i) {
    T sum{};
    for (int rank = 0; rank < ranks; ++rank) {
      T part;
      std::memcpy(&part, parts.data() + (rank * count + i) * std::int64_t(sizeof(T)), sizeof(T));
      sum = rank == 0 ? part : T(sum + part);
    }
    std::memcpy(sums + i * std::int64_t(sizeof(T)), &sum, sizeof(T));
  }
}
// [sum]

}  // namespace

void set_patience(double seconds) { patience = seconds; }
double patience_in_seconds() { return patience; }
bool waited_in_vain() { return gave_up; }

bool wait_for(std::function<bool()> const& done) {
  auto const begin = Clock::now();
  auto const end = begin + std::chrono::duration<double>(patience);
  auto const soon = begin + std::chrono::microseconds(200);  // most have come by then: nobody sleeps
  while (!done()) {
    if (auto const now = Clock::now(); now > end) return false;
    else if (now < soon) std::this_thread::yield();
    else std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return true;
}

void give_up(std::string const& what) {
  give_up_at_once(what + " within " + std::to_string(int(patience)) + " s: all ranks end (--patience waits longer)");
}

void give_up_at_once(std::string const& sentence) {
  gave_up = true;
  throw Error(Exit::wrong, sentence);
}

MpiCommunicator::MpiCommunicator(MPI_Comm group) : group_(group) {
  int size = 0;
  MPI_Comm_rank(group, &rank_);
  MPI_Comm_size(group, &size);
  world_ranks_.resize(std::size_t(size));
  MPI_Group here, world;
  MPI_Comm_group(group, &here);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  std::vector<int> numbers(world_ranks_.size());
  for (int i = 0; i < size; ++i) numbers[std::size_t(i)] = i;
  MPI_Group_translate_ranks(here, size, numbers.data(), world, world_ranks_.data());
  MPI_Group_free(&here);
  MPI_Group_free(&world);
}

MpiCommunicator::~MpiCommunicator() {
  if (group_ != MPI_COMM_WORLD) MPI_Comm_free(&group_);
}

// [meet]
/// Tells every other rank what this one is about to do, and hears the same from them.
void MpiCommunicator::meet(char const* function, std::int64_t bytes, int root) {
  Intent const mine{number_of(function), bytes, root};
  std::vector<Intent> theirs(world_ranks_.size());
  std::vector<MPI_Request> sent, heard(world_ranks_.size(), MPI_REQUEST_NULL);
  for (int other = 0; other < size(); ++other) {
    if (other == rank_) continue;
    MPI_Irecv(&theirs[std::size_t(other)], int(sizeof(Intent)), MPI_BYTE, other, 0, group_, &heard[std::size_t(other)]);
    MPI_Isend(&mine, int(sizeof(Intent)), MPI_BYTE, other, 0, group_, &sent.emplace_back());
  }
  int all = 0;
  bool const in_time = wait_for([&] {
    MPI_Testall(int(heard.size()), heard.data(), &all, MPI_STATUSES_IGNORE);
    return all != 0;
  });
  if (!in_time) {
    std::string missing;
    for (std::size_t other = 0; other < heard.size(); ++other) {
      int there = 0;
      MPI_Test(&heard[other], &there, MPI_STATUS_IGNORE);
      if (there) continue;
      missing += (missing.empty() ? "" : ", ") + std::to_string(world_ranks_[other]);
      MPI_Cancel(&heard[other]);  // its buffer ends here
      MPI_Request_free(&heard[other]);
    }
    give_up("rank " + missing + " did not come to " + function);
  }
  MPI_Waitall(int(sent.size()), sent.data(), MPI_STATUSES_IGNORE);  // whoever was heard listens
  for (std::size_t other = 0; other < theirs.size(); ++other) {
    if (int(other) == rank_) continue;
    Intent const& its = theirs[other];
    if (its.function != mine.function || its.bytes != mine.bytes || its.root != mine.root) {
      bad_input("rank " + std::to_string(world_ranks_[other]) + " calls " + functions[std::size_t(its.function)] +
                " of " + std::to_string(its.bytes) + " bytes, and rank " +
                std::to_string(world_ranks_[std::size_t(rank_)]) + " calls " + function + " of " +
                std::to_string(bytes) + ": start all ranks with the same options");
    }
  }
}
// [meet]

void MpiCommunicator::finish(MPI_Request request, char const* function) const {
  int done = 0;
  bool const in_time = wait_for([&] {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    return done != 0;
  });
  if (!in_time) give_up(std::string(function) + " was not complete");
}

void MpiCommunicator::all_gather_host(void const* mine, void* all, std::int64_t bytes) {
  meet("all_gather", bytes);
  int const count = as_count(bytes);
  MPI_Request request;
  MPI_Iallgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, group_, &request);
  finish(request, "all_gather");
}

void MpiCommunicator::all_gather(void const* mine, void* all, std::int64_t bytes) {
  Enqueued const one("all_gather", {{mine, bytes}}, {{all, bytes * size()}});
  auto const sent = on_host(mine, bytes);
  std::vector<unsigned char> received(std::size_t(bytes * size()));
  all_gather_host(sent.data(), received.data(), bytes);
  copy_to_device(all, received.data(), bytes * size());
}

void MpiCommunicator::reduce_scatter(void const* sums, void* mine, std::int64_t count, DType type) {
  std::int64_t const bytes = count * bytes_of(type);
  meet("reduce_scatter", bytes);
  Enqueued const one("reduce_scatter", {{sums, bytes * size()}}, {{mine, bytes}});
  auto const sent = on_host(sums, bytes * size());
  std::vector<unsigned char> parts(sent.size()), sum(static_cast<std::size_t>(bytes));
  MPI_Request request;
  MPI_Ialltoall(sent.data(), as_count(bytes), MPI_BYTE, parts.data(), as_count(bytes), MPI_BYTE, group_, &request);
  finish(request, "reduce_scatter");
  if (type == DType::f64) add_in_order<double>(parts, sum.data(), count, size());
  else if (type == DType::i32) add_in_order<std::uint32_t>(parts, sum.data(), count, size());  // wraps, as on a GPU
  else if (type == DType::f32) add_in_order<float>(parts, sum.data(), count, size());
  else bad_input("sums of " + to_string(type) + " do not travel over MPI: take f32, f64 or i32");
  copy_to_device(mine, sum.data(), bytes);
}

void MpiCommunicator::broadcast(void* data, std::int64_t bytes, int root) {
  meet("broadcast", bytes, root);
  std::vector<MemoryRange> const range{{data, bytes}}, nothing;
  Enqueued const one("broadcast", rank_ == root ? range : nothing, rank_ == root ? nothing : range);
  std::vector<unsigned char> message(static_cast<std::size_t>(bytes));
  if (rank_ == root) copy_to_host(message.data(), data, bytes);
  MPI_Request request;
  MPI_Ibcast(message.data(), as_count(bytes), MPI_BYTE, root, group_, &request);
  finish(request, "broadcast");
  if (rank_ != root) copy_to_device(data, message.data(), bytes);
}

void MpiCommunicator::barrier() { meet("barrier", 0); }

std::unique_ptr<MpiCommunicator> MpiCommunicator::split_over_mpi(int color) {
  meet("split", 0);
  MPI_Comm part;
  MPI_Comm_split(group_, color, rank_, &part);  // all are here, and none waits for more
  return std::make_unique<MpiCommunicator>(part);
}

std::unique_ptr<Communicator> MpiCommunicator::split(int color) { return split_over_mpi(color); }

}  // namespace tilestep
