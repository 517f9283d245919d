#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The demonstration: ATAX on a Tesla C2050 with 16 KB L1, with and without the memory request prioritization buffer; then
# MRPB's Verilog in lockstep with its C model inside that machine, and a picture of both.
# usage: scripts/demo.sh [BUILD]
set -eu
build=${1:-build}
out=$build/demo
from=1200 # a stretch with requests of several warps, bypasses, writes, and a rest
cycles=120
mkdir -p "$out"

# Lockstep, the same run without Verilog, and the picture: in the background, while the table is made.
verilog() {
    local args=(run atax --preset c2050-s --scheme mrpb --size tiny --json)
    rm -f "$out/mrpb.fst" "$out/mrpb.png"
    "$build/rtl/l1/mrpb/warpmem-rtl" "${args[@]}" "$out/lockstep.json" --lockstep l1/mrpb --wave "$out/mrpb.fst" \
        --wave-from $((from - 1000)) --wave-cycles $((cycles + 2000)) >/dev/null
    "$build/warpmem" "${args[@]}" "$out/c.json" >/dev/null
    cmp "$out/c.json" "$out/lockstep.json"
    echo "statistics of the run with Verilog: the same $(wc -c <"$out/c.json") bytes as without"
    SIZE=1900x scripts/wave_png.sh "$out/mrpb.fst" waves/l1/mrpb.gtkw "$out/mrpb.png" \
        $((from * 10)) $(((from + cycles) * 10)) # 10 ns a cycle
}
verilog >"$out/verilog.txt" 2>&1 &
running=$!

echo "== ATAX (2048 x 2048) on c2050-s: baseline against mrpb (HPCA 2014)"
"$build/warpmem" compare atax --preset c2050-s --size small --schemes baseline,mrpb --json "$out/compare.json"

echo
echo "== MRPB in Verilog, in lockstep with the C model in all cores of that machine (ATAX, tiny)"
wait $running || { cat "$out/verilog.txt" >&2; echo "demo: failed" >&2; exit 1; }
cat "$out/verilog.txt"

echo
echo "== a look at it: the buffer of core sm0, cycles $from to $((from + cycles))"
echo "waveform  $out/mrpb.fst   (gtkwave $out/mrpb.fst waves/l1/mrpb.gtkw)"
echo "picture   $out/mrpb.png"
