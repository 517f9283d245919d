#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of tb/fuzz/fuzz.py: that each kind of error is found, told of with a command that repeats it, and kept."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from test_house import ROOT, House, main  # noqa: E402

import house  # noqa: E402

FUZZ = os.path.join(ROOT, "tb/fuzz/fuzz.py")
PLANTED = os.path.join(ROOT, "tb/fuzz/planted.c")
KINDS = ["nothing", "overrun", "undefined", "promise", "hang", "memory", "leak"]


class Fuzz(House):
    """One folder for all tests, as the programs take long to compile."""
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="warpmem_fuzz_test_")
        for number, kind in enumerate(KINDS):
            subprocess.run(["clang", "-g", "-O1", "-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=all",
                            f"-DPLANTED={number}", PLANTED, "-o", os.path.join(cls.folder, "fuzz-" + kind)], check=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def setUp(self):
        pass

    def fuzz(self, *words, seconds=30, timeout=25):
        """fuzz.py's exit status and what it said."""
        options = ["--build", self.folder, "--seconds", seconds, "--timeout", timeout, "--minimize", 2, "--memory", 512,
                   "--max-len", 64]
        run = subprocess.run([sys.executable, "-B", FUZZ, *map(str, options), *words], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, cwd=self.folder, check=False)
        return run.returncode, run.stdout

    def repeated(self, said):
        """Exit status and output of the command that the message names."""
        command = re.search(r"^  again   (.*)$", said, re.MULTILINE).group(1)
        run = subprocess.run(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                             cwd=self.folder, check=False)
        return run.returncode, run.stdout

    def found(self, kind, words, **how):
        status, said = self.fuzz(kind, **how)
        self.assertEqual(status, 1, said)
        self.assertRegex(said, rf"(?m)^FOUND {kind}: .*{words}")
        path = re.search(r"^  input   (\S+) ", said, re.MULTILINE).group(1)
        data = self.bytes(path)
        self.assertTrue(data.startswith(b"bug!"), data)
        status, again = self.repeated(said)
        self.assertNotEqual(status, 0)
        self.assertRegex(again, words)
        return data

    def test_reading_beyond_the_end_is_found_and_made_small(self):
        self.assertEqual(self.found("overrun", "heap-buffer-overflow"), b"bug!")

    def test_undefined_behaviour_is_found(self):
        self.found("undefined", "signed integer overflow")

    def test_a_broken_promise_is_found_and_made_small(self):
        self.assertEqual(self.found("promise", "deadly signal"), b"bug!")

    def test_a_hang_is_found(self):
        self.found("hang", "timeout", timeout=2)

    def test_much_memory_is_found(self):
        self.found("memory", "out-of-memory")

    def test_lost_memory_is_found(self):
        self.found("leak", "leak")

    def target(self, name, kind):
        """One of its own, as other tests' findings are in the way."""
        shutil.copy(self.path("fuzz-" + kind), self.path("fuzz-" + name))

    def inputs(self, name):
        return sorted(os.listdir(os.path.join(self.folder, "found", name)))

    def test_what_was_found_is_told_of_until_it_is_mended(self):
        self.target("known", "overrun")
        self.found("known", "heap-buffer-overflow")
        inputs = self.inputs("known")
        for _ in range(2):
            status, said = self.fuzz("known", seconds=2)
            self.assertEqual(status, 1, said)
            self.assertEqual(said.count("FOUND known: "), 1, said)  # the small one alone
            self.assertRegex(said, r"FOUND known: .*heap-buffer-overflow")
            self.assertNotEqual(self.repeated(said)[0], 0)
            self.assertEqual(self.inputs("known"), inputs)
        self.target("known", "nothing")
        status, said = self.fuzz("known", seconds=2)
        self.assertEqual(status, 0, said)
        for name in inputs:
            self.assertIn(f"found/known/{name} was found before and fails no more: removed", said)
        self.assertEqual(self.inputs("known"), [])

    def test_the_same_bytes_are_found_again(self):
        # A target that is always found with one input; where the file passes is, that passes when it is replayed.
        script = self.program("fuzz-same", """#!/bin/sh
for word; do
    case $word in
    -artifact_prefix=*) new=${word#*=} ;;
    -max_total_time=*) fuzz=1 ;;
    esac
done
[ ! -e passes ] || [ "$fuzz" ] || exit 0
[ ! "$fuzz" ] || printf 'bug!' >"${new}crash-1"
echo "ERROR: always"
exit 1
""")
        for _ in range(2):
            self.found("same", "ERROR: always")
            self.assertEqual(self.inputs("same"), ["crash-1", "small-crash-1"])
        # It passes now with the program that found it, so it fails at times.
        passes = self.write("passes", "")
        status, said = self.fuzz("same", seconds=2)
        self.assertEqual((status, said.count("FOUND same: not again: fails at times")), (1, 1), said)
        self.assertEqual(self.inputs("same"), ["crash-1", "small-crash-1"])
        # Another program that it fails with as well is noted as the one that found it.
        os.remove(passes)
        self.write(script, "# one more\n", "a")
        self.found("same", "ERROR: always")
        self.write("passes", "")
        self.assertEqual(self.fuzz("same", seconds=2)[0], 1)
        self.assertEqual(self.inputs("same"), ["crash-1", "small-crash-1"])
        # With another program it may be mended: then it goes, and is found anew where it is not.
        self.write(script, "# another\n", "a")
        status, said = self.fuzz("same", seconds=2)
        self.assertEqual(said.count("was found before and fails no more: removed"), 2, said)
        self.assertEqual(status, 1, said)
        os.remove(passes)
        self.found("same", "ERROR: always")

    def test_what_a_killed_run_found_is_not_lost(self):
        self.target("lost", "overrun")
        os.makedirs(os.path.join(self.folder, "new", "lost"))
        for name, data in (("crash-1", b"bug!"), ("slow-unit-2", b"slow")):
            with open(os.path.join(self.folder, "new", "lost", name), "wb") as file:
                file.write(data)
        self.found("lost", "heap-buffer-overflow")
        self.assertEqual(self.inputs("lost"), ["crash-1"])
        self.assertEqual(os.listdir(os.path.join(self.folder, "new", "lost")), [])

    def test_a_slow_input_is_told_of_again_only_while_it_is_too_slow(self):
        self.target("slow", "hang")
        self.found("slow", "timeout", timeout=2)
        status, said = self.fuzz("slow", timeout=2, seconds=2)
        self.assertEqual((status, said.count("FOUND slow: ")), (1, 1), said)
        self.target("slow", "nothing")
        self.assertEqual(self.fuzz("slow", timeout=2, seconds=2)[0], 0)

    def test_two_do_not_share_a_folder(self):
        with house.only_one(self.folder, "make fuzz"):
            status, said = self.fuzz("nothing", seconds=1)
        self.assertEqual((status, said.count("\n"), "another make fuzz is at work there" in said), (2, 1, True), said)

    def test_nothing_is_found_where_there_is_nothing(self):
        status, said = self.fuzz("nothing", seconds=2)
        self.assertEqual(status, 0, said)
        self.assertNotIn("FOUND", said)
        head, row = [line.split("\t") for line in self.read(os.path.join(self.folder, "fuzz.tsv")).splitlines()]
        row = dict(zip(head, row))
        self.assertEqual((row["target"], row["findings"]), ("nothing", "0"))
        self.assertGreater(int(row["executions"]), 1000)
        self.assertGreater(int(row["edges"]), 0)
        self.assertTrue(os.listdir(os.path.join(self.folder, "corpus", "nothing")))  # the next run begins with these

    def test_a_target_that_is_none_is_refused(self):
        status, said = self.fuzz("nonesuch")
        self.assertEqual(status, 2)
        self.assertIn("nonesuch: no such target", said)

    def test_a_program_that_runs_nothing_is_no_success(self):
        self.program("fuzz-idle", "#!/bin/sh\n")
        status, said = self.fuzz("idle")
        self.assertEqual(status, 2, said)
        self.assertIn("idle: nothing was executed", said)


if __name__ == "__main__":
    main()
