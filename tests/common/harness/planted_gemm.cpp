// A GEMM program whose kernels can be told to go wrong, one element of C per thread. The driver has to notice each of
// them.

#include <tilestep/harness/gemm_launch.hpp>  // gemm_main, gemm_params
#include <tilestep/tensor.hpp>               // make_tensor
#include <tilestep/atom/half.hpp>            // half_t, bfloat16_t

#include <cstdio>  // std::fputs
#include <string>  // names of the mistakes

using namespace tilestep;

namespace {

enum class Mistake { none, drops_row, drops_product, transposes_b, writes_gap, reads_c, reads_outside };

template <class T, class TC, class TAcc, Mistake mistake>
struct PlantedGemm {
  using Params = GemmParams<T, T, TC, TAcc>;
  using Shared = NoShared;
  static constexpr char const* name = "PlantedGemm";
  static constexpr int threads = 64;

  TS_HOST_DEVICE static std::int64_t blocks(Params const& p) {
    return ceil_div(size(p.layout_c), std::int64_t{threads});
  }

  TS_DEVICE void operator()(Shared&, Params const& p) const {
    auto mA = make_tensor(global(p.a), p.layout_a);  // (M,K,L)
    auto mB = make_tensor(global(p.b), p.layout_b);  // (N,K,L)
    auto mC = make_tensor(global(p.c), p.layout_c);  // (M,N,L)
    std::int64_t const element = block_index() * threads + thread_index();
    if (element >= size(p.layout_c)) return;
    std::int64_t const M = size<0>(p.layout_c), N = size<1>(p.layout_c);
    std::int64_t const m = element % M, n = element / M % N, l = element / M / N;
    if (mistake == Mistake::drops_row && m == M - 1) return;

    std::int64_t const K = size<1>(p.layout_a) - (mistake == Mistake::drops_product ? 1 : 0);
    TAcc sum = 0;
    for (std::int64_t k = 0; k < K; ++k) {
      // B's strides the wrong way round
      if constexpr (mistake == Mistake::transposes_b)
        sum += number(T(mA(m, k, l))) * number(T(mB(k, n, l)));
      else
        sum += number(T(mA(m, k, l))) * number(T(mB(n, k, l)));
    }
    if constexpr (mistake == Mistake::reads_outside) sum += 0 * number(T(mA(M + 1, K - 1, l)));
    TAcc result = p.alpha * sum;
    if (p.beta != TAcc(0)) result += p.beta * number(TC(mC(m, n, l)));
    if constexpr (mistake == Mistake::reads_c) result += 0 * number(TC(mC(m, n, l)));
    mC(m, n, l) = TC(result);
    if constexpr (mistake == Mistake::writes_gap) {
      if (n == N - 1 && m < M - 1) mC(m, n + 1, l) = TC(result);
    }
  }

 private:
  template <class X>
  TS_HOST_DEVICE static constexpr TAcc number(X x) {
    return static_cast<TAcc>(x);
  }
};

template <class T, class TC, class TAcc, Mistake mistake>
void run_one(GemmCall const& call) {
  using Kernel = PlantedGemm<T, TC, TAcc, mistake>;
  auto const params = gemm_params<T, T, TC, TAcc>(call);
  launch(Kernel{}, Kernel::blocks(params), params);
}

void run(GemmCall const& call) {
  if (call.dtype == DType::f16) return run_one<half_t, half_t, float, Mistake::none>(call);
  if (call.dtype == DType::bf16) return run_one<bfloat16_t, float, float, Mistake::none>(call);
  if (call.dtype == DType::f64) return run_one<double, double, double, Mistake::none>(call);
  if (call.dtype == DType::i8) return run_one<std::int8_t, std::int32_t, std::int32_t, Mistake::none>(call);
  if (call.kernel == "drops_row") return run_one<float, float, float, Mistake::drops_row>(call);
  if (call.kernel == "drops_product") return run_one<float, float, float, Mistake::drops_product>(call);
  if (call.kernel == "transposes_b") return run_one<float, float, float, Mistake::transposes_b>(call);
  if (call.kernel == "writes_gap") return run_one<float, float, float, Mistake::writes_gap>(call);
  if (call.kernel == "reads_c") return run_one<float, float, float, Mistake::reads_c>(call);
  if (call.kernel == "reads_outside") return run_one<float, float, float, Mistake::reads_outside>(call);
  run_one<float, float, float, Mistake::none>(call);
}

std::string refuses(GemmCall const& call) {
  return call.k == 1313 ? "k 1313 is refused by this test program: chapter 99_nothing lifts that" : "";
}

}  // namespace

int main(int argc, char** argv) {
  GemmChapter chapter;
  chapter.name = "04_planted_gemm";
  chapter.adds = "mistakes";
  chapter.types = {{DType::f32, DType::f32, DType::f32},
                   {DType::f16, DType::f32, DType::f16},
                   {DType::bf16, DType::f32, DType::f32},
                   {DType::i8, DType::i32, DType::i32, {"sm80", "sm90"}},
                   {DType::f64, DType::f64, DType::f64}};
  chapter.kernels = {"drops_row", "drops_product", "transposes_b", "writes_gap", "reads_c", "reads_outside", "right"};
  chapter.run = run;
  chapter.refuses = refuses;
  chapter.note = [](GemmCall const& call) {
    return call.dtype == DType::bf16 ? "bf16 is noted on " + call.target : std::string();
  };
  chapter.figures = [] {
    std::fputs("drawing\n", stderr);
    return std::vector<Figure>{{"a_figure", "<svg xmlns='http://www.w3.org/2000/svg'/>"}};
  };
  return gemm_main(argc, argv, chapter);
}
