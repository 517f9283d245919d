# SPDX-License-Identifier: Apache-2.0
"""The quantities of claims: figures of one run, metrics that compare two runs, means.

All sums run over lists in the data's order with math.fsum, so no result depends on which run ended
first.
"""
import math
import statistics
from collections import namedtuple

from repro.common import NoValue

# Of one run. text: the formula. function: of its result; by_class: and of its workload's class.
Figure = namedtuple("Figure", "text function by_class", defaults=(False,))
# text: the formula, printed with every table. function: of two results, ours and the reference.
# neutral: the value that means "the same": 1 for a ratio, 0 for a change. also: metrics that are
# printed beside it. parts: of two results, the values that it is the mean of, or None.
Metric = namedtuple("Metric", "text function neutral also parts", defaults=((), None))
# Of one run: shares of what it counts, in bins. labels and function (shares) have one order.
Histogram = namedtuple("Histogram", "text unit labels function mean by_class", defaults=(False,))
# column: of area.tsv; also: another one that is worth printing beside it, or None. function: of a
# row's number in that column and its parameters; beside: (text, function) of another such figure.
Hardware = namedtuple("Hardware", "column text also function beside", defaults=(lambda number, _: number, None))


def stat(result, *names):
    try:
        return sum(result["stats"][name] for name in names)
    except KeyError as error:
        raise NoValue(f"its results have no {error.args[0]}") from None


def ipc(result):
    return result["thread_instructions"] / result["cycles"]


def ratio(ours, reference):
    if not reference:
        raise NoValue("nothing to compare with: 0 there")
    return ours / reference


def share(what, of):
    if not of:
        raise NoValue("nothing to divide by: 0 of them")
    return what / of


def change(names):
    return lambda ours, reference: ratio(stat(ours, *names), stat(reference, *names)) - 1


def quotient(figure):
    """Of a figure of two runs."""
    return lambda ours, reference: ratio(figure(ours), figure(reference))


def per(name, *names):
    """A statistic over the sum of others."""
    return lambda result: share(stat(result, name), stat(result, *names))


def per_thousand(name):
    return lambda result: 1000 * stat(result, name) / result["thread_instructions"]


def kernels_of(result):
    """{name: (thread instructions, cycles)}: all launches of a name are one kernel."""
    kernels = {}
    for row in result.get("kernels") or []:
        instructions, cycles = kernels.get(row["name"], (0, 0))
        kernels[row["name"]] = (instructions + row["thread_instructions"], cycles + row["cycles"])
    if not kernels:
        raise NoValue("its results have no kernels")
    return {name: k for name, k in kernels.items() if k[0]}


def kernel_speedups(ours, reference):
    a, b = kernels_of(ours), kernels_of(reference)
    if a.keys() != b.keys():
        raise NoValue("its kernels are not those of the reference")
    return [ratio(a[n][0] * b[n][1], a[n][1] * b[n][0]) for n in b]


def kernel_speedup(ours, reference):
    return mean_of("harmonic", kernel_speedups(ours, reference))


def of_requests(kind):
    """Names of what the L2 counts of each request that came to a bank, for one outcome."""
    return [f"l2.{access}_{kind}" for access in ("read", "write", "atomic", "l1_writeback")]


def l2_miss_or_bypass_rate(result):
    """All requests that the cores sent without those that hit: so bypasses are misses."""
    found = stat(result, *of_requests("hits"), *of_requests("pending_hits"))
    return 1 - share(found, stat(result, "core.requests_sent"))


l2_queue_latency = per("l2.queue_wait", "l2.requests")
l2_bank_latency = per("l2.bank_wait", "l2.requests")
l2_queue_delay = per("l2.queue_delay", "l2.requests")
row_hit_rate = per("dram.row_hits", "dram.reads", "dram.writes")
divergence_penalty = per("core.divergence_cycles", "core.all_hit_loads")
queue_divergence = per("core.queue_divergence_cycles", "core.all_hit_loads")


def first_level(result, *kinds):
    """Accesses of L1, texture and constant cache together that were of these kinds: hits, pending_hits, misses."""
    names = [f"{cache}_{kind}" for cache in ("l1.read", "l1.write") for kind in kinds]
    names += [f"{cache}.{kind}" for cache in ("texture", "constant") for kind in kinds]
    return stat(result, *names) + (stat(result, "l1.read_bypasses") if "misses" in kinds else 0)


