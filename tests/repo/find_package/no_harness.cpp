// Who links tilestep::tilestep alone has the library's headers, and none of the harness. In the repository's own tree,
// too: a target of its tests compiles this file.

#include <tilestep/tilestep.hpp>

#if __has_include(<tilestep/harness.hpp>) || __has_include(<tilestep/harness/npy.hpp>)
#error "tilestep::tilestep gives headers of the harness: only tilestep::harness may"
#endif
