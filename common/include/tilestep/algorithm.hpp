#pragma once
// The algorithm layer: what a kernel does with tensors.

#include <tilestep/algorithm/axpby.hpp>  // axpby
#include <tilestep/algorithm/copy.hpp>   // copy, copy_if
#include <tilestep/algorithm/fill.hpp>   // fill, clear
#include <tilestep/algorithm/gemm.hpp>   // gemm
#include <tilestep/algorithm/within.hpp>  // within, rows_within
