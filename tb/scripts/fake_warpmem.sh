#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Stands for warpmem in the tests of scripts/repro: its lists, configurations and results, and how they go wrong. It runs
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

# The text itself serves as the hash of a configuration.
show_config() {
    for word; do
        if [ "$word" = "$refused" ]; then
            echo "warpmem: --set: $word: no such key" >&2
            exit 2
        fi
    done
    printf '; %s\n; scheme -, config %s\n' "$1" "$*"
}

run() {
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
    printf '{"schema": "warpmem.run", "version": 2, "workload": "%s", "size": "%s", "seed": %s, ' \
        "$workload" "$2" "$4"
    printf '"base": "%s", "scheme": "-", "config_hash": "%s", "complete": %s, "cycles": %s, ' \
        "$preset" "$config" $complete "$cycles"
    [ -z "$asked" ] || printf 'cycle\tcore\twarp\trequests\thits\n%s\n' "$asked" >"${11}"
    printf '"thread_instructions": 5000, %s"stats": {%s"noc.reply_packets": 100, ' "$kernels" "$more"
    printf '"l1.read_misses": %s, "l1.write_misses": 0, "l1.read_bypasses": %s, ' \
        "$read_misses" "$read_bypasses"
    echo '"l1.misses_intra_warp": 30, "l1.misses_cross_warp": 15, "l1.misses_cross_block": 5}}'
}

case "$1 $2" in
"list workloads") list ;;
"config show") shift 2 && show_config "$@" ;;
"run "*) shift && run "$@" ;;
*)
    echo "fake: $*" >&2
    exit 1 ;;
esac
