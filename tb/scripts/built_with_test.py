#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/built_with.sh, and that the Makefile asks it: other flags or tools compile everything again."""
import os
import subprocess
import sys

sys.dont_write_bytecode = True
from test_house import ROOT, House, main  # noqa: E402

OBJECT = "obj/cmodel/base/ring.o"
SAID = "other flags or tools"


class Makefile(House):
    def make(self, *words, goal=OBJECT, code=0):
        """(whether the object was compiled, what make said)"""
        path = self.path("b/" + OBJECT)
        before = os.stat(path).st_mtime_ns if os.path.exists(path) else None
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
        goals = [self.path("b/" + goal)] if goal == OBJECT else goal.split()
        done = subprocess.run(["make", *words, f"BUILD={self.path('b')}", *goals], cwd=ROOT, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.assertEqual(done.returncode, code, done.stdout)
        return os.path.exists(path) and os.stat(path).st_mtime_ns != before, done.stdout

    def test_other_flags_compile_again_and_the_same_do_not(self):
        self.assertTrue(self.make("OPT=-O0")[0])
        for words in (["OPT=-O0"], ["--no-print-directory", "OPT=-O0"], ["OPT=-O0", "CXXFLAGS_RTL=-O1"]):
            self.assertFalse(self.make(*words)[0])
        for words in (["OPT=-O1"], ["--no-print-directory", "OPT=-O0"], ["-s", "OPT=-O0", "CFLAGS=-DA=\\'a\\'"],
                      ["OPT=-O0", "CC=clang"], ["OPT=-O0", "CC=gcc -DA=1"], ["OPT=-O0", "LDFLAGS=-s"]):
            again, text = self.make(*words)
            self.assertTrue(again and SAID in text, (words, text))
            again, text = self.make(*words)
            self.assertFalse(again or SAID in text, (words, text))

    def test_models_go_with_their_own_flags_alone(self):
        self.make("OPT=-O0")
        for words, left in (([], True), (["CXXFLAGS_RTL=-O1"], False), (["CXXFLAGS_RTL=-O1"], True), (["RTL_COVERAGE=1"], False),
                            (["RTL_COVERAGE=1", "CFLAGS=-DA"], True), (["RTL_COVERAGE=1", "CXX=clang++"], False)):
            for folder in ("rtl", "mutants/l1"):
                os.makedirs(self.path("b/" + folder), exist_ok=True)
            self.make("OPT=-O0", *words)
            for folder in ("rtl", "mutants"):
                self.assertEqual(os.path.exists(self.path("b/" + folder)), left, words)

    def test_goals_that_compile_nothing_remove_nothing(self):
        self.make("OPT=-O0")
        self.make("OPT=-O1", goal="help")
        self.make("OPT=-O1", "CC=false", "BLOCK=l2/bypass", goal="mutant", code=2)
        self.make("-n", "OPT=-O1")
        self.make("-q", "OPT=-O1")
        self.assertTrue(os.path.exists(self.path("b/" + OBJECT)))
        self.assertFalse(self.make("OPT=-O0")[0])
        again, text = self.make("OPT=-O1", goal=f"help {self.path('b/' + OBJECT)}")
        self.assertTrue(again and SAID in text)

    def test_what_is_cleaned_is_compiled_once(self):
        self.make("OPT=-O0")
        self.assertTrue(self.make("OPT=-O0", goal=f"clean {self.path('b/' + OBJECT)}")[0])
        self.assertFalse(self.make("OPT=-O0")[0])
        self.make("OPT=-O0", goal="clean")
        self.assertFalse(os.path.exists(self.path("b")))


class Script(House):
    def call(self, **environment):
        done = subprocess.run([os.path.join(ROOT, "scripts", "built_with.sh"), self.path("b"), "model", "-O1",
                               self.path("bin/cc") + " -m64", "obj", "rtl"], check=True, capture_output=True, text=True,
                              env=dict(os.environ, **environment))
        return done.stderr

    def there(self, *folders):
        for folder in folders:
            os.makedirs(self.path("b/" + folder), exist_ok=True)

    def test_another_tool_under_the_same_name_counts(self):
        for version, left in (("1", False), ("1", True), ("2", False)):
            self.program("bin/cc", f"#!/bin/sh\necho $LANG >&2\necho cc {version} $LC_ALL\n")
            self.there("obj", "rtl")
            self.call(LANG=version, LC_ALL="en_US.UTF-8" if left else "C")
            for folder in ("obj", "rtl"):
                self.assertEqual(os.path.exists(self.path("b/" + folder)), left)

    def test_a_part_that_a_kill_left_goes_as_well(self):
        self.program("bin/cc", "#!/bin/sh\n")
        self.call()
        os.remove(self.path("b/built_with_model"))
        self.there("rtl")
        self.assertIn("compiled again: rtl", self.call())
        self.assertFalse(os.path.exists(self.path("b/rtl")))
        self.assertEqual(self.call(), "")


if __name__ == "__main__":
    main()
