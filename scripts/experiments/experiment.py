# SPDX-License-Identifier: Apache-2.0
"""What the experiments share: options, runs of warpmem on all cores, the papers' tables, printing.

A table has a row a workload, with the paper's figures beside ours; a workload that is not there, or
a figure that the paper does not have, is shown as -.
"""
import argparse
import concurrent.futures
import json
import os
import re
import signal
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Wrong(Exception):
    """Ends an experiment with one line."""


class Ended(BaseException):
    """By a signal, whose number it has."""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Wrong(message + "; --help lists what is allowed")


def within(least, most):
    def convert(text):
        if not re.fullmatch("[0-9]{1,16}", text) or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text}: must be {least}..{most}")
        return int(text)
    return convert


def parser(about, preset, size="small"):
    """A default size of a paper stands for another paper's where a program has none of this one."""
    p = Parser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter,
               allow_abbrev=False)
    p.add_argument("workload", nargs="*", help="only these (default: all of the table)")
    p.add_argument("--size", default=size,
                   help=f"tiny, small, paper or paper:NAME, as for warpmem run (default {size})")
    p.set_defaults(default_size=size)
    p.add_argument("--jobs", type=within(1, 9999), default=len(os.sched_getaffinity(0)),
                   help="runs at once (default: one a core)")
    p.add_argument("--seed", type=within(0, 2**53 - 1), default=1,
                   help="of generated inputs (default 1)")
    p.add_argument("--tsv", action="store_true", help="tab-separated")
    p.add_argument("--build", default=os.path.join(ROOT, "build"), help="folder of warpmem")
    p.add_argument("--preset", default=preset, help=f"machine (default {preset})")
    p.set_defaults(running=set(), failed=[], ended=False)
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


def start(options, *words):
    return subprocess.Popen([os.path.join(options.build, "warpmem"), *words],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(options, *words):
    """JSON that a command of warpmem prints; None with a line on stderr when it fails."""
    with start(options, *words, "--seed", str(options.seed), "--no-progress", "--json",
               "-") as process:
        options.running.add(process)
        if options.ended:
            process.terminate()
        out, err = process.communicate()
        options.running.discard(process)
    if not process.returncode:
        return json.loads(out)
    if process.returncode > 0 and process.returncode < 128:  # else the user ended it
        first = (err.strip().splitlines() or ["said nothing"])[0]
        print(f"{' '.join(words)}: {first}", file=sys.stderr)
    options.failed.append(words)
    return None


def asked(options, *words):
    """What a command of warpmem that takes no time prints."""
    try:
        with start(options, *words) as process:
            out, err = process.communicate()
    except OSError as error:
        raise Wrong(f"{options.build}/warpmem: does not run: {error.strerror}; make builds it") \
            from None
    if process.returncode:
        raise Wrong(err.strip().removeprefix("warpmem: ") or f"warpmem {' '.join(words)} fails")
    return out


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
        raise Wrong(f"{', '.join(sorted(unknown))}: not in this table, which has "
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
    """[(row, one(row))] in order, on all cores; None for a workload or size that is not there. Adds
    row["size"], the size to run."""
    here, done, started = sizes_here(options), [], time.monotonic()
    sizes = dict.fromkeys(size for of_one in here.values() for size in of_one)
    if not has_size(options, sizes):
        raise Wrong(f"--size {options.size}: must be one of "
                    + ", ".join(dict.fromkeys([*sizes, "paper"])))
    asked(options, "config", "show", options.preset)

    rows = [{**row, "size": size_of(options, here.get(row["workload"], []))} for row in rows]

    def result(row):
        return one(row) if row["size"] else None

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        try:
            for row, found in zip(rows, pool.map(result, rows)):
                done.append((row, found))
                if sys.stderr.isatty():
                    left = (time.monotonic() - started) / len(done) * (len(rows) - len(done))
                    print(f"\r{len(done)} of {len(rows)}, about {left:.0f} s left   ", end="",
                          file=sys.stderr)
        except Ended:  # rows that have not begun are off; a second run of one is ended in run()
            options.ended = True
            for process in list(options.running):
                process.terminate()
            raise
    if sys.stderr.isatty():
        print("\r" + " " * 40, end="\r", file=sys.stderr)
    return done


def show(options, head, rows):
    """Rows of texts, counts and numbers of three digits (None: -), in columns or tab-separated."""
    def text(cell):
        if cell is None:
            return "-"
        return str(cell) if isinstance(cell, (str, int)) else f"{cell:.3g}"

    table = [head] + [[text(cell) for cell in row] for row in rows]
    if options.tsv:
        lines = ["\t".join(line) for line in table]
    else:
        widths = [max(len(line[i]) for line in table) for i in range(len(head))]
        lines = ["  ".join(cell.ljust(w) if i < 2 else cell.rjust(w)
                           for i, (cell, w) in enumerate(zip(line, widths))).rstrip()
                 for line in table]
    try:
        print("\n".join(lines), flush=True)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # for the flush when Python ends
        print(f"{os.path.basename(sys.argv[0])}: stdout: cannot be written: {error.strerror}",
              file=sys.stderr)
        sys.exit(1)
    if options.failed:
        sys.exit(1)


def main(work):
    def end(number, _):
        raise Ended(number)

    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    try:
        work()
    except Wrong as wrong:
        print(f"{os.path.basename(sys.argv[0])}: {wrong}", file=sys.stderr)
        sys.exit(2)
    except Ended as by:
        print(f"{os.path.basename(sys.argv[0])}: interrupted", file=sys.stderr)
        sys.exit(128 + by.args[0])
