#pragma once
// The store of a warpgroup's sums by threads, where TMA cannot address C: rows that start anywhere, or an epilogue that
// reads two matrices. The sums go through shared memory, a slab at a time.

#include "slab.hpp"        // WarpgroupSums, write_slab
#include "tile_loads.hpp"  // BlockTask

#include <tilestep/block/epilogue.hpp>  // Epilogue, finish_vector

#include <algorithm>  // std::max
#include <cstdint>    // std::uintptr_t

namespace tilestep {

/// @tparam Config  with operands along K
template <class Config>
struct ThreadStore {
  using Sums = WarpgroupSums<Config>;

  SharedPtr<float> slab;  ///< this warpgroup's memory for a slab
  int group;              ///< its barrier

  template <class E>
  TS_DEVICE TS_INLINE void store(E const& e, BlockTask const& task, Sums const& sums) const {
    auto const [dM, dN, dL] = e.layout_c.stride();
    detail::describe_c(e);
    if constexpr (has_lines) {
      if (e.plain && e.narrow && dN == 1) return store_lines<typename E::TNarrow, Major::k>(e, task, sums);
      if (e.plain && e.narrow && dM == 1) return store_lines<typename E::TNarrow, Major::mn>(e, task, sums);
    }
    store_elements(e, task, sums);
  }

 private:
  TS_DEVICE TS_INLINE static int thread() { return thread_index() % warpgroup_size; }
  TS_DEVICE TS_INLINE void sync() const { sync_group<warpgroup_size>(group); }

  /// Slab after slab: write(the coordinate of its corner in C, its sums (MMA,MMA_M,MMA_N)), then read(that corner).
  template <int COLUMNS, class Write, class Read>
  TS_DEVICE TS_INLINE void each_slab(BlockTask const& task, Sums const& sums, Write const& write,
                                     Read const& read) const {
    constexpr int slabs = Sums::template slabs<COLUMNS>;
    TS_NO_UNROLL
    for (int s = 0; s < slabs; ++s) {
      auto const [m, n, l] = sums.template place_of<COLUMNS>(task, s);
      auto const corner = make_coord(std::int64_t(m) * Sums::slab_rows, std::int64_t(n) * COLUMNS, std::int64_t(l));
      sync();  // all have read the slab before
      // registers have names: which slab's they are is known when the kernel is compiled
      unroll<slabs>([&](auto i) TS_INLINE_LAMBDA {
        if (i == s) write(corner, sums.template slab_sums<COLUMNS>(i));
      });
      sync();  // the slab is complete
      read(corner);
    }
  }

  // [lines]
  /// A thread's sums. With more than 160, ptxas makes a function of what becomes of each slab's, and where a kernel
  /// calls a function, wgmma's instructions wait for each other.
  static constexpr int sums_of_thread = Config::M * Config::N / Sums::groups / warpgroup_size;
  static constexpr bool has_lines = sums_of_thread <= 160;
  /// Slabs as wide as the buffers allow, since wide lines have fewer ends, and as registers allow, in which the other
  /// slabs' sums stay. All widths are multiples of 16.
  static constexpr int widest_slab = [] {
    int const room = Config::buffers * 128 * Sums::slab_rows / 2;  // elements
    int const widest = sums_of_thread > 112 ? 80 : 128;
    for (int parts = 1;; ++parts) {
      int const columns = Config::N / parts, lines = std::max(columns, Sums::slab_rows);  // the larger number of them
      if (Config::N % (parts * 16) == 0 && columns <= widest && columns * Sums::slab_rows + lines * 8 <= room)
        return columns;
    }
  }();

