# SPDX-License-Identifier: Apache-2.0
"""Shared part of the experiments: options, runs of warpmem on all cores, the papers' tables, printing.

A table has a row a workload, with the paper's figures beside ours; a workload that is not there, or
a figure that the paper does not have, is shown as -.
"""
import json
import os
import subprocess
import sys

from warpmem.tools import house
from warpmem.tools.house import BadInput, Parser, aligned, tsv
from warpmem.tools.work import Progress, in_parallel

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))


def parser(about, preset, size="small"):
    """A default size of a paper stands for another paper's where a program has none of this one. preset None: the rows of all_of
    name theirs."""
    p = Parser(os.path.basename(sys.argv[0]), about, allow_abbrev=False)
    p.add_argument("workload", nargs="*", help="only these (default: all of the table)")
    p.add_argument("--size", default=size, help=f"tiny, small, paper or paper:NAME, as for warpmem run (default {size})")
    p.add_jobs("runs at once (default: one a core)")
    p.add_argument("--seed", type=house.number(0, 2**53 - 1), default=1, help="of generated inputs (default 1)")
    p.add_argument("--tsv", action="store_true", help="tab-separated")
    p.add_build("folder of warpmem", os.path.join(ROOT, "build"))
    if preset is not None:
        p.add_argument("--preset", default=preset, help=f"machine (default {preset})")
    p.add_argument("--keep", metavar="FOLDER", help="results of runs are kept there, and only what it has not runs (default BUILD/repro: "
                   "results of make repro serve here too)")
    p.set_defaults(failed=[], default_size=size)
    return p


def paper_table(name):
    """[{column: text}] of data/tables/NAME.tsv; the last comment line names the columns."""
    rows, head = [], None
    with open(os.path.join(ROOT, "data", "tables", name + ".tsv"), encoding="utf-8") as f:
        for line in f:
            fields = line.rstrip("\n").split("\t")
            if line.startswith("#"):
                head = [fields[0].lstrip("# ")] + fields[1:]
            else:
                rows.append(dict(zip(head, fields)))
    return rows


def number(text):
    return None if text in ("-", "", None) else float(text)


def call(options, *words):
    """A command of warpmem that has ended."""
    try:
        return subprocess.run([os.path.join(options.build, "warpmem"), *words], capture_output=True, text=True, check=False)
    except OSError as error:
        raise BadInput(f"{options.build}/warpmem: does not run: {error.strerror}; make builds it") from None


def run(options, *words):
    """JSON that a command of warpmem prints; None with a line on stderr when it fails."""
    keep = ("--keep", options.keep or os.path.join(options.build, "repro")) if words[0] == "run" else ()
    seed = () if words[1].endswith(".wtr") else ("--seed", str(options.seed))  # a trace has that of its recording
    done = call(options, *words, *keep, *seed, "--no-progress", "--json", "-")
    if not done.returncode:
        return json.loads(done.stdout)
    if 0 < done.returncode < 128:  # else the user ended it
        first = (done.stderr.strip().splitlines() or ["said nothing"])[0]
        print(f"{' '.join(words)}: {first}", file=sys.stderr)
    options.failed.append(words)
    return None


def asked(options, *words):
    """The output of a quick command of warpmem."""
    done = call(options, *words)
    if done.returncode:
        raise BadInput(done.stderr.strip().removeprefix("warpmem: ") or f"warpmem {' '.join(words)} fails")
    return done.stdout


def keys_of(options, preset, *words):
    """{"l2.banks": "2"} of a preset with these options."""
    found, section = {}, ""
    for line in asked(options, "config", "show", preset, *words).splitlines():
        text = line.split(";")[0].strip()
        if text.startswith("["):
            section = text.strip("[]")
        elif "=" in text:
            key, value = text.split("=", 1)
            found[f"{section}.{key.strip()}"] = value.strip()
    return found


def sizes_here(options):
    """{workload: its sizes}."""
    found = {}
    for line in asked(options, "list", "workloads", "--tsv").splitlines()[1:]:
        name, _, size = line.split("\t")[:3]
        found.setdefault(name, []).append(size)
    return found


def has_size(options, sizes):
    return any(options.size in (size, size.split(":")[0]) for size in sizes)


def asked_for(options, rows):
    """The rows whose workloads are asked for."""
    unknown = set(options.workload) - {row["workload"] for row in rows}
    if unknown:
        raise BadInput(f"{', '.join(sorted(unknown))}: not in this table, which has "
                    + ", ".join(row["workload"] for row in rows if row["workload"] != "-"))
    return [row for row in rows if not options.workload or row["workload"] in options.workload]


def size_of(options, sizes):
    """The size to take of a workload that has these; None: it has not the one asked for."""
    if options.size in sizes:
        return options.size
    if options.size in ("paper", options.default_size):
        return next((size for size in sizes if size.startswith("paper")), None)
    return None


def all_of(options, rows, one):
    """[(row, one(row))] in order, on all cores; None for a workload or size that is not there. Adds row["size"], the size to
    run. A row may have a preset of its own."""
    here = sizes_here(options)
    sizes = dict.fromkeys(size for of_one in here.values() for size in of_one)
    if not has_size(options, sizes):
        raise BadInput(f"--size {options.size}: must be one of " + ", ".join(dict.fromkeys([*sizes, "paper"])))
    for preset in dict.fromkeys(row.get("preset") or options.preset for row in rows):
        asked(options, "config", "show", preset)
    rows = [{**row, "size": size_of(options, here.get(row["workload"], []))} for row in rows]
    progress, found = Progress("runs", range(len(rows)), options.jobs, quiet=float("inf")), {}
    for at, result in in_parallel(lambda at: one(rows[at]) if rows[at]["size"] else None, range(len(rows)), options.jobs):
        found[at] = result
        progress.step(at)
    return [(row, found[at]) for at, row in enumerate(rows)]


def show(options, head, rows):
    """Rows of texts, counts and numbers of three digits (None: -), in columns or tab-separated. The exit code."""
    def text(cell):
        if cell is None:
            return "-"
        return str(cell) if isinstance(cell, (str, int)) else f"{cell:.3g}"

    table = [head] + [[text(cell) for cell in row] for row in rows]
    print(tsv(table) if options.tsv else "\n".join(aligned(table, (0, 1))) + "\n", end="", flush=True)
    return 1 if options.failed else 0


def main(work):
    house.run_tool(os.path.basename(sys.argv[0]), lambda _: work(), own_codes=True, stopped="interrupted")
