#!/bin/sh
# Graphviz's dot of this archive, with its own libraries and plugins, wherever the archive was unpacked.
here=$(dirname "$(readlink -f "$0")")
export GVBINDIR="$here/../graphviz"
export LD_LIBRARY_PATH="$here/..${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
exec "$GVBINDIR/dot" "$@"
