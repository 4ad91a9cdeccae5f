// What each copy atom does where its predicate is false: cp.async and UniversalCopy keep the destination, cp.async with
// ZFILL, ZeroFillCopy and AMD's loads to shared memory write zeros.

#include "device.hpp"  // need_device

#include <tilestep/atom/half.hpp>  // half_t
#include <tilestep/atom/ldmatrix.hpp>  // ldmatrix
#include <tilestep/atom/tiled_mma.hpp>  // make_tiled_copy_C
#include <tilestep/atom/wgmma.hpp>  // SM90_64xNx16_SS
#include <tilestep/backend/async.hpp>  // async_commit, async_wait
#include <tilestep/backend/launch.hpp>  // launch
#include <tilestep/backend/runtime.hpp>  // DeviceBuffer, take_reports, target
#include <tilestep/block/async_copy.hpp>  // copy_if by an atom

#include <catch2/catch_test_macros.hpp>  // TEST_CASE, CHECK

#include <cstdint>  // std::uint64_t
#include <string>  // targets
#include <vector>  // matrices

using namespace tilestep;

namespace {

struct CopyIfParams {
  float const* in;  // (M,N), N contiguous; only (rows,columns) of it may be read
  float* out;  // the same
  int rows, columns;
};

/// A tile that holds -1 takes what the predicate wants of `in`, and goes out whole.
/// @tparam Values  that a thread copies in one pass: a vector of VEC neighbours along N, or one in each of several rows
/// @tparam Register  void: the atom copies to shared memory; else to registers of this type, whose values go out
template <class Operation, class Threads, int VEC, class Values, class Register> struct CopyIf {
  static constexpr char const* name = "CopyIf";
  static constexpr int threads = 128, M = 32, N = 64;
  using Atom = CopyAtom<Operation, float>;
  static constexpr bool to_registers = !std::is_void_v<Register>;
  static constexpr bool async = detail::is_async_operation<Operation> || detail::copies_vectors<Operation>;
  static constexpr bool here = !async || (std::is_same_v<typename Atom::ThrID, Layout<_1>>
                                              ? backend_has_async_copy
                                              : backend_async_copy_warp_bytes >= 4 * VEC);
  struct Shared {
    SharedArray<float, M * N> tile;
  };

  TS_DEVICE void operator()(Shared& memory, CopyIfParams const& p) const {
    if constexpr (here) {
      using ByRows = Layout<Shape<Int<M>, Int<N>>, Stride<Int<N>, _1>>;
      auto const gIn = make_tensor(global(p.in), ByRows{});  // (M,N)
      auto const gOut = make_tensor(global(p.out), ByRows{});  // (M,N)
      auto const sX = make_tensor(shared(memory.tile, "sX"), ByRows{});  // (M,N)
      auto const mine = make_tiled_copy(Atom{}, Threads{}, Values{}).slice(thread_index());
      auto const coords = mine.partition_S(make_identity_tensor(ByRows{}.shape()));  // (CPY,CPY_M,CPY_N)
      auto const wanted = within(coords, make_shape(p.rows, p.columns));
      using Held = std::conditional_t<to_registers, Register, float>;
      auto rX = make_fragment_like<Held>(mine.partition_D(sX));  // (CPY,CPY_M,CPY_N)
      fill(rX, -1.0f);
      copy(rX, mine.partition_D(sX));
      sync_threads();  // all threads wrote sX before any copies to it
      if constexpr (to_registers) {
        copy_if(Atom{}, wanted, mine.partition_S(gIn), rX);
        copy(rX, mine.partition_D(sX));
      } else {
        copy_if(Atom{}, wanted, mine.partition_S(gIn), mine.partition_D(sX));
      }
      if constexpr (async) {
        async_commit();
        async_wait<0>();
      }
      sync_threads();  // all threads have waited for their copies before any reads another's
      for (int i = threads - 1 - thread_index(); i < M * N; i += threads) gOut(i / N, i % N) = float(sX(i / N, i % N));
    }
  }
};

/// A warpgroup reads a tile of 64 x 32 as the sums of a wgmma, two ldmatrix after another for each of its warps.
struct ReadsSums {
  static constexpr char const* name = "ReadsSums";
  static constexpr int threads = 128;
  struct Params {
    std::uint16_t* out;  // (M,N), N contiguous
  };
  struct Shared {
    SharedArray<half_t, 64 * 32> tile;
  };

