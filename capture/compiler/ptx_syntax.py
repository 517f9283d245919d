# SPDX-License-Identifier: Apache-2.0
"""Inline PTX as text: its tokens, and its statements with their registers, labels and operands."""
import dataclasses
import re

TOKEN = re.compile(r"""\s*(?:(?P<operand>\x01\d+\x01)|(?P<bits>0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16})
    |(?P<real>\d+\.\d*(?:[eE][+-]?\d+)?)|(?P<number>0[xX][0-9a-fA-F]+U?|0[bB][01]+U?|\d+U?)
    |(?P<name>[%$_A-Za-z][\w$]*(?:\.\w+(?:::\w+)*)*)|(?P<directive>\.\w+)|(?P<text>"[^"]*")|(?P<mark>[{}\[\](),;:@!|+\-<>*~]))""", re.VERBOSE)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
# C++'s types of registers: all are words, whatever an instruction takes them for.
REGISTER_TYPES = {"pred": "bool", "8": "unsigned char", "16": "unsigned short", "32": "unsigned", "64": "unsigned long long"}


class Unknown(Exception):
    """Inline PTX that is not translated: its text names what."""


def register_type(kind):
    """@kind: of a .reg, such as b32, f64 or pred."""
    width = {"pred": "pred", "f16x2": "32", "bf16x2": "32", "bf16": "16"}.get(kind, kind.lstrip("busf"))
    if width not in REGISTER_TYPES:
        raise Unknown(f"a register of type .{kind}")
    return REGISTER_TYPES[width]


@dataclasses.dataclass
class Arg:
    """An operand of an instruction. kind: register (text is C++'s name), special (text), number, bits, real, address (parts: base;
    text: offset), vector (parts), pair (parts: two results), none (the sink _)."""
    kind: str
    text: str = ""
    parts: tuple = ()
    sign: str = ""  # a minus, or the ! of a predicate
    part: str = ""  # of a register: .b1, .h0


@dataclasses.dataclass
class Instruction:
    name: str
    args: list
    guard: Arg = None

    def __post_init__(self):
        self.root, *self.words = self.name.split(".")


def tokens_of(text):
    text, found, at = COMMENT.sub(" ", text).rstrip(), [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise Unknown(f"'{text[at:at + 20].strip()}'")
        found.append((match.lastgroup, match.group(match.lastgroup)))
        at = match.end()
    return found


class Parser:
    """statements: Instruction, or a label as a text. declared: {C++'s name: C++'s type} of the registers."""

    def __init__(self, text, operands, known):
        """@operands: C++'s names of the statement's, by number. @known: what instructions begin with."""
        self.tokens, self.at, self.operands, self.known = tokens_of(text), 0, operands, known
        self.scopes, self.declared, self.labels, self.statements = [{}], {}, {}, []
        while self.at < len(self.tokens):
            self.parse_statement()

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead][1] if self.at + ahead < len(self.tokens) else ""

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else ("end", "")

    def expect(self, mark):
        if self.next()[1] != mark:
            raise Unknown(f"PTX without a '{mark}'")

    def parse_statement(self):
        kind, text = self.next()
        if text == "{":
            self.scopes.append({})
        elif text == "}":
            if len(self.scopes) == 1:
                raise Unknown("PTX with a '}' too many")
            self.scopes.pop()
        elif text == ".reg":
            self.parse_registers()
        elif text == ".pragma":
            while self.next()[1] not in (";", ""):
                pass
        elif kind == "name" and self.peek() == ":":
            self.at += 1
            self.statements.append(self.label(text))
        elif text == "@":
            sign = "!" if self.peek() == "!" else ""
            self.at += bool(sign)
            guard = self.register(self.next()[1])
            self.parse_instruction(self.next(), dataclasses.replace(guard, sign=sign))
        elif text != ";":
            self.parse_instruction((kind, text), None)

    def label(self, name):
        return self.labels.setdefault(name, f"wm_label{len(self.labels)}")

    def parse_registers(self):
        kind = self.next()[1].lstrip(".")
        if self.peek().startswith(".v"):
            raise Unknown("a register of a vector")
        while True:
            name = self.next()[1]
            names = [name]
            if self.peek() == "<":
                self.at += 1
                names = [f"{name}{i}" for i in range(int(self.next()[1]))]
                self.expect(">")
            for each in names:
                own = f"wm_r{len(self.declared)}"
                self.scopes[-1][each] = own
                self.declared[own] = register_type(kind)
            if self.next()[1] != ",":
                return

    def parse_instruction(self, token, guard):
        kind, name = token
        if kind != "name" or name.split(".")[0] not in self.known:
            raise Unknown(f"'{name}'")
        args = []
        while self.peek() not in (";", ""):
            args.append(self.label(self.next()[1]) if name.split(".")[0] == "bra" else self.parse_arg())
            if self.peek() == ",":
                self.at += 1
            elif self.peek() not in (";", ""):
                raise Unknown(f"'{name}' with '{self.peek()}'")
        self.at += 1
        self.statements.append(Instruction(name, args, guard))

    def register(self, name):
        if name.startswith("\x01"):
            number = int(name.strip("\x01"))
            if number >= len(self.operands):
                raise Unknown(f"operand %{number}, which is not there")
            return Arg("register", self.operands[number])
        for scope in reversed(self.scopes):
            if name in scope:
                return Arg("register", scope[name])
        name, _, part = name.partition(".")
        if part and self.register(name).kind == "register":
            return dataclasses.replace(self.register(name), part=part)
        return Arg("special", name + ("." + part if part else ""))

    def parse_arg(self):
        kind, text = self.next()
        if text in ("-", "!"):
            return dataclasses.replace(self.parse_arg(), sign=text)
        if text == "[":
            return self.parse_address()
        if text in ("{", "("):
            parts = []
            while self.peek() not in ("}", ")", ""):
                parts.append(self.parse_arg())
                self.at += self.peek() == ","
            self.at += 1
            return Arg("vector", parts=tuple(parts))
        if text == "_":
            return Arg("none")
        if kind in ("operand", "name"):
            one = self.register(text)
            if kind == "operand" and self.peek().startswith("."):
                one = dataclasses.replace(one, part=self.next()[1][1:])
            if self.peek() == "|":
                self.at += 1
                return Arg("pair", parts=(one, self.parse_arg()))
            return one
        if kind in ("number", "bits", "real"):
            return Arg(kind, text.rstrip("U") if kind == "number" else text)
        raise Unknown(f"'{text}'")

    def parse_address(self):
        base, offset = self.parse_arg(), []
        while self.peek() not in ("]", ""):
            sign = self.next()[1]
            if sign not in "+-":
                raise Unknown(f"an address with '{sign}'")
            part = self.parse_arg()
            offset.append((sign, part))
        self.at += 1
        return Arg("address", parts=(base, *offset))
