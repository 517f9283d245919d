#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Measures blocks with the commands of make, writes their rows of data/evidence.tsv, and the page EVIDENCE.md from that file.

A row says at which commit it was measured; a trailing + says that files had changed since that commit. Columns that need cells
of 45 nm keep their values, and commit_45nm, where no --liberty is given. A command that fails leaves its columns empty, and
its goal stands in the verdict. --page measures nothing.
"""
import glob
import json
import os
import re
import subprocess
import sys

from warpmem.tools.block_table import area_sets
from warpmem.tools.block_tests import lines_of
from warpmem.tools.house import BadInput, Parser, read, read_table, run_tool, write_if_changed

TABLE, PAGE, SHAPE = "data/evidence.tsv", "EVIDENCE.md", "data/evidence.md"
# Of the block and its memories, whatever the cells are; of cells of 45 nm alone.
SIZE = ("parameters", "flip_flops", "sram_bits", "sram_kb", "sram_45nm_mm2", "share_of_l1", "sram_ghz", "sram_read_nj", "sram_leak_mw")
CELLS = ("logic_45nm_mm2", "area_45nm_mm2", "ghz_45nm", "slow_mhz", "fast_mhz")
POWER = ("run", "total_mw", "pj_a_request")
COLUMNS = ("block", "verdict", "commit", "commit_45nm", *CELLS, *POWER, *SIZE, "logic_180nm_um2", "mhz_180nm", "ecp5", "xc7", "ice40",
           "sets", "cycles", "outputs", "unit_tests", "proven", "size_proven", "bounded", "assertions", "covers", "line", "branch", "toggle",
           "verilog_killed", "verilog_possible", "c_killed", "c_possible", "c_by_hand")


def share(covered, total):
    """Per cent, never rounded up: 94.96 % is under 95 %."""
    return f"{1000 * covered // total / 10:g}" if total else "-"


def figure(value):
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def block_of(rows, row):
    return next(found for found in rows if found["block"] == row["block"])


def of_area(text, _row):
    found = json.loads(text)
    return {**{name: found[name] for name in SIZE}, "logic_180nm_um2": found["logic_um2"], "mhz_180nm": found["mhz"]}


def of_area_45nm(text, _row):
    found = json.loads(text)
    if found["nm"] != 45:
        raise BadInput(f"LIBERTY=: {found['library']} is of {found['nm']} nm; must be of 45 nm")
    return {name: found[name] for name in CELLS}


def of_power(text, _row):
    found = json.loads(text)
    return {name: found[name] for name in POWER}


def of_fpga(text, row):
    names = {"luts": "LUTs", "flip_flops": "FFs", "block_rams": "block RAMs", "lut_rams": "LUT RAMs", "multipliers": "multipliers"}
    return {found["family"]: ", ".join(f"{found[name]} {word}" for name, word in names.items() if found[name] or word in ("LUTs", "FFs"))
            for found in json.loads(text) if found["block"] == row["block"]}


def of_lockstep(text, _row):
    passed = re.findall(r"^pass  .*  (\d+) cycles  (\d+) outputs compared", text, re.M)
    return {"sets": len(passed), "cycles": sum(int(cycles) for cycles, _ in passed),
            "outputs": sum(int(outputs) for _, outputs in passed), "unit_tests": len(re.findall(r"^\[       OK", text, re.M))}


def of_formal(text, row):
    whole = json.loads(text)
    size = dict(pair.split("=") for pair in row["parameters"].split())
    there = any(proof["block"] == row["block"] and proof["result"] == "proven"
                and {name: str(value) for name, value in proof["parameters"].items()} == size for proof in whole["proofs"])
    return {**{name: block_of(whole["blocks"], row)[name] for name in ("proven", "bounded", "assertions", "covers")},
            "size_proven": "yes" if there else "no"}


def of_coverage(text, row):
    counts = [line.split("\t") for line in text.splitlines()]
    return {kind: share(int(covered), int(total)) for file, kind, covered, total, *_ in counts if file == f"rtl/{row['block']}.v"}


def of_mutate(text, row):
    sides = {found["side"]: found for found in json.loads(text)["rows"] if found["block"] == row["block"]}
    columns = {"c_by_hand": sides["c"]["by_hand"]}
    for side, found in sides.items():
        columns[f"{side}_killed"] = found["lockstep"] + found["unit"] + found["proof"]
        columns[f"{side}_possible"] = found["mutants"] - found["equivalent"] - found["by_hand"]
    return columns


# goals of make, each with BLOCK=; the file that they write below BUILD ({}: the block); the columns in it; do they need 45 nm?
MEASUREMENTS = (
    (("area",), "area/{}/area.json", of_area, False),
    (("area-fpga",), "area/fpga/{}/fpga.json", of_fpga, False),
    (("block-tests",), "tb/{}_test.txt", of_lockstep, False),
    (("formal-long", "formal"), "formal/formal.json", of_formal, False),
    (("coverage",), "coverage/coverage.tsv", of_coverage, False),
    (("mutate",), "mutate/scores.json", of_mutate, False),
    (("area",), "area/{}/area.json", of_area_45nm, True),
    (("power",), "power/{}/power.json", of_power, True),
)


def commit():
    def git(*words):
        return subprocess.run(["git", *words], capture_output=True, text=True, check=True).stdout.strip()
    ours = [f":!{path}" for path in (TABLE, PAGE)]
    return git("rev-parse", "--short=8", "HEAD") + ("+" if git("status", "--porcelain", "--", ".", *ours) else "")


def measure(block, row, build, jobs, libraries):
    """The block's row. @row: the one before. @libraries: {variable of make: path}"""
    known = [name for name in ("commit_45nm", *CELLS, *POWER) if not libraries["LIBERTY"]]
    new = {"block": block, "commit": commit(), "commit_45nm": commit(), **{name: row.get(name, "") for name in known}}
    failed = []
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS", "MAKELEVEL")}
    for goals, file, columns_of, cells in MEASUREMENTS:
        if (cells and not libraries["LIBERTY"]) or (goals == ("power",) and not lines_of(block, "power")):
            continue
        file = os.path.join(build, file.format(block))
        if os.path.exists(file):
            os.remove(file)
        for goal in goals:
            done = subprocess.run(["make", "--no-print-directory", goal, f"BLOCK={block}", f"BUILD={build}", f"JOBS={jobs}",
                                   *(f"{name}={path if cells else ''}" for name, path in libraries.items())],
                                  stdout=sys.stderr, env=environment, check=False)
            failed += [goal] if done.returncode else []
        if os.path.exists(file):
            new.update(columns_of(read(file), new))
    new["verdict"] = "FAIL: " + ", ".join(dict.fromkeys(failed)) if failed else "pass"
    return new


