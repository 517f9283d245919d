#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Plants errors in a block's Verilog, one at a time, and demands that lockstep finds each.
#
#   cosim/mutants.sh LIST SECTION VERILOG DIR SETS
#
# LIST     tb/<place>/<block>.tests, SECTION in it: mutants or point_mutants. A mutant a line: NAME[@SET] SED-EXPRESSION.
#          SET is the parameter set that shall find it; without it the small one (small, odd, least or the first)
# VERILOG  the file that the expressions edit
# DIR      where mutants are built, in a directory each
# SETS     the block's parameter sets, a line each (build/rtl/<place>/<block>/sets)
# $MAKE_MUTANT  command that builds one: it gets MUTANT_VERILOG= MUTANT_DIR= MUTANT_SET=, and makes DIR/NAME/mutant_test
# $CYCLES       for each, default 100000
#
# A line for each; exit code 1 if one survives, or its expression does not change the file any more.
set -u

list=$1 section=$2 verilog=$3 dir=$4 sets=$5
total=0 killed=0 bad=0
for small in small odd least "$(cut -d' ' -f1 "$sets" | head -n 1)"; do
    if cut -d' ' -f1 "$sets" | grep -qx "$small"; then
        break
    fi
done
number=0
while IFS= read -r line || [ -n "$line" ]; do
    number=$((number + 1))
    case $line in '#'* | '') continue ;; esac
    total=$((total + 1))
    name=${line%% *}
    edit=${line#* }
    set_name=$small
    case $name in *@*) set_name=${name#*@} name=${name%@*} ;; esac
    here=$dir/$name
    mkdir -p "$here"
    mutant=$here/$(basename "$verilog")
    if [ "$name" = "$line" ] || ! sed -e "$edit" "$verilog" >"$mutant.new" 2>"$here/log"; then
        echo "  BROKEN    $name: $list:$number: no sed expression that works"
        bad=$((bad + 1))
        continue
    fi
    if cmp -s "$verilog" "$mutant.new"; then
        echo "  BROKEN    $name: $list:$number: does not change $verilog any more"
        bad=$((bad + 1))
        continue
    fi
    cmp -s "$mutant" "$mutant.new" 2>/dev/null || mv "$mutant.new" "$mutant"
    rm -f "$mutant.new"
    if ! ${MAKE_MUTANT:?} MUTANT_VERILOG="$mutant" MUTANT_DIR="$here" MUTANT_SET="$set_name" >"$here/log" 2>&1; then
        echo "  BROKEN    $name: does not build, see $here/log"
        bad=$((bad + 1))
        continue
    fi
    timeout 300 "$here/mutant_test" --lockstep --exact --cycles "${CYCLES:-100000}" --set "$set_name" \
        --mismatch-dir "$here" >"$here/log" 2>&1 </dev/null
    code=$?
    first=$(grep -m1 -E '^(MISMATCH|LATE INPUT|NOT QUIET)' "$here/log" || true)
    if [ $code -eq 1 ] && [ -n "$first" ]; then
        killed=$((killed + 1))
        echo "  killed    $name  ($set_name, $(echo "$first" | sed -E 's/.*(cycle [0-9]+).*/\1/'))"
    elif [ $code -eq 0 ] || [ $code -eq 1 ]; then
        bad=$((bad + 1))
        echo "  SURVIVED  $name  ($set_name), see $here/log"
    else
        bad=$((bad + 1))
        echo "  BROKEN    $name: the test ended with code $code, see $here/log"
    fi
done < <(awk -v section="$section" -f scripts/section.awk "$list")
echo "mutants of $verilog: $killed of $total killed"
[ "$total" -gt 0 ] && [ $bad -eq 0 ]
