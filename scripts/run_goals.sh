#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Make goals one after another, with the time each took; stops at the first that fails.
# usage: scripts/run_goals.sh MAKE GOAL...
set -u
make=$1
shift
started=$SECONDS
for goal in "$@"; do
    begin=$SECONDS
    $make --no-print-directory -j"${JOBS:-$(nproc)}" "$goal" || {
        echo "FAILED: make $goal" >&2
        exit 1
    }
    echo "== $goal: $((SECONDS - begin)) s"
done
echo "all passed: $* in $((SECONDS - started)) s"
