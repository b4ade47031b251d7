#!/usr/bin/env bash
# Tests tacit under a real mpirun:
#   tests/ranks/ranks.sh TACIT DIABETES_CSV
# Any number of ranks gives bitwise the results of one process and reports an error once. If a rank is killed, all ranks
# end and the error names it. Exits with 77 if mpirun is missing.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tacit=$(realpath "$1") data=$(realpath "$2")
if ! command -v mpirun > /dev/null; then
  echo "skipped: mpirun is missing; install openmpi-bin"
  exit 77
fi
folder=$(mktemp -d)
agents=()
finish() {
  for process in "${agents[@]}"; do kill "$process" 2> /dev/null || true; done
  wait || true
  rm -rf "$folder"
}
trap finish EXIT
. "$here/../consortium.sh"
. "$here/mpi.sh"
cd "$folder"
ranks() { # NUMBER ARGUMENTS...
  timeout 200 mpirun --allow-run-as-root --oversubscribe --bind-to none -n "$1" "$tacit" "${@:2}"
}
fail() {
  echo "$1"
  exit 1
}
ask=(simulate --data "$data" --target y --agents 3 --expert-rows 40 --test-fraction 0.1 --json)
"$tacit" "${ask[@]}" > one.json
bits one.json > one.bits
grep -q '"predictions"' one.bits || fail "one process gives no predictions"
for number in 1 2 3 4; do
  ranks "$number" "${ask[@]}" > many.json 2> many.err || fail "$number ranks: $(cat many.err)"
  bits many.json | cmp - one.bits || fail "$number ranks give other results than one process"
done

# Parts of one table; each rank reads whole parts.
head -1 "$data" | tee a.csv > b.csv
sed -n '2,200p' "$data" >> a.csv
sed -n '201,$p' "$data" >> b.csv
parts=(simulate --data a.csv --data b.csv --parts --target y --agents 3 --expert-rows 40 --test-fraction 0.1 --json)
"$tacit" "${parts[@]}" > one.json
ranks 2 "${parts[@]}" > many.json 2> many.err || fail "parts: $(cat many.err)"
[ "$(bits one.json)" = "$(bits many.json)" ] || fail "two ranks give other results for the parts than one process"

