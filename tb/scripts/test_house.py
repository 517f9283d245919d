# SPDX-License-Identifier: Apache-2.0
"""Shared part of all tests of scripts: a folder that is removed after its test, commands and their output, a line per test.

Links beside this file lead to the packages under test, as Python looks for modules in the folder of the program that it runs.

The lines are cmocka's, as scripts/run_tests.sh counts and shows them. A test script is `from test_house import House, main`,
classes of tests, and main() at its end.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from warpmem.tools import house

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPTS = os.path.join(ROOT, "scripts")
BUILD = os.path.join(ROOT, os.environ.get("WARPMEM_BUILD", "build"))
TOOL = os.path.join(SCRIPTS, "tool")


class House(unittest.TestCase):
    """Each test has a folder of its own."""
    PREFIX, PLACE = "warpmem_test_", None  # of its name; of the folder that it is in, None is the usual one

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix=self.PREFIX, dir=self.PLACE)
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text, mode="w"):
        """Its path."""
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, mode, encoding="utf-8") as file:
            file.write(text)
        return path

    def program(self, name, text):
        """The same, and it can be run."""
        path = self.write(name, text)
        os.chmod(path, 0o755)
        return path

    def read(self, name):
        return house.read(self.path(name))

    def bytes(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def json(self, name):
        return json.loads(self.read(name))

    def table(self, name):
        """Rows of columns between tabs, as dictionaries."""
        return house.read_table(self.path(name))

    def until(self, what, seconds=60):
        end = time.monotonic() + seconds
        while not what():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)

    def one_line(self, ended, part, code=2):
        """A command ended like this: with its code, nothing on standard output, and one line with this part on standard error, which
        this gives."""
        self.assertEqual((ended[0], ended[1], ended[2].count("\n")), (code, "", 1), ended[2])
        self.assertIn(part, ended[2])
        return ended[2]

    def change(self, name, old, new):
        """The text to be changed stands there once."""
        text = self.read(name)
        self.assertEqual(text.count(old), 1, f"{old} in {name}")
        self.write(name, text.replace(old, new))


def said(*words, **more):
    """(exit code, standard output, standard error) of a command."""
    done = subprocess.run(words, text=True, capture_output=True, check=False, **more)
    return done.returncode, done.stdout, done.stderr


class Lines(unittest.TextTestResult):
    """cmocka's; what went wrong stands at the end, under each test's name."""

    @staticmethod
    def say(word, test):
        print(f"[ {word} ] {test.id().removeprefix('__main__.')}", flush=True)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.say("      OK", test)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.say(" FAILED ", test)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err:
            self.say(" FAILED ", subtest)

    def addError(self, test, err):
        super().addError(test, err)
        self.say(" ERROR  ", test)


def main():
    """Exit code 0: there were tests, and none of them failed."""
    runner = unittest.TextTestRunner(resultclass=Lines, stream=sys.stdout, verbosity=0)
    result = unittest.main(testRunner=runner, exit=False).result
    sys.exit(0 if result.wasSuccessful() and result.testsRun else 1)
