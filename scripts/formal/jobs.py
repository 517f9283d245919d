# SPDX-License-Identifier: Apache-2.0
"""The jobs: the sections proofs and mutants of tb/PLACE/BLOCK.tests, with the inputs of each result."""
import dataclasses
import functools
import glob
import os
import re

from warpmem.tools import props
from warpmem.tools.block_tests import LIST, blocks_with, lines_of, path_of
from warpmem.tools.house import BadInput, command, hash_files, hash_of, hash_of_program, read

METHODS = ("induction", "parts", "bits", "pdr", "bounded", "cover")
FOR_ALL_TIME = ("induction", "parts", "bits", "pdr")
WHEN = ("test", "formal", "check")
RELIED_ON = ("test", "formal")  # planted errors, of --mutants and of scripts/mutate, rely on these proofs
MEMORY_PROMISE = "tb/{}_formal.v"  # instead of rtl/{}.v in the proofs of other blocks: what it promises and no more
REFUTE_DEPTH = 14                  # cycles from power-on in which an error shows, or else in the step of an induction
SMALL = ("small", "odd", "least")  # the set that an error is planted in, if it does not name one


@dataclasses.dataclass(frozen=True)
class Job:
    """block: l1/mrpb.  set: its name, or its values.  parameters: ((NAME, value), ...).  mutant: (name, sed expression).
    step: of a planted error, the depth of the set's proof by induction, 0: it has none."""
    block: str
    set: str
    parameters: tuple
    method: str
    depth: int
    when: str
    mutant: tuple = ()
    step: int = 0

    @property
    def short(self):
        return self.block.split("/")[-1]

    @property
    def name(self):
        """Of its folder."""
        tail = self.mutant[0] if self.mutant else f"{self.set}-{self.method}"
        return re.sub(r"[^A-Za-z0-9_.-]", "_", f"{self.block}-{tail}")

    @property
    def title(self):
        if self.mutant:
            return f"{self.block} {self.mutant[0]}"
        return f"{self.block} {self.set if '=' not in self.set else 'of its own values'} {self.method}"

    @property
    def values(self):
        return " ".join(f"{name}={value}" for name, value in self.parameters)

    @property
    def properties(self):
        """The block's promises, which may have parts."""
        return [f"tb/{self.block}_props.v", *sorted(glob.glob(f"tb/{self.block}_*_props.v"))]

    @property
    def verilog(self):
        return f"rtl/{self.block}.v"


@functools.lru_cache(maxsize=None)
def sets_of(block):
    """{name: ((NAME, value), ...)} of the block's port list."""
    if not os.path.exists(f"cmodel/{block}_ports.h") and not lines_of(block, "sets"):
        raise BadInput(f"{block}: no block has this name: no cmodel/{block}_ports.h")
    sets = {}
    for line in command(["scripts/block_params.sh", block]).splitlines():
        label, *values = line.split()
        sets[label] = tuple((name, int(value)) for name, value in (v.split("=") for v in values))
    return sets


def parameters_of(where, block, label):
    if "=" not in label:
        sets = sets_of(block)
        if label not in sets:
            raise BadInput(f"{where}: {block} has no parameter set {label}; it has {', '.join(sets)}")
        return sets[label]
    values = []
    for word in label.split(","):
        name, _, value = word.partition("=")
        if not name.isidentifier() or not value.isdecimal():
            raise BadInput(f"{where}: {word}: must be NAME=NUMBER")
        values.append((name, int(value)))
    return tuple(values)


def job_of(where, block, label, method, depth, when):
    if not re.fullmatch(r"[a-z0-9_]+/[a-z0-9_]+", block) or not os.path.exists(f"tb/{block}_props.v"):
        raise BadInput(f"{where}: {block}: must be PLACE/BLOCK with a tb/PLACE/BLOCK_props.v")
    if method not in METHODS:
        raise BadInput(f"{where}: {method}: must be {', '.join(METHODS)}")
    if not depth.isdecimal() or (int(depth) == 0) != (method == "pdr") or int(depth) > 1000:
        raise BadInput(f"{where}: depth {depth}: must be 1..1000, or 0 for pdr, which has none")
    if when not in WHEN:
        raise BadInput(f"{where}: {when}: must be {' or '.join(WHEN)}")
    return Job(block, label, parameters_of(where, block, label), method, int(depth), when)


