#pragma once
// The exercise: write a block's whole GEMM from a blank function: tiles of A and B through shared memory, products,
// the sums through shared memory to C. Wanted: at most one barrier for each tile along K and two more, no bank met
// twice, and stores of 16 bytes.

#include <tilestep/block/epilogue.hpp>     // SumsToMemory, Epilogue
#include <tilestep/block/gemm_config.hpp>  // GemmConfig

namespace tilestep {

/// A block's shared memory: a ring of Config::stages tiles, then a slice of sums in the same place.
template <class Config>
union TileMemory {
  struct Operands {
    SharedArray<half_t, Config::stages * cosize_v<typename Config::SmemA>> a;
    SharedArray<half_t, Config::stages * cosize_v<typename Config::SmemB>> b;
  } operands;
  SharedArray<float, cosize_v<typename SumsToMemory<Config>::Smem>> sums;
};

/// C = alpha A B^T for one tile of C. All threads of the block call it.
/// @tparam Config  a GemmConfig with two stages: it names BlkM, BlkN, SmemA, SmemB, CopyA, CopyB, Mma, ReadA, ReadB
/// @param gA (BLK_M,BLK_K,k) in global memory   @param gB (BLK_N,BLK_K,k)
/// @param epilogue  SumsToMemory<Config>::store takes it, and the tile's place (m,n,l), which is (0,0,0)
template <class Config, class TensorA, class TensorB, class E>
TS_DEVICE void gemm_tile([[maybe_unused]] TileMemory<Config>& memory, [[maybe_unused]] TensorA const& gA,
                         [[maybe_unused]] TensorB const& gB, [[maybe_unused]] E const& epilogue) {}

}  // namespace tilestep
