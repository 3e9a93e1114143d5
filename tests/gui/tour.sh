#!/usr/bin/env bash
# Pictures of the window as every model of the gallery opens in it: light and dark, at the sizes of a small and
# of a usual screen, one of them also at 3840x2160 with everything twice as large.
#
#     tests/gui/tour.sh FOLDER [PROGRAM]      MODELS="a.pt2 b.pt2" for others than the gallery's
#
# On a display of its own (Xvfb), so that it shows what a person would see.
set -eu

[ $# -ge 1 ] || { sed -n '2,8p' "$0"; exit 2; }
house=$(cd "$(dirname "$0")/../.." && pwd)
folder=$1
program=${2:-$house/build/release/bin/stagecraft}
models=${MODELS:-$(ls "$house"/resources/examples/*.pt2)}
mkdir -p "$folder"
export QT_QPA_PLATFORM=xcb

# Xvfb takes a number that is free and tells it.
start_display() {
    exec 3< <(exec Xvfb -displayfd 1 -screen 0 "$1x24" -nolisten tcp 2> /dev/null)
    display_process=$!
    read -r number <&3
    export DISPLAY=":$number"
}
trap 'kill "${display_process:-0}" 2> /dev/null || true' EXIT

picture() { # model theme size scale
    local name
    name=$(basename "$1" .pt2)-$2-$3
    if QT_SCALE_FACTOR=$4 "$program" --screenshot "$folder/$name.png" --theme "$2" --size "$3" "$1"; then
        echo "$folder/$name.png"
    else
        echo "$name: no picture" >&2
        failed=1
    fi
}

failed=0
start_display 3840x2160
first=
for model in $models; do
    for theme in light dark; do
        for size in 1280x720 1600x1000; do
            picture "$model" "$theme" "$size" 1
        done
    done
    first=${first:-$model}
done
picture "$first" light 1920x1080 2
exit "$failed"