def miss_rate_of(*kinds):
    """Of the first-level caches, with these kinds as misses."""
    return lambda result: share(first_level(result, *kinds), first_level(result, "hits", "pending_hits", "misses"))


CYCLES_OF_A_CORE = ["core." + name for name in (
    "issue_cycles", "no_warp_cycles", "wait_pipeline", "descheduled_cycles", "wait_load_store", "wait_l1_refused", "wait_result",
    "wait_l1", "wait_noc_request", "wait_l2_queue", "wait_l2_bank", "wait_dram_queue", "wait_dram_service", "wait_noc_reply",
    "wait_sync", "wait_end", "wait_unresolved")]
l1_miss_rate = miss_rate_of("misses", "pending_hits")
l1_fetch_rate = miss_rate_of("misses")
l2_hit_rate = per("l2.read_hits", "l2.read_hits", "l2.read_pending_hits", "l2.read_misses")
bank_parallelism = per("dram.bank_cycles", "dram.busy_cycles")
dram_queue_latency = per("dram.wait_cycles", "dram.reads", "dram.writes")
fetch_latency = per("core.read_latency_cycles", "core.read_replies")

PREFETCHES_ASKED = ["l2.prefetches", "l2.prefetches_here", "l2.prefetches_refused"]
FAILURES = [f"l1.fail_{cause}" for cause in ("associativity", "mshr_full", "mshr_merge", "miss_queue")]
MISSES = ["l1.read_misses", "l1.write_misses"]


def sum_per_thousand(*names):
    return lambda result: 1000 * stat(result, *names) / result["thread_instructions"]


def memory_instructions(result):
    """Of global and local memory."""
    return stat(result, *(f"l1.lines_{n:02}" for n in range(1, 33)))


def best_of_sweep(result):
    if "sweep" not in result:
        raise NoValue("no limits were tried")
    return float(result["sweep"]["best"])


def energy_efficiency(name):
    return lambda result: share(ipc(result), stat(result, name))


def divergence_max(result):
    """None of a run without such loads, whose counter is 0 as well."""
    share(1, stat(result, "core.all_hit_loads"))
    return stat(result, "core.divergence_max")


def load_per_thousand(*names):
    return lambda load, result: 1000 * sum(load[name] for name in names) / result["thread_instructions"]


def share_of_warps(type_):
    return lambda result: share(stat(result, "core.warps_" + type_), stat(result, *("core.warps_" + t for t in WARP_TYPES)))


def most_are_as_class(what):
    """1 or 0: is the most frequent type that of the class? Of equals none is."""
    def figure(result, class_):
        if class_ not in TYPE_OF_CLASS:
            raise NoValue(f"class {class_} is no type of warps")
        counts = {t: stat(result, f"core.{what}_{t}") for t in WARP_TYPES}
        share(1, sum(counts.values()))
        most = [t for t in WARP_TYPES if counts[t] == max(counts.values())]
        return float(most == [TYPE_OF_CLASS[class_]])
    return figure


def queue_delays(result):
    """Shares of requests by their delay at the L2; the first bin is what no other counts."""
    total = stat(result, "l2.requests")
    counts = [stat(result, f"l2.queue_delay_ge_{2 ** i}") for i in range(DELAY_BINS)]
    return [share(count, total) for count in [total - sum(counts)] + counts]


WARP_TYPES = ("all_hit", "mostly_hit", "balanced", "mostly_miss", "all_miss")
TYPE_OF_CLASS = dict(zip(("AH", "MH", "BL", "MM", "AM"), WARP_TYPES))  # data/workload_sets.tsv
DELAY_BINS = 16
MISS_RATE = ("1 - (l2.*_hits + l2.*_pending_hits) / core.requests_sent: a request that bypasses the "
             "L2 is a miss, one whose line is on its way is none")