def purpose(block):
    """The sentence that heads the module, up to its first colon or semicolon."""
    found = re.search(rf"^// wm_{re.escape(block.split('/')[-1])}: ((?:.*\n//[ ](?=\S))*.*)$", read(f"rtl/{block}.v"), re.M)
    if not found:
        raise BadInput(f"rtl/{block}.v: no header line \"// wm_{block.split('/')[-1]}: what it is for\"")
    return re.split("[:;]", re.sub(r"\s*\n//\s*", " ", found[1]).rstrip("."))[0]


def short(text, unit=""):
    """A number with three digits; of none, a dash."""
    if text in ("", "-"):
        return "-"
    return (f"{float(text):.0f}" if float(text) >= 1000 else f"{float(text):.3g}") + unit


def ghz(text):
    return f"{float(text) / 1000:.2f}" if text else "-"


def millions(text):
    return f"{int(text) // 100000 / 10:,.1f} M" if text else "-"


def score(row, side):
    killed, possible = row[f"{side}_killed"], row[f"{side}_possible"]
    return f"{killed} of {possible}" if possible else "-"


def proofs(row):
    if not row["proven"]:
        return "-"
    return f"{row['proven']} sets" + (f", {row['bounded']} bounded" if row["bounded"] != "0" else "") + (
        "" if row["size_proven"] == "yes" else "; not at this size")


def table(head, rows):
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *rows])


