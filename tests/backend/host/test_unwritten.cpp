// Registers that nobody wrote: found where arithmetic, a matrix instruction or a store to global memory uses them, and
// nowhere else.

#include "run_kernel.hpp"

#include <tilestep/algorithm.hpp>         // copy, copy_if, axpby, gemm, clear
#include <tilestep/atom/dot_product.hpp>  // SM61_DP4A
#include <tilestep/atom/nvidia.hpp>       // an MMA
#include <tilestep/atom/wgmma.hpp>        // wgmma
#include <tilestep/backend/mbarrier.hpp>  // fence_proxy_async
#include <tilestep/block/axpby_vectors.hpp>  // axpby of pairs

#include <cstring>  // std::memcpy

using namespace host_test;

namespace {

constexpr char const* kind = "register never written";

enum class Bug { none, never, some, four };  // all written, none, all but one, all but the second four

// Writes the elements of a fragment that the bug leaves.
template <Bug BUG, class Fragment>
void write(Fragment& fragment) {
  using T = typename Fragment::value_type;
  static_for<int(decltype(size(fragment))::value)>([&](auto i) {
    if constexpr (BUG == Bug::none || (BUG == Bug::some && i.value != 1) || (BUG == Bug::four && i.value / 4 != 1))
      fragment(i) = T(1);
  });
}

// A fragment goes to global memory, moved as it is and in vectors before.
template <class T, Bug BUG>
struct Stores {
  static constexpr int threads = 32;
  using Shared = SharedArray<T, 128>;
  struct Params { T* out; };
  void operator()(Shared& memory, Params const& p) const {
    auto fragment = make_register_tensor<T>(Int<4>{}), moved = make_register_tensor<T>(Int<4>{});
    write<BUG>(fragment);
    copy(fragment, moved);
    auto const through = shared(memory, "through") + thread_index() * 4;
    static_for<2>([&](auto i) {
      store<2>(through + 2 * i, &moved(i * Int<2>{}));
      load<2>(through + 2 * i, &moved(i * Int<2>{}));
    });
    auto const out = make_tensor(global(p.out) + thread_index() * 4, Int<4>{});
    copy(moved, out);
  }
};

// Two elements of four are loaded under a predicate, and STORED are stored under another.
template <int STORED>
struct StoresSome {
  static constexpr int threads = 32;
  using Shared = NoShared;
  void operator()(Shared&, InOut const& p) const {
    auto fragment = make_register_tensor<float>(Int<4>{});
    auto const loaded = [](auto i) { return int(i) < 2; };
    auto const stored = [](auto i) { return int(i) < STORED; };
    copy_if(loaded, make_tensor(global(p.in) + thread_index() * 4, Int<4>{}), fragment);
    copy_if(stored, fragment, make_tensor(global(p.out) + thread_index() * 4, Int<4>{}));
  }
};

// A C that is scaled, VEC neighbours at a time. BUG is in the accumulators.
template <class T, Bug BUG, int VEC = 1>
struct Scales {
  static constexpr int threads = 32;
  using Shared = NoShared;
  struct Params { T* out; };
  void operator()(Shared&, Params const& p) const {
    auto rC = make_register_tensor<T>(Shape<_4, _1, _1>{});
    write<BUG>(rC);
    auto const out = make_tensor(global(p.out) + thread_index() * 4, Shape<_4, _1, _1>{});
    if constexpr (VEC == 1) axpby(T(1), rC, T(0), out);
    else axpby<VEC>(T(1), rC, T(0), out, Always{});
  }
};

// Sums are added to registers. BUG is in these.
template <class T, Bug BUG, int BETA>
struct ScalesOnto {
  static constexpr int threads = 32;
  using Shared = NoShared;
  struct Params { T* out; };
  void operator()(Shared&, Params const& p) const {
    auto rC = make_register_tensor<T>(Int<4>{}), before = make_register_tensor<T>(Int<4>{});
    write<Bug::none>(rC);
    write<BUG>(before);
    axpby(T(1), rC, T(BETA), before);
    copy(before, make_tensor(global(p.out) + thread_index() * 4, Int<4>{}));
  }
};

// Sums are added to data that happen to have the bits of registers that nobody wrote.
template <class T>
struct ScalesData {
  static constexpr int threads = 32;
  using Shared = NoShared;
  struct Params { T const* in; T* out; };
  void operator()(Shared&, Params const& p) const {
    auto rC = make_register_tensor<T>(Int<4>{});
    clear(rC);
    copy(make_tensor(global(p.in) + thread_index() * 4, Int<4>{}),
         make_tensor(global(p.out) + thread_index() * 4, Int<4>{}));
    axpby(T(1), rC, T(1), make_tensor(global(p.out) + thread_index() * 4, Int<4>{}));
  }
};

// Data that happen to have the bits of registers that nobody wrote.
template <class T>
struct CopiesData {
  static constexpr int threads = 32;
  using Shared = NoShared;
  struct Params { T const* in; T* out; };
  void operator()(Shared&, Params const& p) const {
    auto fragment = make_register_tensor<T>(Int<4>{});
    copy(make_tensor(global(p.in) + thread_index() * 4, Int<4>{}), fragment);
    copy(fragment, make_tensor(global(p.out) + thread_index() * 4, Int<4>{}));
  }
};

// A product by FMAs. ACCUMULATOR says which operand is left unwritten.
template <class T, class Sum, Bug BUG, bool ACCUMULATOR>
struct Fmas {
  static constexpr int threads = 32;
  using Shared = NoShared;
  struct Params { Sum* out; };
  void operator()(Shared&, Params const& p) const {
    auto rA = make_register_tensor<T>(Int<2>{}), rB = make_register_tensor<T>(Int<2>{});
    auto rC = make_register_tensor<Sum>(make_shape(Int<2>{}, Int<2>{}));
    write<ACCUMULATOR ? Bug::none : BUG>(rA);
    if constexpr (std::is_integral_v<T>) fill(rB, T(1));  // 0 would leave an unwritten sum, which its store reports
    else clear(rB);                                       // zeros hide nothing
    write<ACCUMULATOR ? BUG : Bug::none>(rC);
    gemm(MmaAtom<UniversalFMA<Sum, T, T, Sum>>{}, rA, rB, rC);
    copy(rC, make_tensor(global(p.out) + thread_index() * 4, make_shape(Int<2>{}, Int<2>{})));
  }
};

// The same by a matrix instruction.
template <class Op, Bug A, Bug B, Bug C>
struct Mmas {
  static constexpr int threads = 32;
  using Shared = NoShared;
  struct Params {};
  void operator()(Shared&, Params const&) const {
    using Atom = MmaAtom<Op>;
    auto rA = make_register_tensor<typename Atom::ValA>(size<1>(typename Atom::ALayout{}));
    auto rB = make_register_tensor<typename Atom::ValB>(size<1>(typename Atom::BLayout{}));
    auto rC = make_register_tensor<typename Atom::ValC>(size<1>(typename Atom::CLayout{}));
    write<A>(rA);
    write<B>(rB);
    write<C>(rC);
    gemm(Atom{}, rA, rB, rC);
  }
};

// Elements of 4 bits whose registers have the bits of those that nobody wrote.
struct MultipliesData {
  static constexpr char const* name = "MultipliesData";
  static constexpr int threads = 32;
  using Shared = NoShared;
  struct Params {};
  void operator()(Shared&, Params const&) const {
    using Atom = MmaAtom<SM80_8x8x32_S32U4U4S32_TN>;
    auto rA = make_register_tensor<uint4b_t>(Int<8>{}), rB = make_register_tensor<uint4b_t>(Int<8>{});
    auto rC = make_register_tensor<std::int32_t>(Int<2>{});
    static_for<8>([&](auto i) { rA(i) = rB(i) = uint4b_t(int(0x7FA57FA5u >> (4 * i.value) & 15u)); });
    clear(rC);
    gemm(Atom{}, rA, rB, rC);
  }
};

// wgmma with A in registers, on a tile of zeros.
template <class Op, Bug A, Bug C>
struct Wgmmas {
  static constexpr char const* name = "Wgmmas";
  static constexpr char const* only_on = "sm90";
  static constexpr int threads = 128;
  struct Shared { alignas(128) SharedArray<std::uint8_t, Op::N * 32> b; };
  struct Params {};
  void operator()(Shared& memory, Params const&) const {
    auto const sB = shared(memory.b, "sB");
    for (int i = thread_index(); i < Op::N * 32; i += threads) sB[i] = 0;
    fence_proxy_async();
    sync_threads();  // all wrote the tile before the tensor cores read it
    auto rA = make_register_tensor<typename MmaTraits<Op>::ValA>(Int<Op::a_values>{});
    auto rC = make_register_tensor<typename MmaTraits<Op>::ValC>(Int<Op::c_values>{});
    write<A>(rA);
    write<C>(rC);
    wgmma_fence();
    wgmma(Op{}, reinterpret_cast<std::uint32_t const*>(rA.data().get()),
          tile_descriptor(sB, Op::N * 16, 128, TileSwizzle::none),
          reinterpret_cast<typename Op::CRegister*>(rC.data().get()), true);
    wgmma_commit();
    wgmma_wait<0>();
  }
};

// Device memory of 128 T for a kernel's Params{T* out}.
template <class Kernel, class T>
auto buffer_for() {
  struct Memory {
    DeviceBuffer<T> out{"out", 128};
    typename Kernel::Params params() { return {out.data()}; }
  };
  return [] { return Memory{}; };
}
template <class Kernel>
auto nothing_for() {
  struct Memory {
    typename Kernel::Params params() { return {}; }
  };
  return [] { return Memory{}; };
}

template <class T>
void check_stores() {
  check_found(kind, Stores<T, Bug::never>{}, 1, buffer_for<Stores<T, Bug::never>, T>());
  check_found(kind, Stores<T, Bug::some>{}, 1, buffer_for<Stores<T, Bug::some>, T>());
  check_clean(Stores<T, Bug::none>{}, 1, buffer_for<Stores<T, Bug::none>, T>());
}

template <class T>
void check_scaling() {
  check_found(kind, Scales<T, Bug::never>{}, 1, buffer_for<Scales<T, Bug::never>, T>());
  check_found(kind, Scales<T, Bug::some>{}, 1, buffer_for<Scales<T, Bug::some>, T>());
  check_clean(Scales<T, Bug::none>{}, 1, buffer_for<Scales<T, Bug::none>, T>());
  using InPairs = Scales<T, Bug::some, 2>;
  check_found(kind, InPairs{}, 1, buffer_for<InPairs, T>());
  check_clean(Scales<T, Bug::none, 2>{}, 1, buffer_for<Scales<T, Bug::none, 2>, T>());
}

template <class T, class Sum, bool OPERANDS = true>
void check_fmas() {
  check_found(kind, Fmas<T, Sum, Bug::never, true>{}, 1, buffer_for<Fmas<T, Sum, Bug::never, true>, Sum>());
  check_found(kind, Fmas<T, Sum, Bug::some, true>{}, 1, buffer_for<Fmas<T, Sum, Bug::some, true>, Sum>());
  if constexpr (OPERANDS)
    check_found(kind, Fmas<T, Sum, Bug::some, false>{}, 1, buffer_for<Fmas<T, Sum, Bug::some, false>, Sum>());
  check_clean(Fmas<T, Sum, Bug::none, false>{}, 1, buffer_for<Fmas<T, Sum, Bug::none, false>, Sum>());
}

template <class T>
void check_scaling_onto() {
  using enum Bug;
  check_found(kind, ScalesOnto<T, never, 1>{}, 1, buffer_for<ScalesOnto<T, never, 1>, T>());
  check_found(kind, ScalesOnto<T, some, 1>{}, 1, buffer_for<ScalesOnto<T, some, 1>, T>());
  check_clean(ScalesOnto<T, none, 1>{}, 1, buffer_for<ScalesOnto<T, none, 1>, T>());
  check_clean(ScalesOnto<T, never, 0>{}, 1, buffer_for<ScalesOnto<T, never, 0>, T>());
}

template <class T, template <class> class Kernel = CopiesData>
void check_data(std::vector<unsigned char> const& bits) {
  std::vector<T> values(128, T(1));
  std::memcpy(&values[5], bits.data(), sizeof(T));
  DeviceBuffer<T> in("in", 128), out("out", 128);
  in.upload(values.data(), 128);
  KernelReport const report = run(Kernel<T>{}, 1, typename Kernel<T>::Params{in.data(), out.data()});
  INFO(text(report));
  CHECK(report.hazards.empty());
}

template <class Op>
void check_mma() {
  using enum Bug;
  check_found(kind, Mmas<Op, never, none, none>{}, 1, nothing_for<Mmas<Op, never, none, none>>());
  check_found(kind, Mmas<Op, none, never, none>{}, 1, nothing_for<Mmas<Op, none, never, none>>());
  check_found(kind, Mmas<Op, none, none, never>{}, 1, nothing_for<Mmas<Op, none, none, never>>());
  check_found(kind, Mmas<Op, none, none, some>{}, 1, nothing_for<Mmas<Op, none, none, some>>());
  check_clean(Mmas<Op, none, none, none>{}, 1, nothing_for<Mmas<Op, none, none, none>>());
}

template <class Op, Bug A, Bug C>
std::string reported_of_wgmma() {
  RunOptions const options{"sm90", schedules[0], true, 1};
  return text(run(Wgmmas<Op, A, C>{}, 1, typename Wgmmas<Op, A, C>::Params{}, options));
}
template <class Op>
void check_wgmma() {
  using enum Bug;
  INFO(Op::name);
  auto const says = [](std::string const& found, char const* operand) {
    return found.starts_with("register never written: kernel Wgmmas, block 0, thread 0 brings " + std::string(operand) +
                             " to wgmma");
  };
  CHECK(reported_of_wgmma<Op, none, none>().empty());
  CHECK(says(reported_of_wgmma<Op, never, none>(), "A"));
  if (bits_of(Op::a) > 8) CHECK(says(reported_of_wgmma<Op, some, none>(), "A"));  // a byte may be data
  CHECK(says(reported_of_wgmma<Op, none, never>(), "C"));
  CHECK(says(reported_of_wgmma<Op, none, some>(), "C"));
}

}  // namespace