FIGURES_OF_A_RUN = {
    "mpki_intra_warp": Figure("l1.misses_intra_warp per 1000 thread instructions", per_thousand("l1.misses_intra_warp")),
    "mpki_cross_warp": Figure("l1.misses_cross_warp per 1000 thread instructions", per_thousand("l1.misses_cross_warp")),
    "mpki_cross_block": Figure("l1.misses_cross_block per 1000 thread instructions", per_thousand("l1.misses_cross_block")),
    "l1_hits_pki": Figure("l1.read_hits per 1000 thread instructions", per_thousand("l1.read_hits")),
    "rfki": Figure("l1.fail_* per 1000 thread instructions: core cycles in which the L1 refused an access", sum_per_thousand(*FAILURES)),
    **{"rfki_" + name.removeprefix("l1.fail_"): Figure(f"{name} per 1000 thread instructions", per_thousand(name)) for name in FAILURES},
    "mipc": Figure("l1.lines_*: global and local memory instructions, over core cycles",
                   lambda result: memory_instructions(result) / result["cycles"]),
    "l1_misses_pki": Figure("l1.read_misses + l1.write_misses per 1000 thread instructions", sum_per_thousand(*MISSES)),
    "l1_bypasses_pki": Figure("l1.read_bypasses per 1000 thread instructions", per_thousand("l1.read_bypasses")),
    "l1_traffic_pki": Figure("l1.read_misses + l1.write_misses + l1.read_bypasses per 1000 thread instructions",
                             sum_per_thousand(*MISSES, "l1.read_bypasses")),
    "dram_pki": Figure("dram.reads + dram.writes per 1000 thread instructions", sum_per_thousand("dram.reads", "dram.writes")),
    "core_inactive": Figure("1 - core.issue_cycles / the cycles of all cores",
                            lambda result: 1 - share(stat(result, "core.issue_cycles"), stat(result, *CYCLES_OF_A_CORE))),
    "memory_block_share": Figure("core.memory_block_cycles / the cycles of all cores", per("core.memory_block_cycles", *CYCLES_OF_A_CORE)),
    "full_unit_share": Figure("core.wait_load_store + core.wait_l1_refused / the cycles of all cores: the load/store unit takes no access",
                              lambda result: share(stat(result, "core.wait_load_store", "core.wait_l1_refused"),
                                                   stat(result, *CYCLES_OF_A_CORE))),
    "memory_wait_share": Figure("core.memory_block_cycles + core.wait_load_store + core.wait_l1_refused / the cycles of all cores",
                                lambda result: share(stat(result, "core.memory_block_cycles", "core.wait_load_store",
                                                          "core.wait_l1_refused"), stat(result, *CYCLES_OF_A_CORE))),
    "descheduled_share": Figure("core.descheduled_cycles / the cycles of all cores: the policy holds what could issue",
                                per("core.descheduled_cycles", *CYCLES_OF_A_CORE)),
    "issue_share": Figure("core.issue_cycles / the cycles of all cores", per("core.issue_cycles", *CYCLES_OF_A_CORE)),
    "l1_intra_hits_pki": Figure("l1.hits_intra_warp per 1000 thread instructions", per_thousand("l1.hits_intra_warp")),
    "l1_inter_hits_pki": Figure("l1.hits_inter_warp per 1000 thread instructions", per_thousand("l1.hits_inter_warp")),
    "l1_read_misses_pki": Figure("l1.read_misses per 1000 thread instructions", per_thousand("l1.read_misses")),
    "victim_hits_pki": Figure("l1.victim_hits per 1000 thread instructions", per_thousand("l1.victim_hits")),
    "lost_held_in_loop": Figure("ccws.lost_held_in_loop / l1.victim_hits: lost by warps that were held since they entered their "
                                "outermost loop", per("ccws.lost_held_in_loop", "l1.victim_hits")),
    "this_trip_share": Figure("l1.hits_this_trip / l1.hits_intra_warp", per("l1.hits_this_trip", "l1.hits_intra_warp")),
    "last_trip_share": Figure("l1.hits_last_trip / l1.hits_intra_warp", per("l1.hits_last_trip", "l1.hits_intra_warp")),
    "other_trip_share": Figure("l1.hits_other_trip / l1.hits_intra_warp", per("l1.hits_other_trip", "l1.hits_intra_warp")),
    **{f"lanes_{lanes}_share": Figure(f"core.lanes_{lanes} / core.warp_instructions", per("core.lanes_" + lanes, "core.warp_instructions"))
       for lanes in ("1_4", "5_8", "9_12", "13_16", "17_20", "21_24", "25_28", "29_32")},
    "best_limit": Figure("the fastest of the limits that a sweep tried", best_of_sweep),
    "bank_parallelism": Figure("dram.bank_cycles / dram.busy_cycles", bank_parallelism),
    "l2_hit_rate": Figure("l2.read_hits / (l2.read_hits + l2.read_pending_hits + l2.read_misses)", l2_hit_rate),
    "prefetches_taken": Figure("l2.prefetches / (l2.prefetches + l2.prefetches_here + l2.prefetches_refused): of the lines of open "
                               "rows that the L2 was asked to take", per("l2.prefetches", *PREFETCHES_ASKED)),
    **{f"prefetches_{name}": Figure(f"l2.prefetches_{name} / l2.prefetches: of the lines of open rows that the L2 took {what}",
                                    per(f"l2.prefetches_{name}", "l2.prefetches"))
       for name, what in (("used", "those that a request found"), ("late", "those that one found on their way yet"),
                          ("unused", "those that were evicted before one came"))},
    "l2_miss_or_bypass_rate": Figure(MISS_RATE, l2_miss_or_bypass_rate),
    "l2_queue_latency": Figure("l2.queue_wait / l2.requests: L2 cycles that a request which came to "
                               "a bank waited for it, beyond the cycles of port, arbiter and the "
                               "blocks bypass and insertion", l2_queue_latency),
    "l2_bank_latency": Figure("l2.bank_wait / l2.requests: of these, the cycles in the bank's own queue", l2_bank_latency),
    "l2_queue_delay": Figure("l2.queue_delay / l2.requests: the same with these cycles", l2_queue_delay),
    "row_hit_rate": Figure("dram.row_hits / (dram.reads + dram.writes)", row_hit_rate),
    "divergence_penalty": Figure("core.divergence_cycles / core.all_hit_loads: core cycles from the "
                                 "first reply to the last of a load that all hit in the L2", divergence_penalty),
    "divergence_max": Figure("core.divergence_max: the longest of these", divergence_max),
    "queue_divergence": Figure("core.queue_divergence_cycles / core.all_hit_loads: core cycles by "
                               "which times between partition and L2 bank differ, of the same loads", queue_divergence),
    **{"warps_" + t: Figure(f"core.warps_{t} / the sum of the five types", share_of_warps(t)) for t in WARP_TYPES},
    **{f"most_{what}_as_class": Figure(f"1 where the most frequent type of core.{what}_* is the class "
                                       "that the set has, else 0", most_are_as_class(what), True)
       for what in ("warps", "loads")},
}

