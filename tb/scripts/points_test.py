#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of cosim/points.py: the lists of points, the draw, and the ends of ranges that nobody has."""
import glob
import os
import random
import shutil
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
from test_house import ROOT, House, main  # noqa: E402

from house import read  # noqa: E402

TOOL = os.path.join(ROOT, "cosim", "points.py")
sys.path.append(os.path.dirname(TOOL))
import points  # noqa: E402


class Points(House):
    """In a tree with the project's blocks and lists of points that can be changed."""

    def setUp(self):
        super().setUp()
        for name in ("cmodel", "rtl", "scripts"):
            os.symlink(os.path.join(ROOT, name), self.path(name))
        for path in sorted(glob.glob(os.path.join(ROOT, "tb/*/*_points.txt"))) + [os.path.join(ROOT, "cosim/describe.c")]:
            self.write(os.path.relpath(path, ROOT), read(path))

    def run_tool(self, *arguments, code=0):
        done = subprocess.run([TOOL, *arguments], cwd=self.folder, text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def add(self, line, name="l1/mrpb"):
        with open(self.path(f"tb/{name}_points.txt"), "a", encoding="utf-8") as file:
            file.write(line + "\n")

    def drop(self, label, name="l1/mrpb"):
        lines = self.read(f"tb/{name}_points.txt").splitlines(True)
        self.write(f"tb/{name}_points.txt", "".join(line for line in lines if not line.startswith(label + " ")))

    def test_each_end_of_each_range_has_a_set_or_a_point(self):
        self.assertRegex(self.run_tool("--ends"), r"^pass  points: each end of the ranges of \d+ blocks")

    def test_an_end_that_nobody_has_is_named(self):
        self.drop("most")
        said = self.run_tool("--ends", code=1)
        self.assertEqual(said.splitlines(), ["no set and no point of l1/mrpb has QUEUES = 64",
                                             "no set and no point of l1/mrpb has DATA_BITS = 256"])

    def test_bad_points_are_refused_with_their_line(self):
        at = len(self.read("tb/l1/mrpb_points.txt").splitlines()) + 1
        for line, wanted in (("more DEPTH=65", "DEPTH must be 2 to 64, and is 65"),
                             ("more WAYS=4", "'WAYS=4' must be PARAMETER=NUMBER"),
                             ("more DEPTH", "'DEPTH' must be PARAMETER=NUMBER"),
                             ("least DEPTH=4", "'least' must be a name that no other"),
                             ("paper DEPTH=4", "'paper' must be a name that no other"), ("4more", "'4more' must be a name")):
            with self.subTest(line):
                shutil.copy(os.path.join(ROOT, "tb/l1/mrpb_points.txt"), self.path("tb/l1/mrpb_points.txt"))
                self.add(line)
                self.assertIn(f"points: tb/l1/mrpb_points.txt:{at}: {wanted}", self.run_tool("--ends", code=2))

    def test_wrong_options_are_refused(self):
        for arguments, wanted in ((("--point", "DEPTH=4"), "--point needs --block"), (("--block", "l1/none"), "invalid choice"),
                                  (("--block", "l1/mrpb", "--point", "most_of_all"), "--point: 'most_of_all' must be"),
                                  (("--block", "l2/insertion", "--point", "SETS=3"), "rtl/l2/insertion.v refuses SETS=3"),
                                  (("--seed", "x"), "--seed")):
            with self.subTest(arguments):
                self.assertIn(wanted, self.run_tool(*arguments, code=2))

    def test_the_header_has_the_listed_points(self):
        self.run_tool("--block", "common/fifo", "--header", "out")
        self.assertEqual(self.read("out/names"), "ends\ndeep_odd\n")
        self.assertEqual(self.read("out/sets.h"), '#include "common/fifo_ports.h"\n#undef FIFO_SETS\n'
                         "#define FIFO_SETS(S) S(ends, 4096, 256) S(deep_odd, 33, 3)\n")

    def test_a_point_passes_or_fails_and_says_how_to_see_it_again(self):
        os.chdir(self.folder)
        self.addCleanup(os.chdir, ROOT)
        self.add("loose DEPTH=4 uncovered")
        block = points.Block("l1/mrpb", self.path("build"))
        options = points.parse(["--cycles", "77"])
        tool = self.program("build/test", '#!/bin/sh\necho "MISMATCH $*"\nexit 1\n')
        runs = {name: points.run(block, name, block.point(["DEPTH=4"], ""), tool, options, 9)
                for name in ("least", "most", "loose", "random_0")}
        self.assertEqual([row[0] for row in runs.values()], ["FAILED"] * 4)
        self.assertIn("MISMATCH --lockstep --set most --seed 0x9 --cycles 77", runs["most"][4])
        self.assertIn("again: make points BLOCK=l1/mrpb POINT=most SEED=0x9 CYCLES=77", runs["most"][4])
        self.assertIn("MISMATCH --lockstep --exact --set loose", runs["loose"][4])
        self.assertIn("MISMATCH --lockstep --exact --set random_0", runs["random_0"][4])
        self.assertIn("POINT=QUEUES=48,DEPTH=4,DATA_BITS=64,", runs["random_0"][4])
        for said, wanted in (("echo 5 outputs compared", "pass"), ("true", "FAILED")):  # the second compared nothing
            self.program("build/test", f"#!/bin/sh\n{said}\n")
            self.assertEqual(points.run(block, "least", block.points["least"], tool, options, 9)[0], wanted)

    def test_a_seed_repeats_the_draw_and_draws_are_legal(self):
        os.chdir(self.folder)
        self.addCleanup(os.chdir, ROOT)
        block = points.Block("dram/dual_queue", self.path("build"))
        first, again, other = ([block.draw(random.Random(seed)) for _ in range(3)] for seed in (4, 4, 5))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)
        for values in first + other:
            self.assertTrue(all(low <= values[label] <= high for label, (low, high) in block.ranges.items()))
            self.assertEqual(values["BANKS"] & (values["BANKS"] - 1), 0)


if __name__ == "__main__":
    main()
