#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of what all tests of scripts share: a test that fails ends its program with 1 and is shown."""
import os
import sys
import unittest

sys.dont_write_bytecode = True
from test_house import SCRIPTS, House, main, said  # noqa: E402

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


if __name__ == "__main__":
    main()
