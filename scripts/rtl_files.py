#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Prints the Verilog files that a hardware block consists of, a line each: make rtl-files BLOCK=l1/mrpb.

They are for a design or testbench of one's own. File names lack the wm_ of the modules, so that a tool does not find them with -y.
"""
import os
import re

from warpmem.tools.block_table import area_sets
from warpmem.tools.house import Parser, run_tool
from warpmem.tools.modules import parts_of

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def files_of(block):
    """Those of rtl/common first."""
    own = [f"rtl/{block}.v", *parts_of(f"rtl/{block}.v")]
    common, ahead = [], list(own)
    while ahead:
        with open(ahead.pop(), encoding="utf-8") as file:
            text = re.sub(r"//[^\n]*", "", file.read())
        for name in sorted(set(re.findall(r"\bwm_(\w+)\b", text))):
            path = f"rtl/common/{name}.v"
            if os.path.exists(path) and path not in (*own, *common):
                common.append(path)
                ahead.append(path)
    return [*sorted(common), *sorted(own)]


def print_files(arguments):
    parser = Parser("rtl_files", __doc__)
    parser.add_argument("block", choices=list(area_sets()), metavar="PLACE/NAME", help="the block")
    print("\n".join(files_of(parser.parse_args(arguments).block)))
    return 0


if __name__ == "__main__":
    os.chdir(ROOT)
    run_tool("rtl_files", print_files, own_codes=True)
