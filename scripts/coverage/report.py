# SPDX-License-Identifier: Apache-2.0
"""Tables, lists and pages of what was measured."""
import dataclasses
import html
import json
import os
import shutil
import subprocess
from collections import defaultdict

from common import GOAL, Failed, percent, spans, write

BITS_SHOWN = 8  # of a line, in the list of what is not covered


@dataclasses.dataclass
class Row:
    """One kind of coverage of one file; @block: the block whose lockstep measures it, empty for C."""
    file: str
    kind: str
    points: dict  # point -> covered
    excluded: dict  # point -> reason
    block: str = ""

    @property
    def total(self):
        return len(self.points) - len(self.excluded)

    @property
    def covered(self):
        return sum(self.points.values())

    @property
    def percent(self):
        return percent(self.covered, self.total)

    @property
    def good(self):
        return self.percent >= GOAL

    def missing(self):
        """Points that are neither covered nor excluded, by line."""
        found = defaultdict(list)
        for point, covered in self.points.items():
            if not covered and point not in self.excluded:
                found[point[0]].append(point)
        return dict(sorted(found.items()))

    def missing_text(self):
        """Of lines "3-5, 9"; of others also what it is there."""
        lines = self.missing()
        if self.kind == "line":
            return spans(lines)
        parts = []
        for line, points in lines.items():
            names = [str(point[-1]) for point in points]
            more = f" and {len(names) - BITS_SHOWN} more" if len(names) > BITS_SHOWN else ""
            parts.append(f"{line} ({' '.join(names[:BITS_SHOWN])}{more})")
        return ", ".join(parts)


@dataclasses.dataclass
class Functional:
    """Coverage points of a block's stimulus, over its sets."""
    block: str
    cycles: int
    compared: int
    counts: dict  # point -> times in all sets

    @property
    def covered(self):
        return sum(count > 0 for count in self.counts.values())

    @property
    def percent(self):
        return percent(self.covered, len(self.counts))

    @property
    def good(self):
        return self.covered == len(self.counts) > 0


