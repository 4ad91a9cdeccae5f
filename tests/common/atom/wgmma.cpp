// wgmma's traits, its tiles and descriptors, and TMA's boxes against the table that is written after the manual: what
// the layouts say is where the hardware looks.

#include <tilestep/atom/stmatrix.hpp>        // CopyTraits of stmatrix
#include <tilestep/atom/tma.hpp>             // TmaCopy, what is tested
#include <tilestep/atom/wgmma.hpp>           // what is tested
#include <tilestep/backend/wgmma_table.hpp>  // wgmma_address, wgmma_accumulator

#include <catch2/catch_test_macros.hpp>  // TEST_CASE, CHECK

#include <algorithm>  // std::count
#include <vector>     // how often an element was written

using namespace tilestep;

namespace {

// Each thread's accumulators stand where the traits and the table say, and the same for A in registers.
template <int N>
int wrong_accumulators() {
  using Traits = MmaTraits<SM90_64xNx16_SS<N, DType::bf16>>;
  int wrong = 0;
  for (int thread = 0; thread < 128; ++thread) {
    for (int i = 0; i < N / 2; ++i) {
      virtual_gpu::Place const place = virtual_gpu::wgmma_accumulator(thread, i);
      wrong += int(typename Traits::CLayout{}(make_coord(thread, i))) != place.row + 64 * place.column;
    }
  }
  return wrong;
}

// For every part of `ROWS` x 32 bytes of a tile: each element of the layout is where the instruction looks for it,
// given the descriptor of the part.
template <Major MAJOR, TileSwizzle SWIZZLE, int X, int K, int ROWS, class T = half_t>
int wrong_places() {
  constexpr int each = 32 / int(sizeof(T));
  auto const tile = swizzled_tile<T, MAJOR, SWIZZLE>(Shape<Int<X>, Int<K>>{});                // (X,K)
  auto const parts = tiled_divide(detail::unswizzled(tile), Shape<Int<ROWS>, Int<each>>{});  // ((ROWS,each),X,K)
  using Described =
      detail::DescribedTile<MAJOR, SWIZZLE, remove_cvref_t<decltype(get<0>(parts))>, int(sizeof(T))>;
  int wrong = 0;
  for (int i = 0; i < X / ROWS; ++i) {
    for (int j = 0; j < K / each; ++j) {
      std::uint32_t const begin = 2048 + std::uint32_t(parts(make_coord(0, 0), i, j)) * sizeof(T);
      TileDescriptor const descriptor = TileDescriptor::make(begin, Described::leading_bytes, Described::stride_bytes,
                                                             swizzle_of<T, remove_cvref_t<decltype(tile)>>);
      for (int x = 0; x < ROWS; ++x) {
        for (int k = 0; k < each; ++k) {
          auto const want = 2048 + std::uint32_t(tile(i * ROWS + x, j * each + k)) * sizeof(T);
          wrong += virtual_gpu::wgmma_address(descriptor, MAJOR, x, k, int(sizeof(T))) != want;
        }
      }
    }
  }
  return wrong;
}

// A in registers: values of a thread where the traits and the table say.
template <class Op>
int wrong_registers() {
  constexpr int bytes = bits_of(Op::a) / 8;
  int wrong = 0;
  for (int thread = 0; thread < 128; ++thread) {
    for (int i = 0; i < 16 / bytes; ++i) {
      virtual_gpu::Place const place = virtual_gpu::wgmma_operand_a(thread, i, bytes);
      wrong += int(typename MmaTraits<Op>::ALayout{}(make_coord(thread, i))) != place.row + 64 * place.column;
    }
  }
  return wrong;
}

// What TMA writes: the rows of a box one behind the other, pieces of 16 bytes exchanged. Box after box is the tile.
template <Major MAJOR, TileSwizzle SWIZZLE, int X, int K, int SHARES>
int wrong_boxes() {
  using Tile = decltype(swizzled_tile<half_t, MAJOR, SWIZZLE>(Shape<Int<X>, Int<K>>{}));
  using Copy = TmaCopy<SM90_TMA_LOAD, half_t, Tile, SHARES>;
  int wrong = Copy::along_y != (MAJOR == Major::k);
  std::vector<int> written(X * K, 0);  // how often
  for (int share = 0; share < SHARES; ++share) {
    // ((BOX_X,BOX_K),X,K), as offsets before the swizzle and as coordinates
    auto const boxes = Copy::slice(share).partition(make_view(CoordinateIterator<int>{0}, detail::unswizzled(Tile{})));
    auto const coords = Copy::slice(share).partition(Copy::get_tma_tensor(Shape<Int<X>, Int<K>, _1>{})(_, _, 0));
    constexpr int contiguous = size_v<tuple_element_t<Copy::along_y ? 1 : 0, typename Copy::Box>>;
    for (int i = 0; i < int(size(boxes)); i += Copy::box_elements) {
      int const first = boxes(i);
      auto const [c, r, l] = coords(i);
      for (int j = 0; j < Copy::box_elements; ++j) {
        ++written[std::size_t(first + j)];
        auto const offset = swizzled(std::uint32_t(first + j) * 2, SWIZZLE);
        int const inner = int(c) + j % contiguous, outer = int(r) + j / contiguous;
        wrong += std::uint32_t(Copy::along_y ? Tile{}(outer, inner) : Tile{}(inner, outer)) * 2 != offset || l != 0;
      }
    }
  }
  return wrong + int(X * K - std::count(written.begin(), written.end(), 1));
}

template <Major MAJOR, TileSwizzle SWIZZLE>
void check_tiles() {
  CAPTURE(int(MAJOR), int(SWIZZLE));
  CHECK(wrong_places<MAJOR, SWIZZLE, 64, 64, 64>() == 0);
  CHECK(wrong_places<MAJOR, SWIZZLE, 128, 64, 64>() == 0);
  CHECK(wrong_places<MAJOR, SWIZZLE, 192, 64, 192>() == 0);
  CHECK(wrong_places<MAJOR, SWIZZLE, 256, 128, 256>() == 0);
  CHECK(wrong_boxes<MAJOR, SWIZZLE, 128, 64, 1>() == 0);
  CHECK(wrong_boxes<MAJOR, SWIZZLE, 128, 64, 2>() == 0);
  CHECK(wrong_boxes<MAJOR, SWIZZLE, 64, 128, 1>() == 0);
}

}  // namespace

