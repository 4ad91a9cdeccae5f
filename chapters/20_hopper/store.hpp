#pragma once
// The store of a warpgroup's sums. They go through shared memory, a slab at a time, in rows as wide as a swizzle. From
// there TMA stores them, and before that it brings to the same place what is added to them: C with beta, or a residual.

#include "store_by_threads.hpp"  // ThreadStore, WarpgroupSums, BlockTask

#include <tilestep/atom/ldmatrix.hpp>      // ldmatrix
#include <tilestep/block/epilogue.hpp>     // Epilogue, finish_vector, gelu
#include <tilestep/block/gemm_params.hpp>  // MatrixLayout
#include <tilestep/block/schedule.hpp>     // TileSchedule

#include <cmath>  // INFINITY

namespace tilestep {

/// The copies of slabs where C (M,N,L) is of type TOut.
template <class Config, class TOut>
struct SlabCopies {
  using Slab = SlabLayout<WarpgroupSums<Config>, TOut>;
  TmaCopy<SM90_TMA_STORE, TOut, Slab> c;
  TmaCopy<SM90_TMA_LOAD, TOut, Slab> added;  ///< of what sums are added to: C before, or the residual
};

/// What a kernel must know to store C. @tparam Config  with operands along K
template <class Config>
struct StoreParams {
  // where copies_out: those of the type that C has
  SlabCopies<Config, typename Config::T> slabs;
  SlabCopies<Config, float> slabs_f32;
  Epilogue<float, typename Config::T, MatrixLayout> epilogue;
  TileSchedule schedule;       ///< of clusters: a tile is what a cluster computes
  int m, n;
  alignas(4) bool copies_out;  ///< TMA stores C
  alignas(4) bool adds;        ///< and loads what sums are added to
};

/// @tparam Config  with operands along K
template <class Config>
struct StoreSums {
  using Params = StoreParams<Config>;
  using Sums = WarpgroupSums<Config>;
  using T = typename Config::T;
  static constexpr int buffers = Config::buffers, buffer_bytes = Sums::slab_rows * 128;
  struct Memory {
    alignas(1024) SharedArray<float, Config::consumers * buffers * buffer_bytes / 4> slabs;
    SharedArray<Mbarrier, Config::consumers * buffers> added;  // the slab to add has arrived
  };

  SharedPtr<float> mine;      ///< this warpgroup's buffers
  SharedPtr<Mbarrier> added;  ///< and their mbarriers
  int group;                  ///< its barrier
  int slabs_added = 0;        ///< since the kernel began

  TS_DEVICE StoreSums(Memory& memory, int consumer)
      : mine(shared(memory.slabs, "sC") + consumer * buffers * (buffer_bytes / 4)),
        added(shared(memory.added, "added") + consumer * buffers),
        group(1 + consumer) {}

  /// One thread, before the block's mbarriers are fenced.
  TS_DEVICE static void begin(Memory& memory) {
    for (int i = 0; i < Config::consumers * buffers; ++i) mbarrier_init(shared(memory.added, "added") + i, 1);
  }
  /// Before the products of a task: what its first slabs are added to is on its way while they are computed.
  TS_DEVICE TS_INLINE void fetch(Params const& p, BlockTask const& task, Sums const& sums) const {
    if (!p.adds || !is_leader()) return;
    tma_store_wait_read<0>();  // the slabs of the task before have left
    if (p.epilogue.narrow) fetch_first<T>(p, task, sums);
    else fetch_first<float>(p, task, sums);
  }
  TS_DEVICE TS_INLINE void store(Params const& p, BlockTask const& task, Sums const& sums) {
    if (p.copies_out) {
      if (p.epilogue.narrow) by_copy<T>(p, task, sums);
      else by_copy<float>(p, task, sums);
    } else {
      ThreadStore<Config>{mine, group}.store(p.epilogue, task, sums);
    }
  }
  /// When a warpgroup has nothing left to store.
  TS_DEVICE TS_INLINE void end() const {
    if (is_leader()) tma_store_wait_read<0>();  // shared memory stays until it is read
  }

 private:
  TS_DEVICE TS_INLINE static bool is_leader() { return thread_index() % warpgroup_size == 0; }
  TS_DEVICE TS_INLINE void sync() const { sync_group<warpgroup_size>(group); }

