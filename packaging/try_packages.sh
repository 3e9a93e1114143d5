#!/usr/bin/env bash
# try_packages.sh [FOLDER]: installs the .deb in a bare Debian 12, unpacks the archive in another one, and does a
# job with both: profile, split, export, draw, a picture of the window. As root, with debootstrap installed; the
# two systems are made in FOLDER (a temporary one) and deleted.
set -euo pipefail
packages=$(cd "$(dirname "$0")/.." && pwd)/build/release/packages
[ "$(id -u)" -eq 0 ] && command -v debootstrap >/dev/null || {
    echo "try_packages: needs root and debootstrap" >&2
    exit 1
}
mirror=${STAGECRAFT_DEBIAN_MIRROR:-http://deb.debian.org/debian}
folder=${1:-$(mktemp -d)}
tidy_up() {
    umount -q "$folder"/{deb,archive}/proc || true
    rm -rf --one-file-system "$folder"/{bare,deb,archive}
}
trap tidy_up EXIT

# Runs the programs in $1/bin within the system $2.
do_a_job() {
    local programs=$1 root=$2
    # shellcheck disable=SC2016
    chroot "$root" /bin/sh -euc '
        example=$(dirname "$1")/share/stagecraft/examples/gpt2-tiny.pt2
        "$1/stagecraft-cli" partition "$example" --stages 3 -o /tmp/plan.stagecraft
        "$1/stagecraft-cli" export "$example" --plan /tmp/plan.stagecraft -o /tmp/stages
        "$1/stagecraft-cli" verify "$example" /tmp/stages
        "$1/stagecraft-cli" render "$example" -o /tmp/graph.svg
        QT_QPA_PLATFORM=offscreen "$1/stagecraft" "$example" --stages 3 --screenshot /tmp/window.png
        test -s /tmp/graph.svg && test -s /tmp/window.png' job "$programs"
}

debootstrap --variant=minbase bookworm "$folder/bare" "$mirror" >"$folder/debootstrap.log"
for kind in deb archive; do
    cp -a "$folder/bare" "$folder/$kind"
    mount -t proc proc "$folder/$kind/proc" # programs learn there where they are
done

echo "try_packages: the .deb"
cp "$packages"/stagecraft_*.deb "$folder/deb/tmp/"
chroot "$folder/deb" sh -c "apt-get install -y -qq --no-install-recommends /tmp/stagecraft_*.deb" >"$folder/apt.log"
do_a_job /usr/bin "$folder/deb"

echo "try_packages: the archive, in a folder with a space in its name"
mkdir "$folder/archive/opt/any where"
tar -xzf "$packages"/stagecraft-*.tar.gz -C "$folder/archive/opt/any where"
mv "$folder/archive/opt/any where"/stagecraft-* "$folder/archive/opt/any where/stagecraft"
do_a_job "/opt/any where/stagecraft/bin" "$folder/archive"
cp "$folder/deb/tmp/window.png" "$packages/window-deb.png"
cp "$folder/archive/tmp/window.png" "$packages/window-archive.png"
echo "try_packages: both work; pictures of the window are in build/release/packages"
