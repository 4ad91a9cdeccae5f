#pragma once
// From a block's sums to C in memory. An instruction leaves its sums in the order that suits the
// instruction: neighbours of a row of C belong to different lanes. So they go through shared memory, slice by slice of
// the tile, and come back in the order of memory: each thread has 16 bytes of a row, does the rest of the computing
// there, and stores them at once.

#include <tilestep/block/activation.hpp>   // Activation, activate
#include <tilestep/block/copy.hpp>         // read_vector, write_vector
#include <tilestep/block/gemm_config.hpp>  // tile_copy

namespace tilestep {

/// What an epilogue computes in: the sums' own type if they are i32 or f64, else f32.
template <class TSum>
using ScaleOf = std::conditional_t<std::is_same_v<TSum, std::int32_t> || std::is_same_v<TSum, double>, TSum, float>;

// [epilogue]
/// C = act(alpha sums + beta C + bias) + residual. With beta = 0, C is never read.
/// @tparam TScale_  what it is computed in: f32, f64 or i32
/// @tparam TNarrow_  the other type that C may have
/// @tparam Layout_  of three modes, strides known at run time
template <class TScale_, class TNarrow_, class Layout_>
struct Epilogue {
  using TScale = TScale_;
  using TNarrow = TNarrow_;
  void* c;
  Layout_ layout_c;         ///< (M,N,L)
  alignas(4) bool narrow;   ///< C and the residual are of TNarrow, not TScale
  alignas(4) bool wide;     ///< their rows start at multiples of 16 bytes, and elements of a row stand side by side
  alignas(4) bool plain;    ///< beta is 0, and there is no bias, activation or residual: C = alpha sums
  Activation activation;
  TScale alpha, beta;
  TScale const* bias;         ///< null: none
  Layout_ layout_bias;      ///< (M,N,L), most strides 0
  void* residual;           ///< null: none; only read
  Layout_ layout_residual;  ///< (M,N,L)
};
// [epilogue]

namespace detail {

/// A matrix of an epilogue. @tparam E  an Epilogue   @tparam T  of its elements
template <class E, class T>
struct MatrixRef {
  using Scale = typename E::TScale;
  decltype(global(static_cast<T*>(nullptr))) data;

  TS_INLINE TS_DEVICE static MatrixRef of(void* raw, bool /*narrow*/) { return {global(static_cast<T*>(raw))}; }
  /// N elements side by side, in one access. @param offset  of the first
  template <int N>
  TS_INLINE TS_DEVICE void read(std::int64_t offset, Scale (&values)[N], bool pred) const {
    T elements[N]{};
    load_if<N>(data + offset, elements, pred);
    unroll<N>([&](auto v) TS_INLINE_LAMBDA { values[v] = static_cast<Scale>(elements[v]); });
  }
  template <int N>
  TS_INLINE TS_DEVICE void write(std::int64_t offset, Scale const (&values)[N], bool pred) const {
    T elements[N];
    unroll<N>([&](auto v) TS_INLINE_LAMBDA { elements[v] = static_cast<T>(values[v]); });
    store_if<N>(data + offset, elements, pred);
  }
};

/// The same where the type is known at run time alone.
template <class E>
struct AnyMatrixRef {
  using Scale = typename E::TScale;
  void* data;
  bool is_narrow;

  TS_INLINE TS_DEVICE static AnyMatrixRef of(void* raw, bool narrow) { return {raw, narrow}; }
  template <int N>
  TS_INLINE TS_DEVICE void read(std::int64_t offset, Scale (&values)[N], bool pred) const {
    if (is_narrow) MatrixRef<E, typename E::TNarrow>::of(data, true).read(offset, values, pred);
    else MatrixRef<E, Scale>::of(data, false).read(offset, values, pred);
  }
  template <int N>
  TS_INLINE TS_DEVICE void write(std::int64_t offset, Scale const (&values)[N], bool pred) const {
    if (is_narrow) MatrixRef<E, typename E::TNarrow>::of(data, true).write(offset, values, pred);
    else MatrixRef<E, Scale>::of(data, false).write(offset, values, pred);
  }
};

/// Tell the virtual GPU how C is laid out, so that it can name a coordinate where it reports a hazard.
template <class E>
TS_DEVICE void describe_c(E const& e) {
  if (e.narrow) describe_layout(MatrixRef<E, typename E::TNarrow>::of(e.c, true).data, e.layout_c);
  else describe_layout(MatrixRef<E, typename E::TScale>::of(e.c, false).data, e.layout_c);
}

// [finish]
/// Where vectors of a row lie in C, in the residual and in the bias; or how far it is from one to another.
struct EpiloguePlace {
  std::int64_t c, residual, bias;

