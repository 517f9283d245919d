#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Cells, flip-flops, SRAM bits, area and clock of the hardware blocks, beside the papers' figures.

Each block goes through Yosys, ABC and OpenSTA with one standard-cell library; memories are macros whose figures come
from CACTI or from recorded CACTI results. What was assumed is printed below the table and in docs/area.md.
"""
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "house"))
import limits  # noqa: E402
import memory  # noqa: E402
import synthesis  # noqa: E402
from blocks import DATA, OPTION, papers_of, text_of, top_of, wanted  # noqa: E402
from house import (BadInput, Parser, ToolFailed, aligned, files_beside, hash_files, hash_of, hash_of_program, number,  # noqa: E402
                   only_one, run_tool, tsv, write_whole)
from liberty import Library  # noqa: E402
from measure import TARGET_GHZ, is_combinational, measure, scale_of  # noqa: E402
from work import Progress, keep, kept_result  # noqa: E402

DEFAULT_LIBERTY = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"

COLUMNS = {
    "block": "place/name",
    "parameters": "of the set that was measured",
    "library": "standard cells",
    "nm": "the library's node",
    "cells": "gates and flip-flops",
    "flip_flops": "bits in flip-flops and latches",
    "sram_bits": "bits in memory macros",
    "sram_kb": "the same in kB of 1024",
    "logic_um2": "area of the cells at the library's node",
    "mhz": "clock at the library's node",
    "critical_path": "what limits it",
    "levels": "gates on it",
    "logic_45nm_mm2": "logic_um2 scaled to 45 nm",
    "sram_45nm_mm2": "its memories with a read and a write port",
    "area_45nm_mm2": "both",
    "sram_split_45nm_mm2": "its memories with one port that is used twice a cycle",
    "area_split_45nm_mm2": "logic and those",
    "ghz_45nm": "clock scaled to 45 nm",
    "sram_1rw_ghz": "clock of such a memory, one access in each cycle",
    "scaling": "from nm to 45 nm",
    "share_of_l1": "sram_split_45nm_mm2 over a 16 KB L1's",
    "sram_source": "where the memory's figures come from",
    "limit": "against the goal: met, known, stale, unknown; - is other cells or parameters than limits.tsv is about",
    "reason": "why the goal is missed",
    "mend": "what would reach it",
}


def parse(arguments):
    parser = Parser("area", __doc__)
    parser.add_build("folder for area/area.tsv and the reports (build)")
    parser.add_argument("--liberty", default=DEFAULT_LIBERTY, help="standard cells (Debian's osu018)")
    parser.add_argument("--node", type=number(1, 1000, "nm"),
                        help="nm of --liberty, where data/area/scaling.tsv does not know it")
    parser.add_argument("--cacti", help="CACTI's executable (recorded results)")
    parser.add_argument("--speed", action="store_true",
                        help="ABC works for speed, at the cost of area; results in area_speed.tsv")
    parser.add_argument("--block", action="append", help=OPTION)
    return parser.parse_args(arguments)


def _figure(value):
    if not isinstance(value, float):
        return str(value)
    return f"{value:.0f}" if value >= 1000 else f"{value:.4g}"


def measured(block, parameters, library, arguments, estimator, work):
    """(row, report, whether it was worked out now). The user's CACTI is always asked, as it reads files of its own."""
    key = hash_of(block, text_of(parameters), str(arguments.node), str(arguments.speed), str(TARGET_GHZ),
                  *map(hash_of_program, ("yosys", "yosys-abc", "sta")), hash_files([
                      library.path, f"rtl/{block}.v", *synthesis.sources(top_of(block)), os.path.join(DATA, "scaling.tsv"),
                      os.path.join(DATA, "cacti.tsv"),
                      *files_beside(__file__, "measure.py", "liberty.py", "memory.py", "synthesis.py", "timing.py")]))
    path = os.path.join(arguments.build, "area", "kept", key + ".json")
    result = None if arguments.cacti else kept_result(path, key)
    if result:
        return result["row"], result["report"], False
    row, report = measure(block, parameters, library, arguments, estimator, work)
    if not arguments.cacti:
        keep(path, key, {"row": row, "report": report})
    return row, report, True


