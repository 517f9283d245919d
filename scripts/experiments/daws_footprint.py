#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The number of warps whose main loops fit the L1, beside DAWS table 3: the best static warp limit.

The L1 of quadro-daws has 256 lines, of which DAWS lets warps fill 0.6 (7.3): 153.6. The main loop
is the one whose loads make most accesses. warps: those that fit, at most the 32 of a core, when
each has the footprint that DAWS predicts at the begin of an iteration (5.1.1: a line for each
active lane and diverged load, two for another load, no load of a repetition twice), as mean in
which an iteration weighs as much as the lines it predicts: a static limit serves all iterations
alike, and those with many lines are those that it is for.

With --readings also as the mean over
  trip     all iterations
  entry    entries of a warp into the loop, with the lanes it has then
and what is measured in place of predicted
  touched  distinct lines that are touched in an iteration
  live     lines that are touched up to an iteration and again after it
With --best-swl also the limit with which our machine is fastest, of those of --swl-limits, and its
speedup over no limit.
"""
import character
import experiment

ASSOCIATIVITY = 0.6  # DAWS 7.3: kAssocFactor
CORE_WARPS = 32  # DAWS table 1: 1024 threads
HEAD = ["warps", "lines", "loop"]
READINGS = ["trip", "entry", "touched", "live"]
SWL_HEAD = ["best limit", "speedup"]
SWL_LIMITS = "1,2,3,4,5,6,7,8,10,12,16,24,32"


def main_loop(data):
    """(kernel's name, loop) with the most accesses, the first of equals; None: there is none."""
    loops = [(kernel["name"], loop) for kernel in data["kernels"] for loop in kernel["loops"] if loop["accesses"]]
    return max(loops, key=lambda found: found[1]["accesses"]) if loops else None


def mean(weights, values):
    return sum(w * v for w, v in zip(weights, values)) / sum(weights)


def footprint(loop):
    predicted = loop["footprint_by_lanes"]
    return mean([t * p for t, p in zip(loop["trips_by_lanes"], predicted)], predicted)


def other_footprints(loop):
    """As READINGS."""
    predicted = loop["footprint_by_lanes"]
    return [mean(loop["trips_by_lanes"], predicted), mean(loop["entries_by_lanes"], predicted),
            loop["trip_lines"] / loop["trips"], loop["live_lines"] / loop["trips"]]


def warps_that_fit(lines, l1_lines):
    return min(ASSOCIATIVITY * l1_lines / lines, CORE_WARPS) if lines else CORE_WARPS


def cells(data, readings):
    found = main_loop(data)
    if not found:
        return ["no loop"] + [None] * (len(HEAD) - 1 + (2 * len(READINGS) if readings else 0))
    kernel, loop = found
    lines = footprint(loop)
    ours = [warps_that_fit(lines, data["l1_lines"]), lines, f"{kernel}:{loop['pc']}"]
    for lines in other_footprints(loop) if readings else []:
        ours += [warps_that_fit(lines, data["l1_lines"]), lines]
    return ours


def best_limit(result):
    """The best of a sweep, and how much faster it is than the limit that is none."""
    if result is None:
        return [None, None]
    runs = {run["value"]: run["cycles"] for run in result["sweep"]["runs"] if run["complete"]}
    best = result["sweep"]["best"]
    return [best, runs[CORE_WARPS] / runs[best] if CORE_WARPS in runs else None]


def sweep(options, row):
    return best_limit(experiment.run(
        options, "run", row["workload"], "--size", row["size"], "--preset", options.preset,
        "--scheme", "best-swl", "--swl-limits", options.swl_limits, "--jobs", "1"))


def add_options(p):
    p.add_argument("--readings", action="store_true", help="other means and measured lines too")
    p.add_argument("--best-swl", action="store_true", help="find the best limit by trying (slow)")
    p.add_argument("--swl-limits", default=SWL_LIMITS, help=f"which (default {SWL_LIMITS})")


def head(options):
    names = HEAD + [name for r in READINGS for name in (r, "lines") if options.readings]
    return names + (SWL_HEAD if options.best_swl else [])


def work():
    p = experiment.parser(__doc__, "quadro-daws")
    add_options(p)
    options = p.parse_args()
    return character.rows_of(options, experiment.paper_table("daws_warps"), ["warps"], head(options),
                      lambda data: cells(data, options.readings),
                      more=(lambda row: sweep(options, row)) if options.best_swl else None)


if __name__ == "__main__":
    experiment.main(work)
