#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/repro, with a fake warpmem (fake_warpmem.sh) where runs are needed.

What costs time is starting programs and waiting for a disk: so the runner runs in forks of this
process, which has its modules loaded, except where signals are sent to it; the fake is a shell
script; and results are kept in memory. Prints a line a test as cmocka does, for scripts/run_tests.sh.
"""
import csv
import importlib.util
import json
import os
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
REPRO = os.path.join(ROOT, "scripts", "repro")

sys.path.insert(0, REPRO)


def load_runner():
    spec = importlib.util.spec_from_file_location("repro_main", os.path.join(REPRO, "__main__.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.draw.load()
    return module


RUNNER = load_runner()


def memory():
    """A folder of memory from which programs may run; None, the usual one, where there is none."""
    try:
        return None if os.statvfs("/dev/shm").f_flag & os.ST_NOEXEC else "/dev/shm"
    except OSError:
        return None


SETS = """# comment
set	paper	class	workload	label	counterpart
four	p	A	a	a	-
four	p	A	b	b	a
four	p	B	c	c	-
four	p	B	d	d	-
pair	p	A	b	b	a
"""
VARIANTS = """name	options	note
base	--scheme baseline	-
buffer	--scheme buffer --set k=1	-
swl	--scheme best-swl --swl-limits 1,2	-
"""
CLAIMS = """id	section	metric	mean	workloads	presets	variant	reference	against	value	unit	note
gain	1	ipc_speedup	geometric	four	s	buffer	base	same	2	x	-
never	1	ipc_speedup	min	four	s|l	buffer	base	same	1	x_lower_bound	-
each	1	ipc_speedup	geometric-each	four	s|l	buffer	swl	same	1	x_lower_bound	-
misses	1	l1_misses_change	arithmetic	four	s	buffer	base	same	-0.5	fraction	-
gap	1	performance_change	single	pair	s	base	base	counterpart	-0.2	fraction	-
clock	1	clock_45nm	-	-	-	l1/x	QUEUES=4	-	2	GHz	-
sram	1	sram	-	-	-	l1/x	QUEUES=4	-	3	kB_upper_bound	-
"""
FIGURES = """[fig1]
title = Bars
section = 1
kind = bars
metric = ipc_speedup
mean = geometric
panels =
    S: four@s
reference = base
series =
    buffer: buffer
published =
    S | buffer | 2.5
