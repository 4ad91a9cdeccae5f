#pragma once
// The core layer: numbers known at compile time, tuples of them, and coordinates. Reading order as included.

#include <tilestep/core/integer.hpp>           // Int<8>{}: a number that is a type
#include <tilestep/core/tuple.hpp>             // Tuple: static elements take no room
#include <tilestep/core/tuple_algorithms.hpp>  // transform, fold, append, flatten
#include <tilestep/core/int_tuple.hpp>         // rank, size, ceil_div, congruent, compatible
#include <tilestep/core/coordinates.hpp>       // crd2idx, idx2crd
#include <tilestep/core/slice.hpp>             // the underscore
#include <tilestep/core/basis.hpp>             // strides that are directions
#include <tilestep/core/print.hpp>             // to_string, print
