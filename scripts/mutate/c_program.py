# SPDX-License-Identifier: Apache-2.0
"""A block's test program with its C as a shared object, so that a mutant is one compilation and no link."""
import glob
import os
import re
import subprocess

from mutate.simulate import dependencies, make
from mutate.tools import versions
from warpmem.tools.block_tests import lines_of, path_of
from warpmem.tools.house import BadInput, ToolFailed, command, hash_files, hash_of, read

FLAGS = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-Icmodel", "-ffp-contract=off", "-w", "-O2", "-fPIC"]
# HEAP_WRAP of tb/rules.mk: lockstep sees what a block allocates.
WRAP = ["-Wl,--wrap=malloc", "-Wl,--wrap=calloc"]


class CProgram:
    def __init__(self, block, jobs, build_folder):
        self.block, self.jobs, self.build_folder = block, jobs, build_folder
        self.source = f"cmodel/{block.name}.c"
        self.folder = os.path.abspath(block.path("c"))
        self.program = os.path.join(self.folder, "test")
        self.sources = dependencies(block)
        self.key = hash_of(hash_files(self.sources), " ".join(FLAGS), versions("gcc", "verilator"))

    def link(self):
        """Everything but the block's C, against the original's shared object."""
        build, name = self.build_folder, self.block.name
        make(self.block, f"{build}/tb/{name}_test", self.jobs, [f"BUILD={build}"])
        original = os.path.join(self.folder, "original")
        self.assembly = self.compile(read(self.source).encode())
        self.make_library(self.assembly, original)
        parts = [f"{build}/obj/{path[:-2]}.o" for path in sorted(glob.glob(f"tb/{name}_*.c"))]
        linked = os.path.join(self.folder, "linked")
        command(["g++", *parts, f"{build}/obj/tb/{name}_table.o", "-Wl,--no-as-needed", os.path.join(original, "libblock.so"),
                 f"{build}/libcosim.a", f"{build}/rtl/{name}/models.a", f"{build}/libwarpmem.a",
                 f"{build}/libverilated.a", "-lz", "-lpthread", "-lm", "-lcmocka", *WRAP, "-o", self.program, f"-Wl,-Map={linked}"])
        # A result must not outlive a change of its inputs.
        objects = set(re.findall(r"^\S*/lib(?:warpmem|cosim)\.a\((\w+)\.o\)", read(linked), re.M))
        unknown = objects - {os.path.basename(path)[:-2] for path in self.sources}
        if unknown or not objects:
            raise ToolFailed(f"{name}: its test has parts that no key depends on: {', '.join(sorted(unknown)) or 'all'}")

    @staticmethod
    def compile(text):
        """Assembly of a version of the file, or None: the compiler refuses it."""
        done = subprocess.run(["gcc", *FLAGS, "-S", "-x", "c", "-", "-o", "-"], input=text, capture_output=True, check=False)
        if done.returncode == 0:
            return done.stdout
        # Only what is no C is no mutant: a compiler that fails in another way (killed, no space) refuses nothing.
        if done.returncode == 1 and b"error:" in done.stderr and b"No space left" not in done.stderr:
            return None
        raise ToolFailed(f"gcc: exit code {done.returncode}: {done.stderr.decode(errors='replace').strip()[-200:]}")

    @staticmethod
    def make_library(assembly, folder):
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, "libblock.so")
        done = subprocess.run(["gcc", "-shared", "-Wl,-soname,libblock.so", *WRAP, "-x", "assembler", "-", "-o", path],
                              input=assembly, capture_output=True, check=False)
        if done.returncode:
            raise ToolFailed(f"{path}: {done.stderr.decode().strip()[:200]}")


def equivalents(block):
    """(line of source, change): reason, of tb/<block>.tests; written by hand, so every one has its reason."""
    path, result = path_of(block.name), {}
    for number, line in lines_of(block.name, "equivalent"):
        fields = [field.strip() for field in line.split("\t") if field.strip()]
        if len(fields) != 3:
            raise BadInput(f"{path}:{number}: must be source line, change and reason, with a tab between them")
        result[fields[0], fields[1]] = fields[2]
    return path, result
