# SPDX-License-Identifier: Apache-2.0
"""Figures of a paper as numbers: bars of runs, their means, and the values in the paper's text."""
from collections import namedtuple

from repro.common import Absent
from repro.metrics import FIGURES_OF_A_RUN, HISTOGRAMS, LOADS, METRICS, mean_of
from repro.plan import compare, figure_of
from warpmem.tools.house import hash_of, tsv

# bars: lists over the columns for each series, None where there is none; means: for each series
# (ours or None, count of the columns it is over, published or None); beside: the same over the
# panel's other set, or none; reasons: why bars are missing.
Drawing = namedtuple("Drawing", "figure panels reasons")
Group = namedtuple("Group", "name labels classes bars published_bars means beside")
# In place of groups, of kind timeline: lines: {series: [value or None]}, over cycles.
Lines = namedtuple("Lines", "name cycles lines")


def reference_of(figure, column):
    """(variant, workload, machine)"""
    member, preset = column
    if isinstance(figure.reference, tuple):
        workload, preset, variant = figure.reference
        return variant, workload, preset
    return figure.reference, member.workload, preset


def runs_of(figure, plan):
    runs = []
    for panel in figure.panels:
        for member, preset in panel.columns + panel.beside:
            for series in figure.series:
                runs += plan.runs(series.variant, member.workload, preset)
            if figure.reference:
                runs += plan.runs(*reference_of(figure, (member, preset)))
    return runs


def bar(figure, plan, column, series):
    """(value, None), or (None, why there is none)."""
    ours = plan.result(series.variant, column[0].workload, column[1])
    if figure.reference is None:
        return figure_of(FIGURES_OF_A_RUN[series.metric], ours)
    return compare(series.metric, ours, plan.result(*reference_of(figure, column)))


def bars_of(figure, plan, columns, series, reasons):
    values = []
    for column in columns:
        value, reason = bar(figure, plan, column, series)
        values.append(value)
        if reason:
            reasons.setdefault(reason, []).append(column[0].workload)
    return values


def mean_over(figure, values, published):
    present = [v for v in values if v is not None]
    neutral = METRICS[figure.metric].neutral if figure.metric else 1
    return (None if figure.mean == "none" else mean_of(figure.mean, present, neutral), len(present), published)


def labels_of(plan, columns):
    """With the machine where there are several, and a preset's letter as is MRPB's habit."""
    machines = {preset for _, preset in columns}
    if plan.paper.machines and len(machines) == 1:
        return [m.label for m, _ in columns]
    return [m.label + "-" + preset.rsplit("-", 1)[-1].upper() for m, preset in columns]


def group_of(figure, plan, panel, reasons):
    bars = [bars_of(figure, plan, panel.columns, s, reasons) for s in figure.series]
    means = [mean_over(figure, values, figure.published.get((panel.name, s.name))) for s, values in zip(figure.series, bars)]
    more = [mean_over(figure, bars_of(figure, plan, panel.beside, s, {}), None) for s in figure.series] if panel.beside else []
    stated = {(line, i): value for (name, line, workload), value in figure.bars.items()
              for i, (m, _) in enumerate(panel.columns) if name == panel.name and m.workload == workload}
    stated.update({(line, i): value for (line, workload), value in figure.tables.items()
                   for i, (m, _) in enumerate(panel.columns) if m.workload == workload})
    return Group(panel.name, labels_of(plan, panel.columns), [m.class_ for m, _ in panel.columns], bars, stated, means, more)


def distribution_of(figure, plan, panel, reasons):
    """Bins stand in place of workloads; the mean is that of the distribution."""
    histogram = HISTOGRAMS[figure.series[0].metric]
    (member, preset), = panel.columns
    bars, means = [], []
    for series in figure.series:
        ours = plan.result(series.variant, member.workload, preset)
        shares, reason = figure_of(histogram, ours)
        mean = figure_of(histogram._replace(function=histogram.mean), ours)[0]
        if reason:
            reasons.setdefault(reason, []).append(member.workload)
        bars.append(shares or [None] * len(histogram.labels))
        means.append((mean, 1, figure.published.get((panel.name, series.name))))
    last = max((i + 1 for shares in bars for i, s in enumerate(shares) if s), default=1)
    return Group(panel.name, histogram.labels[:last], [""] * last, [b[:last] for b in bars], {}, means, [])


