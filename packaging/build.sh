#!/usr/bin/env bash
# build.sh [TARGET...]: sets up, configures and builds the release preset. Says little when there is little to do.
set -euo pipefail
cd "$(dirname "$0")/.."
source packaging/setup.sh
log=build/release/build.log
mkdir -p build/release
quietly() {
    "$@" >"$log" 2>&1 || { tail -n 60 "$log" >&2; echo "build: failed; the whole output is in $log" >&2; exit 1; }
}
werror=OFF
[ -z "${CI:-}" ] || werror=ON
quietly cmake --preset release -DSTAGECRAFT_WERROR=$werror
echo "build: compiling (the first time takes some minutes)"
quietly cmake --build --preset release ${1:+--target "$@"}
