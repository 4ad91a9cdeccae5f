#pragma once
// The atom layer: one instruction, the shape it works on, and which thread holds which element; and many of them side
// by side.

#include <tilestep/atom/fragment.hpp>         // make_fragment_like, make_tensor_like
#include <tilestep/atom/mma_atom.hpp>         // MmaAtom, UniversalFMA
#include <tilestep/atom/tiled_mma.hpp>        // TiledMma
#include <tilestep/atom/copy_atom.hpp>        // CopyAtom, UniversalCopy
#include <tilestep/atom/tiled_copy.hpp>       // TiledCopy
#include <tilestep/atom/tfloat32.hpp>         // tfloat32_t
#include <tilestep/atom/float8.hpp>           // float_e4m3_t, float_e5m2_t
#include <tilestep/atom/subbyte.hpp>          // int4b_t, uint4b_t, uint1b_t
#include <tilestep/atom/matrix_fragment.hpp>  // MatrixTraits
#include <tilestep/atom/dot_product.hpp>      // NVIDIA: four products of a thread
#include <tilestep/atom/nvidia.hpp>           // NVIDIA: mma.sync
#include <tilestep/atom/complex_mma.hpp>      // NVIDIA: complex f64 by mma.sync
#include <tilestep/atom/cdna.hpp>             // AMD CDNA: MFMA
#include <tilestep/atom/rdna.hpp>             // AMD RDNA: WMMA
#include <tilestep/atom/ldmatrix.hpp>         // NVIDIA: fragments from shared memory
#include <tilestep/atom/async_copy.hpp>       // copies in flight: cp.async, loads to shared memory
