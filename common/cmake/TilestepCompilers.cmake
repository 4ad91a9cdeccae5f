# The oldest compilers that read the library: C++20 with std::source_location. This build and the installed package
# include it: an older compiler ends both with one sentence instead of errors in headers.
set(tilestep_oldest_GNU 12)
set(tilestep_oldest_Clang 15)
set(tilestep_oldest ${tilestep_oldest_${CMAKE_CXX_COMPILER_ID}})
if(tilestep_oldest AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS tilestep_oldest)
  message(FATAL_ERROR "tilestep needs g++ 12 or clang++ 15, or newer, and ${CMAKE_CXX_COMPILER} is version "
                      "${CMAKE_CXX_COMPILER_VERSION}: name another by -DCMAKE_CXX_COMPILER in an empty build folder")
endif()
