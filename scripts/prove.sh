#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One proof of one hardware block. Prints a line; exit code 0 only if it passed.
#
#   scripts/prove.sh BLOCK SET METHOD DEPTH
#
#   BLOCK   l1/mrpb: proves tb/l1/mrpb_props.v (and tb/l1/mrpb_*_props.v, if it has parts) about rtl/l1/mrpb.v
#   SET     a parameter set of its port list, min, max, or values: QUEUES=4,DEPTH=4
#   METHOD  induction  for all time: DEPTH cycles from power-on, then DEPTH cycles imply the next
#           pdr        for all time: property directed reachability on bits; DEPTH is not used
#           bounded    the first DEPTH cycles from power-on
#           cover      every cover is reached within DEPTH cycles
#
# Environment: VERILOG replaces the block's file (mutants), OUT is where everything goes (build/formal),
# FORMAL_TIMEOUT in seconds (120); a timeout is a failure. Solver: z3; pdr: ABC.
set -euo pipefail
unset CDPATH
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

block=${1:?usage: scripts/prove.sh BLOCK SET METHOD DEPTH} set=${2:?SET} method=${3:?METHOD} depth=${4:?DEPTH}
name=${block##*/}
limit=${FORMAL_TIMEOUT:-120}
dir=${OUT:-build/formal}/${block//\//_}-${set//[,=]/_}-$method
mkdir -p "$dir"
rm -f "$dir"/*

case $set in
*=*) values=${set//,/ } ;;
*) values=$(scripts/block_params.sh "$block" | sed -n "s/^$set //p") ;;
esac
if [ -z "$values" ]; then
    echo "prove  $block: no parameter set $set" >&2
    exit 2
fi
parameters=""
for p in $values; do
    parameters+=" -chparam ${p%=*} ${p#*=}"
done

# Other blocks are proven on the promise of the memory, not on one memory.
shopt -s nullglob
properties=("tb/${block}_props.v" "tb/${block}"_*_props.v)
files=("${VERILOG:-rtl/$block.v}" "${properties[@]}")
for file in rtl/common/*.v; do
    case $file in
    "rtl/$block.v") ;;
    rtl/common/sram_1r1w.v) files+=(tb/common/sram_1r1w_formal.v) ;;
    *) files+=("$file") ;;
    esac
done

read_design="read_verilog -formal ${files[*]}
hierarchy -check -top ${name}_props$parameters
proc; flatten
# a name inside the block that does not exist any more
select -assert-none w:* a:hierconn %i
opt"
case $method in
pdr)
    # the properties start with no past; everything else starts with any value
    script="$read_design; memory; opt; setundef -undriven -anyseq
chformal -cover -remove
async2sync; dffunmap; simplemap; techmap; opt -fast; dffunmap; abc -g AND -fast; opt_clean
write_aiger -I -B -zinit $dir/design.aig" ;;
*)
    script="$read_design; memory -nordff -nomap; opt; setundef -undriven -anyseq
async2sync; dffunmap; opt_clean
write_smt2 -wires $dir/design.smt2" ;;
esac

smt() {
    timeout "$limit" yosys-smtbmc -s z3 --unroll --noprogress "$@" "$dir/design.smt2"
}

failed() {
    grep -hoE 'Assert failed in [^ ]+ .*|Unreached cover statement at .*|^ERROR.*|was asserted in frame.*' \
        "$dir/log" | head -n 3 | sed 's/^/       /'
}

prove() {
    yosys -q -p "$script" || return 3
    case $method in
    induction)
        smt --noincr -t "$depth" --dump-vcd "$dir/trace.vcd" || return
        smt --noincr -i -t "$depth" --dump-vcd "$dir/step.vcd" ;;
    bounded) smt --noincr -t "$depth" --dump-vcd "$dir/trace.vcd" ;;
    cover) smt -c -t "$depth" --dump-vcd "$dir/cover%.vcd" ;;
    pdr)
        timeout "$limit" yosys-abc -c "read_aiger $dir/design.aig; fold; pdr -T $limit" >"$dir/pdr.txt"
        cat "$dir/pdr.txt"
        grep -q '^Property proved' "$dir/pdr.txt" ;;
    *) echo "no method $method"; return 2 ;;
    esac
}

start=$(date +%s%N)
code=0
prove >"$dir/log" 2>&1 || code=$?
tenths=$((($(date +%s%N) - start) / 100000000))
case $method in
cover) what=covers count=$(grep -c '^; yosys-smt2-cover' "$dir/design.smt2" 2>/dev/null || true) ;;
pdr) what=assertions count=$(cat "${properties[@]}" | grep -oE '\bassert *\(' | wc -l) ;;
*) what=assertions count=$(grep -c '^; yosys-smt2-assert' "$dir/design.smt2" 2>/dev/null || true) ;;
esac
[ "${count:-0}" -gt 0 ] || code=4
case $code in
0) verdict=PASSED ;;
124) verdict="FAILED (no answer in $limit s)" ;;
*) verdict="FAILED, see $dir/log" ;;
esac
[ "$method" = pdr ] && depth=all
printf 'formal  %-26s %-9s %-50s %3d %-10s depth %-3s %4d.%d s  %s\n' "$block" "$method" \
    "$set${values:+ ($values)}" "${count:-0}" "$what" "$depth" $((tenths / 10)) $((tenths % 10)) "$verdict"
[ $code -eq 0 ] || failed
exit $((code != 0))
