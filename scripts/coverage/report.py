# SPDX-License-Identifier: Apache-2.0
"""Tables, lists and pages of the measured coverage."""
import dataclasses
import html
import json
import os
import shutil
import subprocess
from collections import defaultdict

from figures import GOAL, percent, spans
from house import ToolFailed, aligned, tsv

KINDS = ("line", "branch", "toggle")  # of Verilog
BITS_SHOWN = 8  # texts of a line, in the list of uncovered points


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
        """Lines as "3-5, 9"; other kinds also with the point's name."""
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


def cell(covered, total):
    return f"{covered}/{total} {percent(covered, total):5.1f} %" if total else "-"


def sum_of(rows):
    """Several rows as one, as far as the tables show them."""
    covered, total = sum(row.covered for row in rows), sum(row.total for row in rows)
    return {"covered": covered, "total": total, "excluded": sum(len(row.excluded) for row in rows),
            "percent": round(percent(covered, total), 3)}


def blocks_of(rows, functional):
    """The table's row of each block: its Verilog, its stimulus, the C beside it (none where that is not measured)."""
    by = {(row.file, row.kind): row for row in rows}
    for f in functional:
        c = by.get((f"cmodel/{f.block}.c", "line"))
        yield {"block": f.block, **{kind: sum_of([by[f"rtl/{f.block}.v", kind]]) for kind in KINDS},
               "functional": {"covered": f.covered, "total": len(f.counts), "excluded": 0, "percent": round(f.percent, 3)},
               "c_line": sum_of([c]) if c else None, "cycles": f.cycles, "outputs_compared": f.compared}


def places_of(rows):
    """The table's row of each folder of the C model, and of all of it."""
    places = defaultdict(list)
    for row in rows:
        if not row.block:
            places[row.file.split("/")[1]].append(row)
            places["all"].append(row)
    for place in sorted(set(places) - {"all"}) + ["all"] * ("all" in places):
        least = min(places[place], key=lambda row: row.percent)
        yield {"place": place, "files": len(places[place]), **sum_of(places[place]), "least_percent": round(least.percent, 3),
               "least_file": least.file}


def block_table(blocks):
    table = [["block", "line", "branch", "toggle", "functional", "C line", "cycles", "excluded"]]
    for b in blocks:
        parts = [b[kind] for kind in (*KINDS, "functional", "c_line")]
        table.append([b["block"], *(cell(part["covered"], part["total"]) if part else "-" for part in parts),
                      str(b["cycles"]), str(sum(part["excluded"] for part in parts if part))])
    return table


def place_table(places):
    return [["C model", "files", "lines", "covered", "excluded", "least"]] + [
        [p["place"], str(p["files"]), str(p["total"]), f"{p['percent']:.1f} %", str(p["excluded"]),
         f"{p['least_percent']:.1f} % {p['least_file']}"] for p in places]


def text_of(rows, functional):
    lines = []
    if functional:
        lines += aligned(block_table(blocks_of(rows, functional)))
    if any(not row.block for row in rows):
        lines += ([""] if lines else []) + aligned(place_table(places_of(rows)))
    return "\n".join(lines) + "\n"


def summary_tsv(rows, functional):
    """The tables of the text, percentages alone: of each block, then of each folder of the C model."""
    table = [["what", *KINDS, "functional", "c_line", "cycles", "outputs_compared", "excluded"]]
    for b in blocks_of(rows, functional):
        parts = [b[kind] for kind in (*KINDS, "functional", "c_line")]
        table.append([b["block"], *(f"{part['percent']:.2f}" if part else "" for part in parts), str(b["cycles"]),
                      str(b["outputs_compared"]), str(sum(part["excluded"] for part in parts if part))])
    for p in places_of(rows):
        what = "cmodel" if p["place"] == "all" else "cmodel/" + p["place"]
        table.append([what, "", "", "", "", f"{p['percent']:.2f}", "", "", str(p["excluded"])])
    return tsv(table)


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
    return tsv(table)


def json_of(rows, functional, files):
    unseen = {file.path: sorted(file.generated) for file in files}
    return json.dumps({
        "goal_percent": GOAL,
        "blocks": [{**b, "unseen": unseen[f"rtl/{b['block']}.v"]} for b in blocks_of(rows, functional)],
        "model": list(places_of(rows)),
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
        text += [f"DA:{line},{count}" for line, count in counts.items() if (line,) not in excluded.get((path, "line"), {})]
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
    """Makes one HTML report of both languages. Returns False if no file has a line, so that there is none."""
    part = folder + ".part"
    shutil.rmtree(part, ignore_errors=True)
    with open(info, encoding="utf-8") as file:
        if not any(line.startswith("DA:") for line in file):
            shutil.rmtree(folder, ignore_errors=True)
            return False
    done = subprocess.run(["genhtml", "--quiet", "--branch-coverage", "--no-function-coverage", "--prefix", os.getcwd(),
                           "--title", "warpmem", "--output-directory", part, info], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", check=False)
    if done.returncode:
        raise ToolFailed("genhtml: " + (done.stdout.strip().splitlines() or ["no reason given"])[-1])
    shutil.rmtree(folder, ignore_errors=True)
    os.rename(part, folder)
    return True


def summary_page(text, missing, has_lines):
    link = "<a href=\"lines/index.html\">lines and branches, with the source</a>; " if has_lines else ""
    return ("<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>warpmem coverage</title></head><body>\n"
            f"<h1>Coverage</h1>\n<p>{link}toggles of the Verilog stand in <code>annotated/</code> beside this folder</p>\n"
            f"<pre>{html.escape(text)}</pre>\n"
            f"<h2>Not covered</h2>\n<pre>{html.escape(missing)}</pre>\n</body></html>\n")
