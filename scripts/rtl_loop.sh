#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# RTL in the loop: statistics with the Verilog in the machine are the same bytes as with the C block alone, also where the
# machine calls it in every cycle (--poll); lockstep in the machine compares every output; a recorded stimulus replays
# against the Verilog.
# usage: scripts/rtl_loop.sh [BUILD]
set -eu
build=${1:-build}
work=$build/rtl-loop
mkdir -p "$work"

fail() {
    echo "rtl-loop: $*" >&2
    exit 1
}

# Runs warpmem-rtl; its statistics must be those of the C run. @1: name of this run
same() {
    local name=$1
    shift
    "$build/warpmem-rtl" "${args[@]}" "$@" >"$work/$name.json" 2>"$work/$name.txt" ||
        { cat "$work/$name.txt" >&2; fail "$workload $*: failed"; }
    cmp "$work/c.json" "$work/$name.json" || fail "$workload $*: statistics differ from the C run"
}

# replay BLOCK: what was recorded, as `make lockstep` does. Not by make: with other flags than BUILD's, as those of coverage, it
# would compile everything again.
replay() {
    "$build/tb/$1_test" --lockstep --set paper --replay "$stimulus" --mismatch-dir "$build/mismatch" >"$work/replay.txt" 2>&1 ||
        { cat "$work/replay.txt" >&2; fail "$stimulus does not replay"; }
}

# number NAME TEXT: the number before TEXT in what that run said: of cycles, of outputs
number() { sed -nE "s/.* ([0-9]+) $2.*/\1/p" "$work/$1.txt" | head -1; }

for workload in atax gemm vecadd syrk srad-v2; do
    args=(run "$workload" --preset c2050-s --scheme mrpb --size tiny --json -)
    "$build/warpmem" "${args[@]}" >"$work/c.json"
    grep -q '"complete": true' "$work/c.json" || fail "$workload did not complete"
    same c-rtl-binary
    same rtl --rtl l1/mrpb
    same rtl-sm0 --rtl l1/mrpb@sm0
    same rtl-poll --rtl l1/mrpb --poll
    same lockstep --lockstep l1/mrpb
    called=$(number rtl 'cycles, ')
    polled=$(number rtl-poll 'cycles, ')
    [ "$polled" -gt "$called" ] || fail "$workload: --poll called the Verilog in $polled cycles, not more than $called"
    printf '  PASS    rtl-loop %-7s C, Verilog, in sm0, polled, lockstep equal; called %d, polled %d, outputs compared %d\n' \
        "$workload" "$called" "$polled" "$(number lockstep 'outputs compared')"
done

# Other points of the design space, each a parameter set of the block (cmodel/l1/mrpb_ports.h): name, keys of [mrpb].
while read -r name keys; do
    for workload in syrk srad-v2; do
        args=(run "$workload" --preset c2050-s --scheme mrpb --size tiny --json -)
        for key in $keys; do
            args+=(--set "mrpb.$key")
        done
        "$build/warpmem" "${args[@]}" >"$work/c.json"
        grep -q '"complete": true' "$work/c.json" || fail "$workload did not complete with $name"
        same rtl --rtl l1/mrpb
        same lockstep --lockstep l1/mrpb
        printf '  PASS    rtl-loop %-7s %s: C, Verilog, lockstep equal; outputs compared %d\n' \
            "$workload" "$name" "$(number lockstep 'outputs compared')"
    done
done <<'END'
in_turn signature=in-block-warp drain=greedy-round-robin flush=off bypass=all
long_queue signature=block drain=greedy-longest depth=32 latency=18 bypass=all
no_flush drain=longest flush=off
END

# The replacement state of the L2 banks, with warp types.
for workload in scp atax; do
    args=(run "$workload" --preset gtx480 --scheme wip --size tiny --json -)
    "$build/warpmem" "${args[@]}" >"$work/c.json"
    grep -q '"complete": true' "$work/c.json" || fail "$workload did not complete with wip"
    same rtl --rtl l2/insertion
    same rtl-poll --rtl l2/insertion@p0b1 --poll
    same lockstep --lockstep l2/insertion
    printf '  PASS    rtl-loop %-7s wip: C, Verilog, in p0b1 polled, lockstep equal; outputs compared %d\n' \
        "$workload" "$(number lockstep 'outputs compared')"
done

# MeDiC: all its blocks replaced at once, then all in lockstep, then each kind of table and bank that the sets have.
rtl=() lockstep=()
for block in l2/warp_type l2/bypass l2/bank_arbiter l2/insertion dram/dual_queue; do
    rtl+=(--rtl "$block") lockstep+=(--lockstep "$block")
done
while read -r workload keys; do
    args=(run "$workload" --preset gtx480 --scheme medic --size tiny --json -)
    for key in $keys; do
        args+=(--set "$key")
    done
    "$build/warpmem" "${args[@]}" >"$work/c.json"
    grep -q '"complete": true' "$work/c.json" || fail "$workload did not complete with medic $keys"
    same rtl "${rtl[@]}"
    same lockstep "${lockstep[@]}"
    printf '  PASS    rtl-loop %-12s medic %s: C, Verilog of all five blocks, lockstep equal; outputs compared %s\n' \
        "$workload" "$keys" "$(sed -nE 's/.* ([0-9]+) outputs compared.*/\1/p' "$work/lockstep.txt" | paste -sd ' ')"
done <<'END'
scp
lonestar-bfs
pvc
scp medic.table=partition medic.lanes=1 l2.bank_interval=10
fft-base dram.low_bound=16
END

stimulus=$work/atax-sm0.stim
"$build/warpmem-rtl" run atax --scheme mrpb --size tiny --json "$work/recorded.json" --record "l1/mrpb@sm0=$stimulus" \
    >"$work/record.txt" 2>&1 || { cat "$work/record.txt" >&2; fail "atax --record: failed"; }
replay l1/mrpb
echo "  PASS    rtl-loop atax    recorded in sm0, $(wc -c <"$stimulus") bytes, replayed:" \
    "$(number replay 'cycles ') cycles, outputs compared $(number replay 'outputs compared')"

stimulus=$work/atax-p0b0.stim
"$build/warpmem-rtl" run atax --preset gtx480 --scheme wip --size tiny --json "$work/recorded.json" \
    --record "l2/insertion@p0b0=$stimulus" >"$work/record.txt" 2>&1 ||
    { cat "$work/record.txt" >&2; fail "atax --record l2/insertion: failed"; }
replay l2/insertion
echo "  PASS    rtl-loop atax    recorded in p0b0, $(wc -c <"$stimulus") bytes, replayed:" \
    "$(number replay 'cycles ') cycles, outputs compared $(number replay 'outputs compared')"
