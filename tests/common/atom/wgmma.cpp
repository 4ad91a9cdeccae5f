// wgmma's traits, tiles and descriptors against the table that is written after the manual: what the layouts say is
// where the hardware looks.

#include <tilestep/atom/stmatrix.hpp>        // CopyTraits of stmatrix
#include <tilestep/atom/wgmma.hpp>           // what is tested
#include <tilestep/backend/wgmma_table.hpp>  // wgmma_address, wgmma_accumulator

#include <catch2/catch_test_macros.hpp>  // TEST_CASE, CHECK

using namespace tilestep;

namespace {

// Each thread's accumulators stand where the traits and the table say, and the same for A in registers.
template <int N>
int wrong_accumulators() {
  using Traits = MmaTraits<SM90_64xNx16_SS<N, MatrixType::bf16>>;
  int wrong = 0;
  for (int thread = 0; thread < 128; ++thread) {
    for (int i = 0; i < N / 2; ++i) {
      virtual_gpu::Place const place = virtual_gpu::wgmma_accumulator(thread, i);
      wrong += int(typename Traits::CLayout{}(make_coord(thread, i))) != place.row + 64 * place.column;
    }
  }
  return wrong;
}

// For every part of `rows` x 16 of the tile: each element of the layout is where the instruction looks for it, given
// the descriptor.
template <class Tile>
int wrong_places(int rows) {
  int wrong = 0;
  for (int x0 = 0; x0 + rows <= Tile::X; x0 += rows) {
    for (int k0 = 0; k0 < Tile::K; k0 += 16) {
      TileDescriptor const descriptor = TileDescriptor::make(2048 + std::uint32_t(Tile::part(x0, k0)) * 2,
                                                             Tile::leading_bytes, Tile::stride_bytes, Tile::swizzle);
      for (int x = 0; x < rows; ++x) {
        for (int k = 0; k < 16; ++k) {
          auto const want = 2048 + std::uint32_t(Tile::layout()(x0 + x, k0 + k)) * 2;
          wrong += virtual_gpu::wgmma_address(descriptor, Tile::major, x, k) != want;
        }
      }
    }
  }
  return wrong;
}

// What a box's copy writes: row r, element c of panel p.
template <class Tile>
int wrong_boxes() {
  int wrong = 0;
  for (int panel = 0; panel < Tile::panels; ++panel) {
    for (int r = 0; r < Tile::box_rows; ++r) {
      for (int c = 0; c < Tile::box_columns; ++c) {
        std::uint32_t const offset = std::uint32_t((panel * Tile::box_rows + r) * Tile::box_columns + c) * 2;
        int const contiguous = panel * Tile::run + c;
        int const at = Tile::major == Major::k ? int(Tile::layout()(r, contiguous))
                                               : int(Tile::layout()(contiguous, r));
        wrong += swizzled(offset, Tile::swizzle) != std::uint32_t(at) * 2;
      }
    }
  }
  return wrong;
}

template <Major MAJOR, TileSwizzle SWIZZLE>
void check_tiles() {
  CAPTURE(int(MAJOR), int(SWIZZLE));
  CHECK(wrong_places<OperandTile<64, 64, MAJOR, SWIZZLE>>(64) == 0);
  CHECK(wrong_places<OperandTile<128, 64, MAJOR, SWIZZLE>>(64) == 0);
  CHECK(wrong_places<OperandTile<192, 64, MAJOR, SWIZZLE>>(192) == 0);
  CHECK(wrong_places<OperandTile<256, 128, MAJOR, SWIZZLE>>(256) == 0);
  CHECK(wrong_boxes<OperandTile<128, 64, MAJOR, SWIZZLE>>() == 0);
  CHECK(wrong_boxes<OperandTile<64, 128, MAJOR, SWIZZLE>>() == 0);
}

}  // namespace

TEST_CASE("wgmma's accumulators and operands in registers are where the manual's table has them", "[atom][wgmma]") {
  CHECK(wrong_accumulators<8>() == 0);
  CHECK(wrong_accumulators<64>() == 0);
  CHECK(wrong_accumulators<192>() == 0);
  CHECK(wrong_accumulators<256>() == 0);
  using Traits = MmaTraits<SM90_64xNx16_RS<64, MatrixType::f16>>;
  int wrong = 0;
  for (int thread = 0; thread < 128; ++thread) {
    for (int i = 0; i < 8; ++i) {
      virtual_gpu::Place const place = virtual_gpu::wgmma_operand_a(thread, i);
      wrong += int(Traits::ALayout{}(make_coord(thread, i))) != place.row + 64 * place.column;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("a tile's layout, its boxes and its descriptors name the same places", "[atom][wgmma]") {
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
  CHECK(std::string_view(SM90_64xNx16_SS<8, MatrixType::f16>::name) ==
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16");
  CHECK(std::string_view(SM90_64xNx16_RS<256, MatrixType::bf16>::name) ==
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16");
}
