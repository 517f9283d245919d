# SPDX-License-Identifier: Apache-2.0
"""What claims are about: figures of one run, metrics that set two runs side by side, means.

All sums run over lists in the data's order with math.fsum, so no result depends on which run ended
first.
"""
import math
from collections import namedtuple

# text: the formula, printed with every table. function: of two results, ours and the reference.
# neutral: the value that means "the same": 1 for a ratio, 0 for a change.
Metric = namedtuple("Metric", "text function neutral also")
# column: of area.tsv; also: another one that is worth printing beside it, or None.
Hardware = namedtuple("Hardware", "column text also")


def stat(result, *names):
    return sum(result["stats"][name] for name in names)


def ipc(result):
    return result["thread_instructions"] / result["cycles"]


def ratio(ours, reference):
    """None where there is nothing to divide by."""
    return ours / reference if reference else None


def change(names):
    def function(ours, reference):
        value = ratio(stat(ours, *names), stat(reference, *names))
        return None if value is None else value - 1
    return function


def per_thousand(name):
    return lambda result: 1000 * stat(result, name) / result["thread_instructions"]


# Of a single run; stacked figures.
FIGURES_OF_A_RUN = {
    "mpki_intra_warp": per_thousand("l1.misses_intra_warp"),
    "mpki_cross_warp": per_thousand("l1.misses_cross_warp"),
    "mpki_cross_block": per_thousand("l1.misses_cross_block"),
}

METRICS = {
    "ipc_speedup": Metric("thread instructions a core cycle, ours / reference",
                          lambda o, r: ipc(o) / ipc(r), 1, None),
    "performance": Metric("cycles of the reference / ours",
                          lambda o, r: r["cycles"] / o["cycles"], 1, None),
    "performance_change": Metric("cycles of the reference / ours - 1",
                                 lambda o, r: r["cycles"] / o["cycles"] - 1, 0, None),
    "l2_to_l1_packets_change": Metric("noc.reply_packets, ours / reference - 1",
                                      change(["noc.reply_packets"]), 0,
                                      "l2_to_l1_flits_change"),
    "l2_to_l1_flits_change": Metric("noc.reply_flits, ours / reference - 1",
                                    change(["noc.reply_flits"]), 0, None),
    "l1_misses_change": Metric("l1.read_misses + l1.write_misses, ours / reference - 1",
                               change(["l1.read_misses", "l1.write_misses"]), 0,
                               "l1_misses_and_bypasses_change"),
    "l1_misses_and_bypasses_change": Metric(
        "l1.read_misses + l1.write_misses + l1.read_bypasses, ours / reference - 1",
        change(["l1.read_misses", "l1.write_misses", "l1.read_bypasses"]), 0, None),
}


# Columns of what `make area` writes, as like the paper's figures as there are: these are CACTI's, of
# the memory alone.
HARDWARE = {
    "clock_45nm": Hardware("sram_split_ghz", "its memory alone, two accesses a cycle", "ghz_45nm"),
    "area_45nm": Hardware("sram_split_45nm_mm2", "its memory alone, one port used twice a cycle",
                          "area_split_45nm_mm2"),
    "area_vs_l1": Hardware("share_of_l1", "its memory alone over a 16 KB L1's", None),
    "sram": Hardware("sram_kb", "memory in 1024 bytes", None),
}


def mean_of(kind, values, neutral=1):
    """The mean of ratios (neutral 1) or of changes (neutral 0); of changes the geometric and the
    harmonic mean are taken over 1 + change. None for no values."""
    if not values:
        return None
    if kind == "single":
        if len(values) != 1:
            raise ValueError("single: more than one value")
        return values[0]
    if kind == "max":
        return max(values)
    if kind == "min":
        return min(values)
    if kind == "arithmetic":
        return math.fsum(values) / len(values)
    factors = [v + 1 - neutral for v in values]
    if min(factors) <= 0:
        mean = 0.0  # the limit of both means as a factor goes to 0
    elif kind == "geometric":
        mean = math.exp(math.fsum(map(math.log, factors)) / len(factors))
    elif kind == "harmonic":
        mean = len(factors) / math.fsum(1 / f for f in factors)
    else:
        raise ValueError(kind)
    return mean - 1 + neutral
