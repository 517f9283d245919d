#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""How many warps' main loops fit the L1 (DAWS, MICRO 2013), beside the paper's best static limit.

The L1 of quadro-daws has 256 lines, of which DAWS lets warps fill 0.6 (7.3): 153.6. The main loop
is the one whose loads make most accesses. Of it
  trip     DAWS' prediction (5.1.1) for a warp that begins an iteration, mean over all iterations
  entry    the same for a warp that enters the loop, with the lanes it has then, mean over entries
  access   the same, each iteration weighted by its lines: what an access finds around it
  touched  distinct lines that are touched in an iteration, as measured
  live     lines that are touched up to an iteration and again after it, as measured
and of each of them the warps that fit, at most those of a core.
"""
import sys

sys.dont_write_bytecode = True
import common  # noqa: E402

ASSOCIATIVITY = 0.6  # DAWS 7.3: kAssocFactor
CORE_WARPS = 32  # DAWS table 1: 1024 threads
HEAD = ["app", "workload", "paper", "trip", "lines", "entry", "lines", "access", "lines", "touched",
        "lines", "live", "lines", "loop"]


def main_loop(data):
    """(kernel, loop), or None."""
    loops = [(loop["accesses"], -i, kernel["name"], loop)
             for i, (kernel, loop) in enumerate((k, l) for k in data["kernels"] for l in k["loops"])
             if loop["accesses"]]
    return max(loops)[2:] if loops else None


def mean(weights, values):
    return sum(w * v for w, v in zip(weights, values)) / sum(weights)


def footprints(loop):
    predicted = loop["footprint_by_lanes"]
    trips = loop["trips_by_lanes"]
    return [mean(trips, predicted), mean(loop["entries_by_lanes"], predicted),
            mean([t * p for t, p in zip(trips, predicted)], predicted),
            loop["trip_lines"] / loop["trips"], loop["live_lines"] / loop["trips"]]


def warps_that_fit(lines, l1_lines):
    room = ASSOCIATIVITY * l1_lines
    return min(room / lines, CORE_WARPS) if lines else CORE_WARPS


def row(line, data):
    cells = [line["warps"]]
    if data is None:
        return cells
    found = main_loop(data)
    if not found:
        return cells + ["no loop"] + [""] * (len(HEAD) - 4)
    kernel, loop = found
    for lines in footprints(loop):
        cells += [f"{warps_that_fit(lines, data['l1_lines']):.1f}", f"{lines:.1f}"]
    return cells + [f"{kernel}:{loop['pc']}"]


if __name__ == "__main__":
    common.experiment(__doc__, "paper: Best-SWL, table 3.", "daws_table3", "quadro-daws", HEAD, row)
