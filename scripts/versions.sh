#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the pinned version of every tool in scripts/tools.txt beside the one found, and fails on
# any difference. A missing tool is a difference: no check may pass because its tool is absent.
set -u
export LC_ALL=C
unset CDPATH

usage() {
    cat <<'END'
usage: scripts/versions.sh [FILE]

Compares the installed tools with FILE (default: scripts/tools.txt). Exit 1 on a difference.
END
}

case ${1-} in
--help | -h)
    usage
    exit 0
    ;;
-*)
    echo "versions: unknown option '$1'; a file name or --help is allowed" >&2
    exit 2
    ;;
esac

here=$(cd -P -- "$(dirname -- "$0")" && pwd) || exit 1
list=${1-$here/tools.txt}
if [ ! -r "$list" ]; then
    echo "versions: $list cannot be read" >&2
    exit 2
fi

# Asks for one version; prints nothing where the tool is missing or does not answer.
ask() {
    way=$1
    shift
    case $way in
    run) answer=$(timeout 20 "$@" 2>/dev/null </dev/null) || return 0 ;;
    pkg-config) answer=$(pkg-config --modversion "$1" 2>/dev/null) || return 0 ;;
    dpkg | snapshot)
        # for gtkwave, which itself answers only with a display
        # shellcheck disable=SC2016
        answer=$(dpkg-query -W -f '${db:Status-Status}:${Version}' "$1" 2>/dev/null) || return 0
        case $answer in
        installed:*) answer=${answer#installed:} ;;
        *) return 0 ;;
        esac
        # 1:2.3-4 is release 2.3: the epoch and Debian's revision say nothing about behaviour
        answer=${answer#*:}
        answer=${answer%-*}
        [ "$way" = dpkg ] || {
            printf '%s\n' "$answer"
            return 0
        }
        ;;
    esac
    # A date or a "64 bit" may follow, so the first number with a dot counts, or else the first.
    printf '%s\n' "$answer" | awk '
        match($0, /[0-9]+(\.[0-9]+)+/) || match($0, /[0-9]+/) {
            print substr($0, RSTART, RLENGTH)
            exit
        }'
}

status=0
compared=0
printf '%-17s %-28s %-28s %s\n' tool wanted found ok
while read -r tool wanted way how || [ -n "${tool-}" ]; do
    case $tool in
    '' | '#'*) continue ;;
    esac
    case $way in
    run | pkg-config | dpkg | snapshot) ;;
    *)
        echo "versions: $list: $tool: '$way'; run, pkg-config, dpkg or snapshot is allowed" >&2
        exit 2
        ;;
    esac
    # shellcheck disable=SC2086
    found=$(ask "$way" $how)
    case $found. in
    "$wanted".*) ok=yes ;;
    *) ok=NO status=1 ;;
    esac
    printf '%-17s %-28s %-28s %s\n' "$tool" "$wanted" "${found:-missing}" "$ok"
    compared=$((compared + 1))
done <"$list"

if [ $compared -eq 0 ]; then
    echo "versions: $list pins no tool" >&2
    exit 2
fi
[ $status -eq 0 ] || echo "versions: differences from $list; figures may differ too" >&2
exit $status
