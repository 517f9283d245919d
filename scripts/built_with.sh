#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Make knows files, not flags and tools: what was compiled with others is removed here, so that it is compiled again.
# usage: scripts/built_with.sh BUILD WHAT FLAGS "TOOL ..." FOLDER...
#   WHAT is a name: BUILD/built_with_WHAT keeps what the FOLDERs below BUILD were compiled with.
# The Makefile calls it before it looks at any file.
set -eu
stamp=$1/built_with_$2 what=$2 build=$1 flags=$3 tools=$4
shift 4
now=$(
    printf '%s\n%s\n' "$flags" "$tools"
    for tool in $tools; do
        case $tool in
        -*) ;; # an option of the one before
        *) LC_ALL=C "$tool" --version 2>/dev/null | head -n 1 || true ;;
        esac
    done
)
[ ! -e "$stamp" ] || [ "$now" != "$(cat "$stamp")" ] || exit 0
# Without the stamp first: a kill on the way must not leave what is old under a new one.
rm -f "$stamp"
removed=
for folder; do
    if [ -e "$build/$folder" ]; then
        rm -rf "${build:?}/$folder"
        removed="$removed $folder"
    fi
done
[ -z "$removed" ] || echo "other flags or tools ($what) than before: compiled again:$removed" >&2
mkdir -p "$build"
printf '%s\n' "$now" >"$stamp.new"
mv "$stamp.new" "$stamp"