def blocks_table(rows):
    return table(
        ["block", "purpose", "area, mm2", "clock, GHz", "outputs compared", "proofs", "mutants: Verilog", "C",
         "coverage: line, branch, toggle", "verdict", "at"],
        [[f"`{r['block']}`", purpose(r["block"]), short(r["area_45nm_mm2"]), short(r["ghz_45nm"]),
          f"{millions(r['outputs'])} in {r['sets']} sets", proofs(r), score(r, "verilog"), score(r, "c"),
          ", ".join(r[kind] for kind in ("line", "branch", "toggle")), r["verdict"], f"`{r['commit']}`"] for r in rows])


def area_table(rows):
    return table(
        ["block", "parameters", "flip-flops", "SRAM bits", "logic, SRAM, mm2", "slow, fast corner, GHz", "at 180 nm", "ECP5", "Xilinx 7",
         "iCE40"],
        [[f"`{r['block']}`", r["parameters"], r["flip_flops"], r["sram_bits"], f"{short(r['logic_45nm_mm2'])}, {short(r['sram_45nm_mm2'])}",
          f"{ghz(r['slow_mhz'])}, {ghz(r['fast_mhz'])}", f"{short(r['logic_180nm_um2'])} um2, {short(r['mhz_180nm'])} MHz",
          r["ecp5"], r["xc7"], r["ice40"]] for r in rows])


def power_table(rows):
    return table(["block", "run", "power", "a request"],
                 [[f"`{r['block']}`", f"`{r['run']}`", short(r["total_mw"], " mW"), short(r["pj_a_request"], " pJ")]
                  for r in rows if r["run"]])


def papers_table(rows):
    known = {row["block"]: row for row in rows}
    found = []
    for path in sorted(glob.glob("data/area/*/*.tsv")):
        block = path[len("data/area/"):-len(".tsv")]
        for row in read_table(path):
            found.append([f"`{block}`", f"{row['paper']} {row['where']}", row["quantity"], f"{row['value']} {row['unit']}",
                          short(known[block][row["quantity"]]), row["note"]])
    return table(["block", "paper, section", "quantity", "it has", "ours", "note"], found)


def page(rows):
    made = {"blocks": blocks_table, "area": area_table, "power": power_table, "papers": papers_table}
    return re.sub(r"\{\{(\w+)\}\}", lambda found: made[found[1]](rows), read(SHAPE))


def main(arguments):
    parser = Parser("evidence", __doc__)
    parser.add_build()
    parser.add_jobs()
    parser.add_argument("--block", action="append", metavar="PLACE/NAME", help="only this one (all)")
    for name, text in (("liberty", "the typical corner of cells of 45 nm"), ("slow", "their slow corner"), ("fast", "their fast corner")):
        parser.add_argument("--" + name, metavar="FILE", default="", help=text)
    parser.add_argument("--page", action="store_true", help="only write the page")
    options = parser.parse_args(arguments)
    blocks = list(area_sets())
    for block in options.block or []:
        if block not in blocks:
            raise BadInput(f"--block {block}: there is no such block; there are {', '.join(blocks)}")
    libraries = {name: os.path.abspath(path) if path else "" for name, path in
                 (("LIBERTY", options.liberty), ("LIBERTY_SLOW", options.slow), ("LIBERTY_FAST", options.fast))}
    rows = {row["block"]: row for row in read_table(TABLE)}
    heading = "".join(line for line in read(TABLE).splitlines(True) if line.startswith("#"))
    for block in [] if options.page else options.block or blocks:
        rows[block] = {name: figure(value) for name, value in
                       measure(block, rows.get(block, {}), os.path.abspath(options.build), options.jobs, libraries).items()}
        print(f"evidence: {block}: {rows[block]['verdict']}", flush=True)
        lines = [[rows[name].get(column) or "" for column in COLUMNS] for name in blocks if name in rows]
        write_if_changed(TABLE, heading + "".join("\t".join(line) + "\n" for line in [COLUMNS, *lines]))
    write_if_changed(PAGE, page([row for block in blocks if (row := {**dict.fromkeys(COLUMNS, ""), **rows.get(block, {})})["block"]]))
    return int(any(rows[block]["verdict"] != "pass" for block in options.block or blocks if block in rows))


if __name__ == "__main__":
    run_tool("evidence", main)
