#pragma once
// The solution: a barrier on each side of the store, no load of a tile that does not exist, and the upper half of the
// last tile is read.

#include <tilestep/backend/kernel.hpp>  // sync_threads

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
    read(1);
    multiply(tile, 0);
    sync_threads();  // all threads read this tile before any overwrites it
    store();
    sync_threads();  // all threads wrote the next tile before any reads it
    read(0);
    if (tile + 2 < tiles) load(tile + 2);
    multiply(tile, 1);
  }
  read(1);
  multiply(tiles - 1, 0);
  multiply(tiles - 1, 1);
}

}  // namespace tilestep
