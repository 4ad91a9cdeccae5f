// Collectives over MPI. Ranks meet before each, and a waiting rank watches the clock, so that it can name the rank that
// did not come.

#include "mpi_communicator.hpp"

#include <tilestep/backend/error.hpp>    // Error, bad_input
#include <tilestep/backend/runtime.hpp>  // copies, synchronize
#include <tilestep/backend/stream.hpp>   // Enqueued

#include <algorithm>  // std::find
#include <array>      // names
#include <climits>    // INT_MAX
#include <cstring>    // std::strcmp, std::memcpy
#include <utility>    // std::move

namespace tilestep {

namespace {

constexpr std::array functions{"barrier", "all_gather", "all_to_all", "reduce_scatter", "broadcast", "split", "memory",
                               "the end of what was enqueued"};

std::function<void(char const*)> in_each;
MPI_Comm asking = MPI_COMM_NULL;

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

}  // namespace

void in_each_function(std::function<void(char const*)> call) { in_each = std::move(call); }
void ask_in(MPI_Comm all) { asking = all; }

namespace {

/// Messages of a few bytes that are expected, one from each other rank of a group.
class Expected {
 public:
  explicit Expected(MPI_Comm group) : group_(group) {
    int count = 0;
    MPI_Comm_size(group, &count);
    requests_.resize(std::size_t(count), MPI_REQUEST_NULL);
  }
  ~Expected() {  // the buffers of what did not come end here
    for (MPI_Request& request : requests_) {
      if (request == MPI_REQUEST_NULL) continue;
      MPI_Cancel(&request);
      MPI_Request_free(&request);
    }
  }
  Expected(Expected const&) = delete;
  Expected& operator=(Expected const&) = delete;

  void from(int other, void* message, int bytes) {
    MPI_Irecv(message, bytes, MPI_BYTE, other, 0, group_, &requests_[std::size_t(other)]);
  }
  [[nodiscard]] bool all_came() {
    int all = 0;
    MPI_Testall(int(requests_.size()), requests_.data(), &all, MPI_STATUSES_IGNORE);
    return all != 0;
  }
  /// The ranks of the group whose messages did not come.
  [[nodiscard]] std::vector<int> missing() {
    std::vector<int> ranks;
    for (std::size_t other = 0; other < requests_.size(); ++other) {
      int came = 0;
      MPI_Test(&requests_[other], &came, MPI_STATUS_IGNORE);
      if (!came) ranks.push_back(int(other));
    }
    return ranks;
  }

