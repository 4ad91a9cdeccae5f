#pragma once
// Wrong answers to the exercise, one at a time.
// 1. No barrier in front of the store. Says: race
// 2. The last pass loads a tile that does not exist. Says: out of bounds
// 3. The upper half of the last tile is not read. Says: with 9 tiles: sum 0 is
// 4. The lower half of the next tile is read in front of the store. Says: with 9 tiles: sum 0 is
// 5. Each half is read directly before its product. Says: right, but the read of half 1 of tile 0 has no
// product between it and its own

#include <tilestep/backend/kernel.hpp>        // sync_threads
#include <tilestep/harness/wrong_answer.hpp>  // wrong_answer

namespace tilestep {

/// Multiplies tiles 0 .. tiles - 1, each in two halves.
///   load(tile)            loads this thread's part of a tile into registers: they hold one tile
///   store()               stores them to shared memory, which holds one tile
///   read(half)            reads this thread's fragments of a half from shared memory: registers hold both halves
///   multiply(tile, half)  multiplies the fragments of this half
/// Two barriers for each tile at most, and between a read and its product another product, as in the chapter.
template <class Load, class Store, class Read, class Multiply>
TS_DEVICE void multiply_all(int tiles, Load const& load, Store const& store, Read const& read,
                            Multiply const& multiply) {
  if (tiles == 0) return;
  load(0);
  store();
  sync_threads();  // all threads wrote the first tile before any reads it
  if (tiles > 1) load(1);
  read(0);
  for (int tile = 0; tile + 1 < tiles; ++tile) {
    if (!wrong_answer(5)) read(1);
    multiply(tile, 0);
    if (wrong_answer(5)) {
      read(1);
      multiply(tile, 1);
    }
    if (wrong_answer(4)) read(0);
    if (!wrong_answer(1)) sync_threads();  // all threads read this tile before any overwrites it
    store();
    sync_threads();  // all threads wrote the next tile before any reads it
    if (!wrong_answer(4)) read(0);
    if (tile + 2 < tiles || wrong_answer(2)) load(tile + 2);
    if (!wrong_answer(5)) multiply(tile, 1);
  }
  if (!wrong_answer(3)) read(1);
  multiply(tiles - 1, 0);
  multiply(tiles - 1, 1);
}

}  // namespace tilestep