def print_table(rows, beside_papers, for_speed):
    nm = rows[0]["nm"]
    shown = {"block": "block", "cells": "cells", "flip_flops": "flip-flops", "sram_bits": "SRAM bits",
             "logic_um2": f"um2 at {nm} nm", "mhz": "MHz", "levels": "gates", "logic_45nm_mm2": "logic mm2 at 45",
             "sram_split_45nm_mm2": "SRAM 1RW mm2", "sram_45nm_mm2": "SRAM 1R1W mm2", "ghz_45nm": "GHz at 45"}
    print("\n".join(aligned([list(shown.values()), *([_figure(row[key]) for key in shown] for row in rows)])) + "\n")
    for row in rows:
        print(f"{row['block']}: {row['parameters']}; limited by {row['critical_path']}")
    for line in limits.text(rows, TARGET_GHZ):
        print(line)
    papers = [(row, paper) for row in rows for paper in papers_of(row["block"]) if beside_papers]
    for i, (row, paper) in enumerate(papers):
        if i == 0:
            print("\nBeside the papers' figures:")
        ours = row[paper["quantity"]]
        ratio = f", ratio {ours / float(paper['value']):.2f}" if isinstance(ours, float) else ""
        print(f"  {paper['id']:<14} {_figure(ours)} {paper['unit']}, {COLUMNS[paper['quantity']]}")
        print(f"  {'':<14} {paper['paper']} {paper['where']} has {paper['value']}{ratio}: {paper['note']}")
    sources = sorted({row["sram_source"] for row in rows} - {""}) or ["none here"]
    print(f"""
{rows[0]['library']}{', ABC for speed' if for_speed else ''}, typical corner: ideal clock, no wires, inputs come at
the clock edge, outputs may take until the next.
At 45 nm: {rows[0]['scaling']}.
Memories at 45 nm: CACTI ({', '.join(sources)}; ~ is scaled per bit from another size); 1RW has one port that
is used twice a cycle (MRPB 6), 1R1W is what the Verilog instantiates and the clock is of. The goal is
{TARGET_GHZ} GHz at 45 nm, a core cycle of any GPU.""")


def main(arguments):
    arguments = parse(arguments)
    folder = os.path.join(arguments.build, "area")
    table = os.path.join(folder, "area_speed.tsv" if arguments.speed else "area.tsv")
    if len(arguments.liberty.split()) != 1:
        raise BadInput(f"LIBERTY={arguments.liberty}: Yosys and OpenSTA read no path with blanks")
    library = Library(arguments.liberty)
    estimator = memory.Estimator(os.path.join(DATA, "cacti.tsv"), arguments.cacti)
    blocks = list(wanted(arguments.block))
    # Other gates, another CACTI or node move the paths.
    reasons = None if arguments.speed or arguments.cacti or arguments.node else limits.read()
    as_listed = dict(wanted(None))
    for block, _ in blocks:
        scale_of(library, arguments.node, is_combinational(block))  # says so at once if it cannot
    lock = only_one(folder, "make area")
    progress, rows = Progress("area", [text for text, _ in blocks]), []
    for block, parameters in blocks:
        work = os.path.join(folder, block)
        os.makedirs(work, exist_ok=True)
        estimator.work = work
        progress.say(f"; {block} ...")
        row, report, worked = measured(block, parameters, library, arguments, estimator, work)
        row.update(limits.judge(row, reasons, TARGET_GHZ, parameters == as_listed[block]), goal_ghz=TARGET_GHZ)
        write_whole(os.path.join(work, "report.txt"), report)
        write_whole(os.path.join(work, "area.json"), json.dumps(row, indent=1) + "\n")
        progress.step(block, worked=worked)
        rows.append(row)
    print_table(rows, not any(":" in text for text in arguments.block or []), arguments.speed)
    if not arguments.block:
        write_whole(table, tsv([COLUMNS, *([_figure(row[key]) for key in COLUMNS] for row in rows)]))
    print(f"Written: {'' if arguments.block else table + ', '}{folder}/PLACE/BLOCK/report.txt (cells, critical paths).")
    if limits.complaints(rows):
        raise ToolFailed("; ".join(limits.complaints(rows)))
    lock.close()


if __name__ == "__main__":
    run_tool("area", main)
