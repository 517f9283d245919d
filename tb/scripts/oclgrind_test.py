#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Captured OpenCL kernels against Oclgrind, an interpreter of OpenCL C: the accesses of each work-item, and the steps of each warp.

Both have LLVM 14 compile the kernels. Oclgrind interprets the code work-item by work-item; warpmem runs a rewritten one, and makes
warps of its items. So it sees an access that is lost, doubled or at a wrong address, and lanes that do not stay together.
"""
import collections
import dataclasses
import os
import shutil
import subprocess
import unittest

from test_house import BUILD, ROOT, House, main

FOLDER = os.path.join(ROOT, "tb", "capture")
PROGRAM = os.path.join(BUILD, "warpmem")
HEADERS = "/usr/include/oclgrind"
LANES = 32
SPACES = {"0": "local", "1": "global", "3": "shared"}  # of Oclgrind, which has buffers of constants among the global ones
# Launches of tb/capture/programs/twins.c, and the steps of their warps.
STEPS = [("spmv", 759), ("histogram", 206), ("stencil", 960), ("reduce", 814), ("expand", 78), ("expand", 474), ("expand", 892),
         ("expand", 711), ("expand", 507), ("expand", 134), ("turn", 108), ("smallest", 7424)]
KINDS = {"l": "load", "s": "store", "a": "atomic"}

Access = collections.namedtuple("Access", "kind space address bytes")


@dataclasses.dataclass
class Launch:
    kernel: str
    accesses: dict  # {(CTA, item): [Access] in the order of the program}
    steps: int = 0  # warps' instructions that access memory


def lane_addresses(text, lanes):
    """The address of each active lane: @A, @A+STRIDE, @A-STRIDE or @A,B,C."""
    if "," in text:
        return [int(one, 0) for one in text[1:].split(",")]
    sign = -1 if "-" in text else 1
    first, _, stride = text[1:].replace("-", "+").partition("+")
    return [int(first, 0) + sign * int(stride or "0", 0) * lane for lane in lanes]


def captured_launches(text):
    """[Launch] of a trace as text (docs/wtr_format.md)."""
    launches, kernel, insns, where = [], None, {}, None
    for line in text.splitlines():
        words = line.split()
        if words[0] == "kernel":
            kernel, insns = line.split(" name ")[1], {}
        elif words[0] == "insn" and not words[2].startswith("loop"):
            insns[words[1]] = words[2:5]
        elif words[0] == "launch":
            launches.append(Launch(kernel, collections.defaultdict(list)))
        elif words[0] == "warp":
            where = int(words[1]), int(words[2])
        elif words[0].startswith("0x") and words[-1].startswith("@"):
            kind, space, size = insns[words[0]]
            lanes = [lane for lane in range(LANES) if int(words[1], 16) >> lane & 1]
            for lane, address in zip(lanes, lane_addresses(words[-1], lanes), strict=True):
                access = Access(kind, "global" if space == "constant" else space, address, int(size))
                launches[-1].accesses[where[0], where[1] * LANES + lane].append(access)
            launches[-1].steps += 1
    return launches


def interpreted_launches(lines):
    """[Launch] of what tb/capture/oclgrind/accesses.cpp writes. steps: the fewest with which all items of a warp get through each
    instruction, which a warp takes if its lanes come together after each branch."""
    launches, counts = [], []
    for line in lines:
        words = line.split()
        if words[0] == "kernel":
            launches.append(Launch(words[1], collections.defaultdict(list)))
            counts.append(collections.Counter())
            continue
        group, item, insn = (int(word) for word in words[:3])
        kind, space = KINDS[words[3]], SPACES[words[4]]
        kind = "load" if (kind, space) == ("atomic", "shared") else kind  # as a trace has it
        launches[-1].accesses[group, item].append(Access(kind, space, int(words[5]), int(words[6])))
        counts[-1][group, item, insn] += 1
    for launch, count in zip(launches, counts, strict=True):
        most = collections.Counter()
        for (group, item, insn), times in count.items():
            most[group, item // LANES, insn] = max(most[group, item // LANES, insn], times)
        launch.steps = sum(most.values())
    return launches


class Oclgrind(House):
    def call(self, *words, **environment):
        done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=self.folder, timeout=120,
                              env={**os.environ, **environment})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def same_place(self, ours, theirs, bases):
        """Is it the same byte? bases: the address of each of Oclgrind's buffers in the trace, as its first access says."""
        if ours.space == "local":  # words of lanes as neighbours
            return True
        buffer, offset = theirs.address >> 48, theirs.address & (1 << 48) - 1
        return ours.address == offset + bases.setdefault((theirs.space, buffer), ours.address - offset)

    def test_work_items_access_what_oclgrind_sees(self):
        if not shutil.which("oclgrind") or not os.path.exists(os.path.join(HEADERS, "Plugin.h")):
            raise unittest.SkipTest("oclgrind and liboclgrind-dev are not installed (scripts/packages.txt)")
        programs = os.path.join(FOLDER, "programs")
        self.call("g++", "-std=c++17", "-O1", "-fPIC", "-shared", "-fno-rtti", "-I", os.path.join(FOLDER, "oclgrind"), "-I", HEADERS,
                  os.path.join(FOLDER, "oclgrind", "accesses.cpp"), "-o", "accesses.so")
        # The program wants a libOpenCL; Oclgrind's functions come before those in it.
        library = os.path.join(BUILD, "warpmem-opencl")
        self.call("gcc", "-o", "twins", os.path.join(programs, "twins.c"), "-I", programs, "-L", library, "-lOpenCL", "-lm")
        source = os.path.join(programs, "twins.cl")
        self.assertEqual(self.call("oclgrind", "--num-threads", "1", "--build-options", "-O2 -fno-unroll-loops", "--plugins",
                                   self.path("accesses.so"), "./twins", source, ACCESSES="accesses.txt", LD_LIBRARY_PATH=library), "right\n")
        self.assertEqual(self.call(PROGRAM, "capture", "-o", "twins.wtr", "--", "./twins", source, CLANG="clang-14",
                                   BUILD_OPTIONS="-fno-unroll-loops"), "right\n")
        with open(self.path("accesses.txt"), encoding="ascii") as file:
            theirs = interpreted_launches(file)
        ours = captured_launches(self.call(PROGRAM, "trace", self.path("twins.wtr"), "--text"))
        self.assertEqual([(launch.kernel, launch.steps) for launch in ours], STEPS)
        bases, spaces = {}, collections.Counter()
        for mine, other in zip(ours, theirs, strict=True):
            with self.subTest(kernel=mine.kernel):
                bases = {key: base for key, base in bases.items() if key[0] == "global"}  # shared arrays are a kernel's own
                self.assertEqual(mine.kernel, other.kernel)
                self.assertEqual(mine.accesses.keys(), other.accesses.keys())
                for item, accesses in mine.accesses.items():
                    self.assertEqual([one._replace(address=0) for one in accesses],
                                     [one._replace(address=0) for one in other.accesses[item]], item)
                    for one, two in zip(accesses, other.accesses[item], strict=True):
                        self.assertTrue(self.same_place(one, two, bases), f"{item}: {one}, {two}")
                    spaces.update(one.space for one in accesses)
                # A warp whose lanes leave a loop, or go two ways, takes more steps than its lanes at best.
                if mine.kernel in ("expand", "smallest"):
                    self.assertGreaterEqual(mine.steps, other.steps)
                else:
                    self.assertEqual(mine.steps, other.steps)
        self.assertEqual(set(spaces), {"global", "shared", "local"})
        self.assertGreater(sum(spaces.values()), 200000)


if __name__ == "__main__":
    main()
