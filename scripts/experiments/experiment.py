# SPDX-License-Identifier: Apache-2.0
"""What the experiments share: options, runs of warpmem on all cores, the papers' tables, printing.

A table has a row a workload, with the paper's figures beside ours; a workload that is not there, or
a figure that the paper does not have, is shown as -.
"""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Wrong(Exception):
    """Ends an experiment with one line."""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Wrong(message + "; --help lists what is allowed")


def parser(about, size="small"):
    """A default size of a paper stands for another paper's where a program has none of this one."""
    p = Parser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter,
               allow_abbrev=False)
    p.add_argument("workload", nargs="*", help="only these (default: all of the table)")
    p.add_argument("--size", default=size, help=f"tiny, small or paper:NAME (default {size})")
    p.set_defaults(default_size=size)
    p.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)),
                   help="runs at once (default: one a core)")
    p.add_argument("--seed", type=int, default=1, help="of generated inputs (default 1)")
    p.add_argument("--tsv", action="store_true", help="tab-separated")
    p.add_argument("--build", default=os.path.join(ROOT, "build"), help="folder of warpmem")
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


def run(options, *words):
    """JSON that a command of warpmem prints; None with a line on stderr when it fails."""
    command = [os.path.join(options.build, "warpmem"), *words, "--seed", str(options.seed),
               "--no-progress", "--json", "-"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise Wrong(f"{command[0]}: {error.strerror}; make builds it") from None
    if done.returncode:
        first = (done.stderr.strip().splitlines() or ["said nothing"])[0]
        print(f"{' '.join(words)}: {first}", file=sys.stderr)
        return None
    return json.loads(done.stdout)


def sizes_here(options):
    """{workload: its sizes}."""
    try:
        text = subprocess.run([os.path.join(options.build, "warpmem"), "list", "workloads", "--tsv"],
                              capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        raise Wrong(f"{options.build}/warpmem: does not run; make builds it") from None
    found = {}
    for line in text.splitlines()[1:]:
        name, _, size = line.split("\t")[:3]
        found.setdefault(name, []).append(size)
    return found


def asked_for(options, rows):
    """The rows whose workloads are asked for."""
    unknown = set(options.workload) - {row["workload"] for row in rows}
    if unknown:
        raise Wrong(f"{', '.join(sorted(unknown))}: not in this table, which has "
                    + ", ".join(row["workload"] for row in rows if row["workload"] != "-"))
    return [row for row in rows if not options.workload or row["workload"] in options.workload]


def size_of(options, sizes):
    """The size to take of a workload that has these; None: it has not the one asked for."""
    if options.size in sizes:
        return options.size
    if options.size == options.default_size:
        return next((size for size in sizes if size.startswith("paper")), None)
    return None


def all_of(options, rows, one):
    """[(row, one(row))] in order, on all cores; None for a workload or size that is not there. Adds
    row["size"], the size to run."""
    here, done, started = sizes_here(options), [], time.monotonic()
    rows = [{**row, "size": size_of(options, here.get(row["workload"], []))} for row in rows]

    def result(row):
        return one(row) if row["size"] else None

    with concurrent.futures.ThreadPoolExecutor(max(options.jobs, 1)) as pool:
        for row, found in zip(rows, pool.map(result, rows)):
            done.append((row, found))
            if sys.stderr.isatty():
                left = (time.monotonic() - started) / len(done) * (len(rows) - len(done))
                print(f"\r{len(done)} of {len(rows)}, about {left:.0f} s left   ", end="",
                      file=sys.stderr)
    if sys.stderr.isatty():
        print("\r" + " " * 40, end="\r", file=sys.stderr)
    return done


def show(options, head, rows):
    """Rows of texts and numbers (None: -), in columns or tab-separated."""
    table = [head] + [["-" if cell is None else cell if isinstance(cell, str) else f"{cell:.3g}"
                       for cell in row] for row in rows]
    if options.tsv:
        for line in table:
            print("\t".join(line))
        return
    widths = [max(len(line[i]) for line in table) for i in range(len(head))]
    for line in table:
        print("  ".join(cell.ljust(w) if i < 2 else cell.rjust(w)
                        for i, (cell, w) in enumerate(zip(line, widths))).rstrip())


def main(work):
    try:
        work()
    except Wrong as wrong:
        print(f"{os.path.basename(sys.argv[0])}: {wrong}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
