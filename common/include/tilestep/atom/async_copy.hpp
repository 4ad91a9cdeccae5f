#pragma once
// Asynchronous copies from global to shared memory as operations of a CopyAtom. NVIDIA's are copies of one thread, as
// wide as a plain one; AMD's is a warp's, whose lanes write side by side. backend/async.hpp says how they are waited
// for.

#include <tilestep/atom/copy_atom.hpp>        // CopyTraits
#include <tilestep/atom/matrix_fragment.hpp>  // side_by_side
#include <tilestep/backend/async.hpp>         // async_copy, async_copy_warp

namespace tilestep {

// Names and parameters are CuTe's: a copy of sizeof(S) bytes. Where the predicate is false a copy without ZFILL leaves
// the destination as it is, one with ZFILL writes zeros.
template <class S, class D = S> struct SM80_CP_ASYNC_CACHEALWAYS {};
template <class S, class D = S> struct SM80_CP_ASYNC_CACHEGLOBAL {};
template <class S, class D = S> struct SM80_CP_ASYNC_CACHEALWAYS_ZFILL {};
template <class S, class D = S> struct SM80_CP_ASYNC_CACHEGLOBAL_ZFILL {};

/// AMD CDNA: a buffer load of sizeof(S) bytes a lane that goes to shared memory; where a lane's predicate is false it
/// writes zeros. The warp has one destination, lane 0's: the others' follow it without a gap.
/// @par Source LLVM, IntrinsicsAMDGPU.td, raw.ptr.buffer.load.lds; CDNA3 ISA, "Memory buffer load to LDS"
template <class S> struct CDNA_BUFFER_LOAD_LDS {};

namespace detail {

/// Is the layout of `Count` elements that stand side by side?
template <class L, int Count>
inline constexpr bool is_run = [] {
  if constexpr (is_static_v<L>) return int(size_v<L>) == Count && side_by_side<L, 0, Count>;
  else return false;
}();

/// What all of them ask of their tensors.
template <int Bytes, class Src, class Dst>
TS_HOST_DEVICE constexpr void check_async_copy() {
  using T = typename Src::value_type;
  static_assert(std::is_same_v<memory_t<Src>, GlobalMemory> && std::is_same_v<memory_t<Dst>, SharedMemory>,
                "an asynchronous copy goes from global to shared memory: copy others with UniversalCopy");
  static_assert(
      std::is_same_v<T, typename Dst::value_type>,
      "an asynchronous copy converts nothing: give source and destination one type, or copy through registers");
  constexpr int count = Bytes / int(sizeof(T));
  static_assert(is_run<typename Src::layout_type, count> && is_run<typename Dst::layout_type, count>,
                "an asynchronous copy moves one run of as many bytes as its operation says: partition both tensors "
                "with this atom, along the mode of stride 1");
}

/// @par Source PTX ISA, "Data Movement and Conversion Instructions: cp.async"; CuTe, copy_traits_sm80.hpp
template <int Bytes, CacheAt CACHE, bool ZeroFills>
struct CpAsyncTraits : CopyTraits<CopyBits<8 * Bytes>> {
  static constexpr int bytes = Bytes;
  static_assert(is_async_copy<Bytes, CACHE>,
                "cp.async moves 4, 8 or 16 bytes, past the first cache 16 alone: choose an S of that size");

  /// One copy of this thread, in flight until it waits.
  /// @param src (V) in global memory   @param dst (V) in shared memory, of the same type
  template <class Src, class Dst>
  TS_INLINE TS_HOST_DEVICE static void call(Src const& src, Dst&& dst, bool pred = true) {
    check_async_copy<Bytes, Src, remove_cvref_t<Dst>>();
    constexpr int vec = Bytes / int(sizeof(typename Src::value_type));
    if (ZeroFills || pred)
      async_copy<vec, CACHE>(dst.data() + dst.layout()(_0{}), src.data() + src.layout()(_0{}), pred);
  }
};

}  // namespace detail

template <class S, class D>
struct CopyTraits<SM80_CP_ASYNC_CACHEALWAYS<S, D>> : detail::CpAsyncTraits<int(sizeof(S)), CacheAt::all_levels, false> {
};
template <class S, class D>
struct CopyTraits<SM80_CP_ASYNC_CACHEGLOBAL<S, D>> : detail::CpAsyncTraits<int(sizeof(S)), CacheAt::l2, false> {};
template <class S, class D>
struct CopyTraits<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<S, D>>
    : detail::CpAsyncTraits<int(sizeof(S)), CacheAt::all_levels, true> {};
template <class S, class D>
struct CopyTraits<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<S, D>> : detail::CpAsyncTraits<int(sizeof(S)), CacheAt::l2, true> {};

template <class S>
struct CopyTraits<CDNA_BUFFER_LOAD_LDS<S>> {
  static constexpr int bytes = int(sizeof(S));
  using ThrID = Layout<_64>;
  using SrcLayout = Layout<Shape<_64, Int<8 * bytes>>, Stride<Int<8 * bytes>, _1>>;
  using DstLayout = SrcLayout;
  using RefLayout = SrcLayout;
  static_assert(is_async_copy_warp<bytes>,
                "a load to shared memory moves 4 or 16 bytes a lane: choose an S of that size");

  /// One copy of the warp, in flight until each thread waits.
  /// @param src (V) in global memory
  /// @param dst (V) in shared memory, of the same type: lane 0's counts, the others' must follow it
  /// @pre every lane of the warp takes part
  template <class Src, class Dst>
  TS_INLINE TS_DEVICE static void call(Src const& src, Dst&& dst, bool pred = true) {
    detail::check_async_copy<bytes, Src, remove_cvref_t<Dst>>();
    constexpr int vec = bytes / int(sizeof(typename Src::value_type));
    async_copy_warp<vec>(dst.data() + (int(dst.layout()(_0{})) - lane_index() * vec), src.data(), src.layout()(_0{}),
                         pred);
  }
};

}  // namespace tilestep
