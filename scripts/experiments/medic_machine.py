# SPDX-License-Identifier: Apache-2.0
"""Queueing at the L2 of gtx480, beside MeDiC 3.2, and its dependence on the bank interval.

Table I gives a bank a latency of 10 cycles and does not say whether it is busy for them: interval
is l2.bank_interval, from one access of a bank to its next. Parts:
  lookup   BFS with a lookup of 1 cycle, as for figure 8, and of the preset's
  reply    the same with one key changed: what else holds requests up
  bank     all programs, speedup over interval 1
  banks    2 and 4 times the banks, the capacity as before (figure 9), speedup over the preset's
           banks with the same interval; each bank with as many MSHRs and places to the DRAM
  share    the same, the MSHRs and places of a partition as before: banks alone
  dram     an FR-FCFS queue of twice the depth
  bound    every request a hit (scheme perfect-l2): more than what insertion can give; and a ROP
           latency of 1: more than what a bypass that leaves before that pipeline saves by it
  bypass   every read past the L2 (l2.bypass=all), of SCP alone
  mshrs    few MSHRs, which the banks of a partition share: what WByp, MeDiC and twice the banks
           gain there. With few enough the first two gain what the paper says, and the banks more
           than figure 9 has: MSHRs alone do not explain the paper

speedup: of IPC, of all programs the harmonic mean, least and most (the paper's mean is over
kernels). delay: mean cycles of a request from the end of its port to its bank's access, and the
shares of requests that wait so long. divergence: of a load that hits in the L2 with two requests
or more, core cycles from the first reply to the last, mean and longest; so it has in it what the
L1 (a request a cycle) and the interconnect (a line, 5 flits) take to pass the requests one after
another, and not only the difference of their delays at the banks, which is the paper's (figure 7).
"""
import argparse

from experiments import experiment
from warpmem.tools.house import BadInput, number

BFS, SCP = "lonestar-bfs-worklist", "scp"
INTERVAL, LOOKUP = "l2.bank_interval", "l2.hit_latency"
PARTS = ("lookup", "reply", "bank", "banks", "share", "dram", "bound", "bypass", "mshrs")
INTERVALS = (1, 5, 10)
KERNEL_INSTRUCTIONS = 5 * 10**8  # MeDiC 5
BINS = (("<16", 0, 16), ("16..63", 16, 64), ("64..255", 64, 256), (">=256", 256, 2**16))
HEAD = ["part", "machine", "workload", "paper", "speedup", "least", "most", "delay",
        *(name for name, _, _ in BINS), "divergence", "longest"]


def of_all(options):
    """The extra options of each machine."""
    return [word for pair in options.set for word in ("--set", pair)]


def sets(**keys):
    """Options for l2__banks=4 and so on."""
    return tuple(word for key, value in keys.items() for word in ("--set", f"{key.replace('__', '.')}={value}"))


def with_interval(n):
    return ("--set", f"{INTERVAL}={n}")


