#!/usr/bin/env bash
# Checks that every include points to the same room or to a room further down, and that rooms below cli name no option
# of the command line: their messages name settings by the ids of base/settings.hpp. Tests may use any room.
set -euo pipefail
src=$1
# What each room may use besides itself. gp, graph and secrecy are independent of each other. A folder inside a room
# belongs to that room, except for charter/bounds, cli/lab and the parts of lab/.
declare -A uses
sums="base graph secrecy protocol"
model="base gp graph secrecy table protocol consortium"
product="$model identity charter/bounds charter link ranks agent answers page"
uses[base]=""
uses[gp]="base"
uses[graph]="base"
uses[secrecy]="base"
uses[table]="base gp secrecy"
uses[protocol]="base graph secrecy"
uses[consortium]="base gp graph secrecy table protocol"
uses[identity]="base secrecy table"
uses[charter/bounds]="$sums"
uses[charter]="$model identity charter/bounds"
uses[link]="$sums identity"
uses[ranks]="$model"
uses[agent]="$model identity charter link ranks"
uses[answers]="$model identity charter link agent"
uses[page]="$model identity charter link agent answers"
uses[cli]="$product"
uses[cli/lab]="$product cli lab"
uses[lab/mask_helpers]="$sums"
uses[lab/simulator]="$sums lab/mask_helpers"
uses[lab/enduring]="$sums"
uses[lab/audit]="$sums gp charter/bounds lab/mask_helpers"
uses[lab/study]="$model ranks charter/bounds lab/mask_helpers lab/simulator lab/audit"
uses[lab/rivals]="$model lab/mask_helpers lab/simulator lab/study"
uses[lab/paper]="$model charter/bounds lab/mask_helpers lab/simulator lab/study lab/rivals"
# The headers of components that are not rooms, such as src/tacit/lab.hpp.
uses[lab]="gp graph protocol lab/enduring lab/simulator lab/study"
uses[mpi]="gp ranks"

# Sets `room` to the room of a path below src/tacit. The header of a component, such as gp.hpp, belongs to its room.
room_of() {
  case $1 in
    charter/bounds/*) room=charter/bounds ;;
    cli/lab/*) room=cli/lab ;;
    lab/*) room=${1#lab/} room=lab/${room%%/*} ;;
    */*) room=${1%%/*} ;;
    *) room=${1%.hpp} ;;  # the public header of a component
  esac
}
bad=0
while IFS=: read -r file line include; do
  [[ $include =~ \"tacit/([^\"]+)\" ]] || continue
  room_of "${BASH_REMATCH[1]}"
  used=$room
  room_of "${file#"$src"/}"
  [ -v "uses[$room]" ] || { echo "$file: tests/rooms.sh does not list the room $room"; bad=1; continue; }
  case " $room ${uses[$room]} " in
    *" $used "*) ;;
    *" lab "*) [[ $used == lab/* ]] || { echo "$file:$line: $room must not use $used"; bad=1; } ;;
    *) echo "$file:$line: $room must not use $used"; bad=1 ;;
  esac
done < <(grep -rnE --include='*.hpp' --include='*.cpp' '#include "tacit/' "$src" | grep -vE '_test(ing)?\.(cpp|hpp):')

# Options of mpirun and srun are not ours.
below() { grep -rnE --include='*.hpp' --include='*.cpp' "$1" "$src" | grep -vE "^$src/cli/|_test(ing)?\.(cpp|hpp):"; }
while IFS= read -r line; do
  echo "$line: name the setting by its id between backquotes (base/settings.hpp), not the option"
  bad=1
done < <(below '"([^"\\]|\\.)*--[a-z{]' | grep -vE 'mpirun|srun')
ids=$(sed -nE 's/^ +\{"([a-z_]+)", "[^"]*"\},$/\1/p' "$src/base/settings.hpp")
while IFS= read -r line; do
  while IFS= read -r id; do
    grep -qx "$id" <<<"$ids" || { echo "$line: base/settings.hpp has no setting \`$id\`"; bad=1; }
  done < <(grep -oE '`[a-z_]+(=[^`]*)?`' <<<"${line#*:*:}" | sed -E 's/`([a-z_]+).*/\1/')
done < <(below '^[^/]*"[^"]*`[a-z_]+(=[^`]*)?`')
exit $bad