  TS_HOST_DEVICE EpiloguePlace operator+(EpiloguePlace const& other) const {
    return {c + other.c, residual + other.residual, bias + other.bias};
  }
  template <class E> TS_INLINE TS_DEVICE static EpiloguePlace of(E const& e, auto const& at) {
    return {e.layout_c(at), e.layout_residual(at), e.layout_bias(at)};
  }
};

/// Finishes VEC neighbouring sums of a row and stores them. Its other operands are loaded before, so that the loads of
/// several rows overlap.
/// @tparam Matrix  MatrixRef or AnyMatrixRef   @tparam Plain  C = alpha sums
template <class Matrix, int VEC, bool Plain, class E>
struct Finish {
  using TScale = typename E::TScale;
  TScale before[VEC]{}, bias[VEC]{}, residual[VEC]{};

  /// @param inside  of C
  TS_INLINE TS_DEVICE void read(E const& e, Matrix const& c, EpiloguePlace const& place, bool inside) {
    if constexpr (!Plain) {
      constexpr int piece = VEC * int(sizeof(TScale)) > 16 ? 16 / int(sizeof(TScale)) : VEC;
      if (e.beta != TScale(0)) c.read(place.c, before, inside);
      if (e.bias)
        unroll<VEC / piece>([&](auto i) TS_INLINE_LAMBDA {
          load_if<piece>(global(e.bias) + (place.bias + i * piece), bias + i * piece, inside);
        });
      if (e.residual) Matrix::of(e.residual, e.narrow).read(place.residual, residual, inside);
    }
  }
  TS_INLINE TS_DEVICE void store(E const& e, Matrix const& c, EpiloguePlace const& place, TScale const (&sums)[VEC],
                                 bool inside) const {
    TScale out[VEC];
    unroll<VEC>([&](auto v) TS_INLINE_LAMBDA {
      out[v] = e.alpha * sums[v];
      if constexpr (!Plain)
        out[v] = activate(e.activation, out[v] + e.beta * before[v] + bias[v]) + residual[v];
    });
    c.write(place.c, out, inside);
  }
};
// [finish]
/// The same for one vector. @param at (m,n,l) of the first sum
template <class Matrix, int VEC, bool Plain, class E>
TS_INLINE TS_DEVICE void finish_vector(E const& e, Matrix const& c, auto const& at,
                                       typename E::TScale const (&sums)[VEC], bool inside) {
  auto const place = EpiloguePlace::of(e, at);
  Finish<Matrix, VEC, Plain, E> vector;
  vector.read(e, c, place, inside);
  vector.store(e, c, place, sums, inside);
}

/// How many neighbours along N are one lane's sums: two in NVIDIA's instructions.
template <class Op>
inline constexpr int sums_side_by_side = [] {
  using C = typename MmaTraits<Op>::CLayout;                                                    // (T,V) -> m + M n
  if constexpr (decltype(size<1>(C{}))::value == 1) return 1;
  else return int(C{}(make_coord(0, 1))) == Op::M ? 2 : 1;
}();

/// How a slice of the sums lies in shared memory: in panels of up to 64 columns, where 16 bytes of a row at a time
/// move to other banks by the row, and by the place in the row where that is longer than all banks. So lanes that
/// write a row or pairs of several rows do not meet in a bank, nor do lanes that read 16 or 32 bytes of a row each.
/// (On RDNA the two halves of a warp write rows that do meet.) Sums by FMA lie along M in a warp: their rows are
/// padded.
/// (SLICE_M,BLK_N)
template <class Op, int M, int N>
TS_HOST_DEVICE constexpr auto slice_tile() {
  constexpr int vec = 16 / int(sizeof(typename MmaTraits<Op>::ValC)), panel = N % 64 == 0 ? 64 : N & -N,
                bits = log2(panel) - 3;
  if constexpr (is_fma<Op>) return Layout<Shape<Int<M>, Int<N>>, Stride<Int<N + 4>, _1>>{};
  else
    return composition(Swizzle<bits, log2(vec) + 3 - bits, bits>{},
                       Layout<Shape<Int<M>, Shape<Int<panel>, Int<N / panel>>>,
                              Stride<Int<panel>, Stride<_1, Int<M * panel>>>>{});
}
}  // namespace detail

/// Stores a tile's sums to C. Kernels that differ in the layouts of A and B share it.
/// @tparam Op, Mma  the instruction, and the warps that issue it   @tparam BlkM, BlkN  the tile's extents
/// @tparam OperandBytes  of shared memory that the tiles of A and B leave
template <class Op, class Mma, class BlkM, class BlkN, int OperandBytes>
struct SumsOfTile {
  using TSum = typename Mma::ValC;
  static constexpr int threads = decltype(Mma::size())::value;
  static constexpr int side_by_side = detail::sums_side_by_side<Op>;