 private:
  MPI_Comm group_;
  std::vector<MPI_Request> requests_;
};

// [silent]
/// Asks all ranks for an answer, as whoever waits in vain does. Ranks that wait for one another give up at about the
/// same time, and answer by asking; one that stopped does not. @return those that do not answer within a second
std::vector<int> silent_ranks() {
  if (asking == MPI_COMM_NULL) return {};
  int mine = 0, count = 0;
  MPI_Comm_rank(asking, &mine);
  MPI_Comm_size(asking, &count);
  static char word, answer;  // they say nothing but that a rank is there
  Expected answers(asking);
  for (int other = 0; other < count; ++other) {
    if (other == mine) continue;
    answers.from(other, &answer, 1);
    MPI_Request sent;
    MPI_Isend(&word, 1, MPI_BYTE, other, 0, asking, &sent);
    MPI_Request_free(&sent);
  }
  (void)wait_for([&] { return answers.all_came(); }, std::min(1.0, patience_in_seconds()));
  return answers.missing();
}
// [silent]

std::string in_words(std::vector<int> const& ranks) {
  std::string text = "rank";
  for (std::size_t i = 0; i < ranks.size(); ++i) text += (i == 0 ? " " : ", ") + std::to_string(ranks[i]);
  return text;
}

}  // namespace

void give_up_naming(std::vector<int> const& missing, std::string const& function) {
  std::vector<int> const silent = silent_ranks();
  bool const of_missing = std::all_of(silent.begin(), silent.end(), [&](int rank) {
    return std::find(missing.begin(), missing.end(), rank) != missing.end();
  });
  // Who answers waits for another, too: it is named where nobody else can be.
  if (missing.empty() && silent.empty()) give_up(function + " was not complete");
  if (missing.empty()) give_up(in_words(silent) + " does not answer, and " + function + " was not complete");
  if (!silent.empty() && of_missing) give_up(in_words(silent) + " did not come to " + function);
  give_up((silent.empty() ? "" : in_words(silent) + " does not answer, and ") + in_words(missing) +
          " did not come to " + function);
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
void MpiCommunicator::meet(char const* function, std::int64_t bytes, int root, std::function<bool()> const& ready) {
  Intent const mine{number_of(function), bytes, root};
  std::vector<Intent> theirs(world_ranks_.size(), mine);
  std::vector<MPI_Request> sent;
  Expected words(group_);
  for (int other = 0; other < size(); ++other) {
    if (other != rank_) words.from(other, &theirs[std::size_t(other)], int(sizeof(Intent)));
  }
  bool is_ready = false;
  bool const in_time = wait_for([&] {
    if (!is_ready && (!ready || ready())) {
      is_ready = true;
      for (int other = 0; other < size(); ++other) {
        if (other != rank_)
          MPI_Isend(&mine, int(sizeof(Intent)), MPI_BYTE, other, 0, group_, &sent.emplace_back());
      }
    }
    return words.all_came() && is_ready;
  });
  if (!in_time) {
    std::vector<int> missing;
    for (int const other : words.missing()) missing.push_back(world_rank(other));
    if (!is_ready) missing.push_back(world_rank(rank_));
    give_up_naming(missing, function);
  }
  MPI_Waitall(int(sent.size()), sent.data(), MPI_STATUSES_IGNORE);  // whoever was heard listens
  for (std::size_t other = 0; other < theirs.size(); ++other) {
    Intent const& its = theirs[other];
    if (its.function != mine.function || its.bytes != mine.bytes || its.root != mine.root) {
      bad_input("rank " + std::to_string(world_ranks_[other]) + " calls " + functions[std::size_t(its.function)] +
                " of " + std::to_string(its.bytes) + " bytes, and rank " +
                std::to_string(world_ranks_[std::size_t(rank_)]) + " calls " + function + " of " +
                std::to_string(bytes) + ": start all ranks with the same options");
    }
  }
  if (in_each) in_each(function);
}
// [meet]

void MpiCommunicator::finish(MPI_Request request, char const* function) const {
  int done = 0;
  bool const in_time = wait_for([&] {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    return done != 0;
  });
  if (!in_time) give_up_naming({}, function);
}

void MpiCommunicator::all_gather_host(void const* mine, void* all, std::int64_t bytes) {
  meet("all_gather", bytes);
  int const count = as_count(bytes);
  MPI_Request request;
  MPI_Iallgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, group_, &request);
  finish(request, "all_gather");
}

std::shared_ptr<void> MpiCommunicator::memory(char const* name, std::int64_t bytes, std::int64_t element) {
  return {device_alloc(name, bytes, element), [](void* data) {
            if (data != nullptr) device_free(data);
          }};
}

void MpiCommunicator::all_gather(void const* mine, void* all, std::int64_t bytes) {
  auto* const at = static_cast<unsigned char*>(all);
  std::int64_t const before = rank_ * bytes, after = (size() - rank_ - 1) * bytes;
  bool const in_place = mine == at + before;
  std::vector<MemoryRange> written{{all, bytes * size()}};
  if (in_place) written = {{all, before}, {at + before + bytes, after}};
  Enqueued const one("all_gather", {{mine, bytes}}, written);
  auto const sent = on_host(mine, bytes);
  std::vector<unsigned char> received(std::size_t(bytes * size()));
  all_gather_host(sent.data(), received.data(), bytes);
  if (!in_place) return copy_to_device(all, received.data(), bytes * size());
  copy_to_device(all, received.data(), before);
  copy_to_device(at + before + bytes, received.data() + before + bytes, after);
}

void MpiCommunicator::all_to_all(void const* parts, void* received, std::int64_t bytes) {
  meet("all_to_all", bytes);
  std::int64_t const every = bytes * size();
  Enqueued const one("all_to_all", {{parts, every}}, {{received, every}});
  auto const sent = on_host(parts, every);
  std::vector<unsigned char> arrived(sent.size());
  MPI_Request request;
  MPI_Ialltoall(sent.data(), as_count(bytes), MPI_BYTE, arrived.data(), as_count(bytes), MPI_BYTE, group_, &request);
  finish(request, "all_to_all");
  copy_to_device(received, arrived.data(), every);
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

void MpiCommunicator::barrier() {
  synchronize();  // no other rank takes part in what is on the device
  meet("barrier", 0);
}

std::unique_ptr<MpiCommunicator> MpiCommunicator::split_over_mpi(int color) {
  meet("split", 0);
  MPI_Comm part;
  MPI_Comm_split(group_, color, rank_, &part);  // all are here, and none waits for more
  return std::make_unique<MpiCommunicator>(part);
}

std::unique_ptr<Communicator> MpiCommunicator::split(int color) { return split_over_mpi(color); }

}  // namespace tilestep
