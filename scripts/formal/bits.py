# SPDX-License-Identifier: Apache-2.0
"""An induction on bits, a question for each assertion.

With all assertions and assumptions in DEPTH cycles, and the assumptions in the next, each assertion holds in the next: asked one by
one, these are together what one question for all asks. Of large blocks a SAT solver, which sees bits alone, answers most in a second
where an SMT solver has no answer in minutes; where words are added or compared as a whole it may be the other way. Designs are AIGER
files that Yosys writes: a bad state for each assertion, a constraint for each assumption (Biere, Heljanko, Wieringa: AIGER 1.9 and
beyond, 2011).
"""
import dataclasses

from warpmem.tools.house import ToolFailed

TRUE = 1  # a literal is twice the number of its variable, plus 1 where it is inverted; variable 0 is false


@dataclasses.dataclass
class Aiger:
    """Variables are numbered: inputs, then latches, then gates. latches: (next, value at power-on); gates: (literal, literal)."""
    inputs: int
    latches: list
    bads: list
    constraints: list
    gates: list

    def gate(self, one, other):
        """The literal of both."""
        self.gates.append((one, other))
        return 2 * (self.inputs + len(self.latches) + len(self.gates))


def read_aiger(path):
    with open(path, "rb") as file:
        kind, *numbers = file.readline().split()
        if kind != b"aig" or len(numbers) < 5:
            raise ToolFailed(f"{path}: is no binary AIGER file")
        _, inputs, latches, outputs, gates, bads, constraints, *others = (*map(int, numbers), 0, 0)
        if any(others):
            raise ToolFailed(f"{path}: has properties other than bad states and constraints")

        def literals(count):
            return [[int(word) for word in file.readline().split()] for _ in range(count)]
        registers = [(line[0], line[1] if len(line) > 1 else 0) for line in literals(latches)]
        literals(outputs)
        made = Aiger(inputs, registers, [line[0] for line in literals(bads)], [line[0] for line in literals(constraints)], [])

        def difference():
            value = shift = 0
            while True:
                byte = file.read(1)
                if not byte:
                    raise ToolFailed(f"{path}: ends within its gates")
                value |= (byte[0] & 127) << shift
                shift += 7
                if byte[0] < 128:
                    return value
        for number in range(gates):
            one = 2 * (inputs + latches + number + 1) - difference()
            made.gates.append((one, one - difference()))
    return made


def write_aiger(path, design):
    latches, gates = len(design.latches), len(design.gates)
    numbers = (design.inputs + latches + gates, design.inputs, latches, 0, gates, len(design.bads), len(design.constraints))
    lines = ["aig " + " ".join(map(str, numbers)),
             *(f"{following} {begin}" for following, begin in design.latches), *map(str, design.bads), *map(str, design.constraints)]
    data = bytearray(("\n".join(lines) + "\n").encode())
    for number, pair in enumerate(design.gates):
        own = 2 * (design.inputs + latches + number + 1)
        for value in (own - max(pair), max(pair) - min(pair)):
            while value > 127:
                data.append(value & 127 | 128)
                value >>= 7
            data.append(value)
    with open(path, "wb") as file:
        file.write(data)


def count_cycles(design, cycles):
    """(the design with a register a cycle more, the literal that is true from cycle CYCLES on)."""
    old = design.inputs + len(design.latches)

    def moved(literal):
        return literal if literal // 2 <= old else literal + 2 * cycles
    counting = [2 * (old + number) for number in range(1, cycles + 1)]
    made = Aiger(design.inputs, [*((moved(following), begin) for following, begin in design.latches),
                                 *((before, 0) for before in (TRUE, *counting[:-1]))],
                 [moved(bad) for bad in design.bads], [moved(constraint) for constraint in design.constraints],
                 [(moved(one), moved(other)) for one, other in design.gates])
    return made, counting[-1]


def write_step(source, path, depth):
    """From a design whose registers begin as they like, that of the step: bad states count in cycle DEPTH alone, and none was before.
    The last bad state is to get there at all: its number."""
    made, late = count_cycles(read_aiger(source), depth)
    good = TRUE
    for bad in made.bads:
        good = made.gate(good, bad ^ 1)
    made.constraints.append(made.gate(late ^ 1, good ^ 1) ^ 1)
    made.bads = [*(made.gate(late, bad) for bad in made.bads), late]
    write_aiger(path, made)
    return len(made.bads) - 1


def write_run(source, path, cycles):
    """The design with one bad state: to get to cycle CYCLES within the assumptions."""
    made, late = count_cycles(read_aiger(source), cycles)
    made.bads = [late]
    write_aiger(path, made)
