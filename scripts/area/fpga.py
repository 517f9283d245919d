# SPDX-License-Identifier: Apache-2.0
"""FPGA resources of the hardware blocks: LUTs, flip-flops, block RAMs and the rest, as Yosys counts them.

Each block, with the parameters that `make area` measures, is mapped to Lattice ECP5, Xilinx 7 and Lattice iCE40, without I/O
and clock buffers, and its cells are counted. Nothing is placed or routed, so there is no clock, and a block may be larger
than any device. A memory that must be one and became flip-flops fails. Results go to BUILD/area/fpga.tsv and fpga.json; what
was counted once is kept, and is not counted again until the block, the parameters or the tools change.
"""
import collections
import dataclasses
import glob
import json
import os
import re
import time

from area import memory, synthesis
from area.blocks import OPTION, text_of, top_of, wanted
from warpmem.tools.house import (Parser, ToolFailed, aligned, files_beside, hash_files, hash_of, hash_of_program, only_one,
                                 program, run_tool, tsv, write_whole)
from warpmem.tools.work import Progress, in_parallel, keep, kept_result

WRAPPER = "rtl/common/sram_1r1w.v"

COLUMNS = {
    "block": "place/name",
    "parameters": "of the set that was counted",
    "family": "of FPGAs",
    "luts": "look-up tables, of 4 inputs, in xc7 of up to 6",
    "flip_flops": "bits in flip-flops and latches",
    "block_rams": "cells of block RAM",
    "block_ram_kbits": "what these cells hold, used or not",
    "lut_rams": "cells of memory in LUTs",
    "carries": "cells of carry chains",
    "wide_muxes": "cells that join LUTs to larger ones",
    "multipliers": "cells of multipliers",
    "sram_bits": "bits of the block's memories",
    "memories": "what these became",
}
COUNTED = ("luts", "flip_flops", "block_rams", "lut_rams", "carries", "wide_muxes", "multipliers")


@dataclasses.dataclass
class Family:
    """files: Yosys's own for it. command: without buffers at the ports. kinds: COUNTED by the cells' names, in full.
    kbits: of a cell of block RAM. least_words: Yosys makes flip-flops of a shallower memory."""
    name: str
    files: str
    command: str
    kinds: dict
    kbits: dict
    least_words: int = 2

    def kind_of(self, cell):
        return next((kind for kind, pattern in self.kinds.items() if re.fullmatch(pattern, cell)), None)


FAMILIES = {
    "ecp5": Family("Lattice ECP5", "ecp5", "synth_ecp5", {
        "luts": "LUT4", "flip_flops": "TRELLIS_FF", "block_rams": "DP16KD|PDPW16KD", "lut_rams": "TRELLIS_DPR16X4",
        "carries": "CCU2C", "wide_muxes": "PFUMX|L6MUX21", "multipliers": "MULT18X18D|ALU54B"}, {"DP16KD": 18, "PDPW16KD": 18}),
    "xc7": Family("Xilinx 7", "xilinx", "synth_xilinx -family xc7 -flatten -noiopad -noclkbuf", {
        "luts": "LUT[1-6]|INV", "flip_flops": "FD[RSCP]E(_1)?|LD[CP]E", "block_rams": "RAMB(18|36)E1",
        "lut_rams": r"RAM\d+(M|X\d+[SD](_1)?)|SRL16E|SRLC32E", "carries": "CARRY4", "wide_muxes": "MUXF[78]",
        "multipliers": "DSP48E1"}, {"RAMB18E1": 18, "RAMB36E1": 36}),
    "ice40": Family("Lattice iCE40", "ice40", "synth_ice40", {
        "luts": "SB_LUT4", "flip_flops": r"SB_DFF\w*", "block_rams": "SB_RAM40_4K(NR|NW|NRNW)?", "lut_rams": r"(?!)",
        "carries": "SB_CARRY", "wide_muxes": r"(?!)", "multipliers": "SB_MAC16"},
        # It has no RAM in LUTs, and its block RAM has 256 words or more: 4 words of 1120 bits would take 70 of them.
        {"SB_RAM40_4K": 4, "SB_RAM40_4KNR": 4, "SB_RAM40_4KNW": 4, "SB_RAM40_4KNRNW": 4}, 8),
}

