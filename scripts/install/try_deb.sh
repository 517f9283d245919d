#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs a package in a system that may be bare, runs what is in it, removes it, and looks for what is left. As root, and with
# sh and Debian's essential packages only:
#     make deb && scripts/chroot_test.sh --file build/deb/*.deb 'scripts/install/try_deb.sh *.deb'
set -eu
if [ $# -ne 1 ] || [ ! -f "$1" ]; then
    echo "usage: scripts/install/try_deb.sh PACKAGE.deb" >&2
    exit 2
fi
package=$(realpath "$1")
export LC_ALL=C DEBIAN_FRONTEND=noninteractive
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Everything but what dpkg and apt write about what they do.
list_files() {
    find / -xdev \( -path /proc -o -path /sys -o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /var/cache -o -path /var/log \
        -o -path /tmp -o -path /run -o -path /src \) -prune -o -print | sort
}

# Its dependencies come from the mirror, and stay.
apt-get update -q >"$work/apt" 2>&1 || { tail -n 5 "$work/apt" >&2; exit 1; }
depends=$(dpkg-deb -f "$package" Depends | sed 's/([^)]*)//g; s/|[^,]*//g; s/,/ /g')
# shellcheck disable=SC2086
apt-get install -q -y --no-install-recommends $depends >"$work/apt" 2>&1 || { tail -n 5 "$work/apt" >&2; exit 1; }
list_files >"$work/before"

dpkg -i "$package"
cd "$work"
warpmem version
warpmem run atax --size tiny --scheme mrpb --json result.json >run.txt
head -n 3 run.txt
test -s result.json
warpmem trace vecadd --size tiny -o v.wtr
warpmem run ./v.wtr --dram-log dram.log >replay.txt
dramcheck dram.log
wavediff --help >/dev/null
wavejoin --help >/dev/null
for f in man/man1/warpmem.1.gz man/man1/wavediff.1.gz bash-completion/completions/warpmem zsh/vendor-completions/_warpmem \
    doc/warpmem/examples/library/l1_ways.c; do
    test -s "/usr/share/$f" || { echo "try_deb: /usr/share/$f is missing" >&2; exit 1; }
done
cd /

dpkg -r warpmem
if dpkg-query -W -f '${db:Status-Status}\n' warpmem 2>/dev/null | grep -q '^installed'; then
    echo "try_deb: the package is still there" >&2
    exit 1
fi
list_files >"$work/after"
diff "$work/before" "$work/after" || { echo "try_deb: it left or took away what stands above" >&2; exit 1; }
echo "try_deb: installed, ran, removed; nothing is left"