def loads_of(figure, plan, panel, reasons):
    """Loads stand in place of workloads, by pc; with the kernel where there are several."""
    (member, preset), = panel.columns
    rows = {}  # load: [value of each series]
    for place, series in enumerate(figure.series):
        ours = plan.result(series.variant, member.workload, preset)
        if isinstance(ours, Absent):
            reasons.setdefault(ours.reason, []).append(member.workload)
            continue
        if not ours.get("kernels"):
            reasons.setdefault("its results have no kernels", []).append(member.workload)
        for kernel in ours.get("kernels", ()):
            for load in kernel["loads"]:
                place_of = kernel["name"], load["pc"], load.get("loop"), load.get("op"), load.get("width")
                values = rows.setdefault(place_of, [None] * len(figure.series))
                values[place] = LOADS[series.metric].function(load, ours)
    several = len({kernel for kernel, *_ in rows}) > 1
    labels = [(f"{kernel} " if several else "") + str(pc) + ("" if loop is None else f" in {loop}") for kernel, pc, loop, *_ in rows]
    bars = [list(values) for values in zip(*rows.values())] or [[] for _ in figure.series]
    return Group(panel.name, labels, [kernel for kernel, *_ in rows], bars, {}, [(None, 0, None)] * len(figure.series), [])


def hit_ratios(text):
    """(cycles, {(core, warp): [share of its requests that hit, None where it asked nothing]}) of
    what `warpmem run --warps` writes."""
    rows = [tuple(map(int, line.split("\t"))) for line in text.splitlines()[1:]]
    cycles = sorted({row[0] for row in rows})
    at = {cycle: i for i, cycle in enumerate(cycles)}
    warps = {}
    for cycle, core, warp, requests, hits in rows:
        ratios = warps.setdefault((core, warp), [None] * len(cycles))
        ratios[at[cycle]] = hits / requests if requests else None
    return cycles, warps


def drawn_by_lot(warps, count):
    """Some of them: the same in each run, and not by what they did."""
    return sorted(warps, key=lambda w: hash_of(*map(str, w)))[:count]


def lines_of(figure, plan, panel, reasons):
    (member, preset), = panel.columns
    ours = plan.result(figure.series[0].variant, member.workload, preset)
    if isinstance(ours, Absent):
        reasons.setdefault(ours.reason, []).append(member.workload)
        return Lines(panel.name, [], {})
    cycles, warps = hit_ratios(ours["warps"])
    lot = drawn_by_lot(warps, len(figure.series))
    return Lines(panel.name, cycles, {s.name: warps[w] for s, w in zip(figure.series, lot)})


def evaluate(figure, plan):
    reasons = {}
    of = {"distribution": distribution_of, "timeline": lines_of, "loads": loads_of}.get(figure.kind, group_of)
    return Drawing(figure, [of(figure, plan, panel, reasons) for panel in figure.panels], reasons)


def empty(drawing):
    if drawing.figure.kind == "timeline":
        return not any(p.lines for p in drawing.panels)
    return all(value is None for g in drawing.panels for values in g.bars for value in values)


def text(value):
    return "-" if value is None else f"{value:.6g}"


def rows_of_lines(panel):
    return [(panel.name, name, str(cycle), text(value), "-")
            for name, values in panel.lines.items() for cycle, value in zip(panel.cycles, values)]


def rows_of_group(figure, group):
    rows = []
    for s, (name, _, _) in enumerate(figure.series):
        for i, (label, value) in enumerate(zip(group.labels, group.bars[s])):
            rows.append((group.name, name, label, text(value), text(group.published_bars.get((name, i)))))
        if figure.kind == "distribution":
            rows.append((group.name, name, "mean", text(group.means[s][0]), text(group.means[s][2])))
        if figure.mean == "none":
            continue
        for means, of in ((group.means, ""), (group.beside, f", {figure.beside}")):
            if means:
                rows.append((group.name, name, f"{figure.mean} mean of {means[s][1]}{of}",
                             text(means[s][0]), text(means[s][2])))
    return rows


def as_tsv(drawing):
    """The numbers of a figure, for readers who plot it themselves."""
    rows = [("panel", "series", "bar" if drawing.figure.kind != "timeline" else "cycle", "ours", "published")]
    for panel in drawing.panels:
        rows += rows_of_lines(panel) if drawing.figure.kind == "timeline" else rows_of_group(drawing.figure, panel)
    return tsv(rows)
