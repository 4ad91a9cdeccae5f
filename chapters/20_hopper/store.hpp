#pragma once
// A warpgroup's sums on their way to memory. They go through shared memory, a slab at a time, in rows as wide as a
// swizzle. From there the copy engine takes them where C is made of sums alone, scaled, with bias and activation; else
// the threads do, who read the slab by rows and do the rest of the computing, as in chapter 17.

#include "products.hpp"    // Unit
#include "tile_loads.hpp"  // BlockTask

#include <tilestep/atom/stmatrix.hpp>   // stmatrix
#include <tilestep/block/epilogue.hpp>  // Epilogue, finish_vector, gelu

#include <cmath>  // INFINITY

namespace tilestep {

/// A slab in shared memory as stmatrix writes and TMA reads it, and the copy that takes it to C (M,N,L).
template <class Sums, class TOut>
using SlabLayout =
    decltype(swizzled_tile<TOut, Major::k, TileSwizzle(Sums::template slab_columns<sizeof(TOut)>* int(sizeof(TOut)))>(
        Shape<Int<Sums::slab_rows>, Int<Sums::template slab_columns<sizeof(TOut)>>>{}));
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
  /// Where element (row,column) of a slab stands. @tparam COLUMNS  of the slab
  template <class TOut, int COLUMNS>
  TS_DEVICE TS_INLINE static int place(int row, int column) {
    constexpr int bytes = int(sizeof(TOut)) * COLUMNS;
    return int(swizzled(std::uint32_t(row * bytes + column * int(sizeof(TOut))), TileSwizzle(bytes))) /
           int(sizeof(TOut));
  }

  // [unit]
  /// A warp's unit to the slab, in the type of C. @param finish  what becomes of a sum, and of which of this lane's
  /// four columns it is
  template <class TOut, int COLUMNS, class F>
  TS_DEVICE TS_INLINE static void write_unit(SharedPtr<TOut> slab, int row, int column, Unit const& unit,
                                             F const& finish) {
    int const lane = lane_index();
    [[maybe_unused]] std::uint32_t packed[4];
    TS_UNROLL
    for (int i = 0; i < 4; ++i) {
      TOut const pair[2] = {TOut(finish(unit[i][0], i / 2 * 2)), TOut(finish(unit[i][1], i / 2 * 2 + 1))};
      if constexpr (sizeof(TOut) == 2) packed[i] = std::uint32_t(pair[0].bits) | std::uint32_t(pair[1].bits) << 16;
      else
        tilestep::store<2>(slab + place<TOut, COLUMNS>(row + i % 2 * 8 + lane / 4, column + i / 2 * 8 + lane % 4 * 2),
                           pair);
    }
    if constexpr (sizeof(TOut) == 2)
      stmatrix<4, false>(slab + place<TOut, COLUMNS>(row + lane % 16, column + lane / 16 * 8), packed);
  }
  // [unit]

