#!/usr/bin/env bash
# run.sh [MODEL]: builds what is missing and opens MODEL, or the gallery's GPT-2. Without a display it does the
# same job headless: profile, split in 4, export, verify, a report, and a picture of the graph.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
refuse() {
    echo "run: $1; usage: run.sh [MODEL] (a file whose name begins with - as ./-NAME)" >&2
    exit 2
}
[ $# -le 1 ] || refuse "takes one model, not $#"
model=${1:-}
case $model in
    -*) refuse "'$model' is no option of this script: give it to build/release/bin/stagecraft" ;;
esac
if [ $# -eq 1 ]; then
    [ -e "$model" ] || refuse "there is no file '$model'"
    [ ! -d "$model" ] || refuse "'$model' is a folder"
    model=$(realpath -- "$model")
fi
cd "$here/.."
source packaging/build.sh stagecraft stagecraft-cli

bin=build/release/bin
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec "$bin/stagecraft" "${model:-resources/examples/gpt2.pt2}"
fi

# Profiles, splits, draws and exports $1 into $2, and checks the stages against the whole model.
headless_job() {
    local cli=$bin/stagecraft-cli source=$1 out=$2
    mkdir -p "$out"
    "$cli" profile "$source" --by module
    "$cli" partition "$source" --stages 4 -o "$out/plan.stagecraft"
    "$cli" render "$source" --plan "$out/plan.stagecraft" -o "$out/graph.svg"
    "$cli" export "$source" --plan "$out/plan.stagecraft" -o "$out/stages"
    "$cli" verify "$source" "$out/stages"
}
# The folder of the results of a model: of its name, with a number where another model of that name was here first.
results_folder() {
    local name number=1 folder
    name=$(basename "$1")
    [ -z "${name%.*}" ] || name=${name%.*}
    folder=build/headless/$name
    while [ -e "$folder" ] && [ "$(cat "$folder/model.txt" 2>/dev/null)" != "$1" ]; do
        number=$((number + 1))
        folder=build/headless/$name-$number
    done
    mkdir -p "$folder"
    printf '%s\n' "$1" > "$folder/model.txt"
    echo "$folder"
}
echo "run: no display, so the same job headless; results go to build/headless"
if [ -n "$model" ]; then
    results=$(results_folder "$model")
    headless_job "$model" "$results"
    echo "run: the results are in $results"
else
    headless_job resources/examples/gpt2.pt2 build/headless/gpt2
    echo
    echo "run: that GPT-2 has no weights; now a small one that has, so that outputs and gradients can be compared"
    headless_job resources/examples/gpt2-tiny.pt2 build/headless/gpt2-tiny
fi
