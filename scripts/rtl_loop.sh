#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# RTL in the loop: statistics with the Verilog in the machine are the same bytes as with the C block alone.
# usage: scripts/rtl_loop.sh [BUILD] [SECTION]
#
# The runs stand in section [runs], or long_runs, of tb/PLACE/BLOCK.tests, all of size tiny. A line "blocks PLACE/BLOCK..." replaces several blocks at once.
# Every other line is a workload, preset, scheme, a list of what is done, and settings, or options that begin with --:
#   c             warpmem-rtl without an option
#   rtl           the Verilog in all places of the block; rtl@sm0: in one place
#   poll          the same, called in every cycle: more often than in rtl, and nothing changes; poll@p0b1: in one place
#   lockstep      every output compared with the C block
#   record@sm0    the inputs of one place, replayed by the block's own test; of one block alone
set -eu
build=${1:-build}
section=${2:-runs}
work=$build/rtl-loop/$section
rm -rf "$work"
mkdir -p "$work"

fail() {
    echo "rtl-loop: $*" >&2
    exit 1
}

# Runs warpmem-rtl; its statistics must be those of the C run. @1: name of this run
same() {
    local name=$1
    shift
    "$build/warpmem-rtl" "${args[@]}" --json - "$@" >"$here/$name.json" 2>"$here/$name.txt" ||
        { cat "$here/$name.txt" >&2; fail "$workload $*: failed"; }
    cmp "$here/c.json" "$here/$name.json" || fail "$workload $*: statistics differ from the C run"
}

# number NAME TEXT: the numbers before TEXT in what that run said: of cycles, of outputs
number() { sed -nE "s/.* ([0-9]+) $2.*/\1/p" "$here/$1.txt" | paste -sd ' '; }

# each OPTION WHERE: that option for all blocks of the line
each() {
    local block
    for block in $blocks; do printf '%s\n' "$1" "$block$2"; done
}

# The block's test replays the recording, as `make lockstep` does. make is not used: with other flags than BUILD's, as
# those of coverage, it would compile everything again.
record() {
    [[ $blocks != *' '* ]] || fail "$workload: record: after a line \"blocks\" with one block alone, not $blocks"
    local stimulus=$here/inputs.stim
    "$build/warpmem-rtl" "${args[@]}" --json "$here/recorded.json" --record "$blocks$1=$stimulus" >"$here/record.txt" 2>&1 ||
        { cat "$here/record.txt" >&2; fail "$workload --record $blocks$1: failed"; }
    "$build/tb/${blocks}_test" --lockstep --replay "$stimulus" --mismatch-dir "$build/mismatch" \
        >"$here/replay.txt" 2>&1 || { cat "$here/replay.txt" >&2; fail "$stimulus does not replay"; }
    said+=", $(wc -c <"$stimulus") bytes replayed: $(number replay 'cycles ') cycles, $(number replay 'outputs compared') outputs"
}

one() { # NUMBER BLOCKS WORKLOAD PRESET SCHEME HOW [KEY=VALUE...]
    local here=$work/$1 blocks=$2 workload=$3 preset=$4 scheme=$5 how=$6 said='' word where args key called polled
    shift 6
    mkdir -p "$here"
    args=(run "$workload" --preset "$preset" --scheme "$scheme" --size tiny)
    for key; do
        case $key in --*) args+=("$key") ;; *) args+=(--set "$key") ;; esac
    done
    "$build/warpmem" "${args[@]}" --json - >"$here/c.json"
    grep -q '"complete": true' "$here/c.json" || fail "$workload did not complete with $scheme $*"
    for word in ${how//,/ }; do
        where=${word#"${word%%@*}"}
        case $word in
        c) same c-rtl-binary ;;
        rtl | rtl@*)
            mapfile -t options < <(each --rtl "$where")
            same "rtl$where" "${options[@]}"
            ;;
        poll | poll@*)
            mapfile -t options < <(each --rtl "$where")
            same "poll$where" "${options[@]}" --poll
            [ -z "$where" ] || continue
            called=$(number rtl 'cycles, ') polled=$(number poll 'cycles, ')
            [ "$polled" -gt "$called" ] || fail "$workload: --poll called the Verilog in $polled cycles, not more than $called"
            said+=", called $called, polled $polled"
            ;;
        lockstep)
            mapfile -t options < <(each --lockstep '')
            same lockstep "${options[@]}"
            said+=", outputs compared $(number lockstep 'outputs compared')"
            ;;
        record@*) record "$where" ;;
        *) fail "$blocks: $word: must be c, rtl, poll, lockstep or record@WHERE" ;;
        esac
    done
    printf '  PASS    rtl-loop %-12s %s: %s equal%s\n' "$workload" "$scheme${*:+ $*}" "${how//,/, }" "$said"
}
export -f one same number each record fail
export build work

# Jobs: a line each, its words apart by tabs.
seen= count=0
for file in tb/*/*.tests; do
    blocks=${file#tb/}
    blocks=${blocks%.tests}
    while read -r first rest; do
        case $first in
        '' | '#'*) ;;
        blocks) blocks=$rest seen="$seen $rest" ;;
        *)
            seen="$seen $blocks"
            printf '%s\t%s\t%s\n' "$((++count))" "$blocks" "$first $rest" >>"$work/list"
            ;;
        esac
    done < <(awk -v section="$section" -f scripts/section.awk "$file")
done
# Each block that stands in machines by itself has runs.
[ "$section" != runs ] || for block in $(awk -F '[^A-Za-z0-9_]+' '/^    B/ && $6 != "PART" {print $3 "/" $4}' cmodel/cli/blocks.h); do
    case " $seen " in *" $block "*) ;; *) fail "tb/$block.tests: section [runs] has no run of it" ;; esac
done

# shellcheck disable=SC2016
# Several blocks at once, in the last files, take longest.
tac "$work/list" | xargs -P "${JOBS:-$(nproc)}" -d '\n' -n 1 bash -c 'set -eu
    IFS=$'"'\t'"' read -r number blocks words <<<"$1"
    one "$number" "$blocks" $words' one || fail "failed"
