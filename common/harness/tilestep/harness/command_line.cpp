#include <tilestep/harness/command_line.hpp>

#include <tilestep/backend/error.hpp>  // bad_input

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>     // std::from_chars
#include <cmath>        // std::isfinite
#include <functional>   // std::function
#include <iostream>     // std::cout
#include <map>          // options by name
#include <type_traits>  // std::is_integral_v

namespace tilestep {

namespace {

// Options that some chapters have and others have not: what they need, and the chapters from first to last that take
// them.
struct KnownOption {
  char const* name;
  char const* needs;
  int first;
  char const* first_name;
  int last;
};

constexpr int every_later_chapter = 99;

constexpr KnownOption known_options[] = {
    {"--rows", "a matrix of rows and columns", 1, "01_layouts", 3},
    {"--cols", "a matrix of rows and columns", 1, "01_layouts", 3},
    {"--tile", "a tile chosen at run time", 1, "01_layouts", 2},
    {"--swizzle", "layouts alone", 1, "01_layouts", 1},
    {"--transpose", "a copy kernel", 2, "02_tensors_and_tiles", 3},
    {"--in", "a copy kernel", 2, "02_tensors_and_tiles", 3},
    {"--out", "a kernel", 2, "02_tensors_and_tiles", every_later_chapter},
    {"--row0", "predicates", 3, "03_copy_if", 3},
    {"--col0", "predicates", 3, "03_copy_if", 3},
    {"--window", "predicates", 3, "03_copy_if", 3},
    {"--in-bounds", "predicates", 3, "03_copy_if", 3},
    {"--pad-value", "predicates", 3, "03_copy_if", 3},
    {"--m", "a GEMM", 4, "04_fma_gemm", every_later_chapter},
    {"--n", "a GEMM", 4, "04_fma_gemm", every_later_chapter},
    {"--k", "a GEMM", 4, "04_fma_gemm", every_later_chapter},
    {"--layout", "a GEMM", 4, "04_fma_gemm", every_later_chapter},
    {"--alpha", "a GEMM", 4, "04_fma_gemm", every_later_chapter},
    {"--beta", "a GEMM", 4, "04_fma_gemm", every_later_chapter},
    {"--lda", "a GEMM", 4, "04_fma_gemm", every_later_chapter},
    {"--ldb", "a GEMM", 4, "04_fma_gemm", every_later_chapter},
    {"--ldc", "a GEMM", 4, "04_fma_gemm", every_later_chapter},
    {"--batch", "a GEMM", 4, "04_fma_gemm", every_later_chapter},
    {"--a", "a GEMM", 4, "04_fma_gemm", every_later_chapter},
    {"--b", "a GEMM", 4, "04_fma_gemm", every_later_chapter},
    {"--c", "a GEMM", 4, "04_fma_gemm", every_later_chapter},
    {"--dtype", "element types", 4, "04_fma_gemm", every_later_chapter},
    {"--acc", "a choice of accumulator", 4, "04_fma_gemm", every_later_chapter},
    {"--out-dtype", "a choice of output type", 4, "04_fma_gemm", every_later_chapter},
    {"--bf16-npy", "bfloat16", 4, "04_fma_gemm", every_later_chapter},
    {"--bench", "a GEMM", 4, "04_fma_gemm", every_later_chapter},
    {"--each", "a GEMM", 4, "04_fma_gemm", every_later_chapter},
    {"--problems", "a GEMM", 4, "04_fma_gemm", every_later_chapter},
    {"--tune", "a table of choices", 17, "17_optimized_gemm", every_later_chapter},
    {"--bias", "an epilogue", 16, "16_epilogues", every_later_chapter},
    {"--activation", "an epilogue", 16, "16_epilogues", every_later_chapter},
    {"--residual", "an epilogue", 16, "16_epilogues", every_later_chapter},
    {"--ldr", "an epilogue", 16, "16_epilogues", every_later_chapter},
};

[[noreturn]] void refuse_unknown(std::string const& chapter, std::string const& argument) {
  std::string const name = argument.substr(0, argument.find('='));
  int const number = std::atoi(chapter.c_str());
  for (KnownOption const& known : known_options) {
    if (name != known.name) continue;
    if (number < known.first)
      bad_input(fmt::format("{} needs {}: chapter {} adds it", name, known.needs, known.first_name));
    if (number > known.last) {
      bad_input(fmt::format("{} belongs to chapter {}; `{} --help` lists what is taken here", name, known.first_name,
                            chapter));
    }
    bad_input(fmt::format("{} needs {}: {} has none; chapter {} does", name, known.needs, chapter, known.first_name));
  }
  bad_input(fmt::format("{} is not known; `{} --help` lists what is taken here", argument, chapter));
}

template <class Number>
Number parse_number(std::string const& option, std::string const& text, char const* wanted) {
  Number value{};
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {
    bad_input(fmt::format("{} {}: {}", option, text,
                          std::is_integral_v<Number> ? "does not fit in 64 bits"
                                                     : "needs 0, or a number between 2.3e-308 and 1.7e308 in size"));
  }
  if (error != std::errc{} || end != text.data() + text.size()) {
    bad_input(fmt::format("{} {}: needs {}", option, text.empty() ? "''" : text, wanted));
  }
  return value;
}

// Splits "4x8" or "3,0,3" into whole numbers.
std::vector<std::int64_t> parse_numbers(std::string const& option, std::string const& text, char separator,
                                        std::size_t count, char const* wanted) {
  std::vector<std::int64_t> result;
  for (std::size_t at = 0;;) {
    std::size_t const end = std::min(text.find(separator, at), text.size());
    std::string const part = text.substr(at, end - at);
    if (part.empty() || part.find_first_not_of("0123456789") != std::string::npos) break;
    result.push_back(parse_number<std::int64_t>(option, part, wanted));
    if (end == text.size()) break;
    at = end + 1;
  }
  if (result.size() != count || text.find_first_not_of(fmt::format("0123456789{}", separator)) != std::string::npos ||
      (!text.empty() && text.back() == separator)) {
    bad_input(fmt::format("{} {}: needs {}", option, text, wanted));
  }
  return result;
}

std::string one_line(std::string text) {
  for (char& each : text) {
    if (each == '\n') each = ' ';
  }
  return text;
}

}  // namespace

struct CommandLine::Implementation {
  struct Bound {
    CLI::Option* option = nullptr;
    std::string text;                              // what was typed
    std::function<void(std::string const&)> take;  // converts it
  };

