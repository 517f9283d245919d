#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `make waves`: a lockstep run of one block with its waves, shown in GTKWave, or as a picture where there is no display.
# From the environment: BLOCK BUILD, PROGRAM (the test of that block, or of that set alone), and if wanted SET SEED FROM CYCLES
# REPLAY.
set -eu

if [ -z "${BLOCK:-}" ]; then
    echo "make waves: which block? BLOCK=l1/mrpb" >&2
    exit 2
fi
stem=$BUILD/waves/$(echo "$BLOCK" | tr / _)
sets=$BUILD/rtl/$BLOCK/sets
from=${FROM:-0}
cycles=${CYCLES:-$((from + 200))}
if [ "$from" -ge "$cycles" ]; then
    echo "make waves: FROM=$from: must be below CYCLES=$cycles, the cycles that run" >&2
    exit 2
fi
mkdir -p "$BUILD/waves"
set_name=${SET:-}
if [ -z "$set_name" ] && [ -z "${REPLAY:-}" ]; then
    set_name=$(cut -d' ' -f1 "$sets" | head -n 1)
fi

# A mismatch is what one wants to look at: its report is printed, and the waves are there.
set -- --lockstep --exact --cycles "$cycles" --wave "${stem}_ports.fst" --rtl-wave "${stem}_rtl.fst" --from "$from" \
    --to "$cycles" --mismatch-dir "$BUILD/mismatch"
code=0
env -u SEED -u CYCLES "$PROGRAM" "$@" ${set_name:+--set "$set_name"} ${SEED:+--seed "$SEED"} \
    ${REPLAY:+--replay "$REPLAY"} >"$stem.txt" || code=$?
cat "$stem.txt"
if [ $code -gt 1 ]; then
    exit $code
fi
if [ -z "$set_name" ]; then # the recording chose it
    set_name=$(sed -n 's/.* set \([^ ]*\) .*/\1/p' "$stem.txt" | head -n 1)
fi

"$BUILD/wavejoin" "${stem}_ports.fst" "${stem}_rtl.fst" -o "$stem.fst"
"$BUILD/wavejoin" --list "$stem.fst" >"$stem.signals"
rm "${stem}_ports.fst" "${stem}_rtl.fst"

cosim/view.py --block "$BLOCK" --set "$set_name" --signals "$stem.signals" >"$stem.gtkw"
echo "waves    $stem.fst (top: ports of both sides; rtl: inside of the Verilog), view $stem.gtkw"
if [ -n "${DISPLAY:-}" ]; then
    exec gtkwave "$stem.fst" "$stem.gtkw"
fi
last=$((cycles * 10))
first=$((from * 10))
# Values can be read in so many cycles; the file has all.
shown=$(awk '{ bits = NF > 3 ? $3 / $4 : $3; if (bits > most) most = bits } END { print (most > 16 ? 160 : 400) }' \
    "$BUILD/rtl/$BLOCK/$set_name/ports.txt")
if [ $((last - first)) -gt "$shown" ] && [ -z "${CYCLES:-}" ]; then
    last=$((first + shown))
fi
scripts/wave_png.sh "$stem.fst" "$stem.gtkw" "$stem.png" "$first" "$last"
echo "picture  $stem.png, cycles $((first / 10)) to $((last / 10)) (FROM= and CYCLES= choose others)"
