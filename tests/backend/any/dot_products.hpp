#pragma once
// Dot products by the atom of one thread: a pair of numbers at one place, small numbers at the others.

#include <tilestep/algorithm.hpp>        // gemm
#include <tilestep/atom.hpp>             // SM61_DP4A
#include <tilestep/backend/launch.hpp>   // launch

namespace backend_test {

using namespace tilestep;

struct DotProducts {
  static constexpr char const* name = "DotProducts";
  static constexpr int threads = 128;
  using Shared = NoShared;
  struct Params {
    std::int32_t before;
    std::int32_t* sums;  // (place,pair)
  };

  TS_DEVICE void operator()(Shared&, Params const& p) const {
    auto const pair = block_index() * threads + thread_index();
    auto const x = std::int8_t(int(pair / 256) - 128), y = std::int8_t(int(pair % 256) - 128);
    static_for<4>([&](auto place) {
      auto rA = make_register_tensor<std::int8_t>(_4{}), rB = make_register_tensor<std::int8_t>(_4{});  // (MMA)
      auto rC = make_register_tensor<std::int32_t>(_1{});                                               // (MMA)
      static_for<4>([&](auto i) {
        rA(i) = i.value == place.value ? x : std::int8_t(i.value + 1);
        rB(i) = i.value == place.value ? y : std::int8_t(5 - 3 * i.value);
      });
      rC(_0{}) = p.before;
      gemm(MmaAtom<SM61_DP4A>{}, rA, rB, rC);
      global(p.sums)[4 * pair + place.value] = rC(_0{});
    });
  }
};

}  // namespace backend_test
