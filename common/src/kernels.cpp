// Kernels of a chapter, one part of them: TILESTEP_KERNELS is a name in KERNELS of the chapter's CMakeLists.txt,
// TILESTEP_NAMESPACE what the chapter's families.hpp is in. CMake writes sources that include this file once for each
// name: so no compiler has to read all kernels at once, and a program may be made of a few of them. Where several
// chapters stand in one source, TILESTEP_FAMILIES says whose file it is.

#if !defined(TILESTEP_FAMILIES)
#define TILESTEP_FAMILIES "families.hpp"
#endif
#include TILESTEP_FAMILIES  // the chapter's: kinds, kernels_of

#define TILESTEP_JOIN(a, b) a##b
#define TILESTEP_FUNCTION(name) TILESTEP_JOIN(kernels_, name)

namespace TILESTEP_NAMESPACE {

GemmChoices TILESTEP_FUNCTION(TILESTEP_KERNELS)(GemmCall const& call) {
  return kernels_of<kinds::TILESTEP_KERNELS>(call);
}

}  // namespace TILESTEP_NAMESPACE
