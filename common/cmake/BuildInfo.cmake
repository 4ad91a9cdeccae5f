# cmake -DSOURCE=folder -DOUTPUT=file.cpp -P BuildInfo.cmake: writes the commit of the source into a C++ file, unless it
# says so already.
set(commit "unknown")
find_program(GIT git)
if(GIT)
  execute_process(COMMAND ${GIT} --no-optional-locks -C ${SOURCE} describe --always --dirty=+ --abbrev=12 --exclude=*
                  OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(commit "${found}")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [[
#include <tilestep/harness/build_info.hpp>

namespace tilestep::build_info {

char const* commit() { return "@commit@"; }

}  // namespace tilestep::build_info
]] @ONLY)
