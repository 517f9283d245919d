# SPDX-License-Identifier: Apache-2.0
"""Proof that a mutant is equal although some of its registers are not: by an induction that finds its own conditions.

The claim is first that every register bit equals the original's from the reset on. Where that is not so, the bit may still
be equal whenever another register bit has a certain value: what is left of a request in an empty place may be anything
while the place is not taken. So each such bit is claimed under every condition of that kind. A claim that fails after
power-on, or after one cycle before which all held, is taken back, until none fails: what is left holds for all time
(Flanagan and Leino, FME 2001). It is a proof if every output then equals the original's whenever it counts, and the memories
are used alike; otherwise it says nothing.
"""
import contextlib
import os
import re
import signal
import subprocess

from mutate.prove import BEGINNING, PREPARE
from mutate.tools import yosys
from warpmem.tools.house import ToolFailed, read, write_whole

SECONDS = 300     # of the solver's processor time, for one mutant
MOST_UNLIKE = 32  # register bits that may differ; with more the mutant is another machine


class NoAnswer(Exception):
    """The solver used up its time."""


class Cycles:
    """A solver that knows a design's first cycles, from what Yosys writes about it as SMT.

    Yosys writes functions of a state. Here every cycle has constants of its own, |name@cycle|: to put functions into each
    other takes z3 minutes.
    """

    def __init__(self, design, cycles):
        statements = [s.strip() for s in re.split(r"\n(?=\()", re.sub(r";.*", "", read(design)))]
        sort = [s for s in statements if s.startswith("(define-sort ")]
        functions = [s for s in statements if s.startswith("(define-fun ")]
        of_two = [s for s in functions if "(next_state |" in s]
        if len(sort) != 1 or len(of_two) != 1 or any(s.startswith("(d") for s in set(statements) - set(sort + functions)):
            raise ToolFailed(f"{design}: not what Yosys writes of a design without memories")
        text = ["(set-option :error-behavior immediate-exit) (set-option :produce-models true) (set-logic QF_BV)", *sort]
        text += [f"(declare-const state@{cycle} |twin_s|)" for cycle in range(cycles)]
        text += [self.at(cycle, s) for cycle in range(cycles) for s in functions if s not in of_two]
        text += [self.at(cycle, s) for cycle in range(cycles - 1) for s in of_two]
        # A second limit above the first: what goes over the first is told by its signal.
        self.solver = subprocess.Popen(["prlimit", f"--cpu={SECONDS}:{SECONDS + 10}", "--", "z3", "-smt2", "-in"], text=True,
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            self.tell(*text)
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.solver.kill()
        self.solver.communicate()

    @staticmethod
    def at(cycle, statement):
        """A function as the constant that it is in a cycle."""
        statement = re.sub(r"^\(define-fun \|([^|]+)\| \(.*?\)\) ", rf"(define-fun |\1@{cycle}| () ", statement)
        for name, number in (("state", cycle), ("next_state", cycle + 1)):
            statement = re.sub(rf"\(\|([^|]+)\| {name}\)", rf"|\1@{number}|", statement)
            statement = re.sub(rf" {name}\)", f" state@{number})", statement)
        return statement

    def ended(self):
        """The solver says no more: why?"""
        said, code = self.solver.stdout.read(), self.solver.wait()
        if code == -signal.SIGXCPU:
            raise NoAnswer
        raise ToolFailed(f"z3: exit code {code}: {said.strip()[:200]}")

    def tell(self, *lines):
        try:
            self.solver.stdin.write("\n".join(lines) + "\n")
            self.solver.stdin.flush()
        except BrokenPipeError:
            self.ended()

    def ask(self, question):
        self.tell(question)
        said = ""
        while not said or said.count("(") > said.count(")"):
            line = self.solver.stdout.readline()
            if line.startswith("(error"):
                raise ToolFailed(f"z3: {line.strip()}")
            if not line:
                self.ended()
            said += line.strip() + " "
        return said.strip()

    @contextlib.contextmanager
    def supposing(self, *facts):
        """Questions inside are about what these allow."""
        self.tell("(push 1)", *(f"(assert {fact})" for fact in facts))
        yield
        self.tell("(pop 1)")

    def possible(self):
        """Can all the assumptions hold at once?"""
        said = self.ask("(check-sat)")
        if said not in ("sat", "unsat"):
            raise NoAnswer
        return said == "sat"

    def value(self, name, cycle):
        """Of a wire in what possible() found, as a number: bit i is bit i of the wire."""
        found = re.search(r"#([bx])([0-9a-f]+)\)\)$", self.ask(f"(get-value (|twin_n {name}@{cycle}|))"))
        return int(found[2], {"b": 2, "x": 16}[found[1]])


class Claims:
    """The register bits that are equal, and those that are equal under conditions."""

    def __init__(self, bits):
        self.bits = bits
        self.all = (1 << bits) - 1
        self.alike = self.all
        self.unlike = {}  # bit: masks of bits of the original; the bit is equal while one of the first is 0, or of the second 1

    def constant(self, mask):
        return f"#b{mask:0{self.bits}b}"

    def hold(self, cycle):
        """As a formula."""
        same, original = f"|twin_n same@{cycle}|", f"|twin_n original@{cycle}|"
        every = self.constant(self.all)
        claims = [f"(= (bvor {same} {self.constant(self.all & ~self.alike)}) {every})"]
        for bit, (zeros, ones) in self.unlike.items():
            no_condition = (f"(and (= (bvand {original} {self.constant(ones)}) {self.constant(0)}) "
                            f"(= (bvor {original} {self.constant(self.all & ~zeros)}) {every}))")
            claims.append(f"(or (= ((_ extract {bit} {bit}) {same}) #b1) {no_condition})")
        return f"(and true {' '.join(claims)})"

    def take_back(self, same, original):
        """The claims that fail with these values. Claims only get weaker, so those that held at power-on still do."""
        differ = self.all & ~same
        for bit in [b for b in range(self.bits) if differ >> b & 1]:
            zeros, ones = self.unlike.get(bit, (self.all & ~(1 << bit),) * 2)
            self.unlike[bit] = zeros & original, ones & ~original
        self.alike &= same


def written(prover, mutant):
    """Design of both copies, with what claims are about as wires; the width of these."""
    path = os.path.join(prover.folder, f"{mutant.number}-guarded")
    twin, end = read(prover.twin[0]).rsplit("endmodule", 1)
    # In the order of same_state, whose highest bit is always 1. Two bits more: a wire of one bit is no vector in SMT.
    bits = re.findall(r"(\\props\.dut\.\S+ \[\d+\]) == ", re.search(r"^.* same_state = .*$", twin, re.M)[0])
    wide = len(bits) + 2
    write_whole(path + ".v", f"""{twin}
(* keep *) wire [{wide - 1}:0] original = {{{', '.join(["2'b00", *bits])}}};
(* keep *) wire [{wide - 1}:0] same = {{1'b1, same_state}};
(* keep *) wire after_reset = begun;
endmodule{end}""")
    script = prover.design(mutant, False).replace(prover.twin[0], path + ".v")
    yosys(f"{script}{PREPARE}write_smt2 -stbv -wires {path}.smt2\n", path + ".ys")
    return path + ".smt2", wide


def equal(prover, mutant):
    """(True, method) or (None, why not), as Prover.equal()."""
    if prover.twin is None:
        prover.make_twin()
    if prover.twin[1] or prover.memory:
        return None, "state without names"
    design, wide = written(prover, mutant)
    try:
        with Cycles(design, BEGINNING) as cycles:
            return by_conditions(cycles, Claims(wide))
    except NoAnswer:
        return None, f"no answer in {SECONDS} s"


def by_conditions(cycles, claims):
    """The induction."""
    begins, goes_on = "|twin_i@0|", "(and |twin_n after_reset@0| |twin_a@0|)"
    cycles.tell("(assert (and |twin_h@0| |twin_u@0| |twin_h@1| |twin_u@1| |twin_t@0|))")
    with cycles.supposing(begins, *(f"(and |twin_h@{c}| |twin_u@{c}| |twin_t@{c - 1}|)" for c in range(2, BEGINNING))):
        if not cycles.possible():
            return None, f"no proof within {BEGINNING} cycles"
    for first in (begins, goes_on):
        while True:
            # In the step the claims and the outputs' equality hold before, and all assumptions in both cycles.
            before = claims.hold(0) if first is goes_on else "true"
            with cycles.supposing(first, before, f"(not {claims.hold(1)})"):
                if not cycles.possible():
                    break
                claims.take_back(cycles.value("same", 1), cycles.value("original", 1))
            if len(claims.unlike) > MOST_UNLIKE:
                return None, f"over {MOST_UNLIKE} register bits differ"
        with cycles.supposing(first, before, claims.hold(1), "(not (and |twin_a@0| |twin_a@1|))"):
            if cycles.possible():
                return None, "no proof by conditions"
    return True, f"step, {len(claims.unlike)} register bits under conditions"
