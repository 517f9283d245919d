# SPDX-License-Identifier: Apache-2.0
"""What the experiments on traces alone share: a run of `warpmem characterize` a workload, beside the
papers' figures."""
import experiment

SCHEMA, VERSION = "warpmem.character", 1
# Programs here that could be OWL's as well: kmeans as released, and a larger graph.
OWL_ALSO = {"KMN": "kmeans", "BFSR": "bfs-1m"}


def owl_rows():
    """OWL's 19 memory-intensive applications, which its tables 3 and 4 have."""
    rows = []
    for row in experiment.paper_table("owl_apps"):
        if experiment.number(row["row_sharing"]) is not None:
            rows.append(row)
            if row["app"] in OWL_ALSO:
                rows.append({**row, "workload": OWL_ALSO[row["app"]]})
    return rows


def table(about, rows, preset, paper, head, cells):
    """Prints a line a workload. paper: columns of the paper's table; cells(data): ours, as many as
    head has; in place of the first stands why there are none."""
    p = experiment.parser(about)
    p.add_argument("--preset", default=preset, help=f"machine (default {preset})")
    options = p.parse_args()
    rows = experiment.asked_for(options, rows)
    here = experiment.sizes_here(options)
    lines = []
    for row, data in experiment.all_of(options, rows, lambda row: experiment.run(
            options, "characterize", row["workload"], "--size", options.size, "--preset",
            options.preset)):
        if data is None:
            why = ("failed" if options.size in here.get(row["workload"], []) else
                   "no such size" if row["workload"] in here else "not there")
            ours = [why] + [None] * (len(head) - 1)
        elif (data["schema"], data["version"]) != (SCHEMA, VERSION):
            raise experiment.Wrong(f"{options.build}/warpmem: must write {SCHEMA} version {VERSION}")
        else:
            ours = cells(data)
        lines.append([row["app"], row["workload"]]
                     + [experiment.number(row[column]) for column in paper] + ours)
    experiment.show(options, ["app", "workload"] + [f"paper {column}" for column in paper] + head,
                    lines)
