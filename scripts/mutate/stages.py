# SPDX-License-Identifier: Apache-2.0
"""Takes all mutants of a block through the stages that could kill them, cheapest first."""
import collections
import dataclasses
import os
import re
import types

from mutate import c_source, guarded
from mutate.c_program import CProgram, equivalents
from mutate.prove import BOUND, Prover, conditions, listed_proofs
from mutate.simulate import Simulation, build, dependencies, make
from mutate.store import Store, clocks
from mutate.tools import tool_files, versions
from warpmem.tools.house import ToolFailed, hash_files, hash_of
from warpmem.tools.work import Progress, in_parallel

# Classes of a mutant, in the order of the report.
LOCKSTEP, UNIT, PROOF, EQUIVALENT, BY_HAND, SURVIVED = "lockstep", "unit", "proof", "equivalent", "by_hand", "survived"


@dataclasses.dataclass
class Fate:
    """The outcome of a mutant. equality: the answer of the long proof of equality, or empty."""
    mutant: object
    kind: str
    how: str
    equality: str = ""


class Run:
    """One side of one block."""

    def __init__(self, block, options, spent):
        self.block, self.options, self.spent = block, options, spent
        self.fates = {}

    def stage(self, what, key, mutants, work):
        """Results of a stage for those mutants that are still alive."""
        return self.look(what, key, [m for m in mutants if m.number not in self.fates], work)

    def look(self, what, key, alive, work):
        """Results of a stage; kept ones are not worked out again."""
        begun, store = clocks(), Store(self.block.path("kept"), what, key)
        missing = [m for m in alive if store.get(m) is None]
        progress = Progress(f"{self.block.name} {what}", [m.id for m in missing], self.options.jobs)
        try:
            for mutant, result in in_parallel(work, missing, self.options.jobs):
                store.put(mutant, result)
                progress.step(mutant.id)
        finally:
            store.close(begun)
            self.spent.stage(store)
        return [(m, store.get(m)) for m in alive]

    def killed(self, kind, what, key, mutants, work):
        for mutant, (how, where) in self.stage(what, key, mutants, work):
            if how:
                self.fates[mutant.number] = Fate(mutant, kind, f"{how}, {where}" if where else how)

    def all_fates(self, mutants):
        return [self.fates.get(m.number) or Fate(m, SURVIVED, "") for m in mutants]


def verilog(block, settings, spent):
    """Fates of the mutants of a block's Verilog."""
    run = Run(block, settings, spent)
    block.conditions = conditions(block)
    mutants = block.mutants(settings.mutants, settings.seed)
    text = block.simulation(mutants)
    program = build(block, text, settings.jobs, settings.build)
    simulation = Simulation(program, block.work)
    first, long = ({label: (*kind, "--set", label) for label in block.sets} for kind in (Simulation.FIRST, Simulation.LONG))
    simulation.control(block.name, Simulation.UNIT)
    for options in (*first.values(), *long.values()):
        simulation.control(block.name, options)
    tested = hash_of(hash_files([text, *dependencies(block), *parts("simulate.py")]), versions("verilator", "gcc"))
    designs = [block.path(label, kind) for label in block.sets for kind in ("abstract.full.il", "whole.full.il")]
    proven = hash_of(hash_files([*designs, *parts("prove.py", "netlist.py")]), repr(listed_proofs(block.name)), repr(block.conditions),
                     versions("yosys", "yosys-abc", "z3"))
    run.killed(LOCKSTEP, "v-first", tested, mutants, lambda m: simulation.go(m.number, first[m.set]))
    run.killed(UNIT, "v-unit", tested, mutants, lambda m: simulation.go(m.number, Simulation.UNIT))
    # The proofs below rely on the block's assertions: they are proven now, and not only listed.
    make(block, "formal", settings.jobs, [f"BUILD={settings.build}"])
    provers = {label: Prover(block, label) for label in block.sets}
    for prover in provers.values():
        prover.make_twin()
        if prover.whole:
            prover.whole.make_twin()
    control_proofs(run, provers, proven, mutants)
    # The quick proof first: what it calls equal is worth no long run. The long run before the long proofs.
    equal(run, run.stage("v-step", proven, mutants, lambda m: provers[m.set].equal(m, True)))
    run.killed(LOCKSTEP, "v-long", tested, mutants, lambda m: simulation.go(m.number, long[m.set]))
    reached = run.stage("v-pdr", proven, mutants, lambda m: provers[m.set].reach(m))
    equal(run, reached)
    run.killed(PROOF, "v-refute", proven, mutants, lambda m: provers[m.set].refute(m) or (None, ""))
    by_conditions = equal_by_conditions(run, provers, proven, mutants, reached)
    fates = run.all_fates(mutants)
    for mutant, (same, how) in (*reached, *by_conditions):
        said = fates[mutant.number - 1]
        said.equality = f"{said.equality}; {how}" if said.equality else how
    return fates


def parts(*names):
    """Files of this tool that decide the results of a stage."""
    return [path for path in tool_files() if os.path.basename(path) in names]


def equal(run, results):
    for mutant, (same, how) in results:
        if same:
            run.fates[mutant.number] = Fate(mutant, EQUIVALENT, how)


# So many of a block's mutants, with so much time for a long proof; of the original so many cycles.
CONTROLS, CONTROL_SECONDS, CONTROL_CYCLES = 4, 10, BOUND


