#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The same run must give the same bytes from every compiler and optimisation: every workload with MRPB on its own machine;
# those of $sample, which between them do what all do, on every preset, and repeated.
# usage: scripts/determinism.sh [BUILD [COMPILER:OPTIMISATION...]]; without any, gcc:-O0 clang:-O3
set -eu
build=${1:-build}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- gcc:-O0 clang:-O3
work=$build/determinism
runs=$work/runs
own=c2050-s # MRPB's machine
sample='atax gemm vecadd'
medic='wbyp wip wms medic medic-reuse eaf pcal:96 rand:50 pc-byp' # schemes of MeDiC's machine
builds=$#
list=$(printf '%s\n' "${@/:/ }")
first=${1/:/}

# The first word of each line.
names() { # WARPMEM KIND
    "$1" list "$2" | awk '/^[a-z0-9]/ { print $1 }'
}

# One run: $runs/PRESET-WORKLOAD-SCHEME/COMPILER-OPT.N
once() { # WARPMEM PRESET WORKLOAD SCHEME BUILD.N
    local to=$runs/$2-$3-$4
    mkdir -p "$to"
    "$1" run "$3" --preset "$2" --scheme "$4" --size tiny --json - >"$to/$5" ||
        { echo "determinism: $5: $3 $4 on $2 failed" >&2; return 1; }
}

one() { # COMPILER OPT
    local out=$work/$1$2 workload preset scheme
    MAKEFLAGS='' make --no-print-directory -s BUILD="$out" CC="$1" OPT="$2" "$out/warpmem" >"$out.log" 2>&1 ||
        { cat "$out.log" >&2; echo "determinism: $1 $2 does not build" >&2; return 1; }
    for workload in $(names "$out/warpmem" workloads); do
        once "$out/warpmem" $own "$workload" mrpb "$1$2.1" || return 1
        case " $sample " in *" $workload "*) ;; *) continue ;; esac
        for preset in $(names "$out/warpmem" presets); do
            once "$out/warpmem" "$preset" "$workload" baseline "$1$2.1" || return 1
        done
        for scheme in $medic; do
            once "$out/warpmem" gtx480 "$workload" "$scheme" "$1$2.1" || return 1
        done
        once "$out/warpmem" $own "$workload" baseline "$1$2.2" || return 1
        once "$out/warpmem" $own "$workload" mrpb "$1$2.2" || return 1
    done
}
export -f once names one
export work runs own sample medic

rm -rf "$runs"
mkdir -p "$runs"
printf '%s\n' "$list" |
    xargs -P "${JOBS:-2}" -L 1 bash -c 'set -eu; one "$@"' one || exit 1

compared=0
for run in "$runs"/*/; do
    reference=$run$first.1
    grep -q '"complete": true' "$reference" || { echo "determinism: ${run%/} is not complete" >&2; exit 1; }
    for other in "$run"*; do
        cmp "$reference" "$other" || { echo "determinism: $reference and $other differ" >&2; exit 1; }
        compared=$((compared + 1))
    done
done
warpmem=$work/$first/warpmem
presets=$(names "$warpmem" presets | wc -l)
workloads=$(names "$warpmem" workloads | wc -l)
sampled=$(wc -w <<<"$sample")
schemes=$(wc -w <<<"$medic")
expected=$((builds * (workloads + sampled * (presets + schemes + 2))))
if [ "$presets" -lt 6 ] || [ "$workloads" -lt 3 ] || [ $compared -ne $expected ]; then
    echo "determinism: $compared runs instead of $expected, on $presets presets" >&2
    exit 1
fi
echo "  PASS    determinism: $compared runs, $workloads workloads with MRPB, $sampled of them on $presets presets and" \
    "with $schemes schemes of MeDiC's machine: equal from ${list//$'\n'/, }"