  template <int COLUMNS> using SlabMma = typename Sums::template SlabMma<COLUMNS>;
  template <class TOut> static constexpr int columns_of = Sums::template slab_columns<sizeof(TOut)>;
  template <class TOut> static constexpr int slabs_of = Sums::template slabs<columns_of<TOut>>;
  /// Buffers that take turns: a tile ends with the last one, the next begins with the first.
  template <class TOut> static constexpr int turn = slabs_of<TOut> % buffers == 0 ? buffers : 1;

  template <class TOut>
  TS_DEVICE TS_INLINE static auto const& copies_of(Params const& p) {
    if constexpr (sizeof(TOut) == 2) return p.slabs;
    else return p.slabs_f32;
  }
  template <class TOut>
  TS_DEVICE TS_INLINE auto buffer_of(int slab) const {                                      // (SLAB_M,SLAB_N)
    return make_tensor(recast<TOut>(mine + slab % turn<TOut> * (buffer_bytes / 4)), SlabLayout<Sums, TOut>{});
  }

  /// Fills the buffers for the first time in a task.
  template <class TOut>
  TS_DEVICE TS_INLINE void fetch_first(Params const& p, BlockTask const& task, Sums const& sums) const {
    for (int slab = 0; slab < turn<TOut>; ++slab)
      fetch_slab<TOut>(p, sums.template place_of<columns_of<TOut>>(task, slab), slab);
  }
  // [added]
  /// Issues the copy of a slab to which sums are added, to the place where they will be.
  /// @param place  of the slab in C, in slabs
  template <class TOut, class Place>
  TS_DEVICE TS_INLINE void fetch_slab(Params const& p, Place const& place, int slab) const {
    auto const& tma = copies_of<TOut>(p).added;
    auto const mX = tma.get_tma_tensor(make_shape(p.m, p.n, p.schedule.batches));           // (M,N,L)
    auto const gX = local_tile(mX, Shape<Int<Sums::slab_rows>, Int<columns_of<TOut>>>{}, place);  // (SLAB_M,SLAB_N)
    auto const arrived = added + slab % turn<TOut>;
    mbarrier_arrive_expect(arrived, tma.tile_bytes);
    copy(tma.with(arrived), tma.slice().partition_S(gX), tma.slice().partition_D(buffer_of<TOut>(slab)));
  }
  /// What this thread's sums of a slab are added to, once it has arrived: 16 bits by ldmatrix, which gives a thread
  /// what stmatrix takes from it.
  /// @param adds  false: zeros, at once
  /// @param sums (MMA,MMA_M,MMA_N) in registers   @param sC (SLAB_M,SLAB_N)   @return (MMA,MMA_M,MMA_N) in registers
  template <int COLUMNS, class Slab, class TensorC>
  TS_DEVICE TS_INLINE auto read_added(bool adds, Slab const& sums, TensorC const& sC, int slab) {
    using TOut = typename TensorC::value_type;
    using Operation = std::conditional_t<sizeof(TOut) == 2, SM75_U32x4_LDSM_N, UniversalCopy<std::uint64_t>>;
    auto rX = make_register_tensor<TOut>(sums.shape());                                     // (MMA,MMA_M,MMA_N)
    if (!adds) {
      clear(rX);
      return rX;
    }
    mbarrier_wait(added + slab % turn<TOut>, slabs_added++ / turn<TOut> % 2);
    auto const tiled = make_tiled_copy_C(CopyAtom<Operation, TOut>{}, typename Sums::template SlabMma<COLUMNS>{});
    auto const thr_copy = tiled.slice(thread_index() % warpgroup_size);
    copy(tiled, thr_copy.partition_S(sC), thr_copy.retile_D(rX));                           // (CPY,CPY_M,CPY_N)
    return rX;
  }
  // [added]

