#!/usr/bin/env bash
# Measures ranks against threads on this machine: bench/ranks.sh TACIT [ROWS [ROUNDS]]
# Creates ROWS rows (default 100,000). Two agents learn from them with default options, by threads and by 1, 2 and 4
# ranks in turn, ROUNDS times (default 3). Prints the fastest seconds of each, their ratio to threads, and the traffic
# of rank 0. docs/ranks.md explains the result.
set -euo pipefail
tacit=$(realpath "$1") rows=${2:-100000} rounds=${3:-3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
awk -v rows="$rows" 'BEGIN { srand(1); print "a,b,c,d,y"; for (i = 0; i < rows; ++i) {
  a = rand(); b = rand(); c = rand(); d = rand(); print a "," b "," c "," d "," sin(5 * a) + b * c + 0.1 * rand() } }' > rows.csv
ask=(simulate --data rows.csv --target y --agents 2 --test-fraction "$(awk -v n="$rows" 'BEGIN { print 200 / n }')" --json)
once() { # NAME COMMAND...
  local begin end
  begin=$(date +%s.%N)
  "${@:2}" > "$1.json" 2> "$1.err" || { cat "$1.err" >&2; exit 1; }
  end=$(date +%s.%N)
  echo "$begin $end" | awk '{ print $2 - $1 }' >> "$1.seconds"
}
for ((round = 0; round < rounds; ++round)); do
  once threads "$tacit" "${ask[@]}"
  for ranks in 1 2 4; do
    once "ranks$ranks" mpirun --allow-run-as-root --oversubscribe --bind-to none -n "$ranks" "$tacit" "${ask[@]}"
  done
done
best() { sort -g "$1.seconds" | head -1; }
printf '%-10s %8s %8s %s\n' how seconds ratio sent
for how in threads ranks1 ranks2 ranks4; do
  printf '%-10s %8.2f %8.3f %s\n' "$how" "$(best "$how")" \
    "$(echo "$(best "$how") $(best threads)" | awk '{ print $1 / $2 }')" "$(sed -n 's/.*rank 0 sent //p' "$how.err")"
done
