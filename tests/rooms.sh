#!/usr/bin/env bash
# Every include points to the same room or to one further down the list. Tests may use any room.
set -euo pipefail
src=$1
# gp, graph and secrecy stand side by side and may not use each other. Folders inside of a room belong to it.
declare -A uses
low="base gp graph secrecy data protocol"
uses[base]="base"
uses[gp]="base gp"
uses[graph]="base graph"
uses[secrecy]="base secrecy"
uses[data]="base gp graph secrecy data"
uses[protocol]="base graph secrecy protocol"
uses[regression]="$low regression"
uses[audit]="base gp graph secrecy protocol audit"
uses[consortium]="$low regression consortium"
uses[ranks]="$low regression consortium ranks"
uses[simulation]="$low regression audit consortium simulation"
uses[reproduction]="$low regression audit consortium simulation reproduction"
uses[identity]="$low regression audit consortium identity"
uses[link]="base graph secrecy protocol identity link"
uses[agent]="$low regression audit consortium ranks identity link agent"
uses[pages]="pages"
uses[page]="$low regression audit consortium identity link agent pages page"
uses[cli]="$low regression audit consortium ranks simulation reproduction identity link agent pages page cli"
bad=0
for folder in "$src"/*/; do
  room=$(basename "$folder")
  [ -n "${uses[$room]:-}" ] || { echo "room $room is not in the list"; bad=1; continue; }
  while IFS=: read -r file line include; do
    [[ $include =~ \"tacit/([a-z]+)/ ]] && used=${BASH_REMATCH[1]}
    [[ " ${uses[$room]} " == *" $used "* ]] || { echo "$file:$line: $room must not use $used"; bad=1; }
  done < <(grep -rnE --include='*.hpp' --include='*.cpp' '#include "tacit/' "$folder" 2>/dev/null | grep -v '_test\.cpp:' || true)
done
exit $bad
