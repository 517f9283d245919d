#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs commands on a clean copy of the project in a bare Debian 12, to prove that nothing which
# only a developer's machine has is needed.
# shellcheck disable=SC2317  # `finish` runs from a trap and `enter` in another shell
set -euo pipefail
export LC_ALL=C
unset CDPATH

readonly suite=bookworm
# A reader's first commands, and how long they take: packages and demonstration within 3 minutes, the test within 10.
default_commands=('scripts/setup.sh' 'time make demo' 'time make test')

usage() {
    cat <<END
usage: scripts/chroot_test.sh [options] [COMMAND ...]

Copies the project into a bare Debian 12 (debootstrap --variant=minbase) below build/chroot and runs
each COMMAND in it with bash, in order, in the project's folder, until one fails. Ends with how long
each took, and the status of the last one run. Without a COMMAND:
$(printf '    %s\n' "${default_commands[@]}")

  --tree     copy the work tree with its uncommitted and new files, not the commit HEAD
  --file F   copy this file too, into the project's folder there; may be given again
  --keep     leave the used system in build/chroot/run for a look
  --fresh    make the base system anew (default: made once, then copied)
  --clean    remove build/chroot and stop
  --help     this text

Needs root, the package debootstrap, and the right to mount. Mirror and proxy are those of this
machine's apt, passwords of /etc/apt/auth.conf excepted.
END
}

say() { echo "chroot: $*"; }
fail() {
    printf 'chroot: %s\n' "$@" >&2
    exit 1
}

tree=no keep=no fresh=no clean=no
files=()
while [ $# -gt 0 ]; do
    case $1 in
    --tree) tree=yes ;;
    --file)
        [ -f "${2-}" ] || { echo "chroot: --file ${2-}: must be a file" >&2; exit 2; }
        files+=("$(realpath -- "$2")")
        shift
        ;;
    --keep) keep=yes ;;
    --fresh) fresh=yes ;;
    --clean) clean=yes ;;
    --help | -h)
        usage
        exit 0
        ;;
    --)
        shift
        break
        ;;
    -*)
        echo "chroot: unknown option '$1'; --help lists what is allowed" >&2
        exit 2
        ;;
    *) break ;;
    esac
    shift
done
commands=("$@")
[ $# -gt 0 ] || commands=("${default_commands[@]}")

[ "$(id -u)" -eq 0 ] || fail "only root can make and enter another root folder"
cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
project=$PWD
case $project in
*[[:space:]]*) fail "debootstrap cannot work below a path with a space: $project" ;;
esac
work=$project/build/chroot
base=$work/base
run=$work/run
debs=$work/debs
readonly inside=/src/warpmem

if [ $clean = yes ]; then
    rm -rf --one-file-system -- "$work"
    exit 0
fi
for tool in debootstrap unshare setpriv git tar flock; do
    command -v $tool >/dev/null || fail "$tool is missing (packages: debootstrap util-linux git tar)"
done
mkdir -p "$work" "$debs/partial"

# Two runs at once would delete each other's system.
exec 9>"$work/lock"
flock -n 9 || fail "another run is using build/chroot"

# All mounts live in a mount namespace and all processes in a process namespace of their own: the
# kernel ends both together with the first process inside, and that one dies with this script, even
# if the script is killed with -9. So no exit path can leave a mount or a process behind.
child=
isolated() {
    setpriv --pdeathsig KILL \
        unshare --mount --propagation private --uts --ipc --pid --fork --kill-child=KILL "$@" 9>&- &
    child=$!
    local status=0
    wait $child || status=$?
    child=
    return $status
}
finish() {
    if [ -n "$child" ]; then
        kill -KILL "$child" 2>/dev/null || true
        wait "$child" 2>/dev/null || true
    fi
    rm -rf --one-file-system -- "$work/base.new"
    [ "$keep" = yes ] || rm -rf --one-file-system -- "$run"
}
trap finish EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# The mirror of $suite in this computer's apt, so that no mirror's name stands here. Empty on a machine with another
# release: then debootstrap's own default serves.
host_mirror() {
    # shellcheck disable=SC2016
    apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        awk -v suite=$suite '$1 == suite { print $2; exit }'
}

