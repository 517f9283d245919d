# SPDX-License-Identifier: Apache-2.0
"""Inline PTX in a preprocessed CUDA source becomes C++, in the same lines. What is not known stays as an assembly statement whose
text says so: the instrumenter prints it with the line, if a kernel uses it (instrument/kernel_code.c)."""
import codecs
import re

from ptx_instructions import INSTRUCTIONS, translated
from ptx_syntax import Parser, Unknown

STATEMENT = re.compile(r"(?<![\w$])(?:asm|__asm__|__asm)\s*((?:(?:volatile|__volatile__|__volatile|inline|__inline__)\s*)*)\(")
STRING = re.compile(r'\s*(?:R"(?P<mark>[^()\\\s]*)\((?P<raw>.*?)\)(?P=mark)"|"(?P<text>(?:[^"\\\n]|\\.)*)")', re.DOTALL)
# Passed over as a whole: strings and characters; then brackets.
PIECES = r'R"(?P<raw_mark>[^()\\\s]*)\(.*?\)(?P=raw_mark)"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|[()\[\]{}]'
OPERAND = re.compile(r'\s*(?:\[(?P<name>\w+)\])?\s*"(?P<constraint>[^"]*)"\s*\(', re.DOTALL)
PLACE = re.compile(r"%(?:(?P<percent>%)|(?P<number>\d+)|\[(?P<name>\w+)\]|(?P<unique>=))")
LABEL = re.compile(r"[\w.$]*\s*$")
CONSTRAINTS = {"r": "unsigned", "l": "unsigned long long", "h": "unsigned short", "f": "unsigned", "d": "unsigned long long", "c": "unsigned char",
               "b": "bool"}
SYSTEM = re.compile(r'# \d+ "(/usr/[^"]*|[^"]*warpmem-capture/[^"]*)"')
ALIGNED = re.compile(r"(__attribute__\(\(shared\)\)\s+)alignas(?=\s*\()")
REFUSED = "warpmem: "  # instrument/kernel_code.c looks for it


def end_of_group(text, at):
    """Behind the bracket that closes the one before @at."""
    depth = 1
    for match in re.compile(PIECES, re.DOTALL).finditer(text, at):
        mark = match.group()
        if mark in "([{":
            depth += 1
        elif mark in ")]}":
            depth -= 1
            if not depth:
                return match.end()
    return -1


def split_at(text, mark):
    """Parts between the marks outside brackets and strings."""
    parts, depth, begin = [], 0, 0
    for match in re.compile(PIECES + "|" + re.escape(mark), re.DOTALL).finditer(text):
        found = match.group()
        if found in "([{":
            depth += 1
        elif found in ")]}":
            depth -= 1
        elif found == mark and not depth:
            parts.append(text[begin:match.start()])
            begin = match.end()
    return [*parts, text[begin:]]


def take_strings(text):
    """The string literals at the beginning as one, and what follows them."""
    said, at = None, 0
    while match := STRING.match(text, at):
        part = match.group("raw")
        said = (said or "") + (codecs.decode(match.group("text"), "unicode_escape") if part is None else part)
        at = match.end()
    return said, text[at:]


