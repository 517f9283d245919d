# SPDX-License-Identifier: Apache-2.0
"""Writes the blocks table of README.md and the page EVIDENCE.md from the measured numbers alone."""
import math
import os
import re

import papers
import sources
from block_table import area_sets
from house import BadInput
from sources import read

README, PAGE = "README.md", "EVIDENCE.md"
NONE = "not measured"
BEGIN = "<!-- evidence: {} (written by make evidence) -->"
END = "<!-- evidence: end -->"
MILLION = 1_000_000


def table(head, rows):
    return "\n".join("| " + " | ".join(cells) + " |" if cells else "| " + " | ".join("---" for _ in head) + " |"
                     for cells in [head, None, *rows])


def count(number):
    return f"{number:,}"


def millions(number):
    return f"{math.floor(number / MILLION * 10) / 10:,.1f} M" if number >= MILLION else count(number)


def percent(covered, total):
    """One decimal, never rounded up: 94.96 % is under 95 %. Of nothing there is none."""
    return f"{math.floor(1000 * covered / total) / 10:g}" if total else "-"


def figure(value):
    if not isinstance(value, float):
        return str(value)
    return f"{value:.0f}" if value >= 1000 else f"{value:.3g}"


def killed(row):
    return row["lockstep"] + row["unit"] + row["proof"]


def possible(row):
    """Mutants that something could kill."""
    return row["mutants"] - row["equivalent"] - row["by_hand"]


def score(row, not_believed):
    """Of the mutants of one side, and so many more that count as survivors."""
    able = possible(row) + not_believed
    return percent(killed(row), able) + " %" if able else "-"


def proofs(n):
    """A function of the proofs' numbers: how many parameter sets are proven, and whether the one that area is measured of is,
    by whichever of its names."""
    def text(f):
        if not f["proven"]:
            return "none for all time" + rest(f)
        measured, parameters = area_sets()[n.block], (n.get("area") or {}).get("parameters")
        there = any(proof["result"] == "proven" and (proof["set"] == measured or proof["parameters"] == parameters)
                    for proof in f["proofs"])
        return (f"for all time at {f['proven']} sets, " + (f"`{measured}` among them" if there else f"not at `{measured}`")
                + rest(f))

    def rest(f):
        parts = [f"{f['bounded']} for {f['bounded_depth']} cycles"] if f["bounded"] else []
        parts += [f"**{f['not_passed']} FAILED**"] if f["not_passed"] else []
        parts += [f"{f['not_run']} not run"] if f["not_run"] else []
        return "".join(", " + part for part in parts)
    return text


def waves(block):
    path = f"waves/{block}.gtkw"
    return f"[view]({path})" if os.path.exists(path) else "ports"


class Numbers:
    """Of one block: cell("area", function of its numbers), or that there are none."""

    def __init__(self, block, entries):
        self.block, self.entries = block, entries

    def get(self, kind):
        return self.entries.get(kind, {}).get("numbers")

    def failed(self, kind):
        """Did the command find a fault in the block?"""
        return "failed" in self.entries.get(kind, {})

    def cell(self, kind, text):
        numbers = self.get(kind)
        return NONE if numbers is None else text(numbers)

    def marked(self, kind, *texts):
        """For a table without a column of verdicts."""
        return [cell + (" FAIL" if self.failed(kind) else "") for cell in self.cells(kind, *texts)]

    def verdict(self, kind):
        return self.cell(kind, lambda _: "FAIL" if self.failed(kind) else "pass")

    def cells(self, kind, *texts):
        return [self.cell(kind, text) for text in texts]

    @property
    def name(self):
        return f"`{self.block}`"


def cells_of(n):
    """The kind whose numbers stand for a block's area and clock: with cells of 45 nm, else scaled ones."""
    return "area-45nm" if n.get("area-45nm") else "area"


def clock(a):
    """At 45 nm; of scaled cells a range."""
    if a["ghz_45nm"] == a["ghz_most_45nm"]:
        return f"{a['ghz_45nm']:.2f} GHz"
    return f"{a['ghz_45nm']:.2f} to {a['ghz_most_45nm']:.2f} GHz, scaled"


def area(a):
    return figure(a["area_45nm_mm2"]) + " mm2"


