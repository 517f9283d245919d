# SPDX-License-Identifier: Apache-2.0
"""Launches in the text of a file whose kernels launch kernels: clang knows none inside of kernels.

For the device, KERNEL<<<GRID, BLOCK>>>(ARGUMENTS) becomes KERNEL(ARGUMENTS), ::wm_child_launch(GRID, BLOCK): a call of the kernel,
which the instrumenter turns into a copy of the arguments, and a function of capture/include/warpmem_children.h. For the host, those
inside of kernels and of the device's functions go. In the text that the preprocessor has made no macro hides one.
"""
import re

STRING = r'R"([^(\s]*)\((?:.|\n)*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Za-z_])\'(?:\\.|[^\'\\\n])+\''
MARKER = r'^# \d+ ".*$'
PART = re.compile(rf"{STRING}|{MARKER}|<<<|>>>|[(\[{{]|[)\]}}]", re.MULTILINE)
LINE = re.compile(r'# \d+ ".*"( \d)*$')
NAME = re.compile(r"(?:::\s*)?(?:\w+\s*(?:<[^<>;{}]*>)?\s*::\s*)*\w+$")
BRACE = re.compile(rf"{STRING}|{MARKER}|<<<|[{{}};]", re.MULTILINE)
BETWEEN = re.compile(rf"(?:\s|{MARKER})*", re.MULTILINE)


def end_of(text, at, wanted):
    """The place of @wanted, outside of brackets that open behind @at; None: there is none."""
    depth = 0
    for part in PART.finditer(text, at):
        if not depth and part[0] == wanted:
            return part.start()
        if part[0] in "([{":
            depth += 1
        elif part[0] in ")]}":
            depth -= 1
            if depth < 0:
                return None
    return None


class Launch:
    """A launch in @text whose <<< is at @at; good: it is one."""

    def __init__(self, text, at):
        self.text, self.at, self.good = text, at, False
        self.chevrons = end_of(text, at + 3, ">>>")
        if self.chevrons is None:
            return
        self.opening = BETWEEN.match(text, self.chevrons + 3).end()
        self.closing = end_of(text, self.opening + 1, ")") if text[self.opening:self.opening + 1] == "(" else None
        self.good = self.closing is not None

    def start(self):
        """Where the kernel's name begins."""
        before = self.text[:self.at].rstrip()
        if before.endswith(">"):
            depth = 0
            for at in range(len(before) - 1, -1, -1):
                depth += {">": 1, "<": -1}.get(before[at], 0)
                if not depth:
                    before = before[:at].rstrip()
                    break
        return NAME.search(before).start()


def launches_of(text):
    """Those of a file and of its headers; those of the system have none."""
    system, done = False, 0
    for part in PART.finditer(text):
        if LINE.fullmatch(part[0]):
            system = " 3" in part[0].rsplit('"', 1)[1]
        if part[0] == "<<<" and not system and part.start() >= done:
            launch = Launch(text, part.start())
            if launch.good:
                done = launch.closing
                yield launch


def rewrite_launches(text):
    """For the device."""
    out, done = [], 0
    for found in launches_of(text):
        shape = re.sub(MARKER, "", text[found.at + 3:found.chevrons], flags=re.MULTILINE)
        out += [text[done:found.at], text[found.chevrons + 3:found.opening + 1], rewrite_launches(text[found.opening + 1:found.closing]),
                "), ::wm_child_launch(", shape, ")"]
        done = found.closing + 1
    return "".join(out) + text[done:]


def drop_child_launches(text):
    """For the host."""
    launches = {found.at: found for found in launches_of(text)}
    out, done, boundary, of_device = [], 0, 0, [False]
    for part in BRACE.finditer(text):
        if part[0] == "{":
            head = text[boundary:part.start()]
            of_device.append(of_device[-1] or "__attribute__((global))" in head or "__attribute__((device))" in head and "((host" not in head)
        elif part[0] == "}" and len(of_device) > 1:
            of_device.pop()
        if part[0] in "{};":
            boundary = part.end()
        found = launches.get(part.start())
        if found and of_device[-1] and part.start() >= done:
            out += [text[done:found.start()], "(void)0", "\n" * text.count("\n", found.start(), found.closing)]
            done = found.closing + 1
    return "".join(out) + text[done:]
