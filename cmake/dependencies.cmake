# The packages Tacit is built with; packages.cmake has those that its users need as well.
include(cmake/packages.cmake)
foreach(room base gp graph secrecy)
  tacit_find_packages_of(${room})
endforeach()
find_package(Boost 1.74 REQUIRED)  # headers only: Boost.Multiprecision
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(TBB REQUIRED)
tacit_find_module(matio libpq nlopt sqlite3 zlib tomlplusplus grpc++ protobuf spdlog cpp-httplib)