  // [slice]
  /// A slice is as high as the memory of the operands has room for, and at least one pass of the instructions.
  static constexpr int pass = decltype(Mma::template tile_size<0>())::value, passes = BlkM::value / pass;
  static constexpr int bytes_of_pass = pass * BlkN::value * int(sizeof(TSum));
  static constexpr int passes_of_slice = [] {
    int most = 1;
    for (int n = 1; n <= passes; ++n) {
      if (passes % n == 0 && n * bytes_of_pass <= OperandBytes) most = n;
    }
    return most;
  }();
  using SliceM = Int<pass * passes_of_slice>;
  // (SLICE_M,BLK_N)
  using Smem = decltype(detail::slice_tile<Op, SliceM::value, BlkN::value>());
  // [slice]

  /// Stores the sums of C. @param memory  a slice's place in shared memory, which no thread reads or writes any more
  /// @param rC (MMA,MMA_M,MMA_N)   @param first (m,n,l) of the tile
  template <class E, class Ptr, class TensorC>
  TS_INLINE TS_DEVICE static void store(E const& e, Ptr memory, TensorC const& rC, auto const& first) {
    auto const [m, n, l] = first;
    auto const N = get<1>(e.layout_c.shape());
    int const vec = 16 / int(e.narrow ? sizeof(typename E::TNarrow) : sizeof(typename E::TScale));
    bool const vectors = e.wide && (N % vec == 0 || n + BlkN{} <= N);  // each lies in C or outside of it
    detail::describe_c(e);
    auto sC = make_tensor(memory, Smem{});                                                      // (SLICE_M,BLK_N)
    auto tCsC = Mma::slice(thread_index()).partition_C(sC);  // (MMA,MMA_M of the slice,MMA_N)

    // [slices]
    static_for<passes / passes_of_slice>([&](auto i) TS_INLINE_LAMBDA {
      if constexpr (i.value > 0) sync_threads();  // all threads have read the slice before
      static_for<passes_of_slice>([&](auto s) TS_INLINE_LAMBDA {
        copy(CopyAtom<CopyBits<side_by_side * 8 * int(sizeof(TSum))>, TSum>{},
             rC(_, i * Int<passes_of_slice>{} + s, _), tCsC(_, s, _));
      });
      sync_threads();  // the slice is complete
      auto const slice = make_coord(m + i * SliceM::value, n, l);
      using Wide = detail::MatrixRef<E, typename E::TScale>;
      using Narrow = detail::MatrixRef<E, typename E::TNarrow>;
      auto const by = [&]<class Matrix, int VEC>(Matrix const& c, Int<VEC>) TS_INLINE_LAMBDA {
        if (e.plain) finish<VEC, true>(e, c, sC, slice);
        else finish<VEC, false>(e, c, sC, slice);
      };
      if (!vectors) by(detail::AnyMatrixRef<E>::of(e.c, e.narrow), _1{});
      else if (e.narrow) by(Narrow::of(e.c, true), Int<16 / sizeof(typename E::TNarrow)>{});
      else by(Wide::of(e.c, false), Int<16 / sizeof(typename E::TScale)>{});
    });
    // [slices]
  }