def short_purpose(block):
    """The purpose up to its first colon or semicolon."""
    return re.split("[:;]", sources.purpose(block))[0]


def status(numbers):
    """One word for all kinds of measurement: pass, or the kinds that failed or are missing."""
    kinds = sources.kinds_of(numbers.block)
    failed = [kind for kind in kinds if numbers.failed(kind)]
    missing = [kind for kind in kinds if numbers.get(kind) is None]
    parts = ["FAIL: " + ", ".join(failed)] if failed else []
    parts += [NONE if len(missing) == len(kinds) else NONE + ": " + ", ".join(missing)] if missing else []
    return "; ".join(parts) or "pass"


def door_table(all_numbers):
    """The blocks in four columns, for README.md."""
    rows = [[f"{n.name}: {short_purpose(n.block)}",
             *n.marked(cells_of(n), area, clock), status(n)] for n in all_numbers]
    return table(["block", "area at 45 nm", "clock at 45 nm", "status"], rows)


def blocks_table(all_numbers):
    """The blocks in all columns, for EVIDENCE.md."""
    head = ["block", "purpose", "lines of Verilog", "area at 45 nm", "clock at 45 nm", "the paper has", "cycles compared",
            "outputs compared", "coverage: line, branch, toggle", "mutants killed: Verilog, C", "proofs", "waves"]
    rows = []
    for n in all_numbers:
        rows.append([
            n.name, sources.purpose(n.block), str(sources.code_lines(n.block)),
            *n.marked(cells_of(n), area, clock),
            ", ".join(papers.short(row) for row in papers.figures(n.block)),
            *n.cells("lockstep", lambda k: millions(k["cycles"]), lambda k: millions(k["outputs"])),
            *n.marked("coverage", lambda c: ", ".join(percent(c[kind]["covered"], c[kind]["total"])
                                                      for kind in ("line", "branch", "toggle")) + " %"),
            *n.marked("mutate", lambda m: ", ".join(f"{killed(m[side])} of {possible(m[side])}" for side in ("verilog", "c"))),
            *n.marked("formal", proofs(n)), waves(n.block)])
    return table(head, rows)


def area_table(all_numbers):
    head = ["block", "parameters", "cells", "flip-flops", "SRAM bits", "logic, SRAM", "clock, typical", "slow, fast corner",
            "the SRAM alone", "from, to", "verdict"]

    def corners(a):
        found = [f"{a[name] / 1000:.2f}" for name in ("slow_mhz", "fast_mhz") if name in a]
        return ", ".join(found) + " GHz" if found else "-"
    rows = []
    for n in all_numbers:
        kind = cells_of(n)
        logic = lambda a: f"{a['logic_least_45nm_mm2']:.3g} to {a['logic_45nm_mm2']:.3g}" \
            if a["logic_least_45nm_mm2"] != a["logic_45nm_mm2"] else figure(a["logic_45nm_mm2"])  # noqa: E731
        rows.append([n.name, *n.cells(
            kind, lambda a: a["parameters"], lambda a: count(a["cells"]), lambda a: count(a["flip_flops"]),
            lambda a: count(a["sram_bits"]), lambda a: f"{logic(a)}, {figure(a['sram_45nm_mm2'])} mm2", clock, corners,
            lambda a: f"{a['sram_ghz']:.1f} GHz" if a["sram_ghz"] else "-",
            lambda a: f"`{a['critical_path'].replace(' to ', '`, `')}`"),
            n.cell(kind, lambda a, n=n: a.get("reason") or n.verdict("area-45nm")) if kind == "area-45nm" else "scaled: none"])
    return table(head, rows)


def library_text(all_numbers):
    """The cell libraries of the numbers, a line each."""
    def corner(a, name):
        return f"; {name}: {a[name + '_conditions']}" if name + "_conditions" in a else ""
    found = {f"* {a['library']}, revision {a['revision'] or 'unknown'}: {a['conditions']}{corner(a, 'slow')}{corner(a, 'fast')}"
             for n in all_numbers if (a := n.get("area-45nm"))}
    return "\n".join(sorted(found)) or "* none: no number of this page is of such cells"


