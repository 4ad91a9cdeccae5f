#pragma once
// Everything a chapter's main.cpp needs. Standard C++ only: the compilers of kernels read these headers.

#include <tilestep/harness/command_line.hpp>  // CommandLine
#include <tilestep/harness/copy_chapter.hpp>  // copy_main
#include <tilestep/harness/gemm_chapter.hpp>  // gemm_main
#include <tilestep/harness/npy.hpp>           // read_npy, write_npy
#include <tilestep/harness/program.hpp>       // run_main
#include <tilestep/harness/record.hpp>        // Record
