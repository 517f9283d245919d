#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The first 30 requests of a warp beside the rest of its period, for MeDiC 3.1 and 4.1.

MeDiC keeps the type that a warp has after 30 requests until the counters are reset, every 100 k
cycles; counters of 10 bits (6.5) could follow the warp instead. On the baseline, of requests that
come after these 30 in their period:
  same     of warps that have in the rest of the period the type of their first 30 requests
  bypass   of warps that their first 30 requests call mostly-miss or all-miss: would bypass the L2
  lost     of these: hit, so a bypass costs a read of the DRAM
  follows  would bypass by the counts of all requests of the period before
  loses    of these: hit
And of two periods in a row of one warp:
  stays    it has the same type in both (figure 6: hundreds of thousands of cycles)
Types are mostly-miss (at most 20 % hits), balanced, mostly-hit (70 % or more) and all-hit. Writes
count as the hardware counts them. The first 30 requests end with an interval of 1000 cycles.
"""
import os
import tempfile

import experiment
import house
import medic_programs

PERIOD, PROFILE, INTERVAL = 100_000, 30, 1_000
HEAD = ["program", "workload", "class", "requests", "same", "bypass", "lost", "follows", "loses", "stays"]


def type_of(requests, hits):
    """0 mostly-miss or all-miss, 1 balanced, 2 mostly-hit, 3 all-hit."""
    return 0 if 5 * hits <= requests else 1 if 10 * hits < 7 * requests else 2 if hits < requests else 3


class Counts:
    """Sums over all warps. rest: requests after the profiles; pairs: of periods in a row."""

    def __init__(self):
        self.rest = self.same = self.bypass = self.lost = self.follows = self.loses = self.pairs = self.stays = 0

    def shares(self):
        def share(part, whole):
            return part / whole if whole else None
        return [self.rest, share(self.same, self.rest), share(self.bypass, self.rest), share(self.lost, self.bypass),
                share(self.follows, self.rest), share(self.loses, self.follows), share(self.stays, self.pairs)]


class Warp:
    """A place of a core for warps, in one period."""

    def __init__(self, period, before=None):
        self.period, self.before = period, before  # before: the type in the period before, or None
        self.profile, self.rest = [0, 0], [0, 0]

    def add(self, requests, hits, counts):
        """Of one interval."""
        if self.profile[0] < PROFILE:
            self.profile = [self.profile[0] + requests, self.profile[1] + hits]
            return
        so_far = [a + b for a, b in zip(self.profile, self.rest)]
        if type_of(*so_far) == 0:
            counts.follows += requests
            counts.loses += hits
        self.rest = [self.rest[0] + requests, self.rest[1] + hits]

    def end(self, counts):
        """Its type in this period, None where it did not end its profile."""
        if self.profile[0] < PROFILE:
            return None
        first, whole = type_of(*self.profile), type_of(*(a + b for a, b in zip(self.profile, self.rest)))
        counts.rest += self.rest[0]
        counts.same += self.rest[0] if self.rest[0] and type_of(*self.rest) == first else 0
        if first == 0:
            counts.bypass += self.rest[0]
            counts.lost += self.rest[1]
        if self.before is not None:
            counts.pairs += 1
            counts.stays += whole == self.before
        return whole


def count(lines):
    """Of lines of `warpmem run --warps`: the cycle at which an interval ended, core, warp, requests, hits."""
    counts, warps = Counts(), {}
    for line in lines:
        cycle, core, warp, requests, hits = map(int, line.split("\t"))
        period, place = (cycle - 1) // PERIOD, (core, warp)
        state = warps.get(place)
        if state is None or state.period != period:
            before = state.end(counts) if state else None
            state = warps[place] = Warp(period, before if state and state.period == period - 1 else None)
        state.add(requests, hits, counts)
    for state in warps.values():
        state.end(counts)
    return counts


def work():
    p = experiment.parser(__doc__, "gtx480", "paper:medic")
    p.add_argument("--cycles", type=house.number(2 * PERIOD, 10**9), default=5 * 10**6,
                   help="of each program, from its start (default %(default)s)")
    options = p.parse_args()

    def one(row):
        with tempfile.TemporaryDirectory(prefix="warpmem_periods_") as folder:
            path = os.path.join(folder, "warps.tsv")
            done = experiment.call(options, "run", row["workload"], "--size", row["size"], "--preset", options.preset, "--seed",
                                   str(options.seed), "--max-cycles", str(options.cycles), "--series-interval", str(INTERVAL),
                                   "--warps", path, "--no-progress")
            if done.returncode:
                options.failed.append(row)
                return None
            with open(path, encoding="utf-8") as file:
                next(file)  # the head
                return count(file)

    rows = experiment.asked_for(options, medic_programs.programs())
    return experiment.show(options, HEAD, [
        [row["app"], row["workload"], row["class"], *(counts.shares() if counts else [None] * 7)]
        for row, counts in experiment.all_of(options, rows, one)])


if __name__ == "__main__":
    experiment.main(work)