  TS_DEVICE void operator()(Shared& memory, Params const& p) const {
    if constexpr (backend_has_ldmatrix) {
      using ByRows = Layout<Shape<_64, _32>, Stride<_32, _1>>;
      auto const numbers = make_tensor(recast<std::uint16_t>(shared(memory.tile, "tile")), ByRows{});  // (M,N)
      for (int i = thread_index(); i < 64 * 32; i += threads) numbers(i / 32, i % 32) = std::uint16_t(i);
      sync_threads();  // all threads wrote the tile before any reads it
      using Mma = decltype(make_tiled_mma(SM90_64xNx16_SS<32, DType::f16>{}));
      auto const sC = make_tensor(shared(memory.tile, "tile"), ByRows{});  // (M,N)
      auto const gC = make_tensor(global(p.out), ByRows{});  // (M,N)
      auto const thr_mma = Mma::slice(thread_index());
      auto rC = make_fragment_like<half_t>(thr_mma.partition_C(sC));  // (MMA,MMA_M,MMA_N)
      auto const tiled = make_tiled_copy_C(CopyAtom<SM75_U32x4_LDSM_N, half_t>{}, Mma{});
      auto const thr_copy = tiled.slice(thread_index());
      copy(tiled, thr_copy.partition_S(sC), thr_copy.retile_D(rC));
      auto const tCgC = thr_mma.partition_C(gC);  // (MMA,MMA_M,MMA_N)
      static_for<16>([&](auto i) TS_INLINE_LAMBDA {
        std::uint16_t bits = 0;
        half_t const value = rC(i);
        __builtin_memcpy(&bits, &value, 2);
        tCgC(i) = bits;
      });
    }
  }
};

constexpr float keeps = -1, zeros = 0;  // what stands where the predicate is false

/// @param otherwise  what the atom leaves where the predicate is false
template <class Operation, int VEC, class Register = void, class Threads = Layout<Shape<_8, _16>, Stride<_16, _1>>,
          class Values = Layout<Shape<_1, Int<VEC>>>>
void check_atom(float otherwise) {
  using Kernel = CopyIf<Operation, Threads, VEC, Values, Register>;
  constexpr int M = Kernel::M, N = Kernel::N;
  for (int const rows : {M, 17, 1, 0}) {
    for (int const columns : {N, 60, 4, 0}) {
      CAPTURE(VEC, Kernel::to_registers, rows, columns);
      std::vector<float> in(std::size_t(M * N)), out(in.size());
      for (std::size_t i = 0; i < in.size(); ++i) in[i] = float(i % 251 + 1);
      DeviceBuffer<float> device_in("in", M * N), device_out("out", M * N);
      device_in.upload(in.data(), M * N);
      launch(Kernel{}, 1, CopyIfParams{device_in.data(), device_out.data(), rows, columns});
      device_out.download(out.data(), M * N);
      int wrong = 0;
      for (int m = 0; m < M; ++m) {
        for (int n = 0; n < N; ++n) {
          float const got = out[std::size_t(m * N + n)];
          wrong += !(got == (m < rows && n < columns ? in[std::size_t(m * N + n)] : otherwise));
        }
      }
      CHECK(wrong == 0);
      for (KernelReport const& report : take_reports()) {
        for (Hazard const& hazard : report.hazards) UNSCOPED_INFO(hazard.message);
        CHECK(report.hazards.empty());
      }
    }
  }
}

std::vector<std::string> targets_to_run() {
  if (std::string(device_name()) != "virtual GPU") return {std::string(target().name)};
  return {"sm80", "sm90", "gfx90a", "gfx942", "gfx950", "gfx1100"};
}

/// The same where a pass has a vector in each of two rows, which have predicates of their own.
template <class Operation, int VEC, class Register = void> void check_two_vectors(float otherwise) {
  check_atom<Operation, VEC, Register, Layout<Shape<_8, _16>, Stride<_16, _1>>,
             Layout<Shape<_2, Int<VEC>>, Stride<Int<VEC>, _1>>>(otherwise);
}

/// check(), on each target that can(target_info).
template <class Can, class Check> void on_targets(Can const& can, Check const& check) {
  backend_test::need_device();
  int runs = 0;
  for (std::string const& name : targets_to_run()) {
    if (!can(target_info(name))) continue;
    CAPTURE(name);
    set_run_options({.target = name, .schedule = {}, .check = true, .workers = 0});
    check();
    ++runs;
  }
  set_run_options({});
  if (runs == 0) SKIP("this device has no such copies");
}

}  // namespace