TEST_CASE("storing registers that nobody wrote is reported", "[host][unwritten]") {
  check_stores<float>();
  check_stores<double>();
  check_stores<half_t>();
  check_stores<bfloat16_t>();
  check_stores<std::int32_t>();
}

TEST_CASE("elements that a predicate keeps out need no value, and those that the next predicate lets in need one",
          "[host][unwritten]") {
  check_clean(StoresSome<1>{}, 1, buffers(128));
  check_clean(StoresSome<2>{}, 1, buffers(128));
  check_found(kind, StoresSome<3>{}, 1, buffers(128));
  check_found(kind, StoresSome<4>{}, 1, buffers(128));
}

TEST_CASE("elements of one byte are looked at as registers of four", "[host][unwritten]") {
  using enum Bug;
  using Byte = SM80_16x8x32_S32S8S8S32_TN;
  check_found(kind, Mmas<Byte, four, none, none>{}, 1, nothing_for<Mmas<Byte, four, none, none>>());
  check_found(kind, Mmas<Byte, none, four, none>{}, 1, nothing_for<Mmas<Byte, none, four, none>>());
  using Bytes = SM90_64xN_RS<16, DType::i32, DType::i8, DType::u8>;
  std::string const found = reported_of_wgmma<Bytes, four, none>();
  INFO(found);
  CHECK(found.starts_with("register never written: kernel Wgmmas, block 0, thread 0 brings A to wgmma"));
}

