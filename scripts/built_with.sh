#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Make knows files, not flags and tools: what was compiled with others is removed here, so that it is compiled again.
# usage: scripts/built_with.sh BUILD CC CXX FLAGS; the Makefile calls it before it looks at any file
set -eu
build=$1 cc=$2 cxx=$3 flags=$4
now=$(
    printf '%s\n' "$flags"
    for tool in "$cc" "$cxx" verilator; do
        # shellcheck disable=SC2086 # a compiler may have options
        $tool --version 2>&1 | head -n 1 || true
    done
)
[ ! -e "$build/built_with" ] || [ "$now" != "$(cat "$build/built_with")" ] || exit 0
if [ -d "$build/obj" ]; then
    echo "other flags or tools than before: what is in $build is compiled again" >&2
    rm -rf "$build/obj" "$build/rtl" "$build/dramcheck"
fi
mkdir -p "$build"
printf '%s\n' "$now" >"$build/built_with.new"
mv "$build/built_with.new" "$build/built_with"
