#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages of scripts/packages.txt. Uses sh and Debian's essential packages
# only, because it must run in an image that has nothing else yet.
set -u

# Perl's maintainer scripts complain in an image without locales; C is always there.
export LC_ALL=C
unset LANGUAGE CDPATH
# `su` without a login leaves out the folders that dpkg insists on.
export PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"

readonly update_tries=3
readonly lock_seconds=300

usage() {
    cat <<'END'
usage: scripts/setup.sh [--check] [--verbose]

Installs what is missing of scripts/packages.txt with apt-get: as root, or through sudo where sudo
asks no password. When all is there it changes nothing and touches no network.

  --check    install nothing; exit 1 and name what is missing
  --verbose  show what apt-get says
  --help     this text
END
}

fail() {
    printf 'setup: %s\n' "$@" >&2
    exit 1
}

check_only=no
verbose=no
for arg; do
    case $arg in
    --check) check_only=yes ;;
    --verbose) verbose=yes ;;
    --help | -h)
        usage
        exit 0
        ;;
    *)
        echo "setup: unknown argument '$arg'; allowed are --check, --verbose, --help" >&2
        exit 2
        ;;
    esac
done

here=$(cd -P -- "$(dirname -- "$0")" && pwd) || exit 1
list=$here/packages.txt
[ -r "$list" ] || fail "$list cannot be read"

# $packages and $missing are lists of words and split on purpose: no shell of POSIX has arrays.
# shellcheck disable=SC2046,SC2005
packages=$(echo $(sed 's/#.*//' "$list"))
[ -n "$packages" ] || fail "$list names no package"

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    fail "this system has no apt-get and dpkg-query; install by hand what Debian calls:" \
        "  $packages"
fi

count() {
    # shellcheck disable=SC2086
    set -- $1
    echo $#
}

find_missing() {
    # An unknown name makes dpkg-query fail, but it still answers for the others.
    # shellcheck disable=SC2016,SC2086
    installed=$(dpkg-query -W -f '${Package}=${db:Status-Status} ' $packages 2>/dev/null)
    missing=
    for name in $packages; do
        case " $installed" in
        *" $name=installed "*) ;;
        *) missing="$missing $name" ;;
        esac
    done
    missing=${missing# }
}

find_missing
total=$(count "$packages")
if [ -z "$missing" ]; then
    echo "setup: all $total packages present"
    exit 0
fi
wanted=$(count "$missing")
[ $check_only = no ] || fail "$wanted of $total packages missing: $missing"

if [ "$(id -u)" -eq 0 ]; then
    as_root=
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root='sudo -n'
else
    fail "$wanted of $total packages missing: $missing" \
        "only root may install them, and sudo is absent or asks for a password. Run as root:" \
        "  apt-get update && apt-get install -y --no-install-recommends $missing"
fi

if [ $verbose = yes ]; then
    log=
else
    log=$(mktemp) || fail "no temporary file can be made in ${TMPDIR:-/tmp}"
    trap 'rm -f "$log"' EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
fi

# sudo drops the environment, so env sets it on the far side.
root() {
    # shellcheck disable=SC2086
    set -- $as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive "$@"
    if [ -n "$log" ]; then
        "$@" >"$log" 2>&1 </dev/null
    else
        "$@" </dev/null
    fi
}

# The log of the last command is not kept, so what matters in it goes to the reader now.
complaints() {
    [ -n "$log" ] || return 0
    { grep -E '^(E:|dpkg:)' "$log" || tail -n 8 "$log"; } | head -n 8 | sed 's/^/  /' >&2
}

# By default a repository that cannot be reached is only a warning, and old or no lists are used.
update() {
    try=1
    until root apt-get update -q --error-on=any -o Acquire::Retries=0; do
        echo "setup: apt-get update failed (try $try of $update_tries)" >&2
        [ $try -lt $update_tries ] || return 1
        sleep $((try * 3))
        try=$((try + 1))
    done
}

install() {
    # shellcheck disable=SC2086
    root apt-get install -q -y --no-install-recommends -o Acquire::Retries=3 \
        -o DPkg::Lock::Timeout=$lock_seconds $missing
}

noun=packages
[ "$wanted" -gt 1 ] || noun=package
echo "setup: installing $wanted of $total packages: $missing" >&2
start=$(date +%s)

updated=yes
if ! update; then
    updated=no
    complaints
    echo "setup: going on with the package lists at hand" >&2
fi

# A run that was killed leaves packages unpacked but not configured; apt-get then refuses all work.
if ! install && ! { root dpkg --configure -a && install; }; then
    complaints
    [ $updated = yes ] ||
        fail "apt-get could neither fetch its package lists nor install without them:" \
            "check the network, the proxy (apt-config dump) and /etc/apt/sources.list*"
    fail "apt-get install failed; its errors stand above (--verbose shows all it says)"
fi

find_missing
[ -z "$missing" ] || fail "apt-get reports success, but these are still missing: $missing"
echo "setup: installed $wanted $noun in $(($(date +%s) - start)) s"