# Figures of one load of a run, from `kernels.loads` of its result: text, function (load, result).
LOADS = {
    "own_hits_pki": Figure("hits_own per 1000 thread instructions: the warp had fetched the line", load_per_thousand("hits_own")),
    "other_hits_pki": Figure("hits_other per 1000 thread instructions", load_per_thousand("hits_other")),
    "merged_pki": Figure("pending_own + pending_other per 1000 thread instructions: the line was on its way",
                         load_per_thousand("pending_own", "pending_other")),
    "misses_pki": Figure("misses per 1000 thread instructions", load_per_thousand("misses")),
    "lanes_each": Figure("lanes / executions", lambda load, _: load["lanes"] / load["executions"]),
    "accesses_each": Figure("accesses / executions", lambda load, _: load["accesses"] / load["executions"]),
}

HISTOGRAMS = {
    "l2_queue_delay": Histogram(
        "l2.queue_delay_ge_N / l2.requests, with the cycle of port and arbiter", "L2 cycles",
        ["0", "1"] + [f"{2 ** i}-{2 ** (i + 1) - 1}" for i in range(1, DELAY_BINS - 1)]
        + [f"{2 ** (DELAY_BINS - 1)}-"], queue_delays, l2_queue_delay),
}

METRICS = {
    "ipc_speedup": Metric("thread instructions a core cycle, ours / reference", lambda o, r: ipc(o) / ipc(r), 1),
    "kernel_speedup": Metric("harmonic mean over its kernels of thread instructions a core cycle, ours "
                             "/ reference; all launches of a name are one kernel",
                             kernel_speedup, 1, ("ipc_speedup",), kernel_speedups),
    "retire_rate": Metric("thread instructions a core cycle of the whole run, ours / reference",
                          lambda o, r: ipc(o) / ipc(r), 1),
    "performance": Metric("cycles of the reference / ours", lambda o, r: r["cycles"] / o["cycles"], 1),
    "performance_change": Metric("cycles of the reference / ours - 1", lambda o, r: r["cycles"] / o["cycles"] - 1, 0),
    "energy_efficiency": Metric("(thread instructions a core cycle / energy.gpu_total), ours / "
                                "reference", quotient(energy_efficiency("energy.gpu_total")), 1, ("data_energy_efficiency",)),
    "data_energy_efficiency": Metric("(thread instructions a core cycle / energy.total, of data "
                                     "movement alone), ours / reference", quotient(energy_efficiency("energy.total")), 1),
    "l2_miss_or_bypass_rate_change": Metric(f"{MISS_RATE}; ours / reference - 1",
                                            lambda o, r: quotient(l2_miss_or_bypass_rate)(o, r) - 1,
                                            0, ("l2_miss_or_bypass_rate_difference",)),
    "l2_miss_or_bypass_rate_difference": Metric(
        "the same rate, ours - reference", lambda o, r: l2_miss_or_bypass_rate(o) - l2_miss_or_bypass_rate(r), 0),
    "l2_queue_latency_ratio": Metric("l2.queue_wait / l2.requests, ours / reference",
                                     quotient(l2_queue_latency), 1, ("l2_queue_delay_ratio",)),
    "l2_queue_latency_reduction": Metric("l2.queue_wait / l2.requests, reference / ours",
                                         lambda o, r: quotient(l2_queue_latency)(r, o), 1, ("l2_queue_delay_reduction",)),
    "l2_queue_delay_ratio": Metric("l2.queue_delay / l2.requests, with the cycles of port, "
                                   "arbiter and blocks, ours / reference", quotient(l2_queue_delay), 1),
    "l2_queue_delay_reduction": Metric("l2.queue_delay / l2.requests, with the cycles of port, "
                                       "arbiter and blocks, reference / ours", lambda o, r: quotient(l2_queue_delay)(r, o), 1),
    "row_hit_rate_change": Metric("dram.row_hits / (dram.reads + dram.writes), ours / reference - 1",
                                  lambda o, r: ratio(row_hit_rate(o), row_hit_rate(r)) - 1, 0),
    "l1_miss_rate_reduction": Metric("1 - ours / reference of misses and pending hits over accesses, of L1, texture and constant cache",
                                     lambda o, r: 1 - quotient(l1_miss_rate)(o, r), 0, ("l1_fetch_rate_reduction",)),
    "l1_fetch_rate_reduction": Metric("the same with pending hits as hits", lambda o, r: 1 - quotient(l1_fetch_rate)(o, r), 0),
    "l2_hit_rate_difference": Metric("l2.read_hits over reads, ours - reference", lambda o, r: l2_hit_rate(o) - l2_hit_rate(r), 0),
    "bank_parallelism_change": Metric("dram.bank_cycles / dram.busy_cycles, ours / reference - 1",
                                      lambda o, r: quotient(bank_parallelism)(o, r) - 1, 0),
    "dram_queue_latency_change": Metric("dram.wait_cycles / (dram.reads + dram.writes), ours / reference - 1",
                                        lambda o, r: quotient(dram_queue_latency)(o, r) - 1, 0),
    "fetch_latency_change": Metric("core.read_latency_cycles / core.read_replies, ours / reference - 1",
                                   lambda o, r: quotient(fetch_latency)(o, r) - 1, 0),
    "l2_to_l1_packets_change": Metric("noc.reply_packets, ours / reference - 1", change(["noc.reply_packets"]), 0,
                                      ("l2_to_l1_flits_change",)),
    "l2_to_l1_flits_change": Metric("noc.reply_flits, ours / reference - 1", change(["noc.reply_flits"]), 0),
    "reservation_failures_ratio": Metric("l1.fail_*, ours / reference", quotient(lambda result: stat(result, *FAILURES)), 1),
    "mipc_ratio": Metric("l1.lines_* over core cycles, ours / reference",
                         quotient(lambda result: memory_instructions(result) / result["cycles"]), 1),
    "dram_traffic_ratio": Metric("dram.reads + dram.writes, ours / reference",
                                 quotient(lambda result: stat(result, "dram.reads", "dram.writes")), 1),
    "time_ratio": Metric("cycles, ours / reference", lambda o, r: o["cycles"] / r["cycles"], 1),
    "instructions_ratio": Metric("warp instructions, ours / reference", quotient(lambda result: stat(result, "core.warp_instructions")), 1,
                                 ("thread_instructions_ratio",)),
    "thread_instructions_ratio": Metric("thread instructions, ours / reference",
                                        lambda o, r: o["thread_instructions"] / r["thread_instructions"], 1),
    "dram_reads_ratio": Metric("dram.reads, ours / reference", quotient(lambda result: stat(result, "dram.reads")), 1),
    "warps_ratio": Metric("warps that ran, ours / reference: core.ctas x core.most_cta_warps", quotient(
        lambda result: stat(result, "core.ctas") * stat(result, "core.most_cta_warps")), 1),
    "noc_blocked_ratio": Metric("noc.request_head_wait: NoC cycles that packets from the cores waited for an output or room, ours / "
                                "reference", quotient(lambda result: stat(result, "noc.request_head_wait")), 1),
    "dram_reads_change": Metric("dram.reads, ours / reference - 1", change(["dram.reads"]), 0, ("l2_reads_change",)),
    "l2_reads_change": Metric("l2.read_hits + l2.read_pending_hits + l2.read_misses: what the L1 sends on, ours / reference - 1",
                              change(["l2.read_hits", "l2.read_pending_hits", "l2.read_misses"]), 0),
    "dram_writes_ratio": Metric("dram.writes, ours / reference", quotient(lambda result: stat(result, "dram.writes")), 1),
    "memory_energy_ratio": Metric("energy.total, of data movement, ours / reference",
                                  quotient(lambda result: stat(result, "energy.total")), 1),
    "memory_energy_change": Metric("energy.total, of data movement, ours / reference - 1", change(["energy.total"]), 0),
    "l1_misses_change": Metric("l1.read_misses + l1.write_misses, ours / reference - 1",
                               change(["l1.read_misses", "l1.write_misses"]), 0, ("l1_misses_and_bypasses_change",)),
    "l1_misses_and_bypasses_change": Metric(
        "l1.read_misses + l1.write_misses + l1.read_bypasses, ours / reference - 1",
        change(["l1.read_misses", "l1.write_misses", "l1.read_bypasses"]), 0),
}