TEST_CASE("ldmatrix brings a warpgroup the fragment of its sums, several instructions for one wgmma", "[backend][copy]") {
  on_targets([](auto const& info) { return info.ldmatrix; },
             [] {
               DeviceBuffer<std::uint16_t> device_out("out", 64 * 32);
               launch(ReadsSums{}, 1, ReadsSums::Params{device_out.data()});
               std::vector<std::uint16_t> out(64 * 32);
               device_out.download(out.data(), 64 * 32);
               int wrong = 0;
               for (int i = 0; i < 64 * 32; ++i) wrong += out[std::size_t(i)] != i;
               CHECK(wrong == 0);
               for (KernelReport const& report : take_reports()) {
                 for (Hazard const& hazard : report.hazards) UNSCOPED_INFO(hazard.message);
                 CHECK(report.hazards.empty());
               }
             });
}

TEST_CASE("copy_if by UniversalCopy writes nothing where the predicate is false", "[backend][copy]") {
  on_targets([](auto const&) { return true; },
             [] {
               check_atom<UniversalCopy<uint128_t>, 4>(keeps);
               check_atom<UniversalCopy<std::uint64_t>, 2>(keeps);
               check_atom<UniversalCopy<float>, 1>(keeps);
               check_atom<UniversalCopy<uint128_t>, 4, float>(keeps);
               check_atom<UniversalCopy<float>, 1, float>(keeps);
               check_atom<UniversalCopy<uint128_t>, 4, half_t>(keeps);
               check_atom<UniversalCopy<float>, 1, half_t>(keeps);
               check_two_vectors<UniversalCopy<uint128_t>, 4>(keeps);
               check_two_vectors<UniversalCopy<uint128_t>, 4, float>(keeps);
             });
}

TEST_CASE("copy_if by ZeroFillCopy writes zeros where the predicate is false", "[backend][copy]") {
  on_targets([](auto const&) { return true; },
             [] {
               check_atom<ZeroFillCopy<128>, 4>(zeros);
               check_atom<ZeroFillCopy<64>, 2>(zeros);
               check_atom<ZeroFillCopy<32>, 1>(zeros);
               check_atom<ZeroFillCopy<128>, 4, float>(zeros);
               check_atom<ZeroFillCopy<32>, 1, float>(zeros);
               check_atom<ZeroFillCopy<128>, 4, half_t>(zeros);
               check_two_vectors<ZeroFillCopy<128>, 4>(zeros);
               check_two_vectors<ZeroFillCopy<128>, 4, float>(zeros);
             });
}

TEST_CASE("copy_if by cp.async keeps the destination where the predicate is false", "[backend][copy][async]") {
  on_targets([](auto const& info) { return info.async_copy; },
             [] {
               check_atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>, 4>(keeps);
               check_atom<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, 4>(keeps);
               check_atom<SM80_CP_ASYNC_CACHEALWAYS<std::uint64_t>, 2>(keeps);
               check_atom<SM80_CP_ASYNC_CACHEALWAYS<std::uint32_t>, 1>(keeps);
             });
}

TEST_CASE("copy_if by cp.async with ZFILL writes zeros where the predicate is false", "[backend][copy][async]") {
  on_targets([](auto const& info) { return info.async_copy; },
             [] {
               check_atom<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>, 4>(zeros);
               check_atom<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint128_t>, 4>(zeros);
               check_atom<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<std::uint64_t>, 2>(zeros);
               check_atom<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<std::uint32_t>, 1>(zeros);
             });
}

TEST_CASE("copy_if by AMD's loads to shared memory writes zeros where the predicate is false",
          "[backend][copy][async]") {
  using Lines = Layout<Shape<_2, _64>, Stride<_64, _1>>;  // a warp has one row of the tile
  on_targets([](auto const& info) { return info.async_copy_warp > 0; },
             [] { check_atom<CDNA_BUFFER_LOAD_LDS<std::uint32_t>, 1, void, Lines>(zeros); });
  using Wide = Layout<Shape<_8, _16>, Stride<_16, _1>>;  // a warp has four rows
  on_targets([](auto const& info) { return info.async_copy_warp == 16; },
             [] { check_atom<CDNA_BUFFER_LOAD_LDS<uint128_t>, 4, void, Wide>(zeros); });
}
