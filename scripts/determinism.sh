#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The same run must give the same bytes from every compiler and optimisation, twice from each.
# usage: scripts/determinism.sh [BUILD]
set -eu
build=${1:-build}
reference=$build/determinism/reference.json
mkdir -p "$build/determinism"
args=(run atax --preset c2050-s --scheme mrpb --size tiny --json -)
compared=0
for compiler in gcc clang; do
    for opt in -O0 -O3; do
        out=$build/determinism/$compiler$opt
        make --no-print-directory -s BUILD="$out" CC=$compiler OPT=$opt "$out/warpmem" >"$out.log" 2>&1 ||
            { cat "$out.log" >&2; exit 1; }
        for _ in 1 2; do
            "$out/warpmem" "${args[@]}" >"$out.json"
            [ -e "$reference.new" ] || cp "$out.json" "$reference.new"
            cmp "$reference.new" "$out.json" || { echo "$compiler $opt differs" >&2; rm -f "$reference.new"; exit 1; }
            compared=$((compared + 1))
        done
    done
done
mv "$reference.new" "$reference"
echo "  PASS    determinism: $compared runs of ATAX, $(wc -c <"$reference") bytes each, equal from gcc and clang, -O0 and -O3"
