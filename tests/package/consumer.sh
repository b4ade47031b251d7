#!/usr/bin/env bash
# Installs the build into a separate folder and uses the library: tests/package/consumer.sh BUILD SOURCE [COMPONENT...]
# For each component, builds and runs its examples in docs/library.md and compiles each of its headers separately. CMake
# and pkg-config find only the packages that the component needs.
set -euo pipefail
build=$1 source=$2
shift 2
components=("${@:-}")
[ -n "${components[*]}" ] || components=(gp graph protocol lab mpi)
declare -A packages=([gp]="Eigen3" [graph]="" [protocol]="OpenSSL" [lab]="Eigen3 OpenSSL" [mpi]="Eigen3 OpenSSL")
declare -A modules=([gp]="openblas lapacke" [graph]="igraph" [protocol]="libsodium igraph"
                    [lab]="openblas lapacke libsodium igraph" [mpi]="openblas lapacke libsodium igraph")

# The folder has the same name in every clone relative to the source, so that ccache finds what another clone compiled.
work=$(realpath "$build")/consumer
rm -rf "$work"
mkdir "$work"
launcher=()
if command -v ccache >/dev/null; then
  launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  CCACHE_BASEDIR=$(realpath "$source")
  export CCACHE_BASEDIR CCACHE_NOHASHDIR=1
fi
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >/dev/null

# Installed headers: those that the page names, and those that other installed headers include. Examples include only
# the headers of components.
if grep '^#include <tacit/' "$source/docs/library.md" | grep -vE '<tacit/(gp|graph|protocol|lab|mpi)\.hpp>'; then
  echo "docs/library.md: an example includes these, but examples include the headers of components only"
  exit 1
fi
cd "$work/prefix/include"
for header in $(grep -o 'tacit/[a-z_/]*\.hpp' "$source/docs/library.md" | sort -u); do
  [[ $header == tacit/lab[./]* && ! -e tacit/lab ]] && continue  # built with TACIT_LAB=OFF
  [ -e "$header" ] || { echo "docs/library.md names $header, which is not installed"; exit 1; }
done
find . -type f -printf '%P\n' >"$work/headers"
while read -r header; do
  grep -q "[<\`]${header}[>\`]" "$source/docs/library.md" || grep -rqF "#include \"$header\"" . ||
    { echo "$header is installed, but docs/library.md does not name it and no installed header includes it"; exit 1; }
done <"$work/headers"

# The first comment of these headers states thread safety, errors, and how to stop long work.
while read -r header; do
  for label in Threads Errors Stopping; do
    sed '/^#pragma once/q' "$header" | grep -q "^// $label: " ||
      { echo "the first comment of $header has no line \"$label: \""; exit 1; }
  done
done <"$work/headers"

awk -v into="$work/" -f "$source/tests/package/examples.awk" "$source/docs/library.md"

# Copies the .pc files of the modules and of the modules that they require. pkg-config sees only these.
copy_modules() {
  for module in "$@"; do
    [ ! -e "$pkgconfig/$module.pc" ] || continue
    cp "$(pkg-config --variable=pcfiledir "$module")/$module.pc" "$pkgconfig"
    # shellcheck disable=SC2046  # module names
    copy_modules $(pkg-config --print-requires --print-requires-private "$module" | cut -d' ' -f1)
  done
}

# use COMPONENT EXAMPLE...
use() {
  local component=$1 pkgconfig=$work/pkgconfig-$1 hidden=()
  mkdir "$pkgconfig"
  copy_modules ${modules[${component:-lab}]}
  for package in Boost CLI11 Eigen3 fmt GTest OpenSSL Protobuf TBB ZLIB gRPC igraph MPI NLopt nlohmann_json OpenBLAS rapidcheck spdlog; do
    grep -qw "$package" <<<"${packages[${component:-lab}]}" || hidden+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON")
  done
  echo "== ${component:-all components}"
  PKG_CONFIG_LIBDIR=$pkgconfig cmake -S "$source/tests/package/consumer" -B "$work/build-$component" -G Ninja -DCMAKE_BUILD_TYPE=Debug --no-warn-unused-cli \
    -DCMAKE_PREFIX_PATH="$work/prefix" -DCOMPONENT="$component" -DEXAMPLES="$(IFS=';'; echo "${*:2}")" "${launcher[@]}" "${hidden[@]}" >/dev/null
  cmake --build "$work/build-$component" >"$work/log" || { cat "$work/log"; exit 1; }
  ctest --test-dir "$work/build-$component" --output-on-failure | grep -E 'Passed|tests passed' || { cat "$work/build-$component/Testing/Temporary/LastTest.log"; exit 1; }
}

# Checks that the example of mpi prints the same with any number of ranks.
by_ranks() {
  command -v mpirun >/dev/null || { echo "skipped: mpirun is missing; install openmpi-bin"; return; }
  "$1" >"$work/alone"
  for number in 1 2 3; do
    timeout 100 mpirun --allow-run-as-root --oversubscribe -n "$number" "$1" >"$work/together"
    cmp "$work/alone" "$work/together" || { echo "$number ranks print $(cat "$work/together"), but one process prints $(cat "$work/alone")"; exit 1; }
  done
  cat "$work/alone"
}

for component in "${components[@]}"; do
  use "$component" "$work/$component"[0-9].cpp
done
use "" "$work/gp1.cpp"
if ldd "$work/build-/gp1" | grep libmpi; then echo "a program without ranks is linked with MPI"; exit 1; fi
if [ -e "$work/build-mpi/mpi1" ] && ldd "$work/build-mpi/mpi1" | grep libmpi > /dev/null; then by_ranks "$work/build-mpi/mpi1"; fi
"$work/prefix/bin/tacit" --version
