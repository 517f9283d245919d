#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/repro: what it keeps, how it ends, what it refuses, what the papers need."""
import json
import os
import shutil
import signal
import subprocess
import unittest
from unittest import mock

from test_house import ROOT, TOOL, main
from repro_house import CLAIMS, FIGURES, RUNNER, SETS, VARIANTS, House


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
        self.write("warpmem", "# another binary\n", "a")
        self.repro("--claim", "gap")
        self.assertEqual(len(self.calls()), 2)
        self.repro("--claim", "gap")
        self.assertEqual(self.calls(), [])

    def test_settings_are_of_all_machines_and_have_a_folder(self):
        self.repro("--claim", "gain")
        self.calls()
        _, said = self.repro("--claim", "gain", "--set", "q=2", "--set", "r=on")
        calls = self.calls()
        self.assertEqual(len(calls), 8)
        for call in calls:
            self.assertIn("--set q=2 --set r=on", call)
        self.assertIn("8 runs: 0 kept", said)
        stem = "repro/p/{}/gain.json"
        self.assertEqual(json.loads(self.read(stem.format("tiny,q=2,r=on")))["settings"], ["q=2", "r=on"])
        self.assertEqual(json.loads(self.read(stem.format("tiny")))["settings"], [])

    def test_a_kept_file_that_is_not_believed_is_reported_and_run_again(self):
        """warpmem looks at what it kept (tb/cli/keep_test.c)."""
        self.repro("--claim", "gap")
        self.calls()
        binary = self.read("warpmem")
        self.write("warpmem", binary.replace("    [ -z \"$only\" ] || exit 3\n",
                                            "    [ -z \"$only\" ] || { echo 'warpmem: x.json: is cut off: not used' >&2; exit 3; }\n"))
        _, said = self.repro("--claim", "gap")
        self.assertEqual(said.count("repro: x.json: is cut off: not used\n"), 2)
        self.assertEqual(len(self.calls()), 2)

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
        words = [TOOL, "repro", *self.words("--claim", "gain", "--jobs", "2", *more)]
        child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(child.stderr.close)
        self.addCleanup(child.kill)
        self.until(lambda: os.path.isdir(self.path("repro/runs")) and len(self.kept()) == 7 and self.sleepers())
        return child

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
        self.until(lambda: not self.sleepers())
        self.write("repro/0.warps.tmp", "half a fi")  # what a kill in a write leaves
        self.goes_on()
        self.assertFalse(os.path.exists(self.path("repro/0.warps.tmp")))

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
        self.write("repro/times.tsv", "a\ttiny\ts --scheme baseline\t90\nb\ttiny\ts --scheme baseline\t40\ncut by a ki")
        self.write("warpmem", "# another binary\n", "a")
        text, _ = self.repro("--claim", "gap", "--dry", "--jobs", "2")
        self.assertIn("2 to run: about 90 s, 2 at once", text)  # a's alone are longer than half
        text, _ = self.repro("--claim", "gap", "--dry", "--jobs", "1")
        self.assertIn("2 to run: about 2 min, 1 at once", text)  # 130 s
        text, _ = self.repro("--claim", "each", "--dry", "--jobs", "1")
        for what in ("    90 s  a tiny s --scheme buffer", "    40 s  b tiny l --scheme buffer",
                     "     2 s  c tiny s --scheme buffer",  # what the list says: 2.5
                     "    80 s  b tiny s --scheme best-swl --swl-limits 1,2"):  # a run a limit
            self.assertIn(what, text)

    def test_a_disk_that_is_full_ends_it_at_once_and_it_goes_on(self):
        self.plan["wrong"] = {f"{name} s --scheme {scheme}": "full" for name in "abcd" for scheme in ("baseline", "buffer --set k=1")}
        _, said = self.repro("--claim", "gain", "--jobs", "1", code=1)
        self.assertIn(".json: No space left on device: results are not kept", said)
        self.assertEqual(len(self.calls()), 1)
        self.assertEqual(self.kept(), [])
        self.plan["wrong"] = {}
        self.repro("--claim", "gain")
        self.assertEqual(len(self.calls()), 8)

    def test_an_input_that_all_papers_share_serves_each(self):
        self.plan["papers"]["b"] = "paper"
        self.repro("--claim", "gap", "--size", "paper")
        sizes = set()
        for path in self.kept():
            kept = self.json(path)
            sizes.add((kept["workload"], kept["size"]))
        self.assertEqual(sizes, {("a", "paper:p"), ("b", "paper")})

    def test_a_reason_that_all_runs_have_is_not_said_for_all(self):
        _, said = self.repro("--claim", "gain", "--launch", f"'{self.path('absent')}'", code=1)
        self.assertEqual(said.count("failed to execute " + self.path("absent")), 3)
        self.assertIn("8 runs failed, the first ", said)

    def test_a_launcher_stands_before_each_run(self):
        self.program("launcher", "#!/bin/sh\necho launched >>\"${0%/*}/launched\"\nexec \"$@\"\n")
        self.repro("--claim", "gap", "--launch", f"'{self.path('launcher')}'")
        self.assertEqual(self.read("launched"), "launched\n" * 2)
        self.assertEqual(len(self.kept()), 2)


