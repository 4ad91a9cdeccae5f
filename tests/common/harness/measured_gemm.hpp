#pragma once
// A small GEMM chapter that can be measured on the virtual GPU, and what came of it.

#include <tilestep/backend/pointer.hpp>      // global
#include <tilestep/harness/gemm_bench.hpp>   // bench_gemm
#include <tilestep/harness/gemm_launch.hpp>  // launch_gemm

#include "files.hpp"  // Folder

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

namespace harness_test {

using namespace tilestep;
using Json = nlohmann::json;

inline TurnOptions const quick{.turns = 11, .slot = 1e-9, .warm_up = 0};

struct SmallParams : GemmParams<float, float, float, float> {
  float const* bias;
  Activation activation;
};

/// C = act(alpha A B + bias), one element of C per thread.
struct SmallGemm {
  using Params = SmallParams;
  using Shared = NoShared;
  static constexpr char const* name = "SmallGemm";
  static constexpr int threads = 32;
  TS_HOST_DEVICE static auto grid(Params const& p) {
    return make_shape(ceil_div(size(p.layout_c), std::int64_t{threads}));
  }
  TS_DEVICE void operator()(Shared&, Params const& p) const {
    std::int64_t const element = block_index() * threads + thread_index();
    if (element >= size(p.layout_c)) return;
    auto const [m, n, l] = idx2crd(element, p.layout_c.shape());
    auto const a = global(p.a), b = global(p.b);
    float sum = 0;
    for (std::int64_t k = 0; k < size<1>(p.layout_a); ++k) {
      sum = fma(float(a[p.layout_a(m, k, l)]), float(b[p.layout_b(n, k, l)]), sum);
    }
    float const bias = p.bias != nullptr ? float(global(p.bias)[n]) : 0.0f;
    global(p.c)[p.layout_c(m, n, l)] = activate(p.activation, p.alpha * sum + bias);
  }
};

inline void launch_small(GemmCall const& call) {
  SmallParams const params{gemm_params<float, float, float, float>(call), static_cast<float const*>(call.epilogue.bias),
                           call.epilogue.activation};
  launch(SmallGemm{}, size(SmallGemm::grid(params)), params);
}

struct Measured {
  Exit exit;
  Json record;
  std::vector<GemmCall> calls;
};

inline Measured measure(std::vector<char const*> arguments, bool right = true,
                        TurnOptions const& options_of_turns = quick) {
  Folder const folder;
  std::string const json = folder / "record.json";
  arguments.insert(arguments.begin(), "bin/42_small");
  arguments.insert(arguments.end(), {"--json", json.c_str(), "--bench"});
  Measured result{};
  GemmChapter chapter;
  chapter.name = "42_small";
  chapter.types = {{DType::f32, DType::f32, DType::f32}};
  chapter.epilogues = true;
  chapter.run = [&](GemmCall const& call) {
    result.calls.push_back(call);
    if (right) launch_small(call);
  };
  chapter.note = [](GemmCall const&) { return std::string("a note"); };
  CommandLine line(chapter.name, "nothing");
  GemmOptions options(line, chapter);
  REQUIRE(line.parse(static_cast<int>(arguments.size()), arguments.data()));
  CHECK(options.bench);
  begin_run(line);
  result.exit =
      bench_gemm(line, chapter, set_up(line, options, chapter), {arguments.begin(), arguments.end()}, options_of_turns);
  std::string const text = bytes_of_file(json);  // nothing where there is no file
  if (!text.empty()) result.record = Json::parse(text);
  return result;
}

}  // namespace harness_test
