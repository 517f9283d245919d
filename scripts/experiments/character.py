# SPDX-License-Identifier: Apache-2.0
"""Shared part of the experiments on traces alone: a run of `warpmem characterize` per workload, beside the papers'
figures."""
import os

import experiment
from house import BadInput

SCHEMA, VERSION = "warpmem.character", 2
# Programs here that could be OWL's as well: without textures, a larger graph, the simple versions.
OWL_ALSO = {"KMN": "kmeans-global", "BFSR": "bfs-1m", "SAD": "sad-base", "FFT": "fft-base"}
def read_owl_caps():
    """{workload: thread instructions, as text} of data/caps/owl.tsv."""
    with open(os.path.join(experiment.ROOT, "data", "caps", "owl.tsv"), encoding="utf-8") as file:
        return dict(line.split("\t")[:2] for line in file if not line.startswith(("#", "workload")))


def owl_limit(workload):
    caps = read_owl_caps()
    return ("--max-insn", caps.get(workload, caps["*"]))


def owl_rows():
    """OWL's 19 memory-intensive applications, which its tables 3 and 4 have."""
    rows = []
    for row in experiment.paper_table("owl_apps"):
        if experiment.number(row["row_sharing"]) is not None:
            rows.append(row)
            if row["app"] in OWL_ALSO:
                rows.append({**row, "workload": OWL_ALSO[row["app"]]})
    return rows


def table(about, rows, preset, paper, head, cells, limit=lambda workload: (), kernels=False, size="small"):
    """rows_of() without options of its own but --max-insn, where there is a limit, and --kernels,
    where kernels is true: a line for each kernel, from cells(kernel)."""
    p = experiment.parser(about, preset, size)
    if limit("-"):
        p.add_argument("--max-insn", help="stop each program there (default: where the paper did)")
    if kernels:
        p.add_argument("--kernels", action="store_true", help="a line for each kernel as well")
    options = p.parse_args()
    return rows_of(options, rows, paper, head, cells, limit, kernels=kernels and options.kernels)


def rows_of(options, rows, paper, head, cells, limit=lambda workload: (), more=None, kernels=False):
    """Prints a line a workload. paper: columns of the paper's table; cells(data): ours, and
    more(row) after them, together as many as head has; in place of the first stands why there are
    none. limit(workload): more options, which --max-insn replaces. kernels: a line for each kernel
    as well. Where the default size is a paper's the last column says which size it is."""
    rows = experiment.asked_for(options, rows)
    here = experiment.sizes_here(options)
    words = ["--max-insn", options.max_insn] if getattr(options, "max_insn", None) else None
    tail = ["size"] if options.default_size.startswith("paper") else []

    def one(row):
        data = experiment.run(options, "characterize", row["workload"], "--size", row["size"],
                              "--preset", options.preset, *(words or limit(row["workload"])))
        return data and (data, more(row) if more else [])

    lines = []
    for row, found in experiment.all_of(options, rows, one):
        data, after = found or (None, [])
        if data is None:
            why = "failed" if row["size"] else "no such size" if row["workload"] in here else "not there"
            ours = [why] + [None] * (len(head) - 1)
        elif (data["schema"], data["version"]) != (SCHEMA, VERSION):
            raise BadInput(f"{options.build}/warpmem: must write {SCHEMA} version {VERSION}")
        else:
            ours = cells(data) + after
        lines.append([row["app"], row["workload"]] + [experiment.number(row[column]) for column in paper] + ours
                     + [row[name] for name in tail])
        if kernels and data:
            lines += [["", kernel["name"]] + [""] * len(paper) + cells({"total": kernel}) + [""] * len(tail)
                      for kernel in data["kernels"]]
    return experiment.show(options, ["app", "workload"] + [f"paper {column}" for column in paper] + head + tail, lines)
