# SPDX-License-Identifier: Apache-2.0
"""The comparison with a GPU as text: the table of all counters, the summary of each kernel, agreement, worst rows."""
from silicon.agreement import agreement, error_of
from silicon.counters import BUSY, FEW, NAMES, SUMS, with_sums
from warpmem.tools.house import aligned, tsv

# The columns of the summary: counter, heading.
SHOWN = (("dram_reads", "DRAM rd"), ("dram_writes", "DRAM wr"), ("l2_reads", "L2 rd"), ("l2_read_misses", "L2 miss"), ("l2_write_hits", "L2 wr"),
         ("l1_reads", "L1 rd"), ("l1_read_misses", "L1 miss"), ("l1_writes", "L1 wr"), ("shared_accesses", "shared"))
WORST = 5


def pairs_of(row):
    """{counter: (ours, theirs)} of those that both sides have."""
    ours, theirs = with_sums(row["ours"]), with_sums(row["counts"])
    return {name: (ours[name], theirs[name]) for name in (*NAMES, *SUMS) if name in ours and name in theirs}


def judged(row):
    """Of these, the ones that are enough to be judged."""
    return {name: pair for name, pair in pairs_of(row).items() if pair[1] >= FEW}


def number(value):
    return f"{value:.0f}" if value == round(value) or value >= 100 else f"{value:.2f}"


def full_table(rows):
    """A line a kernel and counter. ours_launches: over how many launches ours is a mean."""
    lines = [("suite", "program", "kernel", "ours_launches", "counter", "ours", "gpu", "ratio")]
    for row in rows:
        head = row["suite"], row["program"], row["kernel"], row["launches"]
        for name, (ours, theirs) in pairs_of(row).items():
            lines.append((*head, name, number(ours), number(theirs), f"{ours / theirs:.4f}" if theirs else "-"))
        for name in ("warp_instructions", "thread_instructions"):
            lines.append((*head, name, number(row["ours"][name]), "-", "-"))
    return tsv(lines)


def percent(pair):
    return f"{100 * error_of(*pair):+.1f}"


def summary(rows):
    """Cycles of both, then errors in per cent: those of the counters that can be judged."""
    lines = [["kernel", "launches", "warp insn", "cycles", "GPU", "%", *(heading for _, heading in SHOWN)]]
    for row in rows:
        pairs = judged(row)
        lines.append([row["kernel"], str(row["launches"]), number(row["ours"]["warp_instructions"]), number(row["ours"]["cycles"]),
                      number(row["counts"]["cycles"]), percent(pairs_of(row)["cycles"]),
                      *(percent(pairs[name]) if name in pairs else "-" for name, _ in SHOWN)])
    return aligned(lines)


def shown(value, form):
    return "-" if value is None else format(value, form)


def groups_of(rows):
    """(name, rows): all, and those that memory bounds or pipelines do."""
    memory = [row for row in rows if row["duty"] is not None and row["duty"] < BUSY]
    busy = [row for row in rows if row["duty"] is not None and row["duty"] >= BUSY]
    return [("all kernels", rows)] + ([("bound by memory", memory), ("bound by pipelines", busy)] if memory and busy else [])


def agreement_lines(rows):
    lines = [["of", "kernels", "mean error %", "worst %", "bias", "corr. of logs", "rank corr."]]

    def add(what, pairs):
        if pairs:
            found = agreement(pairs)
            lines.append([what, str(found["points"]), f"{100 * found['error']:.1f}", f"{100 * found['worst']:.1f}", shown(found["bias"], ".3f"),
                          shown(found["logs"], ".3f"), shown(found["ranks"], ".3f")])

    for name, some in groups_of(rows):
        add(f"cycles, {name}", [judged(row)["cycles"] for row in some if "cycles" in judged(row)])
    for name in (*NAMES[1:], *SUMS):
        add(name, [judged(row)[name] for row in rows if name in judged(row)])
    return aligned(lines)


def worst_lines(rows):
    """The largest errors of cycles, then of all other counters."""
    def largest(names):
        found = [(abs(error_of(*pair)), row, name, pair) for row in rows for name, pair in judged(row).items() if name in names]
        return sorted(found, key=lambda one: (-one[0], one[1]["kernel"], one[2]))[:WORST]

    lines = [["kernel", "counter", "ours", "GPU", "%"]]
    for _, row, name, pair in largest(("cycles",)) + largest((*NAMES[1:], *SUMS)):
        lines.append([row["kernel"], name, number(pair[0]), number(pair[1]), percent(pair)])
    return aligned(lines, (0, 1))


def whole_report(rows, title):
    parts = [title, "", *summary(rows), "", *agreement_lines(rows), "", f"worst rows (counts of {FEW} and more)", *worst_lines(rows)]
    return "\n".join(parts) + "\n"
