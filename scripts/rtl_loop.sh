#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# RTL in the loop: statistics with the Verilog in the machine are the same bytes as with the C block alone; lockstep in
# the machine compares every output; a recorded stimulus replays against the Verilog.
# usage: scripts/rtl_loop.sh [BUILD]
set -eu
build=${1:-build}
work=$build/rtl-loop
mkdir -p "$work"
for workload in atax gemm vecadd; do
    args=(run "$workload" --preset c2050-s --scheme mrpb --size tiny --json -)
    "$build/warpmem" "${args[@]}" >"$work/c.json"
    "$build/warpmem-rtl" "${args[@]}" >"$work/c-rtl-binary.json"
    "$build/warpmem-rtl" "${args[@]}" --rtl l1/mrpb >"$work/rtl.json" 2>"$work/rtl.txt"
    "$build/warpmem-rtl" "${args[@]}" --rtl l1/mrpb@sm0 >"$work/rtl-sm0.json" 2>>"$work/rtl.txt"
    "$build/warpmem-rtl" "${args[@]}" --lockstep l1/mrpb >"$work/lockstep.json" 2>"$work/lockstep.txt"
    for other in c-rtl-binary rtl rtl-sm0 lockstep; do
        cmp "$work/c.json" "$work/$other.json" || { echo "rtl-loop: $workload: $other differs from the C run" >&2; exit 1; }
    done
    grep -q '"complete": true' "$work/c.json" || { echo "rtl-loop: $workload did not complete" >&2; exit 1; }
    echo "  PASS    rtl-loop: $workload, $(wc -c <"$work/c.json") bytes equal: C, Verilog in every core, in sm0, lockstep"
    sed 's/^/          /' "$work/rtl.txt" "$work/lockstep.txt"
done
"$build/warpmem-rtl" run atax --scheme mrpb --size tiny --json "$work/recorded.json" --record "l1/mrpb@sm0=$work/atax-sm0.stim" >/dev/null 2>&1
echo "  PASS    recorded ATAX of sm0, $(wc -c <"$work/atax-sm0.stim") bytes; replay:"
make --no-print-directory BUILD="$build" lockstep BLOCK=l1/mrpb SET=paper REPLAY="$work/atax-sm0.stim"
