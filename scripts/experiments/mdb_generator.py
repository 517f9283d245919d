#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The gain of MDB's generator on gtx480-mdb, and the effect of each choice that the paper leaves open (MDB, DAC 2016, section
6).

Speedups are of cycles, over the machine without MDB. The first column is mdb-local as it is; the others change one key of
[mdb] or the scheme, which stands at the column's head. The last lines have geometric means over the paper's HCC programs, and
the least of the LCC programs.
"""
import experiment
from house import BadInput
from mdb_machine import mean_of_columns, programs

CHOICES = {
    "local": (),
    "control": ("mdb.bypass=control",),
    "global": ("mdb.bypass=global",),
    "hits x 1": ("mdb.hits_shift=0",),
    "each cycle": ("mdb.failures=cycle",),
    "each cycle, hits x 1": ("mdb.failures=cycle", "mdb.hits_shift=0"),
    "rescale": ("mdb.rescale=on",),
    "each cycle, 16 bits": ("mdb.failures=cycle", "mdb.hit_bits=16", "mdb.fail_bits=16"),
    "each cycle, rescale": ("mdb.failures=cycle", "mdb.rescale=on"),
    "E 0.3": ("mdb.e_64ths=19",),
    "E 0.7": ("mdb.e_64ths=45",),
    "clear": ("mdb.at_launch=clear",),
    "keep": ("mdb.at_launch=keep",),
    "warps": ("mdb.level=warps",),
    "CTAs": ("mdb.level=ctas",),
    "global at once": ("mdb.bypass=global", "mdb.broadcast=0"),
    "global, 1,000 late": ("mdb.bypass=global", "mdb.broadcast=1000"),
    "line": ("l1.bypass_reply=line",),
}


def work():
    p = experiment.parser(__doc__, "gtx480-mdb")
    p.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="in all machines, as for warpmem run")
    p.add_argument("--choices", default=",,".join(CHOICES), help="columns to run, with ,, between them (default: all)")
    options = p.parse_args()
    asked = options.choices.split(",,")
    for name in asked:
        if name not in CHOICES:
            raise BadInput(f"--choices {name}: must be of {',,'.join(CHOICES)}")
    common = [word for pair in options.set for word in ("--set", pair)]
    words = {"base": common}
    for name in asked:
        words[name] = ["--scheme", "mdb-local", *common, *(word for pair in CHOICES[name] for word in ("--set", pair))]
    rows = [{**row, "machine": name} for row in experiment.asked_for(options, programs()) for name in words]

    def one(row):
        return experiment.run(options, "run", row["workload"], "--size", row["size"], "--preset", options.preset,
                              *words[row["machine"]])

    found = {}
    for row, result in experiment.all_of(options, rows, one):
        found.setdefault(row["app"], (row, {}))[1][row["machine"]] = result
    head = ["app", "workload", "paper", "cycles", *asked]
    lines = []
    for app, (row, results) in found.items():
        base = results["base"]
        lines.append([app, row["workload"], row["class"], base["cycles"] if base else None] +
                     [base["cycles"] / results[name]["cycles"] if base and results[name] else None for name in asked])
    hcc = [line for line in lines if line[2] == "HCC"]
    lcc = [line for line in lines if line[2] == "LCC"]
    columns = range(4, len(head))
    least = ["least", "-", "LCC", None] + [min((line[at] for line in lcc if line[at] is not None), default=None) for at in columns]
    return experiment.show(options, head, lines + [mean_of_columns(hcc, head, columns), least])


if __name__ == "__main__":
    experiment.main(work)
