#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A GTKWave view of a block for one parameter set: its ports, and the registers of its Verilog.
#
#   cosim/view.sh PORTS SIGNALS [SAVED.gtkw] >VIEW.gtkw
#
# PORTS       lines of "input NAME_i BITS" and "output NAME_o BITS", and a vector's elements
#             (build/rtl/<place>/<block>/<set>/ports.txt)
# SIGNALS     of the dump, as `wavejoin --list` prints them: registers end with _q below rtl. /dev/null: only ports
# SAVED.gtkw  a view made by a person with another set: its ranges are made those of this set, as GTKWave finds no
#             enq_queue_i[5:0] where there is enq_queue_i[1:0]. Without it: all ports, one below the other
set -eu
if [ $# -lt 2 ] || [ $# -gt 3 ]; then
    echo "usage: cosim/view.sh PORTS SIGNALS [SAVED.gtkw]" >&2
    exit 2
fi
# More than anyone looks at; the dump has them all.
registers() {
    awk -F '\t' -v most=80 '
    $1 ~ /^rtl\..*_q(\[[0-9]+\])?$/ && !seen[$1]++ {
        if (!count) print "@200\n-\n-registers of the Verilog"
        if (++count > most) next
        name = $1
        sub(/^rtl\.[^.]*\./, "", name)
        print ($2 == 1 ? "@28" : "@22")
        print "+{" name "} " $1 ($2 == 1 ? "" : "[" $2 - 1 ":0]")
    }
    END { if (count > most) print "@200\n-... and " count - most " more in rtl" }' "$1"
}
if [ $# -eq 3 ]; then
    awk '
    FNR == NR { bits[$2] = NF > 3 ? $3 / $4 : $3; next }
    /^([+][{].*[}] )?top\.(in|c|rtl)\.[a-z0-9_]+(\[[0-9]+\])?(\[[0-9]+:0\])?$/ {
        name = $0
        sub(/\[[0-9]+:0\]$/, "", name)
        port = name
        sub(/^.*\./, "", port)
        sub(/\[[0-9]+\]$/, "", port)
        if (port in bits) {
            print name (bits[port] > 1 ? "[" bits[port] - 1 ":0]" : "")
            next
        }
    }
    { print }' "$1" "$3"
    registers "$2"
    exit
fi
awk '
function row(scope, name, bits, color, label) {
    if (color) print "[color] " color
    print bits == 1 ? "@28" : "@22"
    print (label ? "+{" label " " name "} " : "") "top." scope "." name (bits == 1 ? "" : "[" bits - 1 ":0]")
}
function head(text) {
    print "@200"
    print "-"
    print "-" text
}
# a vector is a row an element
$1 == "input" && NF > 3 { for (e = 0; e < $4; e++) { in_name[++ins] = $2 "[" e "]"; in_bits[ins] = $3 / $4 } next }
$1 == "output" && NF > 3 { for (e = 0; e < $4; e++) { out_name[++outs] = $2 "[" e "]"; out_bits[outs] = $3 / $4 } }
$1 == "output" { differ[++differs] = $2 }
$1 == "input" { in_name[++ins] = $2; in_bits[ins] = $3 }
$1 == "output" && NF == 3 { out_name[++outs] = $2; out_bits[outs] = $3 }
END {
    print "[timestart] 0"
    print "[signals_width] 260"
    print "@28"
    print "top.clk"
    print "@24"
    print "top.cycle[63:0]"
    print "[color] 2\n@28\ntop.rests"
    print "[color] 1\n@28\ntop.differs"
    head("inputs")
    for (i = 1; i <= ins; i++) row("in", in_name[i], in_bits[i], 0, "")
    head("outputs: C model above, Verilog below; x: does not count")
    for (i = 1; i <= outs; i++) {
        row("c", out_name[i], out_bits[i], 4, "c")
        row("rtl", out_name[i], out_bits[i], 3, "rtl")
    }
    head("1: they differ")
    for (i = 1; i <= differs; i++) row("differ", differ[i], 1, 1, "")
}' "$1"
registers "$2"