  // [by_copy]
  /// C = act(alpha sums + bias): written to shared memory in the type of C, then taken by the copy engine, which leaves
  /// out what lies outside of C.
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
    TS_UNROLL
    for (int s = 0; s < slabs; ++s) {
      auto const place = place_of<columns>(task, sums, s);
      int const m = get<0>(place) * Sums::slab_rows, n = get<1>(place) * columns;
      auto const slab = recast<TOut>(mine + s % turn * (buffer_bytes / 4));
      auto const gC = local_tile(mC, Shape<Int<Sums::slab_rows>, Int<columns>>{},
                                 place);  // (SLAB_M,SLAB_N)
      auto const tCsC = tma.slice().partition_S(make_tensor(slab, SlabLayout<Sums, TOut>{}));  // (TMA,TMA_M,TMA_N)
      // [slab]
      if (is_leader()) tma_store_wait_read<turn - 1>();
      sync();  // the copy that had this buffer before has read it
      sums.template for_each_unit<columns>(s, [&](int row, int column, Unit const& unit) TS_INLINE_LAMBDA {
        if (e.plain)
          write_unit<TOut, columns>(slab, row, column, unit,
                                    [&](float sum, int) TS_INLINE_LAMBDA { return e.alpha * sum; });
        else if constexpr (sizeof(TOut) == 2 && !Config::by_warps)
          write_with_bias<columns>(e, slab, row, column, unit, n + column, p.n);
      });
      fence_proxy_async();
      sync();  // the slab is complete
      if (is_leader() && m < p.m && n < p.n) copy(tma.with(), tCsC, tma.slice().partition_D(gC));
      if (is_leader()) tma_store_commit();
      // [slab]
    }
  }
  // [by_copy]

  // [bias]
  /// A unit with bias and activation. @param n  its first column in C, which has N, a multiple of 8
  template <int COLUMNS, class E, class TOut>
  TS_DEVICE TS_INLINE static void write_with_bias(E const& e, SharedPtr<TOut> slab, int row, int column,
                                                  Unit const& unit, int n, int N) {
    float const floor = e.activation == Activation::relu ? 0 : -INFINITY;
    float bias[4]{};
    int const first = n + lane_index() % 4 * 2;
    if (e.bias) {
      load_if<2>(global(e.bias) + first, bias, first < N);
      load_if<2>(global(e.bias) + first + 8, bias + 2, first + 8 < N);
    }
    if (e.activation == Activation::gelu) {
      write_unit<TOut, COLUMNS>(slab, row, column, unit,
                                [&](float sum, int at) TS_INLINE_LAMBDA { return gelu(e.alpha * sum + bias[at]); });
    } else {
      write_unit<TOut, COLUMNS>(slab, row, column, unit, [&](float sum, int at) TS_INLINE_LAMBDA {
        float const x = e.alpha * sum + bias[at];
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
    using Wide = detail::MatrixRef<E, float>;
    using Narrow = detail::MatrixRef<E, typename E::TNarrow>;
    bool const vectors = e.wide && (task.n + 1) * Config::N <= get<1>(e.layout_c.shape());
    detail::describe_c(e);
    TS_NO_UNROLL
    for (int s = 0; s < slabs; ++s) {
      sync();  // all have read the slab before
      TS_UNROLL
      // registers have names: which slab's they are is known when the kernel is compiled
      for (int i = 0; i < slabs; ++i) {
        if (i != s) continue;
        sums.template for_each_unit<columns>(i, [&](int row, int column, Unit const& unit) TS_INLINE_LAMBDA {
          write_unit<float, columns>(mine, row, column, unit, [](float sum, int) TS_INLINE_LAMBDA { return sum; });
        });
      }
      sync();  // the slab is complete
      auto const [m, n, l] = place_of<columns>(task, sums, s);
      auto const first = make_coord(std::int64_t(m * Sums::slab_rows), std::int64_t(n * columns), std::int64_t(l));
      auto const by = [&]<class Matrix, int VEC>(Matrix const& c, Int<VEC>) TS_INLINE_LAMBDA {
        if (e.plain) finish_slab<VEC, columns, true>(e, c, first);
        else finish_slab<VEC, columns, false>(e, c, first);
      };
      if (!vectors) by(detail::AnyMatrixRef<E>::of(e.c, e.narrow), _1{});
      else if (e.narrow) by(Narrow::of(e.c, true), _8{});
      else by(Wide::of(e.c, false), _4{});
    }
  }
  template <int VEC, int COLUMNS, bool Plain, class E, class Matrix, class Coord>
  TS_DEVICE TS_INLINE void finish_slab(E const& e, Matrix const& c, Coord const& first) const {
    auto const [m, n, l] = first;
    auto const [M, N, L] = e.layout_c.shape();
    bool const along_m = VEC == 1 && get<0>(e.layout_c.stride()) == 1;  // neighbouring threads store neighbours
    TS_NO_UNROLL
    for (int i = thread_index() % warpgroup_size; i < Sums::slab_rows * COLUMNS / VEC; i += warpgroup_size) {
      int const row = along_m ? i % Sums::slab_rows : i / (COLUMNS / VEC),
                column = along_m ? i / Sums::slab_rows : i % (COLUMNS / VEC) * VEC;
      float sums[VEC];
      if constexpr (VEC == 1) sums[0] = mine[place<float, COLUMNS>(row, column)];
      else
        static_for<VEC / 4>([&](auto v) TS_INLINE_LAMBDA {
          load<4>(mine + place<float, COLUMNS>(row, column + v.value * 4), sums + v.value * 4);
        });
      detail::finish_vector<Matrix, VEC, Plain>(e, c, make_coord(m + row, n + column, l), sums,
                                                m + row < M && n + column < N);
    }
  }
  // [by_threads]
};

}  // namespace tilestep