def share(keys, name, times, least=1):
    return max(least, int(keys[name]) // times)


def more_banks(keys, times):
    return sets(l2__banks=int(keys["l2.banks"]) * times, l2__sets=share(keys, "l2.sets", times))


def shared_out(keys, times):
    return sets(l2__mshrs=share(keys, "l2.mshrs", times), l2__miss_queue=share(keys, "l2.miss_queue", times, least=2))


def machines(keys, intervals=INTERVALS):
    """[(part, name, the paper's figure, options, options of what it is compared with, its only
    program or None)]."""
    found, plain = [], with_interval(1)
    for lookup in ("1", keys[LOOKUP]):
        for n in (1, 2, 4, 5, 8, 10):
            found.append(("lookup", f"lookup {lookup}, interval {n}", "delay 34.8" if lookup == "1" else None,
                          with_interval(n) + ("--set", f"{LOOKUP}={lookup}"), plain + ("--set", f"{LOOKUP}={lookup}"), BFS))
    one = plain + ("--set", f"{LOOKUP}=1")
    half = int(keys["clock.noc"]) // 2
    found += [("reply", "lookup 1, " + name, "delay 34.8", one + changed, one, BFS) for name, changed in (
                  ("a line in a flit", sets(noc__flit_bytes=256)),
                  ("interconnect at half its clock", sets(clock__noc=half)),
                  ("queues of 64 replies", sets(l2__reply_queue=64)),
                  ("256 MSHRs a bank", sets(l2__mshrs=256, l2__miss_queue=256)),
                  ("write-back", sets(l2__write="back")))]
    for n in intervals:
        found.append(("bank", f"interval {n}", "divergence 24.0", with_interval(n), plain, None))
    banks = int(keys["l2.partitions"]) * int(keys["l2.banks"])
    for part in ("banks", "share"):
        for times, paper in ((2, "speedup < 1.04"), (4, "speedup < 1.06")):
            more = more_banks(keys, times) + (shared_out(keys, times) if part == "share" else ())
            found += [(part, f"{banks * times} banks, interval {n}", paper,
                       with_interval(n) + more, with_interval(n), None) for n in intervals]
    deep = sets(dram__queue=2 * int(keys["dram.queue"]))
    for name, part, changed in ((f"queue {deep[1].split('=')[1]}", "dram", deep),
                                ("all hits", "bound", ("--scheme", "perfect-l2")),
                                ("no ROP latency", "bound", sets(l2__rop_latency=1))):
        found += [(part, f"{name}, interval {n}", None, with_interval(n) + changed, with_interval(n), None) for n in (1, 10)]
    found += [("bypass", f"all, interval {n}", None, with_interval(n) + sets(l2__bypass="all"),
               with_interval(n), SCP) for n in intervals]
    for mshrs in (32, 16, 8):
        few = plain + sets(l2__mshr_pool="partition", l2__mshrs=mshrs)
        found += [("mshrs", f"{mshrs} a partition, {name}", f"speedup {paper}", few + changed, few, None)
                  for name, paper, changed in (("wbyp", "1.336", ("--scheme", "wbyp")),
                                               ("medic", "1.415", ("--scheme", "medic")),
                                               (f"{banks * 2} banks", "< 1.04", more_banks(keys, 2)))]
    return found


def delays(stats):
    """Mean delay and the shares of BINS; a counter has the requests from its number to twice it."""
    requests = stats["l2.requests"]
    if not requests:
        return [None] * (1 + len(BINS))
    counted = {2**i: stats[f"l2.queue_delay_ge_{2**i}"] for i in range(16)}
    return [stats["l2.queue_delay"] / requests] + [
        sum(n for least, n in counted.items() if first <= least < end) / requests for _, first, end in BINS]


def divergence(stats):
    loads = stats["core.all_hit_loads"]
    return [stats["core.divergence_cycles"] / loads if loads else None, stats["core.divergence_max"] if loads else None]


def cells(result, reference):
    """speedup, delay, shares, divergence, longest."""
    ipc = [r["warp_instructions"] / r["cycles"] for r in (result, reference)]
    return [ipc[0] / ipc[1], *delays(result["stats"]), *divergence(result["stats"])]


def mean(values):
    known = [v for v in values if v is not None]
    return sum(known) / len(known) if known else None


def summary(lines):
    """Of the programs' cells: harmonic speedup, least, most, means, the longest."""
    if not lines:
        return [None] * (len(HEAD) - 4)
    columns = list(zip(*lines))
    speedup, longest = columns[0], [v for v in columns[-1] if v is not None]
    return [len(speedup) / sum(1 / s for s in speedup), min(speedup), max(speedup),
            *map(mean, columns[1:-1]), max(longest, default=None)]


def work():
    p = experiment.parser(__doc__, "gtx480")
    p.add_argument("--parts", help="only these, as in lookup,banks (default: all)")
    p.add_argument("--intervals", default=",".join(map(str, INTERVALS)),
                   help="of bank, banks, share and bypass (default %(default)s)")
    p.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="in all machines, as for warpmem run")
    p.add_argument("--programs", action="store_true", help="a line for each program as well")
    options = p.parse_args()
    parts = options.parts.split(",") if options.parts else PARTS
    if set(parts) - set(PARTS):
        raise BadInput(f"--parts {options.parts}: must be of " + ", ".join(PARTS))
    try:
        intervals = [number(1, 256)(n) for n in options.intervals.split(",")]
    except argparse.ArgumentTypeError as error:
        raise BadInput(f"--intervals {error}") from None
    keys = experiment.keys_of(options, options.preset, *of_all(options))
    programs = [row["workload"] for row in experiment.asked_for(options, experiment.paper_table("medic_warp_types"))]
    chosen = [(m, [w for w in programs if m[5] in (None, w)]) for m in machines(keys, intervals) if m[0] in parts]
    chosen = [(m, of) for m, of in chosen if of]
    runs = [(words, w) for m, of in chosen for w in of for words in (m[3], m[4])]
    limit = ("--max-insn-per-kernel", str(KERNEL_INSTRUCTIONS))
    rows = [{"words": words, "workload": w} for words, w in dict.fromkeys(runs)]
    results = {(row["words"], row["workload"]): result for row, result in experiment.all_of(
        options, rows, lambda row: experiment.run(
            options, "run", row["workload"], "--size", row["size"], "--preset", options.preset,
            *limit, *of_all(options), *row["words"]))}

    table = []
    for (part, name, paper, words, reference, only), of in chosen:
        pairs = [(w, results.get((words, w)), results.get((reference, w))) for w in of]
        known = {w: cells(a, b) for w, a, b in pairs if a and b}
        if not only:
            table.append([part, name, f"{len(known)} of {len(of)}", paper, *summary(list(known.values()))])
        for w in of if only or options.programs else ():
            line = known.get(w, [None] * (len(HEAD) - 6))
            table.append([part, name, w, paper if only else None, line[0], None, None, *line[1:]])
    return experiment.show(options, HEAD, table)


if __name__ == "__main__":
    experiment.main(work)
