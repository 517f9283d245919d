#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of what all tests of scripts share, and of what the tools share (scripts/house)."""
import io
import os
import signal
import subprocess
import sys
import time
import unittest
from unittest import mock

sys.dont_write_bytecode = True
from test_house import SCRIPTS, House, main, said  # noqa: E402

import house  # noqa: E402
import work  # noqa: E402

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
    parser = Parser("tool", "What it does.")
    parser.add_argument("--count", type=number(2, 5, "nm"))
    parser.parse_args(words)
    # here

run_tool("tool", main)
"""


class Frame(House):
    def ran(self, body):
        """Output and exit of scripts/run_tests.sh for a script with this as its second test."""
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
                          ("raise OSError(28, 'No space left', 'x')", (1, "", "tool: x: No space left\n")),
                          ("raise KeyboardInterrupt", (130, "", "tool: stopped; the same command goes on from here\n"))):
            self.assertEqual(self.ends(body), end)
        code, _, err = self.ends("raise KeyError(3)")  # a mistake of ours shows where it is
        self.assertEqual((code, "Traceback" in err), (1, True))

    def test_wrong_options_are_one_line(self):
        for words, says in ((["--count", "6"], "argument --count: '6': must be 2..5 nm"), (["--count", "-1"], "--count"),
                            (["--count", "3x"], "'3x': must be 2..5 nm"), (["--other"], "unrecognized arguments: --other")):
            err = self.one_line(self.ends("print(1)", *words), says)
            self.assertTrue(err.endswith("; --help lists what is allowed\n"), err)
        self.assertEqual(self.ends("print(1)", "--count", "5"), (0, "1\n", ""))

    def test_signals_end_it_as_control_c_does_unless_they_are_ignored(self):
        kill = "os.kill(os.getpid(), signal.SIG{}); return 7"
        # These tests may run under nohup themselves.
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


class Kept(House):
    def test_what_is_whole_and_of_the_same_key_is_believed(self):
        path = self.path("new/result.json")
        self.assertEqual(work.looked_up(path, "a"), (None, None))
        work.keep(path, "a", {"luts": 3}, version=1)
        self.assertEqual(os.listdir(self.path("new")), ["result.json"])
        self.assertEqual(work.looked_up(path, "a", version=1), ({"luts": 3}, None))
        self.assertEqual((work.kept_result(path, "a"), work.kept_result(path, work.ANY)), ({"luts": 3}, {"luts": 3}))
        self.assertEqual(work.looked_up(path, "b")[1], "was run for another key")
        self.assertEqual(work.looked_up(path, "a", version=2)[1], "is of version 1, not 2")
        whole = self.read("new/result.json")
        for text, fault in ((whole[:-9], "is no JSON, or cut off"), ("[]", "is not a kept result"), ('{"key": "a"}',) * 2,
                            (whole.replace("3", "4"), "its checksum is not that of its contents")):
            self.write("new/result.json", text)
            self.assertIsNone(work.kept_result(path, "a"))
            self.assertIn(fault if fault != text else "is not a kept result", work.looked_up(path, "a")[1])
        os.remove(path)
        os.mkdir(path)
        self.assertIsNone(work.kept_result(path, "a"))


class Jobs(House):
    def test_results_come_as_they_end(self):
        self.assertEqual(sorted(work.in_parallel(lambda n: n * n, [1, 2, 3], 2)), [(1, 1), (2, 4), (3, 9)])
        self.assertEqual(list(work.in_parallel(abs, [], 2)), [])

    def test_what_goes_wrong_lets_no_other_begin_and_ends_the_programs(self):
        begun = []

        def one(item):
            begun.append(item)
            if item == "wrong":
                while "long" not in begun:
                    time.sleep(0.01)
                raise house.ToolFailed("wrong")
            subprocess.run(["sleep", "300"], check=False)
        begin = time.monotonic()
        with self.assertRaisesRegex(house.ToolFailed, "wrong"):
            list(work.in_parallel(one, ["wrong", "long", "never"], 2))
        self.assertEqual(sorted(begun), ["long", "wrong"])
        self.assertLess(time.monotonic() - begin, 100)

    def test_who_does_not_end_when_asked_is_killed(self):
        """A signal comes while they are at work."""
        body = f"""sys.path.append({os.path.join(SCRIPTS, "house")!r}); import subprocess, threading, time, work
    stubborn = ["sh", "-c", "trap '' TERM; while :; do sleep 0.1; done"]
    threading.Timer(1, os.kill, (os.getpid(), signal.SIGTERM)).start()
    return [*work.in_parallel(lambda _: subprocess.run(stubborn), "ab", 2)]"""
        self.assertEqual(said(sys.executable, self.write("tool.py", TOOL.replace("# here", body)))[0], 130)

    def test_time_left_goes_by_what_each_took_before_and_by_how_fast_it_goes_now(self):
        progress = work.Progress("x", ["a", "b", "c"], 2, {"a": 10.0, "b": 30.0, "of others": 900.0})
        self.assertEqual(progress.left(), 30.0)  # c is as long as the others on average
        progress.begun -= 5.0
        progress.step("a", 5.0)
        self.assertAlmostEqual(progress.left(), 25.0, delta=0.5)
        progress = work.Progress("x", "abcd", 2)
        self.assertIsNone(progress.left())
        progress.begun -= 6.0
        progress.step("a", worked=False)  # it was kept
        self.assertIsNone(progress.left())
        progress.step("b")
        self.assertAlmostEqual(progress.left(), 12.0, delta=0.5)

    def test_a_line_says_it_each_20_seconds_where_there_is_no_terminal(self):
        with mock.patch("sys.stderr", io.StringIO()) as err:
            progress = work.Progress("x", "abcd", 2)
            progress.step("a")
            progress.said -= 20
            progress.begun -= 120
            progress.step("b")
            progress.step("c")
            progress.said -= 20
            progress.step("d")
        self.assertEqual(err.getvalue(), "x: 2 of 4, about 2 min left\n")


class Tables(House):
    def test_columns_stand_under_each_other_and_comments_are_left_out(self):
        self.assertEqual(house.aligned([("name", "n", "why"), ("a", "12", "")], (0, 2)), ["name   n  why", "a     12"])
        self.assertEqual(house.tsv([("a", "b"), (1, None)]), "a\tb\n1\tNone\n")
        path = self.write("t.tsv", "# why\na\tb\n# more\n1\t2\n")
        self.assertEqual(house.read_table(path), [{"a": "1", "b": "2"}])


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