  /// C = alpha sums where lines of C, which are rows or columns, start anywhere. Memory takes 16 bytes at once from
  /// multiples of 16. In the slab a line begins as many elements after such a multiple as it does in C, so that what
  /// goes there at once lies in one word here, too. The elements before a line's first multiple, and after the last,
  /// are stored one by one.
  /// @tparam MAJOR  k: lines are rows; mn: columns
  template <class TOut, Major MAJOR, class E>
  TS_DEVICE TS_INLINE void store_lines(E const& e, BlockTask const& task, Sums const& sums) const {
    constexpr int columns = widest_slab, rows = Sums::slab_rows;
    constexpr int along = MAJOR == Major::k ? 1 : 0, lines = along == 1 ? rows : columns,
                  length = along == 1 ? columns : rows, vec = 16 / int(sizeof(TOut)), pitch = length + vec;
    auto const sC = recast<TOut>(slab);
    std::int64_t const next = get<1 - along>(e.layout_c.stride());
    // elements between a multiple of 16 bytes and the begin of a slab's line in C: of the first, and of any
    auto const first_after = [&](auto const& corner) TS_INLINE_LAMBDA {
      return int(reinterpret_cast<std::uintptr_t>(e.c) / sizeof(TOut) + e.layout_c(corner)) & (vec - 1);
    };
    auto const after = [step = int(next)](int first, int line) TS_INLINE_LAMBDA {
      return (first + line * step) & (vec - 1);
    };
    auto const write = [&](auto const& corner, auto const& rC) TS_INLINE_LAMBDA {
      int const first = first_after(corner);
      // (MMA,MMA_M,MMA_N) -> (m,n) in the slab
      auto const tCcC = typename Sums::template SlabMma<columns>{}.slice(thread()).partition_C(
          make_identity_tensor(Shape<Int<rows>, Int<columns>>{}));
      static_for<rows * columns / warpgroup_size>([&](auto i) TS_INLINE_LAMBDA {
        int const line = int(get<1 - along>(tCcC(i))), at = int(get<along>(tCcC(i)));
        sC[line * pitch + after(first, line) + at] = TOut(e.alpha * rC(i));
      });
    };
    auto const read = [&](auto const& corner) TS_INLINE_LAMBDA {
      auto const to = global(static_cast<TOut*>(e.c)) + e.layout_c(corner);
      int const first = first_after(corner);
      int const here = int(min(get<1 - along>(e.layout_c.shape()) - get<1 - along>(corner), std::int64_t{lines})),
                inside = int(min(get<along>(e.layout_c.shape()) - get<along>(corner), std::int64_t{length}));  // of C
      // Stores elements at .. at + COUNT - 1 of a line and of every TURN-th after it, which begin alike.
      auto const store_every = [&]<int COUNT, int TURN>(Int<COUNT>, Int<TURN>, int line, int at) TS_INLINE_LAMBDA {
        static_assert(lines % TURN == 0 && TURN % vec == 0);
        int const left = at >= 0 && at + COUNT <= inside ? here - line : 0;
        auto const from = sC + (line * pitch + after(first, line) + at);
        auto there = to + (line * next + at);
        unroll<lines / TURN>([&](auto i) TS_INLINE_LAMBDA {
          TOut elements[COUNT]{};
          load_if<COUNT>(from + i * TURN * pitch, elements, i * TURN < left);
          store_if<COUNT>(there, elements, i * TURN < left);
          there = there + TURN * next;
        });
      };
      constexpr int words = length / vec, lanes = words > 8 ? 16 : words > 4 ? 8 : words > 2 ? 4 : 2;
      int const word = thread() % lanes, line = thread() / lanes, at = word * vec - after(first, line);
      store_every(Int<vec>{}, Int<warpgroup_size / lanes>{}, line, word < words ? at : -1);

      constexpr Int<warpgroup_size / vec> turn;
      int const mine = thread() % vec, of = thread() / vec, before = -after(first, of) & (vec - 1),
                last = max((inside - before) / vec * vec, 0) + before;  // what follows the last multiple
      store_every(_1{}, turn, of, mine < before ? mine : last + mine - before);
      if (inside < length) store_every(_1{}, turn, of, last + vec - before + mine);
    };
    each_slab<columns>(task, sums, write, read);
  }
  // [lines]