def shares_of_failures(results):
    """[(L / N, failures over those with nobody bypassing)] of the results with the limits 1, 2, ..., the last without a limit
    in effect. N is the most CTAs of a core, or where most cores have one, its warps: a limit is of what the core has."""
    last = results[-1]
    try:
        a_core = stat(last, "core.ctas") / stat(last, "gpu.launches") / last["config"]["core.count"]
    except KeyError as error:
        raise NoValue(f"its results have no {error.args[0]}") from None
    ctas = stat(last, "core.most_ctas") if a_core >= 1.5 else 1
    most = min(len(results), ctas if ctas > 1 else stat(last, "core.most_cta_warps"))
    if not stat(last, *FAILURES):
        raise NoValue("no reservation failures")
    return [(n / most, stat(result, *FAILURES) / stat(last, *FAILURES)) for n, result in enumerate(results[:most], 1)]


def fit_of_power(points, exponent):
    """R squared of share = part ** exponent."""
    mean = math.fsum(y for _, y in points) / len(points)
    total = math.fsum((y - mean) ** 2 for _, y in points)
    if not total:
        raise NoValue("all its runs have as many failures")
    return 1 - math.fsum((y - x ** exponent) ** 2 for x, y in points) / total


def best_exponent(points):
    """To a tenth, up to 8."""
    return max((n / 10 for n in range(1, 81)), key=lambda e: fit_of_power(points, e))


