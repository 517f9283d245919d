#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Coverage of the Verilog over lockstep and of the C model over the tests; fails where a kind of a file is below 95 %.

For each block line, branch and toggle coverage of its Verilog (verilog.py says what these are) and the functional points
of its stimulus, of which all must be reached; for each file of cmodel/ line coverage by gcov over unit tests, block tests,
tests of the framework and the Verilog in the machine. Exclusions with reasons stand in data/coverage/exclusions.txt.
"""
import glob
import os
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "house"))
import exclusions  # noqa: E402
import model  # noqa: E402
import report  # noqa: E402
import runs  # noqa: E402
import verilog  # noqa: E402
from figures import GOAL  # noqa: E402
from house import BadInput, Parser, only_one, run_tool, write_whole  # noqa: E402

LIST = os.path.join("data", "coverage", "exclusions.txt")


def parse(arguments):
    parser = Parser("coverage", __doc__, epilog="Called by `make coverage`, which builds the programs with coverage first.")
    parser.add_build("folder for the results (build/coverage)", "build/coverage")
    parser.add_argument("--programs", help="folder of the programs built with coverage (BUILD/build)")
    parser.add_argument("--exclusions", default=LIST, help=f"what need not be covered ({LIST})")
    parser.add_jobs("runs at once (all cores)")
    parser.add_argument("--block", action="append", default=[], help="this block's Verilog (repeat for several)")
    parser.add_argument("--only-verilog", action="store_true", help="no C model")
    parser.add_argument("--check-list", action="store_true", help="only: does each exclusion's text stand in its file?")
    parser.add_argument("--unit", nargs="*", default=[], metavar="PROGRAM", help="unit tests of the C model")
    parser.add_argument("--cosim", nargs="*", default=[], metavar="PROGRAM", help="tests of the lockstep framework")
    return parser.parse_args(arguments)


def all_verilog_measured(blocks):
    """A file that is no block's would be covered by nobody."""
    lost = sorted(set(glob.glob("rtl/*/*.v")) - {f"rtl/{block}.v" for block in blocks})
    if lost:
        raise BadInput(f"{' '.join(lost)}: no --block measures it")


def measured(arguments, store):
    """(Verilog files, functional points, {C file: {line: count}}) after running what is missing."""
    build = store.build
    wanted = list(runs.block_runs(arguments.block, build))
    if arguments.only_verilog:
        wanted = [run for run in wanted if run.coverage]
    else:
        wanted += [*runs.unit_runs(arguments.unit, build), *runs.cosim_runs(arguments.cosim, build)]
    new = runs.perform_all(wanted, store, arguments.jobs)
    print(f"{len(wanted)} runs of {sum(store.recorded(run).get('cpu', 0) for run in wanted):.0f} s cpu, of which {new} are new",
          file=sys.stderr)
    files, functional = [], []
    for block in arguments.block:
        mine = [run for run in wanted if run.block == block]
        files.append(verilog.measure(block, [(os.path.join(store.path(run), "coverage.dat"),
                                              os.path.join(build, "rtl", block, run.label, "ports.xml")) for run in mine]))
        cycles = compared = 0
        counts = {}
        for run in mine:
            of_set = verilog.reached(store.output(run))
            cycles, compared = cycles + of_set[0], compared + of_set[1]
            for name, count in of_set[2].items():
                counts[name] = counts.get(name, 0) + count
        functional.append(report.Functional(block, cycles, compared, counts))
    c_lines = {} if arguments.only_verilog else model.measure(wanted, store, os.path.join(arguments.build, "model"),
                                                                     arguments.jobs)
    return files, functional, c_lines


def rows_of(arguments, entries, files, c_lines):
    """A row a file and kind, exclusions applied."""
    kinds = {file.path: file.kinds() for file in files}
    kinds.update({path: {"line": {(line,): count > 0 for line, count in counts.items()}} for path, counts in c_lines.items()})
    # For a part of the files, the report covers only these.
    whole = not arguments.only_verilog
    excluded = exclusions.apply([entry for entry in entries if whole or entry.file in kinds], kinds)
    blocks = {file.path: block for file, block in zip(files, arguments.block)}
    return [report.Row(path, kind, points, excluded.get((path, kind), {}), blocks.get(path, ""))
            for path, of_file in kinds.items() for kind, points in of_file.items()], excluded


def write_all(folder, files, functional, c_lines, rows, excluded):
    text, missing = report.text_of(rows, functional) + verilog.unseen(files), report.missing_list(rows)
    info = os.path.join(folder, "coverage.info")
    shutil.rmtree(os.path.join(folder, "annotated"), ignore_errors=True)
    for name, content in (("coverage.txt", text), ("missing.tsv", missing), ("coverage.tsv", report.tsv_of(rows, functional)),
                          ("summary.tsv", report.summary_tsv(rows, functional)),
                          ("coverage.json", report.json_of(rows, functional, files)),
                          ("coverage.info", report.info_of(files, c_lines, excluded)),
                          *((f"annotated/{file.path}.txt", report.annotated(file, excluded)) for file in files)):
        write_whole(os.path.join(folder, name), content)
    has_lines = report.pages(info, os.path.join(folder, "html", "lines"))
    write_whole(os.path.join(folder, "html", "index.html"), report.summary_page(text, missing, has_lines))
    return text


def judge(rows, functional):
    """Exit code, after naming what is below."""
    low = [f"{row.file}: {row.kind} coverage {row.percent:.1f} %, must be {GOAL:.0f} %; not covered: {row.missing_text()}"
           for row in rows if not row.good]
    low += [f"{f.block}: {len(f.counts) - f.covered} of {len(f.counts)} functional points were never reached: "
            + ", ".join(name for name, count in f.counts.items() if not count) for f in functional if not f.good]
    for line in low:
        print(f"coverage: {line}", file=sys.stderr)
    return 1 if low else 0


def main(arguments):
    arguments = parse(arguments)
    # Before the long part.
    entries = exclusions.read(arguments.exclusions)
    excluded_lines = sum(len(numbers) for _, numbers in exclusions.places(entries))
    if arguments.check_list:
        print(f"pass  {arguments.exclusions}: {len(entries)} exclusions of {excluded_lines} lines stand in their files")
        return 0
    if not arguments.block and not (arguments.unit or arguments.cosim):
        raise BadInput("nothing to measure: --block, --unit or --cosim must name something")
    if not arguments.only_verilog:
        all_verilog_measured(arguments.block)
    lock = only_one(arguments.build, "make coverage")
    try:
        return measure_and_judge(arguments, entries)
    finally:
        lock.close()


def measure_and_judge(arguments, entries):
    """Exit code, after the reports are written."""
    store = runs.Store(os.path.join(arguments.build, "runs"), arguments.programs or os.path.join(arguments.build, "build"))
    files, functional, c_lines = measured(arguments, store)
    rows, excluded = rows_of(arguments, entries, files, c_lines)
    # Of a part, beside the report of the whole.
    folder = os.path.join(arguments.build, "verilog") if arguments.only_verilog else arguments.build
    print(write_all(folder, files, functional, c_lines, rows, excluded), end="")
    print(f"Written: {folder}/coverage.txt .tsv .json, summary.tsv, missing.tsv, annotated/, html/index.html")
    code = judge(rows, functional)
    print(f"{'FAILED' if code else 'pass'}  coverage: {len(functional)} blocks, {len(c_lines)} C files, "
          f"{sum(len(row.excluded) for row in rows)} points excluded")
    return code


if __name__ == "__main__":
    run_tool("coverage", main)
