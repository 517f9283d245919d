#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Tests of the views of waves: rows, groups, registers; and of the picture's height."""
import os
import runpy
import subprocess
import types
import unittest

from test_house import ROOT, SCRIPTS, House, main

view = types.SimpleNamespace(**runpy.run_path(os.path.join(ROOT, "cosim", "view.py")))
PORTS = [view.Port(*words) for words in (
    ("rst_i", "i", "0", "1", "1"), ("enq_data_i", "i", "0", "8", "p->DATA_BITS"), ("enq_bank_i", "i", "0", "3", "clog2(p->BANKS)"),
    ("deq_data_o", "o", "0", "8", "p->DATA_BITS"), ("deq_lane_o", "o", "4", "3", "p->LANES"))]


class View(unittest.TestCase):
    def rows(self, *hand):
        """Of the groups alone."""
        lines = view.view(hand, PORTS).splitlines()
        return lines[lines.index("top.in.rst_i") + 1:lines.index("-1: C and Verilog differ") - 2]

    def test_every_port_is_a_row_of_both_sides(self):
        lines = view.view([], PORTS).splitlines()
        for row in ("top.cycle[63:0]", "top.rests", "top.differs", "top.in.rst_i", "top.in.enq_data_i[7:0]",
                    "+{c deq_data_o} top.c.deq_data_o[7:0]", "+{rtl deq_data_o} top.rtl.deq_data_o[7:0]",
                    "+{rtl deq_lane_o[3]} top.rtl.deq_lane_o[3][2:0]", "top.differ.deq_data_o", "top.differ.deq_lane_o"):
            self.assertEqual(lines.count(row), 1, row)

    def test_ports_are_in_a_group_for_each_channel(self):
        self.assertEqual([row for row in self.rows() if row.startswith("-")], ["-", "-enq", "-", "-deq"])

    def test_numbers_are_decimal_masks_binary_all_else_hexadecimal(self):
        rows = self.rows()
        for row, form in (("top.in.enq_data_i[7:0]", "@22"), ("top.in.enq_bank_i[2:0]", "@24"),
                          ("+{c deq_lane_o[0]} top.c.deq_lane_o[0][2:0]", "@28")):
            self.assertEqual(rows[rows.index(row) - 1], form)

    def test_the_lines_of_a_person_stay_and_say_groups(self):
        hand = ("A queue.", "-in, by bank | enq_bank_i enq_*:bin", "-first lanes | deq_lane_o[0:1]")
        self.assertEqual(view.view(hand, PORTS).splitlines()[:3], [f"[*] {line}" for line in hand])
        rows = [row for row in self.rows(*hand) if not row.startswith("[color]") and "rtl" not in row]
        self.assertEqual(rows, ["@200", "-", "-in, by bank", "@24", "top.in.enq_bank_i[2:0]", "@28", "top.in.enq_data_i[7:0]",
                                "@200", "-", "-first lanes", "@28", "+{c deq_lane_o[0]} top.c.deq_lane_o[0][2:0]", "@28",
                                "@28", "+{c deq_lane_o[1]} top.c.deq_lane_o[1][2:0]", "@28",
                                "@200", "-", "-deq", "@22", "+{c deq_data_o} top.c.deq_data_o[7:0]", "@22"])

    def test_a_group_is_repeated_for_each_element(self):
        rows = self.rows("-lane # | deq_lane_o[#]")
        self.assertEqual([row for row in rows if row.startswith("-lane")], [f"-lane {lane}" for lane in range(4)])
        self.assertLess(rows.index("+{rtl deq_lane_o[1]} top.rtl.deq_lane_o[1][2:0]"), rows.index("-lane 2"))

    def test_registers_are_below_the_ports(self):
        signals = ["top.in.not_q\t1\n", "rtl.wm_b.turn_q\t1\n", "rtl.wm_b.turn_d\t1\n", "rtl.wm_b.g[0].word_q\t16\n",
                   "rtl.wm_b.list_q[3]\t4\n"]
        self.assertEqual(view.registers(signals).splitlines()[2:],
                         ["-registers of the Verilog", "@28", "+{turn_q} rtl.wm_b.turn_q", "@22",
                          "+{g[0].word_q} rtl.wm_b.g[0].word_q[15:0]", "@22", "+{list_q[3]} rtl.wm_b.list_q[3][3:0]"])
        self.assertEqual(view.registers([]), "")

    def test_more_registers_than_anyone_looks_at_are_counted(self):
        lines = view.registers(f"rtl.wm_b.r{i}_q\t1\n" for i in range(95)).splitlines()
        self.assertEqual(sum(line.startswith("+{r") for line in lines), 80)
        self.assertEqual(lines[-1], "-... and 15 more in rtl")

    def test_a_view_is_that_of_the_set(self):
        out = subprocess.run([view.__file__, "--block", "l1/mrpb", "--set", "odd"], capture_output=True, text=True, check=True).stdout
        self.assertIn("\ntop.in.enq_data_i[135:0]\n", out)
        self.assertTrue(out.startswith("[*] MRPB"))


class Picture(House):
    def height_asked(self, rows, **environment):
        """Of GTKWave's window, in the settings that it is given; it and its display are not there."""
        self.write("x.fst", "")
        self.write("x.gtkw", "[timestart] 0\n@28\n" + "top.a\n" * rows + "-\n")
        self.write("bin/xvfb-run", '#!/bin/sh\nwhile [ "$1" != -r ]; do shift; done\ncp "$2" "$OUT"\n')
        os.chmod(self.path("bin/xvfb-run"), 0o755)
        subprocess.run([os.path.join(SCRIPTS, "wave_png.sh"), self.path("x.fst"), self.path("x.gtkw"), self.path("x.png")], check=False,
                       capture_output=True, env={**os.environ, "PATH": self.path("bin") + ":" + os.environ["PATH"],
                                                 "OUT": self.path("settings"), **environment})
        settings = dict(line.split() for line in self.read("settings").splitlines() if line.startswith("initial_window"))
        return int(settings["initial_window_x"]), int(settings["initial_window_y"])

    def test_it_is_as_high_as_the_rows(self):
        self.assertEqual(self.height_asked(5), (1600, 400))
        self.assertEqual(self.height_asked(99), (1600, 100 * 22 + 150))
        self.assertEqual(self.height_asked(99, SIZE="1900x"), (1900, 100 * 22 + 150))
        self.assertEqual(self.height_asked(99, SIZE="800x600"), (800, 600))


if __name__ == "__main__":
    main()
