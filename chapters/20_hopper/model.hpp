#pragma once
// How long a problem takes on a tile, before it runs: from times that a program measured on the device, tile by tile,
// and from what the problem asks of the machine. No list of problems stands behind it.

#include <tilestep/harness/gemm_choices.hpp>  // GemmChoice, GemmCall

#include <span>         // tables
#include <string_view>  // names of tiles

namespace tilestep {

/// What ./tutorial bench 20 --calibrate measured of one tile, in seconds.
struct TileTimes {
  std::string_view tile;  ///< the name of a choice
  double begin;           ///< of a kernel: launch, first copies, the last tile's store; all but the steps along K
  double alone;           ///< a step along K of one tile that has the machine to itself
  /// A step where all compute units work: [how A lies][how B lies], each along K in rows that begin at multiples of 128
  /// bytes, along K elsewhere, along M or N at such multiples, along M or N elsewhere.
  double step[4][4];
  double between;         ///< beside its steps, of each tile after a block's first
  double one;             ///< a kernel of one tile for each unit and one step
  double shortest;        ///< a tile of one step after a block's first
  /// What such a tile takes more, and the last one, where threads store C, not TMA: rows of C that begin anywhere,
  /// columns of C^T that begin at multiples of 16 bytes, and elsewhere; and the part of it that many steps do not hide.
  double by_threads[3], threads_between[3];
  /// Rows that begin at multiples of 32 bytes, along K, and along M or N: 0 as at multiples of 128, 1 as elsewhere.
  double at_sectors[2];
  double product;         ///< of two elements, where power is the only limit, all units together
};

/// Steps of the shorter of the two problems that a step is the difference of: below it, a tile is no straight line.
inline constexpr int few_steps = 16;

/// What it measured of the machine: seconds, and seconds for a byte.
struct MachineTimes {
  double copy, copy_byte;            ///< one operand or both copied to aligned rows: a small one; bytes of the copies
  double second_begin, second_byte;  ///< the second pass, which adds slices of K; bytes that it reads and writes
  double transposed_begin, transposed_byte;  ///< the same of C^T
  double read_byte;                  ///< operands from memory that nothing reads twice
  double shared_byte;                ///< the same that several compute units read at once
  /// The same where one compute unit reads; all that work are together not faster than read_byte says. The more
  /// work, the slower is each: up to a third of them, up to half, and more.
  double unit_byte[3];
  double write_byte;                 ///< C to memory
  /// The same where threads store, and lines of memory leave L2 in parts: of a tile and of its neighbour, which comes
  /// later.
  double parts_byte;
  double request;                    ///< a line of 128 bytes that a unit's TMA asks for, at most
  double read_on;                    ///< a row of a box that ends beyond its operand, of all units that read there
};

/// What was measured of a device.
struct DeviceTimes {
  std::string_view device;  ///< as its driver names it
  std::span<TileTimes const> tiles;
  MachineTimes machine;
};

/// Can TMA address a matrix of C's extents and type whose rows begin so far from each other?
bool tma_takes(GemmCall const& call, Strides const& stride);

/// Seconds that a plan takes; infinite where its tile was not measured, which only --tile chooses then.
double predicted(GemmCall const& call, GemmChoice const& choice, TileSchedule const& schedule);

}  // namespace tilestep
