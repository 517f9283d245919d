#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Shares of MeDiC's warp types at the shared L2, beside its table II.

ours, by load: of each load (one memory instruction of a warp) how many of its accesses beyond the
L1 the L2 had (MeDiC 3.1). by warp: of all requests of each warp's life, writes too, as the paper's
own counters do (4.1). Its table does not say which. Machine: gtx480,
whose L2 and cores are those of MeDiC table I.
agreement: the share of warps on which two distributions agree, 1 less half the sum of differences;
1 is the same distribution.
"""
import experiment

TYPES = ("all_hit", "mostly_hit", "balanced", "mostly_miss", "all_miss")


def shares(stats, what):
    counts = [stats[f"core.{what}_{t}"] for t in TYPES]
    total = sum(counts)
    return [c / total for c in counts] if total else [None] * len(TYPES)


def agreement(a, b):
    if None in a or None in b:
        return None
    return 1 - sum(abs(x - y) for x, y in zip(a, b)) / 2


def work():
    options = experiment.parser(__doc__, "gtx480").parse_args()
    rows = experiment.asked_for(options, experiment.paper_table("medic_warp_types"))
    found = experiment.all_of(options, rows, lambda row: experiment.run(
        options, "run", row["workload"], "--size", options.size, "--preset", options.preset))
    table = []
    for row, result in found:
        paper = [float(row[t]) for t in TYPES]
        table.append([row["app"], "paper", *paper, None, None])
        for what in ("loads", "warps"):
            ours = shares(result["stats"], what) if result else [None] * len(TYPES)
            table.append([row["workload"], "by " + what[:-1], *ours, agreement(paper, ours),
                          result["cycles"] if result else None])
    experiment.show(options, ["app", "what", *TYPES, "agreement", "cycles"], table)


experiment.main(work)
