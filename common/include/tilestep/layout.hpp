#pragma once
// The layout layer: functions from coordinates to offsets, and their algebra. Reading order as included.

#include <tilestep/core.hpp>                // Int, Tuple, coordinates
#include <tilestep/layout/compact.hpp>      // packed strides
#include <tilestep/layout/layout.hpp>       // Layout
#include <tilestep/layout/rearrange.hpp>    // take, select, group, zip
#include <tilestep/layout/coalesce.hpp>     // coalesce, filter
#include <tilestep/layout/composition.hpp>  // lhs after rhs
#include <tilestep/layout/sort.hpp>         // modes by stride
#include <tilestep/layout/complement.hpp>   // what a layout leaves out
#include <tilestep/layout/inverse.hpp>      // right_inverse, left_inverse, max_common_vector
#include <tilestep/layout/divide.hpp>       // tiles
#include <tilestep/layout/product.hpp>      // copies
#include <tilestep/layout/recast.hpp>       // other element types
#include <tilestep/layout/pad.hpp>          // whole tiles, split modes
#include <tilestep/layout/swizzle.hpp>      // xor of offset bits
#include <tilestep/layout/composed.hpp>     // a function after a layout
#include <tilestep/layout/print.hpp>        // to_string
