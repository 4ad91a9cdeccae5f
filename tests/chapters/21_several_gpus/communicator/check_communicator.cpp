// What chapter 21's ranks say to one another, without a product: every function on several sizes, what they promise
// beside, two ways to wait in vain, and two to call what the others do not. It is linked where the chapter's kernels
// are not, so each tree can say whether its library is there.
//
// usage: mpirun -np P check_communicator mpi|nccl|rccl [unready|hanging|unlike|roots]
//        mpirun -np 3 check_communicator mpi promises
//        check_communicator library: what moves data between devices, with its version

#include "mpi_communicator.hpp"   // MpiCommunicator
#include "nccl_communicator.hpp"  // nccl_name, nccl_version
#include "processes.hpp"          // run_processes, all_ranks
#include "promises.hpp"           // check_promises

#include <tilestep/backend/error.hpp>    // Error, Exit
#include <tilestep/backend/runtime.hpp>  // device memory

#include <chrono>    // a second
#include <cstdint>   // numbers
#include <iostream>  // sentences
#include <string>    // arguments
#include <thread>    // a wait without an end
#include <vector>    // memory of the host

using namespace tilestep;

namespace {

/// Numbers on the device.
template <class T>
class Numbers {
 public:
  explicit Numbers(std::vector<T> const& host)
      : count_(host.size()), data_(device_alloc("numbers", bytes(), std::int64_t(sizeof(T)))) {
    copy_to_device(data_, host.data(), bytes());
  }
  ~Numbers() {
    if (data_ != nullptr) device_free(data_);
  }
  Numbers(Numbers const&) = delete;
  Numbers& operator=(Numbers const&) = delete;

  [[nodiscard]] std::int64_t bytes() const { return std::int64_t(count_ * sizeof(T)); }
  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] std::vector<T> host() const {
    std::vector<T> values(count_);
    copy_to_host(values.data(), data_, bytes());
    return values;
  }

 private:
  std::size_t count_;
  void* data_;
};

/// A number that no other rank has at any place.
template <class T>
T number_of(int rank, std::int64_t i) {
  return T(1000 * (rank + 1) + i % 1000);
}

void require_equal(bool equal, std::string const& what) {
  if (!equal) throw Error(Exit::wrong, what + " gives other numbers");
}

template <class T>
void check_functions(Communicator& ranks, DType type, std::int64_t count) {
  int const mine = ranks.rank(), size = ranks.size();
  std::string const what = " of " + std::to_string(count) + " " + to_string(type) + " on " + std::to_string(size) +
                           " ranks";
  std::vector<T> own, all, sent, received;
  for (std::int64_t i = 0; i < count; ++i) own.push_back(number_of<T>(mine, i));
  for (int rank = 0; rank < size; ++rank) {
    for (std::int64_t i = 0; i < count; ++i) {
      all.push_back(number_of<T>(rank, i));
      sent.push_back(number_of<T>(mine, i + rank));      // to this rank
      received.push_back(number_of<T>(rank, i + mine));  // from it
    }
  }

  Numbers<T> const one(own), every(std::vector<T>(all.size()));
  ranks.all_gather(one.data(), every.data(), one.bytes());
  ranks.barrier();
  require_equal(every.host() == all, "all_gather" + what);
  // In memory of the ranks, where what this one has lies in its place; then all to all, from there.
  std::int64_t const bytes = one.bytes() * size;
  auto const from = ranks.memory("sent", bytes, std::int64_t(sizeof(T))),
             to = ranks.memory("received", bytes, std::int64_t(sizeof(T)));
  std::vector<T> values(all.size());
  auto* const place = static_cast<unsigned char*>(to.get()) + mine * one.bytes();
  copy_to_device(place, own.data(), one.bytes());
  ranks.all_gather(place, to.get(), one.bytes());
  ranks.barrier();
  copy_to_host(values.data(), to.get(), bytes);
  require_equal(values == all, "all_gather in its place" + what);
  copy_to_device(from.get(), sent.data(), bytes);
  ranks.all_to_all(from.get(), to.get(), one.bytes());
  ranks.barrier();
  copy_to_host(values.data(), to.get(), bytes);
  require_equal(values == received, "all_to_all" + what);
  for (int root = 0; root < size; ++root) {
    Numbers<T> const copy(own);
    ranks.broadcast(copy.data(), copy.bytes(), root);
    ranks.barrier();
    require_equal(copy.host() == std::vector<T>(all.begin() + root * count, all.begin() + (root + 1) * count),
                  "broadcast" + what);
  }
}

