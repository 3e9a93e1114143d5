#!/usr/bin/env bash
# build.sh [TARGET...]: sets up, configures and builds the release preset. Says little when there is little to do.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source packaging/setup.sh
# Lets ccache reuse what another clone compiled, and precompiled headers.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
log=build/release/build.log
mkdir -p build/release
fail() {
    tail -n 60 "$log" >&2
    echo "build: failed; the whole output is in $log" >&2
    exit 1
}

# Reads what the build prints. Where there is much to do, tells at every tenth how far it is.
show_progress() {
    local line told=0 tenth
    while IFS= read -r line; do
        [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] && [ "${BASH_REMATCH[2]}" -ge 30 ] || continue
        tenth=$((10 * BASH_REMATCH[1] / BASH_REMATCH[2]))
        [ "$tenth" -gt "$told" ] || continue
        told=$tenth
        echo "build: $((10 * tenth)) % (step ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}, $((SECONDS - started)) s)"
    done
}

werror=OFF
[ -z "${CI:-}" ] || werror=ON
# Several files at a time: half the work of a first build. Who changes the code configures without it.
unity=(-DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=7)
cmake --preset release -DSTAGECRAFT_WERROR=$werror "${unity[@]}" >"$log" 2>&1 || fail
echo "build: compiling (the first time takes ten minutes or more on two cores)"
started=$SECONDS
cmake --build --preset release ${1:+--target "$@"} 2>&1 | tee "$log" | show_progress || fail
