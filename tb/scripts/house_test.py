#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of what all tests of scripts share, and of what the tools share (scripts/house)."""
import os
import signal
import subprocess
import sys
import unittest
from unittest import mock

sys.dont_write_bytecode = True
from test_house import SCRIPTS, House, main, said  # noqa: E402

import house  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
FRAME = f"""#!/usr/bin/python3
import sys
import unittest
sys.dont_write_bytecode = True
sys.path.insert(0, {HERE!r})
from test_house import House, main


class Some(House):
    def test_good(self):
        self.assertEqual(self.read(self.write("deep/file", "text")), "text")

    def test_other(self):
        pass


if __name__ == "__main__":
    main()
"""

TOOL = f"""import os, signal, sys
sys.dont_write_bytecode = True
sys.path.insert(0, {os.path.join(SCRIPTS, "house")!r})
from house import *


def main(words):
    parser = Parser(prog="tool")
    parser.add_argument("--count", type=number(2, 5, "nm"))
    parser.parse_args(words)
    # here

run_tool("tool", main, (signal.SIGTERM, signal.SIGHUP))
"""


class Frame(House):
    def ran(self, body):
        """What scripts/run_tests.sh says of a script with this for its second test, and how it ends."""
        program = self.program("some_test.py", FRAME.replace("pass\n", body + "\n"))
        code, out, err = said(os.path.join(SCRIPTS, "run_tests.sh"), self.path("logs"), program)
        self.assertEqual(err, "")
        return code, out

    def test_good_ones_are_counted(self):
        code, out = self.ran("pass")
        self.assertEqual(code, 0, out)
        self.assertRegex(out, r"PASS +\S+some_test.py \(2 tests, ")

    def test_bad_ones_are_shown_and_end_it_with_1(self):
        for body, line in (
                ("self.assertEqual(1, 2)", "[  FAILED  ] Some.test_other"),
                ("raise OSError", "[  ERROR   ] Some.test_other"),
                ("self.write('file', '1'); self.change('file', '2', '3')", "[  FAILED  ] Some.test_other"),
                ("with self.subTest(at=3): self.assertEqual(1, 2)", "[  FAILED  ] Some.test_other (at=3)"),
                ("with self.subTest(at=3): self.folder = 1 / 0", "[  FAILED  ] Some.test_other (at=3)")):
            with self.subTest(body=body):
                code, out = self.ran(body)
                self.assertNotEqual(code, 0)
                self.assertRegex(out, r"FAIL +\S+some_test.py \(exit 1\)")
                self.assertIn(line + "\n", out)

    def test_no_tests_are_no_success(self):
        program = self.program("some_test.py", FRAME)
        self.assertEqual(said(program, "Some.test_good")[0], 0)
        code, out, _ = said(program, "-k", "none_of_this_name")
        self.assertEqual((code, "Ran 0 tests" in out), (1, True))

    def test_a_folder_goes_with_its_test(self):
        inner = type("Inner", (House,), {"test": lambda test: self.seen.append(test.write("a/b", ""))})
        self.seen = []
        inner("test").run(unittest.TestResult())
        self.assertFalse(os.path.exists(os.path.dirname(os.path.dirname(self.seen[0]))))


