#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Draws the output of `warpmem run --series FILE`: panels over the cycles, one under another; several files over each other.

A panel whose columns are missing in the files is left out; a column without a panel goes into the last one. Rates, which are
means over an interval, are drawn as lines, and queue lengths, which are samples at its end, as dots.
"""
import argparse
import csv
import os

from warpmem.tools.drawing import KINDS, fail, load_pyplot, save_figure

# Title of the axis with its unit, are its values samples, then the columns of the panel.
PANELS = [
    ("IPC\n(thread instructions\na core cycle)", False, ["ipc_thread"]),
    ("L1 reads (share)", False, ["l1_hit_rate", "l1_pending_rate", "l1_miss_rate", "l1_bypass_rate"]),
    ("L2 and DRAM (share)", False, ["l2_hit_rate", "row_hit_rate", "bus_use"]),
    ("in the cores\n(entries, samples)", True, ["load_store_queue", "l1_mshrs", "l1_miss_queue", "noc_request_queue"]),
    ("in the interconnect\n(packets, samples)", True, ["noc_requests", "noc_replies"]),
    ("in the partitions\n(entries, samples)", True, ["l2_queue", "l2_mshrs", "l2_miss_queue", "dram_queue",
                                                     "l2_reply_queue", "noc_reply_queue"]),
    ("resident\n(warps, CTAs, samples)", True, ["resident_warps", "resident_ctas"]),
]
DRAWN_ELSEWHERE = ["cycle", "ipc_warp"]
FILES_MAX = 4
LINES, DOTS = ["-", "--", ":", "-."], [".", "x", "+", "v"]  # of the files


def read(path):
    """Columns by name; an empty field, which had nothing to divide by, is a gap (NaN)."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        fail(f"{path}: {getattr(error, 'strerror', None) or 'is not a text of comma-separated values'}")
    if not rows or not rows[0] or rows[0][0] != "cycle":
        fail(f"{path}:1: must begin with a line of column names, cycle first, as `warpmem run --series` writes it")
    head = rows[0]
    if len(rows) == 1:
        fail(f"{path}: has no line of values")
    columns = {name: [] for name in head}
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(head):
            fail(f"{path}:{number}: {len(row)} fields: must be {len(head)}")
        for name, field in zip(head, row):
            try:
                columns[name].append(float(field) if field else float("nan"))
            except ValueError:
                fail(f"{path}:{number}: {name} = {field[:40]!r}: must be a number")
    return columns


def panels_of(files):
    """Of columns that one of the files has, or several."""
    found = list(dict.fromkeys(name for columns in files for name in columns))
    known = set(DRAWN_ELSEWHERE).union(*(names for _, _, names in PANELS))
    panels = [(label, samples, [n for n in names if n in found]) for label, samples, names in PANELS]
    panels.append(("others", False, [n for n in found if n not in known]))
    return [panel for panel in panels if panel[2]]


def draw_column(axis, columns, name, samples, file, **style):
    """file: its number, which gives the kind of line or dot."""
    values = columns[name]
    if samples:
        axis.plot(columns["cycle"], values, linestyle="", marker=DOTS[file], markersize=2.5, **style)
    else:  # a value belongs to the interval that ends at its cycle
        axis.step([0.0] + columns["cycle"], [values[0]] + values, where="pre", linewidth=1.0, linestyle=LINES[file], **style)


def names_of(paths):
    """Short names that tell the files apart."""
    stems = [os.path.splitext(os.path.basename(path))[0] for path in paths]
    return stems if len(set(stems)) == len(stems) else paths


def draw(files, names, title, outputs):
    """files: columns of each file; names: of the files, in the legend."""
    pyplot = load_pyplot()
    pyplot.rcParams["svg.fonttype"] = "none"  # text stays text
    from matplotlib import ticker

    panels = panels_of(files)
    figure, axes = pyplot.subplots(len(panels), 1, sharex=True, squeeze=False, figsize=(11, 1.9 * len(panels) + 0.8))
    last = max(columns["cycle"][-1] for columns in files)
    for axis, (label, samples, shown) in zip(axes[:, 0], panels):
        highest = 0.0
        for k, name in enumerate(shown):
            having = [i for i, columns in enumerate(files) if name in columns]
            for i in having:
                draw_column(axis, files[i], name, samples, i, color=f"C{k}", label=name if i == having[0] else None)
                highest = max([highest, *(v for v in files[i][name] if v == v)])
        axis.set_ylabel(label, fontsize=8)
        axis.set_ylim(0, 1.02 if "share" in label else max(1.05 * highest, 1))
        axis.grid(True, linewidth=0.3)
        axis.tick_params(labelsize=8)
        axis.legend(loc="upper left", bbox_to_anchor=(1.005, 1.0), fontsize=8, frameon=False)
    axes[-1, 0].set_xlabel("core cycles")
    axes[-1, 0].xaxis.set_major_formatter(ticker.EngFormatter())
    axes[-1, 0].set_xlim(0, max(last, 1))
    if len(files) > 1:  # which line and which dot is whose
        kinds = [pyplot.Line2D([], [], color="black", linestyle=LINES[i], marker=DOTS[i], markersize=3) for i in range(len(files))]
        figure.legend(kinds, names, loc="upper right", fontsize=8, frameon=False)
    axes[0, 0].set_title(title, fontsize=10)
    figure.align_ylabels()
    figure.tight_layout()
    for path in outputs:
        save_figure(figure, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0],
                                     epilog="For example: warpmem run atax --series atax.csv && "
                                            "scripts/plot_series.py atax.csv -o atax.png; with two files "
                                            "scripts/plot_series.py baseline.csv mrpb.csv -o both.png")
    parser.add_argument("files", metavar="FILE", nargs="+",
                        help=f"what `warpmem run --series FILE` wrote; up to {FILES_MAX}, each with its own kind of line")
    parser.add_argument("-o", metavar="PICTURE", dest="pictures", action="append", default=[],
                        help="write a picture, of the kind that its name ends in: .png, .svg or .pdf; may be given several times")
    parser.add_argument("--title", help="above the picture (default: the FILEs)")
    args = parser.parse_args()
    if not args.pictures:
        fail("needs -o PICTURE")
    for path in args.pictures:
        if os.path.splitext(path)[1] not in KINDS:
            fail(f"-o {path}: must end in {', '.join(KINDS[:-1])} or {KINDS[-1]}")
    if len(args.files) > FILES_MAX:
        fail(f"{len(args.files)} FILEs: must be 1..{FILES_MAX}")
    draw([read(path) for path in args.files], names_of(args.files), args.title or ", ".join(args.files), args.pictures)


if __name__ == "__main__":
    main()