  // [elements]
  /// Everything else: from a slab of sums each thread reads 16 bytes of C's type, or single elements where rows of C
  /// start anywhere, and computes the rest, as in chapter 17.
  template <class E>
  TS_DEVICE TS_INLINE void store_elements(E const& e, BlockTask const& task, Sums const& sums) const {
    constexpr int columns = Sums::template slab_columns<4>;
    using SlabMma = typename Sums::template SlabMma<columns>;
    auto const sC = make_tensor(slab, SlabLayout<Sums, float>{});                           // (SLAB_M,SLAB_N)
    bool const vectors = e.wide && (task.n + 1) * Config::N <= get<1>(e.layout_c.shape());
    auto const write = [&](auto const&, auto const& rC) TS_INLINE_LAMBDA {
      write_slab<Major::k, SlabMma>(rC, sC, [&](auto i) TS_INLINE_LAMBDA { return rC(i); });
    };
    auto const read = [&](auto const& corner) TS_INLINE_LAMBDA {
      if (!vectors && e.plain && !e.narrow) store_singly<columns>(e, corner);
      else if (!vectors) finish_slab<1, columns>(e, detail::AnyMatrixRef<E>::of(e.c, e.narrow), corner);
      else if (e.narrow) finish_slab<8, columns>(e, detail::MatrixRef<E, typename E::TNarrow>::of(e.c, true), corner);
      else finish_slab<4, columns>(e, detail::MatrixRef<E, float>::of(e.c, false), corner);
    };
    each_slab<columns>(task, sums, write, read);
  }
  /// C = alpha sums in f32, element by element: neighbouring threads have neighbours in memory, and a thread goes on by
  /// the same number of bytes each time.
  template <int COLUMNS, class E, class Coord>
  TS_DEVICE TS_INLINE void store_singly(E const& e, Coord const& corner) const {
    constexpr int rows = Sums::slab_rows, turns = rows * COLUMNS / warpgroup_size;
    auto const [m, n, l] = corner;
    auto const [M, N, L] = e.layout_c.shape();
    auto const [dM, dN, dL] = e.layout_c.stride();
    auto const sC = make_tensor(slab, SlabLayout<Sums, float>{});                           // (SLAB_M,SLAB_N)
    bool const along_m = dM == 1;
    int const row = along_m ? thread() % rows : thread() / COLUMNS,
              column = along_m ? thread() / rows : thread() % COLUMNS,
              down = along_m ? 0 : warpgroup_size / COLUMNS, right = along_m ? warpgroup_size / rows : 0;
    auto const to = global(static_cast<float*>(e.c)) + e.layout_c(make_coord(m + row, n + column, l));
    std::int64_t const step = down * dM + right * dN;
    int const rows_left = int(min(M - (m + row), std::int64_t{rows})),
              columns_left = int(min(N - (n + column), std::int64_t{COLUMNS}));
    float elements[turns];
    unroll<turns>([&](auto i) TS_INLINE_LAMBDA { elements[i] = e.alpha * sC(row + i * down, column + i * right); });
    unroll<turns>([&](auto i) TS_INLINE_LAMBDA {
      store_if<1>(to + i * step, elements + i, i * down < rows_left && i * right < columns_left);
    });
  }
  template <int VEC, int COLUMNS, class E, class Matrix, class Coord>
  TS_DEVICE TS_INLINE void finish_slab(E const& e, Matrix const& c, Coord const& first) const {
    auto const [m, n, l] = first;
    auto const [M, N, L] = e.layout_c.shape();
    auto const sC = make_tensor(slab, SlabLayout<Sums, float>{});                           // (SLAB_M,SLAB_N)
    bool const along_m = VEC == 1 && get<0>(e.layout_c.stride()) == 1;  // neighbouring threads store neighbours
    TS_NO_UNROLL
    for (int i = thread(); i < Sums::slab_rows * COLUMNS / VEC; i += warpgroup_size) {
      int const row = along_m ? i % Sums::slab_rows : i / (COLUMNS / VEC),
                column = along_m ? i / Sums::slab_rows : i % (COLUMNS / VEC) * VEC;
      float sums[VEC];
      if constexpr (VEC == 1) sums[0] = sC(row, column);
      else
        unroll<VEC / 4>([&](auto v) TS_INLINE_LAMBDA {
          load<4>(sC.data() + sC.layout()(row, column + v * 4), sums + v * 4);
        });
      detail::finish_vector<Matrix, VEC, false>(e, c, make_coord(m + row, n + column, l), sums,
                                                m + row < M && n + column < N);
    }
  }
  // [elements]
};

}  // namespace tilestep
