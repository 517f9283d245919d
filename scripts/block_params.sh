#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The parameter sets of a hardware block, one a line, out of its port list:
#
#   scripts/block_params.sh l1/mrpb
#   paper QUEUES=48 DEPTH=8 DATA_BITS=64 LATENCY=5
#   ...
#   min QUEUES=2 DEPTH=2 DATA_BITS=1 LATENCY=3
#   max QUEUES=64 DEPTH=64 DATA_BITS=256 LATENCY=18
#
# min and max are the ends of every range; the others are the sets that are built and compared. An assembly of rtl/top has the sets of
# its tests alone.
set -euo pipefail
unset CDPATH
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

block=${1:?usage: scripts/block_params.sh PLACE/BLOCK}
name=${block##*/}
case $block in top/*)
    awk -v section=sets -f scripts/section.awk "tb/$block.tests" | grep -vE '^(#|$)' | tr -s ' '
    exit ;;
esac
prefix=${name^^}

expanded=$(gcc -E -P -I cmodel -x c - <<EOF
#include "${block}_ports.h"
#define P(name, def, min, max, ...) @ param name, min, max
#define S(label, ...) @ set label, __VA_ARGS__
@ begin ${prefix}_PARAMS(P) ${prefix}_SETS(S)
EOF
)
names=() lows=() highs=()
print_set() {
    local label=$1 i
    shift
    printf '%s' "$label"
    for i in "${!names[@]}"; do
        printf ' %s=%d' "${names[i]}" "$(($1))"
        shift
    done
    printf '\n'
}
while read -r kind rest; do
    IFS=, read -r -a fields <<<"$rest"
    case $kind in
    param)
        names+=("${fields[0]// /}") lows+=("${fields[1]}") highs+=("${fields[2]}") ;;
    set)
        print_set "${fields[0]// /}" "${fields[@]:1}" ;;
    esac
done < <(tr '\n' ' ' <<<"${expanded#*@ begin}" | sed 's/@/\n/g'; echo)
print_set min "${lows[@]}"
print_set max "${highs[@]}"
