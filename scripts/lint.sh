#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Rules of the house that a machine can check: format, line length, licence line, direction of includes.
set -u
cd "$(dirname "$0")/.."
status=0
fail() {
    echo "lint: $*" >&2
    status=1
}

mapfile -t c_files < <(git ls-files '*.c' '*.h' 2>/dev/null || find cmodel tb -name '*.[ch]')
[ ${#c_files[@]} -gt 0 ] || { echo "lint: no C files found" >&2; exit 1; }
clang-format --dry-run --Werror "${c_files[@]}" || fail "clang-format -i the files above"

# Comments, which clang-format does not break. Tables between "clang-format off" and "on" may be wider.
long=$(awk 'FNR == 1 {table = 0} /clang-format off/ {table = 1} /clang-format on/ {table = 0}
            length > (table ? 160 : 100) {print FILENAME ":" FNR ": " length " columns"}' "${c_files[@]}")
[ -z "$long" ] || fail "lines too long:"$'\n'"$long"

mapfile -t sources < <(git ls-files '*.c' '*.h' '*.cpp' '*.v' '*.sh' '*.mk' Makefile)
for f in "${sources[@]}"; do
    head -3 "$f" | grep -q 'SPDX-License-Identifier: Apache-2.0' || fail "$f: no licence line in its first three lines"
done

# cli -> gpu -> issue, l1, noc, l2, dram -> kernel, config -> base; a place never includes another place.
allowed() {
    case $1 in
    base | common) echo "base common" ;;
    config) echo "base config" ;;
    kernel) echo "base kernel" ;;
    workloads) echo "base kernel workloads" ;;
    issue | l1 | noc | l2 | dram) echo "base common kernel config $1" ;;
    gpu) echo "base common kernel config issue l1 noc l2 dram gpu" ;;
    cli) echo "base common kernel config issue l1 noc l2 dram gpu workloads cli contract" ;;
    *) echo "" ;;
    esac
}
for f in $(git ls-files 'cmodel/*.c' 'cmodel/*.h'); do
    place=${f#cmodel/}
    place=${place%%/*}
    for included in $(sed -n 's/^#include "\([a-z0-9]*\)\/.*/\1/p' "$f" | sort -u); do
        case " $(allowed "$place") " in
        *" $included "*) ;;
        *) fail "$f: $place/ may not include $included/" ;;
        esac
    done
done

[ $status -eq 0 ] && echo "  PASS    lint: ${#c_files[@]} C files, ${#sources[@]} sources"
exit $status
