#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Draws how ATAX's cycles and memory latency depend on the L1's ways, with and without MRPB: a figure from four lines of work.

    examples/python/l1_capacity.py l1_capacity.png

It needs matplotlib, and the package: `pip install ./python`, or PYTHONPATH=python.
"""
# %%
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

import warpmem  # noqa: E402

# %% A run for each number of ways under each scheme, on all cores
table = warpmem.sweep("atax", {"l1.ways": [1, 2, 4, 8, 16]}, schemes=["baseline", "mrpb"], size="tiny", stats=["memory_latency"])
print(table[:3])

# %% Two figures side by side
figure, axes = pyplot.subplots(1, 2, figsize=(9, 3.6))
for scheme in ("baseline", "mrpb"):
    rows = table.where(scheme=scheme)
    axes[0].plot("l1.ways", "cycles", data=rows, marker="o", label=scheme)
    axes[1].plot("l1.ways", "memory_latency", data=rows, marker="o", label=scheme)
for axis, name in zip(axes, ("cycles", "memory latency, cycles")):
    axis.set_xscale("log", base=2)
    axis.set_xticks(table.where(scheme="mrpb")["l1.ways"], table.where(scheme="mrpb")["l1.ways"])
    axis.set(xlabel="L1 ways", ylabel=name, ylim=(0, None), title="ATAX, tiny, c2050-s")
axes[0].legend()
figure.tight_layout()
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "l1_capacity.png", dpi=110)
