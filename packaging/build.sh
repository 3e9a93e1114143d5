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

# "3 min 20 s"
duration() {
    [ "$1" -lt 60 ] && echo "$1 s" || echo "$(($1 / 60)) min $(($1 % 60)) s"
}

# Reads what the build prints. Where there is much to do, tells how far it is and about how long it
# will go on: on a terminal in one line that stays up to date, else a line every 5 % or, at the latest, every 20 s. The
# time left is that of the last quarter of what is done: the first steps are others than the last.
show_progress() {
    local line step all percent told=-1 last=$started seconds=(0) passed from left
    while IFS= read -r line; do
        [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] && [ "${BASH_REMATCH[2]}" -ge 30 ] || continue
        step=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]} passed=$((SECONDS - started))
        seconds[step]=$passed
        percent=$((100 * step / all))
        if [ -t 1 ]; then
            [ "$percent" -gt "$told" ] || [ "$SECONDS" -gt "$last" ] || continue
        else
            [ "$percent" -ge $((told + 5)) ] || [ "$SECONDS" -ge $((last + 20)) ] || continue
        fi
        told=$percent last=$SECONDS
        from=$((step > 40 ? step - step / 4 : step > 10 ? step - 10 : 0))
        while [ "$from" -gt 0 ] && [ -z "${seconds[from]:-}" ]; do from=$((from - 1)); done
        left=$(((passed - ${seconds[from]:-0}) * (all - step) / (step - from)))
        line="build: $percent %, step $step of $all, $(duration "$passed")"
        [ "$passed" -lt 5 ] || [ "$percent" -lt 5 ] || [ "$step" -eq "$all" ] || line+=", about $(duration "$left") left"
        if [ -t 1 ]; then
            printf '\r\033[K%s' "$line"
        else
            echo "$line"
        fi
    done
    [ ! -t 1 ] || [ "$told" -lt 0 ] || echo
}

werror=OFF
[ -z "${CI:-}" ] || werror=ON
# Several files at a time: half the work of a first build. Who changes the code configures without it.
unity=(-DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=7)
cmake --preset release -DSTAGECRAFT_WERROR=$werror "${unity[@]}" >"$log" 2>&1 || fail
echo "build: compiling (the first time takes ten minutes or more on two cores)"
started=$SECONDS
cmake --build --preset release ${1:+--target "$@"} 2>&1 | tee "$log" | show_progress || fail
