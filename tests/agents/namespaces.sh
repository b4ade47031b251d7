#!/usr/bin/env bash
# Runs five agents in five network namespaces with their own addresses, connected by a bridge in a sixth, as on five
# machines:
#   tests/agents/namespaces.sh TACIT DIABETES_CSV
# They fit a model. Then one agent is disconnected, the others get no answer, and it is reconnected. Exits with 77 if
# namespaces are not permitted.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tacit=$(realpath "$1") data=$(realpath "$2")
. "$here/../consortium.sh"
. "$here/../machines.sh"
net=tacit-$$
if ! make_machines "$net" 5; then
  echo "skipped: network namespaces are not permitted here"
  exit 77
fi
folder=$(mktemp -d)
agents=()
finish() {
  for process in "${agents[@]}"; do kill "$process" 2> /dev/null || true; done
  wait || true
  remove_machines "$net" 5
  rm -rf "$folder"
}
trap finish EXIT
cd "$folder"

addresses=()
for k in 0 1 2 3 4; do addresses+=("10.77.0.1$k:7500"); done
make_consortium "$tacit" "$data" "${addresses[@]}"
for k in 0 1 2 3 4; do
  ip netns exec "$net-$k" "$tacit" agent --config "a$k/agent.toml" 2> "a$k/agent.log" &
  agents+=($!)
done
for k in 0 1 2 3 4; do wait_for_links "$tacit" "a$k" 2; done

"$tacit" fit --agent a0
"$tacit" predict --together --agent a2 --input points.csv > all.predicted
[ "$(wc -l < all.predicted)" = 31 ]

echo "agent 4 is disconnected"
ip -n "$net-switch" link set port4 down
if "$tacit" predict --together --agent a2 --input points.csv > four.predicted 2> refused; then
  echo "error: four agents answered for a model of five" >&2
  exit 1
fi
grep -q 'a4 (agent 4) did not answer' refused || { cat refused >&2; exit 1; }
ip -n "$net-switch" link set port4 up
wait_for_links "$tacit" a4 2
"$tacit" predict --together --agent a4 --input points.csv | cmp - all.predicted
echo "all five agents predict again, with the same digits"
