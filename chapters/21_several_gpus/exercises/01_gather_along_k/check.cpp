// Grades the exercise: for 1 to 6 ranks, each layout has the tiles that it should have, on the ranks that should hold
// them.

#include EXERCISE_HEADER

#include <tilestep/harness/graded.hpp>  // right_element

#include <cstdio>   // messages
#include <initializer_list>  // ranks

using namespace tilestep;

namespace {

/// @param rank_of  (i, j) -> the rank that should hold the tile
template <class RankOf>
bool right_holder(char const* name, Holder const& holder, std::int64_t tiles_i, std::int64_t tiles_j,
                  RankOf const& rank_of) {
  if (size<0>(holder) != tiles_i || size<1>(holder) != tiles_j) {
    std::printf("%s has %lld x %lld tiles and should have %lld x %lld\n", name,
                static_cast<long long>(size<0>(holder)), static_cast<long long>(size<1>(holder)),
                static_cast<long long>(tiles_i), static_cast<long long>(tiles_j));
    return false;
  }
  for (std::int64_t i = 0; i < tiles_i; ++i) {
    for (std::int64_t j = 0; j < tiles_j; ++j) {
      if (!right_element(name, i, j, double(holder(i, j)), double(rank_of(i, j)))) return false;
    }
  }
  return true;
}

}  // namespace

int main() {
  for (std::int64_t const ranks : {4, 1, 2, 3, 5, 6}) {
    auto const first = [](std::int64_t i, std::int64_t) { return i; };
    auto const second = [](std::int64_t, std::int64_t j) { return j; };
    if (!right_holder("A", holder_of_a(ranks), 1, ranks, second)) return 1;
    if (!right_holder("B", holder_of_b(ranks), ranks, ranks, first)) return 1;
    if (!right_holder("C", holder_of_c(ranks), 1, ranks, second)) return 1;
  }
  std::puts("right: A in slices of K, B and C by columns of the product");
  return 0;
}
