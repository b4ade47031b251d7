#!/usr/bin/env bash
# Every include points to the same room or to one further down the list. Tests may use any room.
set -euo pipefail
src=$1
# gp, graph and secrecy stand side by side and may not use each other.
declare -A uses=(
  [base]="base" [gp]="base gp" [graph]="base graph" [secrecy]="base secrecy" [protocol]="base graph secrecy protocol"
  [audit]="base graph secrecy protocol audit" [regression]="base gp graph secrecy protocol regression"
  [simulation]="base gp graph secrecy protocol audit regression simulation"
  [reproduction]="base gp graph secrecy protocol audit regression simulation reproduction"
  [agent]="base gp graph secrecy protocol audit regression simulation agent"
  [cli]="base gp graph secrecy protocol audit regression simulation reproduction agent cli")
bad=0
for folder in "$src"/*/; do
  room=$(basename "$folder")
  [ -n "${uses[$room]:-}" ] || { echo "room $room is not in the list"; bad=1; continue; }
  while IFS=: read -r file line include; do
    used=$(sed -E 's|.*"tacit/([a-z]+)/.*|\1|' <<<"$include")
    grep -qw "$used" <<<"${uses[$room]}" || { echo "$file:$line: $room must not use $used"; bad=1; }
  done < <(grep -nE '#include "tacit/' "$folder"*.hpp "$folder"*.cpp 2>/dev/null | grep -v '_test\.cpp:' || true)
done
exit $bad
