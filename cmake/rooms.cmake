# A room is one folder under src/tacit, one static library and one test program.
#
#   tacit_room(graph SOURCES a.cpp b.cpp TESTS a_test.cpp USES base LINK_PRIVATE PkgConfig::igraph BEHIND fmt::fmt)
# USES names the rooms it depends on. LINK and LINK_PRIVATE name outside parts, which packages.cmake must find for users of
# the room; BEHIND names parts that users need not have the package of, as the installed room names their library files.
# PRECOMPILE names outside headers that most of its sources include, which are then read once instead of every time.
# PUBLIC names the headers that are installed: those in docs/library.md and those that they include.
include(cmake/library_files.cmake)

function(tacit_flags target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                                           -Wnon-virtual-dtor)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 17)
    # These versions compile coroutines, but do not say so in the way that the standard library asks for.
    target_compile_definitions(${target} PUBLIC $<BUILD_INTERFACE:__cpp_impl_coroutine=201902L>)
  endif()
  if(TACIT_SANITIZE)
    set(watch -fsanitize=${TACIT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      list(APPEND watch -fno-sanitize=function)  # clang 14 cannot compile coroutines with it
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

# A room's sources are compiled some at a time, as most of the time goes into the headers that they have in common. Names in
# nameless namespaces must then differ within a room. A source with options of its own is compiled by itself.
function(tacit_united target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${TACIT_UNITY} UNITY_BUILD_BATCH_SIZE 6)
  if(TACIT_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)  # it takes united sources for headers
  endif()
endfunction()

# For rooms that wait for others or for files most of the time: half the compile time.
function(tacit_little_optimised target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# For code that only calls the rooms below, such as tests, options and reports: less optimising, and of the sanitizers
# those that watch memory and threads. Undefined behaviour and what fuzzing reaches are looked for in the rooms themselves;
# with that and with optimising here too, these would compile three times as long.
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

# The headers that most tests include, precompiled: parsing them takes three seconds for each of a hundred files.
function(tacit_test_headers)
  add_library(tacit_test_headers OBJECT ${PROJECT_SOURCE_DIR}/cmake/test_headers.cpp)
  tacit_flags(tacit_test_headers)
  tacit_not_hot(tacit_test_headers)
  target_link_libraries(tacit_test_headers PRIVATE GTest::gtest_main rapidcheck Eigen3::Eigen)
  target_precompile_headers(tacit_test_headers PRIVATE <gtest/gtest.h> <rapidcheck/gtest.h> <Eigen/Core>)
endfunction()

# A GoogleTest program whose every case is a ctest case. Data that is not committed is looked for beside the project.
function(tacit_test target)
  add_executable(${target} ${ARGN})
  tacit_flags(${target})
  tacit_not_hot(${target})
  tacit_united(${target})
  target_link_libraries(${target} PRIVATE GTest::gtest_main rapidcheck)
  target_compile_definitions(${target} PRIVATE TACIT_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                               TACIT_BINARY_DIR="${PROJECT_BINARY_DIR}")
  target_precompile_headers(${target} REUSE_FROM tacit_test_headers)
  # Whose tests take longest, and mostly wait, begins first: then nothing long is left at the end.
  set(cost 1)
  if(target MATCHES "^(link|program|attacks)_test$")
    set(cost 50)
  endif()
  gtest_discover_tests(${target} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600 COST ${cost})
endfunction()

# A room's tests again, as portable.*, with these sources compiled without fast paths for particular processors. The linker
# takes them before those that the rooms have, so nothing else is compiled anew.
function(tacit_portable_test room)
  set(target ${room}_portable_test)
  add_executable(${target} $<TARGET_OBJECTS:${room}_test> ${ARGN})
  tacit_flags(${target})
  target_compile_definitions(${target} PRIVATE TACIT_PORTABLE)
  get_target_property(linked ${room}_test LINK_LIBRARIES)
  target_link_libraries(${target} PRIVATE ${linked})
  # What hostile members can do does not depend on how words are packed, and takes longest.
  gtest_discover_tests(${target} TEST_PREFIX portable. TEST_FILTER -HostileMembers.* DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600)
endfunction()
