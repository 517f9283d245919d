#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lints the Verilog of one hardware block: three tools, every parameter set, both ends of every range, and the
# house rules that no tool knows. One line if all is well; else what is wrong, and exit code 1.
#
#   scripts/lint_rtl.sh l1/mrpb        all but the upper ends together, set max, which takes long; Yosys, which takes longest,
#                                      leaves out set most, too; Icarus alone refuses illegal parameters
#   scripts/lint_rtl.sh l1/mrpb max    set max alone, set most in Yosys, and illegal parameters in Verilator and Yosys
#   scripts/lint_rtl.sh top/memory_channel    an assembly: the sets of its tests, and the other files of rtl/top with it
set -euo pipefail
unset CDPATH
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

block=${1:?usage: scripts/lint_rtl.sh PLACE/BLOCK [max]}
only=${2-}
name=${block##*/}
top=wm_$name
file=rtl/$block.v
waivers=rtl/lint_waivers.vlt
places=(rtl/common "rtl/${block%/*}")
case $block in
top/*) places=(rtl/*/) ;;
*) scripts/new_block.py --missing "$block" || exit 1 ;;
esac
mapfile -t library < <(find "${places[@]}" -maxdepth 1 -name '*.v' ! -path "$file" | sed 's|//*|/|g' |
    LC_ALL=C sort -u)
status=0

complain() {
    echo "lint  $block: $*" >&2
    status=1
}

# Runs a command; its output is a warning, whatever it returns.
clean() {
    local what=$1 output code=0
    shift
    output=$("$@" 2>&1) || code=$?
    if [ $code -ne 0 ] || [ -n "$output" ]; then
        complain "$what (exit code $code)"
        printf '%s\n' "$output" >&2
    fi
}

# An illegal parameter must stop every tool. Two thirds of the time are Verilator's and Yosys's: they have it in the long run.
must_fail() {
    local what=$1
    shift
    case $only:$what in
    :iverilog* | max:verilator* | max:yosys*) ;;
    *) return ;;
    esac
    if "$@" >/dev/null 2>&1; then
        complain "$what: an illegal parameter was accepted"
    fi
}

# Each parameter one below its least and one above its greatest value, the others as in a small set: where all else is large,
# a tool takes long to come to what is illegal.
refuse_range_ends() {
    local small first low high i value values
    small=$(grep -m 1 -E '^(small|odd|least) ' <<<"$params" || head -n 1 <<<"$params")
    read -r -a first <<<"${small#* }"
    read -r -a low < <(sed -n 's/^min //p' <<<"$params")
    read -r -a high < <(sed -n 's/^max //p' <<<"$params")
    for i in "${!first[@]}"; do
        for value in $((${low[i]#*=} - 1)) $((${high[i]#*=} + 1)); do
            values=("${first[@]}")
            values[i]=${first[i]%=*}=$value
            # too many bits of data only cost memory
            [ "$value" -gt 256 ] && [ "${first[i]%=*}" = DATA_BITS ] && [ "${block%/*}" = common ] &&
                continue
            tools must_fail "${values[i]}" "${values[@]}"
        done
    done
}

# -defer: no module but those of this set, without it each with its defaults as well
yosys_reads() {
    local how=$1 label=$2 p yosys=""
    shift 2
    for p; do yosys+=" -chparam ${p%=*} ${p#*=}"; done
    "$how" "yosys, set $label" yosys -q -p \
        "read_verilog -Irtl/common -defer $file ${library[*]}; hierarchy -check -top $top$yosys; proc; check -assert"
}

tools() {
    local how=$1 label=$2 p verilator=() icarus=()
    shift 2
    for p; do
        verilator+=("-G$p")
        icarus+=("-P$top.$p")
    done
    "$how" "verilator, set $label" verilator --lint-only -Wall -Irtl/common "$waivers" --top-module "$top" \
        "${verilator[@]}" "$file" $(printf -- '-v %s ' "${library[@]}")
    "$how" "iverilog, set $label" iverilog -Wall -g2005 -t null -Irtl/common -s "$top" "${icarus[@]}" \
        "$file" $(printf -- '-l %s ' "${library[@]}")
    [ "$label:$only" = most: ] || yosys_reads "$how" "$label" "$@"
}

sets=0
params=$(scripts/block_params.sh "$block")
while read -r label values; do
    read -r -a values <<<"$values"
    case $only:$label in
    :max) continue ;;
    :* | "$label:$label") ;;
    max:most) yosys_reads clean most "${values[@]}"; continue ;;
    *) continue ;;
    esac
    tools clean "$label" "${values[@]}"
    sets=$((sets + 1))
done <<<"$params"
[ "${block%/*}" = top ] || refuse_range_ends
if [ -n "$only" ]; then
    [ "${block%/*}" != top ] || exit $status
    [ $sets -eq 1 ] || complain "its port list has no set $only"
    [ $status -eq 0 ] && echo "lint  $block: set $only, verilator iverilog yosys, clean"
    exit $status
fi
[ $sets -gt 1 ] || complain "its port list names no parameter sets"

# House rules.
[ "$(grep -c '^module ' "$file")" = 1 ] || complain "$file: one module a file"
grep -q "^module $top " "$file" || complain "$file: the module is not called $top"
grep -qx '`default_nettype none' "$file" && [ "$(tail -n 1 "$file")" = '`default_nettype wire' ] ||
    complain "$file: \`default_nettype none at the top and wire at the end"
head -n 1 "$file" | grep -qx '// SPDX-License-Identifier: Apache-2.0' ||
    complain "$file: no licence line"
awk '/^module /, /^\);/ { if (/^    (input|output|parameter) / && !/\/\/ ./) exit 1 }' "$file" ||
    complain "$file: a port or parameter without a comment"
twins=("cmodel/$block.c" "tb/${block}_test.c" "tb/${block}_props.v")
[ "${block%/*}" != top ] || twins=("tb/$block")
for twin in "${twins[@]}"; do
    grep -qF "$twin" "$file" || complain "$file: the header does not name $twin"
done
if awk 'length > 100 { exit 1 }' "$file"; then :; else complain "$file: a line beyond 100 columns"; fi
if [ "${block%/*}" = common ] &&
    grep -nEi '(^|[^a-z])(warps?|caches?|rows?|ctas?)([^a-z]|$)' "$file" rtl/common/*.vh >&2; then
    complain "$file: a primitive may not know these words"
fi

[ $status -eq 0 ] && echo "lint  $block: $sets parameter sets, verilator iverilog yosys, clean"
exit $status