class Wrong(House):
    def test_unknown_names_are_one_line_that_says_what_is_allowed(self):
        for words, message in (
                (("--paper", "q"), "--paper: paper 'q': must be one of p"),
                (("--claim", "q"), "--claim: claim 'q': must be one of gain, never, each, "),
                (("--figure", "q"), "--figure: figure 'q': must be one of fig1"),
                (("--size", "q"), "--size: size 'q': must be one of tiny, small, paper"),
                (("--jobs", "0"), "argument --jobs: '0': must be 1..1024"),
                (("--jobs", "two"), "argument --jobs: 'two': must be 1..1024"),
                (("--seed", "-1"), "argument --seed: '-1': must be 0.."),
                (("--launch", "'srun"), "argument --launch: \"'srun\": no closing quotation"),
                (("--claim", "gain", "--figure", "fig1"), "only one of them"),
                (("--nothing",), "unrecognized arguments: --nothing"),
                (("--build", self.path("absent")), self.path("absent/warpmem") + ": No such file")):
            with self.subTest(words=words):
                _, said = self.repro(*words, code=2)
                self.assertIn("repro: " if message[0] != "/" else "repro: /", said)
                self.assertIn(message, said)
                self.assertEqual(said.count("\n"), 1, said)

    def test_of_many_claims_the_nearest_are_named_and_where_the_others_stand(self):
        line = next(l for l in CLAIMS.splitlines() if l.startswith("gain\t"))
        more = [f"{name}-{n}" for name in ("early", "later") for n in range(20)]
        self.write("data/claims/p.tsv", CLAIMS + "".join(line.replace("gain", name, 1) + "\n" for name in more))
        for name, near in (("eraly-7", "did you mean early-7 or "),
                           ("later-", "did you mean later-0 or later-1 or later-2? "), ("q", "")):
            with self.subTest(name=name):
                _, said = self.repro("--claim", name, code=2)
                start = f"repro: --claim: claim '{name}': there is none of that name; {near}"
                self.assertEqual(said[:len(start)], start)
                self.assertEqual("did you mean" in said, near != "")
                self.assertIn("data/claims/*.tsv lists them\n", said)
                self.assertEqual(said.count("\n"), 1)

    def test_wrong_data_is_one_line_with_file_and_line(self):
        for name, text, old, new, message in (
                ("claims/p.tsv", CLAIMS, "ipc_speedup", "speed", "claims/p.tsv:2: metric 'speed': "),
                ("claims/p.tsv", CLAIMS, "	2	x", "	two	x", "p.tsv:2: value 'two': must be a number"),
                ("claims/p.tsv", CLAIMS, "never", "gain", "p.tsv:3: gain: occurs twice"),
                ("claims/p.tsv", CLAIMS, "pair", "four", "p.tsv:6: a of four has no counterpart"),
                ("claims/p.tsv", CLAIMS, "	x	-", "	x", "p.tsv:2: must have 12 fields"),
                ("claims/p.tsv", CLAIMS, "section", "part", "p.tsv:1: columns must be id section"),
                ("variants/p.tsv", VARIANTS, "--set", "--sets", "p.tsv:3: option '--sets': must be"),
                ("workload_sets.tsv", SETS, "	b	b	a\nfour", "	a	b	a\nfour", "sets.tsv:4: a: occurs"),
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
    def setUp(self):
        """Nothing is kept; thousands of programs that say so would take minutes."""
        super().setUp()
        patch = mock.patch.object(RUNNER.Machine, "kept", lambda machine, run: (None, []))
        patch.start()
        self.addCleanup(patch.stop)

    def test_mrpb_needs_as_many_runs_as_its_figures_say(self):
        from repro import figure_data
        sets, _ = figure_data.read_paper(os.path.join(ROOT, "data"), "mrpb")
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

    def test_medic_needs_as_many_runs_as_its_variants_say(self):
        from repro import figure_data
        folder = os.path.join(ROOT, "data")
        sets, _ = figure_data.read_paper(folder, "medic")
        self.plan["workloads"] = sorted({m.workload for s in sets.values() for m in s})
        text, _ = self.repro("--data", folder, "--paper", "medic", "--dry")
        # Table II's programs and SSSP. Baseline, three parts, MeDiC, with reuse, EAF, PC-Byp; 24 and 48
        # banks, 17 ways, twice the DRAM queue; five numbers of tokens and five percentages; the parts
        # and MeDiC without a decision.
        both_machines = (15 + 1) * (8 + 4 + 5 + 5 + 4)
        two_ports = (15 + 1) * (1 + 3 + 1 + 1 + 3)  # the baseline, its parts, MeDiC, its control; banks, ways
        others = 6 * (15 + 1) * (1 + 3 + 1 + 3)  # shared MSHRs, the later simulator's sizes: but the control
        later = 4 * (15 + 1)  # MeDiC by the later simulator's rules
        read = 2 * 5 * (15 + 1)  # other readings of WIP, WByp and MeDiC, on two machines
        file = 5 * (15 + 1)  # on the later simulator's file: baseline, WByp, MeDiC, 24 banks, an L2 that always hits
        perfect = 4 * (15 + 1)  # an L2 that always hits, on four machines
        runs = 2 * both_machines + two_ports + others + later + read + file + perfect + 5 + 6  # figure 8's BFS, figure 6's programs
        self.assertIn(f"{runs} runs: 0 kept, 0 not available, {runs} to run", text)

    def test_owl_needs_as_many_runs_as_its_variants_say(self):
        from repro import figure_data
        folder = os.path.join(ROOT, "data")
        sets, _ = figure_data.read_paper(folder, "owl")
        self.plan["workloads"] = sorted({m.workload for s in sets.values() for m in s})
        text, _ = self.repro("--data", folder, "--paper", "owl", "--dry")
        # The schemes and both rules, control, two other lives of two, another blocked, four other prefetchers.
        both = 9 + 1 + 4 + 1 + 4
        # Figure 9's twelve, two numbers of banks of two; five values of figure 11's three keys; and figure 9's 8, which is the
        # default, by its name.
        first = 12 + 2 * 2 + 3 * 5 + 1
        self.assertIn(f"{19 * (2 * both + first)} runs: ", text)


class Estimates(unittest.TestCase):
    def test_as_many_run_at_once_and_the_longest_runs_alone(self):
        from repro.common import Run
        from repro.pool import Estimate
        runs = [Run(name, "s", (), "tiny", 1) for name in "ab"]
        estimate = Estimate({("a", "tiny", "s"): 30, ("b", "tiny", "s"): 10})
        self.assertEqual(estimate.text(runs, 1), "about 40 s, 1 at once")
        self.assertEqual(estimate.text(runs, 2), "about 30 s, 2 at once")
        other = Run("c", "s", (), "small", 1)
        self.assertEqual(estimate.text(runs + [other], 1), "about 40 s, 1 at once, and 1 of unknown length")

    def test_what_never_ran_takes_what_the_list_says_of_it(self):
        from repro.common import Run
        from repro.pool import Estimate
        listed = {"a": 3, "b": 4}
        estimate = Estimate({("a", "tiny", "s"): 30}, lambda run: listed.get(run.workload))
        runs = [Run(name, "t", (), "tiny", 1) for name in "abc"]
        # a ran with other options; of c not even the list says anything, so it is as what ran
        self.assertEqual([estimate.of(run) for run in runs], [30, 4, 30])
        self.assertIsNone(Estimate({}).of(runs[0]))


if __name__ == "__main__":
    main()
