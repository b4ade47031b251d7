#!/usr/bin/env bash
# Compares man pages and completion with --help: tests/package/pages.sh TACIT
# Every command has a page that names all its options and gives no troff warnings. bash and zsh offer the correct
# completions.
set -euo pipefail
tacit=$(realpath "$1")
unset TACIT_AGENT
export LC_ALL=C.UTF-8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
wrong() { echo "error: $1" >&2; bad=1; }

"$tacit" manual "$work/pages" >/dev/null
pages=0
# see COMMAND...: checks the page of a command and of its subcommands
see() {
  local help page=$work/pages/tacit${*:+-$(IFS=-; echo "$*")}.1 words name flat
  pages=$((pages + 1))
  help=$("$tacit" "$@" --help)
  [ -s "$page" ] || { wrong "tacit $* has no page"; return; }
  ! LC_ALL=C grep -q '[^ -~]' "$page" || wrong "$page is not ASCII"
  man --warnings -E UTF-8 -l -Tutf8 "$page" 2>"$work/warnings" | col -bx >"$work/shown"
  [ ! -s "$work/warnings" ] || wrong "$(cat "$work/warnings")"
  for name in $(grep -oE '^  -[-a-z,]+' <<<"$help" | tr ',' ' '); do
    grep -qE -- "^ +.*$name( |,|$)" "$work/shown" || wrong "the page of tacit $* does not contain $name"
  done
  flat=$(tr -s ' \n' ' ' <"$work/shown")
  # The text of --help, regardless of line breaks: descriptions and examples.
  while read -r words; do
    grep -qF -- "$words" <<<"$flat" || wrong "the page of tacit $* does not contain: $words"
  done < <(sed -nE 's/^ {28}([^ ].*)$/\1/p; s/^  (tacit .*)$/\1/p' <<<"$help")
  for name in $(sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p' <<<"$help"); do see "$@" "$name"; done
}
see
count=$(find "$work/pages" -type f | wc -l)
[ "$count" = "$pages" ] || wrong "$count pages for $pages commands"

"$tacit" completion bash >"$work/bash"
"$tacit" completion zsh >"$work/_tacit"
mkdir "$work/here" "$work/here/folder"
touch "$work/here/a file.csv"
cd "$work/here"
# in_bash "OFFERED" WORD...: the last word is being typed
in_bash() {
  local found
  found=$(bash -c '. "$1"; shift; compopt() { :; }; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _tacit; IFS="|"; echo "${COMPREPLY[*]}"' - "$work/bash" "${@:2}")
  [ "$found" = "$1" ] || wrong "bash offers '$found' after ${*:2}, not '$1'"
}
in_bash "charter" tacit cha
in_bash "check" tacit charter ch
in_bash "--help" tacit charter check --he
in_bash "a file.csv|folder" tacit charter check ""
in_bash "folder" tacit charter sign --identity ""
in_bash "" tacit plan --agents ""
in_bash "bash|zsh" tacit completion ""
in_bash "shares|seeded" tacit plan --masks ""
in_bash "error|drop" tacit simulate --missing ""
in_bash "a file.csv" tacit agent --config = a

# in_zsh TYPED WORD...: words that zsh lists after Tab
in_zsh() {
  # shellcheck disable=SC2016  # for zsh
  zsh -f -c '
    zmodload zsh/zpty
    zpty z zsh -f -i
    zpty -w z "PS1= ; autoload -U compinit; fpath=($1 \$fpath); compinit -u -D; zstyle \":completion:*\" verbose no; bindkey \"^I\" list-choices; echo rea\"\"dy"
    while zpty -r z line; do [[ $line == *ready* ]] && break; done
    zpty -w -n z "$2"$'"'\t'"'
    seen=
    for ((i = 0; i < 100; ++i)); do
      sleep 0.1
      while zpty -rt z line; do seen+=$line; done
      [[ $seen == *"$3"* ]] && break
    done
    print -r -- $seen' - "$work" "$1" "${@: -1}" >"$work/listed"
  for word in "${@:2}"; do grep -qF -- "$word" "$work/listed" || wrong "zsh does not offer $word after $1"; done
}
in_zsh "tacit charter " new check explain diff sign
in_zsh "tacit charter sign --" identity take
in_zsh "tacit completion " bash zsh
((bad == 0)) || exit 1
echo "$pages man pages and the completions agree with --help"
