# Runs after the program is linked. Writes the man pages and completions, which the program prints, to a folder.
#   cmake -DTACIT=PROGRAM -DINTO=FOLDER -P pages.cmake
unset(ENV{TACIT_AGENT})  # the help would show it as a default
file(REMOVE_RECURSE ${INTO})  # removes pages of commands that no longer exist
file(MAKE_DIRECTORY ${INTO})
execute_process(COMMAND ${TACIT} manual ${INTO}/man1 OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(GLOB pages ${INTO}/man1/*.1)
execute_process(COMMAND gzip -9n ${pages} COMMAND_ERROR_IS_FATAL ANY)
foreach(shell bash zsh)
  execute_process(COMMAND ${TACIT} completion ${shell} OUTPUT_FILE ${INTO}/completion.${shell} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
