#!/usr/bin/env bash
# package.sh: builds the programs and packs them, into build/release/packages: a .deb for Debian 12, and an archive
# with all that it needs, which runs from any folder.
set -euo pipefail
cd "$(dirname "$0")/.."
source packaging/build.sh stagecraft stagecraft-cli
for kind in DEB TGZ; do
    echo "package: $kind"
    (cd build/release && cpack -G "$kind" >package.log 2>&1) || { tail -n 40 build/release/package.log >&2; exit 1; }
done
du -h --apparent-size build/release/packages/stagecraft[-_]*.{deb,tar.gz}
