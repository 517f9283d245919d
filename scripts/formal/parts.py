# SPDX-License-Identifier: Apache-2.0
"""The step of an induction, a question for each assertion.

With all assertions and assumptions in DEPTH cycles, and the assumptions in the next, each assertion holds in the next: asked one by
one, these are together what one question for all asks. A solver that has no answer to that may have one to each. As in yosys-smtbmc
--unroll, whose smtio.py is used, the cycles' functions are written out, so that z3 sees bits alone.

usage: parts.py DESIGN.smt2 DEPTH BASE.smt2: writes what all questions have in common, and prints a line for each: a term that says
that an assertion holds in the last cycle, and its name. It is a program of its own because smtio.py takes a process' signals.
"""
import importlib.util
import os
import re

from warpmem.tools.house import ToolFailed, command, read, run_tool

# Yosys 0.23 of Debian has it in the first place, others in the second.
PLACES = ("", "python3")


def smtio():
    """Yosys' module, which yosys-smtbmc has."""
    data = command(["yosys-config", "--datdir"]).strip() if os.access("/usr/bin/yosys-config", os.X_OK) else "/usr/share/yosys"
    for path in (os.path.join(data, place, "smtio.py") for place in PLACES):
        if os.path.exists(path):
            spec = importlib.util.spec_from_file_location("smtio", path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return module
    raise ToolFailed(f"{data}: has no smtio.py of Yosys")


def write_base(arguments):
    design, depth, path = arguments
    depth, module = int(depth), smtio()
    text = read(design)
    top = re.search(r"^; yosys-smt2-topmod (\S+)$", text, re.M)
    names = re.findall(r"^; yosys-smt2-assert (\d+) (\S.*)$", text, re.M)
    if not top or not names:
        raise ToolFailed(f"{design}: has no assertions")
    options = module.SmtOpts()
    for option, value in (("--unroll", ""), ("--noincr", ""), ("-s", "z3"), ("--dump-smt2", path)):
        options.handle(option, value)
    smt = module.SmtIo(opts=options)
    for line in text.splitlines(True):
        smt.write(line)

    def assume(what, *cycles):
        smt.write(f"(assert (|{top[1]}_{what}| {' '.join(f's{cycle}' for cycle in cycles)}))")
    for cycle in range(depth + 1):
        smt.write(f"(declare-fun s{cycle} () |{top[1]}_s|)")
        assume("h", cycle)
        assume("u", cycle)
        smt.write(f"(assert (not (|{top[1]}_is| s{cycle})))")
    for cycle in range(depth):
        assume("t", cycle, cycle + 1)
        assume("a", cycle)
    for number, _ in names:
        smt.write(f"(define-fun holds{number} () Bool (|{top[1]}_a {number}| s{depth}))")
    smt.debug_file.close()
    print("\n".join(f"holds{number} {name}" for number, name in names))
    return 0


if __name__ == "__main__":
    run_tool("parts", write_base)
