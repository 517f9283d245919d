#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Run test programs, at most JOBS (default: all cores) at a time; print a line each and, of those that fail, their output.
# usage: scripts/run_tests.sh LOG_FOLDER PROGRAM...
# COSIM_TMP=FOLDER, if there is one, becomes a folder in it for each program.
set -u
logs=$1
shift
mkdir -p "$logs"
run_one='
    program=$1 logs=$2
    log=$logs/$(echo "${program#build/}" | tr / _).log
    [ -z "${COSIM_TMP-}" ] || export COSIM_TMP="$COSIM_TMP/${program##*/}"
    start=$(date +%s%N)
    # A shell starts what runs in its background with SIGINT ignored; tests send it.
    env --default-signal=INT "$program" >"$log" 2>&1
    status=$?
    ms=$((($(date +%s%N) - start) / 1000000))
    passed=$(grep -c "^\[       OK \]" "$log")
    if [ $status -eq 0 ]; then
        echo "  PASS    $program ($passed tests, $ms ms)"
    else
        echo "  FAIL    $program (exit $status), log $log"
        grep -E "^\[  ERROR|^\[  FAILED|error:|^MISMATCH|ERROR|Sanitizer|Assertion" "$log" | head -20
    fi
    exit $status'
printf '%s\n' "$@" | xargs -P "${JOBS:-$(nproc)}" -I{} sh -c "$run_one" run_one {} "$logs"
status=$?
[ $status -eq 0 ] || { echo "some of $# test programs failed"; exit 1; }
echo "all $# test programs passed"
