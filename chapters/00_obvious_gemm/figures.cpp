// Draws one GPU, an H200: what its parts hold, how long a load from it takes and how much it gives in a clock.
#include <tilestep/backend/machine.hpp>          // machine_of
#include <tilestep/harness/chapter_figures.hpp>  // chapter_figures, Figure

#include <cstdint>  // std::int64_t
#include <string>   // the picture
#include <vector>   // lines

namespace tilestep {

namespace {

// What is drawn. Sources: machine.hpp and docs/tools/rates.py; sizes from the CUDA C++ Programming Guide (registers,
// L1, warps) and the H200 datasheet (DRAM); L2 and latencies in clocks as measured on a GH200, a chip of the same kind
// with the same clock: github.com/markdewing/AI_kernels, latency/README.md.
constexpr std::int64_t clock_hz = 1'980'000'000, dram_bytes_per_second = 4'800'000'000'000;
constexpr int l1_bytes = 128, l2_bytes = 5120;  // in a clock: of one multiprocessor, of the whole chip
constexpr int l1_latency = 40, l2_latency = 281, dram_latency = 690;

constexpr char const* style =
    "<style>\n"
    ":root{color-scheme:light dark}\n"
    "text{font:13px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1f2328}\n"
    ".mid{text-anchor:middle}.caption{font-weight:bold}.note{fill:#656d76}\n"
    "rect{stroke:#8c959f;stroke-width:1}.outer{fill:#ffffff}.units{fill:#f6c89a}.registers{fill:#a9dba5}\n"
    ".l1{fill:#a8c8f0}.l2{fill:#cdb8ea}.dram{fill:#d8c0b2}.way{stroke:#1f2328;stroke-width:3}\n"
    "@media(prefers-color-scheme:dark){\n"
    "text{fill:#e6edf3}.note{fill:#9198a1}rect{stroke:#59636e}.outer{fill:#151b23}.units{fill:#8a5a24}\n"
    ".registers{fill:#33682f}.l1{fill:#2f5480}.l2{fill:#5c4387}.dram{fill:#694c3b}.way{stroke:#e6edf3}\n"
    "}\n</style>\n";

std::string number(std::int64_t value) { return std::to_string(value); }

std::string text(int x, int y, std::string const& words, std::string const& kind = "") {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" class=\"" + kind + "\">" + words + "</text>\n";
}

/// A box with lines of text in its middle.
std::string box(int x, int y, int width, int height, std::string const& kind, std::vector<std::string> const& lines) {
  std::string svg = "<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(width) + "\" height=\"" +
                    number(height) + "\" class=\"" + kind + "\"/>\n";
  int baseline = y + height / 2 + 5 - 8 * (int(lines.size()) - 1);
  for (std::string const& line : lines) {
    svg += text(x + width / 2, baseline, line, "mid");
    baseline += 16;
  }
  return svg;
}

/// The way from one part to the next, and what is written beside it.
std::string way(int x, int from, int to, std::string const& words) {
  return "<line x1=\"" + number(x) + "\" y1=\"" + number(from) + "\" x2=\"" + number(x) + "\" y2=\"" + number(to) +
         "\" class=\"way\"/>\n" + text(x + 10, (from + to) / 2 + 5, words, "note");
}

std::string picture_of_machine() {
  int const units = machine_of("sm90").compute_units;
  std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"860\" height=\"500\" viewBox=\"0 0 860 500\" role=\"img\" "
      "aria-label=\"one GPU: multiprocessors, L1, L2 and DRAM with sizes, latencies and bytes per clock\">\n";
  svg += style;
  svg += text(12, 22, "an NVIDIA H200: 1 clock = 0.5 ns", "caption");

  // One multiprocessor in detail, the others beside it.
  svg += box(12, 36, 610, 244, "outer", {});
  svg += text(24, 56, "multiprocessor 0: up to 64 warps of 32 threads", "caption");
  for (int i = 0; i < 4; ++i) {
    int const x = 24 + 148 * i;
    svg += box(x, 68, 140, 40, "outer", {"1 instruction", "of a warp a clock"});
    svg += box(x, 108, 140, 34, "units", {"32 FMA a clock"});
    svg += box(x, 142, 140, 34, "registers", {"64 KB registers"});
  }
  svg += way(200, 176, 224, number(l1_bytes) + " bytes a clock, data after " + number(l1_latency) + " clocks");
  svg += box(24, 224, 584, 44, "l1", {"L1 and shared memory: 256 KB"});
  svg += box(638, 36, 96, 244, "outer", {"multi-", "processor 1"});
  svg += text(752, 162, "...");
  svg += box(788, 36, 60, 244, "outer", {number(units - 1)});

  svg += way(200, 280, 336,
             number(l2_bytes) + " bytes a clock for all " + number(units) + ": " +
                 number((l2_bytes + units / 2) / units) + " for each; data after " + number(l2_latency) + " clocks");
  svg += box(12, 336, 836, 44, "l2", {"L2: 60 MB, one for all multiprocessors"});

  std::int64_t const dram_bytes = dram_bytes_per_second / clock_hz;
  svg += way(200, 380, 436,
             number(dram_bytes) + " bytes a clock for all " + number(units) + ": " +
                 number((dram_bytes + units / 2) / units) + " for each; data after " + number(dram_latency) +
                 " clocks");
  svg += box(12, 436, 836, 44, "dram", {"DRAM (global memory): 141 GB, A, B and C lie here"});
  return svg + "</svg>\n";
}

}  // namespace

std::vector<Figure> chapter_figures() { return {{"machine", picture_of_machine()}}; }

}  // namespace tilestep
