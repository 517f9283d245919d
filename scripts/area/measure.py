# SPDX-License-Identifier: Apache-2.0
"""One row of the area table: a block through Yosys, ABC and OpenSTA, its memories through CACTI's figures."""
import dataclasses
import os

import memory
import synthesis
import timing
from blocks import DATA, text_of, top_of
from house import BadInput, ToolFailed, read_table

TARGET_GHZ = 1.4  # at 45 nm: a core cycle of any GPU of the papers


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
    for row in read_table(os.path.join(DATA, "scaling.tsv")):
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
    combinational = is_combinational(block)
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


def is_combinational(block):
    with open(f"rtl/{block}.v", encoding="utf-8") as file:
        return "clk_i" not in file.read()


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
            report += [timing.describe(path), f"  alone it allows {1000 / path.delay:.0f} MHz; {ghz:.2f} GHz at 45 nm", ""]
    return row, "\n".join(report) + "\n"