# memory_libmap's log, and what the names in it mean.
MAPPED = re.compile(r"^(?:mapping|using FF mapping for) memory [^\s.]+\.(\S+?)(?: via (\S+))?$", re.M)
MADE_OF = {"$__ECP5_DP16KD_": "block RAM", "$__ECP5_PDPW16KD_": "block RAM", "$__TRELLIS_DPR16X4_": "LUT RAM",
           "$__XILINX_BLOCKRAM_TDP_": "block RAM", "$__XILINX_BLOCKRAM_SDP_": "block RAM",
           "$__ICE40_RAM4K_": "block RAM", **{f"$__XILINX_LUTRAM_{kind}_": "LUT RAM"
                                             for kind in ("SP", "DP", "QP", "OP", "SDP", "64X8SW")}, "": "flip-flops"}


def parse(arguments):
    parser = Parser("area-fpga", __doc__)
    parser.add_build("folder for area/fpga.tsv, fpga.json and the logs (build)")
    parser.add_argument("--block", action="append", help=OPTION)
    parser.add_argument("--family", action="append", choices=FAMILIES, help="only this family (all)")
    parser.add_jobs()
    return parser.parse_args(arguments)


def commands(family, top, parameters, instances, found):
    """The wrapper says that a word read while it is written is undefined: no logic has to make it the old one."""
    undefined = ["setattr -set no_rw_check 1 *wm_sram_1r1w*/m:words"] if instances else []
    return [f"read_verilog {' '.join([*synthesis.sources(top), WRAPPER])}", synthesis.hierarchy(top, parameters), *undefined,
            f"{family.command} -top {top}", f"tee -o {found} stat -json"]


def memories_of(family, instances, mapped, block):
    """For each memory what it became, equal ones together, and those that must not be so. @mapped: where by name."""
    became, wrong = collections.Counter(), []
    for name, size in instances.items():
        where = mapped.get(f"{name}.words" if name else "words")
        if where not in MADE_OF:
            raise ToolFailed(f"{block}: Yosys does not say what it made of the memory {name or block}"
                             + (f" but {where}" if where else ""))
        became[size, MADE_OF[where]] += 1
        if size.is_macro and size.words >= family.least_words and MADE_OF[where] == "flip-flops":
            wrong.append(f"{name or 'it'}, {size.words} x {size.bits} bits,")
    parts = sorted(became.items(), key=lambda item: (item[0][0].words, item[0][0].bits, item[0][1]))
    return [{"count": count, "words": size.words, "bits": size.bits, "of": kind} for (size, kind), count in parts], wrong


def count(family, cells, block):
    """COUNTED of those cells, and kbits of block RAM."""
    row = dict.fromkeys(COUNTED, 0)
    for cell, much in cells.items():
        kind = family.kind_of(cell)
        if kind is None:
            raise ToolFailed(f"{block}: {family.name} has {much} cells {cell}, of which is not known what they are")
        row[kind] += much
    row["block_ram_kbits"] = sum(family.kbits.get(cell, 0) * much for cell, much in cells.items())
    return row


def said_by_yosys(name, block, parameters, folder):
    """({cells, mapped, instances}, whether it ran for it). It is kept as it came; what it means is worked out each time."""
    family, top = FAMILIES[name], top_of(block)
    share = os.path.join(os.path.dirname(os.path.dirname(program("yosys"))), "share", "yosys", family.files)
    key = hash_of(*commands(family, top, parameters, True, "stat.json"), hash_of_program("yosys"), hash_of_program("yosys-abc"),
                  hash_files([WRAPPER, *synthesis.sources(top), *filter(os.path.isfile, glob.glob(share + "/**", recursive=True)),
                              *files_beside(__file__, "synthesis.py", "memory.py")]))
    work = os.path.join(folder, "fpga", block, name, re.sub(r"[A-Z_0-9]+=", "-", text_of(parameters)).replace(" ", "")[1:])
    result = kept_result(os.path.join(work, "result.json"), key)
    if result is not None:
        return result, False
    os.makedirs(work, exist_ok=True)
    begun = time.monotonic()
    instances = synthesis.memories(top, parameters, work)
    found = os.path.join(work, "stat.json")
    log = synthesis.yosys(commands(family, top, parameters, instances, found), work, "fpga", f"{block} for {family.name}")
    with open(found, encoding="utf-8") as file:
        cells = json.load(file)["design"]["num_cells_by_type"]
    with open(log, encoding="utf-8", errors="replace") as file:
        mapped = dict(MAPPED.findall(file.read()))
    result = {"cells": dict(sorted(cells.items())), "mapped": mapped, "seconds": round(time.monotonic() - begun, 1),
              "instances": {instance: [size.words, size.bits] for instance, size in instances.items()}}
    keep(os.path.join(work, "result.json"), key, result)
    return result, True


