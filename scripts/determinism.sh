#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The same run must give the same bytes from every compiler and optimisation: every workload with MRPB on its own machine;
# those of $sample, which between them do what all do, on every preset, and repeated.
# usage: scripts/determinism.sh [--some] [BUILD [COMPILER:OPTIMISATION...]]; without any, gcc:-O0 clang:-O3
# --some leaves out the workloads that are not in $sample.
# built instead of COMPILER:OPTIMISATION is BUILD/warpmem as it stands.
set -eu
some=
[ "${1-}" != --some ] || { some=1; shift; }
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

with_mrpb() { # WARPMEM
    if [ "$some" ]; then echo "$sample"; else names "$1" workloads; fi
}

# One run: $runs/PRESET-WORKLOAD-SCHEME/COMPILER-OPT.N
once() { # WARPMEM PRESET WORKLOAD SCHEME BUILD.N
    local to=$runs/$2-$3-$4
    mkdir -p "$to"
    "$1" run "$3" --preset "$2" --scheme "$4" --size tiny --json - >"$to/$5" ||
        { echo "determinism: $5: $3 $4 on $2 failed" >&2; return 1; }
}

compile() { # COMPILER OPT FOLDER
    MAKEFLAGS='' make --no-print-directory -s "-j${JOBS:-$(nproc)}" BUILD="$3" CC="$1" OPT="$2" CFLAGS=-g0 "$3/warpmem" \
        >"$3.log" 2>&1 ||
        { cat "$3.log" >&2; echo "determinism: $1 $2 does not build" >&2; return 1; }
}

built() { # COMPILER OPT, or built
    local out=$work/$1$2
    if [ "$1" = built ]; then
        mkdir -p "$out"
        cp "$build/warpmem" "$out/warpmem"
    else
        compile "$1" "$2" "$out"
    fi
}

# The runs of one build, a line each: WARPMEM PRESET WORKLOAD SCHEME BUILD.N
runs_of() { # BUILD
    local warpmem=$work/$1/warpmem workload preset scheme
    for workload in $(with_mrpb "$warpmem"); do
        echo "$warpmem $own $workload mrpb $1.1"
        case " $sample " in *" $workload "*) ;; *) continue ;; esac
        for preset in $(names "$warpmem" presets); do
            echo "$warpmem $preset $workload baseline $1.1"
        done
        for scheme in $medic; do
            echo "$warpmem gtx480 $workload $scheme $1.1"
        done
        echo "$warpmem $own $workload baseline $1.2"
        echo "$warpmem $own $workload mrpb $1.2"
    done
}
export -f once
export runs

rm -rf "$runs"
mkdir -p "$runs"
for what; do
    option=${what#*:}
    [ "$option" != "$what" ] || option=''
    built "${what%%:*}" "$option" || exit 1
    runs_of "${what/:/}" >>"$runs/list"
done
# shellcheck disable=SC2016
xargs -P "${JOBS:-$(nproc)}" -L 8 bash -c 'set -eu
    while [ $# -gt 0 ]; do once "${@:1:5}"; shift 5; done' once <"$runs/list" || exit 1

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
workloads=$(with_mrpb "$warpmem" | wc -w)
sampled=$(wc -w <<<"$sample")
schemes=$(wc -w <<<"$medic")
expected=$((builds * (workloads + sampled * (presets + schemes + 2))))
if [ "$presets" -lt 6 ] || [ "$workloads" -lt 3 ] || [ $compared -ne $expected ]; then
    echo "determinism: $compared runs instead of $expected, on $presets presets" >&2
    exit 1
fi
echo "  PASS    determinism: $compared runs, $workloads workloads with MRPB, $sampled of them on $presets presets and" \
    "with $schemes schemes of MeDiC's machine: equal from ${list//$'\n'/, }"
