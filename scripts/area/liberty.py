# SPDX-License-Identifier: Apache-2.0
"""A standard-cell library: the few facts of its Liberty file that area and timing need."""
import dataclasses
import re

from warpmem.tools.house import BadInput


@dataclasses.dataclass
class Cell:
    """area: in the library's unit, um2 in all that we know. kind: "flip-flop", "latch", "" for logic.
    buffers: its output pin follows its one input pin, uninverted."""
    name: str
    area: float
    kind: str
    buffers: bool
    input_capacitance: float


class Library:
    """path, name, cells by name; its revision; and process, voltage and temperature as one text."""

    def __init__(self, path, variable="LIBERTY"):
        try:
            with open(path, encoding="latin-1") as file:
                text = file.read()
        except OSError as error:
            raise BadInput(f"{variable}={path}: {error.strerror}; must be a Liberty file (.lib)") from None
        self.path, self.variable = path, variable
        match = re.search(r"\blibrary\s*\(\s*\"?([\w.-]+)", text)
        if not match:
            raise BadInput(f"{variable}={path}: has no library (NAME) group; must be a Liberty file (.lib)")
        self.name = match.group(1)
        said = re.search(r"\brevision\s*:\s*\"?(?:revision\s*)?([^\";]+)", text)
        self.revision = said.group(1).strip() if said else ""
        self.conditions = (f"process {_number(text, 'nom_process'):g}, {_number(text, 'nom_voltage'):g} V, "
                           f"{_number(text, 'nom_temperature'):g} C")
        self.cells = {cell.name: cell for cell in map(_cell, _groups(text, "cell"))}
        if not any(cell.kind == "flip-flop" for cell in self.cells.values()):
            raise BadInput(f"{variable}={path}: has {len(self.cells)} cells and no flip-flop among them")

    def driver(self):
        """The buffer that stands for the driver of an input of the block: the second smallest, else the only."""
        buffers = sorted((c for c in self.cells.values() if c.buffers), key=lambda c: (c.area, c.name))
        if not buffers:
            raise BadInput(f"{self.variable}={self.path}: has no buffer cell, which must drive the block's inputs")
        return buffers[min(1, len(buffers) - 1)]


def _groups(text, kind):
    """(name, body) of each group of that kind, with all groups nested in it."""
    for match in re.finditer(r"\b%s\s*\(\s*\"?([\w.$\[\]-]+)\"?\s*\)\s*\{" % kind, text):
        depth, at = 1, match.end()
        while depth and at < len(text):
            brace = re.compile(r"[{}]").search(text, at)
            if not brace:
                break
            depth += 1 if brace.group() == "{" else -1
            at = brace.end()
        yield match.group(1), text[match.end():at - 1]


def _number(body, key):
    match = re.search(r"\b%s\s*:\s*\"?([-+\d.eE]+)" % key, body)
    return float(match.group(1)) if match else 0.0


def _cell(group):
    name, body = group
    kind = ("flip-flop" if re.search(r"\bff(_bank)?\s*\(", body) else
            "latch" if re.search(r"\blatch(_bank)?\s*\(", body) else "")
    inputs, functions, capacitance = [], [], 0.0
    for pin, pin_body in _groups(body, "pin"):
        direction = re.search(r"\bdirection\s*:\s*\"?(\w+)", pin_body)
        if direction and direction.group(1) == "input":
            inputs.append(pin)
            capacitance = max(capacitance, _number(pin_body, "capacitance"))
        function = re.search(r"\bfunction\s*:\s*\"([^\"]*)\"", pin_body)
        if function and not re.search(r"\bthree_state\s*:", pin_body):
            functions.append(function.group(1).strip(" ()"))
    return Cell(name, _number(body, "area"), kind, not kind and len(inputs) == 1 and functions == inputs, capacitance)
