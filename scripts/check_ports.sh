#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Does a block's Verilog have the ports that its port list says?
#
#   scripts/check_ports.sh NAME PORTS VERILOG
#
# NAME   what the messages call it, "l1/mrpb small"
# PORTS  what the list says, lines of "input NAME_i BITS", "output NAME_o BITS", "param NAME VALUE"; what follows is not
#        looked at (cosim/describe.c)
# VERILOG  what the Verilog says: the .xml of verilator --xml-only, with the parameters; or the .h of the class that Verilator
#        has made anyway, with the ports alone
#
# Prints each difference on a line; exit code 1 if there is one, 2 for unusable files. clk_i may be absent: a
# combinational block has none. "param" lines compare defaults; parameters that only the Verilog has are derived ones.
set -u

if [ $# -ne 3 ]; then
    echo "usage: scripts/check_ports.sh NAME PORTS VERILOG" >&2
    exit 2
fi
for file in "$2" "$3"; do
    if [ ! -s "$file" ]; then
        echo "check_ports: $file: cannot read, or empty" >&2
        exit 2
    fi
done

awk -v what="$1" '
function attribute(line, name,    at, rest) {
    at = index(line, " " name "=\"")
    if (!at) return ""
    rest = substr(line, at + length(name) + 3)
    return substr(rest, 1, index(rest, "\"") - 1)
}
function hex(text,    i, value) {
    value = 0
    for (i = 1; i <= length(text); i++)
        value = value * 16 + index("0123456789abcdef", tolower(substr(text, i, 1))) - 1
    return value
}
function complain(text) {
    print "check_ports " what ": " text
    wrong = 1
}
# the list
FNR == NR && $1 == "param" { default_of[$2] = $3; params++; next }
FNR == NR && $1 != "input" && $1 != "output" { next }
FNR == NR { direction[$2] = $1; width[$2] = $3; order[++listed] = $2; next }
# the Verilog: the ports of the top module, and every type
/<module / { top = attribute($0, "topModule") == "1" }
/<\/module>/ { top = 0 }
top && /<var / && attribute($0, "param") == "true" { param = attribute($0, "name"); next }
top && param != "" && /<const / {
    value = attribute($0, "name")
    sub(/^.*&apos;s?h/, "", value)
    found_default[param] = hex(value)
    param = ""
}
top && /<var / && attribute($0, "pinIndex") != "" {
    name = attribute($0, "name")
    found[name] = attribute($0, "dir")
    type[name] = attribute($0, "dtype_id")
    ports++
}
/<basicdtype / {
    id = attribute($0, "id")
    left = attribute($0, "left"); right = attribute($0, "right")
    bits[id] = left == "" ? 1 : (left > right ? left - right : right - left) + 1
}
# the same in a Verilated class: VL_IN8(&name,left,right), of several words VL_INW(&name,left,right,words)
/^ *VL_(IN|OUT)[0-9W]*\(&/ {
    split($0, port, /[(&,)]+/)
    found[port[2]] = port[1] ~ /VL_IN/ ? "input" : "output"
    type[port[2]] = "class " port[2]
    bits[type[port[2]]] = port[3] - port[4] + 1
    ports++
}
END {
    if (!listed || !ports) {
        print "check_ports " what ": no ports found in " (listed ? "the Verilog" : "the list") > "/dev/stderr"
        exit 2
    }
    for (i = 1; i <= listed; i++) {
        name = order[i]
        other = name
        sub(/_i$/, "_x", other); sub(/_o$/, "_i", other); sub(/_x$/, "_o", other)
        if (!(name in found))
            complain("the list has " direction[name] " " name ", the Verilog has not" \
                     (other in found ? " (it has " other ": wrong direction?)" : ""))
        else if (found[name] != direction[name])
            complain(name " is " direction[name] " in the list, " found[name] " in the Verilog")
        else if (bits[type[name]] != width[name])
            complain(name " has " width[name] " bits in the list, " bits[type[name]] " in the Verilog")
    }
    for (name in found)
        if (name == "clk_i" ? found[name] != "input" || bits[type[name]] != 1 : !(name in direction))
            complain("the Verilog has " found[name] " " name ", the list has not")
    for (name in default_of)
        if (!(name in found_default))
            complain("the list has parameter " name ", the Verilog has not")
        else if (found_default[name] != default_of[name])
            complain(name " is " default_of[name] " by default in the list, " found_default[name] " in the Verilog")
    exit wrong
}' "$2" "$3"