TEST_CASE("wgmma's accumulators and operands in registers are where the manual's table has them", "[atom][wgmma]") {
  CHECK(wrong_accumulators<8>() == 0);
  CHECK(wrong_accumulators<64>() == 0);
  CHECK(wrong_accumulators<192>() == 0);
  CHECK(wrong_accumulators<256>() == 0);
  CHECK(wrong_registers<SM90_64xNx16_RS<64, DType::f16>>() == 0);
  CHECK(wrong_registers<SM90_64xN_RS<64, DType::f32, DType::tf32, DType::tf32>>() == 0);
  CHECK(wrong_registers<SM90_64xN_RS<64, DType::i32, DType::i8, DType::u8>>() == 0);
}

// CuTe's layouts of A in registers, cute/atom/mma_traits_sm90_gmma.hpp: ALayout_64x8, 64x16 and 64x32.
static_assert(std::is_same_v<MmaTraits<SM90_64xN_RS<64, DType::f32, DType::tf32, DType::tf32>>::ALayout,
                             Layout<Shape<Shape<_4, _8, _4>, Shape<_2, _2>>,
                                    Stride<Stride<_64, _1, _16>, Stride<_8, _256>>>>);
static_assert(std::is_same_v<MmaTraits<SM90_64xNx16_RS<64, DType::f16>>::ALayout,
                             Layout<Shape<Shape<_4, _8, _4>, Shape<_2, _2, _2>>,
                                    Stride<Stride<_128, _1, _16>, Stride<_64, _8, _512>>>>);
