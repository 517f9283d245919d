# SPDX-License-Identifier: Apache-2.0
"""Mutants that lockstep does not find: refuted by the block's properties, or proven equal to the original.

Equal means: two copies of the block in the surroundings that its properties assume, the same inputs and the same state at
power-on, and from the reset on every output equal in every cycle in which it counts (the port list says when). The first
cycles are looked at in any case, also for whether the two copies can begin alike at all: without that, all would hold. Ways:
  step  for all time: equal registers stay equal and give equal outputs, in one SMT query about one cycle
  pdr   for all time: property directed reachability (ABC), for mutants whose registers differ where nobody sees it; in
        blocks that stand on a small memory a second time with all of its words. First all signals that are equal by
        induction become one (scorr), which leaves of the second copy what is behind the change
Both rely on the block's own assertions where tb/PLACE/BLOCK.tests has a proof for all time of the very same parameter set.
Memories are what wm_sram_1r1w promises, with the same choices in both copies. That is fair only while both use their
memory alike: step shows it, for equal registers include the word that is looked at; pdr has to show it as well.
An x in either copy is any value, in each of them another.
"""
import json
import os
import re
import subprocess

from mutate.netlist import full
from mutate.tools import yosys
from warpmem.tools.block_tests import lines_of
from warpmem.tools.house import ToolFailed, command, read, write_whole

# A solver's seconds are those of one question, of which there is one a cycle; the first without an answer ends it.
BOUND = 14          # cycles from power-on, as `make formal-mutants`
BOUND_SECONDS = 30
BEGINNING = 3
STEP_SECONDS = 60
MEMORY_BITS = 4096  # of a block that is a memory itself: its words are registers then, each with a name
WHOLE_BITS = 1024   # of registers and all words; with more pdr has no answer in its time, and Yosys needs minutes before it
PDR_SECONDS = 60
# Undefined at power-on is any value. With all its freedom (without keepdc) opt would choose one, another in each copy.
PREPARE = """setundef -anyseq; opt -keepdc; memory -nordff -nomap; opt -keepdc; setundef -undriven -anyseq
async2sync; dffunmap; opt_clean
"""


def listed_proofs(name):
    """The words of each line of a block's list: set, method, depth, when, and mutate where its netlist is mutated."""
    return [line.split() for _, line in lines_of(name, "proofs")]


def mutated_sets(name):
    """Small ones, so that queues fill and wrap within the cycles of a run, and together every branch that a parameter
    chooses. They need a proof for all time: its assertions are what an equivalence may rely on."""
    return [words[0] for words in listed_proofs(name) if words[4:] == ["mutate"]]


def proven_for_all_time(block, label):
    """Does the block's list have such a proof of this set?"""
    return any(words[0] == label and words[1] in ("induction", "pdr") for words in listed_proofs(block.name))


def solve(words, seconds):
    """The output of a prover. seconds: of processor time for each of its processes, so that a busy computer changes nothing."""
    done = subprocess.run(["prlimit", f"--cpu={seconds}", "--", *words], text=True, capture_output=True, check=False,
                          stdin=subprocess.DEVNULL)
    return done.stdout + done.stderr


def smt(design, seconds, *options):
    """True: it holds. False: the text has a counterexample. None: no answer."""
    said = solve(["yosys-smtbmc", "-s", "z3", "--unroll", "--noprogress", "--noincr", *options, design], seconds)
    if re.search(r"Status: passed", said, re.I):
        return True, said
    if re.search(r"Status: failed", said, re.I):
        return False, said
    if re.search(r"Status: preunsat", said, re.I):
        return None, said
    if re.search(r"EOF|BrokenPipe|Broken pipe", said):
        return None, said  # the solver used up its time
    raise ToolFailed(f"yosys-smtbmc {design}: {said.strip().splitlines()[-1:]}")


def instance_of(cell):
    """The prefix of a flattened cell's name, given by its instance: g_lane[0].counters. or nothing."""
    place = cell.replace("$flatten", "").replace("\\", "")
    return place[:place.rfind(".$") + 1]


def instance_of_name(name, net):
    """The same of a wire with this name: what flatten put before the last of the names that it joined."""
    own = net["attributes"].get("hdlname", name).split(" ")[-1]
    return name[:-len(own)] if name.endswith(own) else name