def measure(name, block, parameters, folder):
    """(row, whether Yosys ran for it)."""
    said, ran = said_by_yosys(name, block, parameters, folder)
    instances = {instance: memory.Size(*size) for instance, size in said["instances"].items()}
    became, wrong = memories_of(FAMILIES[name], instances, said["mapped"], block)
    return {"block": block, "parameters": text_of(parameters), "family": name, **count(FAMILIES[name], said["cells"], block),
            "sram_bits": sum(size.words * size.bits for size in instances.values()), "memories": became,
            "cells": said["cells"], "wrong": wrong, "seconds": said["seconds"]}, ran


def measure_all(families, blocks, folder, jobs):
    work = [(family, block, parameters) for block, parameters in blocks for family in families]
    progress, rows = Progress("area-fpga", range(len(work)), jobs), {}
    for at, (row, worked) in in_parallel(lambda at: measure(*work[at], folder), range(len(work)), jobs):
        rows[at] = row
        progress.step(at, row["seconds"], worked)
    return [rows[at] for at in range(len(work))]


def _memories_text(row):
    return ", ".join((f"{m['count']} of " if m["count"] > 1 else "") + f"{m['words']} x {m['bits']}: {m['of']}"
                     for m in row["memories"])


def cells_of(row, columns):
    return [_memories_text(row) if key == "memories" else str(row[key]) for key in columns]


def text_table(rows):
    shown = {"block": "block", "family": "FPGA", "luts": "LUTs", "flip_flops": "flip-flops", "block_rams": "block RAMs",
             "lut_rams": "LUT RAMs", "carries": "carries", "wide_muxes": "wide muxes", "multipliers": "multipliers",
             "memories": "memories"}
    lines = aligned([list(shown.values()), *(cells_of(row, shown) for row in rows)], (0, 1, len(shown) - 1))
    return "\n".join(lines)


def main(arguments):
    arguments = parse(arguments)
    folder = os.path.join(arguments.build, "area")
    families = [name for name in FAMILIES if name in (arguments.family or FAMILIES)]
    blocks = list(wanted(arguments.block))
    lock = only_one(os.path.join(folder, "fpga"), "make area-fpga")  # make area may be at work beside it
    version = synthesis.run(["yosys", "-V"], os.path.join(folder, "yosys_version.txt"), "yosys").strip()
    rows = measure_all(families, blocks, folder, arguments.jobs)
    for block, parameters in blocks:
        mine = [row for row in rows if (row["block"], row["parameters"]) == (block, text_of(parameters))]
        write_whole(os.path.join(folder, "fpga", block, "fpga.json"), json.dumps(mine, indent=1) + "\n")
    print(text_table(rows))
    print()
    for block, parameters in blocks:
        print(f"{block}: {text_of(parameters)}")
    print(f"""
{version}. Counted, not placed or routed: no clock, no I/O and clock buffers. LUTs are as ABC finds them
for one numbering of the cells; another one, from other files read before, can give a third more or less. A LUT has
4 inputs, in xc7 up to 6.""")
    for name in families:
        print(f"{name}: {FAMILIES[name].name}, {FAMILIES[name].command}")
    print(f"Written: {folder}/fpga/PLACE/BLOCK/fpga.json, FAMILY/*/fpga.log")
    if not arguments.block and not arguments.family:
        write_whole(os.path.join(folder, "fpga.tsv"), tsv([COLUMNS, *(cells_of(row, COLUMNS) for row in rows)]))
        write_whole(os.path.join(folder, "fpga.json"), json.dumps(
            {"tool": version, "columns": COLUMNS, "rows": rows}, indent=1) + "\n")
        print(f"Written: {folder}/fpga.tsv, {folder}/fpga.json")
    wrong = [f"{row['block']} for {row['family']}: the memory {name}" for row in rows for name in row["wrong"]]
    if wrong:
        raise ToolFailed(f"{'; '.join(wrong)} became flip-flops; from {memory.MACRO_BITS_MIN} bits on it must be a RAM")
    lock.close()


if __name__ == "__main__":
    run_tool("area-fpga", main)
