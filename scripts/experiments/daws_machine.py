# SPDX-License-Identifier: Apache-2.0
"""The potential gain of DAWS on quadro-daws, and the gain of its schedulers (DAWS, MICRO 2013, sections 5 and 7.1).

Of gto, the baseline: cycles; hit: L1 read hits; intra: of these, of lines that the warp itself fetched, in thousands. Over gto,
in cycles: 8mb: with an L1 of 8 MB; swl: the fastest static limit of warps, and limit: which. Of each scheduler, over gto: x: its
speed-up; held: share of all cores' cycles in which it holds the only warps that could issue; intra: as above.

With --readings, from the trace alone: of each load in a loop the executions; the share of them with a line that the warp touched in
this trip or the last (load), most of whose lines are such (majority), and the share of accesses to such lines (access): what the
locality counter of 5.2.1 goes up by, where above a half of the loop's is positive (+) under that reading; whether it is diverged; the
load that it repeats, itself where none.

Profiles for daws-profiled are made here, of the size tiny and the seed after that of the runs. The last lines have harmonic means
of the speed-ups, of the highly cache-sensitive programs and of the others.
"""
import os
import tempfile

from experiments import experiment
from warpmem.tools.house import BadInput

SETS = {"daws-hcs": "HCS", "daws-ci": "CI"}
GATE = {"SPMV-Scalar": 2.89, "MEMC": 1.76, "KMN": 3.95, "GC": 1.29}  # of daws over gto
OF_BEST_SWL = 0.9  # where the numbers above come from
INSENSITIVE = 0.99
SCHEDULERS = {"daws": "daws-profiled", "detected": "daws-detected", "blind": "daws-no-control-flow", "ccws": "ccws", "swl": "swl",
              "gto": "gto", "rr": "rr", "oldest": "oldest"}
SWL_LIMITS = "1,2,3,4,5,6,8"


def programs():
    """Of the sets of this paper: [{workload, app, set}]."""
    rows = []
    with open(f"{experiment.ROOT}/data/workload_sets.tsv", encoding="utf-8") as file:
        for line in file:
            fields = line.rstrip("\n").split("\t")
            if fields[0] in SETS:
                rows.append({"workload": fields[3], "app": fields[4], "set": SETS[fields[0]]})
    return rows


def words_of(name, profile):
    """Options of warpmem run for "daws" or "daws daws.latency=0 --l1 xor"."""
    scheduler, *more = name.split()
    if scheduler.split(":")[0] not in SCHEDULERS:
        raise BadInput(f"--schedulers {name}: must begin with {', '.join(SCHEDULERS)}")
    kind, *number = scheduler.split(":")
    words = ["--scheme", ":".join([SCHEDULERS[kind], *number])]
    for word in more:
        words += [word] if word.startswith("--") or "=" not in word else ["--set", word]
    return words + (["--profile", profile] if scheduler == "daws" else [])


def speedup(results, name):
    return results["gto"]["cycles"] / results[name]["cycles"] if results.get(name) else None


def intra_hits(result):
    return result["stats"]["l1.hits_intra_warp"] / 1000


def line_of(row, results, names, cores):
    base = results["gto"]["stats"]
    best = (results.get("swl") or {}).get("sweep", {}).get("best")
    cells = [row["app"], row["workload"], row["size"], results["gto"]["cycles"], base["l1.read_hits"] / base["l1.global_read_accesses"]
             if base["l1.global_read_accesses"] else None, intra_hits(results["gto"]), speedup(results, "8mb"),
             speedup(results, "swl"), best]
    for name in names:
        stats = results[name]["stats"]
        cells += [speedup(results, name), stats["core.descheduled_cycles"] / (results[name]["cycles"] * cores),
                  intra_hits(results[name])]
    return cells


def harmonic_line(title, lines, columns):
    """Of columns of speed-ups; None elsewhere."""
    cells = [title, "-", "-"] + [None] * (columns - 3)
    for at in range(3, columns):
        values = [line[at] for line in lines]
        if at in (6, 7) or (at >= 9 and (at - 9) % 3 == 0):
            cells[at] = len(values) / sum(1 / value for value in values) if values and None not in values else None
    return cells


def readings_of(data):
    """(kernel, loop, [load]) of loops with loads."""
    return [(kernel["name"], loop) for kernel in data["kernels"] for loop in kernel["loops"] if loop["loads"]]


def show_readings(options, rows):
    """Of each load how each reading of 5.2.1 counts."""
    lines = []
    for row, data in experiment.all_of(options, rows, lambda row: experiment.run(
            options, "characterize", row["workload"], "--size", row["size"], "--preset", options.preset)):
        for kernel, loop in readings_of(data) if data else []:
            lines += loop_readings(row, kernel, loop)
    return experiment.show(options, ["app", "kernel", "loop", "load", "executions", "load any", "majority", "access", "class",
                                     "repeats"], lines)


