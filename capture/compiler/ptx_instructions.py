# SPDX-License-Identifier: Apache-2.0
"""An instruction of inline PTX as C++: each module registers its own by name."""
import ptx_accesses  # noqa: F401
import ptx_choices  # noqa: F401
import ptx_numbers  # noqa: F401
from ptx_context import INSTRUCTIONS, Context
from ptx_syntax import Arg


def translated(insn, registers):
    """The C++ of an instruction. @registers: {name: C++'s type}, and {"=name": its value as a text} of a constant operand."""
    context = Context(insn, registers)
    text = INSTRUCTIONS[insn.root](context)
    context.check()
    if insn.guard:
        guard = context.read_arg(Arg("register", insn.guard.text, (), insn.guard.sign), "pred")
        return f"if ({guard}) {{ {text} }}"
    return text