def scaled_table(all_numbers):
    head = ["block", "cells", "flip-flops", "area at 180 nm", "clock at 180 nm", "from, to", "at 45 nm"]
    rows = [[n.name, *n.cells(
        "area", lambda a: count(a["cells"]), lambda a: count(a["flip_flops"]), lambda a: f"{figure(a['logic_um2'])} um2",
        lambda a: f"{a['mhz']:.0f} MHz", lambda a: f"`{a['critical_path'].replace(' to ', '`, `')}`",
        lambda a: f"{a['ghz_45nm']:.2f} to {a['ghz_most_45nm']:.2f} GHz")] for n in all_numbers]
    return table(head, rows)


def power_table(all_numbers):
    head = ["block", "parameters", "run", "clock", "requests", "clock pins", "gates", "SRAM", "leakage: gates, SRAM", "in all",
            "a request"]
    rows = [[n.name, *n.cells(
        "power", lambda p: p["parameters"], lambda p: f"`{p['run']}`", lambda p: f"{p['ghz']:g} GHz",
        lambda p: f"{p['requests']:,} in {p['cycles']:,} cycles: " + p['request'].replace("|", "\\|"), lambda p: f"{figure(p['clock_mw'])} mW",
        lambda p: f"{figure(p['cells_mw'])} mW", lambda p: f"{figure(p['sram_mw'])} mW",
        lambda p: f"{figure(p['cells_leakage_mw'])}, {figure(p['sram_leakage_mw'])} mW", lambda p: f"{figure(p['total_mw'])} mW",
        lambda p: f"{figure(p['pj_a_request'])} pJ")] for n in all_numbers if "power" in sources.kinds_of(n.block)]
    return table(head, rows)


def paper_table(all_numbers):
    rows = []
    for n in all_numbers:
        for row in papers.figures(n.block):
            numbers = n.get(cells_of(n))
            mine = papers.ours(row, numbers) if numbers else None
            rows.append([n.name, f"{row['paper']} {row['section']}, `{row['id']}`",
                         f"{row['value']} {row['unit'].replace('_', ' ')}",
                         NONE if mine is None else figure(mine) + (", scaled" if papers.is_scaled(row, numbers) else ""),
                         "" if row["note"] == "-" else row["note"].replace("|", "/")])
    return table(["block", "paper and section, claim", "it has", "ours", "note"], rows)


def fpga_table(all_numbers):
    names = {"ecp5": "ECP5", "xc7": "Xilinx 7", "ice40": "iCE40"}

    def resources(row):
        parts = [f"{count(row['luts'])} LUTs", f"{count(row['flip_flops'])} FFs"]
        parts += [f"{row[name]} {text}" for name, text in (("block_rams", "block RAMs"), ("lut_rams", "LUT RAMs"),
                                                           ("multipliers", "multipliers")) if row[name]]
        return ", ".join(parts)
    rows = [[n.name, *(n.cell("fpga", lambda f, family=family: resources(f[family])) for family in names), n.verdict("fpga")]
            for n in all_numbers]
    return table(["block", *names.values(), "verdict"], rows)


def lockstep_table(all_numbers):
    rows = [[n.name, *n.cells("lockstep", lambda k: str(len(k["sets"])), lambda k: count(k["cycles"]),
                              lambda k: count(k["outputs"]), lambda k: str(k["unit_tests"]),
                              lambda k: ", ".join(s["set"] for s in k["sets"]))] for n in all_numbers]
    return table(["block", "sets", "cycles compared", "outputs compared", "unit tests", "parameter sets"], rows)


def coverage_table(all_numbers):
    def cell(part):
        rest = f", {part['excluded']} excluded" if part["excluded"] else ""
        if not part["total"]:
            return "none there" + rest
        return f"{percent(part['covered'], part['total'])} % of {part['total']}{rest}"
    kinds = ("line", "branch", "toggle", "functional")
    rows = [[n.name, *(n.cell("coverage", lambda c, kind=kind: cell(c[kind])) for kind in kinds),
             n.cell("coverage", lambda c: str(c["unseen"])), n.verdict("coverage")] for n in all_numbers]
    return table(["block", "lines", "branches", "toggles outside generate", "points of the stimulus",
                  "signals inside generate, without toggles", "verdict"], rows)


