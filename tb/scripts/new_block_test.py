#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/new_block.py: in a copy of the project, a new block passes lint, lockstep and its proofs as it is."""
import glob
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
from test_house import BUILD, ROOT, House, main, said

BLOCK = "l1/line_filter"


class NewBlock(House):
    def setUp(self):
        """With what BUILD has, so that little is compiled."""
        super().setUp()
        aside = {".git", "build", os.path.relpath(BUILD, ROOT).split(os.sep)[0]}
        shutil.copytree(ROOT, self.folder, ignore=lambda folder, names: aside if folder == ROOT else (), symlinks=True,
                        dirs_exist_ok=True)
        for path in glob.glob(os.path.join(BUILD, "*.a")) + glob.glob(os.path.join(BUILD, "*.flags")) + \
                glob.glob(os.path.join(BUILD, "rtl", "headers.h*")) + [os.path.join(BUILD, name) for name in ("obj", "gen")]:
            there = self.path(os.path.join("build", os.path.relpath(path, BUILD)))
            if os.path.isdir(path):
                shutil.copytree(path, there)
            else:
                os.makedirs(os.path.dirname(there), exist_ok=True)
                shutil.copy2(path, there)

    def make(self, *words):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
        done = subprocess.run(["make", f"BLOCK={BLOCK}", *words], cwd=self.folder, env=environment, text=True, capture_output=True,
                              check=False)
        return done.returncode, done.stdout + done.stderr

    def test_a_new_block_passes_as_it_is(self):
        self.assertEqual(self.make("new-block")[0], 0)
        for words, wanted in ((["lint-rtl"], "verilator iverilog yosys, clean"), (["block-tests-some"], "unit tests"),
                              (["formal-some"], "4 of 4 passed"), (["lint"], "PASS    lint")):
            code, text = self.make(*words)
            self.assertEqual(code, 0, text)
            self.assertIn(wanted, text)
        os.remove(self.path(f"tb/{BLOCK}_props.v"))
        code, text = self.make("lint-rtl")
        self.assertNotEqual(code, 0)
        self.assertIn(f"{BLOCK}: missing tb/{BLOCK}_props.v\n", text)


class BadName(House):
    def test_a_bad_name_is_one_line(self):
        tool = os.path.join(ROOT, "scripts", "new_block.py")
        for block, words in (("l1", "must be PLACE/NAME"), ("l9/some", "the place must be one of"), ("l2/fifo", "has this name already")):
            self.assertIn(words, self.one_line(said(tool, block), f"new_block: BLOCK={block}: "))


if __name__ == "__main__":
    main()