class Prover:
    """Of one parameter set. whole: with the memory's words instead of its promise, and without the block's assertions, which
    are written about the promise."""

    def __init__(self, block, label, whole=False):
        self.block, self.label = block, label
        self.twin = None
        self.folder = block.path(label, "whole" if whole else "proofs")
        os.makedirs(self.folder, exist_ok=True)
        abstract = read(block.path(label, "abstract.il"))
        # Assertions that are not proven for all time with this set are not used.
        self.rely = "-assert2assume" if proven_for_all_time(block, label) and not whole else "-assert -remove"
        module = abstract.split("module \\wm_dut\n", 1)[1].split("\nend\n", 1)[0]
        words = sum(int(wide) * int(many) for wide, many in re.findall(r"^  memory width (\d+) size (\d+)", module, re.M))
        self.memory = words > MEMORY_BITS
        self.name_words = "memory -nordff wm_dut wm_gate\n" if words and not self.memory else ""
        self.begin = f"read_rtlil {full(block.path(label, 'abstract.il'))}\n"
        self.whole = None
        self.unknown = " w:*watch* %d" if whole else ""  # names of the promise, which the properties look at
        if whole:
            # The words become registers with names, so that they too begin alike in both copies.
            self.begin = (f"read_rtlil {full(block.elaborate(label, False))}\ndelete wm_dut\n"
                          f"read_rtlil {full(block.path(label, 'dut.il'))}\nmemory -nordff *wm_sram_1r1w*\n")
        elif "sram_1r1w_formal.v" in abstract:
            self.whole = Prover(block, label, True)

    def start(self):
        return self.begin

    def reach(self, mutant, seconds=PDR_SECONDS):
        """equal() by pdr, with the memory's words where its promise does not decide."""
        same, how = self.equal(mutant, False, seconds)
        if self.whole and self.whole.twin is None:
            self.whole.make_twin()
        if not same and self.whole and len(self.whole.twin[2]) <= WHOLE_BITS:
            same, how = self.whole.equal(mutant, False, seconds)
            how = "pdr, all words" if same else how
        return same, how

    def refute(self, mutant, cycles=BOUND):
        """The name of an assertion that fails within some cycles of power-on, or None. mutant: or None, the original."""
        top = f"{self.block.short}_props"
        design = os.path.join(self.folder, f"{mutant.number if mutant else 0}-props.smt2")
        yosys(f"""{self.start()}{mutant.command('wm_dut', False) if mutant else ''}
hierarchy -check -top {top}
flatten
{PREPARE}write_smt2 -wires {design}
""", design + ".ys")
        holds, said = smt(design, BOUND_SECONDS, "-t", str(cycles))
        if holds is False:
            found = re.search(r"Assert failed in \S+: (\S+)", said)
            return (found.group(1) if found else "an assertion"), ""
        return None

    def registers(self):
        """Bits of the block's state, as (name, bit) of wires that the source names, each with its cell and port bit."""
        made = os.path.join(self.folder, "flat.json")
        yosys(f"{self.start()}{self.name_words.replace(' wm_gate', '')}hierarchy -check -top wm_dut\nflatten; opt_clean\n"
              f"memory -nomap\nwrite_json {made}\n", made + ".ys")
        module = json.loads(read(made))["modules"]["wm_dut"]
        names = {}
        for name, net in module["netnames"].items():
            for index, bit in enumerate(net["bits"]):
                if not net["hide_name"]:
                    names.setdefault(bit, []).append((instance_of_name(name, net), (name, index + net.get("offset", 0))))
        bits, nameless, chosen, accesses = {}, 0, [], []
        for cell_name, cell in module["cells"].items():
            if "dff" in cell["type"]:
                own = instance_of(cell_name)
                for index, bit in enumerate(cell["connections"]["Q"]):
                    # By a name of its own instance, as a mutant may change what this one is connected to.
                    fitting = [n for instance, n in names.get(bit, ()) if instance == own]
                    if fitting:
                        bits[min(fitting, key=lambda n: (not n[0].endswith("_q"), len(n[0]), n))] = f"{cell_name} {index}"
                    nameless += not fitting
        # Free choices of the memory's promise: the same in both copies, in every cycle.
        for name, net in module["netnames"].items():
            of_memory = "sram_1r1w_formal" in str(net["attributes"].get("src", ""))
            last = name.split(".")[-1]
            if of_memory and last in ("watch_addr", "anything"):
                chosen.append(name)
            if of_memory and last in ("wr_en_i", "rd_en_i"):
                accesses.append((name, ""))
            if of_memory and last in ("wr_addr_i", "wr_data_i", "rd_addr_i"):
                accesses.append((name, name[:-len(last)] + last[:3] + "en_i"))
        if len(accesses) * 2 != len(chosen) * 5:
            raise ToolFailed(f"{self.block.name} {self.label}: a memory whose ports have no names")
        return bits, chosen, accesses, nameless > 0, module

    def make_twin(self):
        """Verilog of the two copies, and whether all of their state has names."""
        bits, chosen, accesses, nameless, module = self.registers()
        props = self.block.path(self.label, "props.json")
        yosys(f"{self.start()}hierarchy -check -top {self.block.short}_props\nwrite_json {props}\n", props + ".ys")
        ports = {name: len(p["bits"]) for name, p in module["ports"].items()}
        inputs = [name for name in ports if name.endswith("_i")]
        outputs = [name for name in ports if name.endswith("_o")]
        offers = json.loads(read(props))["modules"][f"{self.block.short}_props"]["ports"]
        lines, names = [], {}

        def vector(name):
            return f"[{ports[name] - 1}:0]"

        def inner(copy, name):
            """A wire inside one of the copies, by Yosys' hierarchical connection."""
            wide = len(module["netnames"][name]["bits"]) + module["netnames"][name].get("offset", 0)
            names[f"{copy}.{name}"] = wide
            return f"\\{copy}.{name} "

        for name in inputs:
            lines.append(f"wire {vector(name)} {name};")
        for name in outputs:
            lines.append(f"wire {vector(name)} {name}; wire {vector(name)} m_{name};")
        wires = [f".{n}({n})" for n in inputs]
        lines.append(f"{self.block.short}_props props ({', '.join(w for w in wires if w[1:].split('(')[0] in offers)});")
        lines.append(f"wm_gate gate ({', '.join(wires + [f'.{n}(m_{n})' for n in outputs])});")
        state = [f"{inner('props.dut', n)}[{i}] == {inner('gate', n)}[{i}]" for n, i in bits]
        same = " && ".join(f"{inner('props.dut', n)} == {inner('gate', n)}" for n in chosen) or "1'b1"
        alike = []
        for name, when in accesses:
            unused = f"!{inner('props.dut', when)} || " if when else ""
            alike.append(f"assert ({unused}{inner('props.dut', name)} == {inner('gate', name)});")
        for name in outputs:
            lines.append(f"assign {name} = {inner('props.dut', name)};")
        checks = [f"assert ({self.counts(name, outputs)});" for name in outputs]
        head = [f"(* hierconn *) wire [{wide - 1}:0] \\{name} ;" for name, wide in names.items()]
        clock = "props.clk_i" if "clk_i" in ports else None
        missing = [n for n in inputs if n not in offers]
        if missing:
            raise ToolFailed(f"{self.block.properties[0]}: no input {', '.join(missing)}")
        inputs_text = ", ".join(f"input wire {vector(n)} {n}" for n in inputs)
        body = "\n".join(line for line in lines if not re.match(r"wire \S+ \w+_i;", line))
        begun = ("reg begun = 1'b0;\nalways @(posedge clk_i) begun <= 1'b1;\n" if clock else "wire begun = 1'b1;\n")
        text = f"""module twin ({inputs_text});
{chr(10).join(head)}
{body}
{begun}wire [{len(state)}:0] same_state = {{1'b1{''.join(', ' + bit for bit in reversed(state))}}};
// Registers that the mutant does not hide behind its change.
localparam [{len(state)}:0] ALIKE = `ALIKE;
always @* begin
    assume ({same});
    if (!begun) assume (&(same_state | ~ALIKE));
    if (begun) begin
        {chr(10).join(checks)}
    end
`ifdef STEP
    if (begun) assert (&same_state);
`else
    {chr(10).join(alike)}
`endif
end
endmodule
"""
        path = os.path.join(self.folder, "twin.v")
        write_whole(path, text)
        self.twin = path, nameless, list(bits.values())

    def counts(self, name, outputs):
        """Verilog: these outputs are equal, where lockstep compares them: always, unless the list names an output for it.

        A list of several elements is compared as a whole as soon as one of them is valid.
        """
        guard = self.block.conditions.get(name, "") + "_o"
        return f"!(|{guard}) || {name} == m_{name}" if guard in outputs else f"{name} == m_{name}"

    @staticmethod
    def hides(mutant, cell):
        """Is the wire with this register's name another thing in the mutant? Then it begins as it likes: to begin alike would
        say something about the original. So with a register's own output."""
        return mutant.port == "Q" and cell == f"{mutant.cell} {mutant.bit}"

    def design(self, mutant, step):
        """Script that ends with both copies in one module."""
        alike = "".join("10"[self.hides(mutant, cell)] for cell in reversed(self.twin[2]))
        return f"""{self.start()}copy wm_dut wm_gate
{mutant.command('wm_gate', False)}
{self.name_words}chformal {self.rely} *_props*
chformal -cover -remove
read_verilog -formal{' -DSTEP' if step else ''} -DALIKE={len(alike) + 1}'b1{alike} {self.twin[0]}
hierarchy -check -top twin
proc; flatten
select -assert-none w:* a:hierconn %i{self.unknown}
"""

    def equal(self, mutant, step, seconds=PDR_SECONDS):
        """(True, method), (False, where they differ) or (None, why not). seconds: for pdr."""
        path = os.path.join(self.folder, f"{mutant.number}-{'step' if step else 'pdr'}")
        if self.twin is None:
            self.make_twin()
        if step and self.twin[1]:
            return None, "state without names"
        script = self.design(mutant, step)
        yosys(f"{script}{PREPARE}write_smt2 -wires {path}.smt2\n", path + ".ys")
        # Words of a memory inside the block have no names: they begin as they like in both copies.
        outputs = not step and not self.memory
        # Where a register may begin otherwise than in the original, that alone may be the difference.
        differ = "may differ" if any(self.hides(mutant, cell) for cell in self.twin[2]) else "differ"
        begins, said = smt(path + ".smt2", STEP_SECONDS, "--presat", "-t", str(BEGINNING))
        if not begins:
            found = begins is False and outputs
            return (False if found else None), f"{f'outputs {differ}' if found else 'no proof'} within {BEGINNING} cycles"
        if step:
            holds, said = smt(path + ".smt2", STEP_SECONDS, "-i", "-t", "1")
            return (True, "step") if holds else (None, "no induction" if holds is False else "no answer")
        yosys(f"""{script}setundef -anyseq; opt -keepdc; memory; opt -keepdc; setundef -undriven -anyseq
async2sync; dffunmap; simplemap; techmap; opt -fast -keepdc; dffunmap; abc -g AND -fast; opt_clean
write_aiger -I -B -zinit {path}.aig
""", path + ".ys")
        # The sweep may fail, or take all of its time: then without it.
        swept = f"{path}-swept.aig"
        write_whole(swept, "")
        solve(["yosys-abc", "-c", f"read_aiger {path}.aig; scorr -c; fold; scorr; write_aiger {swept}"], seconds)
        begin = f"read_aiger {swept}" if os.path.getsize(swept) else f"read_aiger {path}.aig; fold"
        said = solve(["yosys-abc", "-c", f"{begin}; pdr"], seconds)
        if re.search(r"^Property proved", said, re.M):
            return True, "pdr"
        found = re.search(r"was asserted in frame (\d+)", said)
        if found:
            return (False, f"outputs {differ} in cycle {found.group(1)}") if outputs else (None, "no proof")
        return None, f"no answer in {seconds} s"


def conditions(block):
    """Output: the output whose value says when it counts."""
    prefix = block.short.upper()
    source = f'#include "{block.name}_ports.h"\n#define X(kind, ...) X_##kind(__VA_ARGS__)\n'
    for kind in ("IN", "IN_LATE", "IN_WIDE", "IN_VEC"):
        source += f"#define X_{kind}(...)\n"
    source += ("#define X_OUT(type, name, bits, when, text) @ name, when\n"
               "#define X_OUT_WIDE(words, name, bits, when, text) @ name, when\n"
               f"#define X_OUT_VEC(type, max, name, count, bits, when, text) @ name, when\n@@ {prefix}_PORTS(X)\n")
    path = block.path("ports.i.c")
    write_whole(path, source)
    text = command(["gcc", "-E", "-P", "-Icmodel", path]).split("@@", 1)[1]
    found = re.findall(r"@ (\w+), o->(\w+)(?=\s*(?:@|$))", " ".join(text.split()))
    return {name + "_o": when for name, when in found}
