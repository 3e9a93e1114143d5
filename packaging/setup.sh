#!/usr/bin/env bash
# Brings a bare Debian 12 to where Stagecraft builds: system packages, the virtual environment with LibTorch.
# Safe to run again: what is there is left alone, so the second run takes well under a second.
#
#   STAGECRAFT_PIP_ARGS        extra arguments for pip, for example the index of PyTorch's CPU wheels
#   STAGECRAFT_TORCH_VERSION   the LibTorch to build with: 2.13 (the default), 2.14 or 2.15, CPU or CUDA build
#   STAGECRAFT_LINT            anything: clang-tidy too, for the preset `lint` (Debian 12's own is too old)
#   STAGECRAFT_BROWSER         anything: a browser for the test of reports too (96 MB to download); test.sh sets it
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(
    build-essential ccache clang-format cmake git ninja-build python3 python3-venv
    libcli11-dev libmetis-dev libsimdjson-dev libssl-dev nlohmann-json3-dev zlib1g-dev
    qt6-base-dev qt6-l10n-tools qt6-svg-dev libqcustomplot-dev libqscintilla2-qt6-dev
    graphviz fonts-dejavu-core xvfb xauth xdotool imagemagick
)
case ${STAGECRAFT_TORCH_VERSION:-2.13} in
    2.13) torch_version=2.13.0 ;;
    2.14) torch_version=2.14.1 ;;
    2.15) torch_version=2.15.0 ;;
    2.13.*|2.14.*|2.15.*) torch_version=$STAGECRAFT_TORCH_VERSION ;;
    *) echo "setup: STAGECRAFT_TORCH_VERSION is $STAGECRAFT_TORCH_VERSION; use 2.13, 2.14 or 2.15" >&2; exit 1 ;;
esac
python_packages=(numpy safetensors)
[ -z "${STAGECRAFT_LINT:-}" ] || python_packages+=(clang_tidy)

missing_packages() {
    local package
    for package in "${packages[@]}"; do
        dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || echo "$package"
    done
}

# A program from elsewhere (a newer CMake, say) serves as well as Debian's package.
without_programs_at_hand() {
    local package
    while read -r package; do
        case $package in
            cmake) command -v cmake >/dev/null || echo "$package" ;;
            ninja-build) command -v ninja >/dev/null || echo "$package" ;;
            *) echo "$package" ;;
        esac
    done
}

install_packages() {
    local wanted=("$@") as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "setup: these Debian packages are missing, and this user is neither root nor has sudo:" >&2
            echo "    ${wanted[*]}" >&2
            echo "Ask an administrator to run:  apt-get install ${wanted[*]}" >&2
            exit 1
        fi
        as_root=(sudo)
    fi
    echo "setup: installing ${#wanted[@]} Debian packages"
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${wanted[@]}" >/dev/null
}

command -v dpkg-query >/dev/null || {
    echo "setup: this script knows Debian's packages only; install the equivalents of: ${packages[*]}" >&2
    exit 1
}
mapfile -t missing < <(missing_packages | without_programs_at_hand)
[ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}"

# Without it one test is skipped: nobody is asked to have it installed.
has_browser() {
    command -v chromium >/dev/null || dpkg-query -W -f '${db:Status-Status}\n' chromium-headless-shell 2>/dev/null | grep -qx installed
}
if [ -n "${STAGECRAFT_BROWSER:-}" ] && ! has_browser && { [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null; }; then
    (install_packages chromium-headless-shell) || echo "setup: no browser could be installed: the test of reports is skipped"
fi

[ -x .venv/bin/python ] || { echo "setup: making .venv"; python3 -m venv .venv; }
has_python_package() {
    compgen -G ".venv/lib/python3*/site-packages/$1*.dist-info" >/dev/null
}
if ! has_python_package "torch-$torch_version"; then
    echo "setup: installing torch $torch_version"
    # The CPU build by its own name where the index has it; else what the index calls $torch_version.
    if ! .venv/bin/pip install -q ${STAGECRAFT_PIP_ARGS:-} "torch==$torch_version+cpu" 2>/dev/null; then
        echo "setup: the package index has no CPU build of torch $torch_version, so its usual one comes. It serves as"
        echo "setup: well, but may bring several GB of CUDA packages; to save them, stop and name PyTorch's CPU index:"
        echo "setup:     STAGECRAFT_PIP_ARGS='--index-url URL' packaging/run.sh"
        .venv/bin/pip install -q ${STAGECRAFT_PIP_ARGS:-} "torch==$torch_version"
    fi
fi
for package in "${python_packages[@]}"; do
    has_python_package "$package" || .venv/bin/pip install -q ${STAGECRAFT_PIP_ARGS:-} "$package"
done

# Qt and xvfb-run warn without one.
if [ -z "${XDG_RUNTIME_DIR:-}" ]; then
    export XDG_RUNTIME_DIR="${TMPDIR:-/tmp}/stagecraft-runtime-$(id -u)"
    mkdir -p -m 700 "$XDG_RUNTIME_DIR"
fi
