# `cpack` in the build folder creates Debian packages in packages/: tacit (program, service, pages), tacit-dev (library)
# and, if it was built, python3-tacit. scripts/package also configures and builds.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGE_CONTACT "Tacit developers <tacit@example.org>")
# cpack's default, which it omits; each package has its own summary.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "tacit built using CMake")
set(CPACK_COMPONENTS_ALL program development)
if(TACIT_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/package_modes.cmake)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME tacit)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "adduser, procps")  # procps has kill, for reloads
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS openmpi-bin)  # mpirun, for a party with several machines
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "private Gaussian-process regression between several parties
Hospitals, plants or robots that do not trust each other learn one model
from all their data. The data stay with their owners. No server is involved:
every party runs its own agent, as a systemd service.
.
This package contains the program, the service, man pages and documentation.")
set(packaging ${PROJECT_SOURCE_DIR}/packaging/debian)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_CONTROL_EXTRA ${packaging}/postinst ${packaging}/prerm ${packaging}/postrm)

# Installed rooms link libraries by file (rooms.cmake). The program uses all of them, so its package depends on them.
# The remaining dependencies are those of packages.cmake.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME tacit-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "tacit (= ${PROJECT_VERSION}), pkg-config, libeigen3-dev, libopenblas-dev, liblapacke-dev, libigraph-dev, libsodium-dev, libssl-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "C++ library of Tacit
Gaussian processes, also on several machines by MPI, graphs, secure sums, and
simulated consortia of parties that learn one model. Headers and static
libraries for C++20, for use with CMake: find_package(tacit COMPONENTS gp).")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-tacit)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.11), python3 (<< 3.12), python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-sklearn, python3-pandas, python3-matplotlib, python3-networkx, python3-tqdm")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "Python package of Tacit
scikit-learn estimators of Gaussian processes for one party and for a
consortium, simulations, plans, audits, and a client for the local agent.")

install(FILES ${packaging}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tacit COMPONENT program)
install(FILES ${packaging}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tacit-dev COMPONENT development)
include(CPack)
