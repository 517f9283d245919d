#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the output of `warpmem run --series FILE`: panels over the cycles, one under another.

A panel whose columns are missing in the file is left
out; a column without a panel goes into the last one.
"""
import argparse
import csv
import os
import sys

KINDS = [".png", ".svg", ".pdf"]
# The same input gives the same picture.
UNDATED = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}

# Title of the axis with its unit, then the columns of the panel.
PANELS = [
    ("IPC\n(thread instructions\na core cycle)", ["ipc_thread"]),
    ("L1 reads (share)", ["l1_hit_rate", "l1_pending_rate", "l1_miss_rate", "l1_bypass_rate"]),
    ("L2 and DRAM (share)", ["l2_hit_rate", "row_hit_rate", "bus_use"]),
    ("in the cores\n(entries)", ["load_store_queue", "l1_mshrs", "l1_miss_queue", "noc_request_queue"]),
    ("in the interconnect\n(packets)", ["noc_requests", "noc_replies"]),
    ("in the partitions\n(entries)", ["l2_queue", "l2_mshrs", "l2_miss_queue", "dram_queue",
                                      "l2_reply_queue", "noc_reply_queue"]),
    ("resident\n(warps, CTAs)", ["resident_warps", "resident_ctas"]),
]
DRAWN_ELSEWHERE = ["cycle", "ipc_warp"]


def fail(text):
    print("plot_series: " + text, file=sys.stderr)
    sys.exit(2)


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


def panels_of(columns):
    known = set(DRAWN_ELSEWHERE).union(*(names for _, names in PANELS))
    panels = [(label, [n for n in names if n in columns]) for label, names in PANELS]
    panels.append(("others", [n for n in columns if n not in known]))
    return [(label, names) for label, names in panels if names]


def draw(columns, title, outputs):
    try:
        import matplotlib  # here, so that --help works without it
    except ImportError:
        fail("needs matplotlib: install Debian's python3-matplotlib (scripts/setup.sh does)")
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "warpmem"  # the same input gives the same picture
    matplotlib.rcParams["svg.fonttype"] = "none"  # text stays text
    from matplotlib import pyplot, ticker

    panels = panels_of(columns)
    figure, axes = pyplot.subplots(len(panels), 1, sharex=True, squeeze=False, figsize=(11, 1.9 * len(panels) + 0.8))
    cycles = [0.0] + columns["cycle"]
    for axis, (label, names) in zip(axes[:, 0], panels):
        for name in names:
            values = columns[name]
            # A value belongs to the interval that ends at its cycle.
            axis.step(cycles, [values[0]] + values, where="pre", linewidth=1.0, label=name)
        axis.set_ylabel(label, fontsize=8)
        highest = max(max(columns[name]) for name in names)
        axis.set_ylim(0, 1.02 if "share" in label else max(1.05 * highest, 1))
        axis.grid(True, linewidth=0.3)
        axis.tick_params(labelsize=8)
        axis.legend(loc="upper left", bbox_to_anchor=(1.005, 1.0), fontsize=8, frameon=False)
    axes[-1, 0].set_xlabel("core cycles")
    axes[-1, 0].xaxis.set_major_formatter(ticker.EngFormatter())
    axes[-1, 0].set_xlim(0, max(cycles[-1], 1))
    axes[0, 0].set_title(title, fontsize=10)
    figure.align_ylabels()
    figure.tight_layout()
    for path in outputs:
        kind = os.path.splitext(path)[1][1:]
        try:
            figure.savefig(path, format=kind, dpi=110, metadata=UNDATED.get(kind))
        except OSError as error:
            fail(f"{path}: cannot be written: {error.strerror}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0],
                                     epilog="For example: warpmem run atax --series atax.csv && "
                                            "scripts/plot_series.py atax.csv -o atax.png")
    parser.add_argument("file", metavar="FILE", help="what `warpmem run --series FILE` wrote")
    parser.add_argument("-o", metavar="PICTURE", dest="pictures", action="append", default=[],
                        help="write a picture, of the kind that its name ends in: .png, .svg or .pdf; may be given several times")
    parser.add_argument("--title", help="above the picture (default: FILE)")
    args = parser.parse_args()
    if not args.pictures:
        fail("needs -o PICTURE")
    for path in args.pictures:
        if os.path.splitext(path)[1] not in KINDS:
            fail(f"-o {path}: must end in {', '.join(KINDS[:-1])} or {KINDS[-1]}")
    draw(read(args.file), args.title or args.file, args.pictures)


if __name__ == "__main__":
    main()