void check_all(Communicator& ranks) {
  for (std::int64_t const count : {1, 7, 1024, 100003}) {
    check_functions<float>(ranks, DType::f32, count);
    check_functions<double>(ranks, DType::f64, count);
    check_functions<std::int32_t>(ranks, DType::i32, count);
  }
}

/// The library as it comes: its own sum, of whole numbers, which no order changes.
void check_plain(PlainNccl& plain, Communicator& ranks) {
  std::int64_t const count = 1000;
  int const mine = ranks.rank(), size = ranks.size();
  std::vector<float> terms, sums;
  for (std::int64_t i = 0; i < count * size; ++i) terms.push_back(number_of<float>(mine, i));
  for (std::int64_t i = 0; i < count; ++i) {
    float sum = 0;
    for (int rank = 0; rank < size; ++rank) sum += number_of<float>(rank, mine * count + i);
    sums.push_back(sum);
  }
  Numbers<float> const of_terms(terms), of_sums(std::vector<float>(sums.size()));
  plain.reduce_scatter(of_terms.data(), of_sums.data(), count, DType::f32);
  ranks.barrier();
  require_equal(of_sums.host() == sums, "reduce_scatter of the library as it comes");
}

/// Waits for the last rank, which is never ready, and with `hangs` for ever on the way out, as for a device.
void wait_in_vain(bool hangs) {
  struct Memory {
    bool hangs;
    ~Memory() {
      while (hangs) std::this_thread::sleep_for(std::chrono::seconds(1));
    }
  } const memory{hangs};
  set_patience(1);
  MpiCommunicator ranks(MPI_COMM_WORLD);
  int const last = ranks.size() - 1;
  ranks.meet("the end of what was enqueued", 0, 0, [&] { return ranks.rank() != last; });
}

/// The last rank calls another function of as many bytes, or names another root: all of them end with a sentence.
void call_what_others_do_not(bool roots) {
  MpiCommunicator ranks(MPI_COMM_WORLD);
  bool const is_last = ranks.rank() == ranks.size() - 1;
  if (roots) ranks.meet("broadcast", 8, is_last ? 1 : 0);
  else ranks.meet(is_last ? "barrier" : "all_gather", 8);
}

int check(int argc, char** argv) {
  std::string const over = argc > 1 ? argv[1] : "mpi", how = argc > 2 ? argv[2] : "";
  try {
    if (how == "unlike" || how == "roots") {
      call_what_others_do_not(how == "roots");
      return 0;
    }
    if (how == "promises") {
      check_promises();
      std::cout << "right on 3 ranks, with what they promise\n";
      return 0;
    }
    if (!how.empty()) wait_in_vain(how == "hanging");
    move_data_over(over);
    Communicator& ranks = all_ranks();
    check_all(ranks);
    if (auto const plain = all_ranks_by_plain_nccl()) check_plain(*plain, ranks);
    auto const part = ranks.split(ranks.rank() % 2);  // two groups, of every second rank
    check_functions<float>(*part, DType::f32, 33);
    ranks.barrier();
    std::cout << "right on " << ranks.size() << " ranks, over "
              << (over == "mpi" ? "MPI" : nccl_name() + " " + nccl_version()) << "\n";
    return 0;
  } catch (Error const& error) {
    std::cerr << "check_communicator: " << error.what() << "\n";
    return int(error.code());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "library") {
    std::cout << (nccl_version().empty() ? "MPI alone" : nccl_name() + " " + nccl_version()) << "\n";
    return 0;
  }
  return run_processes(argc, argv, check);
}
