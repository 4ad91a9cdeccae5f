// The life of the processes, and how they end together.

#include "processes.hpp"

#include "mpi_communicator.hpp"  // MpiCommunicator

#include <tilestep/backend/error.hpp>    // Exit, bad_input
#include <tilestep/backend/runtime.hpp>  // device_count, use_device

#include <unistd.h>  // dup, dup2

#include <algorithm>  // std::max
#include <chrono>     // the clock
#include <cstdio>     // a file of what was said
#include <iostream>   // std::cout
#include <memory>     // a communicator
#include <optional>   // the communicator, while there is one
#include <string>     // sentences
#include <thread>     // std::this_thread::sleep_for
#include <vector>     // arguments

namespace tilestep {

namespace {

std::optional<MpiCommunicator> everyone;
std::unique_ptr<Communicator> over_nccl;  // made when it is first asked for
bool nccl_moves_data = false;

/// What a rank other than 0 says is kept, and told where it is the rank that failed.
class KeptWords {
 public:
  KeptWords() : file_(std::tmpfile()), terminal_(dup(STDERR_FILENO)) {
    if (file_ == nullptr) return;
    dup2(fileno(file_), STDOUT_FILENO);
    dup2(fileno(file_), STDERR_FILENO);
  }
  [[nodiscard]] int terminal() const { return terminal_; }
  ~KeptWords() {
    if (file_ != nullptr) std::fclose(file_);
    close(terminal_);
  }
  KeptWords(KeptWords const&) = delete;
  KeptWords& operator=(KeptWords const&) = delete;

  void tell(int rank) const {
    std::cout.flush();
    std::fflush(nullptr);
    std::string text = "rank " + std::to_string(rank) + ": ";
    if (file_ != nullptr) {
      std::rewind(file_);
      for (int c = std::fgetc(file_); c != EOF; c = std::fgetc(file_)) text += char(c);
    }
    for (std::size_t at = 0; at < text.size();) {
      auto const written = write(terminal_, text.data() + at, text.size() - at);
      if (written <= 0) break;
      at += std::size_t(written);
    }
  }

 private:
  std::FILE* file_;
  int terminal_;
};

/// The arguments of a rank other than 0, which writes no files.
std::vector<char*> without_files(int argc, char** argv) {
  std::vector<char*> kept;
  for (int i = 0; i < argc; ++i) {
    std::string const word = argv[i], name = word.substr(0, word.find('='));
    if (name == "--json" || name == "--out" || name == "--svg") {
      if (name == word) ++i;
      continue;
    }
    kept.push_back(argv[i]);
  }
  return kept;
}

// [device]
/// This process's device: its place among the processes of its host chooses it.
void choose_device() {
  MPI_Comm here;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  int place = 0;
  MPI_Comm_rank(here, &place);
  MPI_Comm_free(&here);
  if (int const devices = device_count(); devices > 0) use_device(place % devices);
}
// [device]

/// Waits until every rank has come to its end. @return whether all have, in so many seconds
bool all_end(MPI_Comm group, double seconds) {
  MPI_Request request;
  MPI_Ibarrier(group, &request);
  auto const end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (int done = 0;;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done) return true;
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

}  // namespace

void move_data_over(std::string const& library, bool engines) {
  nccl_moves_data = library != "mpi";
  if (nccl_moves_data && !over_nccl) over_nccl = nccl_communicator(*everyone, engines);
}

Communicator& all_ranks() { return nccl_moves_data ? *over_nccl : *everyone; }

std::unique_ptr<PlainNccl> all_ranks_by_plain_nccl() { return nccl_moves_data ? plain_nccl(*everyone) : nullptr; }

void require_same(std::uint64_t number, std::string const& what, std::string const& remedy) {
  std::vector<std::uint64_t> numbers(std::size_t(everyone->size()));
  everyone->all_gather_host(&number, numbers.data(), std::int64_t(sizeof(number)));
  for (std::size_t rank = 1; rank < numbers.size(); ++rank) {
    if (numbers[rank] != numbers[0])
      bad_input("rank " + std::to_string(rank) + " has " + what + " than rank 0: " + remedy);
  }
}

double largest_of_all(double number) {
  std::vector<double> numbers(static_cast<std::size_t>(everyone->size()));
  everyone->all_gather_host(&number, numbers.data(), std::int64_t(sizeof(number)));
  return *std::max_element(numbers.begin(), numbers.end());
}

int run_processes(int argc, char** argv, std::function<int(int, char**)> const& program) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm ends, asks;  // of their own: what a failed rank left behind does not meet them
  MPI_Comm_dup(MPI_COMM_WORLD, &ends);
  MPI_Comm_dup(MPI_COMM_WORLD, &asks);
  ask_in(asks);
  everyone.emplace(MPI_COMM_WORLD);
  choose_device();
  int const rank = everyone->rank();

  std::optional<KeptWords> kept;
  std::vector<char*> arguments(argv, argv + argc);
  if (rank != 0) {
    kept.emplace();
    arguments = without_files(argc, argv);
  }
  watch_speaks(kept ? kept->terminal() : STDERR_FILENO, kept ? "rank " + std::to_string(rank) + ": " : "");
  int code = program(int(arguments.size()), arguments.data());
  watch_no_more();  // from here on nobody waits for a device

  // [end]
  // A rank that stopped early cannot know whether the others are where it is: it waits a moment for them. The first
  // that waited in vain says its sentence and ends them all.
  bool const stopped = code == int(Exit::bad_input) || code == int(Exit::not_here) || waited_in_vain();
  if (!all_end(ends, stopped ? 1 + 0.5 * rank : patience_in_seconds() + rank)) {
    if (code == 0) {
      code = int(Exit::wrong);
      std::cerr << "this rank is done, and another did not come to its end within "
                << int(patience_in_seconds()) << " s: all ranks end (--patience waits longer)\n";
    }
    if (kept) kept->tell(rank);
    std::cout.flush();
    MPI_Abort(MPI_COMM_WORLD, code);
  }
  std::vector<int> codes(std::size_t(everyone->size()));
  MPI_Allgather(&code, 1, MPI_INT, codes.data(), 1, MPI_INT, ends);
  int first = 0;  // the first rank that failed
  while (first + 1 < int(codes.size()) && codes[std::size_t(first)] == 0) ++first;
  if (kept && rank == first && code != 0) kept->tell(rank);
  // [end]
  code = *std::max_element(codes.begin(), codes.end());
  kept.reset();
  over_nccl.reset();
  ask_in(MPI_COMM_NULL);
  MPI_Comm_free(&asks);
  MPI_Comm_free(&ends);
  MPI_Finalize();
  return code;
}

}  // namespace tilestep
