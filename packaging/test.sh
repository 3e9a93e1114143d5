#!/usr/bin/env bash
# test.sh: builds everything and runs all tests.
set -euo pipefail
cd "$(dirname "$0")/.."
export STAGECRAFT_BROWSER=1
source packaging/build.sh
ctest --preset release -j "$(nproc)"