TEST_CASE("scaling accumulators that nobody wrote is reported", "[host][unwritten]") {
  check_scaling<float>();
  check_scaling<double>();
  check_scaling<std::int32_t>();
}

TEST_CASE("scaling onto registers that nobody wrote is reported", "[host][unwritten]") {
  check_scaling_onto<float>();
  check_scaling_onto<double>();
  check_scaling_onto<std::int32_t>();
}

TEST_CASE("FMAs on registers that nobody wrote are reported", "[host][unwritten]") {
  check_fmas<float, float>();
  check_fmas<half_t, float>();
  check_fmas<bfloat16_t, float>();
  check_fmas<double, double>();
  check_fmas<std::int8_t, std::int32_t, false>();
}

TEST_CASE("a matrix instruction on registers that nobody wrote is reported", "[host][unwritten]") {
  check_mma<SM80_16x8x16_F32F16F16F32_TN>();
  check_mma<SM80_16x8x16_F32BF16BF16F32_TN>();
  check_mma<SM80_16x8x8_F32TF32TF32F32_TN>();
  check_mma<SM80_16x8x32_S32S8S8S32_TN>();
  check_mma<SM80_8x8x4_F64F64F64F64_TN>();
  check_mma<SM80_16x8x64_S32S4U4S32_TN>();
  check_mma<SM80_16x8x256_S32U1U1S32_TN_XORPOPC>();
  check_mma<SM80_8x8x4_C64C64C64C64_TN>();
}