# Shares of a query; their number is independent of the number of ranks.
/usr/bin/python3 - "$data" << 'END'
import csv, sqlite3, sys
names, *rows = csv.reader(open(sys.argv[1]))
base = sqlite3.connect("rows.db")
base.execute("CREATE TABLE patients (id INTEGER PRIMARY KEY, %s)" % ", ".join(name + " REAL" for name in names))
base.executemany("INSERT INTO patients (%s) VALUES (%s)" % (", ".join(names), ", ".join("?" for _ in names)), rows)
base.commit()
END
query="SELECT $(head -1 "$data" | tr -d '\r') FROM patients WHERE id % {shares} = {share} ORDER BY id"
shares=(simulate --data sqlite://rows.db --sql "$query" --shares 5 --target y --agents 3 --expert-rows 40 --test-fraction 0.1 --json)
"$tacit" "${shares[@]}" > one.json
for number in 2 3; do
  ranks "$number" "${shares[@]}" > many.json 2> many.err || fail "shares: $(cat many.err)"
  [ "$(bits one.json)" = "$(bits many.json)" ] || fail "$number ranks give other results for the shares than one process"
done

# An error is reported once, with the exit code of one process.
sed '300s/.*/what,is,this/' "$data" > bad.csv
code=0
ranks 3 simulate --data bad.csv --target y > out 2> err || code=$?
[ "$code" = 2 ] || fail "a bad file gave exit code $code"
[ "$(grep -c '^error: ' err)" = 1 ] || fail "the error was not reported exactly once: $(cat err)"
grep -q '^error: .*line 300' err || fail "the error does not name the line: $(cat err)"
code=0
ranks 2 simulate --data "$data" --target y --holdout 0.2 > out 2> err || code=$?
[ "$code" = 2 ] && grep -q 'mpirun distributes them' err || fail "--holdout was not refused: $(cat err)"

refused() { # CODE MESSAGE COMMAND...: the command ends with this code and reports this error once.
  local code=0
  timeout 200 "${@:3}" > out 2> err || code=$?
  [ "$code" = "$1" ] && [ "$(grep -c '^error: ' err)" = 1 ] && grep -q "^error: $2" err || fail "exit code $code: $(cat err)"
}
refused 2 'there is no option --landmarks-xx' mpirun --allow-run-as-root --oversubscribe -n 2 "$tacit" "${ask[@]}" --landmarks-xx
refused 2 'tacit plan runs in one process, but mpirun has started 2' mpirun --allow-run-as-root --oversubscribe -n 2 "$tacit" plan --agents 5
[ "$(ranks 2 --version | wc -l)" = 1 ] || fail "--version prints more than one line"

# Processors that round differently, and processes that Open MPI did not start.
if [ "$(uname -m)" = x86_64 ]; then
  refused 2 'rank 1 (on .*) uses OpenBLAS for Nehalem.*, but rank 0 (on .*) uses it for .*, which rounds differently' \
    mpirun --allow-run-as-root --oversubscribe -n 1 "$tacit" "${ask[@]}" : -n 1 -x OPENBLAS_CORETYPE=Nehalem "$tacit" "${ask[@]}"
fi
refused 2 'the launcher has started 2 processes, but Open MPI sees only this one' env PMI_SIZE=2 PMI_RANK=0 "$tacit" "${ask[@]}"
code=0
PMI_SIZE=2 PMI_RANK=1 "$tacit" "${ask[@]}" > out 2> err || code=$?
[ "$code" = 2 ] && [ ! -s out ] && ! grep -q '^error' err || fail "the second process continued or repeated the error: $(cat err)"
PMI_SIZE=1 PMI_RANK=0 SLURM_NTASKS=4 "$tacit" "${ask[@]}" | bits /dev/stdin | cmp - one.bits || fail "a single process of a scheduler fails or gives other results"

# Ranks bound to fewer cores than available.
if [ "$(nproc)" -gt 1 ]; then
  mpirun --allow-run-as-root --bind-to core -n 1 "$tacit" "${ask[@]}" > many.json 2> many.err
  grep -q "^note: rank 0 may use only 1 of the $(nproc) cores of .*; start with mpirun --bind-to none" many.err || fail "the note about cores is missing: $(cat many.err)"
  bits many.json | cmp - one.bits || fail "a rank on one core gives other results"
  ranks 1 "${ask[@]}" 2>&1 > many.json | grep 'may use' && fail "a note about cores appears although all are usable"
fi

# A rank is killed during the computation.
some_rows 30000 > large.csv
ranks 3 simulate --data large.csv --target y --agents 2 > out 2> err &
kill_rank $! 1 on

# One of three agents computes by ranks. The results do not differ.
mkdir agents && cd agents
port=$((20000 + RANDOM % 10000))
some_rows 2700 > rows.csv
make_consortium "$tacit" rows.csv "127.0.0.1:$port" "127.0.0.1:$((port + 1))" "127.0.0.1:$((port + 2))"
cp -r . ../by_ranks
start() { # AGENT RANKS
  local command=("$tacit")
  [ "$2" = 1 ] || command=(mpirun --allow-run-as-root --oversubscribe --bind-to none -n "$2" "$tacit")
  "${command[@]}" agent --config "a$1/agent.toml" 2> "a$1/agent.log" &
  agents[$1]=$!
}
start_all() { # RANKS of the first agent
  start 0 "$1"
  start 1 1
  start 2 1
}
linked() {
  for k in 0 1 2; do wait_for_links "$tacit" "a$k" 2 || fail "$(cat a0/agent.log)"; done
}
learn() { # FILE for the predictions
  linked
  "$tacit" fit --agent a1 > /dev/null || fail "$(cat a0/agent.log)"
  "$tacit" predict --together --agent a2 --input points.csv > "$1" || fail "$(cat a0/agent.log)"
}
more_rows() { sed -n "$1" points.csv >> a0/data.csv; }
start_all 1
learn predicted
more_rows '2,$p'
more_rows '2,$p'
"$tacit" agent reload --agent a0 | grep 'took a new snapshot of 950 rows' > /dev/null || fail "the reload took no new snapshot: $(cat a0/agent.log)"
learn predicted_of_more
cmp -s predicted predicted_of_more && fail "more rows do not change the predictions"
for process in "${agents[@]}"; do kill "$process"; done
wait
cd ../by_ranks
start_all 3
learn predicted
cmp predicted ../agents/predicted || fail "with ranks, the agents give other predictions"
grep -q 'the agent computes on 3 ranks' a0/agent.log || fail "the log does not report the ranks: $(cat a0/agent.log)"

# New rows reach the ranks, after tacit agent reload and after SIGHUP to rank 0.
more_rows '2,$p'
"$tacit" agent reload --agent a0 | grep 'took a new snapshot of 920 rows' > /dev/null || fail "the reload with ranks took no new snapshot: $(cat a0/agent.log)"
more_rows '2,$p'
kill -HUP "$(process_of 0 "$PWD" 0)"
for ((tries = 0; tries < 600; ++tries)); do
  "$tacit" status --agent a0 2> /dev/null | grep '^Data  *950 rows' > /dev/null && break
done
[ "$tries" -lt 600 ] || fail "SIGHUP caused no new snapshot: $(cat a0/agent.log)"
learn predicted_of_more
cmp predicted_of_more ../agents/predicted_of_more || fail "with ranks, new rows give other predictions"

# A rank is killed during a fit. It is stopped first, so that the fit cannot end before. The agent ends and names the
# rank, and the asker gets an error.
ended_by_rank_1() {
  local code=0
  wait "${agents[0]}" || code=$?
  [ "$code" != 0 ] || fail "the agent ended with exit code 0 although one of its ranks was killed"
  grep -q '^error: rank 1 (.*) has ended unexpectedly' a0/agent.log || fail "the log does not name the rank: $(cat a0/agent.log)"
}
victim=$(process_of 1 "$PWD" 0)
kill -STOP "$victim"
timeout 200 "$tacit" fit --agent a1 > /dev/null 2> refused &
fit=$!
until "$tacit" status --agent a0 | grep '^Runs .*; running: ' > /dev/null; do
  kill -0 "$fit" 2> /dev/null || fail "the fit ended before a rank could be killed: $(cat refused)"
done
kill -9 "$victim"
ended_by_rank_1
code=0
wait "$fit" || code=$?
[ "$code" = 1 ] || fail "the fit that lost a rank ended with exit code $code"
grep -q '^error: .*a0\|^error: .*agent 0' refused || fail "the error at the asker does not name the absent agent: $(cat refused)"

# After a restart with another number of ranks, the agent continues as before. It also ends if a rank dies between
# requests.
start 0 2
learn predicted_again
cmp predicted_again ../agents/predicted_of_more || fail "after a restart, the agents give other predictions"
kill -9 "$(process_of 1 "$PWD" 0)"
ended_by_rank_1
if "$tacit" predict --together --agent a2 --input points.csv > /dev/null 2> refused; then fail "two agents answered for three"; fi
grep -q 'a0' refused || fail "the error does not name the absent agent: $(cat refused)"
echo "passed"