make_base() {
    local new=$work/base.new mirror proxy='' begun=$SECONDS
    rm -rf --one-file-system -- "$new"
    mkdir -p "$new"
    mirror=$(host_mirror)
    eval "$(apt-config shell proxy Acquire::http::Proxy)"
    [ -z "$proxy" ] || export http_proxy=${http_proxy:-$proxy}
    say "making a bare $suite (once; log: build/chroot/base.log)"
    isolated debootstrap --variant=minbase --cache-dir="$debs" $suite "$new" ${mirror:+"$mirror"} \
        >"$work/base.log" 2>&1 || {
        tail -n 15 "$work/base.log" >&2
        fail "debootstrap failed"
    }

    # Lists and downloads are what a slim image lacks too.
    rm -rf "$new"/var/lib/apt/lists/* "$new"/var/cache/apt/*
    mkdir -p "$new$inside"
    mv -- "$new" "$base"
    say "made in $((SECONDS - begun)) s"
}

# On each run, for the machine's network settings may have changed since the base was made.
copy_apt_settings() {
    local to=$run/etc/apt
    cp -L /etc/resolv.conf "$run/etc/resolv.conf" 2>/dev/null || true
    if [ -n "$(host_mirror)" ]; then
        rm -rf "$to"/sources.list "$to"/sources.list.d
        cp -aL /etc/apt/sources.list.d "$to/" 2>/dev/null || mkdir -p "$to/sources.list.d"
        cp -aL /etc/apt/sources.list "$to/" 2>/dev/null || true
        cp -aL /etc/apt/trusted.gpg.d /etc/apt/keyrings /etc/apt/preferences.d "$to/" 2>/dev/null || true
        cp -aLn /usr/share/keyrings "$run/usr/share/" 2>/dev/null || true
    fi
    # Only how to fetch: other settings and hooks name programs that a bare system has not got.
    apt-config dump | grep '^Acquire::' | grep -v 'Auto-Detect' >"$to/apt.conf.d/90host" || true
    # A bare system knows no certificate authorities.
    if grep -rqs https: "$to"; then
        mkdir -p "$run/etc/ssl/certs"
        cp -L /etc/ssl/certs/ca-certificates.crt "$run/etc/ssl/certs/"
    fi
}

# root may copy a tree of another user; git wants to be told so.
project_git() { git -c safe.directory="$project" "$@"; }

pack_project() {
    if [ $tree = yes ]; then
        # a file that is deleted but still tracked has nothing to copy
        project_git ls-files -z --cached --others --exclude-standard |
            while IFS= read -r -d '' file; do
                if [ -e "$file" ] || [ -L "$file" ]; then printf '%s\0' "$file"; fi
            done |
            tar --create --null --no-recursion --files-from=-
    else
        project_git archive HEAD
    fi
}

copy_project() {
    local to=$run$inside what='the work tree'
    if [ $tree = no ]; then
        project_git rev-parse -q --verify HEAD >/dev/null ||
            fail "there is no commit to copy yet; --tree copies the work tree"
        what="commit $(project_git rev-parse --short HEAD)"
    fi
    say "copying $what"
    pack_project | tar --extract --no-same-owner -C "$to"
    [ ${#files[@]} -eq 0 ] || cp -- "${files[@]}" "$to/"
    # recipes that ask git for a list of files must find a repository here too
    git -C "$to" init -q -b main
    git -C "$to" add -A
    git -C "$to" -c user.name=test -c user.email=test@invalid commit -q -m "test: $what"
}

# Runs inside the namespaces, as their first process.
enter() {
    local root=$1 debs=$2 inside=$3 node status=0
    shift 3
    # A /dev of its own: nothing done in there can reach this machine's devices.
    mount -t tmpfs -o mode=755,size=64k tmpfs "$root/dev"
    for node in null zero full random urandom tty; do
        : >"$root/dev/$node"
        mount --bind "/dev/$node" "$root/dev/$node"
    done
    mkdir "$root/dev/pts" "$root/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
    mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
    ln -s pts/ptmx "$root/dev/ptmx"
    ln -s /proc/self/fd "$root/dev/fd"
    ln -s /proc/self/fd/0 "$root/dev/stdin"
    ln -s /proc/self/fd/1 "$root/dev/stdout"
    ln -s /proc/self/fd/2 "$root/dev/stderr"
    mount -t proc proc "$root/proc"
    # Packages already fetched: the system is bare, the network need not be slow.
    mkdir -p "$root/var/cache/apt/archives"
    mount --bind "$debs" "$root/var/cache/apt/archives"

    local command begun all=$SECONDS took=()
    for command; do
        echo "chroot: $command"
        begun=$SECONDS
        # An empty environment, as on a machine nobody has set up.
        # shellcheck disable=SC2016
        env -i HOME=/root TERM=dumb PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
            chroot "$root" bash -c 'cd "$0" && eval "$1"' "$inside" "$command" || status=$?
        took+=("$(printf '%6d s  exit %d  %s' $((SECONDS - begun)) "$status" "$command")")
        [ "$status" -eq 0 ] || break
    done
    printf 'chroot: %s\n' "${took[@]}" "$(printf '%6d s  in all' $((SECONDS - all)))"
    return "$status"
}

[ $fresh = no ] || rm -rf --one-file-system -- "$base"
[ -d "$base" ] || make_base
rm -rf --one-file-system -- "$run"
cp -a --reflink=auto -- "$base" "$run"
copy_apt_settings
copy_project

status=0
isolated bash -euc "$(declare -f enter); enter \"\$@\"" enter "$run" "$debs" "$inside" \
    "${commands[@]}" || status=$?
[ "$keep" = no ] || say "left in build/chroot/run"
exit $status
