#!/usr/bin/env bash
# A program of others as ranks, and the same where Tacit was built without MPI: tests/rank_programs.sh PROGRAM NO_MPI_PROGRAM
# Exits with 77 where there is no mpirun, once the one without MPI is fine.
set -euo pipefail
program=$(realpath "$1") no_mpi=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
fail() {
  echo "$1"
  exit 1
}
# refused WORDS COMMAND...: it ends by itself with exit code 1 and says these words.
refused() {
  local code=0
  timeout -k 5 100 "${@:2}" > out 2> err || code=$?
  [ "$code" = 1 ] || fail "${*:2}: exit code $code, $(cat err)"
  grep -qx "error: $1" err || fail "${*:2}: it does not say '$1' but: $(cat err)"
}

# Without MPI: alone as ever, and one sentence under any launcher.
unset OMPI_COMM_WORLD_SIZE PMI_SIZE SLURM_STEP_NUM_TASKS
[ "$("$no_mpi")" = "10 rows" ] || fail "without MPI a process alone does not work"
[ "$(OMPI_COMM_WORLD_SIZE=1 "$no_mpi")" = "10 rows" ] || fail "without MPI one rank does not work"
for launcher in OMPI_COMM_WORLD_SIZE PMI_SIZE SLURM_STEP_NUM_TASKS; do
  refused "this build of tacit has no MPI: install libopenmpi-dev and build again" env "$launcher=2" "$no_mpi"
done

# With MPI: rows of all ranks; and a rank that ends by an error of its own, or too early, ends all.
if ! command -v mpirun > /dev/null; then
  echo "skipped: there is no mpirun; openmpi-bin has it"
  exit 77
fi
ranks=(mpirun --allow-run-as-root --oversubscribe --bind-to none -n)
for number in 1 3; do
  [ "$(timeout -k 5 100 "${ranks[@]}" "$number" "$program")" = "${number}0 rows" ] || fail "$number ranks do not work"
done
for rank in 0 1; do
  refused "rank $rank will not go on" "${ranks[@]}" 2 "$program" "$rank" throws
done
refused "rank 1 has nothing" "${ranks[@]}" 2 "$program" 1 "has nothing"
refused "rank 1 (.*) has ended unexpectedly.*" "${ranks[@]}" 2 "$program" 1 leaves
echo "fine"
