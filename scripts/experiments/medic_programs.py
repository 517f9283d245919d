#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""MeDiC by program, beside what bounds its gain; and with other readings, machines and inputs.

A line is a program with a probe. Programs stand in the order of their miss rate on the machine's
baseline, whose figures come first:
  hits  of reads that came to the L2: found their line
  bus   of the DRAM's data cycles: data on the bus
  wait  mean L2 cycles of a request before its bank
  full  of the banks' L2 cycles: a request waited because no MSHR was free
Then the metric of each variant over the baseline with the same machine. perfect-l2 is an L2 that
always hits: it bounds what insertion and the memory scheduler can gain. The last lines are harmonic
means (of a change: means), of programs with more misses than hits, of the others, and of all.

Probes, + between those that hold together:
  stock       the machine as data/machines/medic.tsv has it
  reads       medic.counts=reads: a warp's hit ratio is of its reads
  follow      medic.types=follow: a type follows its warp's counters (6.5), and is not kept from the
              first 30 requests (4.1)
  place       medic.insertion=place: a type is the place at which a line enters the LRU order
  port        l2.bypass_at=port: a bypass leaves before the ROP latency
  row-first   dram.high=row-first: hits of open rows go before a high request to another row
  l2-quarter  a quarter of the sets: as an input of four times the size
  few-mshrs   l2.mshrs=8
  open-rows   dram.rcd, rp and rrd of one cycle: another row costs next to nothing
  interval-5  l2.bank_interval=5
  rotating    issue.arbitration=rotating: the schedulers of a core take turns
"""
import os
import sys

import experiment

sys.path.append(os.path.join(experiment.ROOT, "scripts", "repro"))
from common import NoValue  # noqa: E402
from data import one_of, read_machines, read_sets, read_variants  # noqa: E402
from metrics import METRICS, l2_hit_rate, l2_queue_latency, mean_of  # noqa: E402

DATA = os.path.join(experiment.ROOT, "data")
# The keys of the whole machine, and those that only schemes of MeDiC have.
PROBES = {
    "stock": ((), ()),
    "reads": ((), ("medic.counts=reads",)),
    "follow": ((), ("medic.types=follow",)),
    "place": ((), ("medic.insertion=place",)),
    "port": ((), ("l2.bypass_at=port",)),
    "row-first": ((), ("dram.high=row-first",)),
    "l2-quarter": (("l2.sets=8",), ()),
    "few-mshrs": (("l2.mshrs=8",), ()),
    "open-rows": (("dram.rcd=1", "dram.rp=1", "dram.ras=2", "dram.rc=3", "dram.rrd=1"), ()),
    "interval-5": (("l2.bank_interval=5",), ()),
    "rotating": (("issue.arbitration=rotating",), ()),
}
BASELINE, PERFECT = "baseline", "perfect-l2"
VARIANTS = (PERFECT, "wbyp", "wip", "wms", "medic")
HEAD = ["program", "probe", "class", "hits", "bus", "wait", "full"]
HALF = 0.5


def programs():
    """[{"workload", "app", "class"}] of table II and of the figures, which have SSSP in place of SP."""
    sets = read_sets(os.path.join(DATA, "workload_sets.tsv"))
    found = {m.workload: m for name in ("medic15", "medic-figures") for m in reversed(sets[name])}
    return [{"workload": w, "app": m.label, "class": m.class_} for w, m in found.items()]


def words_of(machine, variant, probe):
    """Options of a run; keys of MeDiC change nothing for a machine without it."""
    words = [*machine.options, *variant.options]
    for name in probe.split("+"):
        keys, readings = PROBES[name]
        for key in keys + (() if variant.name in (BASELINE, PERFECT) else readings):
            words += ["--set", key]
    return tuple(words)


def full_mshrs(result):
    """Share of the banks' L2 cycles in which a request waited for an MSHR."""
    config = result["config"]
    cycles = result["cycles"] * config["clock.l2"] / config["clock.core"]
    return result["stats"]["l2.fail_mshr_full"] / (cycles * config["l2.partitions"] * config["l2.banks"])


