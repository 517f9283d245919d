# SPDX-License-Identifier: Apache-2.0
"""Runs mutants: the block's own unit tests and lockstep, in a program that holds all of them or one."""
import glob
import os
import re
import shutil
import signal
import subprocess

from mutate.store import clocks, since
from mutate.tools import versions
from warpmem.tools.house import ToolFailed, command, hash_files, hash_of, read
from warpmem.tools.modules import parts_of

FIRST_CYCLES = 20000    # most mutants fall within a few hundred; the rest is worth a look at its equivalence first
LONG_CYCLES = 1000000   # what `make lockstep` runs, so a mutant found here is one that `make test` finds
# A mutant that hangs is found out by the processor time it takes, so that a busy computer kills none: so many times what
# the original took, and some for starting.
PATIENCE, STARTING_SECONDS = 20, 2
MEMORY_BYTES = 8 << 30  # of addresses: a mutant that takes more gets none, and the computer's others keep theirs
LOG_BYTES = 64 << 20

FOUND = re.compile(r"^(MISMATCH|LATE INPUT|NOT QUIET)\b.*?\bcycle (\d+)", re.M)
TOO_LITTLE = re.compile(r"^(UNCOVERED|NOTHING COMPARED)\b.*", re.M)
# Signals that a program's own mistakes give it; all others come from outside and say nothing about a mutant.
CMOCKA_CAUGHT = 255  # cmocka's exit code when it catches one outside of a test: a mutant has destroyed its stack
CRASHES = {signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT, signal.SIGTRAP, signal.SIGSYS}


def dependencies(block):
    """Source files that decide lockstep's results; nothing needs to be built."""
    tests = sorted(glob.glob(f"tb/{block.name}_*.c"))
    sources = [block.verilog, *parts_of(block.verilog), *glob.glob("rtl/common/*.v*"), "cosim/glue.cpp",
               "cosim/model.mk"]
    seen, ahead = set(), [*tests, *glob.glob("cosim/*.c"), *glob.glob("tb/cosim/*.c"), f"cmodel/{block.name}.c", f"cmodel/{block.name}_block.c"]
    while ahead:
        path = ahead.pop()
        if path in seen:
            continue
        seen.add(path)
        # describe.c and rtl_table.c are compiled with names from the command line.
        if path.endswith(".c") and os.path.basename(path) not in ("describe.c", "rtl_table.c"):
            rule = command(["gcc", "-std=c11", "-MM", "-MG", "-Icmodel", "-I.", "-Itb", "-D_POSIX_C_SOURCE=200809L", path])
            for name in rule.replace("\\\n", " ").split()[1:]:
                if os.path.exists(name):
                    ahead.append(name)
                    if os.path.exists(name[:-2] + ".c"):
                        ahead.append(name[:-2] + ".c")
    return sorted(seen) + sources


def make(block, goal, jobs, arguments):
    """One make at a time, with this run's BUILD and compilers from its environment."""
    return command(["make", "--no-print-directory", f"-j{jobs}", goal, f"BLOCK={block.name}", *arguments], 3600)


def build(block, verilog, jobs, build_folder):
    """The program with all mutants; kept while nothing that it is made of changes."""
    folder = block.path("program")
    stamp = block.path("program.key")
    key = hash_of(hash_files([verilog, *dependencies(block)]), versions("verilator", "gcc"))
    program = os.path.join(folder, "mutant_test")
    if os.path.exists(program) and os.path.exists(stamp) and read(stamp) == key:
        return program
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    # Not optimised as far: the compiler would take longer than all mutants.
    make(block, "mutant", jobs, [f"BUILD={build_folder}", f"MUTANT_VERILOG={verilog}", f"MUTANT_DIR={folder}",
                                 f"MUTANT_SET='{' '.join(block.sets)}'", "CHANGED_CXXFLAGS=-std=c++17 -O1 -w"])
    with open(stamp, "w", encoding="utf-8") as file:
        file.write(key)
    return program


def run(words, seconds, environment, here):
    """The end of a test program: (None, "") passed; else the finder of an error, and its place. seconds: of processor time.

    Whatever is no known way to find an error ends the whole run: no mutant dies of a full disk or of somebody's kill.
    """
    log = os.path.join(here, "log")
    os.makedirs(here, exist_ok=True)
    with open(log, "w+", encoding="utf-8", errors="replace") as file:
        # Past the soft limit comes SIGXCPU, whereas SIGKILL would come from anywhere.
        done = subprocess.run(["prlimit", f"--cpu={seconds}:{seconds + 5}", f"--as={MEMORY_BYTES}", f"--fsize={LOG_BYTES}",
                               "--core=0", "--", *words], check=False, stdout=file, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, env=dict(os.environ, **environment))
        file.seek(0)
        said = file.read()
    code = done.returncode
    if code == 0:
        return None, ""
    if code == -signal.SIGXCPU:
        return "no end", f"{seconds} s of processor time"
    if code == -signal.SIGXFSZ:
        return "no end", f"{LOG_BYTES >> 20} MB of output"
    found, failed, little = FOUND.search(said), re.search(r"^\[  FAILED  \] (\w+)", said, re.M), TOO_LITTLE.search(said)
    if code == 1 and found:
        return found.group(1).lower(), f"cycle {found.group(2)}"
    if code == 1 and failed:
        return "unit test", failed.group(1)
    if code == 1 and little:
        return "lockstep", little.group(0)[:120]
    if "did not converge" in said:
        return "no settling", "a combinational loop"
    if code == CMOCKA_CAUGHT and said.rstrip().rpartition("\n")[2].startswith("[ RUN "):
        return "crash", "a signal that cmocka caught"
    if -code in CRASHES:
        return "crash", signal.Signals(-code).name
    last = (said.strip().splitlines() or ["no output"])[-1][:200]
    raise ToolFailed(f"{' '.join(words)} (WARPMEM_MUTANT={environment.get('WARPMEM_MUTANT', '')}): "
                     f"exit code {code}: {last}; see {log}")


class Simulation:
    """One test program; each stage gives (None, "") or what found the mutant and where.

    library: what a mutant of the C model needs in its environment, by its number; None: the program holds all mutants.
    """
    UNIT = ("--unit",)
    FIRST = ("--lockstep", "--exact", "--cycles", str(FIRST_CYCLES))
    LONG = ("--lockstep", "--exact", "--cycles", str(LONG_CYCLES))

    def __init__(self, program, work):
        self.program, self.work = program, work
        self.limit = {}

    def go(self, number, options, environment=None):
        here = os.path.join(self.work, "runs", str(number))
        seconds = self.limit.get(options, 3600)
        result = run([self.program, *options, "--mismatch-dir", here], seconds,
                     dict({"WARPMEM_MUTANT": str(number), "SEED": "", "CYCLES": ""}, **(environment or {})), here)
        shutil.rmtree(here)
        return result

    def control(self, what, options, environment=None):
        """Without a mutant the program passes what kills the others; how long it takes is the measure for them."""
        begun = clocks()
        how, where = self.go(0, options, environment)
        if how:
            raise ToolFailed(f"{what}: its test fails without a mutant: {how}, {where}")
        self.limit[options] = STARTING_SECONDS + int(PATIENCE * since(begun)[1])
