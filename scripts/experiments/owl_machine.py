# SPDX-License-Identifier: Apache-2.0
"""The potential gain of OWL on quadro-owl, and the gain of its schedulers (OWL, ASPLOS 2013, sections 3 and 4.1 to 4.3).

Of the machine as it is, round-robin: pmem, l2: cycles over those with perfect L1s, a perfect L2; idle: share of all cores' cycles
in which none issues; block: all warps of a core wait for data from beyond the L1 (MemoryBlockCycles); lsu: the load/store unit
is full; ctas: most CTAs that a core had; miss: misses of L1, texture and constant cache by their accesses, pending hits among
the misses; blp, rows, bus: banks with a request, row hits, bus use.
Of each scheduler, over round-robin: x: speed-up; miss: change of the misses' rate, so -0.5: half of them; blp, rows: of the
first scheduler's figure, relative change; l2: of the L2's hit rate, in points over round-robin.
Runs end at the end of the launch in which the paper's number of instructions falls. The last line has arithmetic means.
"""
import os

from experiments import experiment
from warpmem.tools.house import BadInput

GATE = {"KMN": (1.5, -0.5), "PVC": (1.5, -0.5)}  # of cta-aware-locality: speed-up, change of misses
SCHEDULERS = {"aware": "cta-aware", "locality": "cta-aware-locality", "blp": "cta-aware-locality-blp", "owl": "owl",
              "control": "owl-control", "two-level": "two-level"}


def programs():
    """Of the set owl19: [{workload, app}]."""
    rows = []
    with open(f"{experiment.ROOT}/data/workload_sets.tsv", encoding="utf-8") as file:
        for line in file:
            fields = line.rstrip("\n").split("\t")
            if fields[0] == "owl19":
                rows.append({"workload": fields[3], "app": fields[4]})
    return rows


def words_of(name):
    """Options of warpmem run for "locality" or "locality owl.life=last owl.blocked=issued"."""
    scheduler, *keys = name.split()
    if scheduler not in SCHEDULERS:
        raise BadInput(f"--schedulers {name}: must begin with {', '.join(SCHEDULERS)}")
    return ("--scheme", SCHEDULERS[scheduler], *(word for key in keys for word in ("--set", key)))


def ratio(top, bottom):
    return top / bottom if bottom else 0


def miss_rate(stats, pending):
    """Of the L1, texture and constant caches together (OWL table 3). @pending: pending hits are misses."""
    kinds = ("read_misses", "read_pending_hits", "read_hits", "read_bypasses", "write_hits", "write_pending_hits", "write_misses")
    counts = dict.fromkeys(("misses", "pending_hits", "hits"), 0)
    for kind in kinds:
        counts["misses" if kind.endswith(("misses", "bypasses")) else "pending_hits" if "pending" in kind else "hits"] += \
            stats["l1." + kind]
    for cache in ("texture", "constant"):
        for kind in counts:
            counts[kind] += stats[f"{cache}.{kind}"]
    misses = counts["misses"] + (counts["pending_hits"] if pending else 0)
    return ratio(misses, sum(counts.values()))


def figures_of(result, keys):
    """{name: figure} of one run. @keys: of its machine."""
    s, cores = result["stats"], result["cycles"] * int(keys["core.count"])
    dram_cycles = result["cycles"] / int(keys["clock.core"]) * int(keys["clock.dram"]) * int(keys["l2.partitions"])
    return {"idle": 1 - s["core.issue_cycles"] / cores, "block": s["core.memory_block_cycles"] / cores,
            "lsu": (s["core.wait_load_store"] + s["core.wait_l1_refused"]) / cores, "ctas": s["core.most_ctas"],
            "miss": miss_rate(s, True), "miss alone": miss_rate(s, False), "blp": ratio(s["dram.bank_cycles"], s["dram.busy_cycles"]),
            "rows": ratio(s["dram.row_hits"], s["dram.reads"] + s["dram.writes"]),
            "l2": ratio(s["l2.read_hits"], s["l2.read_hits"] + s["l2.read_pending_hits"] + s["l2.read_misses"]),
            "bus": ratio(s["dram.data_cycles"], dram_cycles)}


