# `cpack` in the build folder makes Debian packages in packages/: tacit (program, service, pages), tacit-dev (library) and,
# where it was built, python3-tacit.
# scripts/package does it from the start.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGE_CONTACT "Tacit developers <tacit@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "tacit built using CMake")  # cpack's own words, which it leaves out; each package has its own
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
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS openmpi-bin)  # mpirun, for a party with many machines
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "parties learn one Gaussian-process model together, in private
Hospitals, plants or robots that do not trust each other learn one model
from all their data. Data stay with their owners, and there is no server in
the middle: every party runs its own agent, as a service of systemd.
.
This package has the program, the service, man pages and the documentation.")
set(packaging ${PROJECT_SOURCE_DIR}/packaging/debian)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_CONTROL_EXTRA ${packaging}/postinst ${packaging}/prerm ${packaging}/postrm)

# Installed rooms name the libraries behind them by file (rooms.cmake); the program uses all of these, so its package brings
# them. The others are those of packages.cmake.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME tacit-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "tacit (= ${PROJECT_VERSION}), pkg-config, libeigen3-dev, libopenblas-dev, liblapacke-dev, libigraph-dev, libsodium-dev, libssl-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "library of Tacit for programs of your own
Gaussian processes, on many machines by MPI too, graphs, secure sums, and
simulated consortia of parties that learn one model together. Headers and
static libraries for C++20, found by CMake: find_package(tacit COMPONENTS gp).")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-tacit)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.11), python3 (<< 3.12), python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-sklearn, python3-pandas, python3-matplotlib, python3-networkx, python3-tqdm")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "Gaussian processes that parties learn together, for Python
Estimators of scikit-learn for one party and for a consortium of several,
simulations, plans, audits, and a client for the agent on this machine.")

install(FILES ${packaging}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tacit COMPONENT program)
install(FILES ${packaging}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tacit-dev COMPONENT development)
include(CPack)