class Tool(House):
    def ends(self, body, *words):
        return said(sys.executable, self.write("tool.py", TOOL.replace("# here", body)), *words)

    def test_exit_codes_and_one_line(self):
        for body, end in (("return 3", (3, "", "")), ("pass", (0, "", "")),
                          ("raise BadInput('x: must be y')", (2, "", "tool: x: must be y\n")),
                          ("raise ToolFailed('x: ended')", (1, "", "tool: x: ended\n")),
                          ("raise KeyboardInterrupt", (130, "", "tool: stopped; the same command goes on from here\n"))):
            self.assertEqual(self.ends(body), end)
        code, _, err = self.ends("raise KeyError(3)")  # a mistake of ours shows where it is
        self.assertEqual((code, "Traceback" in err), (1, True))

    def test_wrong_options_are_one_line(self):
        for words, says in ((["--count", "6"], "argument --count: '6': must be 2..5 nm"), (["--count", "-1"], "--count"),
                            (["--count", "3x"], "'3x': must be 2..5 nm"), (["--other"], "unrecognized arguments: --other")):
            code, out, err = self.ends("print(1)", *words)
            self.assertEqual((code, out, err.count("\n")), (2, "", 1), err)
            self.assertIn(says, err)
            self.assertTrue(err.endswith("; --help lists what is allowed\n"), err)
        self.assertEqual(self.ends("print(1)", "--count", "5"), (0, "1\n", ""))

    def test_signals_end_it_as_control_c_does_unless_they_are_ignored(self):
        kill = "os.kill(os.getpid(), signal.SIG{}); return 7"
        # Whether these tests run under nohup themselves is no matter.
        self.addCleanup(signal.signal, signal.SIGHUP, signal.signal(signal.SIGHUP, signal.SIG_DFL))
        for name in ("TERM", "HUP"):
            self.assertEqual(self.ends(kill.format(name))[0], 130)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
        self.assertEqual(self.ends(kill.format("HUP"))[0], 7)

    def test_a_reader_that_goes_away_is_no_mistake(self):
        held_back = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        for body in ("print(1, flush=True)", "print(1)"):
            reader, writer = os.pipe()
            os.close(reader)
            with os.fdopen(writer, "w", encoding="utf-8") as gone:
                done = subprocess.run([sys.executable, self.write("tool.py", TOOL.replace("# here", body))], stdout=gone,
                                      stderr=subprocess.PIPE, text=True, check=False, env=held_back)
            self.assertEqual((done.returncode, done.stderr), (141, ""))

    def test_commands_must_succeed(self):
        self.assertEqual(house.command(["sh", "-c", "echo $WORD; cat"], env={"WORD": "x"}), "x\n")
        for words, says in ((["sh", "-c", "echo a; echo b >&2; echo c >&2; exit 3"], "exit code 3: b | c$"),
                            (["/nonexistent"], "^/nonexistent: No such file"), (["sleep", "9"], "^sleep: no answer in 0.1 s")):
            with self.assertRaisesRegex(house.ToolFailed, says):
                house.command(words, 0.1 if words[0] == "sleep" else 60)

    def test_one_of_them_at_a_time(self):
        first = house.only_one(self.path("new/folder"), "make x")
        with self.assertRaisesRegex(house.BadInput, "new/folder: another make x is at work there"):
            house.only_one(self.path("new/folder"), "make x")
        first.close()
        house.only_one(self.path("new/folder"), "make x").close()


class Files(House):
    def test_a_file_is_whole_or_as_it_was(self):
        path = self.path("new/file")
        house.write_whole(path, "one")
        with mock.patch("os.replace", side_effect=OSError("full")), self.assertRaises(OSError):
            house.write_whole(path, "two")
        with self.assertRaises(UnicodeEncodeError):
            house.write_whole(path, "three \udc80")
        self.assertEqual((self.read("new/file"), os.listdir(self.path("new"))), ("one", ["file"]))
        house.write_whole(path, "two")
        self.assertEqual((self.read("new/file"), os.stat(path).st_mode & 0o777), ("two", 0o644))

    def test_an_equal_one_keeps_its_time(self):
        path = self.path("file")
        house.write_if_changed(path, "one")
        os.utime(path, (1, 1))
        house.write_if_changed(path, "one")
        self.assertEqual(os.stat(path).st_mtime, 1)
        house.write_if_changed(path, "two")
        self.assertEqual(self.read("file"), "two")
        self.assertGreater(os.stat(path).st_mtime, 1)

    def test_hashes_are_of_names_and_contents(self):
        self.assertNotEqual(house.hash_of("a", "b"), house.hash_of("b", "a"))
        self.assertNotEqual(house.hash_of("ab"), house.hash_of("a", "b"))
        a, b = self.write("a", "one"), self.write("b", "two")
        before = house.hash_files([a, b])
        self.assertEqual(house.hash_files([b, a, b]), before)
        self.write("a", "two")
        self.write("b", "one")
        self.assertNotEqual(house.hash_files([a, b]), before)
        self.assertNotEqual(house.hash_of_file(a), house.hash_of_file(b))
        self.write("b", "two")
        self.assertEqual(house.hash_of_file(a), house.hash_of_file(b))


if __name__ == "__main__":
    main()
