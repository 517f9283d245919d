# SPDX-License-Identifier: Apache-2.0
"""The registers of a failed induction: what they hold in the first and in the last cycle of its step."""
import os
import re
import textwrap

from warpmem.tools.house import read

WAVES = "step.vcd"
WIDTH = 116
ADVICE = "if no run reaches the first of these states: assert the invariant that excludes this state"


def states_of(waves):
    """[{name: bits}] of the first and of the last cycle; names as Yosys has them, dut.memory.rd_data_q."""
    head, _, body = waves.partition("$enddefinitions $end\n")
    scopes, names = [], {}
    for words in map(str.split, head.splitlines()):
        if words[0] == "$scope":
            scopes.append(words[2])
        elif words[0] == "$upscope":
            scopes.pop()
        elif words[0] == "$var":
            names.setdefault(words[3], []).append(".".join([*scopes[1:], words[4]]))
    now, first = {}, {}
    for line in body.splitlines():
        if line.startswith("#") and now and not first:
            first = dict(now)
        elif line.startswith("b"):
            bits, code = line[1:].split()
            now.update(dict.fromkeys(names.get(code, []), bits))
    return [first, now]


def text_of(bits):
    value = int(bits.replace("x", "0"), 2)
    return str(value) if value < 1 << 16 else f"{value:#x}"


def lines_of(folder):
    """For the terminal; none where the step did not fail."""
    path = os.path.join(folder, WAVES)
    if not os.path.exists(path):
        return []
    first, last = states_of(read(path))
    registers = re.findall(r"^; yosys-smt2-register (\S+) ", read(os.path.join(folder, "design.smt2")), re.M)
    values = {name: (text_of(first[name]), text_of(last[name])) for name in registers if name in first}
    changed = [f"{name} {one} > {other}" for name, (one, other) in values.items() if one != other]
    same = [f"{name} {one}" for name, (one, other) in values.items() if one == other != "0"]
    zero = [name for name, (one, other) in values.items() if one == other == "0"]
    parts = (("registers, first > last cycle of the step", changed), ("the same in both", same), ("0 in both", zero))
    texts = [f"{what}: {', '.join(words)}" for what, words in parts if words]
    return [line for text in texts for line in textwrap.wrap(text, WIDTH, subsequent_indent="    ", break_on_hyphens=False)] + [ADVICE]