class Operands:
    """Those of a statement: C++'s names in the order of their numbers, what they are before and after the statement."""

    def __init__(self, outputs, inputs):
        self.names, self.numbers, self.registers, self.before, self.after = [], {}, {}, [], []
        for text, is_output in [(text, True) for text in outputs] + [(text, False) for text in inputs]:
            self.add(text, is_output)

    def add(self, text, is_output):
        match = OPERAND.match(text)
        if not match:
            raise Unknown(f"the operand '{text.strip()}'")
        value, constraint = text[match.end():end_of_group(text, match.end()) - 1].strip(), match.group("constraint").strip()
        if match.group("name"):
            self.numbers[match.group("name")] = len(self.names)
        kind = constraint.lstrip("=+&")
        if kind.isdigit():
            self.names.append(self.names[int(kind)])
            self.before.append(f"{self.names[-1]} = __wm_ptx_as<{self.registers[self.names[-1]]}>({value});")
            return
        name = f"wm_o{len(self.names)}"
        self.names.append(name)
        if kind in ("n", "i"):
            self.registers[name], self.registers["=" + name] = "long long", value.strip("() ")
            self.before.append(f"const long long {name} = (long long)({value});")
            return
        if kind not in CONSTRAINTS:
            raise Unknown(f"an operand of kind \"{constraint}\"")
        self.registers[name] = CONSTRAINTS[kind]
        if is_output:
            self.after.append(f"({value}) = __wm_ptx_as<__typeof__({value})>({name});")
        begin = "" if constraint.startswith("=") else f" = __wm_ptx_as<{CONSTRAINTS[kind]}>({value})"
        self.before.append(f"{CONSTRAINTS[kind]} {name}{begin};")


def with_operands(text, numbers, unique):
    def replaced(match):
        if match.group("percent"):
            return "%"
        if match.group("unique"):
            return str(unique)
        number = match.group("number") or str(numbers.get(match.group("name"), 999))
        return f"\x01{number}\x01"
    return PLACE.sub(replaced, text)


def statement_in_cpp(inner, unique):
    """@inner: what stands between the parentheses. None: a label of a declaration, or text that is no PTX."""
    text, rest = take_strings(inner)
    if text is None or (LABEL.match(text) and text.strip() and not rest.strip()):
        return None
    sections = split_at(rest, ":")
    if sections[0].strip():
        return None
    outputs, inputs = ([part for part in split_at(section, ",") if part.strip()] for section in (sections[1:3] + ["", ""])[:2])
    operands = Operands(outputs, inputs)
    parser = Parser(with_operands(text, operands.numbers, unique) if len(sections) > 1 else text.replace("%%", "%"), operands.names, INSTRUCTIONS)
    registers = {**operands.registers, **parser.declared}
    body = [f"{each}:;" if isinstance(each, str) else translated(each, registers) for each in parser.statements]
    labels = [f"__label__ {', '.join(parser.labels.values())};"] if parser.labels else []
    declared = [f"{kind} {name};" for name, kind in parser.declared.items()]
    return "do { " + " ".join([*labels, *operands.before, *declared, *body, *operands.after]) + " } while (0)"


def is_systems(text, at):
    line = text.rfind("\n# ", 0, at)
    return bool(SYSTEM.match(text, line + 1))


def statements_of(text):
    """(begin, end, inner text) of each assembly statement of the program's."""
    for match in STATEMENT.finditer(text):
        end = end_of_group(text, match.end())
        if end > 0 and not is_systems(text, match.start()):
            yield match.start(), end, text[match.end():end - 1]


def with_aligned_shared(text):
    """clang takes C's word for an alignment behind __shared__, and not C++'s."""
    return ALIGNED.sub(r"\1_Alignas", text)


def without_assembly(text):
    """The source with C++ for its inline PTX, and the headers that the C++ needs; None: nothing of it needs to change."""
    changed = with_aligned_shared(text)
    is_changed, text = changed != text, changed
    parts, begin, all_ptx = [], 0, ""
    for unique, (start, end, inner) in enumerate(statements_of(text)):
        try:
            better = statement_in_cpp(inner, unique)
        except Unknown as unknown:
            said = f"{REFUSED}inline PTX: {unknown}: is not supported".replace("\\", "").replace('"', "'").replace("%", "%%")
            better = f'__asm__ volatile("{said}" :)'
        if better is not None:
            # A statement of several lines keeps them.
            parts += [text[begin:start], better, "\n" * text.count("\n", start, end)]
            begin = end
            all_ptx += inner
    if not parts:
        return (text, []) if is_changed else (None, [])
    headers = ["warpmem_ptx.h", *(["cuda_fp16.h"] if "f16" in all_ptx else []), *(["cuda_bf16.h"] if "bf16" in all_ptx else [])]
    return "".join([*parts, text[begin:]]), headers
