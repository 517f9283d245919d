#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The demonstration: ATAX on a Tesla C2050 with 16 KB L1, with and without the memory request prioritization buffer; then
# MRPB's Verilog in lockstep with its C model inside that machine, and a picture of both.
# usage: scripts/demo.sh [BUILD]
set -eu
build=${1:-build}
out=$build/demo
mkdir -p "$out"

echo "== ATAX (2048 x 2048) on c2050-s: baseline against mrpb (HPCA 2014)"
"$build/warpmem" compare atax --preset c2050-s --size small --schemes baseline,mrpb --json "$out/compare.json"

echo
echo "== MRPB in Verilog, in lockstep with the C model in all cores of that machine (ATAX, tiny)"
"$build/warpmem-rtl" run atax --preset c2050-s --scheme mrpb --size tiny --lockstep l1/mrpb@sm0 --wave "$out/mrpb.fst" \
    --wave-from 300 --wave-cycles 2000 --json "$out/lockstep-sm0.json" 2>&1 >/dev/null
"$build/warpmem-rtl" run atax --preset c2050-s --scheme mrpb --size tiny --lockstep l1/mrpb --json "$out/lockstep.json" \
    2>&1 >/dev/null
"$build/warpmem" run atax --preset c2050-s --scheme mrpb --size tiny --json "$out/c.json" >/dev/null
cmp "$out/c.json" "$out/lockstep.json"
echo "statistics of the run with Verilog: the same $(wc -c <"$out/c.json") bytes as without"

echo
echo "== a look at it"
if scripts/wave_png.sh "$out/mrpb.fst" waves/l1/mrpb.gtkw "$out/mrpb.png" 3000 4200 >"$out/png.log" 2>&1; then
    echo "waveform  $out/mrpb.fst   (gtkwave $out/mrpb.fst waves/l1/mrpb.gtkw)"
    echo "picture   $out/mrpb.png"
else
    cat "$out/png.log" >&2
    echo "demo: no picture of $out/mrpb.fst" >&2
    exit 1
fi