# A Model is fitted to all candidates of a sweep. points() makes points of a workload's results, in order; function() makes the
# value of the points of all workloads; beside has (text, function) of other values that are printed with it.
Model = namedtuple("Model", "text points function beside")
MODELS = {
    "cubic_r2": Model("R2 of failures / failures with nobody bypassing = (L / N)^3, over all limits of all workloads together; a "
                      "workload's own beside it", shares_of_failures, lambda points: fit_of_power(points, 3),
                      [("the exponent that fits best", best_exponent),
                       ("R2 with it", lambda points: fit_of_power(points, best_exponent(points)))]),
}


def bits_of_a_warp(parameters):
    """Of MeDiC's table: the counters, the top bit of which halves them before it is stored; the
    type, and whether it is known; which warp it is of."""
    return 2 * parameters["COUNTER_BITS"] - 1 + 3 + parameters["GENERATION_BITS"]


def added_bits(bits, parameters):
    """Of a block's memory: without what LRU needs anyhow, a bit for each pair of ways (rtl/l2/insertion.v)."""
    sets, ways = parameters.get("SETS", 0), parameters.get("WAYS", 1)
    return bits - sets * ways * (ways - 1) // 2


def added_once(bits, parameters):
    """The same, but of a table of warps its contents once."""
    if "WARPS" in parameters:
        return parameters["WARPS"] * bits_of_a_warp(parameters)
    return added_bits(bits, parameters)


