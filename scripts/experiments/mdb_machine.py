# SPDX-License-Identifier: Apache-2.0
"""The potential gain of MDB on gtx480-mdb, with static bypassing alone (MDB, DAC 2016, sections 4 and 5).

Speedups are of cycles, over the machine as it is:
  modulo     the L1's index by the low bits of the line's number (figure 2)
  no L1      every access goes on (figure 2)
  8 MB       an L1 of 8 MB (figure 2); a program that gains half or more has high cache contention: class HCC
  L = n      the first n warps of the CTA, or CTAs of a core that has several, use the L1, the others go round it
  swl n      the same limit on the warps that a scheduler picks from, with all of them in the L1
The columns between: hits and reservation failures of the machine as it is, per thousand thread instructions, and the failures by
what was missing: a line of the set, an MSHR, room in the MSHR, room in the miss queue. The last line has geometric means over
the paper's HCC, MDB's own mean.
"""
import math

from experiments import experiment
from warpmem.tools.house import number

GATE = ("ATX", "MVT", "BIC", "GMV", "KMS", "SC", "S2K")  # which must gain
LEAST_8MB, LEAST_STATIC = 1.5, 1.25
CAUSES = ("associativity", "mshr_full", "mshr_merge", "miss_queue")
LIMITS = range(1, 8)


def programs():
    """Of the sets mdb-hcc and mdb-lcc: [{workload, app, class}]."""
    rows = []
    with open(f"{experiment.ROOT}/data/workload_sets.tsv", encoding="utf-8") as file:
        for line in file:
            fields = line.rstrip("\n").split("\t")
            if fields[0] in ("mdb-hcc", "mdb-lcc"):
                rows.append({"workload": fields[3], "app": fields[4], "class": fields[2]})
    return rows


def machines(options):
    """{name: options of warpmem run}."""
    found = {"xor": (), "modulo": ("--set", "l1.index=modulo"), "no L1": ("--l1", "off"),
             "8 MB": ("--l1", "8mb")}
    found.update({f"L = {n}": ("--set", "mdb.bypass=limit", "--set", f"mdb.limit={n}") for n in LIMITS})
    found.update({f"swl {n}": ("--scheme", f"swl:{n}") for n in options.swl})
    return found


def failures(stats):
    return [stats[f"l1.fail_{cause}"] for cause in CAUSES]


def of_thousand(counts, result):
    return [1000 * count / result["thread_instructions"] for count in counts]


def best(speedups, prefix):
    """(name, speedup) of the best of its kind; (None, None): none was run."""
    found = {name: s for name, s in speedups.items() if name.startswith(prefix)}
    return max(found.items(), key=lambda pair: pair[1], default=(None, None))


def line_of(row, results):
    """Cells of one program, and True if it passes the gate (None: it is not one of its programs)."""
    base = results["xor"]
    speedups = {name: base["cycles"] / r["cycles"] for name, r in results.items() if name != "xor"}
    fails = of_thousand(failures(base["stats"]), base)
    static, swl = best(speedups, "L = "), best(speedups, "swl ")
    cells = [row["app"], row["workload"], row["class"], "HCC" if speedups["8 MB"] >= 1.5 else "LCC", base["cycles"],
             speedups["modulo"], speedups["no L1"], speedups["8 MB"],
             *of_thousand([base["stats"]["l1.read_hits"]], base), sum(fails), *fails, *static, *swl,
             *(speedups[f"L = {n}"] for n in LIMITS)]
    passes = speedups["8 MB"] >= LEAST_8MB and static[1] >= LEAST_STATIC
    return cells, passes if row["app"] in GATE else None


def mean_of_columns(lines, head, columns):
    """A line of geometric means over @lines of a table with this head."""
    cells = ["mean", "-", "HCC"] + [None] * (len(head) - 3)
    for at in columns if lines else []:
        known = [line[at] for line in lines if line[at] is not None]
        cells[at] = math.exp(sum(map(math.log, known)) / len(known)) if known else None
    return cells


def mean_of(lines):
    """The geometric mean of each column of speedups, over the paper's HCC."""
    lines = [line for line in lines if line[2] == "HCC" and line[5] is not None]
    return mean_of_columns(lines, HEAD, [HEAD.index("modulo"), HEAD.index("no L1"), HEAD.index("8 MB"), STATIC + 1, STATIC + 3,
                                         *range(len(HEAD) - len(LIMITS), len(HEAD))])


HEAD = ["app", "workload", "paper", "here", "cycles", "modulo", "no L1", "8 MB", "hits", "RFKI", *CAUSES, "static", "gain",
        "swl", "gain", *(f"L = {n}" for n in LIMITS)]
STATIC = HEAD.index("static")


def work():
    p = experiment.parser(__doc__, "gtx480-mdb")
    p.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="in all machines, as for warpmem run")
    p.add_argument("--swl", default="1,2,3,4,6,8,12", help="limits to try, of a scheduler's warps (default %(default)s)")
    options = p.parse_args()
    options.swl = [number(1, 64)(n) for n in options.swl.split(",")] if options.swl else []
    common = [word for pair in options.set for word in ("--set", pair)]
    kinds = machines(options)
    rows = [{**row, "machine": name} for row in experiment.asked_for(options, programs()) for name in kinds]

    def one(row):
        return experiment.run(options, "run", row["workload"], "--size", row["size"], "--preset", options.preset,
                              *common, *kinds[row["machine"]])

    found = {}
    for row, result in experiment.all_of(options, rows, one):
        found.setdefault(row["app"], (row, {}))[1][row["machine"]] = result
    lines, gate = [], {}
    for app, (row, results) in found.items():
        if all(results.values()):
            cells, passes = line_of(row, results)
            lines.append(cells)
            if passes is not None:
                gate[app] = passes
        else:
            lines.append([app, row["workload"], row["class"]] + [None] * (len(HEAD) - 3))
    code = experiment.show(options, HEAD, lines + [mean_of(lines)])
    missed = [app for app, passes in gate.items() if not passes]
    if not options.tsv:
        print(f"gate: 8 MB at least {LEAST_8MB}, the best static limit at least {LEAST_STATIC}: {len(gate) - len(missed)} of "
              f"{len(gate)} programs" + (f"; not {', '.join(missed)}" if missed else ""))
    return code


if __name__ == "__main__":
    experiment.main(work)
