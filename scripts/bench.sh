#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Speed of the model: rates over the user CPU time of whole runs (best of RUNS), and host instructions an L1 access
# (callgrind: the same on every machine with the same compiler).
#
#   scripts/bench.sh [BUILD]           the numbers
#   scripts/bench.sh --gate [BUILD]    ten seconds: ATAX tiny against scripts/bench_limits.txt; exit code 1 above a limit
#   scripts/bench.sh --record [BUILD]  measures again and writes that file: limits of 3 % above what is measured
#
# RUNS=3  COUNT=0 leaves out the counting
# GATE=N  fail when a count of this run is above N
# LIMITS=FILE  instead of scripts/bench_limits.txt
set -eu
mode=numbers
case ${1:-} in
--gate | --record) mode=${1#--} && shift ;;
-*) echo "usage: scripts/bench.sh [--gate|--record] [BUILD]" >&2 && exit 2 ;;
esac
build=${1:-build}
runs=${RUNS:-3}
gate=${GATE:-}
work=$build/bench
limits=${LIMITS:-scripts/bench_limits.txt}
case $runs$gate in *[!0-9]*) echo "bench: RUNS and GATE must be whole numbers" >&2 && exit 2 ;; esac
mkdir -p "$work"

field() { sed -n "s/^ *\"$2\": \([0-9.]*\).*/\1/p" "$1" | head -1; }

# accesses FILE: L1 accesses of a run, from its JSON
accesses() { echo $(($(field "$1" l1.global_read_accesses) + $(field "$1" l1.global_write_accesses))); }

rates() { # workload size scheme
    local json=$work/$1-$2-$3.json best="" seconds
    for _ in $(seq "$runs"); do
        TIMEFORMAT=%U
        seconds=$({ time "$build/warpmem" run "$1" --size "$2" --scheme "$3" --json "$json" >/dev/null 2>"$work/stderr"; } 2>&1)
        best=$(printf '%s\n%s\n' "$seconds" "$best" | grep . | sort -n | head -1)
    done
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$best" "$(field "$json" warp_instructions)" \
        "$(accesses "$json")" "$(field "$json" cycles)" |
        awk -F '\t' '{printf "%-9s %-6s %-9s %7.2f s %8.2f M %9.2f M %9.2f M\n", $1, $2, $3, $4, $5 / $4 / 1e6, $6 / $4 / 1e6, $7 / $4 / 1e6}'
}

# instructions NAME WORKLOAD OPTION...: host instructions of the whole process; its results go to NAME.json
instructions() {
    local name=$work/callgrind-$1 total
    shift
    rm -f "$name.json" # of another run
    valgrind --tool=callgrind --callgrind-out-file="$name.out" "$build/warpmem" run "$@" --json "$name.json" >/dev/null \
        2>"$name.log" || true
    total=$(sed -n 's/^==.*Collected : \([0-9]*\).*/\1/p' "$name.log")
    if [ -z "$total" ] || ! grep -q '"complete": true' "$name.json"; then
        echo "bench: callgrind failed, see $name.log" >&2
        return 1
    fi
    echo "$total"
}

# count SIZE SCHEME: host instructions an L1 access of ATAX
count() {
    local total
    total=$(instructions "$1-$2" atax --size "$1" --scheme "$2") || return 1
    echo $((total / $(accesses "$work/callgrind-$1-$2.json")))
}

# cost_of_schedulers: the same number of warp instructions under each
cost_of_schedulers() {
    local scheme gto n
    gto=$(instructions spmv-gto spmv-scalar --size tiny --preset quadro-daws --scheme gto) || return 1
    for scheme in ccws daws-detected; do
        n=$(instructions "spmv-$scheme" spmv-scalar --size tiny --preset quadro-daws --scheme "$scheme") || return 1
        echo "  $scheme $(awk -v n="$n" -v gto="$gto" 'BEGIN { printf "%.3f", n / gto }')"
    done
}

# above COUNT LIMIT WHAT: says so and is true
above() {
    [ "$1" -gt "$2" ] || return 1
    echo "bench: $3: $1 host instructions an L1 access, at most $2 are allowed" >&2
}

# The compiler of the limits, which hold for it alone.
compiler() { "${CC:-cc}" --version | head -1; }

record() {
    local scheme n
    {
        echo "# Limits of \`make bench-gate\`: host instructions an L1 access, ATAX tiny. Written by scripts/bench.sh --record."
        echo "# size scheme limit measured reason"
        for scheme in baseline mrpb; do
            n=$(count tiny $scheme)
            echo "tiny $scheme $(((n * 103 + 99) / 100)) $n measured, plus 3 %; $(compiler)"
        done
    } >"$work/limits.txt"
    mv "$work/limits.txt" "$limits"
    cat "$limits"
}

check() {
    local size scheme limit measured n checked=0 bad=0
    while read -r size scheme limit measured _; do
        case $size in '#'* | '') continue ;; esac
        case $limit in *[!0-9]* | '') echo "bench: $limits: \"$limit\" is no limit" >&2 && return 2 ;; esac
        n=$(count "$size" "$scheme") || return 1
        checked=$((checked + 1))
        if above "$n" "$limit" "ATAX $size $scheme"; then
            bad=1
        else
            echo "  PASS    bench-gate: ATAX $size $scheme, $n host instructions an L1 access, limit $limit (recorded $measured)"
        fi
    done <"$limits"
    [ $checked -gt 0 ] || { echo "bench: no limits in $limits" >&2; return 1; }
    [ $bad -eq 0 ] || echo "bench: faster elsewhere? scripts/bench.sh --record writes new limits" >&2
    return $bad
}

numbers() {
    local scheme n bad=0
    echo "model name: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1); user CPU time, best of $runs"
    printf '%-9s %-6s %-9s %9s %10s %11s %11s\n' workload size scheme time "insn/s" "L1 acc/s" "cycles/s"
    rates atax small baseline
    rates atax small mrpb
    rates gemm small baseline
    rates gemm small mrpb
    rates vecadd paper baseline
    [ "${COUNT:-1}" = 1 ] || return 0
    echo
    echo "host instructions an L1 access (callgrind, ATAX small, the whole process: input, functional run, model)"
    for scheme in baseline mrpb; do
        n=$(count small $scheme) || return 1
        echo "  $scheme $n"
        [ -z "$gate" ] || ! above "$n" "$gate" "ATAX small $scheme" || bad=1
    done
    echo
    echo "host instructions a warp instruction over gto's (callgrind, SPMV-Scalar tiny on quadro-daws)"
    cost_of_schedulers || return 1
    return $bad
}

case $mode in
gate) check ;;
record) record ;;
*) numbers ;;
esac
