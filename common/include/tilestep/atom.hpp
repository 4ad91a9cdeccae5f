#pragma once
// The atom layer: one instruction, the shape it works on, and which thread holds which element.

#include <tilestep/atom/mma_atom.hpp>  // MmaAtom, UniversalFMA
