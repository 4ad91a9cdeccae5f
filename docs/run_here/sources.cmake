# The program behind "Run it here", for whatever compiler the including project has.
set(here ${CMAKE_CURRENT_LIST_DIR})
set(root ${here}/../..)

# tilestep_run_here(NAME LIBRARY): the program NAME from its sources and the virtual GPU, which is LIBRARY. Each file of
# kernels has its own number, by which a module's call sites differ.
function(tilestep_run_here name library)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(bugs ${CMAKE_CURRENT_BINARY_DIR}/${name}_bugs)
  set(written ${bugs}/kernel.hpp ${bugs}/families.hpp ${bugs}/bugs.hpp)
  add_custom_command(OUTPUT ${written}
    COMMAND Python3::Interpreter ${root}/docs/tools/run_here.py bugs ${bugs}
    DEPENDS ${root}/docs/tools/run_here.py ${root}/chapters/07_k_loop/kernel.hpp
            ${root}/chapters/07_k_loop/families.hpp ${root}/tests/chapters/07_k_loop/CMakeLists.txt)
  add_custom_target(${name}_bugs DEPENDS ${written})

  add_executable(${name} ${here}/program.cpp)
  add_dependencies(${name} ${name}_bugs)
  target_include_directories(${name} PRIVATE ${here} ${bugs} ${root}/common/include ${root}/common/harness)
  target_link_libraries(${name} PRIVATE ${library})
  set(number 0)
  foreach(family nvidia_f16 cdna_f16)
    foreach(kind right bugs)
      math(EXPR number "${number} + 1")
      set(part ${name}_${family}_${kind})
      add_library(${part} OBJECT ${here}/kernels.cpp)
      target_link_libraries(${part} PRIVATE ${library})
      target_compile_definitions(${part} PRIVATE TILESTEP_KERNELS=${family} TILESTEP_CALL_SITES=${number})
      if(kind STREQUAL "right")
        target_include_directories(${part} PRIVATE ${here} ${root}/chapters/07_k_loop)
        target_compile_definitions(${part} PRIVATE TILESTEP_FUNCTION=${family})
      else()
        # Names of their own: the linker would take one kernel for both.
        target_include_directories(${part} PRIVATE ${here} ${bugs})
        target_compile_definitions(${part} PRIVATE TILESTEP_FUNCTION=${family}_with_bugs
          KLoopGemm=KLoopGemmWithBugs kernels_of=kernels_with_bugs_of)
        add_dependencies(${part} ${name}_bugs)
      endif()
      target_include_directories(${part} PRIVATE ${root}/common/include ${root}/common/harness)
      target_link_libraries(${name} PRIVATE ${part})
    endforeach()
  endforeach()
endfunction()
