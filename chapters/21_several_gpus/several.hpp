#pragma once
// One product on several devices: what each rank holds, what it sends, and the products between.

#include "communicator.hpp"  // Communicator
#include "kernel.hpp"        // Scheme

#include <tilestep/harness/gemm_chapter.hpp>  // GemmCall

#include <memory>  // what a product holds
#include <string>  // a sentence

namespace tilestep {

/// How the ranks share a product.
struct Sharing {
  Scheme scheme = Scheme::gather;
  std::int64_t p = 1, q = 1;  ///< the grid; gather and scatter have all ranks in p
  bool overlap = false;       ///< what travels does so beside products, on a stream of its own
  std::int64_t chunks = 4;    ///< that gather and scatter then cut a rank's rows into; a grid has its panels
  std::int64_t message_units = -1;  ///< compute units that products then leave to messages; -1: as many as they need
};

/// How many compute units products beside messages leave to them.
std::int64_t units_of_messages(Sharing const& sharing, Communicator const& ranks);

/// What a rank multiplies on its own by gather, when all of A has come, or by scatter: C (rows,columns) of sums over k,
/// A and B along k, C along n.
struct LocalProduct {
  void const* a;  ///< of gather only this rank's rows
  void const* b;
  std::int64_t rows, columns, k;
  std::int64_t lda, ldb, ldc;
  std::int64_t part_a;  ///< bytes of this rank's part of A
};

/// A product whose operands are where the ranks hold them.
class SharedProduct {
 public:
  /// Takes this rank's tiles of the call's operands, as run_on_several() does.
  SharedProduct(GemmCall const& call, Communicator& ranks, Sharing const& sharing);
  ~SharedProduct();
  SharedProduct(SharedProduct const&) = delete;
  SharedProduct& operator=(SharedProduct const&) = delete;

  /// Enqueues the product. @param ranks  what carries it; with one that moves nothing the products alone
  void compute(Communicator& ranks);
  /// Puts the tiles of C of all ranks where the call has C.
  void collect();
  /// @pre  the scheme is gather or scatter, and the operands lie along k
  [[nodiscard]] LocalProduct local() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> it_;
};

/// C = alpha A B^T + beta C by all ranks. The call has all of A, B and C on every rank: each takes its tiles of them,
/// multiplies, and gets the tiles of C of all ranks in the end, so that each can check all of C.
/// @param times  how often, each run enqueued behind the one before
/// @pre  sharing.p * sharing.q == ranks.size(), call.batch == 1, and all ranks have the same call; where beta is not 0,
///     times is 1
void run_on_several(GemmCall const& call, Communicator& ranks, Sharing const& sharing, std::int64_t times = 1);

/// Which rank holds what, as tables of ranks.
std::string who_holds_what(GemmCall const& call, Sharing const& sharing);

/// What a rank holds of A and B, in words.
std::string shapes_in_words(GemmCall const& call, Sharing const& sharing);

/// A number that tells problems from each other, by their options.
std::uint64_t number_of_problem(GemmCall const& call, Sharing const& sharing);
/// A number that tells operands from each other, by their elements: A and B, and C where it is read.
std::uint64_t number_of_operands(GemmCall const& call);

}  // namespace tilestep
