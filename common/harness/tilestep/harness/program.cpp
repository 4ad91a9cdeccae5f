#include <tilestep/harness/program.hpp>

#include <fmt/core.h>

#include <csignal>     // SIGPIPE, SIGXFSZ
#include <cstdio>      // stderr
#include <filesystem>  // the program's name
#include <iostream>    // std::cout
#include <new>         // std::bad_alloc
#include <string>      // sentences

namespace tilestep {

namespace {

// A file's name or contents may put anything into a sentence; it stays one line, of a length that can be read.
std::string one_line(std::string text) {
  constexpr std::size_t longest = 2000, first = 1400, last = 500;
  if (text.size() > longest) {
    auto const continues = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80; };
    std::size_t from = first, to = text.size() - last;
    while (from > 0 && continues(from)) --from;  // characters stay whole
    while (to < text.size() && continues(to)) ++to;
    text.replace(from, to - from, " ... ");
  }
  for (char& each : text) {
    if (static_cast<unsigned char>(each) < 0x20 || each == 0x7f) each = '?';
  }
  return text;
}

}  // namespace

int run_main(int argc, char** argv, std::function<Exit(int, char**)> const& body) {
  std::string const name = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "tilestep";
  auto const fail = [&](Exit code, std::string const& sentence) {
    std::cout.flush();  // what was said before the error comes before it
    std::fputs(fmt::format("{}: {}\n", name, one_line(sentence)).c_str(), stderr);  // throws nothing if it fails
    return static_cast<int>(code);
  };
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is reported below instead of ending the program silently
  std::signal(SIGXFSZ, SIG_IGN);  // so is a file that grows beyond `ulimit -f`
  try {
    Exit const code = body(argc, argv);
    std::cout.flush();
    if (!std::cout)
      return fail(Exit::bad_input, "standard output cannot be written: is the disk full or the pipe closed?");
    return static_cast<int>(code);
  } catch (Error const& error) {
    return fail(error.code(), error.what());
  } catch (std::bad_alloc const&) {
    return fail(Exit::bad_input, "the problem does not fit in memory: choose smaller sizes");
  } catch (std::exception const& error) {
    return fail(Exit::wrong, fmt::format("stopped by an unexpected error: {}", error.what()));
  } catch (...) {
    return fail(Exit::wrong, "stopped by an unexpected error of unknown type");
  }
}

}  // namespace tilestep
