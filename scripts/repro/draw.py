# SPDX-License-Identifier: Apache-2.0
"""Draws figures with matplotlib: PNG to look at, SVG to put into a text.

Ratios stand on a logarithmic axis and their bars begin at 1, so that twice as fast and half as fast
are bars of the same length, and a bar of 17 leaves one of 1.2 to be seen.
"""
import io
import math

from repro.figure_data import COMPARED
from warpmem.tools.house import BadInput, write_whole

# Colours of Okabe and Ito: told apart by colour-blind eyes, and in grey. As many as a figure may
# have series (figure_data.MOST_SERIES); their black is for what is published.
COLOURS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999"]
PUBLISHED = "#000000"
MEAN_LABELS = {"geometric": "geomean", "harmonic": "harm. mean", "arithmetic": "mean"}
BAR_INCHES = 0.16
TEXT_POINTS = 4.1  # length of a letter of the texts over bars
BOUNDARIES = (0.2, 0.7)  # of timelines
GAP = 0.8  # between two groups, in bars
NAMES = {"medic": "MeDiC"}  # papers whose name is not all capitals


def load():
    try:
        import matplotlib  # here, so that tables need no matplotlib
    except ImportError:
        raise BadInput("figures need matplotlib: install Debian's python3-matplotlib (scripts/setup.sh does)") from None
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "warpmem"  # the same input gives the same picture
    matplotlib.rcParams["svg.fonttype"] = "none"  # text stays text
    matplotlib.rcParams["font.size"] = 8
    from matplotlib import pyplot
    return pyplot


def name_of(paper):
    return NAMES.get(paper, paper.upper())


def short(value):
    return f"{value:.3g}" if abs(value) < 999.5 else f"{value:.0f}"


class Axis:
    """One panel, or for kind means one axis of all panels: groups of bars beside each other."""

    def __init__(self, axis, names, ratio, stacked):
        self.axis, self.names, self.ratio, self.stacked = axis, names, ratio, stacked
        self.ticks, self.labels, self.heights, self.at = [], [], [], 0.0
        self.texts = []  # (value it stands over, its length in points)

    def bar(self, x, value, bottom, colour):
        self.heights.append(value + (bottom if self.stacked else 0))
        # The edge has the bar's colour, so that a bar of 1, which has no height, is seen as well.
        self.axis.bar(x, value - (1 if self.ratio else 0), bottom=bottom, width=0.88,
                      color=colour, edgecolor=colour, linewidth=1.2, zorder=3)

    def group(self, label, values, published=None, bold=False):
        """values: of each series; published: {series: value}, drawn as a black line."""
        width = 1 if self.stacked else len(values)
        bottom = 1.0 if self.ratio else 0.0
        for i, value in enumerate(values):
            x = self.at + (0 if self.stacked else i) + 0.5
            stated = (published or {}).get(i)
            if stated is not None:
                self.axis.plot([x - 0.65, x + 0.65], [stated, stated], color=PUBLISHED,
                               linewidth=2, zorder=4, solid_capstyle="butt")
                self.heights.append(stated)
            if value is None:
                continue
            if value > 0 or not self.ratio:  # a logarithmic axis has no 0
                self.bar(x, value, bottom, COLOURS[i])
            if bold:
                over = max(value, stated or 0, 1 if self.ratio else 0)
                text = short(value) + (f", paper {stated:g}" if stated is not None else "")
                self.texts.append((over, TEXT_POINTS * len(text) + 8))
                self.axis.annotate(text, (x, over), (0, 3), textcoords="offset points", rotation=90, ha="center", va="bottom",
                                   fontsize=7 if len(values) <= 6 else 6
                                   ).set_in_layout(False)
            if self.stacked:
                bottom += value
        if all(v is None for v in values):
            self.absent(self.at + width / 2)
        self.ticks.append(self.at + width / 2)
        self.labels.append(label)
        self.at += width + GAP

    def pair(self, label, values, published):
        """Two stacks of shares: the paper's, hatched, and ours."""
        for at, stack, hatch in ((0, published, "////"), (1, values, None)):
            bottom = 0.0
            for i, value in enumerate(stack):
                if value is None:
                    continue
                self.axis.bar(self.at + at + 0.5, value, bottom=bottom, width=0.88,
                              color=COLOURS[i], edgecolor="white" if hatch else COLOURS[i], linewidth=0, hatch=hatch, zorder=3)
                bottom += value
            self.heights.append(bottom)
        if all(v is None for v in values):
            self.absent(self.at + 1.5)
        self.ticks.append(self.at + 1)
        self.labels.append(label)
        self.at += 2 + GAP

    def absent(self, x):
        self.axis.annotate("not available", (x, 1 if self.ratio else 0), (0, 3),
                           textcoords="offset points", rotation=90, ha="center", va="bottom",
                           fontsize=6, color="grey").set_in_layout(False)

    def rule(self):
        """A line that separates the groups to its left from those to its right."""
        self.axis.axvline(self.at - GAP / 2, color="grey", linewidth=0.6, linestyle=":")

    def finish(self, label, title):
        axis = self.axis
        axis.set_xlim(-GAP, self.at)
        axis.set_xticks(self.ticks, self.labels, rotation=40, ha="right", rotation_mode="anchor")
        axis.tick_params(axis="x", length=0)
        axis.grid(axis="y", linewidth=0.3)
        axis.set_axisbelow(True)
        axis.set_ylabel(label)
        axis.set_title(title, fontsize=9, loc="left")
        if self.ratio:
            axis.set_yscale("log", base=2)
            axis.axhline(1, color="black", linewidth=0.6)

    def scale(self, heights, points):
        """Limits and ticks of the y axis, which is `points` high: texts over bars must fit."""
        axis, heights = self.axis, [h for h in heights if h > 0]
        if not self.ratio:
            top = max(heights + [1e-9])
            for over, length in self.texts:
                top = max(top, over / max(1 - length / points, 0.2))
            axis.set_ylim(0, 1.1 * top)
            return
        low, high = min(heights + [1.0]), max(heights + [1.0])
        margin = max(high / low, 1.1) ** 0.05  # no bar ends at the frame: it would look cut
        low /= margin
        top = math.log(max(high, 1.1) * margin / low)
        for over, length in self.texts:
            top = max(top, math.log(over / low) / max(1 - length / points, 0.2))
        axis.set_ylim(low, low * math.exp(top))
        axis.set_yticks(tick_values(*axis.get_ylim()))
        axis.set_yticks([], minor=True)
        axis.yaxis.set_major_formatter(lambda value, _: f"{value:g}")


