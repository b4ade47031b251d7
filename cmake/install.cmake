# `cmake --install` gives the program and a library for others: find_package(tacit [COMPONENTS gp ...]). A component is a room
# with the rooms it depends on (docs/library.md).
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tacit)
set(components gp graph protocol simulation)

# The rooms of each component, lowest first.
function(tacit_add_rooms room)
  get_target_property(uses tacit_${room} TACIT_USES)
  foreach(used IN LISTS uses)
    tacit_add_rooms(${used})
  endforeach()
  list(APPEND rooms ${room})
  list(REMOVE_DUPLICATES rooms)
  set(rooms ${rooms} PARENT_SCOPE)
endfunction()
set(all)
set(rooms_of_components)
foreach(component IN LISTS components)
  set(rooms)
  tacit_add_rooms(${component})
  list(APPEND all ${rooms})
  string(APPEND rooms_of_components "set(tacit_rooms_of_${component} ${rooms})\n")
endforeach()
list(REMOVE_DUPLICATES all)

foreach(room IN LISTS all)
  install(TARGETS tacit_${room} EXPORT tacit-${room} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT tacit-${room} FILE tacit-${room}.cmake NAMESPACE tacit:: DESTINATION ${package_dir})
endforeach()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tacit-config.cmake.in
                              ${PROJECT_BINARY_DIR}/tacit-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tacit-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tacit-config.cmake ${PROJECT_BINARY_DIR}/tacit-config-version.cmake
              ${PROJECT_SOURCE_DIR}/cmake/packages.cmake DESTINATION ${package_dir})

# The program, the service, and the page that says how to use them.
install(TARGETS tacit RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
configure_file(${PROJECT_SOURCE_DIR}/systemd/tacit-agent@.service ${PROJECT_BINARY_DIR}/tacit-agent@.service @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tacit-agent@.service DESTINATION lib/systemd/system)
install(FILES ${PROJECT_SOURCE_DIR}/docs/consortium.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