def bounds(result):
    """hits, bus, wait and full of the baseline."""
    if not result:
        return [None] * (len(HEAD) - 3)
    return [value(l2_hit_rate, result), result["figures"]["bus_use"], value(l2_queue_latency, result), full_mshrs(result)]


def value(function, *results):
    try:
        return function(*results)
    except NoValue:
        return None


def means(lines, probe, metric):
    """Lines of means over the programs of a probe by their hits, which stand before the variants."""
    kind = "harmonic" if METRICS[metric].neutral == 1 else "arithmetic"
    at = HEAD.index("hits")
    found = []
    for name, chosen in (("mean of misses", lambda hits: hits < HALF), ("mean of hits", lambda hits: hits >= HALF),
                         ("mean", lambda hits: True)):
        some = [line for line in lines if line[at] is not None and chosen(line[at])]
        columns = [[line[i] for line in some if line[i] is not None] for i in range(len(HEAD), len(lines[0]))]
        found.append([f"{name} ({len(some)})", probe, *[None] * (len(HEAD) - 2), *(mean_of(kind, of) for of in columns)])
    return found


def work():
    p = experiment.parser(__doc__, None, "paper:medic")
    p.add_argument("--machine", default="lineage-32", help="of data/machines/medic.tsv (default %(default)s)")
    p.add_argument("--variants", default=",".join(VARIANTS), help="of data/variants/medic.tsv (default %(default)s)")
    p.add_argument("--probes", default="stock", help="as in stock,reads+follow (default %(default)s)")
    p.add_argument("--metric", default="kernel_speedup", help="of make repro, as ipc_speedup, l2_queue_latency_ratio, "
                   "l2_miss_or_bypass_rate_change, row_hit_rate_change or energy_efficiency (default %(default)s)")
    options = p.parse_args()
    machines = read_machines(os.path.join(DATA, "machines", "medic.tsv"))
    variants = read_variants(os.path.join(DATA, "variants", "medic.tsv"))
    machine = machines[one_of("--machine", "machine", options.machine, machines)]
    asked = [variants[one_of("--variants", "variant", name, variants)] for name in options.variants.split(",")]
    probes = options.probes.split(",")
    for name in (name for probe in probes for name in probe.split("+")):
        one_of("--probes", "probe", name, PROBES)
    one_of("--metric", "metric", options.metric, METRICS)

    rows = [{**row, "preset": machine.preset, "probe": probe, "variant": v} for row in experiment.asked_for(options, programs())
            for probe in probes for v in dict.fromkeys([variants[BASELINE], *asked])]
    once = {}
    for row in rows:
        once.setdefault((row["workload"], words_of(machine, row["variant"], row["probe"])), row)
    results = {}
    for row, result in experiment.all_of(options, list(once.values()), lambda row: experiment.run(
            options, "run", row["workload"], "--size", row["size"], "--preset", machine.preset,
            *words_of(machine, row["variant"], row["probe"]))):
        results[row["workload"], words_of(machine, row["variant"], row["probe"])] = result

    compare = METRICS[options.metric].function
    lines = []
    for row in {(row["workload"], row["probe"]): row for row in rows}.values():
        of = [results[row["workload"], words_of(machine, v, row["probe"])] for v in (variants[BASELINE], *asked)]
        lines.append([row["app"], row["probe"], row["class"], *bounds(of[0]),
                      *(value(compare, ours, of[0]) if ours and of[0] else None for ours in of[1:])])
    hits = {line[0]: line[HEAD.index("hits")] for line in reversed(lines)}  # of the first probe
    lines.sort(key=lambda line: hits[line[0]] or 0)  # stays in the order of the probes
    table = lines + [line for probe in probes for line in means([l for l in lines if l[1] == probe], probe, options.metric)]
    return experiment.show(options, [*HEAD, *(v.name for v in asked)], table)


if __name__ == "__main__":
    experiment.main(work)
