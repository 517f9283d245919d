#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""GTKWave views of the blocks, made from their port lists (make waves-views).

A view is waves/PLACE/BLOCK.gtkw: the block's ports at its first parameter set, an output's C value above the Verilog's. Lines at
its top that begin with "[*]" are written by a person, and stay:
  [*] any text
  [*] -heading | ports     a group of rows; ports are names or patterns, name[0:3] are the first elements of a vector; with name[#]
                           the group is repeated for each element, whose number replaces # in the heading
Views of rtl/top are written by hand, because no list has its ports. Ports that no group names follow, a group for each channel. Numbers are decimal, masks binary, all else is hexadecimal; name:dec,
name:bin and name:hex say otherwise.
"""
import argparse
import fnmatch
import glob
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FORMS = {"bin": "@28", "dec": "@24", "hex": "@22"}
MOST_REGISTERS = 80  # more than anyone looks at; the dump has them all


class Port:
    def __init__(self, name, way, count, bits, expression):
        self.name, self.way, self.bits = name, way, int(bits)
        self.elements = [name] if count == "0" else [f"{name}[{element}]" for element in range(int(count))]
        number = "clog2(" in expression or (expression.isdigit() and expression != "1")
        self.form = "dec" if number else "hex" if "_BITS" in expression else "bin"

    def rows(self, element, form):
        wide = "" if self.bits == 1 else f"[{self.bits - 1}:0]"
        if self.way == "i":
            return [FORMS[form], f"top.in.{element}{wide}"]
        return [line for color, side in ((4, "c"), (3, "rtl"))
                for line in (f"[color] {color}", FORMS[form], f"+{{{side} {element}}} top.{side}.{element}{wide}")]


def port_lists(blocks, set_name=""):
    """{block: its ports} at a parameter set, or the first one. The compiler works out how wide they are."""
    text = ["#include <stdio.h>", "#include <string.h>", "#define SET(label, ...) if (!(set_name)[0] || !strcmp(#label, set_name)) {"
            " if (!known++) { v = (__typeof__(v)){__VA_ARGS__}; } }", "#define X(kind, ...) X_##kind(__VA_ARGS__)"]
    for kind in ("IN", "IN_LATE", "IN_WIDE", "OUT", "OUT_WIDE"):
        text.append(f"#define X_{kind}(type, name, bits, ...) SAY({kind[0]}, name, 0, bits)")
    for kind in ("IN_VEC", "OUT_VEC"):
        text.append(f"#define X_{kind}(type, max, name, count, bits, ...) SAY({kind[0]}, name, count, bits)")
    text += ["#define I \"i\"", "#define O \"o\"", "#define SAY(way, name, count, bits) SAY_(way, name, count, bits, #bits)",
             '#define SAY_(way, name, count, bits, text) printf("%s " #name "_%s %s %u %u %s\\n", block, way, way, (unsigned)(count), '
             '(unsigned)(bits), text);']
    text += [f'#include "{block}_ports.h"' for block in blocks]
    text.append("int main(void) { const char *set_name = \"" + set_name + "\";")
    for block in blocks:
        short = os.path.basename(block)
        text.append(f'{{ struct {short}_params v; const struct {short}_params *p = &v; const char *block = "{block}"; int known = 0;'
                    f' {short.upper()}_SETS(SET) if (known) {{ {short.upper()}_PORTS(X) }} }}')
    text.append("return 0; }")
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "ports.c"), os.path.join(folder, "ports")
        with open(source, "w", encoding="utf-8") as file:
            file.write("\n".join(text) + "\n")
        subprocess.run(["gcc", "-w", "-I", os.path.join(ROOT, "cmodel"), source, "-o", program], check=True)
        said = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    lists = {block: [] for block in blocks}
    for line in said.splitlines():
        block, name, way, count, bits, expression = line.split(" ", 5)
        lists[block].append(Port(name, way, count, bits, expression))
    return lists


def groups_of(hand, ports):
    """(heading, words) of each group: those of a person, and a channel each of the other ports."""
    groups = [(heading.strip(), words.split()) for heading, _, words in (line.partition("|") for line in hand)]
    named = [re.sub(r"[:[].*", "", word) for _, words in groups for word in words]
    rest = {}
    for port in ports:
        if port.name != "rst_i" and not any(fnmatch.fnmatchcase(port.name, pattern) for pattern in named):
            rest.setdefault(port.name.split("_")[0], []).append(port.name)
    return groups + list(rest.items())


def repeated(heading, words, ports):
    """The group, or with [#] one for each element."""
    most = max((len(port.elements) for port in ports if any(word.startswith(port.name + "[#]") for word in words)), default=0)
    if not most:
        return [(heading, words)]
    return [(heading.replace("#", str(at)), [word.replace("[#]", f"[{at}:{at}]") for word in words]) for at in range(most)]


def elements_of(word, ports):
    """(port, element, form) of a word of a group."""
    pattern, first, last, form = re.fullmatch(r"([^[:]+)(?:\[(\d+):(\d+)\])?(?::(\w+))?", word).groups()
    return [(port, element, form or port.form) for port in ports if fnmatch.fnmatchcase(port.name, pattern)
            for element in port.elements[int(first or 0):int(last) + 1 if last else None]]


def view(hand, ports):
    """Text of a view. hand: its lines by a person, without [*]."""
    lines = [f"[*] {line}" for line in hand]
    lines += ["[timestart] 0", "[signals_width] 260", "@28", "top.clk", "@24", "top.cycle[63:0]", "@28", "[color] 2", "top.rests",
              "@28", "[color] 1", "top.differs"]
    for port in ports:
        if port.name == "rst_i":
            lines += port.rows(port.name, port.form)
    shown = set()
    for group in groups_of([line[1:] for line in hand if line.startswith("-")], ports):
        for heading, words in repeated(*group, ports):
            lines += ["@200", "-", f"-{heading}"]
            for port, element, form in (found for word in words for found in elements_of(word, ports)):
                if element not in shown:
                    lines += port.rows(element, form)
                    shown.add(element)
    lines += ["@200", "-", "-1: C and Verilog differ"]
    for port in ports:
        if port.way == "o":
            lines += ["[color] 1", "@28", f"top.differ.{port.name}"]
    return "\n".join(lines) + "\n"


def registers(signals):
    """Rows of the registers that the dump has of the Verilog. signals: as `wavejoin --list` prints them."""
    found = list(dict.fromkeys(tuple(line.split()) for line in signals if re.match(r"rtl\..*_q(\[\d+\])?\t", line)))
    lines = ["@200", "-", "-registers of the Verilog"] if found else []
    for name, bits in found[:MOST_REGISTERS]:
        short = re.sub(r"^rtl\.[^.]*\.", "", name)
        lines += [FORMS["bin" if bits == "1" else "hex"], f"+{{{short}}} {name}{'' if bits == '1' else f'[{int(bits) - 1}:0]'}"]
    if len(found) > MOST_REGISTERS:
        lines += ["@200", f"-... and {len(found) - MOST_REGISTERS} more in rtl"]
    return "".join(line + "\n" for line in lines)


def saved(block):
    return os.path.join(ROOT, "waves", f"{block}.gtkw")


def hand_of(block):
    """The lines of a person in the block's view, if there is one."""
    if not os.path.exists(saved(block)):
        return []
    with open(saved(block), encoding="utf-8") as file:
        return [line[4:].rstrip("\n") for line in file if line.startswith("[*] ")]


def main(arguments):
    parser = argparse.ArgumentParser("view", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--block", metavar="PLACE/NAME", help="only this one (all that have a view)")
    parser.add_argument("--check", action="store_true", help="write nothing; say which views are not what they would be")
    parser.add_argument("--set", help="print the block's view at this parameter set instead")
    parser.add_argument("--signals", type=argparse.FileType(encoding="utf-8"), help="the same with the registers among these")
    options = parser.parse_args(arguments)
    blocks = [options.block] if options.block else \
        sorted(path.removesuffix(".gtkw") for path in glob.glob("*/*.gtkw", root_dir=os.path.join(ROOT, "waves"))
               if not path.startswith("top/"))
    lists, code = port_lists(blocks, options.set or ""), 0
    for block in blocks:
        text = view(hand_of(block), lists[block])
        if options.set:
            sys.stdout.write(text + registers(options.signals or ()))
            continue
        path = saved(block)
        there = ""
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                there = file.read()
        if there == text:
            continue
        if options.check:
            print(f"{os.path.relpath(path, ROOT)}: is not what the port list gives: make waves-views", file=sys.stderr)
            code = 1
            continue
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        print(f"wrote {os.path.relpath(path, ROOT)}")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
