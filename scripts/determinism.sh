#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The same run must give the same bytes from every compiler and optimisation, twice from each.
# usage: scripts/determinism.sh [BUILD]
set -eu
build=${1:-build}
work=$build/determinism
runs=$work/runs

# One build, and every run twice: $runs/WORKLOAD-SCHEME/COMPILER-OPT.{1,2}
one() { # COMPILER OPT
    local out=$work/$1$2 workload scheme to n
    MAKEFLAGS='' make --no-print-directory -s BUILD="$out" CC="$1" OPT="$2" "$out/warpmem" >"$out.log" 2>&1 ||
        { cat "$out.log" >&2; echo "determinism: $1 $2 does not build" >&2; return 1; }
    for workload in atax gemm vecadd; do
        for scheme in baseline mrpb; do
            to=$runs/$workload-$scheme
            mkdir -p "$to"
            for n in 1 2; do
                "$out/warpmem" run $workload --preset c2050-s --scheme $scheme --size tiny --json - >"$to/$1$2.$n" ||
                    { echo "determinism: $1 $2: $workload $scheme failed" >&2; return 1; }
            done
        done
    done
}
export -f one
export work runs

rm -rf "$runs"
mkdir -p "$runs"
printf '%s\n' gcc clang | xargs -I{} printf '{} -O0\n{} -O3\n' |
    xargs -P "${JOBS:-2}" -L 1 bash -c 'set -eu; one "$@"' one || exit 1

compared=0
for run in "$runs"/*/; do
    reference=${run}gcc-O0.1
    grep -q '"complete": true' "$reference" || { echo "determinism: ${run%/} is not complete" >&2; exit 1; }
    for other in "$run"*; do
        cmp "$reference" "$other" || { echo "determinism: $reference and $other differ" >&2; exit 1; }
        compared=$((compared + 1))
    done
done
[ $compared -eq 48 ] || { echo "determinism: $compared runs instead of 48" >&2; exit 1; }
echo "  PASS    determinism: $compared runs of ATAX, GEMM and vector add, with and without MRPB:" \
    "equal from gcc and clang, -O0 and -O3, twice"
