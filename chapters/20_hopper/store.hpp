#pragma once
// The store of a warpgroup's sums. They go through shared memory, a slab at a time, in rows as wide as a swizzle. From
// there TMA stores them where C is computed from sums alone: scaled, with bias and activation. Otherwise threads read
// the slab by rows and compute the rest, as in chapter 17.

#include "products.hpp"    // Products
#include "tile_loads.hpp"  // BlockTask

#include <tilestep/atom/stmatrix.hpp>   // stmatrix
#include <tilestep/block/copy.hpp>      // copies by atoms
#include <tilestep/block/epilogue.hpp>  // Epilogue, finish_vector, gelu

#include <cmath>  // INFINITY

namespace tilestep {

/// A slab in shared memory as stmatrix writes and TMA reads it, and the copy that takes it to C (M,N,L).
template <class Sums, class TOut>
using SlabLayout =
    decltype(coalesce(swizzled_tile<TOut, Major::k, TileSwizzle(Sums::template slab_columns<sizeof(TOut)> *
                                                                int(sizeof(TOut)))>(
                          Shape<Int<Sums::slab_rows>, Int<Sums::template slab_columns<sizeof(TOut)>>>{}),
                      Shape<_1, _1>{}));
template <class Sums, class TOut> using TmaSlab = TmaCopy<SM90_TMA_STORE, TOut, SlabLayout<Sums, TOut>>;

/// @tparam Sums  Products of a configuration
template <class Config, class Sums>
struct StoreSums {
  using T = typename Config::T;
  static constexpr int buffers = Config::buffers, buffer_bytes = Sums::slab_rows * 128;
  struct Memory {
    alignas(1024) SharedArray<float, Config::consumers * buffers * buffer_bytes / 4> slabs;
  };

  SharedPtr<float> mine;  ///< this warpgroup's buffers
  int group;              ///< its barrier

  TS_DEVICE StoreSums(Memory& memory, int consumer)
      : mine(shared(memory.slabs, "sC") + consumer * buffers * (buffer_bytes / 4)), group(1 + consumer) {}

  /// @param p  with epilogue, c and copies_out
  template <class Params>
  TS_DEVICE TS_INLINE void store(Params const& p, BlockTask const& task, Sums const& sums) const {
    if (p.copies_out) {
      if (p.epilogue.narrow) by_copy<T>(p, task, sums);
      else by_copy<float>(p, task, sums);
    } else {
      by_threads(p.epilogue, task, sums);
    }
  }
  /// When a warpgroup has nothing left to store.
  TS_DEVICE TS_INLINE void end() const {
    if (is_leader()) tma_store_wait_read<0>();  // shared memory stays until it is read
  }

 private:
  TS_DEVICE TS_INLINE static bool is_leader() { return thread_index() % warpgroup_size == 0; }
  TS_DEVICE TS_INLINE void sync() const { sync_group<warpgroup_size>(group); }

  /// The coordinate of a slab in C, (m,n,l), counted in slabs.
  template <int COLUMNS>
  TS_DEVICE TS_INLINE static auto place_of(BlockTask const& task, Sums const& sums, int slab) {
    return make_coord(task.m * (Config::M / Sums::slab_rows) + sums.template slab_m<COLUMNS>(slab),
                      task.n * (Config::N / COLUMNS) + sums.template slab_n<COLUMNS>(slab), task.sums);
  }
  // [write]
  /// This thread's sums of a slab to shared memory, in the type of C: 16 bits by stmatrix, 32 bits in pairs.
  /// @param sums (MMA,MMA_M,MMA_N) in registers   @param sC (SLAB_M,SLAB_N)   @param finish  what becomes of sum i
  template <int COLUMNS, class Slab, class TensorC, class F>
  TS_DEVICE TS_INLINE static void write(Slab const& sums, TensorC const& sC, F const& finish) {
    using TOut = typename TensorC::value_type;
    using Operation = std::conditional_t<sizeof(TOut) == 2, SM90_U32x4_STSM_N, UniversalCopy<std::uint64_t>>;
    using SlabMma = typename Sums::template SlabMma<COLUMNS>;
    auto rD = make_register_tensor<TOut>(sums.shape());                                     // (MMA,MMA_M,MMA_N)
    static_for<size_v<typename Slab::layout_type>>([&](auto i) TS_INLINE_LAMBDA { rD(i) = TOut(finish(i)); });
    auto const tiled = make_tiled_copy_C(CopyAtom<Operation, TOut>{}, SlabMma{});
    auto const thr_copy = tiled.slice(thread_index() % warpgroup_size);
    copy(tiled, thr_copy.retile_S(rD), thr_copy.partition_D(sC));                           // (CPY,CPY_M,CPY_N)
  }
  // [write]

