#pragma once
// Written by docs/tools/tune.py from chapters/20_hopper/results/tune/nvidia-h200.json: NVIDIA H200, driver 580.159.04, commit 9a8be9b8a1e8+, 9841cecf9b73+.
// The fastest of the candidates for each problem; the record has the times of all. Change the record, not this file.

#include <tilestep/harness/gemm_plan.hpp>  // TableRow

#include <array>  // std::array

namespace tilestep {

constexpr std::array<TableRow, 80> table_sm90{{
    {DType::f16, "nt", 256, 256, 256, "64x64x64", 1, 0},  // 7.57 TFLOP/s
    {DType::f16, "nt", 512, 512, 512, "64x64x64", 1, 0},  // 63.3 TFLOP/s
    {DType::f16, "nt", 1024, 1024, 1024, "128x64x64", 1, 0},  // 343 TFLOP/s
    {DType::f16, "nt", 2048, 2048, 2048, "128x128x64", 1, 0},  // 563 TFLOP/s
    {DType::f16, "nt", 4096, 4096, 4096, "128x128x64", 1, 16},  // 658 TFLOP/s
    {DType::f16, "nt", 8192, 8192, 8192, "128x192x64-m2", 1, 4},  // 640 TFLOP/s
    {DType::f16, "nt", 4096, 4096, 14336, "128x112x64", 1, 4},  // 654 TFLOP/s
    {DType::f16, "nt", 4096, 28672, 4096, "128x192x64-m2", 1, 4},  // 649 TFLOP/s
    {DType::f16, "nt", 16384, 4096, 4096, "128x128x64", 1, 16},  // 641 TFLOP/s
    {DType::f16, "nt", 3840, 4096, 4096, "128x192x64-m2", 1, 4},  // 647 TFLOP/s
    {DType::f16, "nt", 2048, 8192, 1024, "128x128x64", 1, 16},  // 605 TFLOP/s
    {DType::f16, "nt", 512, 4096, 4096, "128x128x64", 1, 0},  // 633 TFLOP/s
    {DType::f16, "nt", 16, 8192, 8192, "64x16x64", 1, 0},  // 60.7 TFLOP/s
    {DType::f16, "nt", 32, 8192, 8192, "64x32x64", 1, 0},  // 119 TFLOP/s
    {DType::f16, "nt", 64, 8192, 8192, "64x64x64", 1, 0},  // 234 TFLOP/s
    {DType::f16, "nt", 128, 8192, 8192, "128x64x64", 1, 0},  // 422 TFLOP/s
    {DType::f16, "nt", 128, 4096, 16384, "128x64x64", 2, 0},  // 368 TFLOP/s
    {DType::f16, "nt", 256, 256, 65536, "128x64x64", 16, 0},  // 335 TFLOP/s
    {DType::f16, "nt", 64, 64, 262144, "64x16x64", 32, 0},  // 91.3 TFLOP/s
    {DType::f16, "nt", 8192, 16, 8192, "64x16x64", 1, 0},  // 61 TFLOP/s
    {DType::f16, "nt", 8191, 8191, 8191, "128x176x64", 1, 0},  // 551 TFLOP/s
    {DType::f16, "nt", 8190, 8190, 8190, "128x192x64-m2", 1, 16},  // 547 TFLOP/s
    {DType::f16, "nt", 4095, 4097, 4099, "128x128x64", 1, 4},  // 466 TFLOP/s
    {DType::f16, "nt", 1023, 2047, 4093, "128x128x64", 1, 0},  // 308 TFLOP/s
    {DType::f16, "nt", 5001, 3003, 7007, "128x192x64-m2", 1, 0},  // 474 TFLOP/s
    {DType::f16, "nt", 2049, 2049, 2049, "128x64x64", 1, 4},  // 256 TFLOP/s
    {DType::f16, "nt", 129, 129, 67, "64x32x64", 1, 0},  // 0.16 TFLOP/s
    {DType::f16, "nn", 256, 256, 256, "64x64x64", 1, 0},  // 7.37 TFLOP/s
    {DType::f16, "nn", 512, 512, 512, "64x64x64", 1, 0},  // 60.1 TFLOP/s
    {DType::f16, "nn", 1024, 1024, 1024, "128x64x64", 1, 0},  // 348 TFLOP/s
    {DType::f16, "nn", 2048, 2048, 2048, "128x128x64", 1, 0},  // 567 TFLOP/s
    {DType::f16, "nn", 4096, 4096, 4096, "128x128x64", 1, 16},  // 639 TFLOP/s
    {DType::f16, "nn", 8192, 8192, 8192, "128x192x64", 1, 16},  // 641 TFLOP/s
    {DType::f16, "nn", 4096, 4096, 14336, "128x128x64", 1, 16},  // 652 TFLOP/s
    {DType::f16, "nn", 4096, 28672, 4096, "128x192x64", 1, 0},  // 645 TFLOP/s
    {DType::f16, "nn", 16384, 4096, 4096, "128x128x64", 1, 16},  // 648 TFLOP/s
    {DType::f16, "nn", 3840, 4096, 4096, "128x192x64", 1, 0},  // 650 TFLOP/s
    {DType::f16, "nn", 2048, 8192, 1024, "128x128x64", 1, 0},  // 608 TFLOP/s
    {DType::f16, "nn", 512, 4096, 4096, "128x128x64", 1, 0},  // 578 TFLOP/s
    {DType::f16, "nn", 6144, 6144, 6144, "128x192x64", 1, 16},  // 643 TFLOP/s
    {DType::f16, "nn", 16, 8192, 8192, "64x16x64", 1, 0},  // 60.9 TFLOP/s
    {DType::f16, "nn", 32, 8192, 8192, "64x32x64", 1, 0},  // 120 TFLOP/s
    {DType::f16, "nn", 64, 8192, 8192, "64x64x64", 1, 0},  // 240 TFLOP/s
    {DType::f16, "nn", 128, 8192, 8192, "128x64x64", 1, 0},  // 434 TFLOP/s
    {DType::f16, "nn", 128, 4096, 16384, "128x64x64", 2, 0},  // 382 TFLOP/s
    {DType::f16, "nn", 256, 256, 65536, "128x64x64", 16, 0},  // 341 TFLOP/s
    {DType::f16, "nn", 64, 64, 262144, "64x64x64", 64, 0},  // 83.3 TFLOP/s
    {DType::f16, "nn", 8192, 16, 8192, "64x16x64", 1, 0},  // 56.1 TFLOP/s
    {DType::f16, "nn", 8191, 8191, 8191, "128x192x64-m2", 1, 0},  // 565 TFLOP/s
    {DType::f16, "nn", 8190, 8190, 8190, "128x192x64-m2", 1, 4},  // 558 TFLOP/s
    {DType::f16, "nn", 4095, 4097, 4099, "128x128x64", 1, 4},  // 464 TFLOP/s
    {DType::f16, "nn", 1023, 2047, 4093, "128x128x64", 1, 0},  // 305 TFLOP/s
    {DType::f16, "nn", 5001, 3003, 7007, "128x192x64-m2", 1, 0},  // 472 TFLOP/s
    {DType::f16, "nn", 2049, 2049, 2049, "128x64x64", 1, 4},  // 252 TFLOP/s
    {DType::f16, "nn", 129, 129, 67, "64x32x64", 1, 0},  // 0.176 TFLOP/s
    {DType::f16, "tn", 1024, 1024, 1024, "128x64x64", 1, 0},  // 325 TFLOP/s
    {DType::f16, "tn", 2048, 2048, 2048, "128x128x64", 1, 0},  // 587 TFLOP/s
    {DType::f16, "tn", 4096, 4096, 4096, "128x128x64", 1, 16},  // 641 TFLOP/s
    {DType::f16, "tn", 8192, 8192, 8192, "128x192x64", 1, 16},  // 638 TFLOP/s
    {DType::f16, "tn", 4096, 28672, 4096, "128x128x64", 1, 0},  // 636 TFLOP/s
    {DType::f16, "tn", 512, 4096, 4096, "128x128x64", 1, 0},  // 548 TFLOP/s
    {DType::f16, "tn", 16, 8192, 8192, "64x16x64", 1, 0},  // 56.3 TFLOP/s
    {DType::f16, "tn", 64, 8192, 8192, "64x64x64", 1, 0},  // 242 TFLOP/s
    {DType::f16, "tn", 128, 8192, 8192, "128x64x64", 1, 0},  // 444 TFLOP/s
    {DType::f16, "tn", 8192, 16, 8192, "64x16x64", 1, 0},  // 57 TFLOP/s
    {DType::f16, "tn", 4095, 4097, 4099, "128x128x64", 1, 4},  // 462 TFLOP/s
    {DType::f16, "tt", 1024, 1024, 1024, "128x64x64", 1, 0},  // 299 TFLOP/s
    {DType::f16, "tt", 2048, 2048, 2048, "128x128x64", 1, 0},  // 580 TFLOP/s
    {DType::f16, "tt", 4096, 4096, 4096, "128x128x64", 1, 16},  // 659 TFLOP/s
    {DType::f16, "tt", 8192, 8192, 8192, "128x192x64-m2", 1, 0},  // 650 TFLOP/s
    {DType::f16, "tt", 4096, 28672, 4096, "128x128x64-m2", 1, 0},  // 650 TFLOP/s
    {DType::f16, "tt", 512, 4096, 4096, "128x128x64", 1, 0},  // 555 TFLOP/s
    {DType::f16, "tt", 16, 8192, 8192, "64x16x64", 1, 0},  // 55.4 TFLOP/s
    {DType::f16, "tt", 64, 8192, 8192, "64x64x64", 1, 0},  // 237 TFLOP/s
    {DType::f16, "tt", 128, 8192, 8192, "128x64x64", 1, 0},  // 435 TFLOP/s
    {DType::f16, "tt", 8192, 16, 8192, "64x16x64", 1, 0},  // 62.1 TFLOP/s
    {DType::f16, "tt", 4095, 4097, 4099, "128x128x64", 1, 4},  // 462 TFLOP/s
    {DType::f16, "nt", 16384, 16384, 8192, "128x128x64", 1, 4},  // 634 TFLOP/s
    {DType::f16, "nn", 16384, 16384, 8192, "128x128x64", 1, 4},  // 625 TFLOP/s
    {DType::f16, "nt", 6144, 6144, 6144, "128x192x64-m2", 1, 0},  // 631 TFLOP/s
}};

}  // namespace tilestep
