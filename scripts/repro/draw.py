# SPDX-License-Identifier: Apache-2.0
"""Draws figures with matplotlib: PNG to look at, SVG to put into a text.

Ratios stand on a logarithmic axis and their bars begin at 1, so that twice as fast and half as fast
are bars of the same length, and a bar of 17 leaves one of 1.2 to be seen.
"""
import io
import math

from common import Wrong, write_whole

# Colours of Okabe and Ito: told apart by colour-blind eyes, and in grey. As many as a figure may have
# series (data.MOST_SERIES); their black is for what is published.
COLOURS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999"]
PUBLISHED = "#000000"
MEAN_LABELS = {"geometric": "geomean", "harmonic": "harm. mean", "arithmetic": "mean"}
BAR_INCHES = 0.16
TEXT_POINTS = 4.1  # length of a letter of the texts over bars
GAP = 0.8  # between two groups, in bars


def load():
    try:
        import matplotlib  # here, so that tables need no matplotlib
    except ImportError:
        raise Wrong("figures need matplotlib: install Debian's python3-matplotlib "
                    "(scripts/setup.sh does)") from None
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "warpmem"  # the same input gives the same picture
    matplotlib.rcParams["svg.fonttype"] = "none"  # text stays text
    matplotlib.rcParams["font.size"] = 8
    from matplotlib import pyplot
    return pyplot


def short(value):
    return f"{value:.3g}"


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
            self.bar(x, value, bottom, COLOURS[i])
            if bold:
                over = max(value, stated or 0, 1 if self.ratio else 0)
                text = short(value) + (f", paper {stated:g}" if stated is not None else "")
                self.texts.append((over, TEXT_POINTS * len(text) + 8))
                self.axis.annotate(text, (x, over), (0, 3), textcoords="offset points",
                                   rotation=90, ha="center", va="bottom", fontsize=7
                                   ).set_in_layout(False)
            if self.stacked:
                bottom += value
        if all(v is None for v in values):
            self.axis.annotate("not available", (self.at + width / 2, 1 if self.ratio else 0),
                               (0, 3), textcoords="offset points", rotation=90, ha="center",
                               va="bottom", fontsize=6, color="grey").set_in_layout(False)
        self.ticks.append(self.at + width / 2)
        self.labels.append(label)
        self.at += width + GAP

    def rule(self):
        """Parts what stands left of it from what stands right."""
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
            axis.set_ylim(0, 1.1 * max(heights + [1e-9]))
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
        values |= {0.25, 0.5} if span > 3 else {0.5, 0.6, 0.7, 0.8, 0.9} if span > 1.5 else \
            {0.8, 0.85, 0.9, 0.95}
    return sorted(v for v in values if low <= v <= high)


def add_panel(plot, group, figure):
    last = None
    for i, (label, class_) in enumerate(zip(group.labels, group.classes)):
        if last not in (None, class_):
            plot.rule()
        last = class_
        plot.group(label, [values[i] for values in group.bars],
                   {s: group.published_bars.get((name, i))
                    for s, (name, _, _) in enumerate(figure.series)})
    if figure.mean != "none":
        plot.rule()
        add_mean(plot, group, MEAN_LABELS[figure.mean])


def add_mean(plot, group, label):
    counts, total = {m[1] for m in group.means}, len(group.labels)
    if counts != {total}:
        low, high = min(counts), max(counts)
        label += f" ({low} of {total})" if low == high else f" ({low} to {high} of {total})"
    plot.group(label, [m[0] for m in group.means],
               {i: m[2] for i, m in enumerate(group.means)}, bold=True)


def unit_of(figure):
    """What the y axis counts."""
    if figure.kind == "stacked":
        return figure.unit
    name = {"ipc_speedup": "IPC"}.get(figure.metric, figure.metric)
    if isinstance(figure.reference, tuple):
        workload, preset, variant = figure.reference
        return f"{name} / that of {workload}\non {preset}, {variant}"
    label = f"{name} / that of {figure.reference}"
    return f"{label}\n({figure.mean} mean)" if figure.kind == "means" else label


def draw(drawing, subtitle, png, svg):
    pyplot = load()
    figure, groups = drawing.figure, drawing.panels
    count = len(figure.series)
    stacked, means = figure.kind == "stacked", figure.kind == "means"
    rows = 1 if means or figure.mean == "none" else len(groups)
    columns = 1 if means or rows > 1 else len(groups)
    bars = max(len(g.labels) + (figure.mean != "none") for g in groups) if not means else len(groups)
    width = columns * (bars * ((1 if stacked else count) + GAP) * BAR_INCHES * (2.4 if means else 1))
    page, axes = pyplot.subplots(rows, columns, squeeze=False,
                                 figsize=(min(max(width + 1.2, 7), 15), (3.4 if means else 2.5) * rows + 0.9))
    names = [name for name, _, _ in figure.series]
    plots = [Axis(a, names, not stacked, stacked) for a in axes.flat]
    if means:
        for group in groups:
            add_mean(plots[0], group, group.name)
    else:
        for plot, group in zip(plots, groups):
            add_panel(plot, group, figure)
    for i, plot in enumerate(plots):
        plot.finish(unit_of(figure) if i % columns == 0 else "",
                    groups[i].name if len(plots) > 1 else "")
    def scale():
        for i, plot in enumerate(plots):
            row = plots[i - i % columns:][:columns]  # panels beside each other have one scale
            plot.scale([h for p in row for h in p.heights],
                       72 * page.get_figheight() * plot.axis.get_position().height)

    scale()  # the layout needs the width of tick labels, the scale the height that is left
    frame(page, pyplot, figure, names, subtitle)
    scale()
    save(page, png, svg)
    pyplot.close(page)


def frame(page, pyplot, figure, names, subtitle):
    """Title, legend and note, and room for them."""
    handles = [pyplot.Rectangle((0, 0), 1, 1, color=COLOURS[i])
               for i in range(len(names))]
    if figure.published or figure.bars:
        handles.append(pyplot.Line2D([], [], color=PUBLISHED, linewidth=2))
        names = names + ["published"]
    height = page.get_figheight()
    page.text(0.01, 1 - 0.08 / height, f"{figure.paper.upper()} {figure.id}: {figure.title}",
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
