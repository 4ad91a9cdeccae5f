#pragma once
// The exercise: prefetch into registers. The loop below is right, and hides nothing: no load is in flight while a tile
// is multiplied.

#include <tilestep/backend/kernel.hpp>  // sync_threads

namespace tilestep {

/// Multiplies tiles 0 .. tiles - 1. Wanted: while a tile is multiplied, the next one is being loaded; every tile is
/// loaded once; and there are two barriers for each tile at most.
///   load(tile)        loads this thread's part of a tile into registers: they hold one tile
///   store()           stores what the registers hold to shared memory, which holds one tile
///   multiply(tile)    reads what other threads stored there
template <class Load, class Store, class Multiply>
TS_DEVICE void multiply_all(int tiles, Load const& load, Store const& store, Multiply const& multiply) {
  for (int tile = 0; tile < tiles; ++tile) {
    load(tile);
    store();
    sync_threads();  // all threads wrote the tile before any reads it
    multiply(tile);
    sync_threads();  // all threads read the tile before any overwrites it
  }
}

}  // namespace tilestep
