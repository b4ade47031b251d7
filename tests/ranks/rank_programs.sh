#!/usr/bin/env bash
# Tests a program that uses the library as ranks, also in a build without MPI: tests/ranks/rank_programs.sh PROGRAM
# NO_MPI_PROGRAM Exits with 77 if mpirun is missing, after the test without MPI.
set -euo pipefail
program=$(realpath "$1") no_mpi=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
fail() {
  echo "$1"
  exit 1
}
# refused MESSAGE COMMAND...: the command ends with exit code 1 and this error, without a timeout.
refused() {
  local code=0
  timeout -k 5 100 "${@:2}" > out 2> err || code=$?
  [ "$code" = 1 ] || fail "${*:2}: exit code $code, $(cat err)"
  grep -qx "error: $1" err || fail "${*:2}: the error is not '$1' but: $(cat err)"
}

# Without MPI: a single process works, and any launcher with two processes gives one error.
unset OMPI_COMM_WORLD_SIZE PMI_SIZE SLURM_STEP_NUM_TASKS
[ "$("$no_mpi")" = "10 rows" ] || fail "without MPI, a single process fails"
[ "$(OMPI_COMM_WORLD_SIZE=1 "$no_mpi")" = "10 rows" ] || fail "without MPI, a single rank of a launcher fails"
for launcher in OMPI_COMM_WORLD_SIZE PMI_SIZE SLURM_STEP_NUM_TASKS; do
  refused "this build of tacit has no MPI: install libopenmpi-dev and build again" env "$launcher=2" "$no_mpi"
done

# With MPI: the sum over all ranks. A rank that throws or exits early ends all ranks.
if ! command -v mpirun > /dev/null; then
  echo "skipped: mpirun is missing; install openmpi-bin"
  exit 77
fi
ranks=(mpirun --allow-run-as-root --oversubscribe --bind-to none -n)
for number in 1 3; do
  [ "$(timeout -k 5 100 "${ranks[@]}" "$number" "$program")" = "${number}0 rows" ] || fail "$number ranks fail"
done
for rank in 0 1; do
  refused "rank $rank will not go on" "${ranks[@]}" 2 "$program" "$rank" throws
done
refused "rank 1 has nothing" "${ranks[@]}" 2 "$program" 1 "has nothing"
refused "rank 1 (.*) has ended unexpectedly.*" "${ranks[@]}" 2 "$program" 1 leaves
echo "passed"
