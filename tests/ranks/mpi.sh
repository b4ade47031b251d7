# Sourced by scripts that define the function fail.

# Prints a JSON result of tacit simulate without the fields that depend on time or on the command line: bits FILE
bits() {
  /usr/bin/python3 -c 'import json, sys
found = json.load(open(sys.argv[1]))
del found["seconds"], found["about"]
print(json.dumps(found))' "$1"
}

# Prints a table of synthetic rows: some_rows NUMBER
some_rows() {
  awk -v rows="$1" 'BEGIN { srand(1); print "a,b,c,y"; for (i = 0; i < rows; ++i) { a = rand(); b = rand(); c = rand()
                            print a "," b "," c "," sin(5 * a) + b * c + 0.1 * rand() } }'
}

# Prints the process of a rank in this folder if it has used this much CPU time, in hundredths of a second:
#   process_of RANK FOLDER HUNDREDTHS
process_of() {
  local process
  for process in $(pgrep -x tacit); do
    grep -zqx "OMPI_COMM_WORLD_RANK=$1" "/proc/$process/environ" 2> /dev/null || continue
    [ "$(readlink "/proc/$process/cwd")" = "$2" ] || continue
    [ "$(awk '{ print $14 }' "/proc/$process/stat")" -ge "$3" ] && echo "$process"
  done
}

# Kills a rank of a run in this folder while it computes. The run must fail, and its error must name the rank and its
# place:
#   kill_rank RUN RANK WHERE, with the run's standard error in the file err
kill_rank() {
  local victim code=0
  until victim=$(process_of "$2" "$PWD" 100) && [ -n "$victim" ]; do
    kill -0 "$1" 2> /dev/null || fail "the run ended before a rank could be killed: $(cat err)"
  done
  kill -9 "$victim"
  wait "$1" || code=$?
  [ "$code" != 0 ] && [ "$code" != 124 ] || fail "after a rank was killed, the run ended with exit code $code"
  grep -q "^error: rank $2 ($3.*) has ended unexpectedly" err || fail "the error does not name the rank: $(cat err)"
}
