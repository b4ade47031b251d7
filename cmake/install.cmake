# `cmake --install` gives headers, libraries, the program and a package for find_package(tacit).
include(CMakePackageConfigHelpers)
get_property(rooms GLOBAL PROPERTY TACIT_ROOMS)

add_library(tacit_all INTERFACE)
set_target_properties(tacit_all PROPERTIES EXPORT_NAME tacit)
target_link_libraries(tacit_all INTERFACE ${rooms})

install(TARGETS ${rooms} tacit_all EXPORT tacit-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS tacit RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/tacit DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.hpp" PATTERN cli EXCLUDE)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tacit)
install(EXPORT tacit-targets NAMESPACE tacit:: DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tacit-config.cmake.in
                              ${PROJECT_BINARY_DIR}/tacit-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tacit-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tacit-config.cmake ${PROJECT_BINARY_DIR}/tacit-config-version.cmake
              ${PROJECT_SOURCE_DIR}/cmake/dependencies.cmake DESTINATION ${package_dir})

# The service, and the page that says how to use it.
configure_file(${PROJECT_SOURCE_DIR}/systemd/tacit-agent@.service ${PROJECT_BINARY_DIR}/tacit-agent@.service @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tacit-agent@.service DESTINATION lib/systemd/system)
install(FILES ${PROJECT_SOURCE_DIR}/docs/consortium.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${TACIT_GENERATED}/tacit DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.pb.h")
