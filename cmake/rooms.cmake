# A room is one folder under src/tacit, one static library and one test program.
#
#   tacit_room(graph SOURCES a.cpp b.cpp TESTS a_test.cpp USES base LINK_PRIVATE PkgConfig::igraph BEHIND fmt::fmt)
# USES lists the rooms on which it depends. LINK and LINK_PRIVATE list external libraries that packages.cmake must find
# for users of the room. BEHIND lists external libraries whose packages users do not need, because the installed room
# links their library files. PRECOMPILE lists external headers that most of its sources include. PUBLIC lists the
# headers to install: those in docs/library.md and those that they include.
include(cmake/library_files.cmake)

function(tacit_flags target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                           -Wnon-virtual-dtor)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 17)
    # These versions support coroutines, but do not define the macro that the standard library requires.
    target_compile_definitions(${target} PUBLIC $<BUILD_INTERFACE:__cpp_impl_coroutine=201902L>)
  endif()
  if(TACIT_SANITIZE)
    set(watch -fsanitize=${TACIT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      list(APPEND watch -fno-sanitize=function)  # clang 14 cannot compile coroutines with this sanitizer
      list(APPEND watch -fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/ubsan.ignore)
    endif()
    if(TACIT_FUZZ)
      list(APPEND watch -fsanitize=fuzzer-no-link)
    endif()
    target_compile_options(${target} PRIVATE ${watch})
    target_link_options(${target} PUBLIC $<BUILD_INTERFACE:-fsanitize=${TACIT_SANITIZE}>)
    target_compile_definitions(${target} PRIVATE TACIT_SANITIZED)
  endif()
endfunction()

# Compiles several sources of a room at a time, because common headers take most of the compile time. Names in anonymous
# namespaces must therefore be unique within a room. A source with its own options is compiled separately.
function(tacit_united target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${TACIT_UNITY} UNITY_BUILD_BATCH_SIZE 6)
  if(TACIT_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)  # GCC treats united sources as headers
  endif()
endfunction()

# For rooms that mostly wait for other agents or files. Halves the compile time.
function(tacit_little_optimised target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# For code that only calls lower rooms, such as tests, options and reports: less optimisation, and only the sanitizers
# for memory and threads. The rooms themselves are checked for undefined behaviour and instrumented for fuzzing. Doing
# that and optimising here as well would triple the compile time.
function(tacit_not_hot target)
  tacit_little_optimised(${target})
  if(TACIT_SANITIZE)
    target_compile_options(${target} PRIVATE -O0 -fno-sanitize=undefined)
    if(TACIT_FUZZ)
      target_compile_options(${target} PRIVATE -fno-sanitize=fuzzer-no-link)
    endif()
  endif()
endfunction()

function(tacit_room name)
  cmake_parse_arguments(room "" "" "SOURCES;TESTS;USES;LINK;LINK_PRIVATE;BEHIND;PRECOMPILE;PUBLIC" ${ARGN})
  set(target tacit_${name})
  add_library(${target} STATIC ${room_SOURCES})
  add_library(tacit::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src FILES ${room_PUBLIC})
  tacit_flags(${target})
  tacit_united(${target})
  foreach(used IN LISTS room_USES)
    target_link_libraries(${target} PUBLIC tacit::${used})
  endforeach()
  target_link_libraries(${target} PUBLIC ${room_LINK} PRIVATE ${room_LINK_PRIVATE})
  tacit_library_files(files ${room_BEHIND})
  foreach(part IN LISTS room_BEHIND)
    target_link_libraries(${target} PUBLIC $<BUILD_INTERFACE:${part}>)
  endforeach()
  target_link_libraries(${target} INTERFACE "$<INSTALL_INTERFACE:${files}>")
  if(room_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${room_PRECOMPILE})
  endif()
  set_target_properties(${target} PROPERTIES TACIT_USES "${room_USES}")
  if(TACIT_TESTS AND room_TESTS)
    tacit_test(${name}_test ${room_TESTS})
    target_link_libraries(${name}_test PRIVATE tacit::${name} ${room_LINK_PRIVATE})
  endif()
endfunction()

# Precompiles the headers that most tests include. Parsing them takes three seconds for each of a hundred files.
function(tacit_test_headers)
  add_library(tacit_test_headers OBJECT ${PROJECT_SOURCE_DIR}/cmake/test_headers.cpp)
  tacit_flags(tacit_test_headers)
  tacit_not_hot(tacit_test_headers)
  target_link_libraries(tacit_test_headers PRIVATE GTest::gtest_main rapidcheck Eigen3::Eigen)
  target_precompile_headers(tacit_test_headers PRIVATE <gtest/gtest.h> <rapidcheck/gtest.h> <Eigen/Core>)
endfunction()

# Adds a GoogleTest program. Each of its cases is a ctest case. Tests expect data that is not committed next to the
# project.
function(tacit_test target)
  add_executable(${target} ${ARGN})
  tacit_flags(${target})
  tacit_not_hot(${target})
  tacit_united(${target})
  target_link_libraries(${target} PRIVATE GTest::gtest_main rapidcheck)
  target_compile_definitions(${target} PRIVATE TACIT_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                               TACIT_BINARY_DIR="${PROJECT_BINARY_DIR}")
  target_precompile_headers(${target} REUSE_FROM tacit_test_headers)
  # The programs with the longest tests, which mostly wait, run first, so that no long test remains at the end.
  set(cost 1)
  if(target MATCHES "^(link|program|attacks)_test$")
    set(cost 50)
  endif()
  string(REGEX REPLACE "_test$" "" label ${target})  # scripts/ctest shows progress by room
  gtest_discover_tests(${target} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600 COST ${cost} LABELS ${label})
endfunction()

# Adds a room's tests again, as portable.*, with the given sources compiled without processor-specific fast paths. The
# linker prefers these objects to those of the room, so nothing else is recompiled.
function(tacit_portable_test room)
  set(target ${room}_portable_test)
  add_executable(${target} $<TARGET_OBJECTS:${room}_test> ${ARGN})
  tacit_flags(${target})
  target_compile_definitions(${target} PRIVATE TACIT_PORTABLE)
  get_target_property(linked ${room}_test LINK_LIBRARIES)
  target_link_libraries(${target} PRIVATE ${linked})
  # Tests of hostile members take longest and do not depend on how words are packed.
  gtest_discover_tests(${target} TEST_PREFIX portable. TEST_FILTER -HostileMembers.* DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600 LABELS portable)
endfunction()
