#!/usr/bin/env bash
# run.sh SECONDS [fuzz option...]: damages files of every format and takes each the whole way, under the address and
# undefined-behaviour sanitizers. What fails is kept in build/asan/fuzz-failures, and the status is 1.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
seconds=${1:?usage: tests/fuzz/run.sh SECONDS [--seed N] [--format NAME]}
shift
source packaging/setup.sh
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
cmake --preset asan -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=7 >/dev/null
cmake --build --preset asan --target fuzz
# Sizes of 2^62 are refused by the allocator as they are without a sanitizer; a leak is no harm to a program that ends.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=16384:hard_rss_limit_mb=8192
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
build/asan/bin/fuzz --seconds "$seconds" --keep build/asan/fuzz-failures "$@"