TEST_CASE("a dot product on registers that nobody wrote is reported", "[host][unwritten]") {
  using enum Bug;
  check_found(kind, Mmas<SM61_DP4A, never, none, none>{}, 1, nothing_for<Mmas<SM61_DP4A, never, none, none>>());
  check_found(kind, Mmas<SM61_DP4A, none, never, none>{}, 1, nothing_for<Mmas<SM61_DP4A, none, never, none>>());
  check_found(kind, Mmas<SM61_DP4A, none, none, never>{}, 1, nothing_for<Mmas<SM61_DP4A, none, none, never>>());
  check_clean(Mmas<SM61_DP4A, none, none, none>{}, 1, nothing_for<Mmas<SM61_DP4A, none, none, none>>());
}

TEST_CASE("wgmma on registers that nobody wrote is reported, in each of its types", "[host][unwritten]") {
  check_wgmma<SM90_64xNx16_RS<8, DType::bf16>>();
  check_wgmma<SM90_64xN_RS<64, DType::f16, DType::f16, DType::f16>>();
  check_wgmma<SM90_64xN_RS<8, DType::f32, DType::tf32, DType::tf32>>();
  check_wgmma<SM90_64xN_RS<32, DType::f32, DType::e4m3, DType::e5m2>>();
  check_wgmma<SM90_64xN_RS<16, DType::i32, DType::i8, DType::u8>>();
}

TEST_CASE("a matrix instruction's report names lane, operand and element", "[host][unwritten]") {
  using Op = SM80_16x8x16_F32F16F16F32_TN;
  std::string const found = text(run(Mmas<Op, Bug::some, Bug::none, Bug::none>{}, 1,
                                     Mmas<Op, Bug::some, Bug::none, Bug::none>::Params{}));
  INFO(found);
  CHECK(found.starts_with(
      "register never written: kernel Mmas, block 0, thread 0 brings A(0,1) of fragment (0,0) to "));
  CHECK(found.find(" in a register that it never wrote") != std::string::npos);
}

TEST_CASE("data with the bits of an unwritten register are not blamed", "[host][unwritten]") {
  CHECK(text(run(MultipliesData{}, 1, MultipliesData::Params{})) == "");
  check_data<half_t>({0xA5, 0x7F});
  check_data<float>({0xA5, 0x7F, 0xA5, 0x7F});
  check_data<double>({0xA5, 0x7F, 0xA5, 0x7F, 0xA5, 0x7F, 0xA5, 0x7F});
  check_data<float, ScalesData>({0xA5, 0x7F, 0xA5, 0x7F});
}
