#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# rtl/top/memory_channel.v without the C: it replays recordings of a DRAM channel's border, and serves random requests.
# usage: scripts/replay.sh [BUILD] [SECTION]
#
# SECTION of tb/top/memory_channel.tests: replays or long_replays, whose runs must pass; or planted, whose errors the first run of
# replays must find.
set -eu
build=${1:-build}
section=${2:-replays}
work=$build/replay/$section
tests=tb/top/memory_channel.tests
rm -rf "$work"
mkdir -p "$work"

fail() {
    echo "replay: $*" >&2
    exit 1
}

lines() { awk -v section="$1" -f scripts/section.awk "$tests" | grep -vE '^(#|$)'; }

# Records a workload; the words NAME=VALUE of the heading are parameters of the Verilog.
settings=()
record() { # PRESET WORKLOAD FILE
    "$build/warpmem" run "$2" --preset "$1" --size tiny "${settings[@]/#/--set=}" --set dram.line_order=on --record-border "$3" >"$3.txt" 2>&1 ||
        { cat "$3.txt" >&2; fail "$2 on $1: not recorded"; }
    mapfile -t words < <(head -n 1 "$3" | tr '\t' '\n')
    parameters=()
    for word in "${words[@]}"; do
        case $word in *=*) parameters+=("$word") ;; esac
    done
}

# simulator SIMULATOR FOLDER TOP...: command has what runs it
simulator() {
    local kind=$1 here=$2 files
    shift 2
    files=("$@" $(scripts/rtl_files.py top/memory_channel | grep -v '^rtl/top/') tb/top/gddr_model.v tb/top/memory_channel_tb.v)
    case $kind in
    icarus)
        iverilog -g2005 -Irtl/common -s tb "${parameters[@]/#/-Ptb.}" -o "$here/tb.vvp" "${files[@]}"
        command=(vvp -n "$here/tb.vvp")
        ;;
    verilator)
        OBJCACHE=$(command -v ccache || :) verilator --binary --timing -O3 --x-assign unique --x-initial unique -Wno-lint -Wno-style \
            -Irtl/common --top-module tb "${parameters[@]/#/-G}" --Mdir "$here/verilated" -MAKEFLAGS 'OPT_FAST=-O1' \
            "${files[@]}" >"$here/verilator.txt" 2>&1 || { tail -n 20 "$here/verilator.txt" >&2; fail "verilator"; }
        command=("$here/verilated/Vtb")
        ;;
    *) fail "$tests: $kind: must be icarus or verilator" ;;
    esac
}

# A good run prints pass at the beginning of a line, and nothing else is one.
passes() { # LABEL ARGUMENT...
    local label=$1 said
    shift
    said=$("${command[@]}" "$@" +verilator+seed+1 | grep -v '\$finish' | tail -n 6) || :
    case $said in
    pass*) printf '  PASS    replay %-20s %s\n' "$label" "${said#pass  memory_channel  }" ;;
    *) printf '%s\n' "$said"; return 1 ;;
    esac
}

one() { # SIMULATOR CYCLES PRESET [KEY=VALUE...] WORKLOAD...
    local kind=$1 cycles=$2 preset=$3 here=$work/$1-$3 workload
    shift 3
    settings=()
    while [[ ${1-} = *=* ]]; do
        settings+=("$1")
        shift
    done
    mkdir -p "$here"
    mapfile -t -d ' ' parameters < <(lines sets | sed -n "s/^$preset  *//p" | tr -s ' ' | tr -d '\n')
    [ $# -gt 0 ] || [ ${#parameters[@]} -gt 0 ] || fail "$tests: $preset: no such set, and no workload"
    for workload; do record "$preset" "${workload%:*}" "$here/${workload%:*}.border"; done
    simulator "$kind" "$here" rtl/top/*.v
    for workload; do
        case $workload in *:*) set -- "+cycles=${workload#*:}" ;; *) set -- ;; esac
        passes "$preset ${workload%:*}" "+border=$here/${workload%:*}.border" "$@" || fail "$kind: $preset $workload"
    done
    passes "$preset random" +seed=1 "+cycles=$cycles" || fail "$kind: $preset, random requests"
}

# An error must stop the replay or the random requests; with :RULE gddr_model must name that rule of timing in the random requests.
planted() { # FILE[:RULE] EDIT
    local here=$work/$((++count)) rule=${1#*:}
    set -- "${1%:*}" "$2"
    rule=${rule#"$1"}
    mkdir -p "$here"
    cp rtl/top/*.v "$here"
    sed "$2" "rtl/top/$1" >"$here/$1"
    ! cmp -s "rtl/top/$1" "$here/$1" || fail "$tests: $2: changes nothing in $1"
    simulator icarus "$here" "$here"/*.v
    if { [ -n "$rule" ] || said=$(passes "$1" "+border=$work/vecadd.border"); } && said=$(passes "$1" +seed=1 +cycles=3000); then
        fail "$1: nobody finds $2"
    fi
    [ -z "$rule" ] || grep -q "^gddr: .*: $rule\$" <<<"$said" || fail "$1: gddr_model does not name $rule after $2: $said"
    printf '  PASS    replay finds %s in %s: %s\n' "$2" "$1" "$(grep -m 1 -E 'FAILED|gddr' <<<"$said")"
}

count=0
if [ "$section" = planted ]; then
    record gtx480 vecadd "$work/vecadd.border"
    while read -r file edit; do planted "$file" "$edit"; done < <(lines planted)
else
    while read -r -a run; do one "${run[@]}"; done < <(lines "$section")
fi
