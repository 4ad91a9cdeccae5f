// A GEMM program with an epilogue that can be told to go wrong, one element of C per thread. The driver has to notice
// each mistake.

#include <tilestep/atom/half.hpp>             // half_t
#include <tilestep/block/activation.hpp>      // activate
#include <tilestep/harness/gemm_launch.hpp>   // gemm_params
#include <tilestep/harness/gemm_options.hpp>  // gemm_main
#include <tilestep/tensor.hpp>                // make_tensor

#include <string>       // names of the mistakes
#include <type_traits>  // std::is_same_v

using namespace tilestep;

namespace {

enum class Mistake {
  none,
  no_bias,
  bias_of_m,
  bias_of_batch,
  bias_after,
  no_activation,
  residual_inside,
  residual_like_c,
  residual_of_batch_0
};

constexpr std::pair<char const*, Mistake> mistakes[] = {
    {"no_bias", Mistake::no_bias},                       {"bias_of_m", Mistake::bias_of_m},
    {"bias_of_batch", Mistake::bias_of_batch},           {"bias_after", Mistake::bias_after},
    {"no_activation", Mistake::no_activation},           {"residual_inside", Mistake::residual_inside},
    {"residual_like_c", Mistake::residual_like_c},       {"residual_of_batch_0", Mistake::residual_of_batch_0}};

template <class T, class TC, class TAcc>
struct Params : GemmParams<T, T, TC, TAcc> {
  TAcc const* bias;
  TC const* residual;
  MatrixLayout layout_r;  // (M,N,L)
  Activation activation;
  Mistake mistake;
};

template <class T, class TC, class TAcc>
struct EpilogueGemm {
  using Params = ::Params<T, TC, TAcc>;
  using Shared = NoShared;
  static constexpr char const* name = "EpilogueGemm";
  static constexpr int threads = 64;

  TS_DEVICE void operator()(Shared&, Params const& p) const {
    auto mA = make_tensor(global(p.a), p.layout_a);  // (M,K,L)
    auto mB = make_tensor(global(p.b), p.layout_b);  // (N,K,L)
    auto mC = make_tensor(global(p.c), p.layout_c);  // (M,N,L)
    std::int64_t const element = block_index() * threads + thread_index();
    if (element >= size(p.layout_c)) return;
    std::int64_t const M = size<0>(p.layout_c), N = size<1>(p.layout_c);
    std::int64_t const m = element % M, n = element / M % N, l = element / M / N;
    TAcc sum = 0;
    for (std::int64_t k = 0; k < size<1>(p.layout_a); ++k)
      sum += static_cast<TAcc>(T(mA(m, k, l))) * static_cast<TAcc>(T(mB(n, k, l)));
    TAcc result = p.alpha * sum;
    if (p.beta != TAcc(0)) result += p.beta * static_cast<TAcc>(TC(mC(m, n, l)));

    TAcc bias = 0, residual = 0;
    if (p.bias != nullptr && p.mistake != Mistake::no_bias) {
      bias = global(p.bias)[p.mistake == Mistake::bias_of_m       ? m % N
                            : p.mistake == Mistake::bias_of_batch ? (n + l) % N
                                                                  : n];
    }
    if (p.residual != nullptr) {
      auto const& layout = p.mistake == Mistake::residual_like_c ? p.layout_c : p.layout_r;
      residual =
          static_cast<TAcc>(TC(global(p.residual)[layout(m, n, p.mistake == Mistake::residual_of_batch_0 ? 0 : l)]));
    }
    Activation const activation = p.mistake == Mistake::no_activation ? Activation::none : p.activation;
    if (p.mistake != Mistake::bias_after) result += bias;
    if (p.mistake == Mistake::residual_inside) result += residual;
    result = activate(activation, result);
    if (p.mistake == Mistake::bias_after) result += bias;
    if (p.mistake != Mistake::residual_inside) result += residual;
    mC(m, n, l) = TC(result);
  }
};

template <class T, class TC, class TAcc>
void run_one(GemmCall const& call) {
  using Kernel = EpilogueGemm<T, TC, TAcc>;
  typename Kernel::Params params{gemm_params<T, T, TC, TAcc>(call),
                                 static_cast<TAcc const*>(call.epilogue.bias),
                                 static_cast<TC const*>(call.epilogue.residual),
                                 detail::matrix_layout(call.m, call.n, call.batch, call.epilogue.stride_residual),
                                 call.epilogue.activation,
                                 Mistake::none};
  for (auto const& [name, mistake] : mistakes) {
    if (call.kernel == name) params.mistake = mistake;
  }
  launch(Kernel{}, ceil_div(size(params.layout_c), std::int64_t{Kernel::threads}), params);
}

}  // namespace

int main(int argc, char** argv) {
  GemmChapter chapter;
  chapter.name = "17_planted_epilogue";
  chapter.adds = "mistakes after the sum";
  chapter.types = {
      {DType::f32, DType::f32, DType::f32}, {DType::f16, DType::f32, DType::f16}, {DType::i8, DType::i32, DType::i32}};
  for (auto const& [name, mistake] : mistakes) chapter.kernels.emplace_back(name);
  chapter.kernels.emplace_back("right");
  chapter.epilogues = true;
  chapter.run = [](GemmCall const& call) {
    if (call.dtype == DType::f16) return run_one<half_t, half_t, float>(call);
    if (call.dtype == DType::i8) return run_one<std::int8_t, std::int32_t, std::int32_t>(call);
    run_one<float, float, float>(call);
  };
  // What is known before there is memory: whether there will be a bias and a residual.
  chapter.refuses = [](GemmCall const& call) {
    return call.m == 1313 && call.epilogue.has_bias && call.epilogue.has_residual && call.epilogue.bias == nullptr
               ? "m 1313 is refused: chapter 99_nothing lifts that"
               : std::string();
  };
  GemmOwnOptions own;
  own.candidates = [&](GemmCall const&) { return std::vector<GemmCandidate>{{"the only one", chapter.run}}; };
  return gemm_main(argc, argv, chapter, own);
}
