#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Draws the speedups of `warpmem compare --json FILE`: bars of schemes over workloads; of one --sweep lines; of two a heat map."""
from warpmem.tools.drawing import draw_json, fail

USAGE = """Usage: plot_compare.py FILE.json PICTURE
Draws the speedups that `warpmem compare --json FILE.json` wrote; - reads it from stdin. The name of PICTURE ends in .png,
.svg or .pdf; one of these alone sends a picture of that kind to stdout. `warpmem compare --plot PICTURE` does the same at
once: bars of schemes over workloads; of one --sweep lines, a panel a workload; of two or more a heat map for each workload and
scheme, over the first two."""
NOTES = 4  # lines below a picture: schemes that did nothing
COLORS = ["#4c72b0", "#dd8452", "#55a868", "#c44e52", "#8172b3", "#937860", "#da8bc3", "#8c8c8c", "#ccb974", "#64b5cd"]


def unique(values):
    return list(dict.fromkeys(values))


def curves(data):
    """({(series, workload, point): speedup}, series, workloads, points): a series is a machine and a scheme."""
    rows = data["rows"] + [{**mean, "workload": f"{mean['mean']} mean"} for mean in data.get("means", [])]
    machines = unique(row["base"] for row in rows)
    found = {}
    for row in rows:
        series = row["scheme"] if len(machines) == 1 else f"{row['base']} {row['scheme']}"
        found[series, row["workload"], tuple(row.get("point", {}).items())] = row["speedup"]
    return found, unique(k[0] for k in found), unique(k[1] for k in found), unique(k[2] for k in found)


def speedup_over(data):
    """The name of the axis."""
    first = data["rows"][0]
    values = "".join(f", {key}={value}" for key, value in first.get("point", {}).items())
    return f"speedup over {first['scheme']}" + (" at the same values" if values and data["reference"] == "point" else values)


def draw_bars(pyplot, label, found, series, workloads, points):
    """One group of bars a workload. A speedup that is missing is a gap with an x."""
    figure, axis = pyplot.subplots(figsize=(max(6, 1.2 + 0.22 * len(workloads) * (len(series) + 1)), 4.5))
    width = 0.84 / len(series)
    for k, name in enumerate(series):
        places = [i + (k - (len(series) - 1) / 2) * width for i in range(len(workloads))]
        values = [found.get((name, workload, points[0])) for workload in workloads]
        axis.bar(places, [v or 0 for v in values], width, label=name, color=COLORS[k % len(COLORS)], edgecolor="white", linewidth=0.4)
        for place, value in zip(places, values):
            if value is None:
                axis.text(place, 0.02, "x", ha="center", va="bottom", color="#c44e52")
            elif len(workloads) * len(series) <= 16:
                axis.text(place, value, f"{value:.2f}", ha="center", va="bottom", fontsize=8)
    axis.set_xticks(range(len(workloads)), workloads, rotation=0 if len(workloads) <= 4 else 40, ha="center" if len(workloads) <= 4 else "right")
    axis.set(ylabel=label)
    axis.axhline(1, color="#444444", linewidth=0.8, linestyle=":")
    axis.legend(fontsize=8, ncols=min(4, len(series)), loc="upper center", bbox_to_anchor=(0.5, 1.16), frameon=False)
    return figure


def draw_lines(pyplot, label, found, series, workloads, points):
    """A line a scheme over the values of the key, in their order; a panel a workload, and one of the mean."""
    across = min(4, len(workloads))
    down = -(-len(workloads) // across)
    figure, axes = pyplot.subplots(down, across, squeeze=False, sharey=True, layout="constrained",
                                   figsize=((7 if across == 1 else 1 + 3 * across), 4.5 if down == 1 else 3.2 * down))
    key, names = points[0][0][0], [str(point[0][1]) for point in points]
    for axis, workload in zip(axes.flat, workloads):
        for k, name in enumerate(series):
            values = [found.get((name, workload, point)) for point in points]
            axis.plot(range(len(points)), [float("nan") if v is None else v for v in values], label=name, marker="o", markersize=4,
                      color=COLORS[k % len(COLORS)])
        axis.set_xticks(range(len(names)), names)
        axis.set(xlabel=key)
        axis.set_title(workload, fontsize=9)
        axis.axhline(1, color="#444444", linewidth=0.8, linestyle=":")
    for axis in axes.flat[len(workloads):]:
        axis.axis("off")
    for line in axes:
        line[0].set(ylabel=label)
    axes[0][0].set_ylim(bottom=0)  # of all: they share it
    axes[0][0].legend(fontsize=8, frameon=False)
    return figure


def draw_heat(pyplot, label, found, series, workloads, points):
    """A map a workload and scheme, with one of the mean, over the first two keys, at the first values of the others."""
    down, across = points[0][0][0], points[0][1][0]
    rows, columns = unique(point[0][1] for point in points), unique(point[1][1] for point in points)
    rest = points[0][2:]
    titles = [(workload, name) for workload in workloads for name in series]
    maps = [[[found.get((name, workload, ((down, r), (across, c), *rest))) for c in columns] for r in rows] for workload, name in titles]
    known = [v for grid in maps for line in grid for v in line if v is not None] or [1]
    figure, axes = pyplot.subplots(len(workloads), len(series), squeeze=False, layout="constrained",
                                   figsize=(1.6 + len(series) * (1.4 + 0.62 * len(columns)), 0.6 + len(workloads) * (1 + 0.5 * len(rows))))
    for axis, title, grid in zip(axes.flat, titles, maps):
        picture = axis.imshow([[float("nan") if v is None else v for v in line] for line in grid], cmap="viridis", aspect="auto",
                              vmin=min(known), vmax=max(known))
        for y, line in enumerate(grid):
            for x, value in enumerate(line):
                dark = value is not None and value < (min(known) + max(known)) / 2
                axis.text(x, y, "x" if value is None else f"{value:.2f}", ha="center", va="center", fontsize=8, color="white" if dark else "black")
        axis.set_xticks(range(len(columns)), columns)
        axis.set_yticks(range(len(rows)), rows)
        axis.set(xlabel=across, ylabel=down)
        axis.set_title(", ".join(title), fontsize=9)
    figure.colorbar(picture, ax=axes, label=label, aspect=20 * len(workloads))
    return figure


def draw(pyplot, data):
    if not data["rows"]:
        fail("there is no row to draw")
    parts = curves(data)
    figure = [draw_bars, draw_lines, draw_heat][min(2, len(parts[3][0]))](pyplot, speedup_over(data), *parts)
    bases, sizes = (", ".join(unique(row[name] for row in data["rows"] if row[name] != "-")) for name in ("base", "size"))
    notes = [", ".join((row["workload"], row["scheme"], *(f"{key}={value}" for key, value in row.get("point", {}).items()))) + f": {row['note']}"
             for row in data["rows"] if "note" in row]
    figure.draw_without_rendering()
    if notes:
        more = [f"... and {len(notes) - NOTES} more"] if len(notes) > NOTES else []
        figure.text(0.01, (figure.get_tightbbox().y0 - 0.1) / figure.get_figheight(), "\n".join(notes[:NOTES] + more), fontsize=8, va="top")
    figure.text(0.01, (figure.get_tightbbox().y1 + 0.1) / figure.get_figheight(), bases + (f", inputs {sizes}" if sizes else ""), fontsize=9)
    return figure


if __name__ == "__main__":
    draw_json(USAGE, "compare", 2, draw, bbox_inches="tight")
