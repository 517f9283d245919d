#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/rtl_files.py: with its files every block elaborates, and a user's testbench runs."""
import os
import subprocess

from test_house import ROOT, SCRIPTS, House, main, said
from warpmem.tools.block_table import area_sets, tops

TOOL = os.path.join(SCRIPTS, "rtl_files.py")


class Files(House):
    def files(self, block):
        code, out, err = said(TOOL, block)
        self.assertEqual((code, err), (0, ""))
        return out.split()

    def test_each_block_elaborates_with_its_files_and_no_other(self):
        os.chdir(ROOT)
        for block in (*area_sets(), *tops()):
            with self.subTest(block=block):
                top = "wm_" + block.rpartition("/")[2]
                done = subprocess.run(["iverilog", "-g2005", "-t", "null", "-s", top, *self.files(block)], capture_output=True, text=True,
                                      check=False, cwd=ROOT)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                for left_out in self.files(block):
                    rest = [path for path in self.files(block) if path != left_out]
                    if rest:
                        self.assertNotEqual(subprocess.run(["iverilog", "-g2005", "-t", "null", "-s", top, *rest], capture_output=True,
                                                           check=False, cwd=ROOT).returncode, 0, left_out)

    def test_the_example_runs(self):
        path = self.path("tb")
        subprocess.run(["iverilog", "-g2005", "-Wall", "-o", path, *self.files("l1/victim_tags"), "examples/verilog/victim_tags_tb.v"],
                       check=True, cwd=ROOT)
        done = subprocess.run([path], capture_output=True, text=True, check=True)
        self.assertIn("cycle 16: warp 3 had the line that it looked for\n", done.stdout)

    def test_an_unknown_block_is_one_line(self):
        code, out, err = said(TOOL, "l1/nix")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("l1/nix", err)


if __name__ == "__main__":
    main()
