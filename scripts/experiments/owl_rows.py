#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""CTAs that share DRAM rows (OWL, ASPLOS 2013), beside the paper's table 4.

  consecutive  the share of a row's CTAs whose neighbour in number accesses the row as well, mean
               over the rows: 100 % for CTAs 1, 2, 3, 4, none for a CTA that has the row alone
  shared       the same over the rows that more than one CTA accesses
  CTAs         distinct CTAs that access a row, mean over the rows
Every access counts, whatever a cache would make of it; rows are those of quadro-owl. The paper does
not say how launches count together. launch: launch by launch, mean over the rows of all of them;
run: CTAs of one number are the same in all launches.
"""
import sys

sys.dont_write_bytecode = True
import common  # noqa: E402

HEAD = ["app", "workload", "paper: consecutive", "CTAs", "launch: consecutive", "shared", "CTAs",
        "run: consecutive", "shared", "CTAs"]


def cells_of(rows):
    if rows is None:
        return ["too many", "", ""]
    shared = rows["rows"] - rows["ctas_histogram"][0]
    of_shared = rows["consecutive_share"] * rows["rows"] / shared if shared else 0
    return [f"{100 * rows['consecutive_share']:.0f} %", f"{100 * of_shared:.0f} %",
            f"{rows['ctas_a_row']:.1f}"]


def row(line, data):
    cells = [f"{100 * float(line['consecutive']):.0f} %", line["ctas"]]
    if data is None:
        return cells
    return cells + cells_of(data["total"]["rows"]) + cells_of(data["rows_of_run"])


if __name__ == "__main__":
    common.experiment(__doc__, None, "owl_apps", "quadro-owl", HEAD, row)
