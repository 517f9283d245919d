#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Stands for warpmem in the tests of scripts/repro: its lists and results, those that it keeps, and how they go wrong. It runs
# nothing. In sh, because it starts hundreds of times and Python takes a hundred times as long to start. Its answers
# stand in plan.sh beside it:
#   workloads  names that it has, each as NAME=SIZE,SIZE...
#   refused    a word that is no option here, or empty
#   plan NAME  sets, for a run that is called WORKLOAD PRESET OPTIONS: cycles, counters, wrong (what to do instead); kernels,
#              members of the result, and more, members of its statistics, both JSON with a comma at the end; asked, the
#              lines of --warps
# Each run is added to `calls`, a line each.
set -u
here=${0%/*}
. "$here/plan.sh"

list() {
    printf 'workload\tsuite\tsize\tmeaning\tseconds\n'
    for workload in $workloads; do
        old=$IFS
        IFS=,
        for size in ${workload#*=}; do
            printf '%s\tsuite\t%s\ttext\t2.5\n' "${workload%%=*}" "$size"
        done
        IFS=$old
    done
}

# A refused word is no option here.
check_words() {
    for word; do
        if [ "$word" = "$refused" ]; then
            echo "warpmem: --set: $word: no such key" >&2
            exit 2
        fi
    done
}

# --size S --seed N --jobs 1 --no-progress --json - --keep FOLDER [--warps FILE] [--only-kept]
take_end() {
    size=$2 seed=$4 keep=${11} warps= only=
    shift 11
    if [ "${1-}" = --warps ]; then
        warps=$2
        shift 2
    fi
    only=${1-}
}

run() {
    check_words "$@"
    workload=$1 preset=$3 config=$3
    shift 3
    name="$workload $preset"
    while [ "$1" != --size ]; do
        name="$name $1 $2"
        case $1 in
        --swl-limits | --max-insn-per-kernel | --max-insn-launch | --series-interval) ;;
        *) config="$config $1 $2" ;;
        esac
        shift 2
    done
    take_end "$@"
    kept=$keep/runs/$({ cat "$0" && echo "$name $size $seed"; } | cksum | tr ' ' -).json
    if [ -e "$kept" ]; then
        cat "$kept"
        [ ! -e "$kept.warps" ] || cp "$kept.warps" "$warps"
        exit 0
    fi
    [ -z "$only" ] || exit 3
    echo "$name" >>"$here/calls"
    cycles=1000 wrong= complete=true
    read_misses=50 read_bypasses=0 kernels= more= asked=
    plan "$name"
    case $wrong in
    fail)
        echo "warpmem: the machine is stuck" >&2
        exit 1 ;;
    sleep)
        trap 'kill $!; exit 143' TERM
        sleep 60 &
        wait $! ;;
    shout)
        echo "not JSON"
        exit 0 ;;
    incomplete) complete=false ;;
    esac
    result=$(
        printf '{"schema": "warpmem.run", "version": 2, "workload": "%s", "size": "%s", "seed": %s, ' "$workload" "$size" "$seed"
        printf '"base": "%s", "scheme": "-", "config_hash": "%s", "complete": %s, "cycles": %s, ' \
            "$preset" "$config" $complete "$cycles"
        printf '"thread_instructions": 5000, "config": {"core.count": 15}, %s"stats": {%s"noc.reply_packets": 100, ' "$kernels" "$more"
        printf '"l1.read_misses": %s, "l1.write_misses": 0, "l1.read_bypasses": %s, ' "$read_misses" "$read_bypasses"
        echo '"l1.misses_intra_warp": 30, "l1.misses_cross_warp": 15, "l1.misses_cross_block": 5}}'
    )
    mkdir -p "$keep/runs"
    if [ -n "$asked" ]; then
        printf 'cycle\tcore\twarp\trequests\thits\n%s\n' "$asked" >"$kept.warps"
        cp "$kept.warps" "$warps"
    fi
    echo "$result"
    if [ "$wrong" = full ]; then
        echo "warpmem: $workload: stopped at --max-insn-launch 9" >&2 # another message comes first
        echo "warpmem: $kept: No space left on device: results are not kept" >&2
        exit 1
    fi
    [ $complete = false ] || echo "$result" >"$kept"
}

case "$1 $2" in
"list workloads") list ;;
"run "*) shift && run "$@" ;;
*)
    echo "fake: $*" >&2
    exit 1 ;;
esac
