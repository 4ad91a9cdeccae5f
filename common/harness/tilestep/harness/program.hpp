#pragma once
// What surrounds every chapter's main: errors become one sentence and an exit code, and output that could not be
// written is an error too.

#include <tilestep/backend/error.hpp>  // Exit, Error

#include <functional>  // std::function

namespace tilestep {

/// Runs `body` and turns what it throws into one sentence on stderr, prefixed with the program's name.
/// @return the exit code: body's own, an Error's, 2 when memory runs out or standard output cannot be written, 1 for
/// any other exception.
int run_main(int argc, char** argv, std::function<Exit(int argc, char** argv)> const& body);

}  // namespace tilestep
