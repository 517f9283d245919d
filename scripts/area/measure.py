# SPDX-License-Identifier: Apache-2.0
"""One row of the area table: a block through Yosys, ABC and OpenSTA, its memories through CACTI's figures."""
import dataclasses
import os

from area import memory, synthesis, timing
from area.blocks import DATA, text_of, top_of
from warpmem.tools.house import BadInput, ToolFailed, read_table

TARGET_GHZ = 1.4  # at 45 nm: a core cycle of any GPU of the papers


@dataclasses.dataclass
class Scale:
    """To 45 nm: area and delay at the node are divided by something between these. Where the cells are of 45 nm, by 1."""
    nm: int
    area_least: float
    area_most: float
    delay_least: float
    delay_most: float
    source: str

    @property
    def area(self):
        """The middle, for what a memory's macro takes at the node."""
        return (self.area_least * self.area_most) ** 0.5

    @property
    def delay(self):
        return (self.delay_least * self.delay_most) ** 0.5

    @property
    def is_none(self):
        """The cells are of 45 nm: their clock is a measured one."""
        return self.nm == memory.NODE


def scale_of(library, node):
    for row in read_table(os.path.join(DATA, "scaling.tsv")):
        if library.name.startswith(row["library"]) and node in (None, int(row["nm"])):
            nm, source = int(row["nm"]), "as they are"
            if nm != memory.NODE:
                source = f"divided by factors between the least and the most of the blocks, {DATA}/scaling.tsv"
            return Scale(nm, *(float(row[name]) for name in ("area_least", "area_most", "delay_least", "delay_most")), source)
    if node is None:
        raise BadInput(f"LIBERTY={library.path}: its node is unknown; say NODE=nm (NODE=45 needs no scaling)")
    if node == memory.NODE:
        return Scale(node, 1.0, 1.0, 1.0, 1.0, "as they are")
    # No measured pair of libraries: area by the square of the length, delay by the length.
    factor = node / memory.NODE
    return Scale(node, factor ** 2, factor ** 2, factor, factor, "delay by the length, area by its square, as the library is not "
                 f"in {DATA}/scaling.tsv")


def measure(block, parameters, library, corners, arguments, estimator, work):
    """One row by the names of COLUMNS, and its report. @corners: {"slow" or "fast": Library}, that the same gates are timed
    with."""
    top = top_of(block)
    sizes = list(synthesis.memories(top, parameters, work).values())
    combinational = is_combinational(block)
    scale = scale_of(library, arguments.node)
    macros, estimates = [], {}
    for size in set(sizes):
        if size.is_macro:
            estimates[size] = [estimator.estimate(size, ports) for ports in ("1r1w", "1rw")]
            path = os.path.join(work, size.macro + ".lib")
            with open(path, "w", encoding="utf-8") as file:
                file.write(memory.liberty(size, estimates[size][0], scale.delay,
                                          estimates[size][0].area_mm2 * 1e6 * scale.area))
            macros.append(path)
    target_ns = scale.delay / arguments.ghz
    row = {"block": block, "parameters": text_of(parameters), "library": library.name, "revision": library.revision,
           "conditions": library.conditions, "nm": scale.nm, "scaling": scale.source,
           **_memory_figures(sizes, estimates, estimator), **dict.fromkeys(("slow_mhz", "fast_mhz"), "")}
    if block == "common/sram_1r1w" and macros:
        _put_logic(row, scale, 0, 0, 0.0)
        _put_clock(row, scale, 0.0, estimates[sizes[0]][0].cycle_ns, "", 0)
        return row, (f"{sizes[0].words} x {sizes[0].bits} bits: {estimates[sizes[0]][0]}\nwith one port: "
                     f"{estimates[sizes[0]][1]}\n")
    netlist = synthesis.synthesize(top, parameters, library, sizes, target_ns, work, arguments.speed)
    known = {name: count for name, count in netlist.cells.items() if name in library.cells}
    strange = set(netlist.cells) - set(known) - {size.macro for size in sizes}
    if strange:
        raise ToolFailed(f"{block}: cells that the library does not have: {', '.join(sorted(strange))}")
    _put_logic(row, scale, sum(known.values()), sum(count for name, count in known.items() if library.cells[name].kind),
               sum(library.cells[name].area * count for name, count in known.items()))
    memory_ns = max([e[0].cycle_ns for e in estimates.values()], default=0.0)  # at 45 nm
    paths = timing.slowest_paths(netlist, library, macros, combinational, work)
    slowest = timing.slowest(paths)
    _put_clock(row, scale, slowest.delay, memory_ns, f"{slowest.start} to {slowest.end}", slowest.levels)
    for name, corner in corners.items():
        found = timing.slowest(timing.slowest_paths(netlist, corner, macros, combinational, work, 1, name))
        row[name + "_mhz"] = 1000 / max(memory_ns * scale.delay, found.delay)
        row[name + "_conditions"] = corner.conditions
    return row, _report(row, known, library, paths)


def _report(row, known, library, paths):
    report = [f"{row['block']} {row['parameters']}", f"library {library.path}", "", "Cells"]
    for name, count in sorted(known.items(), key=lambda item: -item[1] * library.cells[item[0]].area):
        report.append(f"  {count:6d} {name:<12} {count * library.cells[name].area:12.0f} um2")
    report.append("")
    for kind in timing.GROUPS:
        for path in paths.get(kind, []):
            report += [timing.describe(path), f"  alone it allows {1000 / path.delay:.0f} MHz", ""]
    return "\n".join(report) + "\n"


def is_combinational(block):
    with open(f"rtl/{block}.v", encoding="utf-8") as file:
        return "clk_i" not in file.read()


def _memory_figures(sizes, estimates, estimator):
    big = [size for size in sizes if size.is_macro]
    row = {"sram_bits": sum(size.words * size.bits for size in big),
           "sram_45nm_mm2": sum(estimates[size][0].area_mm2 for size in big),
           "sram_1rw_45nm_mm2": sum(estimates[size][1].area_mm2 for size in big), "sram_ghz": "",
           "sram_read_nj": sum(estimates[size][0].read_nj for size in big),
           "sram_leak_mw": sum(estimates[size][0].leak_mw for size in big), "sram_source": ""}
    row["sram_kb"] = row["sram_bits"] / 8192
    row["share_of_l1"] = row["sram_45nm_mm2"] / estimator.recorded_area("l1-16kb-4way")
    if big:
        row["sram_ghz"] = 1 / max(estimates[size][0].cycle_ns for size in big)
        row["sram_source"] = ", ".join(sorted({estimates[size][0].source for size in big}))
    return row


def _put_logic(row, scale, cells, flip_flops, area_um2):
    row.update(cells=cells, flip_flops=flip_flops, logic_um2=area_um2, logic_45nm_mm2=area_um2 / scale.area_least / 1e6,
               logic_least_45nm_mm2=area_um2 / scale.area_most / 1e6)
    row["area_45nm_mm2"] = row["logic_45nm_mm2"] + row["sram_45nm_mm2"]


def _put_clock(row, scale, logic_ns, memory_ns, path, levels):
    """@logic_ns: of the slowest path at the node. @memory_ns: of the slowest memory's own cycle, at 45 nm, as CACTI has it."""
    by_memory = memory_ns * scale.delay > logic_ns
    row.update(mhz=1000 / max(logic_ns, memory_ns * scale.delay), levels=levels,
               critical_path="the memory's own cycle" if by_memory else path,
               ghz_45nm=1 / max(memory_ns, logic_ns / scale.delay_least),
               ghz_most_45nm=1 / max(memory_ns, logic_ns / scale.delay_most))
