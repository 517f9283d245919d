# SPDX-License-Identifier: Apache-2.0
"""Holds a machine against a real GPU: captures the programs of the GPU's table, runs each kernel, compares the counters.

`make silicon SUITES=FOLDER` runs it. FOLDER has the suites as they were fetched (docs/silicon.md says from where), at any depth. Each
launch runs alone, on a machine whose caches are empty, as profilers measure it; a kernel's counts are the mean of its launches. Programs
that are not in FOLDER are named, and the rest runs. Binaries, traces and results are kept in OUT, and a repeated command goes on from them.

OUT/NAME.tsv has a line a kernel and counter: ours, the GPU's, their ratio. OUT/NAME.txt has the printed report, OUT/NAME.svg the plot.
NAME is the machine's. Exit code 1: a program that is there failed.
"""
import os
import sys

from silicon import counters, plot, report
from silicon.programs import ROOT, Builder, Failed, keys_of, known_programs, run_launch
from warpmem.tools.house import BadInput, Parser, number, only_one, run_tool, write_whole
from warpmem.tools.work import Progress, in_parallel

PRESET = "gv100"


def options_of(arguments):
    p = Parser("silicon", __doc__, allow_abbrev=False)
    p.add_argument("--suites", metavar="FOLDER", required=True, help="folder with the programs' suites")
    p.add_argument("--table", default=os.path.join(ROOT, "data", "silicon", "gv100.tsv"), help="the GPU's counters (data/silicon/gv100.tsv)")
    p.add_argument("--preset", default=PRESET, help=f"machine (default {PRESET})")
    p.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="as for warpmem run")
    p.add_argument("--only", metavar="A,B", help="only these programs or kernels")
    p.add_argument("--out", help="folder of results (BUILD/silicon)")
    p.add_argument("--max-launches", type=number(1, 100000), default=32, help="of a kernel (default %(default)s)")
    p.add_argument("--timeout", type=number(1, 1000000), default=3600, help="seconds for each compilation and capture (default %(default)s)")
    p.add_argument("--ptxas", metavar="NVCC", help="registers a thread by this nvcc's ptxas, as for warpmem-cc")
    p.add_argument("--name", help="of the files in OUT (default: the preset's)")
    p.add_jobs()
    p.add_build()
    return p.parse_args(arguments)


def chosen_rows(options):
    rows = counters.gpu_rows(options.table)
    if not options.only:
        return rows
    wanted = options.only.split(",")
    known = {row[what] for row in rows for what in ("program", "kernel")}
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise BadInput(f"--only {unknown[0]}: must be of {', '.join(sorted(known))}")
    return [row for row in rows if row["program"] in wanted or row["kernel"] in wanted]


def rows_by_program(options, rows):
    """{Program: its rows}, and lines about those that are not there."""
    known, found, absent = known_programs(options.suites), {}, {}
    for row in rows:
        program = known.get((row["suite"], row["program"]))
        if not program:
            absent[f"{row['suite']}/{row['program']}: not in data/silicon/programs.tsv, which says how programs are built"] = None
        elif not program.folder:
            absent[f"{program.label()}: no {program.marker} below {options.suites}; it is in {program.home}"] = None
        else:
            found.setdefault(program.with_arguments(row["arguments"]), []).append(row)
    return found, list(absent)


def capture_all(options, builder, by_program, problems):
    """[(row, trace, number of a launch, its warp instructions)]"""
    launches, progress = [], Progress("silicon: captured", by_program, options.jobs)

    def one(program):
        found = []
        for row in by_program[program]:
            try:
                path, lengths = builder.trace(program, row["kernel"], program.launches.get(row["kernel"], options.max_launches))
                found += [(row, path, number, length) for number, length in enumerate(lengths, 1)]
            except Failed as failed:
                problems.append(f"{program.label()}: {failed}")
        return found

    for program, found in in_parallel(one, list(by_program), options.jobs):
        launches += found
        progress.step(program)
    return launches


def run_one(options, item, *more):
    """JSON of the run of a launch."""
    machine = ["--preset", options.preset, *(word for pair in options.set for word in ("--set", pair))]
    return run_launch(options.build, os.path.join(options.out, "kept"), item[1], item[2], *machine, *more)


def run_all(options, launches, problems):
    """[(item, counts)]; the longest first."""
    items = {(item[1], item[2]): item for item in launches}
    cost = {key: float(item[3]) for key, item in items.items()}
    found = {key: result for key, item in items.items() if (result := run_one(options, item, "--only-kept"))}
    left = sorted((key for key in items if key not in found), key=lambda key: -cost[key])
    progress = Progress("silicon: launches run", left, options.jobs, cost)

    def one(key):
        try:
            return run_one(options, items[key])
        except Failed as failed:
            problems.append(f"{items[key][0]['kernel']}, launch {key[1]}: {failed}")
            return None

    for key, result in in_parallel(one, left, options.jobs):
        found[key] = result
        progress.step(key)
    return [(items[key], counters.counts_of(result)) for key, result in found.items() if result]


def compared_rows(rows, ran):
    """The rows that ran, with the mean of their launches."""
    compared = []
    for row in rows:
        counts = [found for item, found in ran if item[0] is row]
        if counts:
            compared.append({**row, "ours": counters.mean_of(counts), "launches": len(counts)})
    return compared


def write_results(options, rows):
    name, path = options.name or options.preset, os.path.join(options.out, options.name or options.preset)
    title = f"{name} against {os.path.basename(options.table)}"
    text = report.whole_report(rows, title)
    write_whole(path + ".tsv", report.full_table(rows))
    write_whole(path + ".txt", text)
    plot.draw_plot([(row["program"], report.pairs_of(row)) for row in rows], title, path + ".svg")
    print(text)
    print(f"{path}.tsv has all counters, {path}.svg the plot")


def main(arguments):
    options = options_of(arguments)
    options.out = options.out or os.path.join(options.build, "silicon")
    if not os.path.isdir(options.suites):
        what = f"{options.suites}: no such folder" if options.suites else "SUITES=FOLDER names it"
        raise BadInput(f"folder of the suites: {what}; docs/silicon.md says what to fetch into it")
    rows = chosen_rows(options)
    by_program, absent = rows_by_program(options, rows)
    if not by_program:
        raise BadInput("; ".join(absent[:3]) + ("; ..." if len(absent) > 3 else "") + "; docs/silicon.md says what to fetch")
    lock = only_one(options.out, "make silicon", "another --out")
    keys = keys_of(options.build, options.preset, *(word for pair in options.set for word in ("--set", pair)))
    if keys["l1.sectors"] != "on" or keys["l2.sectors"] != "on":
        raise BadInput(f"--preset {options.preset}: must have l1.sectors and l2.sectors, as v100: a GPU's counters are in sectors")
    builder = Builder(options.build, options.out, options.timeout, keys["core.count"], ["--ptxas=" + options.ptxas] if options.ptxas else [])
    for line in absent:
        print(f"silicon: left out: {line}", file=sys.stderr)
    problems = []
    launches = capture_all(options, builder, by_program, problems)
    compared = compared_rows(rows, run_all(options, launches, problems))
    if compared:
        write_results(options, compared)
    for line in [f"left out: {line}" for line in absent] + [f"failed: {line}" for line in problems]:
        print(f"silicon: {line}", file=sys.stderr)
    lock.close()
    return 1 if problems else 0


if __name__ == "__main__":
    run_tool("silicon", main)