static_assert(std::is_same_v<MmaTraits<SM90_64xN_RS<64, DType::i32, DType::i8, DType::i8>>::ALayout,
                             Layout<Shape<Shape<_4, _8, _4>, Shape<_4, _2, _2>>,
                                    Stride<Stride<_256, _1, _16>, Stride<_64, _8, Int<1024>>>>>);

TEST_CASE("tiles of 8 and 32 bits lie where descriptors say", "[atom][wgmma]") {
  CHECK(wrong_places<Major::k, TileSwizzle::bytes_128, 128, 128, 64, std::int8_t>() == 0);
  CHECK(wrong_places<Major::k, TileSwizzle::bytes_64, 96, 64, 96, std::int8_t>() == 0);
  CHECK(wrong_places<Major::k, TileSwizzle::none, 64, 64, 64, std::int8_t>() == 0);
  CHECK(wrong_places<Major::k, TileSwizzle::bytes_128, 128, 64, 128, tfloat32_t>() == 0);
  CHECK(wrong_places<Major::k, TileSwizzle::bytes_32, 64, 16, 64, tfloat32_t>() == 0);
  CHECK(wrong_places<Major::k, TileSwizzle::none, 64, 32, 64, tfloat32_t>() == 0);
}

TEST_CASE("a tile's layout, TMA's boxes and wgmma's descriptors name the same places", "[atom][wgmma]") {
  check_tiles<Major::k, TileSwizzle::bytes_128>();
  check_tiles<Major::k, TileSwizzle::bytes_64>();
  check_tiles<Major::k, TileSwizzle::bytes_32>();
  check_tiles<Major::k, TileSwizzle::none>();
  check_tiles<Major::mn, TileSwizzle::bytes_128>();
  check_tiles<Major::mn, TileSwizzle::bytes_64>();
  check_tiles<Major::mn, TileSwizzle::bytes_32>();
  check_tiles<Major::mn, TileSwizzle::none>();
}

TEST_CASE("a descriptor holds what it is made of", "[atom][wgmma]") {
  TileDescriptor const descriptor = TileDescriptor::make(0x1F400, 16, 1024, TileSwizzle::bytes_64);
  CHECK(descriptor.address() == 0x1F400);
  CHECK(descriptor.leading() == 16);
  CHECK(descriptor.stride() == 1024);
  CHECK(descriptor.swizzle() == TileSwizzle::bytes_64);
  CHECK(descriptor.bits == (std::uint64_t(2) << 62 | std::uint64_t(64) << 32 | std::uint64_t(1) << 16 | 0x1F40));
  CHECK(descriptor.plus(32).address() == 0x1F420);
}

TEST_CASE("wgmma's names are the manual's", "[atom][wgmma]") {
  CHECK(std::string_view(SM90_64xNx16_SS<8, DType::f16>::name) ==
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16");
  CHECK(std::string_view(SM90_64xNx16_RS<256, DType::bf16>::name) ==
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16");
  CHECK(std::string_view(SM90_64xN_SS<64, DType::f32, DType::tf32, DType::tf32>::name) ==
        "wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32");
  CHECK(std::string_view(SM90_64xN_SS<128, DType::f16, DType::e4m3, DType::e5m2>::name) ==
        "wgmma.mma_async.sync.aligned.m64n128k32.f16.e4m3.e5m2");
  CHECK(std::string_view(SM90_64xN_RS<96, DType::i32, DType::u8, DType::i8>::name) ==
        "wgmma.mma_async.sync.aligned.m64n96k32.s32.u8.s8");
  CHECK(std::string_view(SM90_64xNx32_RS_SATURATE<96, DType::u8, DType::i8>::name) ==
        "wgmma.mma_async.sync.aligned.m64n96k32.satfinite.s32.u8.s8");
}
