#pragma once
// The store of a warpgroup's sums by threads, where TMA cannot address C: rows that start anywhere, or an epilogue that
// reads two matrices. The sums go through shared memory, a slab at a time.

#include "slab.hpp"        // WarpgroupSums, write_slab
#include "tile_loads.hpp"  // BlockTask

#include <tilestep/atom/unaligned_run.hpp>  // UnalignedRun
#include <tilestep/block/epilogue.hpp>      // Epilogue, finish_vector

#include <algorithm>  // std::max
#include <bit>        // std::bit_ceil
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

  template <int WORDS> static constexpr int lanes_for = int(std::bit_ceil(unsigned(WORDS)));

  /// C = alpha sums where lines of C, which are rows or columns, start anywhere. Memory takes 16 bytes at once from
  /// multiples of 16, and those begin anywhere in the slab's line: a thread reads two words, and shifts what it stores
  /// out of them. The elements before a line's first multiple, and after the last, are stored one by one. Rows go on
  /// from slab to slab: a slab has what the one to its left ended with.
  /// @tparam MAJOR  k: lines are rows; mn: columns
  template <class TOut, Major MAJOR, class E>
  TS_DEVICE TS_INLINE void store_lines(E const& e, BlockTask const& task, Sums const& sums) const {
    constexpr int columns = widest_slab, rows = Sums::slab_rows;
    constexpr int along = MAJOR == Major::k ? 1 : 0, lines = along == 1 ? rows : columns,
                  length = along == 1 ? columns : rows, vec = 16 / int(sizeof(TOut)), pitch = length + vec;
    using Pitch = Int<pitch>;  // an odd number of words: the same word of eight lines lies in different banks
    auto const words = recast<TOut>(slab), sLine = words + vec;  // a line begins after its first word
    auto const sC = make_tensor(sLine, Layout<Shape<Int<rows>, Int<columns>>,
                                              std::conditional_t<along == 1, Stride<Pitch, _1>, Stride<_1, Pitch>>>{});
    std::int64_t const next = get<1 - along>(e.layout_c.stride());
    auto const write = [&](auto const&, auto const& rC) TS_INLINE_LAMBDA {
      using SlabMma = typename Sums::template SlabMma<columns>;
      write_slab<MAJOR, SlabMma>(rC, sC, [&](auto i) TS_INLINE_LAMBDA { return e.alpha * element(rC, i); });
    };
    auto const read = [&](auto const& corner) TS_INLINE_LAMBDA {
      auto const to = global(static_cast<TOut*>(e.c)) + e.layout_c(corner);
      std::int64_t const left = get<along>(e.layout_c.shape()) - get<along>(corner);
      std::int64_t const left_lines = get<1 - along>(e.layout_c.shape()) - get<1 - along>(corner);
      int const inside = int(min(left, std::int64_t{length})),  // elements of a line that C has
          here = inside > 0 ? int(min(left_lines, std::int64_t{lines})) : 0;
      std::int64_t const n = get<1>(corner) - std::int64_t(task.n) * Config::N;
      bool const begins = along == 0 || n == 0, ends = along == 0 || left <= length || n + columns == Config::N;
      // elements between a multiple of 16 bytes and the begin of a line in C
      auto const after = [&, first = int(reinterpret_cast<std::uintptr_t>(e.c) / sizeof(TOut) + e.layout_c(corner)),
                          step = int(next)](int line) TS_INLINE_LAMBDA { return (first + line * step) & (vec - 1); };
      // A thread stores the same word of some lines, which begin alike.
      constexpr int line_words = length / vec, lanes = lanes_for<line_words>;
      constexpr int turn = warpgroup_size / lanes, stores = lines / turn, at_once = 4;
      static_assert(lines % turn == 0 && turn % vec == 0);
      int const word = thread() % lanes, line = thread() / lanes, at = word * vec - after(line);
      bool const whole = word < line_words && at + vec <= inside && (at >= 0 || !begins);
      int const stored = whole ? here - line : 0, first = line * pitch + vec + (whole ? at : 0), skip = first % vec;
      auto const from = recast<std::uint32_t>(words + (first - skip)), from_next = skip > 0 ? from + 4 : from;
      auto there = to + (line * next + at);
      static_for<(stores + at_once - 1) / at_once>([&](auto part) TS_INLINE_LAMBDA {
        constexpr int before = decltype(part)::value * at_once, together = min(at_once, stores - before);
        UnalignedRun<TOut> run[together];  // all on their way before the first is shifted
        unroll<together>([&](auto i) TS_INLINE_LAMBDA {
          int const ahead = (before + i) * turn * pitch;
          run[i].skip = skip, run[i].count = vec;
          load<4>(from + ahead / 2, run[i].bits);
          load<4>(from_next + ahead / 2, run[i].bits + 4);
          if (columns < Config::N && word == 0 && !ends) {  // for the next slab
            std::uint32_t last[4];
            load<4>(recast<std::uint32_t>(words + (line * pitch + length + ahead)), last);
            tilestep::store<4>(recast<std::uint32_t>(words + (line * pitch + ahead)), last);
          }
        });
        unroll<together>([&](auto i) TS_INLINE_LAMBDA {
          TOut elements[vec];
          run[i].shift();
          __builtin_memcpy(elements, run[i].bits, 16);
          store_if<vec>(there, elements, (before + i) * turn < stored);
          there = there + turn * next;
        });
      });

      // What is left: elements of a line before its first multiple, and after the last.
      constexpr int turn_singly = warpgroup_size / vec;
      int const mine = thread() % vec, of = thread() / vec, before = begins ? min(-after(of) & (vec - 1), inside) : 0,
                last = max((inside + after(of)) / vec * vec - after(of), begins ? before : -vec);
      auto const store_singly = [&](int element, bool wanted) TS_INLINE_LAMBDA {
        int const singles = wanted && element < inside ? here - of : 0;
        auto goal = to + (of * next + element);
        unroll<lines / turn_singly>([&](auto i) TS_INLINE_LAMBDA {
          TOut one[1]{};
          load_if<1>(sLine + ((of + i * turn_singly) * pitch + element), one, i * turn_singly < singles);
          store_if<1>(goal, one, i * turn_singly < singles);
          goal = goal + turn_singly * next;
        });
      };
      store_singly(mine < before ? mine : last + mine - before, mine < before || ends);
      if (inside < length && begins) store_singly(last + vec - before + mine, ends);
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
      write_slab<Major::k, SlabMma>(rC, sC, [&](auto i) TS_INLINE_LAMBDA { return element(rC, i); });
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
