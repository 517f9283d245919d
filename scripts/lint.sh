#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Rules of the house that a machine can check: format, line length, licence line, direction of includes.
# Looks at what git knows or would add; outside git, at everything but build/.
set -u
sources=
cd "$(dirname "$0")/.." || exit 1
status=0
fail() {
    echo "lint: $*" >&2
    status=1
}

files() { # PATTERN: none of them is a failure
    local found
    found=$(git ls-files -co --exclude-standard -- "$1" 2>/dev/null)
    [ -n "$found" ] ||
        found=$(find . \( -path ./build -o -name .git \) -prune -o -type f -name "$1" -print | sed 's|^\./||')
    found=$(while IFS= read -r f; do [ ! -f "$f" ] || echo "$f"; done <<<"$found" | LC_ALL=C sort -u)
    [ -n "$found" ] || { echo "lint: no files like $1" >&2; return 1; }
    echo "$found"
}

for kind in '*.c' '*.h' '*.cpp' '*.v' '*.vh' '*.sh' '*.mk' Makefile; do
    list=$(files "$kind") || exit 1
    sources+=${sources:+$'\n'}$list
done
c_list=$(grep '\.[ch]$' <<<"$sources")
model=$(grep -E '^(cmodel|cosim)/' <<<"$c_list") || { echo "lint: no C files in cmodel/" >&2; exit 1; }
mapfile -t c_files <<<"$c_list"
clang-format --dry-run --Werror "${c_files[@]}" || fail "clang-format -i the files above"

# Comments, which clang-format does not break. Tables between "clang-format off" and "on" may be wider.
long=$(awk 'FNR == 1 {table = 0} /clang-format off/ {table = 1} /clang-format on/ {table = 0}
            length > (table ? 160 : 100) {print FILENAME ":" FNR ": " length " columns"}' "${c_files[@]}")
[ -z "$long" ] || fail "lines too long:"$'\n'"$long"

# A comment has a subject and a verb: none begins with a noun clause. Questions may.
mapfile -t commented <<<"$sources"$'\n'"$(files '*.py')"
clauses=$(grep -nE '(/\*\*?|//|#|""")[[:space:]]*(What|Whoever|Whatever|Whether|Who|Which|How|That (a|an|the)) [a-z]' \
    "${commented[@]}" | grep -v '?')
[ -z "$clauses" ] || fail "comments that begin with a noun clause; name the subject:"$'\n'"$clauses"

mapfile -t all_sources <<<"$sources"
unlicensed=$(awk 'FNR <= 3 && /SPDX-License-Identifier: Apache-2.0/ {licensed[FILENAME]} FNR == 3 {nextfile}
                  END {for (i = 1; i < ARGC; i++) if (!(ARGV[i] in licensed)) print ARGV[i]}' "${all_sources[@]}")
[ -z "$unlicensed" ] || fail "no licence line in the first three lines of:"$'\n'"$unlicensed"

# cli -> characterize -> gpu -> core -> issue, l1, noc, l2, dram -> kernel, config -> base; capture -> trace -> kernel. A place never
# includes another place.
allowed() {
    case $1 in
    base | common) echo "base common" ;;
    config) echo "base config" ;;
    kernel) echo "base kernel" ;;
    workloads) echo "base kernel workloads" ;;
    trace) echo "base kernel trace" ;;
    capture) echo "base kernel trace capture" ;;
    issue | l1 | noc | l2 | dram) echo "base common kernel config $1" ;;
    core) echo "base kernel config issue l1 dram core" ;;
    gpu) echo "base common kernel config issue l1 noc l2 dram core gpu" ;;
    characterize) echo "base kernel config l1 dram core characterize" ;;
    cli) echo "base common kernel config issue l1 noc l2 dram core gpu characterize workloads trace capture cli" ;;
    cosim) echo "base common kernel config cli cosim dram" ;;
    *) echo "" ;;
    esac
}
mapfile -t model_files <<<"$model"
while read -r f included; do
    place=${f#cmodel/}
    place=${place%%/*}
    case " $(allowed "$place") " in
    *" $included "*) ;;
    *) fail "$f: $place/ may not include $included/" ;;
    esac
done < <(awk -F '[/"]' '/^#include "[a-z0-9]*\// {
             place = FILENAME; sub(/^cmodel\//, "", place); sub(/\/.*/, "", place)
             if (!seen[place, $2]++) print FILENAME, $2}' "${model_files[@]}")

# Views of waves are what the port lists give.
cosim/view.py --check || fail "waves: see above"

[ $status -eq 0 ] && echo "  PASS    lint: ${#c_files[@]} C files, $(wc -l <<<"$sources") sources"
exit $status
