#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Speed of the model: rates over the user CPU time of whole runs (best of RUNS), and host instructions an L1 access.
# usage: scripts/bench.sh [BUILD]   RUNS=3   COUNT=1 counts instructions (callgrind, the regression gate), 0 does not
set -eu
build=${1:-build}
runs=${RUNS:-3}
work=$build/bench
mkdir -p "$work"

field() { sed -n "s/^ *\"$2\": \([0-9.]*\).*/\1/p" "$1" | head -1; }

# accesses FILE: L1 accesses of a run, from its JSON
accesses() { echo $(($(field "$1" l1.global_read_accesses) + $(field "$1" l1.global_write_accesses))); }

run() { # workload size scheme
    local json=$work/$1-$2-$3.json best="" seconds
    for _ in $(seq "$runs"); do
        TIMEFORMAT=%U
        seconds=$({ time "$build/warpmem" run "$1" --size "$2" --scheme "$3" --json "$json" >/dev/null 2>"$work/stderr"; } 2>&1)
        best=$(printf '%s\n%s\n' "$seconds" "$best" | grep . | sort -n | head -1)
    done
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$best" "$(field "$json" warp_instructions)" \
        "$(accesses "$json")" "$(field "$json" cycles)" |
        awk -F '\t' '{printf "%-9s %-6s %-9s %7.2f s %8.2f M %9.2f M %9.2f M\n", $1, $2, $3, $4, $5 / $4 / 1e6, $6 / $4 / 1e6, $7 / $4 / 1e6}'
}

echo "model name: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1); user CPU time, best of $runs"
printf '%-9s %-6s %-9s %9s %10s %11s %11s\n' workload size scheme time "insn/s" "L1 acc/s" "cycles/s"
run atax small baseline
run atax small mrpb
run gemm small baseline
run gemm small mrpb
run vecadd paper baseline

[ "${COUNT:-1}" = 1 ] || exit 0
echo
echo "host instructions an L1 access (callgrind, ATAX ${COUNT_SIZE:=small}, the whole process: input, functional run, model)"
for scheme in baseline mrpb; do
    json=$work/callgrind-$scheme.json
    valgrind --tool=callgrind --callgrind-out-file="$work/callgrind-$scheme.out" "$build/warpmem" run atax \
        --size "$COUNT_SIZE" --scheme "$scheme" --json "$json" >/dev/null 2>"$work/callgrind.log"
    total=$(sed -n 's/^==.*Collected : \([0-9]*\).*/\1/p' "$work/callgrind.log")
    [ -n "$total" ] || { echo "callgrind failed, see $work/callgrind.log" >&2; exit 1; }
    echo "  $scheme $((total / $(accesses "$json")))"
done
