# Sourced by scripts. Creates a consortium of real agents on Diabetes: keys, charter and configurations of the agents
# a0, a1, ... at the given addresses, in the current folder.
#   make_consortium TACIT DIABETES_CSV ADDRESS...
make_consortium() {
  local tacit=$1 data=$2 cards=() k
  shift 2
  local count=$# rows=$(($(wc -l < "$data") - 31)) addresses=("$@")
  { head -1 "$data"; tail -30 "$data"; } > points.csv
  for ((k = 0; k < count; ++k)); do
    mkdir -p "a$k"
    { head -1 "$data"; sed -n "$((2 + k * rows / count)),$((1 + (k + 1) * rows / count))p" "$data"; } > "a$k/data.csv"
    "$tacit" keygen "a$k/keys" --name "a$k" --address "${addresses[k]}" > /dev/null
    cards+=(--card "a$k/keys/card.toml")
    cat > "a$k/agent.toml" <<END
agent = 1
charter = "../charter.toml"
identity = "keys"
data = "data.csv"
listen = "${addresses[k]}"
state = "state"
[policy]
fewest_agents = 3
[policy.a_day]
predictions = 100000000
END
  done
  head -1 "$data" > all.csv
  tail -n +2 "$data" >> all.csv
  "$tacit" charter new --title "Agents under test" "${cards[@]}" --topology ring:2 --data all.csv --target y \
    --rows 1000 -o charter.toml > /dev/null
  for ((k = 0; k < count; ++k)); do "$tacit" charter sign charter.toml --identity "a$k/keys" > /dev/null; done
}

# Waits until agent $2 has links to $3 neighbours. $1 is the program.
wait_for_links() {
  local tries
  for ((tries = 0; tries < 300; ++tries)); do
    [ "$("$1" status --agent "$2" 2> /dev/null | grep -c ' up, ')" = "$3" ] && return 0
    sleep 0.1
  done
  echo "error: agent $2 has no links to its $3 neighbours" >&2
  return 1
}
