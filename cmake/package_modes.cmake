# Run by cpack on what it has gathered: folders have the same modes whatever the umask of whoever makes the packages. (cpack's own
# setting for this does nothing below DESTDIR, which Debian packages are gathered in.)
file(CHMOD_RECURSE ${CPACK_TEMPORARY_DIRECTORY}
     DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