"""


class House(unittest.TestCase):
    """A folder with the fake, its plan and a small paper `p`."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="repro test ", dir=memory())
        self.addCleanup(shutil.rmtree, self.folder)
        shutil.copy(os.path.join(HERE, "fake_warpmem.sh"), self.path("warpmem"))
        os.chmod(self.path("warpmem"), 0o755)
        for name, text in (("data/workload_sets.tsv", SETS), ("data/variants/p.tsv", VARIANTS),
                           ("data/claims/p.tsv", CLAIMS), ("data/figures/p.ini", FIGURES)):
            self.write(name, text)
        self.plan = {"workloads": ["a", "b", "c", "d"], "refused": "", "cycles": {}, "stats": {},
                     "wrong": {}, "papers": {}}

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def write_plan(self):
        """What fake_warpmem.sh reads."""
        plan = self.plan
        names = [f"{w}=tiny,small,{plan['papers'].get(w, 'paper:p')}" for w in plan["workloads"]]
        lines = [f"workloads={shlex.quote(' '.join(names))}", f"refused={plan['refused']}",
                 "plan() {", "    case $1 in"]
        for name in sorted({*plan["cycles"], *plan["stats"], *plan["wrong"]}):
            values = {counter.partition("l1.")[2]: value
                      for counter, value in plan["stats"].get(name, {}).items()}
            values.update((key, plan[of][name]) for key, of in (("cycles", "cycles"), ("wrong", "wrong"))
                          if name in plan[of])
            lines.append(f"    {shlex.quote(name)}) "
                         + " ".join(f"{key}={value}" for key, value in values.items()) + " ;;")
        self.write("plan.sh", "\n".join(lines + ["    esac", "}", ""]))

    def words(self, *more):
        self.write_plan()
        return ["--build", self.folder, "--data", self.path("data"), "--size", "tiny", *more]

    def repro(self, *more, code=0, largest_file=resource.RLIM_INFINITY):
        words = self.words(*more)
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            sys.stdout.flush()
            sys.stderr.flush()
            child = os.fork()
            if child == 0:
                resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                status = 70
                try:
                    status = RUNNER.guarded(words)
                except BaseException:  # as Python would end
                    traceback.print_exc()
                finally:
                    sys.stdout.flush()
                    sys.stderr.flush()
                    os._exit(status)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            out.seek(0)
            err.seek(0)
            said, complaints = out.read(), err.read()
        self.assertEqual(status, code, said + complaints)
        return said, complaints

    def calls(self):
        """Runs since the last call of this."""
        try:
            with open(self.path("calls"), encoding="utf-8") as file:
                lines = sorted(file.read().splitlines())
            os.remove(self.path("calls"))
            return lines
        except FileNotFoundError:
            return []

    def kept(self):
        folder = self.path("repro/runs")
        return [os.path.join(folder, n) for n in sorted(os.listdir(folder)) if n.endswith(".json")]

    def claims(self, stem="claims"):
        with open(self.path(f"repro/p/tiny/{stem}.tsv"), newline="", encoding="utf-8") as file:
            return {row["claim"]: row for row in csv.DictReader(file, delimiter="\t")}

    def speedups(self, **factors):
        """Cycles of the buffer on machine s, by workload."""
        for workload, cycles in factors.items():
            self.plan["cycles"][f"{workload} s --scheme buffer --set k=1"] = cycles