  // [by_copy]
  /// C: written to shared memory in its type, then stored by TMA, which leaves out what lies outside of C.
  template <class TOut>
  TS_DEVICE TS_INLINE void by_copy(Params const& p, BlockTask const& task, Sums const& sums) {
    constexpr int columns = columns_of<TOut>;
    unroll<slabs_of<TOut>>([&](auto s) TS_INLINE_LAMBDA {
      store_slab<TOut>(p, sums.template place_of<columns>(task, s), sums.template slab_sums<columns>(s), s);
    });
  }
  /// @param place  of the slab in C, in slabs   @param rC (MMA,MMA_M,MMA_N) its sums in registers
  template <class TOut, class Place, class Slab>
  TS_DEVICE TS_INLINE void store_slab(Params const& p, Place const& place, Slab const& rC, int slab) {
    constexpr int columns = columns_of<TOut>;
    auto const& e = p.epilogue;
    auto const& tma = copies_of<TOut>(p).c;
    auto const mC = tma.get_tma_tensor(make_shape(p.m, p.n, p.schedule.batches * p.schedule.slices));  // (M,N,L)
    auto const gC = local_tile(mC, Shape<Int<Sums::slab_rows>, Int<columns>>{}, place);      // (SLAB_M,SLAB_N)
    auto const sC = buffer_of<TOut>(slab);
    int const m = get<0>(place) * Sums::slab_rows, n = get<1>(place) * columns;
    // [slab]
    auto const scaled = [&](auto i) TS_INLINE_LAMBDA { return e.alpha * element(rC, i); };
    if (is_leader()) tma_store_wait_read<turn<TOut> - 1>();
    if (p.adds && slab >= turn<TOut> && is_leader()) fetch_slab<TOut>(p, place, slab);  // fetch() has those before
    sync();  // the copy that had this buffer before has read it
    bool const plain = sizeof(TOut) == 2 && e.plain;  // of f32, finish() is as short
    if (plain) write_slab<Major::k, SlabMma<columns>>(rC, sC, scaled);
    else finish<columns>(p, rC, sC, slab, n);
    fence_proxy_async();
    sync();  // the slab is complete
    if (is_leader() && m < p.m && n < p.n) copy(tma.with(), tma.slice().partition_S(sC), tma.slice().partition_D(gC));
    if (is_leader()) tma_store_commit();
    // [slab]
  }
  // [by_copy]

  // [finish]
  /// A slab of C = act(alpha sums + beta before + bias) + residual; where C is f32, without activation and bias.
  /// @param n  the slab's first column in C
  template <int COLUMNS, class Slab, class TensorC>
  TS_DEVICE TS_INLINE void finish(Params const& p, Slab const& sums, TensorC const& sC, int slab, int n) {
    auto const& e = p.epilogue;
    auto const rX = read_added<COLUMNS>(p.adds, sums, sC, slab);                            // (MMA,MMA_M,MMA_N)
    bool const is_residual = e.beta == 0;
    if constexpr (sizeof(typename TensorC::value_type) == 4) {
      float const factor = is_residual ? 1 : e.beta;
      auto const with_added = [&](auto i) TS_INLINE_LAMBDA {
        return e.alpha * element(sums, i) + factor * element(rX, i);
      };
      write_slab<Major::k, SlabMma<COLUMNS>>(sums, sC, with_added);
    } else {
      // All rows have the same bias: a thread needs one for each of its columns.
      using Bias = Layout<Shape<Int<Sums::slab_rows>, Int<COLUMNS>>, Stride<_0, _1>>;        // (SLAB_M,SLAB_N) -> n
      auto const thr_mma = typename Sums::template SlabMma<COLUMNS>{}.slice(thread_index() % warpgroup_size);
      auto const tCnC = thr_mma.partition_C(make_view(CoordinateIterator<int>{n}, Bias{})); // (MMA,MMA_M,MMA_N) -> n
      auto const with = [&](auto const& activation) TS_INLINE_LAMBDA {
        auto rS = make_register_tensor<float>(sums.shape());                                // (MMA,MMA_M,MMA_N)
        unroll<COLUMNS / 8>([&](auto c) TS_INLINE_LAMBDA {
          float bias[2]{};
          int const first = tCnC(c * _4{});
          if (e.bias) load_if<2>(global(e.bias) + first, bias, first < p.n);
          unroll<4>([&](auto i) TS_INLINE_LAMBDA {
            auto const at = c * _4{} + i;
            float const other = float(element(rX, at));
            float const x = activation(e.alpha * element(sums, at) + bias[i % 2] + (is_residual ? 0 : e.beta * other));
            element(rS, at) = is_residual ? x + other : x;
          });
        });
        write_slab<Major::k, SlabMma<COLUMNS>>(sums, sC, [&](auto i) TS_INLINE_LAMBDA { return element(rS, i); });
      };
      float const floor = e.activation == Activation::relu ? 0 : -INFINITY;
      if (e.activation == Activation::gelu) with([](float x) TS_INLINE_LAMBDA { return gelu(x); });
      else with([&](float x) TS_INLINE_LAMBDA { return x < floor ? floor : x; });  // NaN stays
    }
  }
  // [finish]
};

}  // namespace tilestep
