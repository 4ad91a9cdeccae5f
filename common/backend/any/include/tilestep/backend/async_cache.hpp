#pragma once
// What asynchronous copies can be: facts that every backend's async.hpp checks alike.

namespace tilestep {

/// Which caches of an NVIDIA GPU keep what an asynchronous copy reads.
enum class CacheAt {
  all_levels,  ///< L1 and L2: cp.async.ca
  l2,          ///< L2 alone: cp.async.cg
};

/// @par Source PTX ISA, "Data Movement and Conversion Instructions: cp.async": cp-size is 4, 8 or 16, with .cg 16
template <int BYTES, CacheAt CACHE>
inline constexpr bool is_async_copy = BYTES == 16 || (CACHE == CacheAt::all_levels && (BYTES == 4 || BYTES == 8));

/// What async_copy() takes where nothing is said. A block reads its tile once: L1 has nothing to keep.
template <int BYTES>
inline constexpr CacheAt default_cache = BYTES == 16 ? CacheAt::l2 : CacheAt::all_levels;

/// @par Source LLVM, IntrinsicsAMDGPU.td, raw.ptr.buffer.load.lds: data byte size 1, 2, 4 (gfx950: 12, 16)
template <int BYTES>
inline constexpr bool is_async_copy_warp = BYTES == 4 || BYTES == 16;

/// @par Source AMD CDNA3 ISA, S_WAITCNT: vmcnt has 6 bits
template <int GROUPS, int COPIES_PER_GROUP>
inline constexpr bool is_async_wait = GROUPS >= 0 && COPIES_PER_GROUP >= 0 && GROUPS * COPIES_PER_GROUP <= 63;

}  // namespace tilestep
