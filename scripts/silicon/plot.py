# SPDX-License-Identifier: Apache-2.0
"""Scatter plot of warpmem's counts over a GPU's: a picture a counter, both axes logarithmic, a point a kernel."""
from warpmem.tools.drawing import load_pyplot, save_figure

PICTURES = (("cycles", "Cycles"), ("dram_reads", "DRAM reads"), ("dram_writes", "DRAM writes"), ("l2_read_hits", "L2 read hits"),
            ("l2_read_misses", "L2 read misses"), ("l2_write_hits", "L2 writes"), ("l1_read_hits", "L1 read hits"),
            ("l1_read_misses", "L1 read misses"), ("shared_accesses", "Shared memory"))
MARKS = "osD^v<>pPX*h8d"


def limits(values):
    return min(values) / 1.6, max(values) * 1.6


def draw_counter(axis, name, title, rows, marks):
    """rows: (program, {counter: (ours, theirs)})."""
    points = [(program, *pairs[name]) for program, pairs in rows if name in pairs and min(pairs[name]) > 0]
    axis.set(xscale="log", yscale="log", title=title, xlabel="GPU", ylabel="warpmem")
    if not points:
        axis.text(0.5, 0.5, "none", transform=axis.transAxes, ha="center")
        return
    low, high = limits([value for _, *pair in points for value in pair])
    axis.plot([low, high], [low, high], color="#555555", linewidth=0.8)
    axis.fill_between([low, high], [0.8 * low, 0.8 * high], [1.2 * low, 1.2 * high], color="#cccccc", alpha=0.5, linewidth=0)
    for program, ours, theirs in points:
        axis.plot([theirs], [ours], marks[program][0], color=marks[program][1], markersize=6)
    axis.set(xlim=(low, high), ylim=(low, high), aspect="equal")


def draw_plot(rows, title, picture):
    """Writes the picture. rows: as for draw_counter()."""
    pyplot = load_pyplot()
    programs = list(dict.fromkeys(program for program, _ in rows))
    marks = {program: (MARKS[at % len(MARKS)], f"C{at % 10}") for at, program in enumerate(programs)}
    figure, axes = pyplot.subplots(3, 3, figsize=(11, 12.4))
    for axis, (name, heading) in zip(axes.flat, PICTURES, strict=True):
        draw_counter(axis, name, heading, rows, marks)
    handles = [pyplot.Line2D([], [], linestyle="", marker=mark, color=color, label=program) for program, (mark, color) in marks.items()]
    figure.legend(handles=handles, loc="lower center", ncol=4, fontsize=9, frameon=False)
    figure.suptitle(f"{title}; band: 20 %")
    figure.tight_layout(rect=(0, 0.06, 1, 0.98))
    save_figure(figure, picture)
