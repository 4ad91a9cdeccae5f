#pragma once
// The GPUs that plans, cycle budgets and the virtual GPU know, with the source of each number. This table is the only
// one: docs/tools/rates.py reads it through the program `machines`.

#include <tilestep/backend/machine_description.hpp>  // Machine, Rate

#include <array>  // the table

namespace tilestep {

namespace detail {

inline constexpr std::int64_t kib = 1024, mib = 1024 * 1024;

// ---- NVIDIA ----
// Multiply-adds: dense tensor TFLOP/s of the white paper divided by SMs, by boost clock and by 2 (GeForce: with sums in
// f32). H100: 989.4e12 / 132 / 1.83e9 / 2 = 2048 in f16.

inline constexpr char const* a100_paper = "NVIDIA A100 Tensor Core GPU Architecture";
inline constexpr char const* ga102_paper = "NVIDIA Ampere GA102 GPU Architecture";
inline constexpr char const* ada_paper = "NVIDIA Ada GPU Architecture";
inline constexpr char const* blackwell_paper = "NVIDIA RTX Blackwell GPU Architecture";
inline constexpr char const* h100_paper =
    "NVIDIA H100 Tensor Core GPU Architecture, table of H100 SXM5 (1830 MHz with tensor cores); the same chip in H200";
// TFLOP/s of its loop on registers, divided by units, by 1.98e9 and by 2: mma.sync does not reach the table's rates.
inline constexpr char const* mma_records =
    "mma.sync on registers alone at 1980 MHz, the highest median among the ceilings of "
    "chapters/*/results/bench";
inline constexpr char const* mma_of_h200 = "measured on an H200, which is the same chip";
inline constexpr char const* guide_80 =
    "CUDA C++ Programming Guide, throughput of native arithmetic instructions, compute capability 8.0";
inline constexpr char const* guide_86 =
    "CUDA C++ Programming Guide, throughput of native arithmetic instructions, compute capabilities 8.6, 8.9 and 12.0";
inline constexpr char const* guide_90 =
    "CUDA C++ Programming Guide, throughput of native arithmetic instructions, compute capability 9.0";

inline constexpr Rate nvidia_shared = documented(
    1, "CUDA C++ Programming Guide, shared memory of compute capability 5.x and later: 32 bits per bank and clock");
inline constexpr Rate nvidia_l1 =
    assumed(128, "no statement: L1 is the memory that shared memory is a part of, so it has shared memory's width");

/// Four schedulers, an L1 as wide as shared memory.
constexpr UnitRates nvidia_unit(MultiplyRates const& multiply, Rate const& fma, std::string_view paper) {
  return {.multiply = multiply,
          .fma = fma,
          .shared = nvidia_shared,
          .l1 = nvidia_l1,
          .l1_piece = 32,
          .issue = documented(4, paper)};
}

constexpr UnitRates geforce_unit(std::string_view paper) {
  return nvidia_unit(
      {documented(256, paper), documented(256, paper), documented(128, paper), documented(1024, paper), {}, {},
       documented(2, guide_86)},
      documented(128, guide_86), paper);
}

constexpr UnitRates hopper_unit(Rate (*by_mma)(double, std::string_view), std::string_view source) {
  return nvidia_unit({.f16 = by_mma(1234, source),
                      .bf16 = by_mma(1231, source),
                      .tf32 = by_mma(610, source),
                      .i8 = by_mma(2452, source),
                      .f32 = {},
                      .wgmma = documented(2048, h100_paper),
                      // 66.9e12 / 132 / 1.98e9 / 2
                      .f64 = documented(128, "NVIDIA H100 Tensor Core GPU Architecture, table of H100 SXM5: FP64 by "
                                             "tensor cores")},
                     documented(128, guide_90),
                     "NVIDIA H100 Tensor Core GPU Architecture: four schedulers in an SM, one instruction per clock "
                     "each");
}

inline constexpr double a100_l2 = 5120;
inline constexpr Rate hopper_l2 = assumed(
    a100_l2, "no statement for Hopper: NVIDIA A100 Tensor Core GPU Architecture says 5120 bytes per clock for A100");

// ---- AMD ----
// Peaks of the profiler's panels, divided by 2 where they count a multiply-add as two.

inline constexpr char const* profiler_90a = "ROCm Compute Profiler, System Speed-of-Light of gfx90a";
inline constexpr char const* profiler_942 = "ROCm Compute Profiler, System Speed-of-Light of gfx942";
inline constexpr char const* calculator =
    "AMD matrix instruction calculator: passes of each MFMA; four SIMDs with a matrix unit each";
inline constexpr char const* mi355x_sheet =
    "AMD Instinct MI355X datasheet: 2.5 PFLOP/s in f16, of 256 compute units at 2.4 GHz; LLVM, SISchedule.td: passes";
inline constexpr char const* rdna3_blog =
    "AMD GPUOpen, Using the Matrix Cores of RDNA 4: FLOPS per clock and CU of RDNA 3";
inline constexpr char const* rdna4_blog =
    "AMD GPUOpen, Using the Matrix Cores of RDNA 4: FLOPS per clock and CU of RDNA 4";
inline constexpr Rate rdna_shared = assumed(1, "no statement: 32 banks of 4 bytes, as in CDNA");

inline constexpr UnitRates cdna2_unit{
    .multiply = {documented(512, calculator),
                 documented(512, calculator),
                 {},
                 documented(512, calculator),
                 documented(128, calculator),
                 {},
                 documented(128, calculator),
                 documented(16, calculator)},
    .fma = documented(64, profiler_90a),
    .shared = documented(1, "ROCm Compute Profiler, System Speed-of-Light of gfx90a: 128 bytes"),
    .l1 = documented(64,
                     "ROCm Compute Profiler, System Speed-of-Light of gfx90a; it counts an access as 64 bytes, half "
                     "of a line of L2"),
    .l1_piece = 64,
    .issue = documented(5,
                        "ROCm Compute Profiler, System Speed-of-Light of gfx90a: highest IPC, one instruction of "
                        "each kind")};

inline constexpr UnitRates cdna3_unit{
    .multiply = {documented(1024, calculator),
                 documented(1024, calculator),
                 {},
                 documented(2048, calculator),
                 documented(128, calculator),
                 {},
                 documented(128, calculator),
                 documented(16, calculator)},
    .fma = documented(64, profiler_942),
    .shared = documented(1, "ROCm Compute Profiler, System Speed-of-Light of gfx942: 128 bytes"),
    .l1 = documented(128, profiler_942),
    .l1_piece = 128,
    .issue = documented(5,
                        "ROCm Compute Profiler, System Speed-of-Light of gfx942: highest IPC, one instruction of "
                        "each kind")};

inline constexpr UnitRates cdna4_unit{
    .multiply = {documented(2048, mi355x_sheet),
                 documented(2048, mi355x_sheet),
                 {},
                 documented(4096, mi355x_sheet),
                 documented(128, mi355x_sheet),
                 {},
                 documented(64, "AMD Instinct MI355X datasheet: 78.6 TFLOP/s of FP64 by matrix units"),
                 assumed(16, "no statement: as in gfx942")},
    .fma = assumed(64, "ROCm Compute Profiler, System Speed-of-Light of gfx942; assumed of gfx950"),
    .shared = assumed(1, "no statement: a wavefront of its 64 banks in each clock"),
    .l1 = {},
    .l1_piece = 128,
    .issue = assumed(5, "ROCm Compute Profiler, System Speed-of-Light of gfx942: highest IPC; assumed of gfx950")};

inline constexpr UnitRates rdna3_unit{
    .multiply = {documented(256, rdna3_blog), documented(256, rdna3_blog), {}, documented(256, rdna3_blog), {}},
    .fma = documented(64,
                      "ROCm Compute Profiler, System Speed-of-Light of gfx1151: one FMA for each of 64 lanes; a "
                      "dual-issued pair would be two"),
    .shared = rdna_shared,
    .l1 = {},
    .l1_piece = 128,
    .issue = documented(5,
                        "ROCm Compute Profiler, System Speed-of-Light of gfx1151: highest IPC, one instruction of "
                        "each kind")};

inline constexpr UnitRates rdna4_unit{
    .multiply = {documented(512, rdna4_blog), documented(512, rdna4_blog), {}, documented(1024, rdna4_blog), {}},
    .fma = assumed(64, "ROCm Compute Profiler, System Speed-of-Light of gfx1151; assumed of gfx1201"),
    .shared = rdna_shared,
    .l1 = {},
    .l1_piece = 128,
    .issue = assumed(5, "ROCm Compute Profiler, System Speed-of-Light of gfx1151: highest IPC; assumed of gfx1201")};

}  // namespace detail

/// The first machine of a target stands for it where nothing else is said. A device that is not in the table has its
/// own units, memories and clock, and the rates of that machine.
/// @par Source  NVIDIA: SMs, L2 and boost clock: the architecture white papers named at the rates. H200's L2: what its
///              device says, which the numbers of operand_sets in chapters/*/results/bench show. Shared memory of a
///              block: CUDA C++ Programming Guide, compute capabilities: 163 KB (8.0), 99 KB (8.6, 8.9, 12.0), 227 KB
///              (9.0), and 1 KB more in an SM; clusters of 8 blocks on every GPU of compute capability 9.0. AMD:
///              datasheets; ISA manuals (LDS: 64 KB, 160 KB on CDNA 4; 128 KB for the two CUs of a WGP on RDNA); ROCm,
///              AMD GPU specifications (L2); CDNA 3 and CDNA 4 white papers (XCDs; workgroups go to them in turn).
///              MI250X: one of its two dies, which is one device.
inline constexpr std::array machines{
    Machine{"A100", "sm80", 108, 1, 163 * detail::kib, 164 * detail::kib, 40 * detail::mib, 1,
            detail::nvidia_unit({documented(1024, detail::a100_paper),
                                 documented(1024, detail::a100_paper),
                                 documented(512, detail::a100_paper),
                                 documented(2048, detail::a100_paper),
                                 {},
                                 {},
                                 documented(64, detail::a100_paper)},  // 19.5e12 / 108 / 1.41e9 / 2
                                documented(64, detail::guide_80), detail::a100_paper),
            documented(1.41e9, detail::a100_paper), documented(detail::a100_l2, detail::a100_paper),
            documented(1555e9, "NVIDIA A100 Tensor Core GPU Architecture: with 40 GB")},
    Machine{"RTX 3090",
            "sm80",
            82,
            1,
            99 * detail::kib,
            100 * detail::kib,
            6 * detail::mib,
            1,
            detail::geforce_unit(detail::ga102_paper),
            documented(1.695e9, detail::ga102_paper),
            {},
            documented(936e9, detail::ga102_paper)},
    Machine{"RTX 4090",
            "sm80",
            128,
            1,
            99 * detail::kib,
            100 * detail::kib,
            72 * detail::mib,
            1,
            detail::geforce_unit(detail::ada_paper),
            documented(2.52e9, detail::ada_paper),
            {},
            documented(1008e9, detail::ada_paper)},
    Machine{"RTX 5090",
            "sm80",
            170,
            1,
            99 * detail::kib,
            100 * detail::kib,
            96 * detail::mib,
            1,
            detail::geforce_unit(detail::blackwell_paper),
            documented(2.407e9, detail::blackwell_paper),
            {},
            documented(1792e9, detail::blackwell_paper)},
    Machine{"H200", "sm90", 132, 1, 227 * detail::kib, 228 * detail::kib, 60 * detail::mib, 8,
            detail::hopper_unit(measured, detail::mma_records),
            documented(1.98e9, "nvidia-smi: clocks.max.sm of an H200"), detail::hopper_l2,
            documented(4.8e12, "NVIDIA H200 datasheet")},
    Machine{"H100 PCIe", "sm90", 114, 1, 227 * detail::kib, 228 * detail::kib, 50 * detail::mib, 8,
            detail::hopper_unit(assumed, detail::mma_of_h200),
            documented(1.755e9, "NVIDIA H100 Tensor Core GPU Architecture"), detail::hopper_l2,
            documented(2e12, "NVIDIA H100 Tensor Core GPU datasheet")},
    Machine{"H20", "sm90", 78, 1, 227 * detail::kib, 228 * detail::kib, 0, 8,
            detail::hopper_unit(assumed, detail::mma_of_h200), {}, detail::hopper_l2, {}},
    Machine{"MI250X", "gfx90a", 110, 1, 64 * detail::kib, 64 * detail::kib, 8 * detail::mib, 1, detail::cdna2_unit,
            documented(1.7e9,
                       "AMD Instinct MI250X datasheet, peak engine clock; one of its two dies, which is one "
                       "device"),
            documented(64 * 32,
                       "ROCm Compute Profiler, System Speed-of-Light of gfx90a: 64 bytes in each of 32 "
                       "channels"),
            documented(1.6e12, "AMD Instinct MI250X datasheet: 3.2 TB/s of both dies")},
    Machine{"MI300X", "gfx942", 304, 8, 64 * detail::kib, 64 * detail::kib, 4 * detail::mib, 1, detail::cdna3_unit,
            documented(2.1e9, "AMD Instinct MI300X datasheet, peak engine clock"),
            documented(128 * 128,
                       "ROCm Compute Profiler, System Speed-of-Light of gfx942: 128 bytes in each channel, "
                       "16 channels in each of 8 XCDs"),
            documented(5.3e12, "AMD Instinct MI300X datasheet")},
    Machine{"MI300A", "gfx942", 228, 6, 64 * detail::kib, 64 * detail::kib, 4 * detail::mib, 1, detail::cdna3_unit,
            documented(2.1e9, "AMD Instinct MI300A datasheet, peak engine clock"),
            documented(128 * 96,
                       "ROCm Compute Profiler, System Speed-of-Light of gfx942: 128 bytes in each channel, "
                       "16 channels in each of 6 XCDs"),
            documented(5.3e12, "AMD Instinct MI300A datasheet")},
    Machine{"MI355X",
            "gfx950",
            256,
            8,
            160 * detail::kib,
            160 * detail::kib,
            4 * detail::mib,
            1,
            detail::cdna4_unit,
            documented(2.4e9, "AMD Instinct MI355X datasheet, peak engine clock"),
            {},
            documented(8e12, "AMD Instinct MI355X datasheet")},
    Machine{"RX 7900 XTX",
            "gfx1100",
            96,
            1,
            64 * detail::kib,
            64 * detail::kib,
            6 * detail::mib,
            1,
            detail::rdna3_unit,
            documented(2.5e9, "AMD Radeon RX 7900 XTX datasheet, boost clock"),
            {},
            documented(960e9, "AMD Radeon RX 7900 XTX datasheet")},
    Machine{"RX 9070 XT",
            "gfx1201",
            64,
            1,
            64 * detail::kib,
            64 * detail::kib,
            8 * detail::mib,
            1,
            detail::rdna4_unit,
            documented(2.97e9, "AMD Radeon RX 9070 XT datasheet, boost clock"),
            {},
            documented(640e9, "AMD Radeon RX 9070 XT datasheet")},
};

}  // namespace tilestep
