#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Judges what the runs of `make coverage` counted: fails where a kind of coverage of a file is below 95 %.

A block's Verilog is measured by its own lockstep alone, with the points of all parameter sets united:
line: it ran in one set; branch: the alternative of an if, else or case was taken in one set; toggle: the bit changed three
times in one set, which are at least one up and down, as one change may be the initial value's. Verilator 5.006 counts no
toggles of signals in generate blocks. The C model has lines alone, which gcovr counts over all tests.
data/coverage.tsv excludes points that no stimulus can reach.
"""
import glob
import json
import os
import re
import sys
from collections import defaultdict

from warpmem.tools.house import BadInput, Parser, ToolFailed, aligned, command, read, read_table, run_tool, tsv, write_whole

GOAL, EXCLUDED = 95.0, "data/coverage.tsv"
NEEDED = {"line": 1, "branch": 1, "toggle": 3}
SHOWN = 12  # missing points of a file


def numbers_of(text):
    """"53-57,80" as numbers."""
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def points_of(path, verilog):
    """(kind, point, count) of one set's coverage file; the name of a point begins with its line."""
    for line in read(path).splitlines()[1:]:
        found = re.fullmatch(r"C '(.*)' (\d+)", line)
        if not found:
            raise ToolFailed(f"{path}: a line that is no coverage point: {line[:60]}")
        fields = dict(part.split("\2", 1) for part in found[1].split("\1") if part)
        kind, name, count = fields["page"].partition("/")[0], fields["o"], int(found[2])
        if fields["f"] != verilog:
            continue
        if kind == "v_toggle":
            inside = fields["h"].partition("wm_" + os.path.basename(verilog)[:-2])[2].lstrip(".")
            yield "toggle", f"{fields['l']} {inside + '.' if inside else ''}{name}", count
            continue
        for number in numbers_of(fields.get("S", fields["l"])):
            yield "line", str(number), count
        if kind == "v_branch" or name != "block":
            yield "branch", f"{fields['l']} {fields['n']} {name}", count


def excluded_of(verilog, missing):
    """Names of those of the missing points that the table excludes: lines of functions that make constants, bits of signals."""
    excluded, lines = set(), read(verilog).splitlines()
    for row in (row for row in read_table(EXCLUDED) if row["file"] == verilog):
        word, _, rest = row["points"].partition(" ")
        at = [n for n, line in enumerate(lines, 1) if re.search(rf"\b{re.escape(rest if word == 'function' else word)}\b", line)
              and ("function" in line or word != "function")]
        if word == "function" and at:
            end = next(n for n in range(at[0], len(lines) + 1) if lines[n - 1].strip().startswith("endfunction"))
            names = {str(n) for n in range(at[0], end + 1)}
        else:
            names = {f"{n} {word}[{bit}]" for n in at for bit in numbers_of(rest)}
        if not names & missing:
            raise BadInput(f"{EXCLUDED}: {verilog}: {row['points']}: is covered, or is not there; the row must go")
        excluded |= names & missing
    return excluded


def verilog_rows(block, folder):
    """(file, kind, covered, total, excluded, missing points) of each kind."""
    verilog, most = f"rtl/{block}.v", defaultdict(lambda: defaultdict(int))
    files = sorted(glob.glob(os.path.join(folder, block + ".*.dat")))
    for path in files:
        for kind, point, count in points_of(path, verilog):
            most[kind][point] = max(most[kind][point], count)
    if not most:
        raise ToolFailed(f"{verilog}: its lockstep wrote no coverage points into {folder}")
    missing = {kind: {point for point, count in most[kind].items() if count < least} for kind, least in NEEDED.items()}
    excluded = excluded_of(verilog, set().union(*missing.values()))
    for kind, points in missing.items():
        left = sorted(points - excluded, key=lambda point: (int(point.split()[0]), point))
        gone = len(points) - len(left)
        yield verilog, kind, len(most[kind]) - len(points), len(most[kind]) - gone, gone, left


def main(arguments):
    parser = Parser("coverage", __doc__)
    parser.add_build("folder of the runs (build/coverage)", "build/coverage")
    parser.add_argument("--model", metavar="FILE", help="gcovr's summary of the C model, JSON")
    parser.add_argument("blocks", nargs="+", metavar="PLACE/BLOCK")
    options = parser.parse_args(arguments)
    folder = os.path.join(options.build, "lockstep")
    rows = [row for block in options.blocks for row in verilog_rows(block, folder)]
    rows += [(file["filename"], "line", file["line_covered"], file["line_total"], 0, [])
             for file in (json.loads(read(options.model))["files"] if options.model else [])]
    table, low = [("file", "kind", "covered", "total", "excluded", "percent", "missing")], 0
    for file, kind, covered, total, excluded, missing in rows:
        percent = 100 * covered / total if total else 100
        table.append((file, kind, str(covered), str(total), str(excluded), f"{percent:.2f}", ", ".join(missing)))
        if percent < GOAL:
            low += 1
            print(f"coverage: {file}: {kind} {percent:.1f} %, must be {GOAL:.0f} %: {', '.join(missing[:SHOWN])}", file=sys.stderr)
    out = os.path.join(options.build, "coverage.tsv")
    write_whole(out, tsv(table))
    command(["verilator_coverage", "--annotate", os.path.join(options.build, "verilog"),
             *(path for block in options.blocks for path in glob.glob(os.path.join(folder, block + ".*.dat")))])
    print("\n".join(aligned([row[:6] for row in table if row[0].startswith(("file", "rtl"))], (0, 1))))
    print(f"{'FAILED' if low else 'pass'}  coverage: {len(rows)} rows, {low} below {GOAL:.0f} %; {out}, {options.build}/verilog "
          "(source with counts)" + (f", {options.build}/html (the C model's)" if options.model else ""))
    return 1 if low else 0


if __name__ == "__main__":
    run_tool("coverage", main)
