#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Misses of the L1 without timing, all warps in turn against groups of CTAs, beside the reductions
of OWL table 3.

The L1 is quadro-owl's: 32 KB, 8 ways, 64-byte lines. Fewer misses than with all warps of a core in
turn, where the CTAs of a core are grouped by OWL's algorithm 1 (at least 8 warps) and
  until_miss  a group's warps take turns until each has missed; then the next group does: what
              CTA-Aware comes to where every miss takes long
  until_end   one group has the core until its CTAs have ended: what CTA-Aware-Locality comes to
              where memory is fast
Stopped where OWL stopped (2.2). Where a kernel has fewer CTAs than the cores hold there is little to
group: --size paper:owl fills them, --kernels shows each.
"""
import character
import experiment

HEAD = ["until_miss", "until_end", "misses in turn", "accesses"]


def misses(counts):
    return counts["read_misses"] + counts["write_misses"]


def cells(data):
    replay = data["total"]["replay"]
    before, turn = misses(replay["round_robin"]), replay["round_robin"]
    accesses = turn["reads"] + turn["writes"]
    fewer = [1 - misses(replay[order]) / before if before else 0.0
             for order in ("groups_until_miss", "groups_until_end")]
    return [f"{share:+.3f}" for share in fewer] + [before / accesses if accesses else None,
                                                    str(accesses)]


def work():
    character.table(__doc__, character.owl_rows(), "quadro-owl",
                    ["fewer_misses", "fewer_misses_locality"], HEAD, cells,
                    character.owl_limit, kernels=True)


if __name__ == "__main__":
    experiment.main(work)
