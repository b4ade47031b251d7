#!/usr/bin/env bash
# Runs ranks on three simulated machines, which are network namespaces with their own addresses and names:
#   tests/ranks/rank_machines.sh TACIT DIABETES_CSV
# The results are bitwise those of one process. The error about a killed rank names its machine, although no name
# service knows that name. Exits with 77 if mpirun is missing or namespaces are not permitted.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tacit=$(realpath "$1") data=$(realpath "$2")
. "$here/../machines.sh"
. "$here/mpi.sh"
net=tacit-ranks-$$
if ! command -v mpirun > /dev/null || ! make_machines "$net" 3; then
  echo "skipped: mpirun is missing, or network namespaces are not permitted"
  exit 77
fi
folder=$(mktemp -d)
finish() {
  wait || true
  remove_machines "$net" 3
  rm -rf "$folder"
}
trap finish EXIT
cd "$folder"
fail() {
  echo "$1"
  exit 1
}

# mpirun calls this script instead of ssh to run a command on a machine: ADDRESS COMMAND...
cat > on_machine << END
#!/bin/sh
machine=\${1#10.77.0.1}
shift
exec ip netns exec $net-\$machine unshare --uts sh -c "hostname machine\$machine; \$*"
END
chmod +x on_machine
ranks() {
  timeout -k 10 200 ip netns exec "$net-0" unshare --uts sh -c 'hostname machine0; exec "$@"' sh \
    mpirun --allow-run-as-root --mca plm_rsh_agent "$folder/on_machine" --mca oob_tcp_if_include eth0 --mca btl_tcp_if_include eth0 \
    --host 10.77.0.10:1,10.77.0.11:1,10.77.0.12:1 -n 3 "$tacit" "$@"
}

ask=(simulate --data "$data" --target y --agents 3 --expert-rows 40 --test-fraction 0.1 --json)
"$tacit" "${ask[@]}" > one.json
ranks "${ask[@]}" > many.json 2> err || fail "three machines: $(cat err)"
[ "$(bits one.json)" = "$(bits many.json)" ] || fail "ranks on three machines give other results than one process"

some_rows 30000 > large.csv
ranks simulate --data large.csv --target y --agents 2 > out 2> err &
kill_rank $! 2 "on machine2, process"
echo "passed"
