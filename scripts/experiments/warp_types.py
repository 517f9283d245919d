#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Shares of MeDiC's warp types at the shared L2, beside its table II.

The table does not say what it counts. ours counts like the paper's hardware (4.1): the
type of a warp is that of its first 30 requests to the L2, writes too, in each 100 k
cycles. With --loads also by load: the L2 hits among the accesses of one memory
instruction beyond the L1 (3.1). agreement: the share of warps on which two
distributions agree, 1 less half the sum of differences (the paper's first divided by
their sum, which rounding leaves beside 1); 1 is the same distribution. The last lines
have its mean, and how many programs have the paper's most frequent type. Machine:
gtx480, whose L2 and cores are those of MeDiC table I; each kernel is cut where the
paper cuts it (5).
"""
import experiment

TYPES = ("all_hit", "mostly_hit", "balanced", "mostly_miss", "all_miss")
KERNEL_INSTRUCTIONS = 5 * 10**8  # MeDiC 5
READINGS = (("warps", "ours"), ("loads", "by load"))


def shares(counts):
    """Of a sum of 1; None each when there is nothing."""
    total = sum(counts)
    return [c / total for c in counts] if total else [None] * len(TYPES)


def agreement(a, b):
    if None in a or None in b:
        return None
    return 1 - sum(abs(x - y) for x, y in zip(a, b)) / 2


def summary(label, pairs):
    """Mean agreement and equal most frequent types of (paper, ours)."""
    whole = [pair for pair in pairs if None not in pair[1]]
    same = sum(a.index(max(a)) == b.index(max(b)) for a, b in whole)
    mean = sum(agreement(a, b) for a, b in whole) / len(whole) if whole else None
    return ["all", label, f"{same} of {len(whole)}", *[None] * (len(TYPES) - 1), mean, None]


def work():
    p = experiment.parser(__doc__, "gtx480")
    p.add_argument("--loads", action="store_true", help="the reading by load as well")
    p.add_argument("--max-cycles", type=int, help="end each run there (default: at its end)")
    p.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="in the machine, as for warpmem run")
    options = p.parse_args()
    limit = ["--max-insn-per-kernel", str(KERNEL_INSTRUCTIONS), *(word for pair in options.set for word in ("--set", pair))]
    if options.max_cycles:
        limit += ["--max-cycles", str(options.max_cycles)]
    rows = experiment.asked_for(options, experiment.paper_table("medic_warp_types"))
    found = experiment.all_of(options, rows, lambda row: experiment.run(
        options, "run", row["workload"], "--size", row["size"], "--preset", options.preset, *limit))
    readings = READINGS if options.loads else READINGS[:1]
    table, pairs = [], {label: [] for _, label in readings}
    for row, result in found:
        printed = [float(row[t]) for t in TYPES]
        paper = shares(printed)
        table.append([row["app"], "paper", *printed, None, None])
        for what, label in readings:
            ours = shares([result["stats"][f"core.{what}_{t}"] for t in TYPES] if result else [])
            pairs[label].append((paper, ours))
            table.append([row["workload"], label, *ours, agreement(paper, ours), result["cycles"] if result else None])
    table += [summary(label, of) for label, of in pairs.items()]
    return experiment.show(options, ["app", "what", *TYPES, "agreement", "cycles"], table)


if __name__ == "__main__":
    experiment.main(work)