def listed():
    """All proofs, in the order of the blocks' names, and of the lists."""
    blocks = blocks_with("proofs")
    if not blocks:
        raise BadInput(f"{LIST}: no file has a section [proofs]")
    return [job for block in blocks for job in listed_of(block)]


def listed_of(block):
    """The proofs of one block."""
    path, jobs, names = path_of(block), [], {}
    for number, line in lines_of(block, "proofs"):
        words = line.split()
        if words[4:] == ["mutate"]:  # for scripts/mutate
            words.pop()
        if len(words) != 4:
            raise BadInput(f"{path}:{number}: {len(words)} words, must be 4: set method depth when; then mutate, or nothing")
        job = job_of(f"{path}:{number}", block, *words)
        if job.name in names:
            raise BadInput(f"{path}:{number}: {job.title} stands in line {names[job.name]} already")
        names[job.name] = number
        jobs.append(job)
    return jobs


def mutants_of(block):
    """The block's planted errors as jobs."""
    path, sets = path_of(block), sets_of(block)
    small = next((label for label in SMALL if label in sets), None)
    inductions = {job.set: job.depth for job in listed_of(block) if job.method == "induction" and job.when in RELIED_ON}
    jobs = []
    for number, line in lines_of(block, "mutants"):
        name, _, edit = line.strip().partition(" ")
        name, _, label = name.partition("@")
        if not (label or small) or not edit.strip():
            raise BadInput(f"{path}:{number}: must be NAME[@SET] SED-EXPRESSION, and a block without a set "
                           f"{', '.join(SMALL)} needs @SET")
        label = label or small
        if name in (job.mutant[0] for job in jobs):
            raise BadInput(f"{path}:{number}: {name} is there already")
        jobs.append(Job(block, label, parameters_of(f"{path}:{number}", block, label), "bounded", REFUTE_DEPTH, "check",
                        (name, edit.strip()), inductions.get(label, 0)))
    if not jobs:
        raise BadInput(f"{path}: section [mutants] must have errors that the block's proofs find")
    return jobs


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)


def verilog_files(job):
    """The files that a proof reads: the block, its properties, and the modules that these name, recursively."""
    files = [job.verilog, *job.properties]
    place = job.block.split("/")[0]
    ahead = list(files)
    while ahead:
        path = ahead.pop()
        text = without_comments(read(path))
        for name in re.findall(r'`include "(.*)"', text):
            if not os.path.exists(f"rtl/common/{name}"):
                raise BadInput(f"{path}: there is no rtl/common/{name}")
            if f"rtl/common/{name}" not in files:
                files.append(f"rtl/common/{name}")
        for module in sorted(set(re.findall(r"\bwm_(\w+)\b", text))):
            for home in ("common", place):
                path = f"rtl/{home}/{module}.v"
                promise = MEMORY_PROMISE.format(f"{home}/{module}")
                if path != job.verilog and os.path.exists(path):
                    path = promise if os.path.exists(promise) else path
                    if path not in files:
                        files.append(path)
                        ahead.append(path)
                    break
    return files


@functools.lru_cache(maxsize=None)
def surroundings():
    """Versions of the tools that decide, and of the scripts that ask them. yosys-smtbmc comes with yosys; yosys-abc need not,
    and says no version."""
    folder = os.path.dirname(os.path.abspath(__file__))
    code = map(read, (*(os.path.join(folder, name) for name in ("bits.py", "parts.py", "prove.py", "solver.py", "traces.py")), props.__file__))
    return hash_of(command(["yosys", "-V"]), command(["z3", "--version"]), hash_of_program("yosys-abc"), *code)


def key_of(job):
    """Hash of exactly the inputs of the result: with the same key it need not be proven again."""
    return hash_of(hash_files(verilog_files(job)), job.set, job.values, job.method, str(job.depth), *job.mutant,
                   str(job.step), surroundings())
