// Ranks fail together in every way that they can, and say so.

#include "promises.hpp"

#include "mpi_communicator.hpp"  // MpiCommunicator, give_up_naming

#include <tilestep/backend/error.hpp>    // Error, Exit
#include <tilestep/backend/runtime.hpp>  // device memory, take_reports
#include <tilestep/backend/stream.hpp>   // Stream, StreamScope

#include <array>    // words
#include <chrono>   // the clock
#include <climits>  // INT_MAX
#include <cstdint>  // numbers
#include <string>   // sentences
#include <vector>   // ranks

namespace tilestep {

namespace {

/// All ranks come here, and then wait so long for one another.
void begin(MpiCommunicator& ranks, double seconds) {
  set_patience(25);
  ranks.barrier();
  set_patience(seconds);
}
constexpr double shortly = 0.5;

std::string within(double seconds) {
  return " within " + std::to_string(int(seconds)) + " s: all ranks end (--patience waits longer)";
}

void require(bool holds, std::string const& promise) {
  if (!holds) throw Error(Exit::wrong, "a broken promise: " + promise);
}

/// The call fails with this sentence.
template <class Call>
void expect(std::string const& sentence, Call const& call) {
  std::string said = "nothing";
  try {
    call();
  } catch (Error const& error) {
    said = error.what();
  }
  watch_no_more();  // this rank goes on
  require(said == sentence, "it says '" + said + "' where it is to say '" + sentence + "'");
}

/// A rank calls another function than this one.
template <class Call>
void expect_unlike(int rank, std::string const& its, int me, std::string const& mine, Call const& call) {
  expect("rank " + std::to_string(rank) + " calls " + its + " bytes, and rank " + std::to_string(me) + " calls " +
             mine + ": start all ranks with the same options",
         call);
}

void check_unlike_calls(MpiCommunicator& ranks) {
  int const me = ranks.rank();
  std::int64_t mine = 0;
  std::array<std::int64_t, 3> all{};
  auto const gather = [&](std::int64_t bytes) { return [&, bytes] { ranks.all_gather_host(&mine, &all, bytes); }; };
  auto const of_rank_2 = [&](std::string const& function, auto const& call) {
    if (me == 2) expect_unlike(0, "all_gather of 8", me, function, call);
    else expect_unlike(2, function, me, "all_gather of 8", gather(8));
  };
  of_rank_2("barrier of 0", [&] { ranks.barrier(); });
  of_rank_2("split of 0", [&] { (void)ranks.split(0); });
  of_rank_2("all_gather of 4", gather(4));
  // Each names itself as the root, and says so of the first that names another.
  expect_unlike(me == 0 ? 1 : 0, "broadcast of 8", me, "broadcast of 8", [&] { ranks.broadcast(nullptr, 8, me); });
  std::int64_t const many = std::int64_t{INT_MAX} + 1;
  expect("a message of " + std::to_string(many) + " bytes: choose more ranks or smaller extents", gather(many));
}

void check_waits_in_vain(MpiCommunicator& ranks) {
  char const* const function = "the end of what was enqueued";
  int const me = ranks.rank();
  // Of a group only one rank is ready. Each names those that it did not hear, and itself where it is late.
  auto const expect_named = [&](MpiCommunicator& group, int ready, std::string const& late) {
    begin(ranks, shortly);
    expect("rank " + late + " did not come to " + function + within(shortly), [&] {
      group.meet(function, 0, 0, [&] { return me == ready; });
    });
  };
  // Whoever still waits may take a later word for the one that did not come: each of these waits has its own group.
  // In a part of the ranks a rank has another number, and is named by that of all.
  auto const all = ranks.split_over_mpi(0), part = ranks.split_over_mpi(me % 2);  // ranks 0 and 2, and rank 1
  expect_named(*part, 0, me == 1 ? "1" : "2");
  expect_named(*all, 1, me == 0 ? "2, 0" : "0, 2");
}

/// What rank 2 was asked, and did not answer.
void hear_questions(MPI_Comm asks) {
  for (int const other : {0, 1}) {
    char word = 0;
    MPI_Recv(&word, 1, MPI_BYTE, other, 0, asks, MPI_STATUS_IGNORE);
  }
}

void check_silent_ranks(MpiCommunicator& ranks, MPI_Comm asks) {
  auto const expect_without_rank_2 = [&](double seconds, std::vector<int> const& missing, std::string const& sentence) {
    begin(ranks, seconds);
    if (ranks.rank() == 2) hear_questions(asks);
    else expect(sentence + within(seconds), [&] { give_up_naming(missing, "barrier"); });
  };
  begin(ranks, shortly);
  ask_in(MPI_COMM_NULL);  // nobody answers, and nobody is silent
  expect("rank 1 did not come to barrier" + within(shortly), [] { give_up_naming({1}, "barrier"); });
  ask_in(asks);
  begin(ranks, shortly);
  expect("barrier was not complete" + within(shortly), [] { give_up_naming({}, "barrier"); });
  expect_without_rank_2(shortly, {2}, "rank 2 did not come to barrier");
  expect_without_rank_2(shortly, {1}, "rank 2 does not answer, and rank 1 did not come to barrier");
  auto const from = std::chrono::steady_clock::now();
  expect_without_rank_2(25, {}, "rank 2 does not answer, and barrier was not complete");
  std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - from;
  require(seconds.count() < 10, "whoever is patient waits for answers for a second, and it takes " +
                                    std::to_string(seconds.count()) + " s");
}

/// Rank 2 leaves when all have met, before anything moves.
void check_incomplete(MpiCommunicator& ranks, MPI_Comm asks) {
  struct Left {};
  static std::int64_t mine = 0;
  static std::array<std::int64_t, 3> all{};  // what the others began goes on
  MPI_Comm group;
  MPI_Comm_dup(MPI_COMM_WORLD, &group);
  MpiCommunicator part(group);
  begin(ranks, shortly);
  auto const gather = [&] { part.all_gather_host(&mine, all.data(), 8); };
  if (ranks.rank() == 2) {
    in_each_function([](char const*) { throw Left{}; });
    try {
      gather();
    } catch (Left const&) {
      in_each_function({});
    }
    hear_questions(asks);
    MPI_Request request;
    MPI_Iallgather(&mine, 8, MPI_BYTE, all.data(), 8, MPI_BYTE, group, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    expect("rank 2 does not answer, and all_gather was not complete" + within(shortly), gather);
  }
  begin(ranks, 25);
}

/// The hazards since the last call.
std::string hazards() {
  std::string text;
  for (KernelReport const& report : take_reports()) {
    for (Hazard const& hazard : report.hazards) text += hazard.message + "\n";
  }
  return text;
}

void check_order(MpiCommunicator& ranks) {
  bool const is_root = ranks.rank() == 0;
  std::int64_t value = 0;
  auto const memory = ranks.memory("promised", 16, 8);
  void* const data = static_cast<std::int64_t*>(memory.get()) + 1;
  copy_to_device(data, &value, 8);
  Stream side("side");
  (void)hazards();
  auto const says = [&](std::string const& words) {
    std::string const said = hazards();
    require(words.empty() ? said.empty() : said.find(words) != std::string::npos,
            "the hazards are '" + said + "' where '" + words + "' is to be among them");
    ranks.barrier();
  };
  auto const copy_on_side = [&] {
    StreamScope const scope(side);
    copy_to_host(&value, data, 8);
  };
  {
    StreamScope const scope(side);
    ranks.broadcast(data, 8, 0);
  }
  ranks.barrier();
  copy_to_host(&value, data, 8);
  says("");  // a barrier waits for all streams
  ranks.broadcast(data, 8, 0);
  copy_on_side();
  says(is_root ? "" : "reads element 1 of promised, which broadcast on stream default writes");
  ranks.broadcast(data, 8, 0);
  {
    StreamScope const scope(side);
    copy_to_device(data, &value, 8);
  }
  says("writes element 1 of promised, which broadcast on stream default " +
       std::string(is_root ? "reads" : "writes"));
}

void check_memory(MpiCommunicator& ranks) {
  void* const gone = ranks.memory("gone", 8, 8).get();
  bool refused = false;
  try {
    std::int64_t value = 0;
    copy_to_host(&value, gone, 8);
  } catch (Error const&) {
    refused = true;
  }
  require(refused, "memory goes with its last pointer");
}

}  // namespace

void check_promises() {
  MpiCommunicator ranks(MPI_COMM_WORLD);
  if (ranks.size() != 3) bad_input("promises are those of three ranks: mpirun -np 3");
  MPI_Comm asks;
  MPI_Comm_dup(MPI_COMM_WORLD, &asks);
  check_unlike_calls(ranks);
  check_order(ranks);
  check_memory(ranks);
  check_waits_in_vain(ranks);
  check_silent_ranks(ranks, asks);
  check_incomplete(ranks, asks);
  ask_in(MPI_COMM_NULL);
  MPI_Comm_free(&asks);
}

}  // namespace tilestep
