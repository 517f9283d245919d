# SPDX-License-Identifier: Apache-2.0
"""MeDiC by program, beside what bounds its gain; and with other readings, machines and inputs.

A line is a program with a probe. The program with the fewest hits on the machine's baseline comes
first. Figures of the baseline stand before the variants:
  hits  share of the reads that came to the L2 and found their line; a line on its way is no hit
  bus   share of the DRAM's data cycles with data on the bus
  wait  mean L2 cycles of a request before its bank
  full  share of the banks' L2 cycles in which a request waited because no MSHR was free
Then each variant's metric over the baseline of the same machine. perfect-l2 is an L2 that always
hits and sends nothing to the DRAM: it bounds what insertion and the memory scheduler can gain. The
last lines are harmonic means (of a change: arithmetic ones) over the programs of table II, over
those of the figures, which have SSSP in place of SP, and over all with fewer and with more hits
than misses under the first probe.

Probes, + between those that hold together:
  stock       the machine as data/machines/medic.tsv has it
  reads       medic.counts=reads: a warp's hit ratio is of its reads
  follow      medic.types=follow: a type follows its warp's counters (6.5), and is not kept from the
              first 30 requests (4.1)
  class       medic.insertion=class: the oldest line of the lowest type is evicted
  arbiter     l2.bypass_at=arbiter: a bypass leaves behind the ROP latency
  stores      medic.stores=direct: stores of bypassing warps go to the DRAM too (7)
  row-first   dram.high=row-first: hits of open rows go before a high request to another row
  l2-quarter  l2.sets=8, a quarter: the input exceeds the L2 four times as far
  few-mshrs   l2.mshrs=8
  open-rows   dram.rcd, rp and rrd of one cycle, ras and rc to match: another row costs next to
              nothing
  interval-5  l2.bank_interval=5
  rotating    issue.arbitration=rotating: the schedulers of a core take turns
"""
import os
import sys

from experiments import experiment
from repro.common import NoValue
from repro.data import one_of, read_machines, read_sets, read_variants
from repro.metrics import METRICS, l2_hit_rate, l2_queue_latency, mean_of

DATA = os.path.join(experiment.ROOT, "data")
# The keys of the whole machine, and those that only schemes of MeDiC have.
PROBES = {
    "stock": ((), ()),
    "reads": ((), ("medic.counts=reads",)),
    "follow": ((), ("medic.types=follow",)),
    "class": ((), ("medic.insertion=class",)),
    "arbiter": ((), ("l2.bypass_at=arbiter",)),
    "stores": ((), ("medic.stores=direct",)),
    "row-first": ((), ("dram.high=row-first",)),
    "l2-quarter": (("l2.sets=8",), ()),
    "few-mshrs": (("l2.mshrs=8",), ()),
    "open-rows": (("dram.rcd=1", "dram.rp=1", "dram.ras=2", "dram.rc=3", "dram.rrd=1"), ()),
    "interval-5": (("l2.bank_interval=5",), ()),
    "rotating": (("issue.arbitration=rotating",), ()),
}
BASELINE = "baseline"
WITHOUT_TYPES = (BASELINE, "perfect-l2")  # schemes
VARIANTS = ("perfect-l2", "wbyp", "wip", "wms", "medic")
TABLE, FIGURES = "medic15", "medic-figures"  # sets
HEAD = ["program", "probe", "class", "hits", "bus", "wait", "full"]
HALF = 0.5


def programs():
    """[{"workload", "app", "class", "sets"}] of table II and of the figures, which have SSSP in place of SP."""
    sets = read_sets(os.path.join(DATA, "workload_sets.tsv"))
    found = {}
    for name in (TABLE, FIGURES):
        for m in sets[name]:
            found.setdefault(m.workload, {"workload": m.workload, "app": m.label, "class": m.class_, "sets": []})["sets"].append(name)
    return list(found.values())


def add_machine(parser):
    parser.add_argument("--machine", default="later-queues-32", help="of data/machines/medic.tsv (default %(default)s)")


def machine_of(options):
    machines = read_machines(os.path.join(DATA, "machines", "medic.tsv"))
    return machines[one_of("--machine", "machine", options.machine, machines)]


def scheme_of(variant):
    return dict(zip(variant.options[::2], variant.options[1::2])).get("--scheme")


def words_of(machine, variant, probe):
    """Options of a run; keys of MeDiC change nothing for a scheme without types."""
    words = [*machine.options, *variant.options]
    for name in probe.split("+"):
        keys, readings = PROBES[name]
        for key in keys + (() if scheme_of(variant) in WITHOUT_TYPES else readings):
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
    """None, and the reason on stderr, where there is none."""
    try:
        return function(*results)
    except NoValue as why:
        print(f"{results[0]['workload']}: {why}", file=sys.stderr)
        return None


def means(lines, metric, members):
    """Lines of means over the programs of one probe. members: [(what they are, names of programs)]."""
    kind = "harmonic" if METRICS[metric].neutral == 1 else "arithmetic"
    found = []
    for name, programs_of in members:
        some = [line for line in lines if line[0] in programs_of]
        columns = [[line[i] for line in some if line[i] is not None] for i in range(len(HEAD), len(lines[0]))]
        count = min(map(len, columns), default=0)
        if count:
            found.append([f"{name} ({count})", lines[0][1], *[None] * (len(HEAD) - 2), *(mean_of(kind, of) for of in columns)])
    return found


def work():
    p = experiment.parser(__doc__, None, "paper:medic")
    add_machine(p)
    p.add_argument("--variants", default=",".join(VARIANTS), help="of data/variants/medic.tsv (default %(default)s)")
    p.add_argument("--probes", default="stock", help="as in stock,reads+follow (default %(default)s)")
    p.add_argument("--metric", default="kernel_speedup", help="of make repro, as ipc_speedup, l2_queue_latency_ratio, "
                   "l2_miss_or_bypass_rate_change, row_hit_rate_change or energy_efficiency (default %(default)s)")
    options = p.parse_args()
    machine = machine_of(options)
    variants = read_variants(os.path.join(DATA, "variants", "medic.tsv"))
    asked = [variants[one_of("--variants", "variant", name, variants)] for name in options.variants.split(",")]
    probes = list(dict.fromkeys(options.probes.split(",")))
    for name in (name for probe in probes for name in probe.split("+")):
        one_of("--probes", "probe", name, PROBES)
    one_of("--metric", "metric", options.metric, METRICS)

    chosen = experiment.asked_for(options, programs())
    rows = [{**row, "preset": machine.preset, "probe": probe, "variant": v} for row in chosen
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
    hits = {line[0]: line[HEAD.index("hits")] or 0 for line in reversed(lines)}  # the first probe's
    lines.sort(key=lambda line: hits[line[0]])  # stays in the order of the probes
    members = [("mean of table II", [row["app"] for row in chosen if TABLE in row["sets"]]),
               ("mean of the figures", [row["app"] for row in chosen if FIGURES in row["sets"]]),
               ("mean of misses", [app for app in hits if hits[app] < HALF]),
               ("mean of hits", [app for app in hits if hits[app] >= HALF])]
    table = lines + [line for probe in probes
                     for line in means([line for line in lines if line[1] == probe], options.metric, members)]
    return experiment.show(options, [*HEAD, *(v.name for v in asked)], table)


if __name__ == "__main__":
    experiment.main(work)
