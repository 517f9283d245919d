#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""How many warps' main loops fit the L1, beside DAWS table 3: the best static limit of warps.

The L1 of quadro-daws has 256 lines, of which DAWS lets warps fill 0.6 (7.3): 153.6. The main loop
is the one whose loads make most accesses. Of it
  trip     DAWS' prediction (5.1.1) for a warp that begins an iteration, mean over all iterations
  entry    the same for a warp that enters the loop, with the lanes it has then, mean over entries
  access   the same, each iteration weighted by its lines: what an access finds around it
  touched  distinct lines that are touched in an iteration, as measured
  live     lines that are touched up to an iteration and again after it, as measured
and of each of them the warps that fit, at most the 32 of a core.
"""
import character
import experiment

ASSOCIATIVITY = 0.6  # DAWS 7.3: kAssocFactor
CORE_WARPS = 32  # DAWS table 1: 1024 threads
HEAD = [name + unit for name in ("trip", "entry", "access", "touched", "live")
        for unit in ("", " lines")] + ["loop"]


def main_loop(data):
    """(kernel's name, loop) with the most accesses, the first of equals; None: there is none."""
    loops = [(kernel["name"], loop) for kernel in data["kernels"] for loop in kernel["loops"]
             if loop["accesses"]]
    return max(loops, key=lambda found: found[1]["accesses"]) if loops else None


def mean(weights, values):
    return sum(w * v for w, v in zip(weights, values)) / sum(weights)


def footprints(loop):
    predicted, trips = loop["footprint_by_lanes"], loop["trips_by_lanes"]
    return [mean(trips, predicted), mean(loop["entries_by_lanes"], predicted),
            mean([t * p for t, p in zip(trips, predicted)], predicted),
            loop["trip_lines"] / loop["trips"], loop["live_lines"] / loop["trips"]]


def warps_that_fit(lines, l1_lines):
    return min(ASSOCIATIVITY * l1_lines / lines, CORE_WARPS) if lines else CORE_WARPS


def cells(data):
    found = main_loop(data)
    if not found:
        return ["no loop"] + [None] * (len(HEAD) - 1)
    kernel, loop = found
    pairs = [(warps_that_fit(lines, data["l1_lines"]), lines) for lines in footprints(loop)]
    return [value for pair in pairs for value in pair] + [f"{kernel}:{loop['pc']}"]


def work():
    character.table(__doc__, experiment.paper_table("daws_warps"), "quadro-daws", ["warps"], HEAD,
                    cells)


if __name__ == "__main__":
    experiment.main(work)
