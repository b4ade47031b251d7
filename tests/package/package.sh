#!/usr/bin/env bash
# Creates the Debian packages of a build and tests them on a minimal Debian 12: tests/package/package.sh BUILD SOURCE
# Covers installation, folders, demo, a program that uses the library, upgrade and purge. Exits with 77 if no minimal
# system can be created: without root, or without a package source. Uses the package sources and proxies of this
# machine's apt.
set -euo pipefail
build=$(realpath "$1") source=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
fail() { echo "error: $1" >&2; exit 1; }
skip() { echo "skipped: $1"; exit 77; }
part() { echo "== $1 ($SECONDS s so far)"; }

part "contents of the packages"
(umask 077 && cpack --config "$build/CPackConfig.cmake" -B "$work/packages" >"$work/log" 2>&1) || { cat "$work/log"; exit 1; }
version=$("$build/tacit" --version | cut -d' ' -f2)
for name in tacit tacit-dev python3-tacit; do
  deb=("$work/packages/${name}_${version}"_*.deb)
  [ -e "${deb[0]}" ] || fail "package $name of version $version is missing: $(ls "$work/packages")"
  cp "${deb[0]}" "$work/$name.deb"
  dpkg-deb -c "$work/$name.deb" >"$work/list"
  awk '$2 != "root/root" || $1 !~ /^(drwxr-xr-x|-rw-r--r--|-rwxr-xr-x)$/' "$work/list" >"$work/odd"
  awk '$1 ~ /^-..x/ && $NF != "./usr/bin/tacit"' "$work/list" >>"$work/odd"
  [ ! -s "$work/odd" ] || fail "$name contains wrong owners or modes: $(cat "$work/odd")"
  dpkg-deb -x "$work/$name.deb" "$work/unpacked"
done
! grep -rlaF -e "$source" -e "$build" "$work/unpacked" || fail "the files above contain paths of this machine"
for file in "$work/unpacked/usr/bin/tacit" "$work"/unpacked/usr/lib/python3/dist-packages/tacit/_core*.so; do
  if nm "$file" 2>/dev/null | grep . > /dev/null; then fail "$file is not stripped"; fi
done
/usr/bin/python3 -m pip wheel --quiet --no-build-isolation --no-deps --wheel-dir "$work" "$source" >"$work/log" 2>&1 || { cat "$work/log"; fail "pip wheel failed"; }
/usr/bin/python3 -m zipfile -e "$work/tacit-$version"-*.whl "$work/wheel"
! grep -rlaF -e "$source" -e "$build" "$work/wheel" || fail "the files above, of the wheel, contain paths of this machine"

[ "$(id -u)" = 0 ] || skip "creating a minimal system requires root"
unshare --mount --pid --fork true 2>/dev/null || skip "mounting is not permitted here"
command -v mmdebstrap >/dev/null || skip "mmdebstrap is not installed"
[ "$(. /etc/os-release && echo "${VERSION_CODENAME:-}")" = bookworm ] || skip "the program was not built on Debian 12"
cd "$work"
got() { apt-get -qq download base-files >/dev/null 2>&1; }
got || { apt-get -qq update >/dev/null 2>&1 && got; } || skip "no source of Debian packages is reachable"

part "a minimal Debian 12"
# shellcheck disable=SC2016  # variables of apt
apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' >"$work/sources"
[ -s "$work/sources" ] || skip "apt of this machine has no Debian source"
apt-config dump | grep -E '^Acquire::(https?|ftp|Retries)' >"$work/apt.conf" || true
mmdebstrap --quiet --mode=root --variant=minbase --skip=cleanup/apt --aptopt="$work/apt.conf" --aptopt='APT::Install-Recommends "false"' \
  --dpkgopt=force-unsafe-io bookworm "$root" "$work/sources" >"$work/log" 2>&1 || { cat "$work/log"; fail "mmdebstrap failed"; }
