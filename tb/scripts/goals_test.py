#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/run_goals.py in a small tree with goals made up here."""
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
from test_house import ROOT, SCRIPTS, House, main  # noqa: E402

import variables  # noqa: E402
import work  # noqa: E402

TOOL = os.path.join(SCRIPTS, "run_goals.py")
TABLE = """# comment
goal\tdoes not read
tools\talways
pages\tnothing
one,two\t*.md docs/
one,two\tdata/*/x?
*\t*.md
"""
MAKEFILE = """.PHONY: tools pages one two three
tools pages one two three:
	@echo "$@ $(OPT)" >>$(LOG)
	@! test -e wait.$@ || exec sleep 30
	@! test -e touch.$@ || echo more >>source.c
	@! test -e fail.$@ -o -e build/fail.$@
"""


class Goals(House):
    def setUp(self):
        super().setUp()
        self.log, self.folder = self.path("ran"), self.path("tree")
        for name, text in (("scripts/goals.tsv", TABLE), ("Makefile", MAKEFILE), (".gitignore", "/build/\n"),
                           *((name, "text\n") for name in (
                               "source.c", "README.md", "docs/deep/a.txt", "data/a/x1", "sub/a.md"))):
            self.write(name, text)
        subprocess.run(["git", "init", "-q", "."], cwd=self.folder, check=True)

    def remove(self, name):
        os.remove(self.path(name))

    def start(self, *goals, **more):
        environment = {name: value for name, value in os.environ.items()
                       if name not in (*variables.OF_MAKE, *variables.DECIDING)}
        environment.update(LOG=self.log, JOBS="1", **more)
        return subprocess.Popen([TOOL, *goals], cwd=self.folder, env=environment, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, start_new_session=True)

    def goals(self, *goals, code=0, **more):
        child = self.start(*goals, **more)
        out, err = child.communicate()
        self.assertEqual(code, child.returncode, out + err)
        return out, err

    def ran(self):
        """Goals since the last time."""
        lines = []
        if os.path.exists(self.log):
            lines = [line.strip() for line in self.read(self.log).splitlines()]
            os.remove(self.log)
        return lines

    def test_what_passed_is_not_made_again(self):
        self.goals("one", "three")
        self.assertEqual(["one", "three"], self.ran())
        out, _ = self.goals("one", "three")
        self.assertEqual([], self.ran())
        self.assertIn("== one: passed before with the same sources", out)
        self.goals("--again", "one")
        self.assertEqual(["one"], self.ran())

    def test_a_change_runs_what_may_read_it(self):
        every = ["tools", "pages", "one", "two", "three"]
        self.goals(*every)
        self.ran()
        for name, again in (("source.c", every), ("new.c", every), ("README.md", ["tools", "pages"]),
                            ("docs/deep/a.txt", ["tools", "pages", "three"]), ("data/a/x1", ["tools", "pages", "three"]),
                            ("data/x1", every), ("sub/a.md", every), ("build/out", ["tools"])):
            self.write(name, "more\n", "a")
            self.goals(*every)
            self.assertEqual(again, self.ran(), name)
        os.chmod(self.path("source.c"), 0o755)
        self.goals("one")
        self.assertEqual(["one"], self.ran())

    def test_a_removed_file_is_a_change(self):
        self.goals("one")
        self.ran()
        self.remove("data/a/x1")
        self.goals("one")
        self.assertEqual([], self.ran())  # its own line says so
        self.remove("source.c")
        self.goals("one")
        self.assertEqual(["one"], self.ran())

    def test_outside_of_git_all_files_count_but_the_builds(self):
        shutil.rmtree(self.path(".git"))
        self.goals("one", GIT_DIR=self.path("absent"))
        self.ran()
        self.goals("one", GIT_DIR=self.path("absent"))
        self.assertEqual([], self.ran())
        self.write("source.c", "more", "a")
        self.goals("one", GIT_DIR=self.path("absent"))
        self.assertEqual(["one"], self.ran())

    def test_variables_of_make_are_part_of_it(self):
        self.goals("one", OPT="-O0")
        self.goals("one", OPT="-O3")
        self.assertEqual(["one -O0", "one -O3"], self.ran())
        self.goals("one", MAKEFLAGS=" -- OPT=-O1 JOBS=7")
        self.assertEqual(["one -O1"], self.ran())
        self.goals("one", MAKEFLAGS=" -- OPT=-O1 JOBS=8")
        self.assertEqual([], self.ran())

    def test_variables_of_the_environment_are_part_of_it(self):
        for name in ("KIND", "FAMILY", "SPEED", "CACTI", "REPLAY", "LIMITS"):
            self.goals("one", **{name: "some"})
            self.assertEqual(["one"], [line.split()[0] for line in self.ran()], name)
            self.goals("one", **{name: "some"})
            self.assertEqual([], self.ran(), name)
        self.goals("one")  # what passed with KIND=area says nothing of all kinds
        self.assertEqual(["one"], self.ran())
        self.goals("one", V="1", BUILD="other", AGAIN="")
        self.assertEqual([], self.ran())

    def test_what_make_only_says_or_forgives_is_no_pass(self):
        self.goals("one", MAKEFLAGS="n")
        self.assertEqual([], self.ran())
        self.goals("two", MAKEFLAGS="e")  # the environment may have been anything
        self.goals("two", MAKEFLAGS="e")
        self.assertEqual(["two", "two"], self.ran())
        self.write("fail.two", "")
        self.goals("two", MAKEFLAGS="i")
        self.goals("one", "two", code=1)
        self.assertEqual(["two", "one", "two"], self.ran())

    def test_a_failing_goal_stops_and_runs_again(self):
        self.write("fail.two", "")
        out, err = self.goals("one", "two", "three", code=1)
        self.assertEqual(["one", "two"], self.ran())
        self.assertIn("FAILED: make two; the same command goes on there", err)
        self.assertRegex(out, r"two .* FAILED")
        self.remove("fail.two")
        self.goals("one", "two", "three")
        self.assertEqual(["one", "two", "three"], self.ran())  # the file that failed it was one of the tree

    def waiting_in(self, goal):
        child = self.start("one", "two", "three")
        self.until(lambda: os.path.exists(self.log) and goal in self.read(self.log))
        return child

    def test_a_killed_run_goes_on_and_leaves_nobody_at_work(self):
        self.write("wait.two", "")
        child = self.waiting_in("two")
        child.send_signal(signal.SIGKILL)
        child.communicate()  # ends only when nobody has its output any more
        self.assertEqual(["one", "two"], self.ran())
        end = time.monotonic()
        child = self.waiting_in("two")
        self.assertEqual(["two"], self.ran())
        child.send_signal(signal.SIGTERM)
        _, err = child.communicate()
        self.assertEqual(130, child.returncode)
        self.assertIn("stopped; the same command goes on from here", err)
        self.assertLess(time.monotonic() - end, 25)

    def test_one_at_a_time(self):
        self.write("wait.two", "")
        child = self.waiting_in("two")
        _, err = self.goals("one", code=2)
        self.assertEqual(1, len(err.splitlines()), err)
        self.assertIn("another make test or make check is at work", err)
        child.terminate()
        child.communicate()

    def test_files_that_change_meanwhile_make_it_run_again(self):
        self.write("touch.one", "")
        out, err = self.goals("one", code=1)
        self.assertIn("one: files changed while it ran", err)
        self.assertNotIn("all passed", out)
        self.ran()
        self.remove("touch.one")
        self.goals("one")
        self.assertEqual(["one"], self.ran())

    def test_a_change_behind_a_goal_that_passed_is_no_pass_of_all(self):
        self.write("touch.two", "")
        out, err = self.goals("one", "two", code=1)
        self.assertIn("FAILED: files changed since these passed: one two", err)
        self.assertNotIn("all passed", out)
        self.remove("touch.two")
        self.goals("one", "two")
        self.assertEqual(["one", "two"] * 2, self.ran())

    def test_contents_of_a_file_that_a_variable_names_count(self):
        library = os.path.join(self.folder, "..", "my cells.lib")
        told = (({"LIBERTY": library}), ({"MAKEFLAGS": " -- LIBERTY=" + library.replace(" ", "\\ ")}))
        for variable in told:
            for text in ("a", "b"):
                self.write(library, text)
                self.goals("one", **variable)
                self.goals("one", **variable)
                self.assertEqual(1, len(self.ran()), (variable, text))
        os.remove(library)

    def test_a_build_in_the_tree_is_no_source(self):
        for _ in range(2):
            self.goals("--build", "b2", "one")
        self.assertEqual(["one"], self.ran())

    def test_what_failed_last_did_not_pass(self):
        self.goals("one")
        self.write("build/fail.one", "")
        self.goals("--again", "one", code=1)
        self.remove("build/fail.one")
        self.ran()
        self.goals("one")
        self.assertEqual(["one"], self.ran())

    def test_a_named_file_that_changes_meanwhile_is_a_change(self):
        self.write("Makefile", "one:\n\t@echo more >>$(LIBERTY)\n")
        _, err = self.goals("one", code=1, LIBERTY=self.write("build/cells.lib", "a"))
        self.assertIn("files changed while it ran", err)

    def test_what_a_goal_took_before_it_was_stopped_counts(self):
        path = self.path("build/goals/two.unfinished.json")
        for same, says in ((True, "1 min 4"), (False, "two +0 s")):
            self.write("build/fail.two", "")
            self.goals("--again", "two", code=1)
            work.keep(path, json.loads(self.read(path))["key"] if same else "of other files", [100.0, 1.0])
            self.remove("build/fail.two")
            out, _ = self.goals("--again", "two")
            self.assertRegex(out, says)
            self.assertFalse(os.path.exists(path))

    def test_a_killed_goal_says_what_it_took(self):
        self.write("wait.two", "")
        child = self.waiting_in("two")
        time.sleep(1.2)
        child.terminate()
        child.communicate()
        self.assertGreater(work.kept_result(self.path("build/goals/two.unfinished.json"), work.ANY)[0], 1)

    def test_a_broken_record_is_not_believed(self):
        self.goals("one")
        self.ran()
        self.write("build/goals/one.json", "{")
        self.goals("one")
        self.assertEqual(["one"], self.ran())

    def test_the_table_at_the_end_sums_times(self):
        self.goals("one")
        out, _ = self.goals("one", "two")
        for line in (r"one +\d+ s +\d+ s  passed before", r"two +\d+ s +\d+ s", r"this time +\d+ s +\d+ s",
                     r"with those before +\d+ s +\d+ s", r"all passed: one two"):
            self.assertRegex(out, re.compile("^" + line + "$", re.M))

    def test_wrong_input_is_one_line(self):
        _, err = self.goals("--nothing", "one", code=2)
        self.assertIn("--help lists what is allowed", err)
        for text, says in (("goal\tx\none\n", "one: must be"), ("goal\tx\none\ta\none\talways\n", "one: has two lines"),
                           ("goal\tx\none\ta\n", "must have a line for *")):
            self.write("scripts/goals.tsv", text)
            _, err = self.goals("one", code=2)
            self.assertEqual(1, len(err.splitlines()), err)
            self.assertIn(says, err)


