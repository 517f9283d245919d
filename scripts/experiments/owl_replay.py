#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Misses of the L1 without timing, all warps in turn against groups of CTAs (OWL, ASPLOS 2013),
beside the reductions of the paper's table 3.

The L1 is quadro-owl's: 32 KB, 8 ways, 64-byte lines. Fewer misses than with all warps of a core in
turn, where the CTAs of a core are grouped by OWL's algorithm 1 (at least 8 warps) and
  until miss  a group's warps take turns until each has missed; then the next group does: what
              CTA-Aware comes to where every miss takes long
  until end   one group has the core until its CTAs have ended: what CTA-Aware-Locality comes to
              where memory is fast
"""
import sys

sys.dont_write_bytecode = True
import common  # noqa: E402

HEAD = ["app", "workload", "paper: CTA-Aware", "Locality", "ours: until miss", "until end",
        "misses in turn", "accesses"]


def misses(counts):
    return counts["read_misses"] + counts["write_misses"]


def fewer(before, after):
    return f"{100 * (1 - after / before):.0f} %" if before else "0 %"


def row(line, data):
    cells = [f"{100 * float(line[name]):.0f} %" for name in ("cta_aware", "locality")]
    if data is None:
        return cells
    replay = data["total"]["replay"]
    before = misses(replay["round_robin"])
    accesses = replay["round_robin"]["reads"] + replay["round_robin"]["writes"]
    cells += [fewer(before, misses(replay[order]))
              for order in ("groups_until_miss", "groups_until_end")]
    return cells + [f"{100 * before / accesses:.1f} %" if accesses else "-", str(accesses)]


if __name__ == "__main__":
    common.experiment(__doc__, None, "owl_apps", "quadro-owl", HEAD, row)
