// Grades the exercise: one warp multiplies 16 x 16 by 16 x 16 with two matrix instructions, fed by one ldmatrix with
// the reader's addresses.

#include EXERCISE_HEADER

#include <tilestep/block.hpp>                // MmaAtom, ldmatrix
#include <tilestep/backend/launch.hpp>       // launch, DeviceBuffer, take_reports
#include <tilestep/block/gemm_params.hpp>    // half_t

#include <cstdio>  // messages
#include <vector>  // matrices

using namespace tilestep;

namespace {

/// C = A B, each 16 x 16 and row-major.
struct TwoAtoms {
  struct Params {
    half_t const* a;
    half_t const* b;
    float* c;
  };
  struct Shared {
    SharedArray<half_t, 16 * Pitch::value> b;
  };
  static constexpr char const* name = "TwoAtoms";
  static constexpr int threads = 32;

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    auto gA = make_tensor(global(p.a), Shape<_16, _16>{}, Stride<_16, _1>{});                   // (m,k)
    auto gB = make_tensor(global(p.b), Shape<_16, _16>{}, Stride<_16, _1>{});                   // (k,n)
    auto gC = make_tensor(global(p.c), Shape<_16, _16>{}, Stride<_16, _1>{});                   // (m,n)
    auto sB = make_tensor(shared(memory.b, "sB"), Shape<_16, _16>{}, Stride<Pitch, _1>{});      // (k,n)
    copy(local_partition(gB, Layout<Shape<_2, _16>, Stride<_16, _1>>{}, thread_index()),
         local_partition(sB, Layout<Shape<_2, _16>, Stride<_16, _1>>{}, thread_index()));

    using Atom = MmaAtom<SM80_16x8x16_F32F16F16F32_TN>;
    auto const mma = decltype(make_tiled_mma(Atom{}))::slice(thread_index());
    auto rA = make_fragment_like(mma.partition_A(gA));                                          // (MMA,1,1)
    auto rB = make_register_tensor<half_t>(make_shape(_4{}, _2{}, _1{}));                       // (MMA,2,1)
    auto rC = make_fragment_like(mma.partition_C(gC));                                          // (MMA,1,2)
    copy(mma.partition_A(gA), rA);
    clear(rC);
    sync_threads();  // all threads wrote sB before ldmatrix reads it
    CopyTraits<SM75_U16x8_LDSM_T>::call(make_view(sB.data() + RowOfLane{}(thread_index()), Layout<_8>{}),
                                        make_view(rB.data(), Layout<_8>{}));
    gemm(Atom{}, rA, rB, rC);
    copy(rC, mma.partition_C(gC));
  }
};

/// 0 right, 1 wrong, 4 hazard.
int check() {
  std::vector<half_t> a(256), b(256);
  std::vector<float> c(256);
  for (int i = 0; i < 256; ++i) {
    a[std::size_t(i)] = half_t(float(i * 7 % 11 - 4));
    b[std::size_t(i)] = half_t(float(i * 5 % 13 - 7));
  }
  DeviceBuffer<half_t> device_a("A", 256), device_b("B", 256);
  DeviceBuffer<float> device_c("C", 256);
  device_a.upload(a.data(), 256);
  device_b.upload(b.data(), 256);
  launch(TwoAtoms{}, 1, TwoAtoms::Params{device_a.data(), device_b.data(), device_c.data()});
  device_c.download(c.data(), 256);

  auto const report = take_reports().at(0);
  for (auto const& hazard : report.hazards) std::printf("%s: %s\n", hazard.kind.c_str(), hazard.message.c_str());
  if (!report.hazards.empty()) return 4;
  for (int m = 0; m < 16; ++m) {
    for (int n = 0; n < 16; ++n) {
      float want = 0;
      for (int k = 0; k < 16; ++k) want += float(a[std::size_t(16 * m + k)]) * float(b[std::size_t(16 * k + n)]);
      if (float const got = c[std::size_t(16 * m + n)]; !(got == want)) {
        std::printf("C(%d,%d) is %g and should be %g\n", m, n, got, want);
        return 1;
      }
    }
  }
  return 0;
}

}  // namespace

int main() {
  set_run_options({.target = "sm80", .schedule = {}, .check = true, .workers = 0});
  if (int const verdict = check(); verdict != 0) return verdict;
  std::puts("right: one ldmatrix feeds two matrix instructions");
  return 0;
}
