#pragma once
// Wrong answers to the exercise, one at a time.
// 1. One stage for all tiles. Says: race
// 2. No barrier before the sums take the operands' place. Says: race
// 3. A second barrier for each tile. Says: barriers: 18, at most 10 are allowed
// 4. Stores single elements. Says: store requests: 32, at most 8 are allowed

#include <tilestep/block/epilogue.hpp>     // SumsToMemory, Epilogue
#include <tilestep/block/gemm_config.hpp>  // GemmConfig
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

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
TS_DEVICE void gemm_tile(TileMemory<Config>& memory, TensorA const& gA, TensorB const& gB, E const& epilogue) {
  auto const mma = Config::Mma::slice(thread_index());
  auto rC = mma.partition_fragment_C(                                                   // (MMA,MMA_M,MMA_N)
      make_identity_tensor(make_shape(typename Config::BlkM{}, typename Config::BlkN{})));
  clear(rC);
  auto const k_tiles = int(size<2>(gA));
  for (int tile = 0; tile < k_tiles; ++tile) {
    int const stage = wrong_answer(1) ? 0 : tile % Config::stages;
    auto sA = make_tensor(shared(memory.operands.a, "sA") + stage * int(cosize_v<typename Config::SmemA>),
                          typename Config::SmemA{});                                    // (BLK_M,BLK_K)
    auto sB = make_tensor(shared(memory.operands.b, "sB") + stage * int(cosize_v<typename Config::SmemB>),
                          typename Config::SmemB{});                                    // (BLK_N,BLK_K)
    blockwise_copy(typename Config::CopyA{}, thread_index(), gA(_, _, tile), sA);
    blockwise_copy(typename Config::CopyB{}, thread_index(), gB(_, _, tile), sB);
    sync_threads();  // all threads wrote this stage, and read the one before
    blockwise_gemm<typename Config::ReadA, typename Config::ReadB>(typename Config::Mma{}, thread_index(), sA, sB,
                                                                   rC);
    if (wrong_answer(3)) sync_threads();
  }
  E mine = epilogue;
  if (wrong_answer(4)) mine.wide = false;
  if (!wrong_answer(2)) sync_threads();
  SumsToMemory<Config>::store(mine, shared(memory.sums, "sC"), rC,
                              make_coord(std::int64_t(0), std::int64_t(0), std::int64_t(0)));
}

}  // namespace tilestep