def tick_values(low, high):
    """Few round values that lie well on a logarithmic axis."""
    span = high / low
    steps = [1] if span > 100 else [1, 2] if span > 8 else [1, 1.5, 2, 3] if span > 3 else \
        [1, 1.2, 1.4, 1.6, 1.8, 2, 2.4, 2.8] if span > 1.5 else [1 + 0.05 * i for i in range(20)]
    values = {round(s * 4.0 ** e, 6) for s in steps for e in range(0, 6)}
    if low < 1:
        values |= {0.25, 0.5} if span > 3 else {0.5, 0.6, 0.7, 0.8, 0.9} if span > 1.5 else {0.8, 0.85, 0.9, 0.95}
    return sorted(v for v in values if low <= v <= high)


def add_panel(plot, group, figure):
    last = None
    for i, (label, class_) in enumerate(zip(group.labels, group.classes)):
        if last not in (None, class_):
            plot.rule()
        last = class_
        values = [values[i] for values in group.bars]
        published = {s: group.published_bars.get((name, i)) for s, (name, _, _) in enumerate(figure.series)}
        if figure.kind == "shares":
            plot.pair(label, values, list(published.values()))
        else:
            plot.group(label, values, published)
    if figure.mean != "none":
        plot.rule()
        add_mean(plot, group, MEAN_LABELS[figure.mean])
    if group.beside:
        plot.group(f"{MEAN_LABELS[figure.mean]}\n({figure.beside})", [m[0] for m in group.beside], bold=True)


def add_mean(plot, group, label):
    counts, total = {m[1] for m in group.means}, len(group.labels)
    if counts != {total}:
        low, high = min(counts), max(counts)
        label += f" ({low} of {total})" if low == high else f" ({low} to {high} of {total})"
    plot.group(label, [m[0] for m in group.means], {i: m[2] for i, m in enumerate(group.means)}, bold=True)


def title_of(figure, group, several):
    """Of a distribution its means belong to it."""
    name = group.name if several else ""
    if figure.kind != "distribution":
        return name
    means = [(f"{series} " if len(figure.series) > 1 else "") + short(mean)
             + (f" (paper {stated:g})" if stated is not None else "")
             for (series, _, _), (mean, _, stated) in zip(figure.series, group.means) if mean is not None]
    return f"{group.name}: mean {', '.join(means)}"


def unit_of(figure):
    """The label of the y axis."""
    if figure.kind not in COMPARED:
        return figure.unit
    if figure.unit:
        reference = figure.reference[0] if isinstance(figure.reference, tuple) else figure.reference
        return f"{figure.unit} / that of {reference}"
    name = {"ipc_speedup": "IPC", None: "ours"}.get(figure.metric, figure.metric)
    if isinstance(figure.reference, tuple):
        workload, preset, variant = figure.reference
        return f"{name} / that of {workload}\non {preset}, {variant}"
    label = f"{name} / that of {figure.reference}"
    return f"{label}\n({figure.mean} mean)" if figure.kind == "means" else label


def draw(drawing, subtitle, png, svg):
    if drawing.figure.kind == "timeline":
        draw_lines(drawing, subtitle, png, svg)
    else:
        draw_bars(drawing, subtitle, png, svg)


