# The packages that the build of Tacit needs. packages.cmake lists those that users of the library need, too.
include(cmake/packages.cmake)
foreach(room base gp graph secrecy)
  tacit_find_packages_of(${room})
endforeach()
find_package(Boost 1.74 REQUIRED)  # headers only: Boost.Multiprecision
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(TBB REQUIRED)
tacit_find_module(matio libpq nlopt sqlite3 zlib tomlplusplus grpc++ protobuf spdlog cpp-httplib)

if(TACIT_LAB)
  # NTL, for a rival method in the paper's evaluation (lab/rivals). NTL has no pkg-config file.
  find_path(NTL_INCLUDE_DIR NTL/FFT.h REQUIRED)
  find_library(NTL_LIBRARY ntl REQUIRED)
  add_library(tacit_ntl INTERFACE)
  target_include_directories(tacit_ntl SYSTEM INTERFACE ${NTL_INCLUDE_DIR})
  target_link_libraries(tacit_ntl INTERFACE ${NTL_LIBRARY})
endif()
