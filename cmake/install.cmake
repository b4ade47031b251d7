# `cmake --install` installs the program and a library: find_package(tacit [COMPONENTS gp ...]). A component is a room
# with the rooms on which it depends (docs/library.md).
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tacit)
set(usual_components gp graph protocol)  # without mpi, which links MPI
if(TACIT_LAB)
  list(APPEND usual_components lab)
endif()
set(components ${usual_components} mpi)

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
  install(TARGETS tacit_${room} EXPORT tacit-${room} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
          FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
  install(EXPORT tacit-${room} FILE tacit-${room}.cmake NAMESPACE tacit:: DESTINATION ${package_dir} COMPONENT development)
endforeach()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tacit-config.cmake.in
                              ${PROJECT_BINARY_DIR}/tacit-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tacit-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tacit-config.cmake ${PROJECT_BINARY_DIR}/tacit-config-version.cmake
              ${PROJECT_SOURCE_DIR}/cmake/packages.cmake DESTINATION ${package_dir} COMPONENT development)

# The program, the service and the documentation.
install(TARGETS tacit RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
# The service file contains the path of the program, which is known only after cmake --install or cpack has chosen the
# prefix. Both may run at the same time, so each writes its own file.
install(CODE "
  set(bindir \${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR})
  set(docdir \${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR})
  string(MD5 own \"\$ENV{DESTDIR}:\${CMAKE_INSTALL_PREFIX}\")
  set(unit \"${PROJECT_BINARY_DIR}/units/\${own}/tacit-agent@.service\")
  configure_file(\"${PROJECT_SOURCE_DIR}/systemd/tacit-agent@.service\" \${unit} @ONLY)
  file(INSTALL DESTINATION \${CMAKE_INSTALL_PREFIX}/lib/systemd/system TYPE FILE FILES \${unit})
  file(REMOVE_RECURSE ${PROJECT_BINARY_DIR}/units/\${own})"
  COMPONENT program)
if(NOT TACIT_SANITIZE)
  set(pages ${PROJECT_BINARY_DIR}/pages)  # written after the program is linked (pages.cmake)
  install(DIRECTORY ${pages}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program)
  install(FILES ${pages}/completion.bash RENAME tacit
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
  install(FILES ${pages}/completion.zsh RENAME _tacit
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT program)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/data/diabetes.csv DESTINATION ${CMAKE_INSTALL_DATADIR}/tacit COMPONENT program)
# Pages link to each other, so all of them are installed, in the same folders.
foreach(page README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md CITATION.cff)
  install(FILES ${PROJECT_SOURCE_DIR}/${page} DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
