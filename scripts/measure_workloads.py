#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Measures the cost of runs of the built-in workloads, and writes cmodel/workloads/costs.tsv.

A run whose time, worked out from a smaller size of the same workload, is above --limit is not made:
its records are counted without a machine, and its time is scaled by instructions and accesses. Rows
of workloads and sizes that are not asked for stay as they are.
"""
import json
import os
import re
import resource
import subprocess

from warpmem.tools.house import BadInput, Parser, run_tool, write_whole

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = os.path.join(ROOT, "cmodel", "workloads", "costs.tsv")
HEAD = """\
# The cost of a run of each workload; written by scripts/measure_workloads.py, read by `warpmem list workloads`.
# accesses: of the L1, loads, stores and atomics. seconds: processor time with the default preset and scheme on the
# computer where it was measured; scaled: worked out from a smaller size, by instructions and accesses.
# workload	size	launches	warp_instructions	accesses	seconds	how
"""
ACCESSES = ("l1.global_read_accesses", "l1.global_write_accesses", "l1.local_read_accesses",
            "l1.local_write_accesses", "l1.atomics")


def warpmem(build, *words):
    """Its standard output, and the processor time it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run([os.path.join(build, "warpmem"), *words], capture_output=True, text=True, check=False)
    except OSError as error:
        raise BadInput(f"{build}/warpmem: does not run: {error.strerror}; make builds it") from None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise BadInput(f"warpmem {' '.join(words)}: {done.stderr.strip() or done.returncode}")
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def listed(build):
    """[(workload, [size, ...])] in the order of the list."""
    found = []
    for line in warpmem(build, "list", "workloads", "--tsv")[0].splitlines()[1:]:
        name, _, size = line.split("\t")[:3]
        if not found or found[-1][0] != name:
            found.append((name, []))
        found[-1][1].append(size)
    return found


def read_table():
    rows = {}
    if os.path.exists(TABLE):
        with open(TABLE, encoding="utf-8") as f:
            for line in f:
                if not line.startswith("#") and line.strip():
                    fields = line.rstrip("\n").split("\t")
                    rows[fields[0], fields[1]] = fields
    return rows


def run(build, name, size):
    text, seconds = warpmem(build, "run", name, "--size", size, "--no-progress", "--json", "-")
    result = json.loads(text)
    stats = result["stats"]
    return [name, size, stats["gpu.launches"], stats["core.warp_instructions"],
            sum(stats[a] for a in ACCESSES), f"{max(seconds, 0.01):.2g}", "run"]


def count(build, name, size, smaller):
    text, _ = warpmem(build, "characterize", name, "--size", size, "--no-progress", "--json", "-")
    total = json.loads(text)["total"]
    instructions = total["instructions"]["warp"]
    accesses = sum(kind["accesses"] for space in ("global", "local") for kind in total["memory"][space].values())
    weight = (float(smaller[3]) + 8 * float(smaller[4])) or 1
    seconds = float(smaller[5]) * (instructions + 8 * accesses) / weight
    return [name, size, total["launches"], instructions, accesses, f"{seconds:.2g}", "scaled"]


def expected(rows, name, size, sizes):
    """Row of the largest smaller size that has been run."""
    for other in reversed(sizes[:sizes.index(size)]):
        row = rows.get((name, other))
        if row and row[6] == "run":
            return row
    return None


def write(rows, order):
    text = HEAD
    for name, sizes in order:
        for size in sizes:
            if (name, size) in rows:
                text += "\t".join(str(f) for f in rows[name, size]) + "\n"
    write_whole(TABLE, text)


def main(arguments):
    parser = Parser("measure_workloads", __doc__, allow_abbrev=False)
    parser.add_argument("workload", nargs="*", help="only these (default: all)")
    parser.add_argument("--size", action="append", help="only this size; may be repeated")
    parser.add_argument("--missing", action="store_true", help="only rows that the table lacks")
    parser.add_argument("--limit", type=float, default=60, help="seconds that a run may be expected to take (default 60)")
    parser.add_build("folder of warpmem", os.path.join(ROOT, "build"))
    options = parser.parse_args(arguments)
    order, rows = listed(options.build), read_table()
    unknown = set(options.workload) - {name for name, _ in order}
    if unknown:
        raise BadInput(f"{', '.join(sorted(unknown))}: no such workload; `warpmem list workloads` lists them")
    asked = [(name, sizes) for name, sizes in order if not options.workload or name in options.workload]
    here = dict.fromkeys(size for _, sizes in asked for size in sizes)
    for size in options.size or []:
        if size not in here:
            raise BadInput(f"--size {size}: must be one of {', '.join(here)}")
    for name, sizes in asked:
        for size in sizes:
            if (options.size and size not in options.size or options.missing and (name, size) in rows):
                continue
            smaller = expected(rows, name, size, sizes)
            if smaller and re.match("paper", size):
                row = count(options.build, name, size, smaller)
                if float(row[5]) <= options.limit:
                    row = run(options.build, name, size)
            else:
                row = run(options.build, name, size)
            rows[name, size] = row
            print("\t".join(str(f) for f in row), flush=True)
            write(rows, order)


if __name__ == "__main__":
    run_tool("measure_workloads", main)
