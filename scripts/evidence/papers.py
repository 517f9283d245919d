# SPDX-License-Identifier: Apache-2.0
"""The papers' claims about a block's hardware: its rows of data/claims/*.tsv, and our figures by the formulas that `make repro`
uses."""
import functools
import glob
import os
import sys

from house import read_table

CLAIMS = "data/claims"
SHORT = {"clock_45nm": "SRAM {} GHz", "area_45nm": "SRAM {} mm2", "area_vs_l1": "{} of an L1", "sram": "at most {} kB",
         "bits_per_warp": "{} bits a warp", "bits_per_line": "{} bits a line"}


def hardware_metrics():
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "repro")
    if folder not in sys.path:
        sys.path.append(folder)
    import metrics  # pylint: disable=import-outside-toplevel
    return metrics.HARDWARE


@functools.lru_cache(maxsize=None)
def rows():
    found = []
    for path in sorted(glob.glob(f"{CLAIMS}/*.tsv")):
        found += [dict(row, paper=os.path.basename(path)[:-len(".tsv")]) for row in read_table(path)]
    return found


def figures(block):
    """The papers' rows about it."""
    metrics = hardware_metrics()
    return [row for row in rows() if row["variant"] == block and row["metric"] in metrics]


def short(row):
    return SHORT.get(row["metric"], row["metric"].replace("_", " ") + " {} " + row["unit"]).format(row["value"])


def is_scaled(row, area):
    """Is our figure one that CACTI gives of another memory, scaled by the bits?"""
    column = hardware_metrics()[row["metric"]].column
    return column.startswith("sram_") and column != "sram_bits" and "~" in area.get("sram_source", "")


def ours(row, area):
    """By make area's numbers; None: there is none."""
    metric = hardware_metrics()[row["metric"]]
    number = area.get(metric.column)
    if number in (None, ""):
        return None
    parameters = {name: int(value) for name, value in (pair.split("=") for pair in area["parameters"].split())}
    return metric.function(number, parameters)
