# SPDX-License-Identifier: Apache-2.0
"""Activity: a block's inputs in a run of the machine, replayed by its netlist in lockstep with the C model; the toggles of each
net, and the accesses of memories and ports."""
import dataclasses
import os
import re

from power import netlist as simulated
from warpmem.tools.house import ToolFailed, command, hash_files, hash_of, hash_of_program
from warpmem.tools.work import keep, kept_result

REPLAYED = re.compile(r"^pass .* (\d+) cycles +(\d+) outputs compared", re.M)


@dataclasses.dataclass
class Activity:
    """toggles: {net: changes in all cycles}. memories: [(words, bits, reads, writes)]."""
    cycles: int
    requests: int
    toggles: dict
    memories: list


def record(plan, build, work):
    """The inputs of the block in the run, a file."""
    path = os.path.join(work, "inputs.stim")
    command([os.path.join(build, "warpmem-rtl"), "run", *plan.run.split(), "--no-progress", "--record",
             f"{plan.block}@{plan.where}={path}"], 3600)
    return path


def replay(plan, verilog, nets, stimulus, build, jobs, work):
    """Builds the netlist into the block's test, which compares every output with the C model's, and runs it."""
    program, folder = os.path.join(work, "program", "mutant_test"), os.path.join(work, "program")
    tests = os.path.join("tb", plan.block + "_test.c")
    key = hash_of(hash_files([verilog, tests, f"cmodel/{plan.block}.c", "cosim/glue.cpp", "cosim/model.mk",
                              "cosim/lockstep.c"]), hash_of_program("verilator"))
    if kept_result(os.path.join(work, "program.json"), key) is None or not os.path.exists(program):
        # Not optimised: the gates are many, and run once, so the compiler would take longer than the run.
        command(["make", "--no-print-directory", f"-j{jobs}", "mutant", f"BLOCK={plan.block}", f"BUILD={build}",
                 f"MUTANT_VERILOG={verilog}", f"MUTANT_DIR={folder}", f"MUTANT_SET={plan.set}",
                 "CHANGED_CXXFLAGS=-std=c++17 -O0 -w"], 3600)
        keep(os.path.join(work, "program.json"), key, "built")
    said = command([program, "--lockstep", "--set", plan.set, "--replay", stimulus, "--mismatch-dir", os.path.join(work, "mismatch")], 3600)
    whole = re.search(rf"^{simulated.FINAL} run (\d+) cycles (\d+) requests", said, re.M)
    if not whole or not REPLAYED.search(said):
        raise ToolFailed(f"{plan.block}: the replay does not say what it counted: {said.strip().splitlines()[-1:]}")
    memories = [tuple(map(int, found)) for found in
                re.findall(rf"^{simulated.FINAL} (\d+) (\d+) (\d+) reads (\d+) writes", said, re.M)]
    toggles = {nets[int(net)]: int(count) for net, count in re.findall(rf"^{simulated.FINAL} net (\d+) (\d+)", said, re.M)}
    return Activity(int(whole.group(1)), int(whole.group(2)), toggles, memories)
