#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs one target under libFuzzer and says what it found.
# usage: tb/fuzz/fuzz.sh BUILD SECONDS TARGET
# It starts from tb/fuzz/corpus/TARGET and from what earlier runs kept in BUILD/corpus/TARGET. A finding (a sanitizer's report, a
# broken promise, more than 25 seconds or 2 GB for one input) is made smaller and stays in BUILD/found/TARGET: the next run tries it
# first, and fuzzes only when nothing there fails any more. The log is BUILD/log/TARGET.txt.
set -u
build=$1 seconds=$2 target=$3
program=$build/fuzz-$target kept=$build/corpus/$target found=$build/found/$target log=$build/log/$target.txt
dictionary=tb/fuzz/$target.dict limit=25 memory=2048
# The reader of FST runs in a child, which has bounds of its own (tb/fuzz/waves.c), as has its parent.
[ "$target" != waves ] || memory=0
[ -x "$program" ] || { echo "fuzz: $target: no such target: there is no program $program" >&2; exit 2; }
mkdir -p "$kept" "$found" "$build/log"
TMPDIR=$(mktemp -d /tmp/warpmem_fuzz_XXXXXX)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
# Memory that was freed stays aside for a while, to see uses of it: 256 MB of it, unless told otherwise.
export ASAN_OPTIONS=quarantine_size_mb=32
options=(-timeout=$limit -rss_limit_mb=$memory -close_fd_mask=3)

fails() { # INPUT
    ! "$program" "${options[@]:0:2}" -artifact_prefix="$TMPDIR/" "$1" >"$log.again" 2>&1
}

tell() { # INPUT, which has just failed
    echo "FOUND $target: $(grep -aE -m 1 'broken promise|runtime error:|ERROR: ' "$log.again" || echo 'see the log')"
    echo "  input   $1 ($(stat -c %s "$1") bytes)"
    echo "  again   $program ${options[*]:0:2} $1"
    status=1
}

# Slow on a busy computer alone is no finding: libFuzzer measures the time that goes by.
is_busy() { # INPUT
    case $1 in */timeout-*) prlimit --cpu=$limit "$program" -timeout=0 "$1" >/dev/null 2>&1 ;; *) false ;; esac
}

status=0
shopt -s nullglob
for input in "$found"/*; do
    if fails "$input"; then tell "$input"; else rm "$input"; fi
done
[ $status -eq 0 ] || exit 1
"$program" "${options[@]}" -max_total_time="$seconds" -max_len=4096 -artifact_prefix="$found/" -print_final_stats=1 \
    $([ ! -e "$dictionary" ] || echo "-dict=$dictionary") "$kept" $([ ! -d "tb/fuzz/corpus/$target" ] || echo "tb/fuzz/corpus/$target") \
    >"$log" 2>&1
code=$?
rm -f "$found"/slow-unit-*
for input in "$found"/*; do
    if is_busy "$input"; then
        rm "$input"
        code=0
        continue
    fi
    small=$found/small-${input##*/}
    timeout 120 "$program" "${options[@]}" -minimize_crash=1 -max_total_time=20 -exact_artifact_path="$small" \
        -artifact_prefix="$TMPDIR/" "$input" >/dev/null 2>&1
    if [ -e "$small" ]; then rm "$input"; else small=$input; fi
    fails "$small"
    tell "$small"
done
executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
[ $status -ne 0 ] || { [ $code -eq 0 ] && [ "${executions:-0}" -gt 0 ]; } ||
    { echo "fuzz: $target: ended with status $code after ${executions:-0} executions: see $log" >&2; status=2; }
[ $status -ne 0 ] ||
    echo "pass  fuzz $target: $executions executions, $(grep -aoE 'cov: [0-9]+' "$log" | tail -n 1 | cut -d' ' -f2) edges"
exit $status