def aligned(table):
    widths = [max(len(line[i]) for line in table) for i in range(len(table[0]))]
    return ["  ".join([line[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(line[1:], widths[1:])]).rstrip()
            for line in table]


def cell(covered, total):
    return f"{covered}/{total} {percent(covered, total):5.1f} %" if total else "-"


def block_table(rows, functional):
    """A line a block: its Verilog, its stimulus, the C beside it."""
    by = {(row.file, row.kind): row for row in rows}
    table = [["block", "line", "branch", "toggle", "functional", "C line", "cycles", "excluded"]]
    for f in functional:
        verilog = [by[f"rtl/{f.block}.v", kind] for kind in ("line", "branch", "toggle")]
        c = by.get((f"cmodel/{f.block}.c", "line"))
        table.append([f.block, *(cell(row.covered, row.total) for row in verilog), cell(f.covered, len(f.counts)),
                      cell(c.covered, c.total) if c else "-", str(f.cycles),
                      str(sum(len(row.excluded) for row in verilog + ([c] if c else [])))])
    return aligned(table)


def place_table(rows):
    """A line a folder of the C model."""
    places = defaultdict(list)
    for row in rows:
        if not row.block:
            places[row.file.split("/")[1]].append(row)
    table = [["C model", "files", "lines", "covered", "excluded", "least"]]
    for place, mine in sorted(places.items()) + [("all", [row for row in rows if not row.block])]:
        if not mine:
            continue
        least = min(mine, key=lambda row: row.percent)
        covered, total = sum(row.covered for row in mine), sum(row.total for row in mine)
        table.append([place, str(len(mine)), str(total), f"{percent(covered, total):.1f} %",
                      str(sum(len(row.excluded) for row in mine)), f"{least.percent:.1f} % {least.file}"])
    return aligned(table)


def text_of(rows, functional):
    lines = []
    if functional:
        lines += block_table(rows, functional)
    if any(not row.block for row in rows):
        lines += ([""] if lines else []) + place_table(rows)
    return "\n".join(lines) + "\n"


def missing_list(rows):
    """All that is not covered, good or not."""
    lines = []
    for row in rows:
        if row.missing():
            lines.append(f"{row.file}\t{row.kind}\t{row.percent:.1f} %\t{row.missing_text()}")
    return "\n".join(lines) + "\n" if lines else "nothing\n"


def tsv_of(rows, functional):
    table = [["file", "kind", "covered", "total", "excluded", "percent", "missing"]]
    for row in rows:
        table.append([row.file, row.kind, str(row.covered), str(row.total), str(len(row.excluded)), f"{row.percent:.2f}",
                      row.missing_text()])
    for f in functional:
        table.append([f"rtl/{f.block}.v", "functional", str(f.covered), str(len(f.counts)), "0", f"{f.percent:.2f}",
                      ", ".join(name for name, count in f.counts.items() if not count)])
    return "".join("\t".join(line) + "\n" for line in table)


def json_of(rows, functional):
    return json.dumps({
        "goal_percent": GOAL,
        "files": [{"file": row.file, "kind": row.kind, "block": row.block or None, "covered": row.covered,
                   "total": row.total, "percent": round(row.percent, 3),
                   "missing": [list(point) for points in row.missing().values() for point in points],
                   "excluded": [{"point": list(point), "why": why} for point, why in sorted(row.excluded.items(), key=str)]}
                  for row in rows],
        "functional": [{"block": f.block, "covered": f.covered, "total": len(f.counts), "cycles": f.cycles,
                        "outputs_compared": f.compared, "points": f.counts} for f in functional]}, indent=1) + "\n"


def info_of(verilog, c_lines, excluded):
    """lcov's format: lines of both languages and branches of the Verilog; what is excluded is not in it."""
    text = []
    for file in verilog:
        text += ["TN:", "SF:" + os.path.abspath(file.path)]
        numbers = defaultdict(int)
        for (line, column, way), count in sorted(file.branches.items()):
            if (line, column, way) not in excluded.get((file.path, "branch"), {}):
                text.append(f"BRDA:{line},0,{numbers[line]},{count}")
                numbers[line] += 1
        text += [f"DA:{line},{count}" for line, count in sorted(file.lines.items())
                 if (line,) not in excluded.get((file.path, "line"), {})]
        text.append("end_of_record")
    for path, counts in c_lines.items():
        text += ["TN:", "SF:" + os.path.abspath(path)]
        text += [f"DA:{line},{count}" for line, count in counts.items()
                 if (line,) not in excluded.get((path, "line"), {})]
        text.append("end_of_record")
    return "\n".join(text) + "\n"


def annotated(file, excluded):
    """The source with the counts before each line: ran, branches taken, bits toggled; ! where something is missing."""
    out = [f"{file.path}: times the line ran | branches taken of all | bits toggled of all | source",
           "! before a line: something there is not covered; - : it is excluded"]
    kinds = file.kinds()
    by = {kind: defaultdict(list) for kind in kinds}
    for kind, points in kinds.items():
        for point in points:
            by[kind][point[0]].append(point)
    with open(file.path, encoding="utf-8") as source:
        for number, line in enumerate(source.read().splitlines(), 1):
            mark = " "
            cells = [str(file.lines[number]) if number in by["line"] else ""]
            for kind in kinds:
                mine = by[kind][number]
                if kind != "line":
                    done = sum(kinds[kind][point] for point in mine)
                    cells.append(f"{done}/{len(mine)}" if mine else "")
                for point in mine:
                    if not kinds[kind][point]:
                        gone = point in excluded.get((file.path, kind), {})
                        mark = "!" if mark == "!" or not gone else "-"
            out.append(f"{mark} {cells[0]:>11} {cells[1]:>6} {cells[2]:>11} {number:5d} {line}".rstrip())
    return "\n".join(out) + "\n"


def pages(info, folder):
    """One HTML report of both languages."""
    part = folder + ".part"
    shutil.rmtree(part, ignore_errors=True)
    done = subprocess.run(["genhtml", "--quiet", "--branch-coverage", "--no-function-coverage", "--prefix", os.getcwd(),
                           "--title", "warpmem", "--output-directory", part, info], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", check=False)
    if done.returncode:
        raise Failed("genhtml: " + (done.stdout.strip().splitlines() or ["no reason given"])[-1])
    shutil.rmtree(folder, ignore_errors=True)
    os.rename(part, folder)


def summary_page(text, missing):
    return ("<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>warpmem coverage</title></head><body>\n"
            "<h1>Coverage</h1>\n<p><a href=\"lines/index.html\">lines and branches, with the source</a>; toggles of the "
            f"Verilog stand in <code>annotated/</code> beside this folder</p>\n<pre>{html.escape(text)}</pre>\n"
            f"<h2>Not covered</h2>\n<pre>{html.escape(missing)}</pre>\n</body></html>\n")
