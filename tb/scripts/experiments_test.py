#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/experiments and scripts/plot_character.py: by hand on made-up numbers, and with
the real binary (in $WARPMEM_BUILD, or build) on tiny inputs."""
import argparse
import json
import os
import subprocess
import unittest

from test_house import ROOT, SCRIPTS, TOOL, House, main, said
from experiments import mdb_machine, medic_machine, medic_programs

BUILD = os.path.join(ROOT, os.environ.get("WARPMEM_BUILD", "build"))


def run(script, *words):
    return said(TOOL, "experiments." + script, *words)


class MdbMachine(unittest.TestCase):
    def test_the_mean_is_geometric_and_over_the_papers_class(self):
        lines = [[app, app, of, "HCC", 100, *[speedup] * 3, 1, 10, 1, 2, 3, 4, "L = 2", speedup, None, None, *[speedup] * 7]
                 for app, of, speedup in (("A", "HCC", 0.5), ("B", "HCC", 8), ("C", "LCC", 100))]
        mean = dict(zip(mdb_machine.HEAD[:8], mdb_machine.mean_of(lines)))
        self.assertEqual(mean["app"], "mean")
        self.assertAlmostEqual(mean["modulo"], 2)
        self.assertAlmostEqual(mean["8 MB"], 2)
        self.assertEqual(set(mdb_machine.mean_of([])[3:]), {None})

    def test_a_table_has_a_line_a_program_and_the_gates_verdict(self):
        words = ("mdb_machine", "--build", BUILD, "--size", "tiny", "--swl", "4", "gesummv", "lud")
        status, out, err = run(*words, "--tsv")
        self.assertEqual((status, err), (0, ""))
        head, gmv, lud, _ = [line.split("\t") for line in out.splitlines()]
        self.assertEqual(len(head), len(gmv))
        cell = dict(zip(head, gmv))
        self.assertEqual((gmv[:4], lud[:4]), (["GMV", "gesummv", "HCC", "HCC"], ["LUD", "lud", "LCC", "LCC"]))
        self.assertLess(float(cell["modulo"]), 0.2)
        self.assertGreater(float(cell["no L1"]), 3)
        self.assertGreater(float(cell["L = 1"]), float(cell["L = 7"]))
        self.assertIn("gate: 8 MB at least 1.5, the best static limit at least 1.25: 1 of 1 programs", run(*words)[1])

    def test_a_key_holds_in_all_machines_but_where_they_differ(self):
        _, out, _ = run("mdb_machine", "--build", BUILD, "--size", "tiny", "--tsv", "--swl", "", "--set", "l1.index=modulo",
                        "gesummv")
        cell = dict(zip(*[line.split("\t") for line in out.splitlines()[:2]]))
        self.assertEqual((cell["modulo"], cell["swl"]), ("1", "-"))


class OwlMachine(unittest.TestCase):
    def test_a_table_has_a_line_a_program_means_and_the_gates_verdict(self):
        words = ("owl_machine", "--build", BUILD, "--size", "tiny", "--schedulers", "locality owl.life=slot,control", "wp", "scp")
        status, out, err = run(*words, "--tsv")
        self.assertEqual((status, err), (0, ""))
        head, scp, wp, mean = [line.split("\t") for line in out.splitlines()]
        self.assertEqual(len(head), len(scp))
        self.assertEqual((scp[:3], wp[:3], mean[0]), (["SCP", "scp", "tiny"], ["WP", "wp", "tiny"], "mean"))
        self.assertEqual([line[head.index("control x")] for line in (scp, wp, mean)], ["1"] * 3)
        self.assertNotIn("gate", run(*words)[1])

    def test_a_scheduler_that_is_none_is_one_line(self):
        status, _, err = run("owl_machine", "--build", BUILD, "--schedulers", "blp,best", "wp")
        self.assertEqual((status, err.count("\n")), (2, 1))
        self.assertIn("--schedulers best: must begin with aware, locality, blp, owl, control, two-level", err)


class DawsProfiles(unittest.TestCase):
    def test_the_profiles_of_make_repro_are_those_of_todays_programs(self):
        folder = os.path.join(ROOT, "data", "profiles", "daws")
        names = sorted(os.listdir(folder))
        self.assertEqual(len(names), 11)
        for name in names:
            done = subprocess.run([os.path.join(BUILD, "warpmem"), "profile", name.removesuffix(".txt"), "--size", "tiny", "--seed", "2",
                                   "--preset", "quadro-daws", "--no-progress", "-o", "-"], capture_output=True, text=True, check=False)
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                self.assertEqual(file.read(), done.stdout, f"{name}: warpmem profile makes another one")


class DawsMachine(unittest.TestCase):
    def test_a_table_has_a_line_a_program_means_and_the_gates_verdict(self):
        words = ("daws_machine", "--build", BUILD, "--size", "tiny", "--swl-limits", "2,4", "--schedulers",
                 "daws,gto,detected daws.latency=0", "spmv-scalar", "backprop")
        status, out, err = run(*words, "--tsv")
        self.assertEqual((status, err), (0, ""))
        head, spmv, backp, sensitive, other = [line.split("\t") for line in out.splitlines()]
        self.assertEqual(len(head), len(spmv))
        self.assertEqual((spmv[:3], backp[0]), (["SPMV-Scalar", "spmv-scalar", "tiny"], "BACKP"))
        self.assertEqual((sensitive[0], other[0]), ("mean HCS", "mean CI"))
        self.assertEqual([line[head.index("gto x")] for line in (spmv, backp, sensitive)], ["1"] * 3)
        self.assertNotEqual(spmv[head.index("daws x")], "1")
        self.assertEqual(sensitive[head.index("daws x")], spmv[head.index("daws x")])
        self.assertIn(spmv[head.index("limit")], ("2", "4"))
        self.assertIn("gate: SPMV-Scalar ", run(*words)[1])

    def test_readings_count_the_loads_of_each_loop(self):
        status, out, err = run("daws_machine", "--build", BUILD, "--size", "tiny", "--readings", "--tsv", "spmv-scalar")
        self.assertEqual((status, err), (0, ""))
        head, first, second, loop = [line.split("\t") for line in out.splitlines()]
        self.assertEqual(int(loop[head.index("executions")]), int(first[4]) + int(second[4]))
        self.assertTrue(loop[head.index("load any")].endswith(" +"))

    def test_a_scheduler_that_is_none_is_one_line(self):
        status, _, err = run("daws_machine", "--build", BUILD, "--schedulers", "daws,best", "gc")
        self.assertEqual((status, err.count("\n")), (2, 1))
        self.assertIn("--schedulers best: must begin with daws, detected, blind, ccws, swl, gto, rr, oldest", err)


class MedicPrograms(House):
    WORDS = ("medic_programs", "--build", BUILD, "--size", "tiny", "--tsv")

    def test_programs_stand_in_the_order_of_their_misses_with_means_of_both_kinds(self):
        status, out, err = run(*self.WORDS, "--probes", "stock,l2-quarter,reads+follow", "--variants", "perfect-l2,wbyp", "pvc",
                               "streamcluster", "scp")
        self.assertEqual((status, err), (0, ""))
        head, *lines = [text.split("\t") for text in out.splitlines()]
        self.assertEqual({len(line) for line in lines}, {len(head)})
        self.assertEqual([line[0] for line in lines[:9:3]], ["SCP", "SC", "PVC"])
        self.assertEqual([line[1] for line in lines[:3]], ["stock", "l2-quarter", "reads+follow"])
        cells = {tuple(line[:2]): dict(zip(head, line)) for line in lines}
        stock, smaller, other = (cells["SC", probe] for probe in ("stock", "l2-quarter", "reads+follow"))
        self.assertLess(float(smaller["hits"]), float(stock["hits"]))
        self.assertEqual([other[name] for name in head[2:8]], [stock[name] for name in head[2:8]])  # it is of MeDiC alone
        self.assertNotEqual(other["wbyp"], stock["wbyp"])
        both = [cells[name, "stock"]["perfect-l2"] for name in ("SCP", "SC")]
        self.assertAlmostEqual(float(cells["mean of misses (2)", "stock"]["perfect-l2"]), 2 / sum(1 / float(x) for x in both), 2)
        self.assertEqual(cells["mean of hits (1)", "stock"]["wbyp"], cells["PVC", "stock"]["wbyp"])
        self.assertIn(("mean of table II (3)", "l2-quarter"), cells)
        self.assertIn(("mean of the figures (3)", "reads+follow"), cells)

    def test_keys_of_medic_are_not_set_where_they_change_nothing(self):
        machine = argparse.Namespace(options=("--set", "l2.mshrs=32"))
        baseline, wip = (argparse.Namespace(name=name, options=("--scheme", name)) for name in ("baseline", "wip"))
        self.assertEqual(medic_programs.words_of(machine, baseline, "reads"), ("--set", "l2.mshrs=32", "--scheme", "baseline"))
        self.assertEqual(medic_programs.words_of(machine, wip, "reads+few-mshrs")[-4:],
                         ("--set", "medic.counts=reads", "--set", "l2.mshrs=8"))
        self.assertEqual(medic_programs.words_of(machine, baseline, "few-mshrs")[-2:], ("--set", "l2.mshrs=8"))

    def test_full_mshrs_are_a_share_of_the_banks_cycles(self):
        config = {"clock.l2": 700, "clock.core": 1400, "l2.partitions": 6, "l2.banks": 2}
        self.assertEqual(medic_programs.full_mshrs({"cycles": 100, "config": config, "stats": {"l2.fail_mshr_full": 150}}), 0.25)

    def test_a_change_has_an_arithmetic_mean_and_what_is_missing_none(self):
        lines = [["A", "stock", "AM", 0.1, 0, 0, 0, -0.5, None], ["B", "stock", "AH", 0.9, 0, 0, 0, 0.1, None]]
        found = medic_programs.means([line[:8] for line in lines], "row_hit_rate_change", [("one", ["A"]), ("both", ["A", "B"])])
        self.assertEqual([(line[0], line[7]) for line in found], [("one (1)", -0.5), ("both (2)", -0.2)])
        self.assertEqual(medic_programs.means(lines, "row_hit_rate_change", [("both", ["A", "B"])]), [])  # a column has none

    def test_table_II_has_SP_where_the_figures_have_SSSP(self):
        sets = {row["app"]: row["sets"] for row in medic_programs.programs()}
        self.assertEqual((len(sets), sets["SP"], sets["SSSP"], sets["BFS"]),
                         (16, ["medic15"], ["medic-figures"], ["medic15", "medic-figures"]))

    def test_a_name_that_is_none_is_one_line(self):
        for words, said_then in ((("--probes", "stock,best+reads"), "--probes: probe 'best': must be one of stock, reads, follow"),
                                 (("--machine", "gtx"), "--machine: machine 'gtx': must be one of pipelined"),
                                 (("--variants", "best"), "--variants: variant 'best': must be one of baseline"),
                                 (("--metric", "ipc"), "--metric: metric 'ipc': ")):
            status, _, err = run(*self.WORDS, *words, "scp")
            self.assertEqual((status, err.count("\n")), (2, 1))
            self.assertIn(said_then, err)


class MedicMachine(House):
    KEYS = {"l2.partitions": "6", "l2.banks": "2", "l2.sets": "32", "l2.mshrs": "32",
            "l2.miss_queue": "4", "l2.hit_latency": "10", "clock.noc": "1400000", "dram.queue": "16"}

    def test_delays_are_shares_of_the_requests(self):
        stats = {f"l2.queue_delay_ge_{2**i}": 0 for i in range(16)}
        stats.update({"l2.requests": 8, "l2.queue_delay": 1000, "l2.queue_delay_ge_1": 2,
                      "l2.queue_delay_ge_8": 1, "l2.queue_delay_ge_16": 1,
                      "l2.queue_delay_ge_128": 2, "l2.queue_delay_ge_32768": 2})
        self.assertEqual(medic_machine.delays(stats), [125, 3 / 8, 1 / 8, 2 / 8, 2 / 8])
        self.assertEqual(medic_machine.delays({"l2.requests": 0}), [None] * 5)

    def test_speedups_have_a_harmonic_mean(self):
        lines = [[2, 10, .5, .25, .25, 0, None, None], [0.5, 30, 1, 0, 0, 0, 24, 90]]
        self.assertEqual(medic_machine.summary(lines), [2 / (1 / 2 + 1 / 0.5), 0.5, 2, 20, .75, .125, .125, 0, 24, 90])
        self.assertEqual(set(medic_machine.summary([])), {None})

    def test_more_banks_keep_the_capacity(self):
        of = {(m[0], m[1]): dict(word.split("=") for word in m[3] if "=" in word) for m in medic_machine.machines(self.KEYS)}
        for part in ("banks", "share"):
            for banks, sets in ((4, 16), (8, 8)):
                keys = of[part, f"{6 * banks} banks, interval 10"]
                self.assertEqual((keys["l2.banks"], keys["l2.sets"]), (str(banks), str(sets)))
                if part == "share":
                    self.assertEqual(int(keys["l2.mshrs"]) * banks, 64)
                else:
                    self.assertNotIn("l2.mshrs", keys)

    def test_a_bank_busy_for_longer_lets_requests_wait_longer(self):
        status, out, err = run("medic_machine", "--build", BUILD, "--size", "tiny", "--tsv",
                               "--parts", "bank,bound", "--programs", "scp", "cons")
        self.assertEqual((status, err), (0, ""))
        head, *lines = [text.split("\t") for text in out.splitlines()]
        self.assertEqual({len(line) for line in lines}, {len(head)})
        cells = {tuple(line[:3]): dict(zip(head, line)) for line in lines}
        self.assertEqual(cells["bank", "interval 1", "2 of 2"]["speedup"], "1")
        for what in ("2 of 2", "scp", "cons"):
            delay = [float(cells["bank", f"interval {n}", what]["delay"]) for n in (1, 5, 10)]
            self.assertEqual(delay, sorted(set(delay)))

    def test_other_intervals_and_a_key_in_all_machines(self):
        self.assertEqual([m[1] for m in medic_machine.machines(self.KEYS, [6]) if m[0] == "banks"],
                         ["24 banks, interval 6", "48 banks, interval 6"])
        delays = []
        for words in ([], ["--set", "clock.noc=175000"]):
            status, out, err = run("medic_machine", "--build", BUILD, "--size", "tiny", "--tsv",
                                   "--parts", "bank", "--intervals", "6", *words, "scp")
            self.assertEqual((status, err), (0, ""))
            head, line = [text.split("\t") for text in out.splitlines()]
            self.assertEqual(line[1], "interval 6")
            delays.append(line[head.index("delay")])
        self.assertNotEqual(*delays)

    def test_wrong_parts_are_one_line_and_exit_2(self):
        for words, message in ((("--parts", "bank,x"), "must be of lookup, reply"),
                               (("--intervals", "5,0"), "--intervals '0': must be 1..256"),
                               (("--set", "l2.bank=1"), "did you mean l2.banks?")):
            self.one_line(run("medic_machine", "--build", BUILD, *words), message)


class Plot(House):
    SCRIPT = os.path.join(SCRIPTS, "plot_character.py")

    def test_the_pictures_name_says_its_kind(self):
        name = self.path("a.json")
        subprocess.run([os.path.join(BUILD, "warpmem"), "characterize", "vecadd", "--size",
                        "tiny", "--json", name], check=True, stdout=subprocess.DEVNULL)
        for kind, begin in ((".png", b"\x89PNG\r\n\x1a\n"), (".pdf", b"%PDF-"), (".svg", b"<?xml")):
            subprocess.run([self.SCRIPT, name, self.path("a" + kind)], check=True)
            with open(self.path("a" + kind), "rb") as file:
                self.assertEqual(file.read(len(begin)), begin)
        self.one_line(said(self.SCRIPT, name, self.path("a.jpg")), "must end in .png, .svg or .pdf")

    def test_wrong_input_is_one_line_and_exit_2(self):
        for text, part in ((None, "No such file"), ("x", "is not JSON"),
                           (json.dumps({"schema": "other", "version": 1}), "must be what"),
                           (json.dumps({"schema": "warpmem.character", "version": 2}), "lacks 'total'")):
            if text is not None:
                self.write("a.json", text)
            self.one_line(said(self.SCRIPT, self.path("a.json"), self.path("a.png")), part)


class Measure(House):
    SCRIPT = os.path.join(SCRIPTS, "measure_workloads.py")

    def test_wrong_input_is_one_line_and_exit_2(self):
        for words, part in ((["x"], "x: no such workload"), (["--limit", "x"], "--limit"),
                            (["--size", "huge"], "--size huge: must be one of tiny, small"),
                            (["atax", "--size", "paper:owl"], "--size paper:owl: must be one of"),
                            (["--build", self.path("absent")], "make builds it")):
            if "--build" not in words:
                words = ["--build", BUILD] + words
            self.one_line(said(self.SCRIPT, *words), part)


if __name__ == "__main__":
    main()
