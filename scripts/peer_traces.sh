#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The kernels that other simulators are compared on: text traces as they read them, imported into BUILD/peer/NAME.wtr.
# KEEP=1 leaves the text (73 MB) in BUILD/peer/text.
# usage: scripts/peer_traces.sh [BUILD]
set -eu
build=${1:-build}
peer=$build/peer
mkdir -p "$peer/text"
"$build/peer_traces" "$peer/text"
for list in "$peer"/text/*/kernelslist.g; do
    name=$(basename "$(dirname "$list")")
    "$build/warpmem" import "$list" -o "$peer/$name.wtr"
    "$build/warpmem" info "$peer/$name.wtr" | tail -1 | sed "s/^total */$name: /"
done
[ "${KEEP:-0}" = 1 ] || rm -rf "$peer/text"
