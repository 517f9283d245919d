#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Misses of the L1s without timing, all warps in turn against groups of CTAs, beside the reductions
of OWL table 3: of texture, constant and data cache together, as there.

The caches are quadro-owl's: data 32 KB, 8 ways; texture and constants 8 KB, 4 ways; 64-byte lines.
Fewer misses than with all warps of a core in turn, where the CTAs of a core are grouped by OWL's
algorithm 1 (at least 8 warps) and
  until_miss  a group's warps take turns until each waits for lines; then the next group's do: what
              CTA-Aware comes to where memory is slow
  oldest      always the warps of the group with the oldest CTA, while one of them need not wait:
              CTA-Aware-Locality
  until_end   one group has the core until its CTAs have ended: both where memory is fast
Lines come when a miss finds none of the 32 MSHRs free, or when all warps wait. data: of the data
cache alone, one group at a time (until_end). Stopped where OWL stopped (2.2), PVC, PVR and
SSC as early as their inputs are smaller than the suite's: OWL saw their map, hardly their sort.

At the papers' sizes, about 5 minutes of processor time: at --size small the map kernels of MARS
have fewer CTAs than the cores hold, so that there is little to group; --kernels shows each.
"""
import character
import experiment

ORDERS = ("groups_until_miss", "groups_oldest", "groups_until_end")
HEAD = ["until_miss", "oldest", "until_end", "data", "misses in turn"]
DATA = ("read_misses", "write_misses")
ALL = DATA + ("texture_misses", "constant_misses")


def fewer(replay, order, kinds):
    def misses(order):
        return sum(replay[order][kind] for kind in kinds)
    before = misses("round_robin")
    return f"{1 - misses(order) / before if before else 0:+.3f}"


def cells(data):
    replay = data["total"]["replay"]
    return ([fewer(replay, order, ALL) for order in ORDERS] + [fewer(replay, ORDERS[-1], DATA)]
            + [str(sum(replay["round_robin"][kind] for kind in ALL))])


def work():
    return character.table(__doc__, character.owl_rows(), "quadro-owl", ["fewer_misses", "fewer_misses_locality"], HEAD, cells,
                    character.owl_limit, kernels=True, size="paper:owl")


if __name__ == "__main__":
    experiment.main(work)
