#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A picture of a wave file, made without a display.
#
#   scripts/wave_png.sh FST GTKW PNG [FROM TO]
#
# FST        the dump
# GTKW       a saved GTKWave view: which signals, in which groups
# PNG        the picture to write
# FROM TO    times in the dump's unit (ns for warpmem's: 10 a cycle); default: all of it
# SIZE=WxH   of the picture; without H as high as the rows of the view (default 1600x)
set -eu

if [ $# -ne 3 ] && [ $# -ne 5 ]; then
    echo "usage: scripts/wave_png.sh FST GTKW PNG [FROM TO]" >&2
    exit 2
fi
for file in "$1" "$2"; do
    if [ ! -r "$file" ]; then
        echo "wave_png: $file: cannot read" >&2
        exit 2
    fi
done
for number in "${4:-0}" "${5:-0}"; do
    case $number in
    *[!0-9]* | '')
        echo "wave_png: \"$number\" is no time" >&2
        exit 2
        ;;
    esac
done
# A signal, a comment and a blank are a row each of 22 pixels; 150 are around them.
rows=$(grep -c '^[^[@*]' "$2" || true)
height=$((rows * 22 + 150))
SIZE=${SIZE:-1600x}
case $SIZE in
*x) SIZE=$SIZE$((height < 400 ? 400 : height > 16000 ? 16000 : height)) ;;
esac
case $1 in
*.fst) ;;
*)
    echo "wave_png: $1: GTKWave knows a dump by its name, which must end in .fst" >&2
    exit 2
    ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 2' INT TERM
{
    if [ $# -eq 5 ]; then
        echo "gtkwave::setZoomRangeTimes $4 $5"
    else
        echo 'gtkwave::/Time/Zoom/Zoom_Full'
    fi
    echo "gtkwave::/File/Grab_To_File $work/grab.png"
    echo 'gtkwave::/File/Quit'
} >"$work/grab.tcl"

# No settings of the person who runs this: the picture is the same everywhere. GTKWave ends itself; the time limit is
# for the case that it cannot.
{
    echo 'fontname_signals Monospace 11'
    echo 'fontname_waves Monospace 11'
    echo 'splash_disable 1'
    echo 'hide_sst 1'
    echo "initial_window_x ${SIZE%x*}"
    echo "initial_window_y ${SIZE#*x}"
} >"$work/gtkwaverc"
if ! HOME=$work timeout 60 xvfb-run -a -s "-screen 0 $((${SIZE%x*} + 100))x$((${SIZE#*x} + 200))x24" \
    gtkwave -r "$work/gtkwaverc" -S "$work/grab.tcl" "$1" "$2" >"$work/log" 2>&1 || [ ! -s "$work/grab.png" ]; then
    echo "wave_png: GTKWave made no picture of $1:" >&2
    tail -n 5 "$work/log" >&2
    exit 1
fi
mv "$work/grab.png" "$3"
