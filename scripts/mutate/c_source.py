# SPDX-License-Identifier: Apache-2.0
"""Mutants of a C file: one operator, constant, condition or statement changed, found in clang's syntax tree."""
import random

from clang import cindex
from warpmem.tools.house import ToolFailed, read

SWAP = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "&",
        "&&": "||", "||": "&&", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
        "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=", "^=": "|=", "<<=": ">>=", ">>=": "<<=", "*=": "+=", "/=": "*="}
KIND = cindex.CursorKind


class CMutant:
    """number: in the order of the file; old to new: what changes at [begin, end)."""

    def __init__(self, path, text, begin, end, new):
        self.file, self.begin, self.end, self.new = path, begin, end, new
        self.line = text.count(b"\n", 0, begin) + 1
        self.old = text[begin:end].decode()
        self.text = text.split(b"\n")[self.line - 1].decode().strip()
        shorter = " ".join(self.old.split())
        self.what = f"{shorter} -> {new or 'nothing'}"
        # A line may hold the same text twice, so the column counts too.
        column = begin - (text.rfind(b"\n", 0, begin) + 1)
        self.id = f"{self.line}.{column}: {self.what}"
        self.set = ""

    def apply(self, text):
        return text[:self.begin] + self.new.encode() + text[self.end:]


def functions(unit, path):
    return [c for c in unit.cursor.get_children()
            if c.kind == KIND.FUNCTION_DECL and c.is_definition() and str(c.location.file) == path]


def candidates(path):
    """All mutants of the functions of a file."""
    unit = cindex.Index.create().parse(path, args=["-std=c11", "-Icmodel", "-D_POSIX_C_SOURCE=200809L"])
    errors = [d.spelling for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
    # Debian's python3-clang knows no folder of clang's own headers, which change nothing in the tree of this file.
    errors = [e for e in errors if "file not found" not in e]
    if errors:
        raise ToolFailed(f"{path}: clang: {errors[0]}")
    text = read(path).encode()
    found = {}

    def add(begin, end, new):
        mutant = CMutant(path, text, begin, end, new)
        if mutant.old != new:
            found.setdefault((begin, end, new), mutant)

    def span(cursor):
        return cursor.extent.start.offset, cursor.extent.end.offset

    def here(cursor):
        """Written in this file, not in a macro: the tokens are where the tree says."""
        begin, end = span(cursor)
        first = next(cursor.get_tokens(), None)
        return first is not None and first.extent.start.offset == begin and begin < end \
            and str(cursor.location.file) == path and text[begin:end].startswith(first.spelling.encode())

    def operator(cursor):
        """The token of an operator with two operands."""
        left, right = list(cursor.get_children())
        for token in cursor.get_tokens():
            if left.extent.end.offset <= token.extent.start.offset < right.extent.start.offset and token.spelling in SWAP:
                begin, end = token.extent.start.offset, token.extent.end.offset
                if text[begin:end].decode() == token.spelling:
                    add(begin, end, SWAP[token.spelling])
                return

    def condition(cursor, loop):
        begin, end = span(cursor)
        inside = text[begin:end].decode()
        add(begin, end, f"!({inside})" if not loop else "0")
        if not loop:
            add(begin, end, "0")
            add(begin, end, "1")

    def visit(cursor, parent):
        children = list(cursor.get_children())
        good = here(cursor)
        if good:
            begin, end = span(cursor)
            if cursor.kind in (KIND.BINARY_OPERATOR, KIND.COMPOUND_ASSIGNMENT_OPERATOR) and len(children) == 2:
                operator(cursor)
            elif cursor.kind == KIND.UNARY_OPERATOR:
                word = text[begin:begin + 2].decode()
                if word in ("++", "--"):
                    add(begin, begin + 2, {"++": "--", "--": "++"}[word])
                elif text[end - 2:end] in (b"++", b"--"):
                    add(end - 2, end, {b"++": "--", b"--": "++"}[text[end - 2:end]])
                elif word[0] in "!~-":
                    add(begin, begin + 1, "")
            elif cursor.kind == KIND.INTEGER_LITERAL and text[begin:end].strip(b"uUlL").isdigit():
                value, suffix = int(text[begin:end].strip(b"uUlL")), "u" if b"u" in text[begin:end] else ""
                add(begin, end, f"{value + 1}{suffix}")
                if value > 1:
                    add(begin, end, f"{value - 1}{suffix}")
                elif value == 1:
                    add(begin, end, f"0{suffix}")
            elif cursor.kind in (KIND.IF_STMT, KIND.CONDITIONAL_OPERATOR):
                condition(children[0], False)
            elif cursor.kind == KIND.WHILE_STMT:
                condition(children[0], True)
            elif cursor.kind == KIND.CONTINUE_STMT:
                add(begin, end, "break")
            if parent.kind == KIND.COMPOUND_STMT and cursor.kind in (
                    KIND.BINARY_OPERATOR, KIND.COMPOUND_ASSIGNMENT_OPERATOR, KIND.CALL_EXPR, KIND.UNARY_OPERATOR):
                add(begin, end, "")
        for child in children:
            visit(child, cursor)

    for function in functions(unit, path):
        for child in function.get_children():
            if child.kind == KIND.COMPOUND_STMT:
                visit(child, function)
    return text, sorted(found.values(), key=lambda m: (m.begin, m.end, m.new))


def mutants(path, wanted, seed, always=()):
    """That many, or all there are: spread over the file, one from each of equal parts of the list. And those of always, as
    (line of source, change)."""
    text, every = candidates(path)
    named = [m for m in every if (m.text, m.what) in always]
    if len(every) > wanted:
        chance = random.Random(seed)
        edges = [len(every) * i // wanted for i in range(wanted + 1)]
        every = [every[chance.randrange(low, high)] for low, high in zip(edges, edges[1:])]
        every += [m for m in named if m not in every]
    for number, mutant in enumerate(every, 1):
        mutant.number = number
    return text, every
