#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The proofs are proven able to fail: each error of tb/<place>/<block>_mutants.txt, planted in the Verilog, must
# give a counterexample that starts at power-on.
#
#   scripts/formal_mutants.sh BLOCK [COUNT]      COUNT: only the first so many
#
# Environment: OUT (build/formal), DEPTH cycles (14). A line each; exit code 1 if an error is not found.
set -uo pipefail
unset CDPATH
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." || exit 2

block=${1:?usage: scripts/formal_mutants.sh PLACE/BLOCK [COUNT]} most=${2:-1000000}
list=tb/${block}_mutants.txt verilog=rtl/$block.v
out=${OUT:-build/formal}
[ -s "$list" ] || { echo "formal-mutants: no $list" >&2; exit 2; }
sets=$(scripts/block_params.sh "$block" | cut -d' ' -f1)
for small in small odd least; do
    grep -qx "$small" <<<"$sets" && break
done

total=0 found=0
while read -r name edit; do
    case $name in '#'* | '') continue ;; esac
    [ $total -lt "$most" ] || break
    total=$((total + 1))
    set_name=$small
    case $name in *@*) set_name=${name#*@} name=${name%@*} ;; esac
    dir=$out/mutants/${block//\//_}/$name
    mkdir -p "$dir"
    if ! sed -e "$edit" "$verilog" >"$dir/mutant.v" || cmp -s "$verilog" "$dir/mutant.v"; then
        echo "  BROKEN    $block $name: its expression changes nothing"
        continue
    fi
    VERILOG=$dir/mutant.v OUT=$dir scripts/prove.sh "$block" "$set_name" bounded "${DEPTH:-14}" >"$dir/log" 2>&1
    code=$?
    property=$(sed -n 's/^ *Assert failed in [^:]*: \([^ ]*\).*/\1/p' "$dir/log" | head -n 1)
    if [ $code -eq 1 ] && [ -n "$property" ]; then
        found=$((found + 1))
        echo "  refuted   $block $name by $property"
    elif [ $code -eq 0 ]; then
        echo "  SURVIVED  $block $name, see $dir"
    else
        echo "  BROKEN    $block $name: no counterexample, see $dir"
    fi
done <"$list"
echo "formal-mutants  $block: $found of $total refuted"
[ $total -gt 0 ] && [ $found -eq $total ]
