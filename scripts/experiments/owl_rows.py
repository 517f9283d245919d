#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""CTAs that share DRAM rows, beside OWL table 4.

consecutive: the share of a row's CTAs whose neighbour in number accesses the row as well, mean over
the rows: 1 for CTAs 1, 2, 3, 4, 0 for a CTA that has the row alone. shared: the same over the rows
that more than one CTA accesses. ctas: distinct CTAs that access a row, mean over the rows.
Every access counts, also one that would hit in a cache; rows are those of quadro-owl. The paper does not say how launches
combine. launch: launch by launch, mean over the rows of all of them; each: mean over the launches of each one's means; run:
CTAs of one number are the same in all.

At the papers' sizes, stopped where OWL stopped (2.2), PVC, PVR and SSC as early as their inputs are
smaller than the suite's: about 5 minutes of processor time.
"""
import character
import experiment

HEAD = (["launch consecutive", "launch shared", "launch ctas", "each consecutive", "each ctas"]
        + ["run consecutive", "run shared", "run ctas"])


def cells_of(rows):
    if rows is None:
        return ["too many", None, None]
    shared = rows["rows"] - rows["ctas_histogram"][0]
    of_shared = rows["consecutive_share"] * rows["rows"] / shared if shared else None
    return [rows["consecutive_share"], of_shared, rows["ctas_a_row"]]


def cells(data):
    rows, run = data["total"]["rows"], [None] * 3
    if "rows_of_run" in data:
        run = cells_of(data["rows_of_run"])
    return (cells_of(rows) + [rows.get("launch_consecutive_share"), rows.get("launch_ctas_a_row")] + run)


def work():
    return character.table(__doc__, character.owl_rows(), "quadro-owl", ["row_sharing", "ctas_per_row"],
                    HEAD, cells, character.owl_limit, kernels=True, size="paper:owl")


if __name__ == "__main__":
    experiment.main(work)
