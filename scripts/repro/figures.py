# SPDX-License-Identifier: Apache-2.0
"""Figures of a paper as numbers: bars of runs, their means, and what the paper's text states."""
from collections import namedtuple

from claims import compare
from common import Absent, Run
from metrics import FIGURES_OF_A_RUN, METRICS, mean_of

# bars: lists over the columns for each series, None where there is none; means: for each series
# (ours or None, count of the columns it is over, published or None); reasons: why bars are missing.
Drawing = namedtuple("Drawing", "figure panels reasons")
Group = namedtuple("Group", "name labels classes bars published_bars means")


def run_of(paper, variant, workload, preset, size, seed):
    return Run(workload, preset, paper.variants[variant].options, size, seed)


def reference_of(figure, paper, member, preset, size, seed):
    if isinstance(figure.reference, tuple):
        workload, preset, variant = figure.reference
        return run_of(paper, variant, workload, preset, size, seed)
    return run_of(paper, figure.reference, member.workload, preset, size, seed)


def runs_of(figure, paper, size, seed):
    runs = []
    for panel in figure.panels:
        for member, preset in panel.columns:
            runs += [run_of(paper, variant, member.workload, preset, size, seed)
                     for _, variant, _ in figure.series]
            if figure.reference:
                runs.append(reference_of(figure, paper, member, preset, size, seed))
    return runs


def bar(figure, paper, column, series, size, seed, results):
    """(value, None), or (None, why there is none)."""
    member, preset = column
    _, variant, metric = series
    ours = results[run_of(paper, variant, member.workload, preset, size, seed)]
    if figure.reference is None:
        if isinstance(ours, Absent):
            return None, ours.reason
        return FIGURES_OF_A_RUN[metric](ours), None
    return compare(metric, ours,
                   results[reference_of(figure, paper, member, preset, size, seed)])


def evaluate(figure, paper, size, seed, results):
    groups, reasons = [], {}
    for panel in figure.panels:
        bars, means = [], []
        for series in figure.series:
            values = []
            for column in panel.columns:
                value, reason = bar(figure, paper, column, series, size, seed, results)
                values.append(value)
                if reason:
                    reasons.setdefault(reason, []).append(column[0].workload)
            bars.append(values)
            present = [v for v in values if v is not None]
            neutral = METRICS[figure.metric].neutral if figure.metric else 1
            means.append((None if figure.mean == "none" else
                          mean_of(figure.mean, present, neutral), len(present),
                          figure.published.get((panel.name, series[0]))))
        # The letter tells machines apart where a panel shows two, and is the paper's habit.
        labels = [m.label + "-" + preset.rsplit("-", 1)[-1].upper() for m, preset in panel.columns]
        stated = {(line, i): value for (name, line, workload), value in figure.bars.items()
                  for i, (m, _) in enumerate(panel.columns)
                  if name == panel.name and m.workload == workload}
        groups.append(Group(panel.name, labels, [m.class_ for m, _ in panel.columns], bars, stated,
                            means))
    return Drawing(figure, groups, reasons)


def empty(drawing):
    return all(value is None for g in drawing.panels for values in g.bars for value in values)


def as_tsv(drawing):
    """The numbers of a figure: what a reader would want to plot otherwise."""
    lines = ["\t".join(("panel", "series", "bar", "ours", "published"))]

    def text(value):
        return "-" if value is None else f"{value:.6g}"

    for group in drawing.panels:
        for (name, _, _), values, mean in zip(drawing.figure.series, group.bars, group.means):
            for i, (label, value) in enumerate(zip(group.labels, values)):
                lines.append("\t".join((group.name, name, label, text(value),
                                        text(group.published_bars.get((name, i))))))
            if drawing.figure.mean != "none":
                lines.append("\t".join((group.name, name,
                                        f"{drawing.figure.mean} mean of {mean[1]}",
                                        text(mean[0]), text(mean[2]))))
    return "\n".join(lines) + "\n"
