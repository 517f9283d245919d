# SPDX-License-Identifier: Apache-2.0
"""Cells, flip-flops, SRAM bits, area and clock of the hardware blocks, beside the papers' figures.

Each block goes through Yosys, ABC and OpenSTA with one standard-cell library; memories are macros whose figures come
from CACTI or from recorded CACTI results. With cells of 45 nm a block under the goal fails; those of another node give a
range at 45 nm, which decides nothing. The assumptions are printed below the table and in docs/area.md.
"""
import json
import os

from area import memory, synthesis
from area.blocks import DATA, OPTION, papers_of, text_of, top_of, wanted
from area.liberty import Library
from area.limits import TABLE as LIMITS, goal_of, limits
from area.measure import TARGET_GHZ, measure, scale_of
from warpmem.tools.house import (BadInput, Parser, ToolFailed, aligned, files_beside, hash_files, hash_of, hash_of_program,
                                 number, only_one, run_tool, tsv, write_whole)
from warpmem.tools.work import Progress, keep, kept_result

DEFAULT_LIBERTY = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"

COLUMNS = {
    "block": "place/name",
    "parameters": "of the set that was measured",
    "library": "standard cells",
    "conditions": "process, voltage and temperature of these",
    "nm": "the library's node",
    "cells": "gates and flip-flops",
    "flip_flops": "bits in flip-flops and latches",
    "sram_bits": "bits in memory macros",
    "sram_kb": "the same in kB of 1024",
    "logic_um2": "area of the cells at the library's node",
    "mhz": "clock at the library's node",
    "slow_mhz": "the same gates with the cells of LIBERTY_SLOW",
    "fast_mhz": "with those of LIBERTY_FAST",
    "critical_path": "what limits the clock",
    "levels": "gates on it",
    "logic_least_45nm_mm2": "logic at 45 nm: what the cells have there, or the lower end of the scaled range",
    "logic_45nm_mm2": "the same, or the upper end",
    "sram_45nm_mm2": "its memories as instantiated, with a read and a write port",
    "area_45nm_mm2": "both, the logic at its upper end",
    "sram_1rw_45nm_mm2": "memories with one port in their place",
    "ghz_45nm": "clock at 45 nm: what the cells have there, or the lower end of the scaled range",
    "ghz_most_45nm": "the same, or the upper end",
    "sram_ghz": "clock of its slowest memory, a read and a write in each cycle",
    "sram_read_nj": "energy of a read of each of its memories",
    "sram_leak_mw": "leakage of its memories",
    "scaling": "from nm to 45 nm",
    "share_of_l1": "sram_45nm_mm2 over a 16 KB L1's",
    "sram_source": "where the memory's figures come from",
    "goal": "against the goal: met, missed, or limited, as data/area/limits.tsv says; - is scaled, or other parameters than the table's",
}


def parse(arguments):
    parser = Parser("area", __doc__)
    parser.add_build("folder for area/area.tsv and the reports (build)")
    parser.add_argument("--liberty", default=DEFAULT_LIBERTY, help="standard cells (Debian's osu018)")
    parser.add_argument("--node", type=number(1, 1000, "nm"),
                        help="nm of --liberty, where data/area/scaling.tsv does not know it")
    parser.add_argument("--slow", help="the same cells at their slow corner: times the same gates")
    parser.add_argument("--fast", help="the same cells at their fast corner")
    parser.add_argument("--cacti", help="CACTI's executable (recorded results)")
    parser.add_argument("--speed", action="store_true",
                        help="ABC works for speed, at the cost of area; results in area_speed.tsv")
    parser.add_argument("--ghz", type=float, default=TARGET_GHZ,
                        help=f"clock at 45 nm that ABC sizes the gates for ({TARGET_GHZ}, the goal, which stays)")
    parser.add_argument("--block", action="append", help=OPTION)
    return parser.parse_args(arguments)


def _figure(value):
    if not isinstance(value, float):
        return str(value)
    return f"{value:.0f}" if value >= 1000 else f"{value:.4g}"


def range_of(least, most):
    """One figure where there is one."""
    return _figure(least) if least == most else f"{_figure(least)}-{_figure(most)}"


def measured(block, parameters, library, corners, arguments, estimator, work):
    """(row, report, True if it was computed now). The user's CACTI is always asked, as it reads files of its own."""
    key = hash_of(block, text_of(parameters), *corners, str(scale_of(library, arguments.node)), str(arguments.speed),
                  str(arguments.ghz), *map(hash_of_program, ("yosys", "yosys-abc", "sta")), hash_files([
                      library.path, *(corner.path for corner in corners.values()), f"rtl/{block}.v",
                      *synthesis.sources(top_of(block)), os.path.join(DATA, "cacti.tsv"),
                      *files_beside(__file__, "measure.py", "liberty.py", "memory.py", "synthesis.py", "timing.py")]))
    path = os.path.join(arguments.build, "area", "kept", key + ".json")
    result = None if arguments.cacti else kept_result(path, key)
    if result:
        return result["row"], result["report"], False
    row, report = measure(block, parameters, library, corners, arguments, estimator, work)
    if not arguments.cacti:
        keep(path, key, {"row": row, "report": report})
    return row, report, True


