# The parts Tacit stands on. The installed package (tacit-config.cmake) includes this same file.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(Eigen3 3.4)
find_dependency(Boost 1.74)  # headers only: Boost.Multiprecision
find_dependency(fmt)
find_dependency(nlohmann_json)
find_dependency(OpenSSL)
find_dependency(PkgConfig)
foreach(part IN ITEMS libsodium igraph lapacke openblas matio nlopt zlib tomlplusplus grpc++ protobuf spdlog)
  if(NOT TARGET PkgConfig::${part})
    pkg_check_modules(${part} REQUIRED QUIET IMPORTED_TARGET GLOBAL ${part})
  endif()
endforeach()
