#pragma once
// Wrong answers to the exercise, one at a time.
// 1. The next tile is loaded behind the product. Says: when tile 0 of 9 is multiplied 1 tiles have
// been loaded, and not 2
// 2. The loop loads the tile that it multiplies, not the next one. Says: with 9 tiles: sum 0 is
// 3. The last pass loads a tile that does not exist. Says: out of bounds
// 4. Only one barrier for each tile. Says: race

#include <tilestep/backend/kernel.hpp>  // sync_threads
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

/// Multiplies tiles 0 .. tiles - 1. While a tile is multiplied, the next one is being loaded; every tile is loaded
/// once; and there are two barriers for each tile at most.
///   load(tile)        loads this thread's part of a tile into registers: they hold one tile
///   store()           stores what the registers hold to shared memory, which holds one tile
///   multiply(tile)    reads what other threads stored there
template <class Load, class Store, class Multiply>
TS_DEVICE void multiply_all(int tiles, Load const& load, Store const& store, Multiply const& multiply) {
  if (tiles > 0) load(0);
  for (int tile = 0; tile < tiles; ++tile) {
    store();
    sync_threads();  // all threads wrote the tile before any reads it
    if (!wrong_answer(1) && (tile + 1 < tiles || wrong_answer(3))) load(wrong_answer(2) ? tile : tile + 1);
    multiply(tile);
    if (wrong_answer(1) && tile + 1 < tiles) load(tile + 1);
    if (!wrong_answer(4)) sync_threads();  // all threads read the tile before any overwrites it
  }
}

}  // namespace tilestep