OF_BASE = ("idle", "block", "lsu", "ctas", "miss", "blp", "rows", "bus")


def line_of(row, results, names, keys):
    base, cells = results["rr"], [row["app"], row["workload"], row["size"]]
    of_base = figures_of(base, keys)
    cells += [base["cycles"], *(base["cycles"] / results[ideal]["cycles"] if ideal in results else None for ideal in ("pmem", "l2"))]
    cells += [of_base[name] for name in OF_BASE]
    first = figures_of(results[names[0]], keys)
    for name in names:
        of_this = figures_of(results[name], keys)
        cells += [base["cycles"] / results[name]["cycles"], ratio(of_this["miss"], of_base["miss"]) - 1,
                  ratio(of_this["blp"], first["blp"]) - 1, ratio(of_this["rows"], first["rows"]) - 1,
                  of_this["l2"] - of_base["l2"]]
    return cells


def passes(row, results, keys):
    """Does a program pass the gate? None: it is not one of its programs."""
    if row["app"] not in GATE or "locality" not in results:
        return None
    least, change = GATE[row["app"]]
    base, locality = figures_of(results["rr"], keys), figures_of(results["locality"], keys)
    return results["rr"]["cycles"] >= least * results["locality"]["cycles"] and locality["miss"] <= (1 + change) * base["miss"]


def mean_of(lines):
    """Arithmetic means of the columns of numbers."""
    columns = list(zip(*lines))[3:] if lines else []
    means = [[cell for cell in column if cell is not None] for column in columns]
    return ["mean", "-", "-"] + [sum(cells) / len(cells) if cells else None for cells in means]


def work():
    p = experiment.parser(__doc__, "quadro-owl", "paper:owl")
    p.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="in all machines, as for warpmem run")
    p.add_argument("--schedulers", default="aware,locality,blp,owl", help="separated by commas; \"locality owl.life=slot\" has a key (default %(default)s)")
    p.add_argument("--no-ideal", action="store_true", help="without perfect L1 and L2")
    p.add_argument("--max-insn-launch", metavar="N", help="stop each program there (default: where the paper did)")
    options = p.parse_args()
    names = [name.strip() for name in options.schedulers.split(",")]
    kinds = {"rr": (), **({} if options.no_ideal else {"pmem": ("--scheme", "perfect-l1"), "l2": ("--scheme", "perfect-l2")}),
             **{name: words_of(name) for name in names}}
    common = [word for pair in options.set for word in ("--set", pair)]
    rows = [{**row, "machine": name} for row in experiment.asked_for(options, programs()) for name in kinds]
    with open(os.path.join(experiment.ROOT, "data", "caps", "owl.tsv"), encoding="utf-8") as file:
        caps = dict(line.split("\t")[:2] for line in file if not line.startswith(("#", "workload")))

    def one(row):
        limit = options.max_insn_launch or caps.get(row["workload"], caps["*"])
        return experiment.run(options, "run", row["workload"], "--size", row["size"], "--preset", options.preset,
                              "--max-insn-launch", limit, *common, *kinds[row["machine"]])

    keys = experiment.keys_of(options, options.preset, *common)
    found = {}
    for row, result in experiment.all_of(options, rows, one):
        found.setdefault(row["app"], (row, {}))[1][row["machine"]] = result
    lines, gate = [], {}
    for app, (row, results) in found.items():
        if all(results.values()):
            lines.append(line_of(row, results, names, keys))
            gate[app] = passes(row, results, keys)
    head = ["app", "workload", "size", "cycles", "pmem", "l2", *OF_BASE]
    for name in names:
        head += [f"{name} x", "miss", "blp", "rows", "l2"]
    code = experiment.show(options, head, lines + [mean_of(lines)])
    gate = {app: passed for app, passed in gate.items() if passed is not None}
    if gate and not options.tsv:
        print("gate: locality at least 1.5 times as fast, misses fewer by half: "
              + ", ".join(f"{app} {'passes' if passed else 'fails'}" for app, passed in gate.items()))
    return code


if __name__ == "__main__":
    experiment.main(work)