 private:
  /// How many vectors a thread reads before it stores the first: a single one would have to wait for its own read.
  template <bool Plain, int COUNT>
  static constexpr int together_of = Plain && COUNT % 4 == 0 ? 4 : COUNT % 2 == 0 ? 2 : 1;

  /// Computes and stores a slice of C, VEC elements of a row at once. @param sC (SLICE_M,BLK_N)   @param first (m,n,l)
  template <int VEC, bool Plain, class E, class Matrix, class TensorS>
  TS_INLINE TS_DEVICE static void finish(E const& e, Matrix const& c, TensorS const& sC, auto const& first) {
    using TScale = typename E::TScale;
    constexpr int piece = VEC * int(sizeof(TSum)) > 16 ? 16 / int(sizeof(TSum)) : VEC;  // in one access
    // of which all threads together have the vectors; a thread's next vector lies as many rows further
    constexpr int rows = threads * VEC / BlkN::value;
    static_assert(rows > 0 && threads * VEC % BlkN::value == 0,
                  "SumsToMemory: the threads' vectors do not make whole rows of C");
    auto const [m_first, n_first, l] = first;
    auto const [M, N, L] = e.layout_c.shape();
    auto const copy_c =
        detail::tile_copy<Contiguous::k, VEC, TSum, threads, SliceM::value, BlkN::value>().slice(thread_index());
    auto tSsC = group_modes<1, 3>(copy_c.partition_S(sC));                                      // (CPY,rest)
    // of the first vector
    auto const [slice_m, slice_n] = copy_c.partition_S(make_identity_tensor(make_shape(SliceM{}, BlkN{})))(_0{});
    // a slice has fewer vectors than there are threads
    if (threads * VEC > SliceM::value * BlkN::value && slice_m >= SliceM::value) return;

    auto place = detail::EpiloguePlace::of(e, make_coord(m_first + slice_m, n_first + slice_n, l));
    auto const step = detail::EpiloguePlace{rows * stride<0>(e.layout_c), rows * stride<0>(e.layout_residual),
                                            rows * stride<0>(e.layout_bias)};
    bool const column_inside = n_first + slice_n < N;
    // rows of this slice from the first vector on
    int const end = int(min(M - m_first, std::int64_t(SliceM::value))) - int(slice_m);
    constexpr int count = decltype(size<1>(tSsC))::value, together = together_of<Plain, count>;
    TS_NO_UNROLL
    for (int r = 0; r < count; r += together) {
      TSum stored[together][VEC];
      detail::Finish<Matrix, VEC, Plain, E> vectors[together];
      detail::EpiloguePlace places[together];
      auto const inside = [&](auto i) TS_INLINE_LAMBDA { return column_inside && (r + i) * rows < end; };
      unroll<together>([&](auto i) TS_INLINE_LAMBDA {
        places[i] = place;
        place = place + step;
        unroll<VEC / piece>([&](auto p) TS_INLINE_LAMBDA {
          detail::read_vector<CopyBits<8 * piece* int(sizeof(TSum))>, piece>(
              tSsC, make_coord(p * Int<piece>{}, r + i), stored[i] + p * piece, true_type{});
        });
      });
      unroll<together>([&](auto i) TS_INLINE_LAMBDA { vectors[i].read(e, c, places[i], inside(i)); });
      unroll<together>([&](auto i) TS_INLINE_LAMBDA {
        TScale sums[VEC];
        unroll<VEC>([&](auto v) TS_INLINE_LAMBDA { sums[v] = static_cast<TScale>(stored[i][v]); });
        vectors[i].store(e, c, places[i], sums, inside(i));
      });
    }
  }
};

/// Stores a block's sums to C. @tparam Config  a Pipeline
template <class Config>
using SumsToMemory =
    SumsOfTile<typename Config::Instruction, typename Config::Mma, typename Config::BlkM, typename Config::BlkN,
               Config::stages * int(cosize_v<typename Config::SmemA> * sizeof(typename Config::Mma::ValA) +
                                    cosize_v<typename Config::SmemB> * sizeof(typename Config::Mma::ValB))>;

}  // namespace tilestep