class Numbers(House):
    def test_means_of_a_claim_are_those_by_hand(self):
        self.speedups(a=500, b=250, c=125, d=2000)  # speed-ups 2, 4, 8, 1/2
        self.repro("--claim", "gain")
        row = self.claims("gain")["gain"]
        self.assertEqual((row["ours"], row["ratio"]), ("2.37841", "1.18921"))  # 32 ** (1/4), / 2
        self.assertEqual(row["verdict"], "same direction, within 25 %")

    def test_a_lower_bound_names_all_who_break_it_worst_first(self):
        self.speedups(a=1100, b=1000, c=2000)
        self.repro("--claim", "never")
        row = self.claims("never")["never"]
        self.assertEqual((row["ours"], row["verdict"]), ("0.5", "broken (c@s 0.500, a@s 0.909)"))
        self.speedups(a=1000, b=999, c=1000)
        shutil.rmtree(self.path("repro"))
        self.repro("--claim", "never")
        self.assertEqual(self.claims("never")["never"]["verdict"], "holds")

    def test_a_mean_of_each_group_must_hold_for_each(self):
        self.speedups(a=100)  # the mean over both machines is above 1, that of l alone is not
        for workload in "abcd":
            self.plan["cycles"][f"{workload} l --scheme buffer --set k=1"] = 1250
        self.repro("--claim", "each")
        row = self.claims("each")["each"]
        self.assertEqual((row["ours"], row["verdict"]), ("0.8", "broken (four@l 0.800)"))

    def test_misses_are_counted_with_and_without_bypasses(self):
        for workload in "abcd":
            self.plan["stats"][f"{workload} s --scheme buffer --set k=1"] = {
                "l1.read_misses": 20, "l1.read_bypasses": 15}
        text, _ = self.repro("--claim", "misses")
        self.assertEqual(self.claims("misses")["misses"]["ours"], "-0.6")  # 20 / 50 - 1
        self.assertIn("l1.read_bypasses, ours / reference - 1: -0.300", text)

    def test_nothing_to_divide_by_is_no_value(self):
        self.plan["stats"]["a s --scheme baseline"] = {"l1.read_misses": 0}
        text, _ = self.repro("--claim", "misses")
        self.assertIn("no effect; partial (3 of 4)", text)
        self.assertIn("a@s: nothing to compare with: 0 there", text)

    def test_a_counterpart_is_the_reference(self):
        self.plan["cycles"]["b s --scheme baseline"] = 1250
        self.repro("--claim", "gap")
        row = self.claims("gap")["gap"]
        self.assertEqual((row["ours"], row["verdict"]), ("-0.2", "same direction, within 25 %"))

    def test_hardware_comes_from_the_area_table(self):
        text, _ = self.repro("--claim", "clock")
        self.assertIn("not available: run make area", text)
        self.write("area/area.tsv", "# area\nblock\tparameters\tsram_kb\tghz_45nm\tsram_1rw_ghz\n"
                   "l1/x\tQUEUES=8 DEPTH=2\t1\t9\t9\nl1/x\tDEPTH=2 QUEUES=4\t3\t0.7\t1.2\n")
        text, _ = self.repro()
        self.assertIn("by ghz_45nm, with its logic: 0.700", text)
        rows = self.claims()
        self.assertEqual((rows["clock"]["ours"], rows["clock"]["verdict"]), ("1.2", "below"))
        self.assertEqual((rows["sram"]["ours"], rows["sram"]["verdict"]), ("3", "holds"))
        self.assertEqual(rows["sram"]["ratio"], "1")
        self.write("area/area.tsv", "block\tparameters\tsram_kb\nl1/x\tQUEUES=5\t1\n")
        text, _ = self.repro("--claim", "sram")
        self.assertIn("area.tsv has no l1/x with QUEUES=4", text)

    def test_what_the_binary_does_not_have_leaves_a_partial_mean(self):
        self.speedups(a=500, b=125)
        self.plan["workloads"] = ["a", "b"]
        text, _ = self.repro("--claim", "gain")
        row = self.claims("gain")["gain"]
        self.assertEqual((row["ours"], row["verdict"]),
                         ("4", "same direction, stronger; partial (2 of 4)"))
        self.assertIn("not available: c@s, d@s: no such workload", text)
        self.plan["refused"] = "k=1"
        text, _ = self.repro("--claim", "gain")
        self.assertIn("a@s, b@s: --set: k=1: no such key", text)
        self.assertEqual(self.claims("gain")["gain"]["ours"], "-")

    def test_figures_hold_bars_mean_and_published(self):
        self.speedups(a=500, b=500, c=500, d=250)
        self.repro()
        with open(self.path("repro/p/tiny/fig1.tsv"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual(lines[1], "S\tbuffer\ta-S\t2\t-")
        self.assertEqual(lines[5], "S\tbuffer\tgeometric mean of 4\t2.37841\t2.5")
        for name, magic in (("fig1.png", b"\x89PNG"), ("fig1.svg", b"<?xml")):
            with open(self.path("repro/p/tiny/" + name), "rb") as file:
                self.assertTrue(file.read().startswith(magic))


class Keeping(House):
    def test_nothing_runs_twice(self):
        self.repro()
        # Three variants on two machines; claims and the figure share them.
        self.assertEqual(len(self.calls()), 4 * 3 * 2)
        first = self.claims()
        _, said = self.repro("--jobs", "1")
        self.assertEqual(self.calls(), [])
        self.assertEqual(self.claims(), first)
        self.assertIn("24 runs: 24 kept, 0 not available, 0 to run", said)

    def test_a_key_holds_binary_size_seed_and_options(self):
        self.repro("--claim", "gap")
        self.assertEqual(len(self.calls()), 2)
        self.repro("--claim", "gap", "--seed", "2")
        self.assertEqual(len(self.calls()), 2)
        self.repro("--claim", "gap", "--size", "small")
        self.assertEqual(len(self.calls()), 2)
        self.write("data/variants/p.tsv", VARIANTS.replace("baseline", "baseline --set q=2"))
        self.repro("--claim", "gap")
        self.assertEqual(len(self.calls()), 2)
        with open(self.path("warpmem"), "a", encoding="utf-8") as file:
            file.write("# another binary\n")
        self.repro("--claim", "gap")
        self.assertEqual(len(self.calls()), 2)
        self.repro("--claim", "gap")
        self.assertEqual(self.calls(), [])

    def damage(self, path, number):
        """One of the ways in which a file goes bad."""
        with open(path, "rb") as file:
            data = file.read()
        other = [p for p in self.kept() if p != path][0]
        kept = json.loads(data)
        if number == 0:
            data = data[:len(data) // 2]
        elif number == 1:
            data = data.replace(b'"cycles": 1000', b'"cycles": 1001')
        elif number == 2:
            with open(other, "rb") as file:
                data = file.read()
        elif number == 3:
            data = b'{"schema": "other"}\n'
        elif number == 4:
            data = b""
        elif number == 5:
            data = b"\xff\xfe[]"
        elif number == 6:
            kept["key"]["binary"] = "0" * 64
            data = json.dumps(kept).encode()
        with open(path, "wb") as file:
            file.write(data)

    def test_a_bad_result_is_noticed_reported_and_run_again(self):
        faults = ["is no JSON, or cut off", "its checksum is not that of its contents",
                  "was run for another key", "is not a kept result", "is no JSON, or cut off",
                  "is no JSON, or cut off", "its checksum is not that of its contents"]
        self.repro("--claim", "gain")
        self.calls()
        for number, fault in enumerate(faults):
            with self.subTest(fault=fault, number=number):
                path = self.kept()[number]
                with open(path, "rb") as file:
                    good = json.load(file)
                self.damage(path, number)
                _, said = self.repro("--claim", "gain")
                self.assertIn(f"{path}: {fault}: not used", said)
                self.assertEqual(len(self.calls()), 1)
                with open(path, "rb") as file:
                    self.assertEqual(json.load(file)["result"], good["result"])

    def test_a_failed_run_is_not_kept_and_the_others_are(self):
        bad = "a s --scheme buffer --set k=1"
        for wrong, reason in (("fail", "exit status 1: the machine is stuck"),
                              ("incomplete", "its output is incomplete"),
                              ("shout", "its output is no JSON")):
            with self.subTest(wrong=wrong):
                self.plan["wrong"] = {bad: wrong}
                text, said = self.repro("--claim", "gain", code=1)
                self.assertIn(reason, said)
                self.assertIn("partial (3 of 4)", text)
                self.assertIn(bad, self.calls())
                self.assertEqual(len(self.kept()), 7)
        self.plan["wrong"] = {}
        self.repro("--claim", "gain")
        self.assertEqual(self.calls(), [bad])

    def start(self, *more):
        """A runner that hangs in its last run; returns when all others are kept."""
        self.plan["wrong"] = {"d s --scheme buffer --set k=1": "sleep"}
        words = ["/usr/bin/python3", REPRO, *self.words("--claim", "gain", "--jobs", "2", *more)]
        child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                 text=True)
        self.addCleanup(child.stderr.close)
        end = time.monotonic() + 30
        while time.monotonic() < end:
            if os.path.isdir(self.path("repro/runs")) and len(self.kept()) == 7 \
                    and self.sleepers():
                return child
            time.sleep(0.02)
        child.kill()
        raise AssertionError("the other runs were not kept")

    def sleepers(self):
        """Simulations of this test that live."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    words = file.read().decode(errors="replace").split("\0")
            except OSError:
                continue
            if self.path("warpmem") in words[:3] and "d" in words:
                found.append(pid)
        return found

    def goes_on(self):
        self.plan["wrong"] = {}
        self.calls()
        self.repro("--claim", "gain")
        self.assertEqual(self.calls(), ["d s --scheme buffer --set k=1"])

    def test_after_kill_9_it_goes_on_and_no_simulation_is_left(self):
        child = self.start()
        child.kill()
        child.wait()
        end = time.monotonic() + 10
        while self.sleepers() and time.monotonic() < end:
            time.sleep(0.02)
        self.assertEqual(self.sleepers(), [])
        self.write("repro/runs/0.json.123.tmp", "half a fi")  # what a kill in a write leaves
        self.goes_on()
        self.assertFalse(os.path.exists(self.path("repro/runs/0.json.123.tmp")))

    def test_after_a_signal_it_goes_on(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            child = self.start()
            child.send_signal(number)
            said = child.communicate(timeout=30)[1]
            self.assertEqual(child.returncode, 128 + number)
            self.assertIn("the same command goes on", said)
            self.assertEqual(self.sleepers(), [])
            self.goes_on()
            shutil.rmtree(self.path("repro"))

    def test_two_runners_do_not_share_a_store(self):
        child = self.start()
        _, said = self.repro("--claim", "gain", code=2)
        self.assertIn("another make repro is at work there", said)
        child.terminate()
        child.communicate(timeout=30)

    def test_a_dry_run_runs_and_writes_nothing(self):
        text, _ = self.repro("--dry")
        self.assertIn("24 runs: 0 kept, 0 not available, 24 to run", text)
        self.assertEqual(self.calls(), [])
        self.assertFalse(os.path.exists(self.path("repro")))

    def test_an_estimate_comes_from_past_runs(self):
        self.repro("--claim", "gap")
        self.write("repro/times.tsv", "a\ttiny\ts --scheme baseline\t90\n"
                   "b\ttiny\ts --scheme baseline\t40\ncut by a ki")
        with open(self.path("warpmem"), "a", encoding="utf-8") as file:
            file.write("# another binary\n")
        text, _ = self.repro("--claim", "gap", "--dry", "--jobs", "2")
        self.assertIn("2 to run: about 90 s, 2 at once", text)  # a's alone are longer than half
        text, _ = self.repro("--claim", "gap", "--dry", "--jobs", "1")
        self.assertIn("2 to run: about 2 min, 1 at once", text)  # 130 s
        text, _ = self.repro("--claim", "each", "--dry", "--jobs", "1")
        for what in ("    90 s  a tiny s --scheme buffer", "    40 s  b tiny l --scheme buffer",
                     "    65 s  c tiny s --scheme buffer",  # the mean of what there is
                     "    80 s  b tiny s --scheme best-swl --swl-limits 1,2"):  # a run a limit
            self.assertIn(what, text)

    def test_a_disk_that_is_full_ends_it_at_once_and_it_goes_on(self):
        _, said = self.repro("--claim", "gain", "--jobs", "1", code=1, largest_file=600)
        self.assertIn(".json: File too large; what has ended is kept", said)
        self.assertEqual(len(self.calls()), 1)
        self.assertEqual(os.listdir(self.path("repro/runs")), ["lock"])
        self.repro("--claim", "gain")
        self.assertEqual(len(self.calls()), 8)

    def test_an_input_that_all_papers_share_serves_each(self):
        self.plan["papers"]["b"] = "paper"
        self.repro("--claim", "gap", "--size", "paper")
        sizes = set()
        for path in self.kept():
            with open(path, encoding="utf-8") as file:
                kept = json.load(file)
            sizes.add((kept["result"]["workload"], kept["result"]["size"], kept["key"]["size"]))
        self.assertEqual(sizes, {("a", "paper:p", "paper:p"), ("b", "paper", "paper")})

    def test_a_reason_that_all_runs_have_is_not_said_for_all(self):
        _, said = self.repro("--claim", "gain", "--launch", "/nonexistent", code=1)
        self.assertEqual(said.count("failed to execute /nonexistent"), 3)
        self.assertIn("8 runs failed, the first ", said)

    def test_a_launcher_stands_before_each_run(self):
        self.write("launcher", "#!/bin/sh\necho launched >>\"${0%/*}/launched\"\nexec \"$@\"\n")
        os.chmod(self.path("launcher"), 0o755)
        self.repro("--claim", "gap", "--launch", f"'{self.path('launcher')}'")
        with open(self.path("launched"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "launched\n" * 2)
        self.assertEqual(len(self.kept()), 2)


class Wrong(House):
    def test_unknown_names_are_one_line_that_says_what_is_allowed(self):
        for words, message in (
                (("--paper", "q"), "--paper: paper 'q': must be one of p"),
                (("--claim", "q"), "--claim: claim 'q': must be one of gain, never, each, "),
                (("--figure", "q"), "--figure: figure 'q': must be one of fig1"),
                (("--size", "q"), "--size: size 'q': must be one of tiny, small, paper"),
                (("--jobs", "0"), "argument --jobs: '0': must be a whole number from 1"),
                (("--jobs", "two"), "argument --jobs: 'two': must be a whole number from 1"),
                (("--seed", "-1"), "argument --seed: '-1': must be a whole number from 0"),
                (("--launch", "'srun"), "argument --launch: \"'srun\": no closing quotation"),
                (("--claim", "gain", "--figure", "fig1"), "only one of them"),
                (("--nothing",), "unrecognized arguments: --nothing"),
                (("--build", "/nonexistent"), "/nonexistent/warpmem: No such file")):
            with self.subTest(words=words):
                _, said = self.repro(*words, code=2)
                self.assertIn("repro: " if message[0] != "/" else "repro: /", said)
                self.assertIn(message, said)
                self.assertEqual(said.count("\n"), 1, said)

    def test_wrong_data_is_one_line_with_file_and_line(self):
        for name, text, old, new, message in (
                ("claims/p.tsv", CLAIMS, "ipc_speedup", "speed", "claims/p.tsv:2: metric 'speed': "),
                ("claims/p.tsv", CLAIMS, "	2	x", "	two	x", "p.tsv:2: value 'two': must be a number"),
                ("claims/p.tsv", CLAIMS, "never", "gain", "p.tsv:3: gain: stands there twice"),
                ("claims/p.tsv", CLAIMS, "pair", "four", "p.tsv:6: a of four has no counterpart"),
                ("claims/p.tsv", CLAIMS, "	x	-", "	x", "p.tsv:2: must have 12 fields"),
                ("claims/p.tsv", CLAIMS, "section", "part", "p.tsv:1: columns must be id section"),
                ("variants/p.tsv", VARIANTS, "--set", "--sets", "p.tsv:3: option '--sets': must be"),
                ("workload_sets.tsv", SETS, "	b	b	a\nfour", "	a	b	a\nfour", "sets.tsv:4: a: stands"),
                ("figures/p.ini", FIGURES, "four@s", "five@s", "p.ini: [fig1]: set of workloads 'five'"),
                ("figures/p.ini", FIGURES, "| buffer |", "| puffer |", "published series 'puffer'"),
                ("figures/p.ini", FIGURES, "    buffer: buffer\n", "    buffer: buffer\n" * 9,
                 "[fig1]: 9 series: there may be 8"),
                ("figures/p.ini", FIGURES, "kind = bars", "kind = pie", "[fig1]: kind 'pie': must be")):
            with self.subTest(message=message):
                self.assertIn(old, text)
                self.write("data/" + name, text.replace(old, new, 1))
                _, said = self.repro(code=2)
                self.assertIn(message, said)
                self.assertEqual(said.count("\n"), 1, said)
                self.write("data/" + name, text)


class OfTheProject(House):
    def test_mrpb_needs_as_many_runs_as_its_figures_say(self):
        import data
        sets, _ = data.read_paper(os.path.join(ROOT, "data"), "mrpb")
        self.plan["workloads"] = sorted({m.workload for s in sets.values() for m in s})
        text, _ = self.repro("--data", os.path.join(ROOT, "data"), "--paper", "mrpb", "--dry")
        suites, explored, sensitive = 12 + 16, 12 + 2, 6
        runs = (suites * 2 * 6  # figure 16: two schedulers, each plain, with SWL, with MRPB
                + suites * 2  # on Base-S: 64 ways, 20 KB
                + sensitive * 2 * 2  # figure 5
                # Variations of Base-S: besides 64 ways and 20 KB, an XOR index, 8 MB and no L1, and the two of figure
                # 5 on what is not sensitive; all seven and the baseline for covar, corr and gramschm.
                + 12 * 3 + (12 - sensitive) * 2 + 3 * 8
                + 15 * 4  # variations of MDB's machine
                # Figures 8 to 13: 2 signatures, 5 policies and unbounded queues of warps in fixed
                # order, 4 depths with and without flush, 4 latencies besides 3, 2 bypasses.
                + explored * (2 + 5 + 1 + 2 * 4 + 4 + 2))
        self.assertIn(f"{runs} runs: 0 kept, 0 not available, {runs} to run", text)


class Estimates(unittest.TestCase):
    def test_a_busy_computer_makes_them_longer(self):
        from common import Run
        from pool import Estimate
        runs = [Run(name, "s", (), "tiny", 1) for name in "ab"]
        estimate = Estimate({("a", "tiny", "s"): 30, ("b", "tiny", "s"): 10})
        self.assertEqual(estimate.text(runs, 1), "about 40 s, 1 at once")
        estimate.went(5, 10)
        self.assertEqual(estimate.text(runs, 1), "about 80 s, 1 at once")
        self.assertEqual(estimate.text(runs, 2), "about 60 s, 2 at once")
        other = Run("c", "s", (), "small", 1)
        self.assertEqual(estimate.text(runs + [other], 1),
                         "about 80 s, 1 at once, and 1 of unknown length")


class Means(unittest.TestCase):
    def test_means_by_hand(self):
        from metrics import mean_of
        for kind, values, neutral, mean in (
                ("geometric", [2, 8], 1, 4), ("harmonic", [2, 6], 1, 3),
                ("arithmetic", [2, 6], 1, 4), ("max", [2, 6], 1, 6), ("min", [2, 6], 1, 2),
                ("single", [7], 1, 7), ("geometric", [1, 7], 0, 3), ("harmonic", [1, 5], 0, 2),
                ("arithmetic", [-0.5, 0.1], 0, -0.2), ("geometric", [-1, 3], 0, -1)):
            with self.subTest(kind=kind, values=values):
                self.assertAlmostEqual(mean_of(kind, values, neutral), mean, places=12)
        self.assertIsNone(mean_of("geometric", []))

    def test_verdicts_at_their_borders(self):
        from claims import verdict_of
        from data import Claim
        for paper, unit, ours, verdict in (
                (2, "x", 1.6, "same direction, within 25 %"), (2, "x", 1.599, "same direction, weaker"),
                (2, "x", 2.5, "same direction, within 25 %"), (2, "x", 2.501, "same direction, stronger"),
                (2, "x", 1.009, "no effect"), (2, "x", 0.991, "no effect"), (2, "x", 0.98, "opposite"),
                (0.5, "x", 0.9, "same direction, weaker"), (0.5, "x", 0.3, "same direction, stronger"),
                (-0.4, "fraction", -0.33, "same direction, within 25 %"),
                (-0.4, "fraction", -0.3, "same direction, weaker"),
                (-0.4, "fraction", -0.6, "same direction, stronger"),
                (-0.4, "fraction", 0.2, "opposite"), (-0.4, "fraction", -0.009, "no effect"),
                (1, "x_lower_bound", 1, "holds"), (1, "x_lower_bound", 0.999, "broken"),
                (1, "x_upper_bound", 1, "holds"), (1, "x_upper_bound", 1.001, "broken")):
            with self.subTest(paper=paper, unit=unit, ours=ours):
                claim = Claim("p", "c", "1", "m", "geometric", "s", "p", "v", "r", "same", paper, unit, "-")
                self.assertEqual(verdict_of(claim, ours, {}, 0 if unit == "fraction" else 1), verdict)


class Lines(unittest.TextTestResult):
    """cmocka's lines."""

    def addSuccess(self, test):
        super().addSuccess(test)
        print(f"[       OK ] {test.id()}", flush=True)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        print(f"[  FAILED  ] {test.id()}", flush=True)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err:
            print(f"[  FAILED  ] {subtest.id()}", flush=True)

    def addError(self, test, err):
        super().addError(test, err)
        print(f"[  ERROR   ] {test.id()}", flush=True)


if __name__ == "__main__":
    unittest.main(testRunner=unittest.TextTestRunner(resultclass=Lines, stream=sys.stdout, verbosity=0))
