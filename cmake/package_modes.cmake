# cpack runs this script on the files that it has collected, so that the modes of folders do not depend on the umask of
# the user. (cpack's own setting has no effect below DESTDIR, where the files of Debian packages are collected.)
file(CHMOD_RECURSE ${CPACK_TEMPORARY_DIRECTORY}
     DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