def mutants_table(all_numbers):
    def verdict(n, m, side):
        # One that failed without a low score, as for a list that is wrong, failed of both sides.
        low = "FAIL" in (m["verilog"]["verdict"], m["c"]["verdict"])
        return "FAIL" if n.failed("mutate") and not low else m[side]["verdict"]
    fields = ("mutants", "lockstep", "unit", "proof", "equivalent", "by_hand", "survived")
    rows = []
    for n in all_numbers:
        for side, name in (("verilog", "Verilog"), ("c", "C")):
            rows.append([n.name, name, *n.cells("mutate", *(lambda m, s=side, f=field: str(m[s][f]) for field in fields),
                                                lambda m, s=side: score(m[s], 0), lambda m, s=side: score(m[s], m[s]["by_hand"]),
                                                lambda m, s=side, n=n: verdict(n, m, s))])
    return table(["block", "of", "mutants", "killed by lockstep", "by unit tests", "by proofs", "equal by proof or same code",
                  "equal by a listed reason", "survived", "score", "without reasons", "verdict"], rows)


def survivors(all_numbers):
    """A line each, or that there are none."""
    found = []
    for n in all_numbers:
        for row in (n.get("mutate") or {}).values():
            for fate in row["survivors"]:
                where = f", set {fate['set']}" if fate["set"] else ""
                proof = f"; proof of equality: {fate['equality']}" if fate["equality"] else ""
                found.append(f"* `{fate['file']}:{fate['line']}`{where}: {fate['mutation']}{proof}")
    unknown = any(n.get("mutate") is None for n in all_numbers)
    return "\n".join(found) if found else "None" + (", of the blocks that were measured." if unknown else ".")


def formal_table(all_numbers):
    rows = [[n.name, *n.cells("formal", lambda f: str(f["corners"]), proofs(n), lambda f: str(f["assertions"]),
                              lambda f: str(f["covers"]), lambda f: f"`{f['cover']}`" if f["cover"] else "-",
                              lambda f: f"{f['processor_seconds']:.0f} s"), n.verdict("formal")] for n in all_numbers]
    return table(["block", "parameter sets", "proofs", "assertions", "covers reached", "shown by", "time of a processor",
                  "verdict"], rows)


def proof_table(all_numbers):
    rows = []
    for n in all_numbers:
        for proof in (n.get("formal") or {"proofs": []})["proofs"]:
            in_cycles = f"step {proof['depth']}" if proof["method"] == "cover" else f"{proof['depth']} cycles"
            depth = {"all": "all time", "": "-"}.get(proof["depth"], in_cycles)
            seconds = proof["processor_seconds"]
            rows.append([n.name, proof["set"] or "-", proof["parameters"], proof["method"], proof["result"], depth, str(proof["properties"] or "-"),
                         "-" if seconds == "" else f"{seconds:.1f} s"])
    return table(["block", "set", "parameters", "method", "result", "for, or by", "properties", "time of a processor"], rows)


def waves_table(all_numbers):
    rows = [[n.name, waves(n.block), f"`make waves BLOCK={n.block}`", f"`make formal-cover BLOCK={n.block}`"]
            for n in all_numbers]
    return table(["block", "view", "lockstep, both sides", "at its work"], rows)


def page(all_numbers):
    """EVIDENCE.md"""
    shape = read(os.path.join(os.path.dirname(os.path.abspath(__file__)), "page.md"))
    made = {"blocks": blocks_table, "area": area_table, "library": library_text, "scaled": scaled_table,
            "power": power_table, "papers": paper_table, "fpga": fpga_table,
            "lockstep": lockstep_table, "coverage": coverage_table, "mutants": mutants_table,
            "survivors": survivors, "formal": formal_table, "proofs": proof_table, "waves": waves_table}
    return re.sub(r"\{\{(\w+)\}\}", lambda found: made[found[1]](all_numbers), shape)


def readme(text, all_numbers):
    """README.md with its table written anew."""
    begin = BEGIN.format("blocks")
    if text.count(begin) != 1 or END not in text.partition(begin)[2]:
        raise BadInput(f"{README}: must have once the line {begin}, and {END} behind it")
    before, _, rest = text.partition(begin)
    return before + begin + "\n" + door_table(all_numbers) + "\n" + END + rest.partition(END)[2]