  // [by_copy]
  /// C = act(alpha sums + bias): written to shared memory in the type of C, then stored by TMA, which leaves out
  /// what lies outside of C.
  template <class TOut, class Params>
  TS_DEVICE TS_INLINE void by_copy(Params const& p, BlockTask const& task, Sums const& sums) const {
    constexpr int columns = Sums::template slab_columns<sizeof(TOut)>, slabs = Sums::template slabs<columns>;
    // buffers that take turns: a tile ends with the last one, the next begins with the first
    constexpr int turn = slabs % buffers == 0 ? buffers : 1;
    auto const& e = p.epilogue;
    auto const& tma = [&]() -> auto const& {
      if constexpr (sizeof(TOut) == 2) return p.tma_c;
      else return p.tma_c_f32;
    }();
    // (M,N,L)
    auto const mC = tma.get_tma_tensor(make_shape(p.m, p.n, p.schedule.batches * p.schedule.slices));
    unroll<slabs>([&](auto s) TS_INLINE_LAMBDA {
      auto const place = place_of<columns>(task, sums, s);
      int const m = get<0>(place) * Sums::slab_rows, n = get<1>(place) * columns;
      auto const gC = local_tile(mC, Shape<Int<Sums::slab_rows>, Int<columns>>{}, place);    // (SLAB_M,SLAB_N)
      auto const sC =
          make_tensor(recast<TOut>(mine + s % turn * (buffer_bytes / 4)), SlabLayout<Sums, TOut>{});
      auto const rC = sums.template slab_sums<columns>(s);                                  // (MMA,MMA_M,MMA_N)
      // [slab]
      if (is_leader()) tma_store_wait_read<turn - 1>();
      sync();  // the copy that had this buffer before has read it
      if (e.plain) write<columns>(rC, sC, [&](auto i) TS_INLINE_LAMBDA { return e.alpha * rC(i); });
      else if constexpr (sizeof(TOut) == 2) write_with_bias<columns>(e, rC, sC, n, p.n);
      fence_proxy_async();
      sync();  // the slab is complete
      if (is_leader() && m < p.m && n < p.n) copy(tma.with(), tma.slice().partition_S(sC), tma.slice().partition_D(gC));
      if (is_leader()) tma_store_commit();
      // [slab]
    });
  }
  // [by_copy]

  // [bias]
  /// A slab with bias and activation. @param n  its first column in C, which has N, a multiple of 8
  template <int COLUMNS, class E, class Slab, class TensorC>
  TS_DEVICE TS_INLINE static void write_with_bias(E const& e, Slab const& sums, TensorC const& sC, int n, int N) {
    float const floor = e.activation == Activation::relu ? 0 : -INFINITY;
    // All rows have the same bias: a thread needs one for each of its columns.
    using Bias = Layout<Shape<Int<Sums::slab_rows>, Int<COLUMNS>>, Stride<_0, _1>>;          // (SLAB_M,SLAB_N) -> n
    auto const thr_mma = typename Sums::template SlabMma<COLUMNS>{}.slice(thread_index() % warpgroup_size);
    auto const tCnC = thr_mma.partition_C(make_view(CoordinateIterator<int>{n}, Bias{}));   // (MMA,MMA_M,MMA_N) -> n
    auto tCrBias = make_fragment_like<float>(tCnC);                                         // (MMA,MMA_M,MMA_N)
    static_for<COLUMNS / 8>([&](auto c) TS_INLINE_LAMBDA {
      float pair[2]{};
      int const first = tCnC(c * _4{});
      if (e.bias) load_if<2>(global(e.bias) + first, pair, first < N);
      tCrBias(c * _4{}) = pair[0];
      tCrBias(c * _4{} + _1{}) = pair[1];
    });
    if (e.activation == Activation::gelu) {
      write<COLUMNS>(sums, sC, [&](auto i) TS_INLINE_LAMBDA { return gelu(e.alpha * sums(i) + tCrBias(i)); });
    } else {
      write<COLUMNS>(sums, sC, [&](auto i) TS_INLINE_LAMBDA {
        float const x = e.alpha * sums(i) + tCrBias(i);
        return x < floor ? floor : x;  // NaN stays
      });
    }
  }
  // [bias]

