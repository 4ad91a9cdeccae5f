// Kernels with asynchronous copies, for a compiler that only looks at their device code.

#include "async_kernels.hpp"  // the kernels

namespace backend_test {

void launch_async_kernels() {
  launch(AsyncTile<float, 1, CacheAt::all_levels>{}, 1, AsyncParams<float>{});
  launch(AsyncTile<std::uint16_t, 4, CacheAt::all_levels>{}, 1, AsyncParams<std::uint16_t>{});
  launch(AsyncTile<std::uint8_t, 16, CacheAt::all_levels>{}, 1, AsyncParams<std::uint8_t>{});
  launch(AsyncTile<float, 4, CacheAt::l2>{}, 1, AsyncParams<float>{});
  launch(AsyncRing<std::uint16_t, 8, 3, 2, false>{}, 1, AsyncParams<std::uint16_t>{});
  launch(AsyncRing<float, 1, 3, 2, true>{}, 1, AsyncParams<float>{});
  launch(AsyncRing<std::uint16_t, 2, 4, 3, true>{}, 1, AsyncParams<std::uint16_t>{});
  launch(AsyncRing<float, 4, 3, 2, true>{}, 1, AsyncParams<float>{});
  using ByRows = Layout<Shape<_8, _16>, Stride<_16, _1>>;
  launch(AsyncAtom<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>, ByRows, 4>{}, 1, AsyncAtomParams{});
  launch(AsyncAtom<SM80_CP_ASYNC_CACHEALWAYS_ZFILL<std::uint64_t>, ByRows, 2>{}, 1, AsyncAtomParams{});
  launch(AsyncAtom<CDNA_BUFFER_LOAD_LDS<std::uint32_t>, Layout<Shape<_2, _64>, Stride<_64, _1>>, 1>{}, 1,
         AsyncAtomParams{});
}

}  // namespace backend_test
