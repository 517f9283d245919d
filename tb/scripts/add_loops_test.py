#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Tests of examples/trace/add_loops.py: by hand, and on built-in programs whose own markers were taken out."""
import os
import subprocess

from test_house import BUILD, ROOT, House, main

TOOL = os.path.join(ROOT, "examples", "trace", "add_loops.py")
HEAD = "warpmem-trace 1\nkernel registers 8 shared 0 name k\nlaunch grid 1 block 32\nwarp 0 0\n"


def add_loops(text, code=0):
    done = subprocess.run([TOOL], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


def trail(*steps):
    return "".join(f"{pc:#x} {lanes} int_add\n" for pc, lanes in steps)


class Loops(House):
    def marks(self, *steps):
        return [(int(line.split()[0], 0), line.split()[1], line.split()[2][5:]) for line in add_loops(HEAD + trail(*steps)).splitlines()
                if "loop_" in line]

    def test_a_jump_back_is_a_loop_of_so_many_trips(self):
        one = "ffffffff"
        self.assertEqual(self.marks((0, one), (8, one), (16, "f"), (8, "f"), (16, "f"), (24, one)),
                         [(8, one, "begin"), (8, one, "iteration"), (8, "f", "iteration"), (8, one, "end")])
        self.assertEqual(self.marks((0, one), (8, one)), [])

    def test_loops_lie_in_each_other_and_end_with_the_warp(self):
        inner, outer = [8, 16, 8, 16], [0, *[8, 16, 8, 16], 24]
        self.assertEqual([mark[::2] for mark in self.marks(*((pc, "1") for pc in (*outer, *outer)))],
                         [(0, "begin"), (0, "iteration"), (8, "begin"), (8, "iteration"), (8, "iteration"), (8, "end"), (0, "iteration"),
                          (8, "begin"), (8, "iteration"), (8, "iteration"), (8, "end"), (0, "end")])
        self.assertEqual([mark[::2] for mark in self.marks(*((pc, "1") for pc in inner))],
                         [(8, "begin"), (8, "iteration"), (8, "iteration"), (8, "end")])

    def test_the_markers_of_built_in_programs_come_back(self):
        for workload in ("spmv-scalar", "mvt", "gesummv"):
            text = subprocess.run([os.path.join(BUILD, "warpmem"), "trace", workload, "--size", "tiny", "--text"], capture_output=True,
                                  text=True, check=True).stdout
            lines = [line for line in text.splitlines() if not line.startswith("insn")]
            bare = "".join(line + "\n" for line in text.splitlines() if "loop_" not in line)
            found = [line for line in add_loops(bare).splitlines() if not line.startswith("insn")]
            self.assertEqual(found, lines, workload)

    def test_markers_that_are_there_are_not_doubled(self):
        self.assertIn("has markers of loops already", add_loops(HEAD + "0x8 f loop_begin\n", code=1))


if __name__ == "__main__":
    main()
