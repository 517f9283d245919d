#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Prints the Verilog files that a hardware block consists of, a line each: make rtl-files BLOCK=l1/mrpb.

They are for a design or testbench of one's own. File names lack the wm_ of the modules, so that a tool does not find them with -y.
"""
import glob
import os
import re

from warpmem.tools.block_table import area_sets, tops
from warpmem.tools.house import Parser, read, run_tool
from warpmem.tools.modules import parts_of

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def files_of(block):
    """Headers that they include first, then those of rtl/common."""
    own = [f"rtl/{block}.v", *parts_of(f"rtl/{block}.v")]
    common, ahead = [], list(own)
    while ahead:
        text = re.sub(r"//[^\n]*", "", read(ahead.pop()))
        for name in sorted(set(re.findall(r"\bwm_(\w+)\b", text))):
            path = f"rtl/common/{name}.v"
            if os.path.exists(path) and path not in (*own, *common):
                common.append(path)
                ahead.append(path)
    headers = [path for path in sorted(glob.glob("rtl/common/*.vh")) if any(f'`include "{os.path.basename(path)}"' in read(file)
                                                                            for file in (*own, *common))]
    return [*headers, *sorted(common), *sorted(own)]


def print_files(arguments):
    parser = Parser("rtl_files", __doc__)
    parser.add_argument("block", choices=[*area_sets(), *tops()], metavar="PLACE/NAME", help="the block, or top/NAME")
    print("\n".join(files_of(parser.parse_args(arguments).block)))
    return 0


if __name__ == "__main__":
    os.chdir(ROOT)
    run_tool("rtl_files", print_files, own_codes=True)
