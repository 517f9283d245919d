#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Draws the output of `warpmem characterize --json FILE` for the whole program: active lanes, lines an access, reuse distances
of a warp and on a core, CTAs a DRAM row, misses by order."""
from warpmem.tools.drawing import draw_json

USAGE = """Usage: plot_character.py FILE.json PICTURE
Draws what `warpmem characterize WHAT --json FILE.json` wrote; - reads it from stdin. The name of PICTURE ends in
.png, .svg or .pdf; one of these alone sends a picture of that kind to stdout. `warpmem characterize WHAT --plot PICTURE`
does the same at once."""
BY = [("same_warp", "same warp"), ("same_cta", "same CTA"), ("other_cta", "another CTA")]
ORDERS = [("round_robin", "all in turn"), ("groups_until_miss", "groups,\nuntil miss"),
          ("groups_oldest", "groups,\noldest first"), ("groups_until_end", "groups,\nuntil end")]


def percent(values):
    whole = sum(values)
    return [100 * v / whole if whole else 0 for v in values]


def distances(buckets):
    return ["0"] + [str(1 << i) for i in range(buckets - 1)]


def draw_lanes(axis, total):
    lanes = total["instructions"]["active_lanes"]
    axis.bar(range(1, len(lanes) + 1), percent(lanes), color="#4c72b0")
    axis.set(title="Active lanes", xlabel="lanes", ylabel="% of warp instructions")


def draw_lines(axis, total):
    lines = total["memory"]["lines_an_access"]
    top = max([i + 1 for counts in lines.values() for i, v in enumerate(counts) if v] + [32])
    whole = sum(map(sum, lines.values())) or 1
    below = [0.0] * top
    for kind, counts in lines.items():
        if any(counts):
            share = [100 * v / whole for v in counts[:top]]
            axis.bar(range(1, top + 1), share, bottom=below, label=kind)
            below = [a + b for a, b in zip(below, share)]
            axis.legend(fontsize=8)
    axis.set(title="Lines an instruction (global, local)", xlabel="lines", ylabel="% of instructions", ylim=(0, None))


def draw_reuse(axis, reuse, parts, title):
    names = distances(len(reuse["same_warp"])) + ["farther", "first"]
    whole = sum(sum(reuse[key]) for key, _ in parts) + reuse["far"] + reuse["first"] or 1
    below = [0.0] * len(names)
    for key, label in parts:
        share = [100 * v / whole for v in reuse[key]] + [0, 0]
        axis.bar(names, share, bottom=below, label=label)
        below = [a + b for a, b in zip(below, share)]
    axis.bar(names[-2:], [100 * reuse[k] / whole for k in ("far", "first")], color="#999999")
    axis.tick_params(axis="x", rotation=60, labelsize=7)
    axis.set(title=title, xlabel="other lines in between, from", ylabel="% of touches")
    axis.set_ylim(0, 1.05 * max(below + [100 * reuse[k] / whole for k in ("far", "first")] + [1]))
    axis.legend(fontsize=8)


def draw_rows(axis, total):
    counts = total["rows"]["ctas_histogram"]
    last = max([i for i, v in enumerate(counts) if v] + [3])
    axis.bar([str(1 << i) for i in range(last + 1)], percent(counts[:last + 1]), color="#55a868")
    axis.set(title=f"CTAs a DRAM row: {total['rows']['ctas_a_row']:.1f}, consecutive "
             f"{100 * total['rows']['consecutive_share']:.0f} %", xlabel="CTAs, from", ylabel="% of rows")


def draw_replay(axis, total):
    shares = []
    for key, _ in ORDERS:
        r = total["replay"][key]
        whole = sum(r[what] for what in ("reads", "writes", "texture", "constant"))
        misses = sum(r[what + "_misses"] for what in ("read", "write", "texture", "constant"))
        shares.append(100 * misses / whole if whole else 0)
    axis.bar([label for _, label in ORDERS], shares, color="#c44e52")
    axis.set(title="Misses of the L1s without time", ylabel="% of accesses")


def draw(pyplot, data):
    total = data["total"]
    figure, axes = pyplot.subplots(2, 3, figsize=(15, 8))
    draw_lanes(axes[0, 0], total)
    draw_lines(axes[0, 1], total)
    draw_rows(axes[0, 2], total)
    draw_reuse(axes[1, 0], total["reuse_within_warp"], BY[:1], "Reuse distance, own warp")
    draw_reuse(axes[1, 1], total["reuse_on_core"], BY, "Reuse distance on a core, warps in turn")
    draw_replay(axes[1, 2], total)
    figure.suptitle(f"{data['workload']} {data['size']}, seed {data['seed']}, on {data['machine']} "
                    f"({data['line_bytes']}-byte lines)")
    figure.tight_layout()
    return figure


if __name__ == "__main__":
    draw_json(USAGE, "characterize", 2, draw)