class Project(unittest.TestCase):
    def test_the_table_names_goals_and_files_that_exist(self):
        with open(os.path.join(ROOT, "scripts", "rules.mk"), encoding="utf-8") as file:
            rules = file.read()
        goals = re.search(r"TEST_GOALS := ((?:.*\\\n)*.*)\nCHECK_GOALS := ((?:.*\\\n)*.*)", rules).expand(r"\1 \2")
        known = set(goals.replace("\\\n", " ").split())
        with open(os.path.join(ROOT, "scripts", "goals.tsv"), encoding="utf-8") as file:
            rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")][1:]
        for names, patterns in rows:
            for goal in names.split(","):
                self.assertIn(goal, known | {"*"})
            for pattern in patterns.split():
                if "/" in pattern:
                    self.assertTrue(os.path.exists(os.path.join(ROOT, pattern.partition("*")[0])), pattern)

    @staticmethod
    def files(*names):
        return "\n".join(re.sub(r"^\s*#.*", "", open(path, encoding="utf-8").read(), flags=re.M)
                         for name in names for path in sorted(glob.glob(os.path.join(ROOT, name), recursive=True)))

    def test_every_variable_that_something_reads_is_listed(self):
        """Read and not set: by a makefile, or out of the environment by a script."""
        rules = self.files("Makefile", "capture/*.mk", "rtl/*.mk", "scripts/**/*.mk", "tb/**/*.mk", "cmodel/**/*.mk")
        read = set(re.findall(r"\$[({](?:(?:if|or|and|strip) *)?(?:\$\()?([A-Z][A-Z0-9_]*)\b", rules))
        read -= set(re.findall(r"^([A-Z][A-Z0-9_]*) *:?=", rules, re.M))
        read = {name for name in read if name not in ("MAKE", "MAKECMDGOALS", "MAKEFILE_LIST")}
        self.assertLessEqual({"BLOCK", "CC", "OPT", "SPEED", "AGAIN"}, read)
        read |= set(re.findall(r"\$\{([A-Z][A-Z0-9_]*):?[-+?=]", self.files("scripts/*.sh", "tb/**/*.sh")))
        read |= set(re.findall(r"environ(?:\.get\(|\[)\"([A-Z][A-Z0-9_]*)\"", self.files("scripts/**/*.py", "tb/fuzz/*.py")))
        self.assertIn("LIMITS", read)
        read -= set(variables.OF_MAKE)
        listed = [*variables.DECIDING, *variables.NO_MATTER, *variables.HANDED_ON]
        self.assertEqual(len(set(listed)), len(listed))
        # Where files for a moment go, and whether there is somebody who looks.
        self.assertEqual(sorted(listed), sorted(read - {"TMPDIR", "DISPLAY"}))


if __name__ == "__main__":
    main()