def print_table(rows, beside_papers, for_speed):
    nm, corners = rows[0]["nm"], [name for name in ("slow", "fast") if rows[0][name + "_mhz"]]
    head = ["block", "cells", "flip-flops", "SRAM bits", f"um2 at {nm} nm", "MHz", *(f"MHz {name}" for name in corners), "gates",
            "logic mm2 at 45", "SRAM mm2 at 45", "GHz at 45", "goal"]
    body = [[*map(_figure, (row[key] for key in ("block", "cells", "flip_flops", "sram_bits", "logic_um2", "mhz",
                                                 *(name + "_mhz" for name in corners), "levels"))),
             range_of(row["logic_least_45nm_mm2"], row["logic_45nm_mm2"]), _figure(row["sram_45nm_mm2"]),
             range_of(row["ghz_45nm"], row["ghz_most_45nm"]), row["goal"]] for row in rows]
    print("\n".join(aligned([head, *body])) + "\n")
    for row in rows:
        print(f"{row['block']}: {row['parameters']}; limited by {row['critical_path']}")
        if row["reason"]:
            print(f"  under the goal: {row['reason']} ({LIMITS})")
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
{rows[0]['library']}{', ABC for speed' if for_speed else ''}, {rows[0]['conditions']}: ideal clock, no wires, inputs come at
the clock edge, outputs may take until the next.
At 45 nm: {rows[0]['scaling']}.
Memories at 45 nm: CACTI ({', '.join(sources)}; ~ is scaled per bit from another size), with a read and a write
port, as the Verilog instantiates them, and the same at every corner of the cells. The goal is {TARGET_GHZ} GHz at 45 nm, a
core cycle of any GPU; cells of another node decide nothing about it.""")


def libraries(arguments):
    """(Library, {"slow" or "fast": Library}) of the command line."""
    corners = {name: getattr(arguments, name) for name in ("slow", "fast") if getattr(arguments, name)}
    for variable, path in (("LIBERTY", arguments.liberty), *((f"LIBERTY_{name.upper()}", path) for name, path in corners.items())):
        if len(path.split()) != 1:
            raise BadInput(f"{variable}={path}: Yosys and OpenSTA read no path with blanks")
    if not 0.01 <= arguments.ghz <= 100:
        raise BadInput(f"GHZ={arguments.ghz:g}: must be 0.01..100")
    library = Library(arguments.liberty)
    corners = {name: Library(path, f"LIBERTY_{name.upper()}") for name, path in corners.items()}
    for name, corner in corners.items():
        absent = sorted(set(library.cells) - set(corner.cells))
        if absent:
            raise BadInput(f"{corner.variable}={corner.path}: has no cell {absent[0]}; must have the cells of "
                           f"LIBERTY={library.path}")
    return library, corners


def main(arguments):
    arguments = parse(arguments)
    folder = os.path.join(arguments.build, "area")
    table = os.path.join(folder, "area_speed.tsv" if arguments.speed else "area.tsv")
    library, corners = libraries(arguments)
    estimator = memory.Estimator(os.path.join(DATA, "cacti.tsv"), arguments.cacti)
    blocks = list(wanted(arguments.block))
    as_listed = dict(wanted(None))
    limited = limits(as_listed)
    scale = scale_of(library, arguments.node)  # says so at once if it cannot
    lock = only_one(folder, "make area")
    progress, rows = Progress("area", [text for text, _ in blocks]), []
    for block, parameters in blocks:
        work = os.path.join(folder, block)
        os.makedirs(work, exist_ok=True)
        estimator.work = work
        progress.say(f"; {block} ...")
        row, report, worked = measured(block, parameters, library, corners, arguments, estimator, work)
        # Cells of another node, or other parameters than the table's, decide nothing; an assembly has its blocks' goals.
        judged = scale.is_none and parameters == as_listed.get(block)
        row.update(goal=goal_of(block, row["ghz_45nm"], limited.get(block)) if judged else "-", goal_ghz=TARGET_GHZ)
        row["reason"] = limited[block][1] if row["goal"] == "limited" else ""
        write_whole(os.path.join(work, "report.txt"), report)
        write_whole(os.path.join(work, "area.json"), json.dumps(row, indent=1) + "\n")
        progress.step(block, worked=worked)
        rows.append(row)
    print_table(rows, not any(":" in text for text in arguments.block or []), arguments.speed)
    if not arguments.block:
        write_whole(table, tsv([COLUMNS, *([_figure(row[key]) for key in COLUMNS] for row in rows)]))
    print(f"Written: {'' if arguments.block else table + ', '}{folder}/PLACE/BLOCK/report.txt (cells, critical paths).")
    missed = [f"{row['block']}, {row['ghz_45nm']:.2f} GHz from {row['critical_path']}" for row in rows
              if row["goal"] == "missed"]
    if missed:
        raise ToolFailed(f"under the goal of {TARGET_GHZ} GHz at 45 nm: " + "; ".join(missed))
    lock.close()


if __name__ == "__main__":
    run_tool("area", main)