  std::string chapter;
  CLI::App app;
  CommonOptions common;
  std::map<std::string, Bound> bound;
  std::ostream nowhere{nullptr};

  void add_value(std::string const& name, std::string const& help, std::string const& kind,
                 std::string const& value_now, std::function<void(std::string const&)> take) {
    Bound& entry = bound[name];
    entry.take = std::move(take);
    entry.option = app.add_option(name, entry.text, help)->type_name(kind);
    if (!value_now.empty()) entry.option->default_str(value_now);
  }
};

CommandLine::CommandLine(std::string chapter, std::string const& adds)
    : implementation_(std::make_unique<Implementation>()) {
  Implementation& self = *implementation_;
  self.chapter = std::move(chapter);
  self.app.name(self.chapter);
  self.app.description(fmt::format("{}: {}", self.chapter, adds));
  self.app.set_help_flag("--help,-h", "print this and stop");
  self.app.allow_extras();
  self.app.get_formatter()->column_width(34);
  add("--target", self.common.target, "what the kernel is compiled for, such as sm80 or gfx942");
  add("--machine", self.common.machine,
      "the GPU that the virtual GPU plays, such as rtx4090, or with other numbers: h200:units=78,shared=101376");
  self.add_value("--seed", "seed of the generated inputs", "S", "1", [&self](std::string const& text) {
    self.common.seed = parse_number<std::uint64_t>("--seed", text, "a whole number from 0 to 2^64-1");
  });
  self.add_value("--schedule", "order in which the virtual GPU runs threads: in-order, reverse or random:SEED", "ORDER",
                 "in-order", [&self](std::string const& text) {
                   if (text.starts_with("random:")) {
                     parse_number<std::uint64_t>("--schedule", text.substr(7), "a whole number after random:");
                   } else if (text != "in-order" && text != "reverse") {
                     bad_input(fmt::format("--schedule {}: needs in-order, reverse or random:SEED", text));
                   }
                   self.common.schedule = text;
                 });
  self.add_value("--check", "hazard checks of the virtual GPU: on or off", "on|off", "on",
                 [&self](std::string const& text) {
                   if (text != "on" && text != "off") bad_input(fmt::format("--check {}: needs on or off", text));
                   self.common.check = text == "on";
                 });
  add("--json", self.common.json, "write a record of the run to a file, or to standard output with -");
  add("--list", self.common.list, "print what this chapter supports and stop");
}

CommandLine::~CommandLine() = default;

CommandLine& CommandLine::add(std::string const& option, std::int64_t& value, std::string const& help) {
  implementation_->add_value(option, help, "INT", std::to_string(value), [option, &value](std::string const& text) {
    value = parse_number<std::int64_t>(option, text, "a whole number");
  });
  return *this;
}

CommandLine& CommandLine::add(std::string const& option, double& value, std::string const& help) {
  implementation_->add_value(option, help, "X", fmt::format("{}", value), [option, &value](std::string const& text) {
    value = parse_number<double>(option, text, "a number");
    if (!std::isfinite(value)) bad_input(fmt::format("{} {}: needs a finite number", option, text));
  });
  return *this;
}

CommandLine& CommandLine::add(std::string const& option, std::string& value, std::string const& help) {
  implementation_->add_value(option, help, "TEXT", value, [option, &value](std::string const& text) {
    if (text.empty()) bad_input(fmt::format("{} is empty: leave it out or give it a value", option));
    value = text;
  });
  return *this;
}

CommandLine& CommandLine::add(std::string const& option, bool& value, std::string const& help) {
  implementation_->bound[option].option = implementation_->app.add_flag(option, value, help);
  return *this;
}

CommandLine& CommandLine::add(std::string const& option, Extent2& value, std::string const& help) {
  std::string const now = value == Extent2{} ? "" : to_string(value);
  implementation_->add_value(option, help, "RxC", now, [option, &value](std::string const& text) {
    auto const numbers = parse_numbers(option, text, 'x', 2, "two whole numbers RxC, such as 4x8");
    value = {numbers[0], numbers[1]};
  });
  return *this;
}

CommandLine& CommandLine::add(std::string const& option, SwizzleNumbers& value, std::string const& help) {
  std::string const now = value.bits == 0 ? "" : fmt::format("{},{},{}", value.bits, value.base, value.shift);
  implementation_->add_value(option, help, "B,M,S", now, [option, &value](std::string const& text) {
    char const* const wanted = "three whole numbers B,M,S below 32, such as 3,0,3";
    auto const numbers = parse_numbers(option, text, ',', 3, wanted);
    for (std::int64_t number : numbers) {
      if (number >= 32) bad_input(fmt::format("{} {}: needs {}", option, text, wanted));
    }
    value = {static_cast<int>(numbers[0]), static_cast<int>(numbers[1]), static_cast<int>(numbers[2])};
  });
  return *this;
}

CommandLine& CommandLine::add(std::string const& option, std::string& value, std::vector<std::string> const& choices,
                              std::string const& help) {
  auto const take = [option, choices, &value](std::string const& text) {
    if (std::find(choices.begin(), choices.end(), text) == choices.end()) {
      bad_input(fmt::format("{} {}: needs one of {}", option, text, fmt::join(choices, ", ")));
    }
    value = text;
  };
  implementation_->add_value(option, help, fmt::format("{}", fmt::join(choices, "|")), value, take);
  return *this;
}

CommandLine& CommandLine::add_svg() {
  return add("--svg", implementation_->common.svg, "write the chapter's pictures into this folder");
}

bool CommandLine::parse(int argc, char const* const* argv) {
  Implementation& self = *implementation_;
  try {
    self.app.parse(argc, argv);
  } catch (CLI::CallForHelp const&) {
    std::cout << self.app.help();
    return false;
  } catch (CLI::ParseError const& error) {
    bad_input(one_line(error.what()));
  }
  std::vector<std::string> const rest = self.app.remaining();
  if (!rest.empty()) refuse_unknown(self.chapter, rest.front());
  for (auto const& [name, entry] : self.bound) {
    if (entry.take && entry.option->count() > 0) entry.take(entry.text);
  }
  return true;
}

bool CommandLine::given(std::string const& option) const {
  auto const found = implementation_->bound.find(option);
  return found != implementation_->bound.end() && found->second.option->count() > 0;
}

CommonOptions const& CommandLine::common() const { return implementation_->common; }
std::string const& CommandLine::chapter() const { return implementation_->chapter; }

std::ostream& CommandLine::out() const {
  return implementation_->common.json == "-" ? implementation_->nowhere : std::cout;
}

void require_not_negative(std::string const& option, std::int64_t value) {
  if (value < 0) bad_input(fmt::format("{} {}: needs a whole number that is not negative", option, value));
}

}  // namespace tilestep
