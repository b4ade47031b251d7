# For scripts that source this, and that have a function fail.

# What a JSON file of tacit simulate says, without what depends on the clock or on the words of the command: bits FILE
bits() {
  /usr/bin/python3 -c 'import json, sys
found = json.load(open(sys.argv[1]))
del found["seconds"], found["about"]
print(json.dumps(found))' "$1"
}

# A table of made-up rows: some_rows NUMBER
some_rows() {
  awk -v rows="$1" 'BEGIN { srand(1); print "a,b,c,y"; for (i = 0; i < rows; ++i) { a = rand(); b = rand(); c = rand()
                            print a "," b "," c "," sin(5 * a) + b * c + 0.1 * rand() } }'
}

# The process of a rank in this folder, once it has computed for so many hundredths of a second: process_of RANK FOLDER HUNDREDTHS
process_of() {
  local process
  for process in $(pgrep -x tacit); do
    { tr '\0' '\n' < "/proc/$process/environ"; } 2> /dev/null | grep -qx "OMPI_COMM_WORLD_RANK=$1" || continue
    [ "$(readlink "/proc/$process/cwd")" = "$2" ] || continue
    [ "$(awk '{ print $14 }' "/proc/$process/stat")" -ge "$3" ] && echo "$process"
  done
}

# Kills a rank of a run in this folder while it computes. The run must end badly, and name the rank and where it was:
#   kill_rank RUN RANK WHERE, with the run's errors in the file err
kill_rank() {
  local victim code=0
  until victim=$(process_of "$2" "$PWD" 100) && [ -n "$victim" ]; do
    kill -0 "$1" 2> /dev/null || fail "the run was over before a rank could be killed: $(cat err)"
  done
  kill -9 "$victim"
  wait "$1" || code=$?
  [ "$code" != 0 ] && [ "$code" != 124 ] || fail "with a rank killed the exit code was $code"
  grep -q "^error: rank $2 ($3.*) has ended unexpectedly" err || fail "the rank is not named: $(cat err)"
}
