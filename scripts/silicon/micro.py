# SPDX-License-Identifier: Apache-2.0
"""Measures machines by the microbenchmarks of examples/silicon/micro, beside published measurements of GPUs.

`make silicon-micro` runs it: scripts/tool silicon.micro --presets v100,a100,h100. A microbenchmark prints lines "measure": which two of its
launches differ by what. Each launch runs alone; the difference of their cycles gives cycles each, or what is done a cycle.
data/silicon/published.tsv has the published values. OUT/micro.tsv has the table for scripts.
"""
import os

from silicon.programs import ROOT, Builder, Failed, Program, keys_of, run_launch
from warpmem.tools.house import BadInput, Parser, aligned, only_one, read_table, run_tool, tsv, write_whole
from warpmem.tools.work import Progress, in_parallel

FOLDER = os.path.join(ROOT, "examples", "silicon", "micro")
NAMES = ("chase", "bandwidth", "sectors", "atomics", "shared_conflicts")
SECONDS = 600  # for each compilation and capture


class Measure:
    """amount: of what the second launch does more than the first (0: than nothing)."""

    def __init__(self, line):
        _, self.name, self.unit, amount, first, second = line.split("\t")
        self.amount, self.first, self.second = float(amount), int(first), int(second)

    def value(self, cycles):
        """cycles: {number of a launch: its cycles}."""
        lacks = [number for number in (self.first, self.second) if number and cycles.get(number) is None]
        if lacks:
            raise Failed(f"{self.name}: no cycles of launch {lacks[0]}")
        more = cycles[self.second] - (cycles[self.first] if self.first else 0)
        if more <= 0:
            raise Failed(f"{self.name}: launch {self.second} takes no more cycles than launch {self.first}")
        return more / self.amount if self.unit == "cycles" else self.amount / more


def measures_in(text):
    return [Measure(line) for line in text.splitlines() if line.startswith("measure\t")]


def program_of(name):
    row = {"suite": "micro", "program": name, "from": "", "marker": "", "flags": "", "launches": "", "sources": name + ".cu", "arguments": ""}
    return Program(row, FOLDER)


def peaks_of(keys):
    """{measure: its peak a core cycle} of a machine, by its keys."""
    core = float(keys["clock.core"])
    dram = int(keys["l2.partitions"]) * int(keys["dram.bus_bytes"]) * int(keys["dram.beats"]) * float(keys["clock.dram"]) / core
    return {"dram_read_all": dram, "dram_write_all": dram, "l2_read_all": 32.0 * int(keys["l2.partitions"]) * float(keys["clock.l2"]) / core}


def measured(preset, names, build, out, jobs):
    """({measure: (value, unit)}, peaks) of a machine by these microbenchmarks. out: folder of binaries, traces and results."""
    keys, measures, launches = keys_of(build, preset), {}, {}
    builder = Builder(build, out, SECONDS, keys["core.count"])
    for name in names:
        path, lengths, said = builder.captured(program_of(name), "all")
        measures[name] = measures_in(said)
        launches.update({(name, number): (path, float(length)) for number, length in enumerate(lengths, 1)})
    progress = Progress(f"silicon: {preset}: launches run", launches, jobs, {key: length for key, (_, length) in launches.items()})

    def one(key):
        return run_launch(build, os.path.join(out, "kept"), launches[key][0], key[1], "--preset", preset)["cycles"]

    cycles = {name: {} for name in names}
    for (name, number), result in in_parallel(one, sorted(launches, key=lambda key: -launches[key][1]), jobs):
        cycles[name][number] = result
        progress.step((name, number))
    return {m.name: (m.value(cycles[name]), m.unit) for name in names for m in measures[name]}, peaks_of(keys)


def table_of(preset, found, peaks, published):
    """Rows: preset, measure, ours, unit, per cent of the peak, published (in the same unit), error, source. Of several sources: a row each."""
    rows = []
    for name, (value, unit) in found.items():
        share = 100 * value / peaks[name] if name in peaks else None
        for known in [row for row in published if row["preset"] == preset and row["measure"] == name] or [None]:
            theirs = float(known["value"]) if known else None
            ours = share if known and known["of_peak"] else value
            rows.append([preset, name, f"{value:.2f}", unit, f"{share:.1f}" if share else "-",
                         "-" if theirs is None else f"{theirs:g}" + (" % of peak" if known["of_peak"] else ""),
                         "-" if theirs is None else f"{100 * (ours / theirs - 1):+.1f}", known["source"] if known else "-"])
    return rows


HEAD = ["preset", "measure", "ours", "unit", "% of peak", "published", "error %", "source"]


def main(arguments):
    p = Parser("silicon.micro", __doc__, allow_abbrev=False)
    p.add_argument("--presets", default="v100,a100,h100", help="machines with sectored caches (default %(default)s)")
    p.add_argument("--only", default=",".join(NAMES), help="microbenchmarks (default %(default)s)")
    p.add_argument("--out", help="folder of results (BUILD/silicon)")
    p.add_jobs()
    p.add_build()
    options = p.parse_args(arguments)
    names, rows = options.only.split(","), []
    for name in names:
        if name not in NAMES:
            raise BadInput(f"--only {name}: must be of {', '.join(NAMES)}")
    out = options.out or os.path.join(options.build, "silicon")
    published = read_table(os.path.join(ROOT, "data", "silicon", "published.tsv"))
    with only_one(out, "make silicon", "another --out"):
        for preset in options.presets.split(","):
            rows += table_of(preset, *measured(preset, names, options.build, out, options.jobs), published)
    print("\n".join(aligned([HEAD] + rows, (0, 1, 3, 7))))
    write_whole(os.path.join(out, "micro.tsv"), tsv([HEAD] + rows))
    return 0


if __name__ == "__main__":
    run_tool("silicon.micro", main)
