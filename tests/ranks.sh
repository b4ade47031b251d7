#!/usr/bin/env bash
# tacit under a real mpirun:
#   tests/ranks.sh TACIT DIABETES_CSV
# Any number of ranks finds the bits of one process, says what is wrong once, and ends, naming the rank, when one is killed.
# Exits with 77 where there is no mpirun.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tacit=$(realpath "$1") data=$(realpath "$2")
if ! command -v mpirun > /dev/null; then
  echo "skipped: there is no mpirun; openmpi-bin has it"
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
. "$here/consortium.sh"
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
grep -q '"predictions"' one.bits || fail "one process gave no predictions"
for number in 1 2 3 4; do
  ranks "$number" "${ask[@]}" > many.json 2> many.err || fail "$number ranks: $(cat many.err)"
  bits many.json | cmp - one.bits || fail "$number ranks found something else than one process"
done

# Parts of one table, each read whole by a rank.
head -1 "$data" | tee a.csv > b.csv
sed -n '2,200p' "$data" >> a.csv
sed -n '201,$p' "$data" >> b.csv
parts=(simulate --data a.csv --data b.csv --parts --target y --agents 3 --expert-rows 40 --test-fraction 0.1 --json)
"$tacit" "${parts[@]}" > one.json
ranks 2 "${parts[@]}" > many.json 2> many.err || fail "parts: $(cat many.err)"
[ "$(bits one.json)" = "$(bits many.json)" ] || fail "two ranks found something else in the parts than one process"

# Shares of a query, whose number does not follow that of the ranks.
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
  [ "$(bits one.json)" = "$(bits many.json)" ] || fail "$number ranks found something else in the shares than one process"
done

# What is wrong is said once, with the exit code of one process.
sed '300s/.*/what,is,this/' "$data" > bad.csv
code=0
ranks 3 simulate --data bad.csv --target y > out 2> err || code=$?
[ "$code" = 2 ] || fail "a bad file gave exit code $code"
[ "$(grep -c '^error: ' err)" = 1 ] || fail "the error was not said once: $(cat err)"
grep -q '^error: .*line 300' err || fail "the error does not name the line: $(cat err)"
code=0
ranks 2 simulate --data "$data" --target y --holdout 0.2 > out 2> err || code=$?
[ "$code" = 2 ] && grep -q 'mpirun distributes them' err || fail "--holdout was not refused: $(cat err)"

refused() { # CODE WORDS COMMAND...: it ends with this code and says these words, once.
  local code=0
  timeout 200 "${@:3}" > out 2> err || code=$?
  [ "$code" = "$1" ] && [ "$(grep -c '^error: ' err)" = 1 ] && grep -q "^error: $2" err || fail "exit code $code: $(cat err)"
}
refused 2 'there is no option --landmarks-xx' mpirun --allow-run-as-root --oversubscribe -n 2 "$tacit" "${ask[@]}" --landmarks-xx
refused 2 'tacit plan runs in one process, but mpirun has started 2' mpirun --allow-run-as-root --oversubscribe -n 2 "$tacit" plan --agents 5
[ "$(ranks 2 --version | wc -l)" = 1 ] || fail "every rank says which version it is"

# Processors that round differently, and processes of which Open MPI knows nothing.
if [ "$(uname -m)" = x86_64 ]; then
  refused 2 'rank 1 (on .*) uses OpenBLAS for Nehalem.*, but rank 0 (on .*) uses it for .*, which rounds differently' \
    mpirun --allow-run-as-root --oversubscribe -n 1 "$tacit" "${ask[@]}" : -n 1 -x OPENBLAS_CORETYPE=Nehalem "$tacit" "${ask[@]}"
fi
refused 2 'the launcher has started 2 processes, but Open MPI sees only this one' env PMI_SIZE=2 PMI_RANK=0 "$tacit" "${ask[@]}"
code=0
PMI_SIZE=2 PMI_RANK=1 "$tacit" "${ask[@]}" > out 2> err || code=$?
[ "$code" = 2 ] && [ ! -s out ] && ! grep -q '^error' err || fail "the second of them went on, or said it again: $(cat err)"
PMI_SIZE=1 PMI_RANK=0 SLURM_NTASKS=4 "$tacit" "${ask[@]}" | bits /dev/stdin | cmp - one.bits || fail "a single process of a scheduler does not work alone"

