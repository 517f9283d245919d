#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/built_with.sh, and that the Makefile asks it: other flags or tools compile everything again."""
import os
import subprocess
import sys

sys.dont_write_bytecode = True
from test_house import ROOT, House, main  # noqa: E402

OBJECT = "obj/cmodel/base/ring.o"


class BuiltWith(House):
    def make(self, *words):
        """(whether the object was compiled, what make said)"""
        path = self.path("b/" + OBJECT)
        before = os.stat(path).st_mtime_ns if os.path.exists(path) else None
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
        done = subprocess.run(["make", *words, f"BUILD={self.path('b')}", path], cwd=ROOT, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        return os.path.exists(path) and os.stat(path).st_mtime_ns != before, done.stdout

    def test_other_flags_compile_again_and_the_same_do_not(self):
        said = "other flags or tools than before"
        self.assertTrue(self.make("OPT=-O0")[0])
        for words in (["OPT=-O0"], ["--no-print-directory", "OPT=-O0"]):
            self.assertFalse(self.make(*words)[0])
        for words in (["OPT=-O1"], ["--no-print-directory", "OPT=-O0"], ["-s", "OPT=-O0", "CFLAGS=-DA=\\'a\\'"],
                      ["OPT=-O0", "CC=clang"], ["OPT=-O0", "CXXFLAGS_RTL=-O1"]):
            again, text = self.make(*words)
            self.assertTrue(again and said in text, (words, text))
            again, text = self.make(*words)
            self.assertFalse(again or said in text, (words, text))

    def test_what_only_says_what_it_would_do_removes_nothing(self):
        self.make("OPT=-O0")
        self.assertFalse(self.make("-n", "OPT=-O1")[0])
        self.assertTrue(os.path.exists(self.path("b/" + OBJECT)))
        self.assertFalse(self.make("OPT=-O0")[0])

    def test_another_tool_under_the_same_name_counts(self):
        script = os.path.join(ROOT, "scripts", "built_with.sh")
        for version, left in (("1", False), ("1", True), ("2", False)):
            self.write("bin/cc", f"#!/bin/sh\necho cc {version}\n")
            os.chmod(self.path("bin/cc"), 0o755)
            for folder in ("b/obj", "b/rtl"):
                os.makedirs(self.path(folder), exist_ok=True)
            subprocess.run([script, self.path("b"), self.path("bin/cc"), "c++", "-O1"], check=True, capture_output=True)
            for folder in ("b/obj", "b/rtl"):
                self.assertEqual(os.path.exists(self.path(folder)), left)


if __name__ == "__main__":
    main()
