#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the view that `make waves` shows: its rows, a person's view of another set, the registers, the picture's height."""
import os
import subprocess
import sys

sys.dont_write_bytecode = True
from test_house import ROOT, SCRIPTS, House, main, said  # noqa: E402

VIEW = os.path.join(ROOT, "cosim", "view.sh")
PORTS = "input rst_i 1\ninput enq_data_i 8\noutput deq_data_o 8\noutput lanes_o 12 4\n"


class View(House):
    def view(self, signals="", saved=None):
        self.write("ports.txt", PORTS)
        self.write("signals", signals)
        words = [VIEW, self.path("ports.txt"), self.path("signals")]
        if saved is not None:
            self.write("saved.gtkw", saved)
            words.append(self.path("saved.gtkw"))
        code, out, err = said(*words)
        self.assertEqual((code, err), (0, ""))
        return out.splitlines()

    def test_every_port_is_a_row_of_both_sides(self):
        rows = self.view()
        for row in ("top.cycle[63:0]", "top.rests", "top.differs", "top.in.rst_i", "top.in.enq_data_i[7:0]",
                    "+{c deq_data_o} top.c.deq_data_o[7:0]", "+{rtl deq_data_o} top.rtl.deq_data_o[7:0]",
                    "+{rtl lanes_o[3]} top.rtl.lanes_o[3][2:0]", "top.differ.deq_data_o", "top.differ.lanes_o"):
            self.assertIn(row, rows)
        self.assertNotIn("-registers of the Verilog", rows)

    def test_registers_are_below_the_ports(self):
        signals = "top.in.not_q\t1\nrtl.wm_b.turn_q\t1\nrtl.wm_b.turn_d\t1\nrtl.wm_b.g[0].word_q\t16\nrtl.wm_b.list_q[3]\t4\n"
        for saved in (None, "@28\ntop.clk\n"):
            rows = self.view(signals, saved)
            at = rows.index("-registers of the Verilog")
            self.assertEqual([row for row in rows[at:] if row.startswith("+")],
                             ["+{turn_q} rtl.wm_b.turn_q", "+{g[0].word_q} rtl.wm_b.g[0].word_q[15:0]",
                              "+{list_q[3]} rtl.wm_b.list_q[3][3:0]"])

    def test_more_registers_than_anyone_looks_at_are_counted(self):
        rows = self.view("".join(f"rtl.wm_b.r{i}_q\t1\n" for i in range(95)))
        self.assertEqual(sum(row.startswith("+{r") and "rtl.wm_b" in row for row in rows), 80)
        self.assertEqual(rows[-1], "-... and 15 more in rtl")

    def test_every_saved_view_shows_rests_and_differs(self):
        for folder, _, names in os.walk(os.path.join(ROOT, "waves")):
            for name in names:
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    lines = file.read().splitlines()
                self.assertIn("top.rests", lines, name)
                self.assertIn("top.differs", lines, name)

    def test_wrong_use_is_one_line(self):
        self.assertEqual(said(VIEW, "ports.txt"), (2, "", "usage: cosim/view.sh PORTS SIGNALS [SAVED.gtkw]\n"))


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
