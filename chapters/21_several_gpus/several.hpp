#pragma once
// One product on several devices: what each rank holds, what it sends, and the products of chapter 17 between.

#include "communicator.hpp"  // Communicator
#include "kernel.hpp"        // Rung

#include <tilestep/harness/gemm_chapter.hpp>  // GemmCall

#include <string>  // a sentence

namespace tilestep {

/// How the ranks share a product.
struct Sharing {
  Rung rung = Rung::gather;
  std::int64_t p = 1, q = 1;  ///< the grid; gather and scatter have all ranks in p
};

/// C = alpha A B^T + beta C by all ranks. The call has all of A, B and C on every rank: each takes its tiles of them,
/// multiplies, and gets the tiles of C of all ranks in the end, so that each can check all of C.
/// @pre  sharing.p * sharing.q == ranks.size(), call.batch == 1, and all ranks have the same call
void run_on_several(GemmCall const& call, Communicator& ranks, Sharing const& sharing);

/// Which rank holds what, as tables of ranks.
std::string who_holds_what(GemmCall const& call, Sharing const& sharing);

/// What a rank holds of A and B, in words.
std::string shapes_in_words(GemmCall const& call, Sharing const& sharing);

/// A number that tells problems from each other, by their options.
std::uint64_t number_of_problem(GemmCall const& call, Sharing const& sharing);
/// A number that tells operands from each other, by their elements: A and B, and C where it is read.
std::uint64_t number_of_operands(GemmCall const& call);

}  // namespace tilestep