def layout(figure, groups):
    """(rows, columns, width, height) of the page."""
    count, stacked = len(figure.series), figure.kind == "stacked"
    means, pairs = figure.kind == "means", figure.kind == "shares"
    side = figure.kind == "distribution" or figure.mean == "none" and not pairs and figure.kind != "loads"
    rows = 1 if means or side else len(groups)
    columns = 1 if means or rows > 1 else len(groups)
    bars = len(groups) if means else max(len(g.labels) + (figure.mean != "none") + bool(g.beside) for g in groups)
    each = 1 if stacked else 2 if pairs else count
    width = columns * (bars * (each + GAP) * BAR_INCHES * (2.4 if means else 1))
    return rows, columns, min(max(width + 1.2, 7), 15), (3.4 if means else 2.5) * rows + 0.9


def draw_bars(drawing, subtitle, png, svg):
    pyplot = load()
    figure, groups = drawing.figure, drawing.panels
    rows, columns, width, height = layout(figure, groups)
    page, axes = pyplot.subplots(rows, columns, squeeze=False, figsize=(width, height))
    names = [name for name, _, _ in figure.series]
    plots = [Axis(a, names, figure.kind in COMPARED or figure.axis == "log", figure.kind == "stacked") for a in axes.flat]
    if figure.kind == "means":
        for group in groups:
            add_mean(plots[0], group, group.name)
    else:
        for plot, group in zip(plots, groups):
            add_panel(plot, group, figure)
    for i, plot in enumerate(plots):
        plot.finish(unit_of(figure) if i % columns == 0 else "", title_of(figure, groups[i], len(plots) > 1))

    def scale():
        for i, plot in enumerate(plots):
            row = plots[i - i % columns:][:columns]  # panels beside each other have one scale
            plot.scale([h for p in row for h in p.heights], 72 * page.get_figheight() * plot.axis.get_position().height)

    scale()  # the layout needs the width of tick labels, the scale the height that is left
    frame(page, pyplot, figure, names, subtitle)
    scale()
    save(page, png, svg)
    pyplot.close(page)


def draw_lines(drawing, subtitle, png, svg):
    """Shares over time, with MeDiC's boundaries of warp types (its figures 4 and 6)."""
    pyplot = load()
    figure = drawing.figure
    page, axes = pyplot.subplots(len(drawing.panels), 1, squeeze=False, figsize=(9, 1.9 * len(drawing.panels) + 0.9))
    names = [name for name, _, _ in figure.series]
    for axis, panel in zip(axes.flat, drawing.panels):
        for i, name in enumerate(names):
            values = [float("nan") if v is None else v for v in panel.lines.get(name, [])]
            axis.plot(panel.cycles[:len(values)], values, color=COLOURS[i], linewidth=1, marker=".", markersize=3)
        for boundary in BOUNDARIES:
            axis.axhline(boundary, color="black", linewidth=0.6, linestyle="--")
        axis.set_ylim(-0.03, 1.03)
        axis.set_xlim(0, min(panel.cycles[-1:] + [figure.cycles or math.inf]) if panel.cycles else 1)
        axis.ticklabel_format(axis="x", style="plain")
        axis.grid(axis="y", linewidth=0.3)
        axis.set_title(panel.name, fontsize=9, loc="left")
        axis.set_ylabel(figure.unit)
    axes.flat[-1].set_xlabel("core cycles")
    frame(page, pyplot, figure, names, subtitle)
    save(page, png, svg)
    pyplot.close(page)


def frame(page, pyplot, figure, names, subtitle):
    """Title, legend and note, and room for them."""
    handles = [pyplot.Rectangle((0, 0), 1, 1, color=COLOURS[i]) for i in range(len(names))]
    if figure.tables:
        handles.append(pyplot.Rectangle((0, 0), 1, 1, facecolor="#999999", edgecolor="white", linewidth=0, hatch="////"))
        names = names + ["published"]
    elif (figure.published or figure.bars) and figure.kind != "distribution":
        handles.append(pyplot.Line2D([], [], color=PUBLISHED, linewidth=2))
        names = names + ["published"]
    height = page.get_figheight()
    page.text(0.01, 1 - 0.08 / height, f"{name_of(figure.paper)} {figure.id}: {figure.title}",
              fontsize=10, va="top")
    page.text(0.01, 1 - 0.27 / height, f"section {figure.section}; {subtitle}", fontsize=7, va="top", color="#404040")
    page.legend(handles, names, loc="upper left", ncol=len(names), frameon=False,
                columnspacing=1.4, bbox_to_anchor=(0.003, 1 - 0.38 / height), borderaxespad=0)
    if figure.note:
        page.text(0.01, 0.06 / height, figure.note, fontsize=7, color="#404040")
    page.tight_layout(rect=(0, (0.22 if figure.note else 0.02) / height, 1, 1 - 0.62 / height))


def save(page, png, svg):
    for path, kind in ((png, "png"), (svg, "svg")):
        data = io.BytesIO()
        page.savefig(data, format=kind, dpi=120, metadata={"Date": None} if kind == "svg" else None)
        write_whole(path, data.getvalue())