cp -L /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
inside() { unshare --mount --pid --fork --mount-proc="$root/proc" chroot "$root" env LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
as_tacit() { inside runuser -u tacit -- "$@"; }
apt() { inside apt-get -qq --yes "$@" >"$work/log" 2>&1 || { cat "$work/log"; fail "apt-get $*"; }; }
# is PATH "OWNER:GROUP MODE"
is() { [ "$(inside stat -c '%U:%G %a' "$1")" = "$2" ] || fail "$1 is $(inside stat -c '%U:%G %a' "$1"), not $2"; }
cp "$work"/*.deb "$root/root"
cp -r "$work/wheel" "$source/data/diabetes.csv" "$root/root"

part "the wheel, on a system with only Python and NumPy"
apt install python3-numpy
try='import tacit; print(tacit.__version__, tacit.simulate("/root/diabetes.csv", "y", agents=3).json["accuracy"]["private"])'
from_wheel=$(inside env PYTHONPATH=/root/wheel python3 -c "$try")

part "tacit is installed"
apt install /root/tacit.deb
[ "$(inside tacit --version)" = "tacit $version" ] || fail "tacit --version prints $(inside tacit --version), not tacit $version"
is /etc/tacit "root:tacit 750"
is /var/lib/tacit "tacit:tacit 700"
is /usr/bin/tacit "root:root 755"
[ "$(inside getent passwd tacit | cut -d: -f6,7)" = /var/lib/tacit:/usr/sbin/nologin ] || fail "the user tacit has the wrong home or shell: $(inside getent passwd tacit)"
for file in bash-completion/completions/tacit zsh/vendor-completions/_tacit doc/tacit/copyright doc/tacit/docs/consortium.md \
  man/man1/tacit.1.gz man/man1/tacit-simulate.1.gz; do
  [ -s "$root/usr/share/$file" ] || fail "/usr/share/$file is missing"
done
grep -q '^ExecStart=/usr/bin/tacit ' "$root/lib/systemd/system/tacit-agent@.service" || fail "the service does not start /usr/bin/tacit"
if command -v systemd-analyze >/dev/null; then
  # A minimal system does not have the other units, such as those of the network.
  systemd-analyze verify --root="$root" --man=no --recursive-errors=no tacit-agent@aachen.service || fail "systemd-analyze reports the problems above"
fi

part "python3-tacit gives the same result as the wheel"
apt install /root/python3-tacit.deb
[ "$(inside python3 -c "$try")" = "$from_wheel" ] || fail "python3-tacit prints $(inside python3 -c "$try"), the wheel $from_wheel"
echo "$from_wheel"

part "demo, as the user tacit"
as_tacit tacit up --demo 3 --once | tail -1
as_tacit tacit simulate --data /usr/share/tacit/diabetes.csv --target y --split regions | grep -A1 Worth
inside install -d -o tacit -g tacit -m 0700 /etc/tacit/aachen
as_tacit tacit keygen /etc/tacit/aachen/keys --name aachen >/dev/null
key=$root/etc/tacit/aachen/keys/identity.key
kept=$(sha256sum "$key")

part "an upgrade keeps existing files"
# Replaces systemctl by a script that reports one running agent and records its calls.
mkdir -p "$root/run/systemd/system"
cat >"$root/usr/bin/systemctl" <<'END'
#!/bin/sh
echo "$*" >>/root/calls
[ "$1" != list-units ] || echo "tacit-agent@aachen.service loaded active running Tacit agent aachen"
END
chmod 0755 "$root/usr/bin/systemctl"
called() { [ "$(grep -v list-units "$root/root/calls" | tr '\n' ';')" = "$1" ] || fail "systemctl was called with: $(cat "$root/root/calls")"; rm "$root/root/calls"; }
inside chmod 0700 /etc/tacit  # as an owner may choose
apt install --reinstall /root/tacit.deb
grep -q 'running agents continue with the old program until' "$work/log" || { cat "$work/log"; fail "an upgrade does not mention running agents"; }
called "daemon-reload;"
is /etc/tacit "root:tacit 700"
[ "$(sha256sum "$key")" = "$kept" ] || fail "an upgrade changed a key"

part "tacit-dev and a program that uses it"
awk -v into="$root/root/" -f "$source/tests/package/examples.awk" "$source/docs/library.md"
cp -r "$source/tests/package/consumer" "$root/root/consumer"
apt install /root/tacit-dev.deb
apt install g++ cmake make
inside env -u CMAKE_C_COMPILER_LAUNCHER -u CMAKE_CXX_COMPILER_LAUNCHER sh -ec 'cd /root/consumer && cmake -B build -DEXAMPLES=/root/lab1.cpp && cmake --build build && build/lab1' >"$work/log" 2>&1 ||
  { cat "$work/log"; fail "the program that uses tacit-dev failed"; }
tail -1 "$work/log"

part "purge"
apt purge python3-tacit tacit-dev tacit
grep -q 'kept /etc/tacit (keys, settings), /var/lib/tacit ' "$work/log" || { cat "$work/log"; fail "a purge does not report which files it keeps"; }
grep -q 'stopping tacit-agent@aachen.service' "$work/log" || { cat "$work/log"; fail "a purge stops an agent without a message"; }
called "stop tacit-agent@aachen.service;daemon-reload;"
[ "$(sha256sum "$key")" = "$kept" ] || fail "a purge removed a key"
left=$(find "$root/usr" -iname '*tacit*' -not -path '*/__pycache__*')
[ -z "$left" ] || fail "a purge did not remove $left"
part "end"
