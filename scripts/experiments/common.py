# SPDX-License-Identifier: Apache-2.0
"""What the experiments share: the paper's table, a run of `warpmem characterize` for each of its
lines, and ours beside it."""
import argparse
import csv
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCHEMA, VERSION = "warpmem.character", 1


class Wrong(Exception):
    """What a user can mend: printed as one line, exit status 2."""


def paper_table(name):
    """Lines of data/experiments/NAME.tsv, as dictionaries."""
    path = os.path.join(ROOT, "data", "experiments", name + ".tsv")
    with open(path, newline="", encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    return list(csv.DictReader(lines, delimiter="\t"))


def options(text, epilog):
    parser = argparse.ArgumentParser(description=text, epilog=epilog,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"), metavar="FOLDER",
                        help="where warpmem is (default: build)")
    parser.add_argument("--size", default="small", help="of the inputs (default: small)")
    parser.add_argument("--seed", default="1", help="of the generated inputs (default: 1)")
    parser.add_argument("--workload", metavar="NAME", help="this one alone, as ours is called")
    parser.add_argument("--tsv", action="store_true", help="the table with tabs")
    return parser.parse_args()


class Runner:
    """Runs the binary; a workload that the binary does not have is no error."""

    def __init__(self, args, preset):
        self.binary = os.path.join(args.build, "warpmem")
        self.words = ["--size", args.size, "--seed", args.seed, "--preset", preset]
        self.failed = False
        self.there = {line.split()[0] for line in self.call(["list", "workloads"]).splitlines()
                      if line and not line[0].isspace()}

    def call(self, words):
        try:
            done = subprocess.run([self.binary] + words, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, check=False, encoding="utf-8")
        except OSError as error:
            raise Wrong(f"{self.binary}: {error.strerror}: `make` builds it") from None
        if done.returncode:
            raise Wrong(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else
                        f"{self.binary}: exit status {done.returncode}")
        return done.stdout

    def characterize(self, workload):
        """What the JSON says, or a word that says why there is none."""
        if workload not in self.there:
            return "not there"
        try:
            data = json.loads(self.call(["characterize", workload, "--no-progress", "--json", "-"]
                                        + self.words))
        except Wrong as wrong:
            print(f"{workload}: {wrong}", file=sys.stderr)
            self.failed = True
            return "failed"
        if (data.get("schema"), data.get("version")) != (SCHEMA, VERSION):
            raise Wrong(f"{self.binary}: must write {SCHEMA} version {VERSION}")
        return data


def show(head, rows, tsv):
    """Prints a table: aligned, or with tabs."""
    if tsv:
        for row in [head] + rows:
            print("\t".join(row))
        return
    width = [max(len(row[i]) for row in [head] + rows) for i in range(len(head))]
    for row in [head] + rows:
        cells = [cell.ljust(w) if i < 2 else cell.rjust(w)
                 for i, (cell, w) in enumerate(zip(row, width))]
        print("  ".join(cells).rstrip())


def experiment(text, epilog, table, preset, head, row_of):
    """The whole of a script. row_of(line, data): cells behind app and workload; data None: there is
    no run, only the paper's cells."""
    args = options(text, epilog)
    try:
        lines = [line for line in paper_table(table)
                 if args.workload in (None, line["workload"])]
        if not lines:
            raise Wrong(f"--workload {args.workload}: must be one of "
                        + ", ".join(line["workload"] for line in paper_table(table)))
        runner = Runner(args, preset)
        rows = []
        for line in lines:
            data = runner.characterize(line["workload"])
            if isinstance(data, str):
                cells = row_of(line, None)
                rows.append([line["app"], line["workload"]] + cells
                            + [data] + [""] * (len(head) - 3 - len(cells)))
            else:
                rows.append([line["app"], line["workload"]] + row_of(line, data))
        show(head, rows, args.tsv)
    except Wrong as wrong:
        print(f"{os.path.basename(sys.argv[0])}: {wrong}", file=sys.stderr)
        sys.exit(2)
    sys.exit(1 if runner.failed else 0)
