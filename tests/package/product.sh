#!/usr/bin/env bash
# Installs a build without the laboratory (-DTACIT_LAB=OFF) into a temporary folder and uses it:
#   tests/package/product.sh BUILD
# Agents answer a prediction, commands of the laboratory are refused, and neither the component lab nor NTL is needed.
set -euo pipefail
build=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "error: $1" >&2; exit 1; }

cmake --install "$build" --prefix "$work/prefix" > "$work/log" || { cat "$work/log"; fail "cmake --install failed"; }
tacit=$work/prefix/bin/tacit
cd "$work"
timeout 120 "$tacit" up --demo 5 --once > up.log 2>&1 || { cat up.log; fail "five agents do not answer a prediction"; }
for command in simulate plan audit reproduce; do
  code=0
  "$tacit" $command > /dev/null 2> refused || code=$?
  [ $code = 2 ] && grep -q 'DTACIT_LAB=ON' refused || { cat refused; fail "tacit $command ends with $code"; }
  ! "$tacit" --help | grep -qE "^ +$command " || fail "the help lists tacit $command"
done
[ ! -e prefix/include/tacit/lab.hpp ] || fail "lab.hpp is installed"
[ -z "$(find prefix -path '*/lab/*' -name '*.hpp')" ] || fail "headers of lab/ are installed"
if ldd "$tacit" | grep libntl; then fail "the program links NTL"; fi
size=$(strip -o stripped "$tacit" && stat -c %s stripped)
echo "The program without the laboratory works; stripped, it takes $((size / 100000))00 kB."
