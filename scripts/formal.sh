#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the proofs of tb/formal.txt: a line each on the terminal and in OUT/results.txt. Fails if one does, or if there
# is nothing to prove.
#
#   scripts/formal.sh WHEN JOBS [BLOCK]      WHEN: test or check, the last column of the list
#
# Environment: OUT (build/formal), FORMAL_TIMEOUT in seconds a step.
set -uo pipefail
unset CDPATH
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." || exit 2

when=${1:?usage: scripts/formal.sh WHEN JOBS [BLOCK]} jobs=${2:?JOBS} only=${3:-}
results=${OUT:-build/formal}/results-$when.txt
mkdir -p "${results%/*}"
proofs=$(awk -v when="$when" -v only="$only" \
    '!/^#/ && $5 == when && (only == "" || $1 == only) { print $1, $2, $3, $4 }' tb/formal.txt)
if [ -z "$proofs" ]; then
    [ -n "$only" ] && grep -q "^$only " tb/formal.txt && exit 0
    echo "formal: tb/formal.txt has no proof of ${only:-anything} marked $when" >&2
    exit 1
fi
start=$SECONDS
xargs -P "$jobs" -L 1 scripts/prove.sh <<<"$proofs" 2>&1 | tee "$results"
[ "${PIPESTATUS[0]}" -eq 0 ]
failed=$?
passed=$(grep -c '  PASSED$' "$results")
wanted=$(wc -l <<<"$proofs")
echo "formal: $passed of $wanted proofs passed in $((SECONDS - start)) s"
[ $failed -eq 0 ] && [ "$passed" -eq "$wanted" ]
