#!/usr/bin/env bash
# Makes the pictures of this folder: the program's own window under a virtual screen, each model split in 4. The plan of
# llama-3-70b.png is made by the commands in README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
source packaging/build.sh stagecraft

picture() {
    echo "docs/$1.png"
    xvfb-run -a -s '-screen 0 1920x1200x24' build/release/bin/stagecraft "resources/examples/$1.pt2" \
        --stages 4 --size 1600x1000 --whole --screenshot "docs/$1.png"
}
if [ $# -eq 0 ]; then set -- gpt2 llama-3-8b resnet50; fi
for model in "$@"; do picture "$model"; done
