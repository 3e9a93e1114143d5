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
quietly() {
    "$@" >"$log" 2>&1 || { tail -n 60 "$log" >&2; echo "build: failed; the whole output is in $log" >&2; exit 1; }
}
werror=OFF
[ -z "${CI:-}" ] || werror=ON
# Several files at a time: half the work of a first build. Who changes the code configures without it.
unity=(-DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=7)
quietly cmake --preset release -DSTAGECRAFT_WERROR=$werror "${unity[@]}"
echo "build: compiling (the first time takes some minutes)"
quietly cmake --build --preset release ${1:+--target "$@"}