AS_BUILT = "with a copy of the types for each lookup port, as built"


# Columns of what `make area` writes, as like the paper's figures as there are: these are CACTI's, of
# the memory alone.
HARDWARE = {
    "clock_45nm": Hardware("sram_ghz", "its memory alone, a read and a write in each of its cycles", "ghz_45nm"),
    "area_45nm": Hardware("sram_45nm_mm2", "its memory alone, with the read and the write port that it has", "area_45nm_mm2"),
    "area_vs_l1": Hardware("share_of_l1", "its memory alone over a 16 KB L1's", None),
    "bits_per_warp": Hardware("sram_bits", "counters, type, whether it is known, by the parameters",
                              None, lambda _, p: bits_of_a_warp(p),
                              (f"memory over WARPS, {AS_BUILT}", lambda bits, p: bits / p["WARPS"])),
    "bits_per_line": Hardware("sram_bits", "memory over lines, without their order in LRU",
                              None, lambda bits, p: added_bits(bits, p) / (p["SETS"] * p["WAYS"])),
    "added_kb": Hardware("sram_bits", "tables of warps by their parameters, memory for lines without "
                         "their order in LRU, in 1000 bytes", None, lambda bits, p: added_once(bits, p) / 8000,
                         (f"memory, {AS_BUILT}", lambda bits, p: added_bits(bits, p) / 8000)),
    "area_15_cores": Hardware("sram_45nm_mm2", "its memory alone, of 15 cores, with a read and a write port", None,
                              lambda area, _: 15 * area),
    "read_energy": Hardware("sram_read_nj", "its memory alone, a read", None),
    "leakage_15_cores": Hardware("sram_leak_mw", "its memory alone, of 15 cores", None, lambda leak, _: 15 * leak),
    "row_bits_8": Hardware("flip_flops", "a bit a line of each bank's open row, of 8 channels", None,
                           lambda _, p: 8 * p["BANKS"] * p["LINES"], ("all flip-flops of 8 channels", lambda bits, _: 8 * bits)),
    "chip_share": Hardware("sram_45nm_mm2", "their memories alone, over the chip: 470 mm2 at 55 nm (the Quadro FX 5800's GT200b, a public "
                           "figure), 315 mm2 at 45 nm; per cent", "area_45nm_mm2", lambda area, _: 100 * area / (470 * (45 / 55) ** 2)),
    "area_65nm": Hardware("area_45nm_mm2", "logic and memory at 45 nm, times (65 / 45)^2; logic without 45 nm cells by the upper "
                         "end of its range", None, lambda area, _: area * (65 / 45) ** 2),
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
    if kind == "median":
        return statistics.median(values)
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
