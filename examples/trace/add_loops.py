#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Adds loop markers to a text trace without any, such as one imported from Accel-Sim, so that DAWS knows its loops.

    build/warpmem trace app.wtr --text | examples/trace/add_loops.py | build/warpmem import --format text - -o loops.wtr

A loop is what a warp goes back over: of each jump to a lower or equal PC the body from that PC to the jump's. It begins where a warp
comes to its first PC from outside, goes on where the warp comes back to it, and ends where the warp leaves it. Bodies that begin at one
PC are one loop, the longest. The lanes of a marker are those of the instruction behind it, or, at the end, of the loop's first trip.
A warp's lanes that take different ways stand one after another in a trace, which may look like a jump back: such loops are harmless.
"""
import sys

MARKERS = ("loop_begin", "loop_iteration", "loop_end")


def pcs_of(lines):
    """(place in lines, PC, lanes) of a warp's instructions."""
    return [(at, int(line.split()[0], 0), line.split()[1]) for at, line in enumerate(lines) if line[0].isdigit()]


def bodies_of(warps):
    """{first PC: last PC} of the loops of a kernel's warps."""
    bodies = {}
    for lines in warps:
        trail = pcs_of(lines)
        for (_, pc, _), (_, following, _) in zip(trail, trail[1:]):
            if following <= pc:
                bodies[following] = max(pc, bodies.get(following, 0))
    return bodies


def with_loops(lines, bodies):
    """The warp's lines and its markers."""
    before, stack = {}, []  # markers before a line; (first PC, lanes of the first trip) of open loops, the outermost first
    last = None
    for at, pc, lanes in pcs_of(lines):
        marks = before.setdefault(at, [])
        while stack and not stack[-1][0] <= pc <= bodies[stack[-1][0]]:
            marks.append((stack[-1][0], stack.pop()[1], "loop_end"))
        if pc in bodies:
            if not stack or stack[-1][0] != pc:
                stack.append((pc, lanes))
                marks.append((pc, lanes, "loop_begin"))
            marks.append((pc, lanes, "loop_iteration"))
        last = at
    out = []
    for at, line in enumerate(lines):
        out += [f"{pc:#x} {lanes} {what}" for pc, lanes, what in before.get(at, [])]
        out.append(line)
        if at == last:
            out += [f"{pc:#x} {lanes} loop_end" for pc, lanes in reversed(stack)]
    return out


def add_loops(lines):
    """Lines of a text trace, kernel by kernel: a kernel's launches are read before its first one is written."""
    kernel, warps = [], []  # lines before a warp's, and the lists of warps' lines, in their order

    def flush():
        bodies = bodies_of(warps)
        for part in kernel:
            yield from with_loops(part, bodies) if isinstance(part, list) else [part]
        kernel.clear()
        warps.clear()

    for line in lines:
        line = line.rstrip("\n")
        word = line.split(" ", 1)[0]
        if any(marker in line.split() for marker in MARKERS):
            sys.exit("add_loops: the trace has markers of loops already")
        if word == "kernel":
            yield from flush()
        if word == "warp":
            kernel.append(line)
            warps.append([])
            kernel.append(warps[-1])
        elif line[:1].isdigit() and warps and kernel[-1] is warps[-1]:
            warps[-1].append(line)
        else:
            kernel.append(line)
    yield from flush()


if __name__ == "__main__":
    for text in add_loops(sys.stdin):
        print(text)