def controls(run, mutants):
    """A few of the mutants that tests tell from the original."""
    dead = [m for m in mutants if m.number in run.fates and run.fates[m.number].kind in (LOCKSTEP, UNIT)]
    return dead[::max(1, len(dead) // CONTROLS)]


def control_proofs(run, provers, proven, mutants):
    """No proof may call a mutant equal that lockstep distinguishes, and no test refutes the original."""
    originals = [types.SimpleNamespace(id=f"{label}: original", number=0, set=label) for label in provers]

    def wrong(mutant):
        if not mutant.number:
            found = provers[mutant.set].refute(None, CONTROL_CYCLES)
            return found and f"{found[0]} fails without a mutant"
        prover = provers[mutant.set]
        for same, how in (prover.equal(mutant, True), prover.reach(mutant, CONTROL_SECONDS)):
            if same:
                return f"proven equal ({how}), but found by lockstep or unit tests"
        return None

    chosen = [*controls(run, mutants), *originals]
    for mutant, (said,) in run.look("v-control", hash_of(proven, str(CONTROL_CYCLES)), chosen, lambda m: (wrong(m),)):
        if said:
            raise ToolFailed(f"{run.block.name} {mutant.id}: {said}")


def equal_by_conditions(run, provers, proven, mutants, reached):
    """The last proof of those that are left, after the same on a few that are known to differ. reached: what pdr said."""
    def prove(key, what, some):
        return run.look(what, key, some, lambda m: guarded.equal(provers[m.set], m))

    key, left = hash_of(proven, hash_files(parts("guarded.py"))), [m for m in mutants if m.number not in run.fates]
    results = prove(key, "v-guarded", left)
    differ = [m for m, (same, how) in reached if m in left and same is False and "may differ" not in how]
    for mutant, (same, how) in (*results, *(prove(key, "v-differ", controls(run, mutants)) if left else ())):
        if same and (mutant in differ or mutant not in left):
            raise ToolFailed(f"{run.block.name} {mutant.id}: proven equal ({how}), but found by tests or by a run")
    equal(run, results)
    return results


def check_list(listed_in, listed, source, places):
    """Each reason is about mutants that there are, and about one of them unless it says of how many. places: {(line of source,
    change): how many there are}."""
    for (line, change), reason in listed.items():
        many = places.get((line, change), 0)
        if not many:
            raise ToolFailed(f"{listed_in}: \"{line}\" {change}: {source} has no such mutant any more")
        said = re.match(r"(\d+) places: ", reason)
        if (int(said[1]) if said else 1) != many:
            raise ToolFailed(f"{listed_in}: \"{line}\" {change}: {source} has it in {many} places; a reason that holds in each "
                             f"begins with \"{many} places: \"")


def c_model(block, options, spent):
    """Fates of the mutants of a block's C."""
    run = Run(block, options, spent)
    program = CProgram(block, options.jobs, options.build)
    program.link()
    listed_in, listed = equivalents(block)
    text, mutants = c_source.mutants(program.source, options.c_mutants, options.seed, listed)
    simulation = Simulation(program.program, program.folder)
    for stage in (Simulation.UNIT, Simulation.FIRST, Simulation.LONG):
        simulation.control(block.name, stage, {"LD_LIBRARY_PATH": os.path.join(program.folder, "original")})
    compiled = {}

    def library(mutant):
        """Folder of the mutant's shared object, or the compiler's word."""
        folder = os.path.join(program.folder, "mutants", str(mutant.number))
        if mutant.number not in compiled:
            assembly = program.compile(mutant.apply(text))
            if assembly is None:
                compiled[mutant.number] = "refused"
            elif assembly == program.assembly:
                compiled[mutant.number] = "same code"
            else:
                program.make_library(assembly, folder)
                compiled[mutant.number] = ""
        return compiled[mutant.number], folder

    def test(mutant, stage):
        said, folder = library(mutant)
        return (said, "") if said else simulation.go(mutant.number, stage, {"LD_LIBRARY_PATH": folder})

    key = hash_of(program.key, hash_files(["tb/rules.mk", *parts("simulate.py", "c_program.py")]))
    run.killed(UNIT, "c-unit", key, mutants, lambda m: test(m, Simulation.UNIT))
    run.killed(LOCKSTEP, "c-first", key, mutants, lambda m: test(m, Simulation.FIRST))
    run.killed(LOCKSTEP, "c-long", key, mutants, lambda m: test(m, Simulation.LONG))
    for mutant in mutants:
        fate = run.fates.get(mutant.number)
        if fate and fate.how == "same code":
            fate.kind, fate.how = EQUIVALENT, "same code of gcc -O2"
        elif (mutant.text, mutant.what) in listed:
            if fate:
                raise ToolFailed(f"{listed_in}: \"{mutant.text}\" {mutant.what} is not equivalent: {fate.how}")
            run.fates[mutant.number] = Fate(mutant, BY_HAND, listed[mutant.text, mutant.what])
    check_list(listed_in, listed, program.source, collections.Counter(
        (m.text, m.what) for m in c_source.candidates(program.source)[1]))
    # A change that the compiler refuses is no mutant.
    mutants = [m for m in mutants if not (m.number in run.fates and run.fates[m.number].how == "refused")]
    return run.all_fates(mutants)
