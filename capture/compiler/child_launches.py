# SPDX-License-Identifier: Apache-2.0
"""Launches in the text of a file whose kernels launch kernels: clang knows none inside of kernels.

KERNEL<<<GRID, BLOCK>>>(ARGUMENTS) becomes KERNEL(ARGUMENTS), ::wm_child_launch(GRID, BLOCK): a call of the kernel, which the
instrumenter turns into a copy of the arguments, and a function of capture/include/warpmem_children.h. In the text that the
preprocessor has made no macro hides one.
"""
import re

STRING = r'R"([^(\s]*)\((?:.|\n)*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Za-z_])\'(?:\\.|[^\'\\\n])+\''
MARKER = r'^# \d+ ".*$'
PART = re.compile(rf"{STRING}|{MARKER}|<<<|>>>|[(\[{{]|[)\]}}]", re.MULTILINE)
LINE = re.compile(r'# \d+ ".*"( \d)*$')
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


def rewrite_launches(text):
    """The text of a file and of its headers; those of the system have none."""
    out, done, system = [], 0, False
    for part in PART.finditer(text):
        if LINE.fullmatch(part[0]):
            system = " 3" in part[0].rsplit('"', 1)[1]
        if part[0] != "<<<" or system or part.start() < done:
            continue
        end = end_of(text, part.end(), ">>>")
        opening = BETWEEN.match(text, end + 3).end() if end else None
        if not end or text[opening:opening + 1] != "(":
            continue
        closing = end_of(text, opening + 1, ")")
        if closing is None:
            continue
        launch = re.sub(MARKER, "", text[part.end():end], flags=re.MULTILINE)
        out += [text[done:part.start()], text[end + 3:opening], "(", rewrite_launches(text[opening + 1:closing]), "), ::wm_child_launch(", launch, ")"]
        done = closing + 1
    return "".join(out) + text[done:]