def loop_readings(row, kernel, loop):
    """A line a load, and one of the loop."""
    def shares(loads):
        executions, accesses = (sum(load[name] for load in loads) for name in ("executions", "accesses"))
        return [sum(load["local_executions"] for load in loads) / executions,
                sum(load["mostly_local_executions"] for load in loads) / executions,
                sum(load["local_accesses"] for load in loads) / accesses]

    lines = [[row["app"], kernel, loop["pc"], load["pc"], load["executions"], *shares([load]),
              "diverged" if load["diverged"] else "converged", load["repeats_pc"]] for load in loop["loads"]]
    signs = [f"{share:.3g} {'+' if share > 0.5 else '-'}" for share in shares(loop["loads"])]
    return lines + [[row["app"], kernel, loop["pc"], "all", sum(load["executions"] for load in loop["loads"]), *signs, "-", "-"]]


def gate_text(row, results):
    """Does the program pass? None: it has no gate, or no run."""
    gain, best = speedup(results, "daws"), speedup(results, "swl")
    if gain is None or (row["set"] == "HCS" and row["app"] not in GATE):
        return None
    least = GATE.get(row["app"], INSENSITIVE)
    text = f"{row['app']} {gain:.2f} of {least} {'passes' if gain >= least else 'fails'}"
    if row["set"] == "HCS" and best:
        text += f" ({gain / best:.2f} of best-swl, {'' if gain >= OF_BEST_SWL * best else 'not '}nine tenths)"
    return text


def make_profiles(options, rows, folder):
    """{workload: file}; of those that can be made."""
    found = {}
    for name in dict.fromkeys(row["workload"] for row in rows):
        path = os.path.join(folder, name)
        done = experiment.call(options, "profile", name, "--size", "tiny", "--seed", str(options.seed + 1), "--preset",
                               options.preset, "--no-progress", "-o", path)
        if done.returncode:
            raise BadInput((done.stderr.strip().splitlines() or [f"profile {name}: fails"])[0].removeprefix("warpmem: "))
        found[name] = path
    return found


def kinds_of(options, names, profile):
    """{machine: options of warpmem run}"""
    kinds = {"gto": ["--scheme", "gto"]}
    if not options.no_ideal:
        kinds["8mb"] = ["--scheme", "gto", "--l1", "8mb"]
    if options.swl_limits != "none":
        kinds["swl"] = ["--scheme", "best-swl", "--swl-limits", options.swl_limits, "--jobs", "1"]
    return {**kinds, **{name: words_of(name, profile) for name in names}}


def run_all(options, rows, names, profiles):
    """{app: (row, {machine: result})}"""
    common = [word for pair in options.set for word in ("--set", pair)]
    common += ["--max-insn-launch", options.max_insn_launch] if options.max_insn_launch else []
    kinds = {row["workload"]: kinds_of(options, names, profiles[row["workload"]]) for row in rows}
    rows = [{**row, "machine": machine} for row in rows for machine in kinds[row["workload"]]]

    def one(row):
        return experiment.run(options, "run", row["workload"], "--size", row["size"], "--preset", options.preset, *common,
                              *kinds[row["workload"]][row["machine"]])

    found = {}
    for row, result in experiment.all_of(options, rows, one):
        found.setdefault(row["app"], (row, {}))[1][row["machine"]] = result
    return found


def work():
    p = experiment.parser(__doc__, "quadro-daws")
    p.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="in all machines, as for warpmem run")
    p.add_argument("--schedulers", default="daws",
                   help="separated by commas; \"daws daws.sum=fit\" has a key, \"daws --l1 xor\" a part (default %(default)s)")
    p.add_argument("--swl-limits", default=SWL_LIMITS, help="limits of warps, or none (default %(default)s)")
    p.add_argument("--readings", action="store_true", help="the readings of locality of each load in place of runs")
    p.add_argument("--no-ideal", action="store_true", help="without the L1 of 8 MB")
    p.add_argument("--max-insn-launch", metavar="N", help="stop each program with the launch that reaches N thread instructions")
    options = p.parse_args()
    names = [name.strip() for name in options.schedulers.split(",")]
    for name in names:  # before any run
        words_of(name, "")
    rows = experiment.asked_for(options, programs())
    if options.readings:
        return show_readings(options, rows)
    with tempfile.TemporaryDirectory() as folder:
        found = run_all(options, rows, names, make_profiles(options, rows, folder))
    cores = int(experiment.keys_of(options, options.preset)["core.count"])
    head = ["app", "workload", "size", "cycles", "hit", "intra", "8mb", "swl", "limit"]
    for name in names:
        head += [f"{name} x", "held", "intra"]
    good = [(row, results) for row, results in found.values() if all(results.values())]
    lines, means = [line_of(row, results, names, cores) for row, results in good], []
    for title in SETS.values():
        of_set = [line for line, (row, _) in zip(lines, good) if row["set"] == title]
        means += [harmonic_line(f"mean {title}", of_set, len(head))] if of_set else []
    code = experiment.show(options, head, lines + means)
    gate = [text for text in (gate_text(row, results) for row, results in good) if text]
    if gate and not options.tsv and "daws" in names:
        print("gate: " + "; ".join(gate))
    return code


if __name__ == "__main__":
    experiment.main(work)
