#pragma once
// The program of every process.

namespace tilestep {

/// Reads the command line, computes with all ranks, checks C. @return the exit code
/// @pre  run_processes() calls it
int several_main(int argc, char** argv);

}  // namespace tilestep
