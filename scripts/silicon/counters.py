# SPDX-License-Identifier: Apache-2.0
"""Counters of warpmem that stand for a GPU's, and the GPU's tables in data/silicon.

A GPU's table has a row a kernel: suite, program, arguments, kernel, then counters by the names in COUNTERS, means of the kernel's
launches. docs/silicon.md has Nsight Compute's metric of each, and what differs.
"""
from warpmem.tools.house import BadInput, read_table

SECTOR = 32
# (counter, its unit, the statistics whose sum stands for it, bytes for sectors). A line on its way is a hit of a GPU's tag look-up,
# and an L2 that is written takes a sector without a fetch, which a GPU counts as a hit.
COUNTERS = (
    ("cycles", "SM cycles", ("cycles",), 1),
    ("dram_reads", "sectors", ("dram.read_bytes",), SECTOR),
    ("dram_writes", "sectors", ("dram.write_bytes",), SECTOR),
    ("l2_read_hits", "sectors", ("l2.read_hit_sectors", "l2.read_pending_sectors"), 1),
    ("l2_read_misses", "sectors", ("l2.read_miss_sectors",), 1),
    ("l2_write_hits", "sectors", ("l2.write_hit_sectors", "l2.write_pending_sectors", "l2.write_miss_sectors"), 1),
    ("l1_read_hits", "sectors", ("l1.read_hit_sectors", "l1.read_pending_sectors"), 1),
    ("l1_read_misses", "sectors", ("l1.read_miss_sectors",), 1),
    ("l1_write_hits", "sectors", ("l1.write_hit_sectors",), 1),
    ("l1_write_misses", "sectors", ("l1.write_miss_sectors",), 1),
    ("shared_accesses", "warp instructions", ("shared.instructions",), 1),
    ("constant_accesses", "accesses", ("constant.accesses",), 1),
)
NAMES = tuple(name for name, *_ in COUNTERS)
# Sums in which the two sides' division into hits and misses does not show.
SUMS = {"l1_reads": ("l1_read_hits", "l1_read_misses"), "l1_writes": ("l1_write_hits", "l1_write_misses"),
        "l2_reads": ("l2_read_hits", "l2_read_misses")}
FEW = 1000  # a GPU's counts below this are shown, and not judged: they hold what its firmware and instruction fetch add
BUSY = 0.5  # share of cycles in which pipelines work, from which on a kernel is bound by them, and below by memory


def counts_of(result):
    """{counter: value} of the JSON of one run of a machine with sectored caches."""
    stats = {**result["stats"], "cycles": result["cycles"]}
    counts = {name: sum(stats[part] for part in parts) / divisor for name, _, parts, divisor in COUNTERS}
    return {**counts, "warp_instructions": result["warp_instructions"], "thread_instructions": result["thread_instructions"]}


def with_sums(counts):
    return {**counts, **{name: sum(counts[part] for part in parts) for name, parts in SUMS.items() if set(parts) <= set(counts)}}


def mean_of(launches):
    """Of the counts of several launches."""
    return {name: sum(counts[name] for counts in launches) / len(launches) for name in launches[0]}


def gpu_rows(path):
    """Rows of a GPU's table: {suite, program, arguments, kernel, duty (None: not measured), counts}."""
    try:
        table = read_table(path)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    rows = []
    for number, row in enumerate(table, 1):
        lacks = [name for name in ("suite", "program", "kernel", "cycles") if not row.get(name)]
        if lacks:
            raise BadInput(f"{path}: row {number}: lacks {', '.join(lacks)}; data/silicon/gv100.tsv is an example")
        try:
            counts = {name: float(row[name]) for name in NAMES if row.get(name) not in (None, "", "-")}
            duty = float(row["pipeline_duty"]) if row.get("pipeline_duty") else None
        except ValueError as error:
            raise BadInput(f"{path}: row {number}: {error}: must be numbers") from None
        rows.append({"suite": row["suite"], "program": row["program"], "arguments": row.get("arguments") or "", "kernel": row["kernel"],
                     "duty": duty, "counts": counts})
    if not rows:
        raise BadInput(f"{path}: has no rows; data/silicon/gv100.tsv is an example")
    return rows
