#pragma once
// --bench on several devices: each scheme, what it is made of, and the vendor's libraries, in turns. The record is one
// object:
//   schema 1, kind "several"; chapter, backend, target, device, commit, command
//   over             what moves the data, with its version
//   ranks            how many devices
//   rung (the scheme), m, n, k, dtype, out_dtype, layout, grid; chunks of the overlapped one, 0 for a grid, which has
//     its panels
//   message_units    compute units that its products leave to messages
//   check            {compared, max_error, bound}: elements of C against sums in double precision
//   library          the vendor's, with its version and mode; or missing: why there is none
//   repeats          {name: runs in one turn}
//   seconds          {name: [...]}: of one run, turn by turn; of the slowest rank
//     serial             the scheme: communication and product, one after the other
//     overlapped_N       the same with --overlap in N chunks
//     overlapped         the fastest of these, or of a grid in its panels
//     communication      what it sends, alone      product    what it multiplies, alone
//     library_product    the vendor's product alone
//     library_serial     the same collective and the vendor's product, C and its sums in the type of C
//     library_serial_sums  scatter alone: likewise, with sums in f32, as the scheme sends them

#include "several.hpp"  // Sharing

#include <tilestep/backend/error.hpp>         // Exit
#include <tilestep/harness/command_line.hpp>  // CommandLine

#include <string>  // the command

namespace tilestep {

/// Measures a problem, prints a table and writes the record. The call's pointers are null.
/// @param chunks  of the overlapped scheme; 0: several numbers take turns
/// @par Errors  not_here: the virtual GPU, which has no times; bad_input: operands that do not lie along K, or extents
///     that the ranks do not divide
Exit bench_several(CommandLine const& line, GemmCall call, Sharing const& sharing, std::int64_t chunks,
                   std::string const& over, std::string const& command);

}  // namespace tilestep