# Ranks that are bound to fewer cores than there are for them.
if [ "$(nproc)" -gt 1 ]; then
  mpirun --allow-run-as-root --bind-to core -n 1 "$tacit" "${ask[@]}" > many.json 2> many.err
  grep -q "^note: rank 0 may use only 1 of the $(nproc) cores of .*; start with mpirun --bind-to none" many.err || fail "no note of cores: $(cat many.err)"
  bits many.json | cmp - one.bits || fail "a rank on one core found something else"
  ranks 1 "${ask[@]}" 2>&1 > many.json | grep 'may use' && fail "a note of cores where none are missing"
fi

# A rank is killed while it computes.
some_rows 30000 > large.csv
ranks 3 simulate --data large.csv --target y --agents 2 > out 2> err &
kill_rank $! 1 on

# Agents: one of three computes by ranks, and nobody can tell.
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
learn() { # FILE for what they predict
  linked
  "$tacit" fit --agent a1 > /dev/null || fail "$(cat a0/agent.log)"
  "$tacit" predict --together --agent a2 --input points.csv > "$1" || fail "$(cat a0/agent.log)"
}
more_rows() { sed -n "$1" points.csv >> a0/data.csv; }
start_all 1
learn predicted
more_rows '2,$p'
more_rows '2,$p'
"$tacit" agent reload --agent a0 | grep -q 'took a new snapshot of 950 rows' || fail "no snapshot: $(cat a0/agent.log)"
learn predicted_of_more
cmp -s predicted predicted_of_more && fail "more rows change nothing"
for process in "${agents[@]}"; do kill "$process"; done
wait
cd ../by_ranks
start_all 3
learn predicted
cmp predicted ../agents/predicted || fail "with ranks the agents predict something else"
grep -q 'the agent computes on 3 ranks' a0/agent.log || fail "the log does not say that there are ranks: $(cat a0/agent.log)"

# New rows reach the ranks: when somebody asks for it, and by SIGHUP to rank 0.
more_rows '2,$p'
"$tacit" agent reload --agent a0 | grep -q 'took a new snapshot of 920 rows' || fail "no snapshot by ranks: $(cat a0/agent.log)"
more_rows '2,$p'
kill -HUP "$(process_of 0 "$PWD" 0)"
for ((tries = 0; tries < 600; ++tries)); do
  "$tacit" status --agent a0 2> /dev/null | grep -q '^Data  *950 rows' && break
done
[ "$tries" -lt 600 ] || fail "SIGHUP brought no new snapshot: $(cat a0/agent.log)"
learn predicted_of_more
cmp predicted_of_more ../agents/predicted_of_more || fail "with ranks new rows give something else"

# A rank is killed during a fit: it is stopped before, so that the fit cannot be over. The agent ends and names the rank, and
# whoever asked is told.
ended_by_rank_1() {
  local code=0
  wait "${agents[0]}" || code=$?
  [ "$code" != 0 ] || fail "the agent ended well although a rank of it was killed"
  grep -q '^error: rank 1 (.*) has ended unexpectedly' a0/agent.log || fail "the rank is not named: $(cat a0/agent.log)"
}
victim=$(process_of 1 "$PWD" 0)
kill -STOP "$victim"
timeout 200 "$tacit" fit --agent a1 > /dev/null 2> refused &
fit=$!
until "$tacit" status --agent a0 | grep -q '^Runs .*; running: '; do
  kill -0 "$fit" 2> /dev/null || fail "the fit was over before a rank could be killed: $(cat refused)"
done
kill -9 "$victim"
ended_by_rank_1
code=0
wait "$fit" || code=$?
[ "$code" = 1 ] || fail "the fit that lost a rank has exit code $code"
grep -q '^error: .*a0\|^error: .*agent 0' refused || fail "whoever asked is not told who is away: $(cat refused)"

# Started again, with other ranks, it goes on as before; when a rank dies while nothing is asked it ends as well.
start 0 2
learn predicted_again
cmp predicted_again ../agents/predicted_of_more || fail "after a new start the agents predict something else"
kill -9 "$(process_of 1 "$PWD" 0)"
ended_by_rank_1
if "$tacit" predict --together --agent a2 --input points.csv > /dev/null 2> refused; then fail "two agents answered for three"; fi
grep -q 'a0' refused || fail "the others do not say who is away: $(cat refused)"
echo "fine"
