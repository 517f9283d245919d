#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Cells, flip-flops, SRAM bits, area and clock of the hardware blocks, beside the papers' figures.

Each block goes through Yosys, ABC and OpenSTA with one standard-cell library; memories are macros whose figures come
from CACTI or from recorded CACTI results. What was assumed is printed below the table and in README's section on area.
"""
import argparse
import dataclasses
import functools
import os
import sys

sys.dont_write_bytecode = True
import kept  # noqa: E402
import limits  # noqa: E402
import memory  # noqa: E402
import synthesis  # noqa: E402
import timing  # noqa: E402
from blocks import DATA, OPTION, Parser, text_of, top_of, wanted  # noqa: E402
from errors import BadInput, ToolFailed  # noqa: E402
from liberty import Library  # noqa: E402

DEFAULT_LIBERTY = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"
TARGET_GHZ = 1.4  # at 45 nm: a core cycle of any GPU of the papers

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


def nanometres(text):
    if not text.isdecimal() or not 1 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError(f"{text!r}: must be 1..1000 nm")
    return int(text)


def parse(arguments):
    parser = Parser(prog="area", description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build", help="folder for area/area.tsv and the reports (build)")
    parser.add_argument("--liberty", default=DEFAULT_LIBERTY, help="standard cells (Debian's osu018)")
    parser.add_argument("--node", type=nanometres, help="nm of --liberty, where data/area/scaling.tsv does not know it")
    parser.add_argument("--cacti", help="CACTI's executable (recorded results)")
    parser.add_argument("--speed", action="store_true", help="ABC works for speed, at the cost of area; results in area_speed.tsv")
    parser.add_argument("--block", action="append", help=OPTION)
    return parser.parse_args(arguments)


@dataclasses.dataclass
class Scale:
    """To 45 nm: area and delay at the node are divided by these; None where nothing is known."""
    nm: int
    area: float
    delay: float
    source: str


def scale_of(library, node, combinational):
    kind = "combinational" if combinational else "sequential"
    if node == memory.NODE:
        return Scale(node, 1.0, 1.0, "as they are")
    for row in memory.read_table(os.path.join(DATA, "scaling.tsv")):
        if library.name.startswith(row["library"]) and row["kind"] == kind and node in (None, int(row["nm"])):
            return Scale(int(row["nm"]), float(row["area"]), float(row["delay"]),
                         f"factors measured on a design like these, {DATA}/scaling.tsv")
    if node is None:
        raise BadInput(f"LIBERTY={library.path}: its node is unknown; say NODE=nm (NODE=45 needs no scaling)")
    # No measured pair of libraries: area by the square of the length, delay by the length.
    factor = node / memory.NODE
    return Scale(node, factor ** 2, factor, "delay by the length, area by its square, as the library is not in "
                 f"{DATA}/scaling.tsv")


def measure(block, parameters, library, arguments, estimator, work):
    """One row by the names of COLUMNS, and its report."""
    top = top_of(block)
    sizes = list(synthesis.memories(top, parameters, work).values())
    combinational = "clk_i" not in _ports(block)
    scale = scale_of(library, arguments.node, combinational)
    macros, estimates = [], {}
    for size in set(sizes):
        if size.is_macro:
            estimates[size] = [estimator.estimate(size, ports) for ports in ("1r1w", "1rw")]
            path = os.path.join(work, size.macro + ".lib")
            with open(path, "w", encoding="utf-8") as file:
                file.write(memory.liberty(size, estimates[size][0], scale.delay,
                                          estimates[size][0].area_mm2 * 1e6 * scale.area))
            macros.append(path)
    target_ns = scale.delay / TARGET_GHZ
    if block == "common/sram_1r1w" and macros:
        return _memory_alone(block, parameters, library, scale, sizes[0], estimates, estimator)
    netlist = synthesis.synthesize(top, parameters, library, sizes, target_ns, work, arguments.speed)
    paths = timing.slowest_paths(netlist, library, macros, combinational, work)
    return _row(block, parameters, library, scale, sizes, estimates, estimator, netlist, paths)


def _ports(block):
    with open(f"rtl/{block}.v", encoding="utf-8") as file:
        return file.read()


def _memory_figures(sizes, estimates, estimator):
    big = [size for size in sizes if size.is_macro]
    two_ports = sum(estimates[size][0].area_mm2 for size in big)
    one_port = sum(estimates[size][1].area_mm2 for size in big)
    row = {"sram_bits": sum(size.words * size.bits for size in big), "sram_45nm_mm2": two_ports,
           "sram_split_45nm_mm2": one_port, "sram_1rw_ghz": "", "sram_source": ""}
    row["sram_kb"] = row["sram_bits"] / 8192
    if big:
        row["sram_1rw_ghz"] = 1 / max(estimates[size][1].cycle_ns for size in big)
        row["sram_source"] = ", ".join(sorted({estimates[size][0].source for size in big}))
    return row


def _memory_alone(block, parameters, library, scale, size, estimates, estimator):
    row = {"block": block, "parameters": text_of(parameters), "library": library.name, "nm": scale.nm,
           "scaling": scale.source, "cells": 0,
           "flip_flops": 0, "logic_um2": 0.0, "mhz": 1000 / (estimates[size][0].cycle_ns * scale.delay),
           "critical_path": "the memory's own cycle", "levels": 0, "logic_45nm_mm2": 0.0,
           "ghz_45nm": 1 / estimates[size][0].cycle_ns, **_memory_figures([size], estimates, estimator)}
    _sums(row, estimator)
    return row, f"{size.words} x {size.bits} bits: {estimates[size][0]}\nwith one port: {estimates[size][1]}\n"


def _sums(row, estimator):
    row["area_45nm_mm2"] = row["logic_45nm_mm2"] + row["sram_45nm_mm2"]
    row["area_split_45nm_mm2"] = row["logic_45nm_mm2"] + row["sram_split_45nm_mm2"]
    row["share_of_l1"] = row["sram_split_45nm_mm2"] / estimator.recorded_area("l1-16kb-4way")


def _row(block, parameters, library, scale, sizes, estimates, estimator, netlist, paths):
    known = {name: count for name, count in netlist.cells.items() if name in library.cells}
    strange = set(netlist.cells) - set(known) - {size.macro for size in sizes}
    if strange:
        raise ToolFailed(f"{block}: cells that the library does not have: {', '.join(sorted(strange))}")
    area = sum(library.cells[name].area * count for name, count in known.items())
    slowest = max((p[0] for p in paths.values() if p), key=lambda p: p.delay)
    cycle = max([e[0].cycle_ns * scale.delay for e in estimates.values()] + [slowest.delay])
    limit = (f"{slowest.start} to {slowest.end}" if cycle == slowest.delay else "the memory's own cycle")
    row = {"block": block, "parameters": text_of(parameters), "library": library.name, "nm": scale.nm,
           "scaling": scale.source, "cells": sum(known.values()),
           "flip_flops": sum(count for name, count in known.items() if library.cells[name].kind),
           "logic_um2": area, "mhz": 1000 / cycle, "critical_path": limit, "levels": slowest.levels,
           "logic_45nm_mm2": area / scale.area / 1e6, "ghz_45nm": scale.delay / cycle,
           **_memory_figures(sizes, estimates, estimator)}
    _sums(row, estimator)
    report = [f"{block} {row['parameters']}", f"library {library.path}", "", "Cells"]
    for name, count in sorted(known.items(), key=lambda item: -item[1] * library.cells[item[0]].area):
        report.append(f"  {count:6d} {name:<12} {count * library.cells[name].area:12.0f} um2")
    report.append("")
    for kind in timing.GROUPS:
        for path in paths.get(kind, []):
            ghz = scale.delay / path.delay
            report += [timing.describe(path),
                       f"  alone it allows {1000 / path.delay:.0f} MHz; {ghz:.2f} GHz at 45 nm", ""]
    return row, "\n".join(report) + "\n"


def _figure(value):
    if not isinstance(value, float):
        return str(value)
    return f"{value:.0f}" if value >= 1000 else f"{value:.4g}"


def measured(block, parameters, library, arguments, estimator, work, begins):
    """(row, report, whether it was worked out now). The user's CACTI is always asked, as it reads files of its own.
    @begins: called before it is worked out."""
    key = kept.key_of(
        [block, text_of(parameters), str(arguments.node), str(arguments.speed), str(TARGET_GHZ)],
        [*(kept.program(tool) for tool in ("yosys", "yosys-abc", "sta")), library.path, f"rtl/{block}.v",
         *synthesis.sources(top_of(block)), os.path.join(DATA, "scaling.tsv"), os.path.join(DATA, "cacti.tsv"),
         *kept.own_sources("__main__.py", "liberty.py", "memory.py", "synthesis.py", "timing.py")])
    path = os.path.join(arguments.build, "area", "kept", key + ".json")
    result = None if arguments.cacti else kept.get(path, key)
    if result:
        return result["row"], result["report"], False
    begins()
    row, report = measure(block, parameters, library, arguments, estimator, work)
    if not arguments.cacti:
        kept.put(path, key, {"row": row, "report": report})
    return row, report, True


def print_table(rows, beside_papers, for_speed):
    nm = rows[0]["nm"]
    shown = {"block": "block", "cells": "cells", "flip_flops": "flip-flops", "sram_bits": "SRAM bits",
             "logic_um2": f"um2 at {nm} nm", "mhz": "MHz", "levels": "gates", "logic_45nm_mm2": "logic mm2 at 45",
             "sram_split_45nm_mm2": "SRAM 1RW mm2", "sram_45nm_mm2": "SRAM 1R1W mm2", "ghz_45nm": "GHz at 45"}
    table = [list(shown.values())] + [[_figure(row[key]) for key in shown] for row in rows]
    widths = [max(len(line[i]) for line in table) for i in range(len(shown))]
    for line in table:
        print("  ".join([line[0].ljust(widths[0])] + [text.rjust(width) for text, width in zip(line[1:], widths[1:])]))
    print()
    for row in rows:
        print(f"{row['block']}: {row['parameters']}; limited by {row['critical_path']}")
    for line in limits.text(rows, TARGET_GHZ):
        print(line)
    papers = [paper for paper in memory.read_table(os.path.join(DATA, "papers.tsv"))
              if paper["block"] in {row["block"] for row in rows} and beside_papers]
    for i, paper in enumerate(papers):
        row = next(r for r in rows if r["block"] == paper["block"])
        if i == 0:
            print("\nBeside the papers' figures:")
        ours = row[paper["quantity"]]
        ratio = f", ratio {ours / float(paper['value']):.2f}" if isinstance(ours, float) else ""
        print(f"  {paper['id']:<14} {_figure(ours)} {paper['unit']}, {COLUMNS[paper['quantity']]}")
        print(f"  {'':<14} {paper['paper']} {paper['where']} has {paper['value']}{ratio}: {paper['note']}")
    sources = sorted({row["sram_source"] for row in rows} - {""}) or ["none here"]
    print(f"""
{rows[0]['library']}{', ABC for speed' if for_speed else ''}, typical corner: ideal clock, no wires, inputs come at the clock edge, outputs may take until
the next.
At 45 nm: {rows[0]['scaling']}.
Memories at 45 nm: CACTI ({', '.join(sources)}; ~ is scaled per bit from another size); 1RW has one port that
is used twice a cycle (MRPB 6), 1R1W is what the Verilog instantiates and the clock is of. The goal is
{TARGET_GHZ} GHz at 45 nm, a core cycle of any GPU.""")


def main():
    arguments = parse(sys.argv[1:])
    folder = os.path.join(arguments.build, "area")
    table = os.path.join(folder, "area_speed.tsv" if arguments.speed else "area.tsv")
    if len(arguments.liberty.split()) != 1:
        raise BadInput(f"LIBERTY={arguments.liberty}: Yosys and OpenSTA read no path with blanks")
    library = Library(arguments.liberty)
    estimator = memory.Estimator(os.path.join(DATA, "cacti.tsv"), arguments.cacti)
    blocks = list(wanted(arguments.block))
    # Other gates, another CACTI or node move the paths.
    reasons = [] if arguments.speed or arguments.cacti or arguments.node else limits.read()
    as_listed = dict(wanted(None))
    progress, rows = kept.Progress("area", len(blocks)), []
    for block, parameters in blocks:
        work = os.path.join(folder, block)
        os.makedirs(work, exist_ok=True)
        estimator.work = work
        row, report, worked = measured(block, parameters, library, arguments, estimator, work,
                                       functools.partial(progress.starts, block))
        row.update(limits.judge(row, reasons, TARGET_GHZ, parameters == as_listed[block]))
        kept.write(os.path.join(work, "report.txt"), report)
        progress.ends(worked)
        rows.append(row)
    print_table(rows, not any(":" in text for text in arguments.block or []), arguments.speed)
    if not arguments.block:
        lines = ["\t".join(COLUMNS)] + ["\t".join(_figure(row[key]) for key in COLUMNS) for row in rows]
        kept.write(table, "\n".join(lines) + "\n")
    print(f"Written: {'' if arguments.block else table + ', '}{folder}/PLACE/BLOCK/report.txt (cells, critical "
          "paths).")
    if limits.complaints(rows):
        raise ToolFailed("; ".join(limits.complaints(rows)))


if __name__ == "__main__":
    try:
        main()
    except BadInput as problem:
        print(f"area: {problem}", file=sys.stderr)
        sys.exit(2)
    except ToolFailed as problem:
        print(f"area: {problem}", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:  # as in `make area | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except KeyboardInterrupt:
        sys.exit(130)
