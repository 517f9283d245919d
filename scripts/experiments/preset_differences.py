#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Each preset beside the simulator that its paper used, and the effect of each difference.

The differences stand in data/machines/simulator_differences.tsv, with the simulator's release, file
and function. The figures are a program's cycles with the simulator's value in
place of ours, in percent of the preset's. -: no key expresses that value. as it
is: cycles of the preset; together: all values at once that the paper does not
decide. from: where our value comes from (paper; simulator, as its source says;
chosen).
"""
import json
import os

import experiment
from house import BadInput, read_table

DATA = os.path.join("data", "machines", "simulator_differences.tsv")
PROGRAMS = ("vecadd", "atax", "bfs-64k")
AS_IT_IS, TOGETHER = "as it is", "together"
COLUMNS = ("key", "ours", "from", "simulator")


def check_ours(rows, keys):
    """The file says what the presets have. keys: {preset: {key: value}}; words with a blank are no key."""
    for row in rows:
        for key, ours in zip(row["key"].split(", "), row["ours"].split(", ")):
            has = keys[row["preset"]].get(key)
            if has is None and "." in key:
                raise BadInput(f"{DATA}: {row['preset']}: {key}: there is no such key")
            if has not in (None, ours):
                raise BadInput(f"{DATA}: {row['preset']}: {key}: says {ours}, but the preset has {has}")


def settings(row):
    """The assignments that express the simulator's value; none: no key does."""
    return [] if row["set"] == "-" else row["set"].split()


def machines(rows):
    """[(preset, its lines)], a line being (row, assignments); row: the file's, or one made up of the preset itself or of
    all values together."""
    found = []
    for preset in dict.fromkeys(row["preset"] for row in rows):
        of = [row for row in rows if row["preset"] == preset]
        both = [pair for row in of if row["from"] != "paper" for pair in settings(row)]
        made_up = {"preset": preset, **dict.fromkeys(COLUMNS, "")}
        found.append((preset, [({**made_up, "key": AS_IT_IS}, []), *((row, settings(row)) for row in of),
                               *([({**made_up, "key": TOGETHER}, both)] if both else [])]))
    return found


def change(cycles, reference):
    """Percent."""
    return None if cycles is None or reference is None else 100 * (cycles / reference - 1)


def text_of(line, value):
    if value is None:
        return "-"
    if line["key"] == AS_IT_IS:
        return f"{value:,}"
    return "0" if abs(value) < 0.05 else f"{value:+.1f}"


def lines_of(options, rows, programs):
    """[(preset, [(row, cycles or percent a program)])], all runs at once."""
    chosen = machines(rows)
    runs = [{"workload": w, "preset": preset, "words": tuple(pairs)} for preset, lines in chosen for row, pairs in lines
            for w in programs if pairs or row["key"] == AS_IT_IS]

    def one(row):
        found = experiment.run(options, "run", row["workload"], "--size", row["size"], "--preset", row["preset"],
                               *(word for pair in row["words"] for word in ("--set", pair)))
        return found and found["cycles"]

    cycles = {(row["preset"], row["words"], row["workload"]): found for row, found in experiment.all_of(options, runs, one)}

    def figures(preset, row, pairs):
        here = [cycles.get((preset, tuple(pairs), w)) for w in programs]
        if row["key"] == AS_IT_IS:
            return here
        return [change(n, cycles.get((preset, (), w))) if pairs else None for n, w in zip(here, programs)]

    return [(preset, [(row, figures(preset, row, pairs)) for row, pairs in lines]) for preset, lines in chosen]


def markdown(found, programs, releases):
    """A table for each preset."""
    blocks = []
    for preset, lines in found:
        table = [[*COLUMNS, *programs], ["---"] * (len(COLUMNS) + len(programs))]
        for row, figures in lines:
            key = row["key"]
            name = ", ".join(f"`{word}`" if "." in word else word for word in key.split(", "))
            table.append([name, *(row[c] for c in COLUMNS[1:]), *(text_of(row, value) for value in figures)])
        rows = ["| " + " | ".join(cells) + " |" for cells in table]
        blocks.append("\n".join([f"`{preset}`, GPGPU-Sim {releases[preset]}:", "", *(" ".join(r.split()) for r in rows)]))
    return "\n\n".join(blocks)


def work():
    p = experiment.parser(__doc__, "all")
    p.add_argument("--markdown", action="store_true", help="tables as in docs/machines.md")
    p.add_argument("--json", action="store_true", help="all columns of the file and the numbers")
    options = p.parse_args()
    rows = read_table(os.path.join(experiment.ROOT, DATA))
    presets = list(dict.fromkeys(row["preset"] for row in rows))
    if options.preset != "all":
        if options.preset not in presets:
            raise BadInput(f"--preset {options.preset}: must be all or one of " + ", ".join(presets))
        presets = [options.preset]
    rows = [row for row in rows if row["preset"] in presets]
    check_ours(rows, {preset: experiment.keys_of(options, preset) for preset in presets})
    programs = tuple(dict.fromkeys(options.workload)) or PROGRAMS
    unknown = set(programs) - set(experiment.sizes_here(options))
    if unknown:
        raise BadInput(f"{', '.join(sorted(unknown))}: no such workload")

    releases = {row["preset"]: row["source"].split()[0] for row in rows}
    found = lines_of(options, rows, programs)
    if options.json:
        print(json.dumps([{**row, "release": releases[preset], "cycles" if row["key"] == AS_IT_IS else "percent":
                           dict(zip(programs, figures))} for preset, lines in found for row, figures in lines], indent=1))
    elif options.markdown:
        print(markdown(found, programs, releases))
    else:
        return experiment.show(options, ["preset", *COLUMNS, *programs],
                               [[preset, *(row[c] or "-" for c in COLUMNS), *(text_of(row, value) for value in figures)]
                                for preset, lines in found for row, figures in lines])
    return 1 if options.failed else 0


if __name__ == "__main__":
    experiment.main(work)