  // [by_threads]
  /// Everything else: from a slab of sums each thread reads 16 bytes of C's type, or single elements where rows of C
  /// start anywhere.
  template <class E>
  TS_DEVICE TS_INLINE void by_threads(E const& e, BlockTask const& task, Sums const& sums) const {
    constexpr int columns = Sums::template slab_columns<4>, slabs = Sums::template slabs<columns>;
    auto const sC = make_tensor(mine, SlabLayout<Sums, float>{});                           // (SLAB_M,SLAB_N)
    using Wide = detail::MatrixRef<E, float>;
    using Narrow = detail::MatrixRef<E, typename E::TNarrow>;
    bool const vectors = e.wide && (task.n + 1) * Config::N <= get<1>(e.layout_c.shape());
    detail::describe_c(e);
    TS_NO_UNROLL
    for (int s = 0; s < slabs; ++s) {
      sync();  // all have read the slab before
      // registers have names: which slab's they are is known when the kernel is compiled
      unroll<slabs>([&](auto i) TS_INLINE_LAMBDA {
        auto const rC = sums.template slab_sums<columns>(i);                                // (MMA,MMA_M,MMA_N)
        if (i == s) write<columns>(rC, sC, [&](auto j) TS_INLINE_LAMBDA { return rC(j); });
      });
      sync();  // the slab is complete
      auto const [m, n, l] = place_of<columns>(task, sums, s);
      auto const first = make_coord(std::int64_t(m * Sums::slab_rows), std::int64_t(n * columns), std::int64_t(l));
      auto const by = [&]<class Matrix, int VEC>(Matrix const& c, Int<VEC>) TS_INLINE_LAMBDA {
        if (e.plain) finish_slab<VEC, columns, true>(e, c, first);
        else finish_slab<VEC, columns, false>(e, c, first);
      };
      if (!vectors && e.plain && e.narrow) store_singly<typename E::TNarrow, columns>(e, first);
      else if (!vectors && e.plain) store_singly<float, columns>(e, first);
      else if (!vectors) by(detail::AnyMatrixRef<E>::of(e.c, e.narrow), _1{});
      else if (e.narrow) by(Narrow::of(e.c, true), _8{});
      else by(Wide::of(e.c, false), _4{});
    }
  }
  // [singly]
  /// C = alpha sums, element by element: neighbouring threads have neighbours in memory, and a thread goes on by the
  /// same number of bytes each time.
  template <class TOut, int COLUMNS, class E, class Coord>
  TS_DEVICE TS_INLINE void store_singly(E const& e, Coord const& first) const {
    constexpr int rows = Sums::slab_rows, turns = rows * COLUMNS / warpgroup_size;
    auto const [m, n, l] = first;
    auto const [M, N, L] = e.layout_c.shape();
    auto const sC = make_tensor(mine, SlabLayout<Sums, float>{});                           // (SLAB_M,SLAB_N)
    auto const [dM, dN, dL] = e.layout_c.stride();
    int const thread = thread_index() % warpgroup_size;
    bool const along_m = dM == 1;
    int const row = along_m ? thread % rows : thread / COLUMNS, column = along_m ? thread / rows : thread % COLUMNS,
              down = along_m ? 0 : warpgroup_size / COLUMNS, right = along_m ? warpgroup_size / rows : 0;
    auto const to = global(static_cast<TOut*>(e.c)) + e.layout_c(make_coord(m + row, n + column, l));
    std::int64_t const step = down * dM + right * dN;
    int const rows_left = int(min(M - (m + row), std::int64_t{rows})),
              columns_left = int(min(N - (n + column), std::int64_t{COLUMNS}));
    TOut elements[turns];
    unroll<turns>([&](auto i) TS_INLINE_LAMBDA {
      elements[i] = TOut(e.alpha * sC(row + i * down, column + i * right));
    });
    unroll<turns>([&](auto i) TS_INLINE_LAMBDA {
      store_if<1>(to + i * step, elements + i, i * down < rows_left && i * right < columns_left);
    });
  }
  // [singly]
  template <int VEC, int COLUMNS, bool Plain, class E, class Matrix, class Coord>
  TS_DEVICE TS_INLINE void finish_slab(E const& e, Matrix const& c, Coord const& first) const {
    auto const [m, n, l] = first;
    auto const [M, N, L] = e.layout_c.shape();
    auto const sC = make_tensor(mine, SlabLayout<Sums, float>{});                           // (SLAB_M,SLAB_N)
    bool const along_m = VEC == 1 && get<0>(e.layout_c.stride()) == 1;  // neighbouring threads store neighbours
    TS_NO_UNROLL
    for (int i = thread_index() % warpgroup_size; i < Sums::slab_rows * COLUMNS / VEC; i += warpgroup_size) {
      int const row = along_m ? i % Sums::slab_rows : i / (COLUMNS / VEC),
                column = along_m ? i / Sums::slab_rows : i % (COLUMNS / VEC) * VEC;
      float sums[VEC];
      if constexpr (VEC == 1) sums[0] = sC(row, column);
      else
        unroll<VEC / 4>([&](auto v) TS_INLINE_LAMBDA {
          load<4>(sC.data() + sC.layout()(row, column + v * 4), sums + v * 4);
        });
      detail::finish_vector<Matrix, VEC, Plain>(e, c, make_coord(m + row, n + column, l), sums,
                                                m + row < M && n + column < N);
    }
  }
  // [by_threads]
};

}  // namespace tilestep
