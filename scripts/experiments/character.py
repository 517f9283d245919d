# SPDX-License-Identifier: Apache-2.0
"""What the experiments on traces alone share: a run of `warpmem characterize` a workload, beside the
papers' figures."""
import experiment

SCHEMA, VERSION = "warpmem.character", 1
# Programs here that could be OWL's as well: kmeans without textures, and a larger graph.
OWL_ALSO = {"KMN": "kmeans-global", "BFSR": "bfs-1m"}
# OWL 2.2: each ran for a thousand million instructions, IIX for 400 million.
OWL_INSTRUCTIONS, OWL_INSTRUCTIONS_OF = 10**9, {"iix": 4 * 10**8}


def owl_limit(workload):
    return ("--max-insn", str(OWL_INSTRUCTIONS_OF.get(workload, OWL_INSTRUCTIONS)))


def owl_rows():
    """OWL's 19 memory-intensive applications, which its tables 3 and 4 have."""
    rows = []
    for row in experiment.paper_table("owl_apps"):
        if experiment.number(row["row_sharing"]) is not None:
            rows.append(row)
            if row["app"] in OWL_ALSO:
                rows.append({**row, "workload": OWL_ALSO[row["app"]]})
    return rows


def table(about, rows, preset, paper, head, cells, limit=lambda workload: (), kernels=False):
    """rows_of() without options of its own but --kernels, where kernels is true: a line for each
    kernel, from cells(kernel)."""
    p = experiment.parser(about, preset)
    if kernels:
        p.add_argument("--kernels", action="store_true", help="a line for each kernel as well")
    options = p.parse_args()
    rows_of(options, rows, paper, head, cells, limit, kernels=kernels and options.kernels)


def rows_of(options, rows, paper, head, cells, limit=lambda workload: (), more=None,
            kernels=False):
    """Prints a line a workload. paper: columns of the paper's table; cells(data): ours, and
    more(row) after them, together as many as head has; in place of the first stands why there are
    none. limit(workload): more options. kernels: a line for each kernel as well."""
    rows = experiment.asked_for(options, rows)
    here = experiment.sizes_here(options)

    def one(row):
        data = experiment.run(options, "characterize", row["workload"], "--size", options.size,
                              "--preset", options.preset, *limit(row["workload"]))
        return data and (data, more(row) if more else [])

    lines = []
    for row, found in experiment.all_of(options, rows, one):
        data, after = found or (None, [])
        if data is None:
            why = ("failed" if experiment.has_size(options, here.get(row["workload"], [])) else
                   "no such size" if row["workload"] in here else "not there")
            ours = [why] + [None] * (len(head) - 1)
        elif (data["schema"], data["version"]) != (SCHEMA, VERSION):
            raise experiment.Wrong(f"{options.build}/warpmem: must write {SCHEMA} version {VERSION}")
        else:
            ours = cells(data) + after
        lines.append([row["app"], row["workload"]]
                     + [experiment.number(row[column]) for column in paper] + ours)
        if kernels and data:
            lines += [["", kernel["name"]] + [""] * len(paper) + cells({"total": kernel})
                      for kernel in data["kernels"]]
    experiment.show(options, ["app", "workload"] + [f"paper {column}" for column in paper] + head,
                    lines)
