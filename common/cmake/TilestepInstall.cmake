# cmake --install: headers, the backend's library, and a package that find_package(tilestep) finds. Several backends fit
# into one prefix: each has its own include folder, library name and list of targets.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tilestep)
set(backend_include ${CMAKE_INSTALL_INCLUDEDIR}/tilestep-${TILESTEP_BACKEND})
target_include_directories(tilestep_backend PUBLIC $<INSTALL_INTERFACE:${backend_include}>)
# A folder of its own: who links tilestep::tilestep alone sees none of the harness.
set(harness_include ${CMAKE_INSTALL_INCLUDEDIR}/tilestep-harness)
target_include_directories(tilestep_harness PUBLIC $<INSTALL_INTERFACE:${harness_include}>)
# A project outside may have a CMake that knows no C++20 for nvcc, so the flag is spelled out.
target_compile_options(tilestep_backend PUBLIC
  $<INSTALL_INTERFACE:$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>>
  $<INSTALL_INTERFACE:$<$<COMPILE_LANGUAGE:HIP>:-std=c++20>>)
set_target_properties(tilestep_backend PROPERTIES OUTPUT_NAME tilestep_backend_${TILESTEP_BACKEND} EXPORT_NAME backend)
set_target_properties(tilestep_show PROPERTIES OUTPUT_NAME tilestep_show_${TILESTEP_BACKEND} EXPORT_NAME show)
set_target_properties(tilestep_harness PROPERTIES OUTPUT_NAME tilestep_harness_${TILESTEP_BACKEND} EXPORT_NAME harness)

install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY backend/any/include/ backend/${TILESTEP_BACKEND}/include/ DESTINATION ${backend_include}
        FILES_MATCHING PATTERN "*.hpp")
# Headers of the harness that its own sources and their tests alone include stay behind.
set(private_headers bench_json build_info ceiling device_array gemm_bench gemm_run gemm_setup gemm_tune json
  list_file operand_sets parallel problem_list vendor_side)
list(JOIN private_headers "|" private)
install(DIRECTORY harness/tilestep DESTINATION ${harness_include} FILES_MATCHING PATTERN "*.hpp"
        REGEX "/(${private})[.]hpp$" EXCLUDE)
install(TARGETS tilestep tilestep_backend tilestep_show tilestep_harness EXPORT tilestep-${TILESTEP_BACKEND})
install(EXPORT tilestep-${TILESTEP_BACKEND} NAMESPACE tilestep:: DESTINATION ${package_dir})

configure_package_config_file(cmake/tilestepConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/tilestepConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/tilestepConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tilestepConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/tilestepConfigVersion.cmake
              cmake/TilestepKernels.cmake cmake/TilestepCompilers.cmake DESTINATION ${package_dir})
