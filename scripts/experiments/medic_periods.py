#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The first 30 requests of a warp beside the rest of its period, for MeDiC 3.1 and 4.1.

MeDiC keeps the type that a warp has after 30 requests until the counters are reset, every 100 k
cycles; the counters of 10 bits (6.5) could follow the warp instead. Machine: the baseline. Shares
are of the requests that come after the first 30 of their warp in their period:
  requests  how many these are
  same      their warp has in the rest of the period the type of its first 30 requests
  bypass    the first 30 requests call their warp mostly-miss or all-miss: they would bypass the L2
  lost      of these: they hit, so that a bypass of a read costs a read of the DRAM
  follows   the counters call the warp so when the request comes: they would bypass under
            medic.types=follow
  loses     of these: they hit
The last column is of periods in a row in which a warp has 30 requests each:
  stays     it has the same type in both (figure 6: hundreds of thousands of cycles)
Types have figure 6's boundaries: at most 20 % hits, between, 70 % or more. Requests are all that
get a reply, as the hardware counts them; writes among them do not bypass here (medic.stores). A
warp is a core's place for one, as its counters are (medic.at_warp=keep). The first 30 requests end
with an interval of 1000 cycles, so they are some more.
"""
import os
import sys
import tempfile

import experiment
import house
import medic_programs
from house import BadInput

PERIOD, PROFILE, INTERVAL = 100_000, 30, 1_000
FULL = 512  # accesses that set the top bit of a counter of 10 bits: both are halved (6.5)
HEAD = ["program", "workload", "class", "requests", "same", "bypass", "lost", "follows", "loses", "stays"]


def type_of(requests, hits):
    """0 mostly-miss or all-miss, 1 balanced, 2 mostly-hit or all-hit."""
    return 0 if 5 * hits <= requests else 1 if 10 * hits < 7 * requests else 2


def added(counters, requests, hits):
    return [counters[0] + requests, counters[1] + hits]


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
    """One period of a core's place for a warp. before: the type in the period before, or None."""

    def __init__(self, period, before=None):
        self.period, self.before = period, before
        self.profile, self.rest, self.counters = [0, 0], [0, 0], [0, 0]

    def add(self, requests, hits, counts):
        """Of one interval."""
        if self.profile[0] < PROFILE:
            self.profile = added(self.profile, requests, hits)
        else:
            if type_of(*self.counters) == 0:
                counts.follows += requests
                counts.loses += hits
            self.rest = added(self.rest, requests, hits)
        self.counters = added(self.counters, requests, hits)
        while self.counters[0] >= FULL:
            self.counters = [count // 2 for count in self.counters]

    def end(self, counts):
        """Its type in this period, None where it did not end its profile."""
        if self.profile[0] < PROFILE:
            return None
        first, whole = type_of(*self.profile), type_of(*added(self.profile, *self.rest))
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
    p = experiment.parser(__doc__, None, "paper:medic")
    p.add_argument("--cycles", type=house.number(2 * PERIOD, 10**9), default=5 * 10**6,
                   help="of each program, from its start (default %(default)s)")
    medic_programs.add_machine(p)
    options = p.parse_args()
    if options.keep:
        raise BadInput("--keep: these runs are not kept")
    machine = medic_programs.machine_of(options)

    def one(row):
        with tempfile.TemporaryDirectory(prefix="warpmem_periods_") as folder:
            path = os.path.join(folder, "warps.tsv")
            done = experiment.call(options, "run", row["workload"], "--size", row["size"], "--preset", machine.preset, *machine.options,
                                   "--seed", str(options.seed), "--max-cycles", str(options.cycles), "--series-interval",
                                   str(INTERVAL), "--warps", path, "--no-progress")
            if done.returncode:
                print(f"{row['workload']}: {done.stderr.strip() or done.returncode}", file=sys.stderr)
                options.failed.append(row)
                return None
            with open(path, encoding="utf-8") as file:
                next(file)  # the head
                return count(file)

    rows = [{**row, "preset": machine.preset} for row in experiment.asked_for(options, medic_programs.programs())]
    return experiment.show(options, HEAD, [
        [row["app"], row["workload"], row["class"], *(counts.shares() if counts else [None] * 7)]
        for row, counts in experiment.all_of(options, rows, one)])


if __name__ == "__main__":
    experiment.main(work)
