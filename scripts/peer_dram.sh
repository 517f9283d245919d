#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The streams of tb/dram/streams.h through a DRAMsim3 that the user has built, beside this model's cycles and activates.
# FOLDER has dramsim3.h, or src/dramsim3.h, and libdramsim3.so or .a, or the same in build/. Without one it says so and passes.
# usage: scripts/peer_dram.sh BUILD FOLDER        CXX=
set -eu
build=$1
peer=${2:-}
find_in_peer() { # CANDIDATE...: the first that is there
    local file
    for file; do
        [ ! -f "$peer/$file" ] || { echo "$peer/$file" && return; }
    done
}
header=$(find_in_peer dramsim3.h src/dramsim3.h)
library=$(find_in_peer libdramsim3.so build/libdramsim3.so libdramsim3.a build/libdramsim3.a)
if [ -z "$peer" ] || [ -z "$header" ] || [ -z "$library" ]; then
    echo "  SKIP    peer-dram skipped: no DRAMsim3 in PEER=$peer (dramsim3.h and libdramsim3.so or .a, which you build)"
    exit 0
fi
work=$build/peer/dram
mkdir -p "$work"
${CXX:-c++} -std=c++11 -O2 -Wall -I"$(dirname "$header")" tb/peer/dramsim3_streams.cpp "$library" \
    -Wl,-rpath,"$(realpath "$(dirname "$library")")" -o "$work/dramsim3_streams"
"$build/dram_streams" "$work" >"$work/ours.tsv"
printf '%-28s %16s %16s %16s\n' "" "DRAMsim3" "warpmem, cap 4" "warpmem, no cap"
printf '%-28s %9s %6s %9s %6s %9s %6s\n' "gtx480, 6,000 requests" cycles act. cycles act. cycles act.
number=0
same=0
while IFS=$'\t' read -r name cycles activates capped_cycles capped_activates; do
    "$work/dramsim3_streams" "$work/gtx480.ini" "$work" "$work/$number.stream" >"$work/$number.log" || {
        cat "$work/$number.log" >&2
        exit 1
    }
    IFS=$'\t' read -r _ peer_cycles peer_activates < <(grep '^stream' "$work/$number.log")
    [ "$peer_cycles $peer_activates" != "$capped_cycles $capped_activates" ] || same=$((same + 1))
    printf '%-28s %9s %6s %9s %6s %9s %6s\n' "$name" "$peer_cycles" "$peer_activates" "$capped_cycles" \
        "$capped_activates" "$cycles" "$activates"
    number=$((number + 1))
done <"$work/ours.tsv"
[ $number -gt 0 ] || { echo "peer-dram: no streams" >&2 && exit 1; }
echo "$same of $number streams take the same cycles and activates as with dram.row_hit_cap = 4."
echo "DRAMsim3 as shipped closes a row after four hits, as warpmem does with that cap; it takes columns, activates and"
echo "precharges in the order of the queue, where warpmem issues columns first: where that matters, figures differ."
