#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""The files of a hardware block: writes those of a new one, prints those of any, says which are missing.

  new_block.py l1/line_filter              write them: a block that holds one word, and passes lint, lockstep and its proofs
  new_block.py --files l1/mrpb             print the list, each file with what it is for
  new_block.py --missing l1/mrpb l1/bpg    a line for each that is not there; exit code 1 if there is one

FILES below is the only list. A new block begins as scripts/skeleton with its own name.
"""
import os
import re
import shutil
import sys

from warpmem.tools.block_table import TABLE, area_sets
from warpmem.tools.house import BadInput, Parser, command, read, run_tool, write_whole

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
SKELETON = "scripts/skeleton"
FILES = (
    ("cmodel/{}_ports.h", "parameters, their sets, ports: C and Verilog follow this list"),
    ("cmodel/{}.h", "its behaviour cycle by cycle, with its source; the state, and init, comb, step, quiet"),
    ("cmodel/{}.c", "these functions"),
    ("cmodel/{}_block.c", "makes them a struct block: three lines"),
    ("rtl/{}.v", "the Verilog twin"),
    ("tb/{}_test.c", "unit tests; random stimulus and the points that it must reach"),
    ("tb/{}_props.v", "properties"),
    ("tb/{}.tests", "proofs, points, planted errors, runs (docs/lockstep.md)"),
    ("waves/{}.gtkw", "the view that make waves shows, made from the port list; primitives of common/ have none"),
)
ROW = '''    B({}, {}, paper, PART, "", \\
      "holds one word between two channels", "a block around it", false)'''


def files_of(block):
    return {path.format(block): use for path, use in FILES if not (block.startswith("common/") and path.startswith("waves/"))}


def missing_of(block):
    return [path for path in files_of(block) if not os.path.exists(path)] + ([] if block in area_sets() else [f"its row in {TABLE}"])


def places():
    """Folders that have a twin."""
    return sorted(name for name in os.listdir("rtl") if os.path.isdir(f"rtl/{name}") and os.path.isdir(f"cmodel/{name}"))


def check_name(block):
    place, _, name = block.partition("/")
    if not re.fullmatch(r"[a-z]\w*/[a-z][a-z0-9_]*", block):
        raise BadInput(f"BLOCK={block}: must be PLACE/NAME in small letters, as l1/line_filter")
    if place not in places():
        raise BadInput(f"BLOCK={block}: the place must be one of {', '.join(places())}, which have folders in cmodel/ and in rtl/")
    for where in ("cmodel", "rtl"):
        for folder in sorted(os.listdir(where)):
            for ending in (".h", ".v", "_ports.h"):
                if os.path.exists(f"{where}/{folder}/{name}{ending}"):
                    raise BadInput(f"BLOCK={block}: {where}/{folder}/{name}{ending} has this name already")
    there = [path for path in files_of(block) if os.path.exists(path)]
    if there:
        raise BadInput(f"BLOCK={block}: {there[0]} is there already")


def with_row(table, place, name):
    """The table with one row more, the last of its place."""
    begin, end = table.index("    B("), table.index("\n\n/* clang-format on */")
    rows = re.split(r" \\\n(?=    B\()", table[begin:end])
    mine = [at for at, row in enumerate(rows) if row.startswith(f"    B({place},")]
    rows.insert(mine[-1] + 1 if mine else len(rows), ROW.format(place, name))
    return table[:begin] + " \\\n".join(rows) + table[end:]


def write_new(block):
    check_name(block)
    place, _, name = block.partition("/")
    for path in files_of(block):
        if path.startswith("waves/"):
            continue
        text = read(os.path.join(SKELETON, os.path.basename(path).replace(name, "skeleton", 1)))
        for old, new in (("SKELETON", name.upper()), ("skeleton", name), ("PLACE_", f"{place.upper()}_"), ("place/", f"{place}/"),
                         ("DEFINE(place,", f"DEFINE({place},")):
            text = text.replace(old, new)
        write_whole(path, text if place != "common" else re.sub(r"//  +waves/.*\n", "", text))
    write_whole(TABLE, with_row(read(TABLE), place, name))
    if shutil.which("clang-format"):
        command(["clang-format", "-i", *(path for path in files_of(block) if path.endswith((".c", ".h")))])
    if place != "common":
        command(["cosim/view.py", "--block", block])
    print("\n".join(f"wrote  {path}" for path in [*files_of(block), f"its row in {TABLE}"]))
    print(f"next   make lint-rtl block-tests formal BLOCK={block}; then make it yours (CONTRIBUTING.md, Block)")


def main(arguments):
    parser = Parser("new_block", __doc__)
    parser.add_argument("blocks", nargs="+", metavar="PLACE/NAME")
    parser.add_argument("--files", action="store_true", help="print the list")
    parser.add_argument("--missing", action="store_true", help="print what is missing")
    options = parser.parse_args(arguments)
    lines = 0
    for block in options.blocks:
        if options.files:
            print("\n".join(f"{path:45s} {use}" for path, use in files_of(block).items()))
        elif options.missing:
            for path in missing_of(block):
                print(f"{block}: missing {path}", file=sys.stderr)
                lines += 1
        else:
            write_new(block)
    return 1 if lines else 0


if __name__ == "__main__":
    os.chdir(ROOT)
    run_tool("new_block", main)
