#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/experiments and scripts/plot_character.py: by hand on made-up numbers, and with
the real binary (in $WARPMEM_BUILD, or build) on tiny inputs."""
import argparse
import json
import os
import signal
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
from test_house import ROOT, SCRIPTS, House, main, said  # noqa: E402

BUILD = os.path.join(ROOT, os.environ.get("WARPMEM_BUILD", "build"))
EXPERIMENTS = os.path.join(SCRIPTS, "experiments")
sys.path.insert(0, EXPERIMENTS)
import character  # noqa: E402
import daws_footprint  # noqa: E402
import experiment  # noqa: E402
import mdb_machine  # noqa: E402
import medic_machine  # noqa: E402
import medic_periods  # noqa: E402
import medic_programs  # noqa: E402
import owl_replay  # noqa: E402
import owl_rows  # noqa: E402
import preset_differences  # noqa: E402
import warp_types  # noqa: E402


def run(script, *words):
    return said(os.path.join(EXPERIMENTS, script), *words)


def by_lanes(**lanes):
    return [lanes.get(f"n{i + 1}", 0) for i in range(32)]


def loop(**other):
    """A loop of one diverged load: as many lines as lanes."""
    members = {"pc": 8, "accesses": 100, "trips": 4, "trips_by_lanes": by_lanes(n32=1, n8=3),
               "entries_by_lanes": by_lanes(n32=1, n16=1), "trip_lines": 60, "live_lines": 20,
               "footprint_by_lanes": list(range(1, 33))}
    return {**members, **other}


class Daws(unittest.TestCase):
    def test_153_6_lines_are_shared_by_the_warps_that_fit(self):
        self.assertAlmostEqual(daws_footprint.warps_that_fit(34, 256), 153.6 / 34)
        self.assertEqual(daws_footprint.warps_that_fit(1, 256), 32)

    def test_the_main_loop_has_most_accesses(self):
        data = {"kernels": [{"name": "a", "loops": [loop(accesses=0), loop(accesses=5, pc=1)]},
                            {"name": "b", "loops": [loop(accesses=9, pc=2), loop(accesses=9)]}]}
        kernel, found = daws_footprint.main_loop(data)
        self.assertEqual((kernel, found["pc"]), ("b", 2))
        self.assertIsNone(daws_footprint.main_loop({"kernels": [{"name": "a", "loops": []}]}))

    def test_footprints_are_means_over_trips_entries_and_accesses(self):
        trip, entry, touched, live = daws_footprint.other_footprints(loop())
        self.assertEqual((trip, entry, touched, live), ((32 + 3 * 8) / 4, 24, 15, 5))
        self.assertAlmostEqual(daws_footprint.footprint(loop()), (32 * 32 + 3 * 8 * 8) / (32 + 3 * 8))

    def test_a_sweeps_best_is_set_against_the_limit_that_is_none(self):
        runs = [{"value": 4, "cycles": 50, "complete": True},
                {"value": 8, "cycles": 40, "complete": False},
                {"value": 32, "cycles": 100, "complete": True}]
        self.assertEqual(daws_footprint.best_limit({"sweep": {"best": 4, "runs": runs}}), [4, 2])
        self.assertEqual(daws_footprint.best_limit({"sweep": {"best": 4, "runs": runs[:1]}}), [4, None])
        self.assertEqual(daws_footprint.best_limit(None), [None, None])

    def test_readings_and_the_sweep_stand_after_ours(self):
        status, out, err = run("daws_footprint.py", "--build", BUILD, "--size", "tiny", "--tsv",
                               "--readings", "--best-swl", "--swl-limits", "1,32", "bfs-64k")
        self.assertEqual((status, err), (0, ""))
        head, line = [text.split("\t") for text in out.splitlines()]
        self.assertEqual(len(head), len(line))
        self.assertEqual(line[-2:], ["32", "1"])
        cell = dict(zip(head, line))
        self.assertLess(float(cell["warps"]), float(cell["entry"]))
        self.assertLess(float(cell["entry"]), float(cell["trip"]))

    def test_kmeans_gives_the_papers_4_warps(self):
        status, out, err = run("daws_footprint.py", "--build", BUILD, "--size", "tiny", "--tsv", "kmeans-global")
        self.assertEqual((status, err), (0, ""))
        head, line = [text.split("\t") for text in out.splitlines()]
        self.assertEqual(len(head), len(line))
        self.assertEqual(line[:5], ["KMN", "kmeans-global", "4", "4.52", "34"])


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
        words = ("mdb_machine.py", "--build", BUILD, "--size", "tiny", "--swl", "4", "gesummv", "lud")
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
        _, out, _ = run("mdb_machine.py", "--build", BUILD, "--size", "tiny", "--tsv", "--swl", "", "--set", "l1.index=modulo",
                        "gesummv")
        cell = dict(zip(*[line.split("\t") for line in out.splitlines()[:2]]))
        self.assertEqual((cell["modulo"], cell["swl"]), ("1", "-"))


class OwlMachine(unittest.TestCase):
    def test_a_table_has_a_line_a_program_means_and_the_gates_verdict(self):
        words = ("owl_machine.py", "--build", BUILD, "--size", "tiny", "--schedulers", "locality owl.life=slot,control", "wp", "scp")
        status, out, err = run(*words, "--tsv")
        self.assertEqual((status, err), (0, ""))
        head, scp, wp, mean = [line.split("\t") for line in out.splitlines()]
        self.assertEqual(len(head), len(scp))
        self.assertEqual((scp[:3], wp[:3], mean[0]), (["SCP", "scp", "tiny"], ["WP", "wp", "tiny"], "mean"))
        self.assertEqual([line[head.index("control x")] for line in (scp, wp, mean)], ["1"] * 3)
        self.assertNotIn("gate", run(*words)[1])

    def test_a_scheduler_that_is_none_is_one_line(self):
        status, _, err = run("owl_machine.py", "--build", BUILD, "--schedulers", "blp,best", "wp")
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
        words = ("daws_machine.py", "--build", BUILD, "--size", "tiny", "--swl-limits", "2,4", "--schedulers",
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
        status, out, err = run("daws_machine.py", "--build", BUILD, "--size", "tiny", "--readings", "--tsv", "spmv-scalar")
        self.assertEqual((status, err), (0, ""))
        head, first, second, loop = [line.split("\t") for line in out.splitlines()]
        self.assertEqual(int(loop[head.index("executions")]), int(first[4]) + int(second[4]))
        self.assertTrue(loop[head.index("load any")].endswith(" +"))

    def test_a_scheduler_that_is_none_is_one_line(self):
        status, _, err = run("daws_machine.py", "--build", BUILD, "--schedulers", "daws,best", "gc")
        self.assertEqual((status, err.count("\n")), (2, 1))
        self.assertIn("--schedulers best: must begin with daws, detected, blind, ccws, swl, gto, rr, oldest", err)


class MdbGenerator(unittest.TestCase):
    def test_a_column_is_a_choice_and_the_last_lines_are_mean_and_least(self):
        status, out, err = run("mdb_generator.py", "--build", BUILD, "--size", "tiny", "--choices", "local,,control", "--tsv",
                               "gesummv", "lud")
        self.assertEqual((status, err), (0, ""))
        head, gmv, lud, mean, least = [line.split("\t") for line in out.splitlines()]
        self.assertEqual(head, ["app", "workload", "paper", "cycles", "local", "control"])
        self.assertEqual((gmv[5], lud[5]), ("1", "1"))
        self.assertGreater(float(gmv[4]), 1.5)
        self.assertEqual((mean[4], least[4]), (gmv[4], lud[4]))

    def test_an_unknown_choice_is_one_line_and_exit_2(self):
        status, out, err = run("mdb_generator.py", "--build", BUILD, "--choices", "nothing")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("--choices nothing: must be of local,,control,,", err)


class WarpTypes(unittest.TestCase):
    def test_agreement_is_the_share_of_warps_on_which_both_agree(self):
        self.assertAlmostEqual(warp_types.agreement([0.5, 0.5, 0], [0.25, 0.25, 0.5]), 0.5)
        self.assertAlmostEqual(warp_types.agreement([0.5, 0.5], [0.5, 0.5]), 1)
        self.assertIsNone(warp_types.agreement([1, 0], [None, None]))
        self.assertEqual(warp_types.shares([1, 3, 0, 0, 0]), [0.25, 0.75, 0, 0, 0])
        self.assertEqual(warp_types.shares([]), [None] * 5)

    def test_the_mean_leaves_out_programs_without_figures(self):
        miss, hit, none = [0, 0, 0, 0, 1], [1, 0, 0, 0, 0], [None] * 5
        line = warp_types.summary("ours", [(miss, miss), (hit, miss), (hit, none)])
        self.assertEqual(line, ["all", "ours", "1 of 2", None, None, None, None, 0.5, None])
        self.assertIsNone(warp_types.summary("ours", [(hit, none)])[-2])

    def test_the_scalar_product_streams_as_the_paper_says(self):
        status, out, err = run("warp_types.py", "--build", BUILD, "--size", "tiny", "--tsv", "--loads", "scp")
        self.assertEqual((status, err), (0, ""))
        lines = [text.split("\t") for text in out.splitlines()]
        self.assertEqual([line[1] for line in lines[1:]], ["paper", "ours", "by load", "ours", "by load"])
        self.assertEqual({len(line) for line in lines}, {len(lines[0])})
        for line in lines[2:4]:
            cell = dict(zip(lines[0], line))
            self.assertGreater(float(cell["mostly_miss"]) + float(cell["all_miss"]), 0.99)
        self.assertGreater(float(lines[3][lines[0].index("agreement")]), 0.95)
        self.assertEqual([line[2] for line in lines[4:]], ["1 of 1", "1 of 1"])


class MedicPeriods(House):
    @staticmethod
    def lines(*rows):
        return ["\t".join(map(str, row)) + "\n" for row in rows]

    def test_a_profile_that_the_rest_of_its_period_belies(self):
        counts = medic_periods.count(self.lines(
            (1000, 0, 3, 20, 2), (2000, 0, 3, 10, 1), (3000, 0, 3, 40, 36),  # 10 % in the profile, 90 % after it
            (1000, 1, 3, 30, 30), (9000, 1, 3, 10, 10),  # the other core's warp keeps its type
            (101000, 0, 3, 30, 15), (102000, 0, 3, 50, 25),  # balanced, as in the whole period before
            (301000, 0, 3, 30, 0)))  # a period without requests lies between: no pair
        requests, same, bypass, lost, follows, loses, stays = counts.shares()
        self.assertEqual((requests, same), (100, 60 / 100))
        self.assertEqual((bypass, lost), (40 / 100, 36 / 40))
        self.assertEqual((follows, loses), (40 / 100, 36 / 40))
        self.assertEqual(stays, 1)

    def test_following_counters_cease_to_bypass(self):
        counts = medic_periods.count(self.lines((1000, 0, 0, 30, 0), (2000, 0, 0, 30, 30), (3000, 0, 0, 30, 30)))
        self.assertEqual((counts.bypass, counts.lost, counts.follows, counts.loses), (60, 60, 30, 30))

    def test_a_period_of_fewer_requests_than_a_profile_has_no_type(self):
        counts = medic_periods.count(self.lines((1000, 0, 0, 29, 0), (101000, 0, 0, 30, 0), (200000, 0, 0, 5, 0)))
        self.assertEqual((counts.pairs, counts.rest), (0, 5))
        self.assertEqual(medic_periods.Counts().shares(), [0] + [None] * 6)

    def test_types_have_the_papers_boundaries(self):
        self.assertEqual([medic_periods.type_of(10, hits) for hits in (0, 2, 3, 6, 7, 9, 10)], [0, 0, 1, 1, 2, 2, 2])

    def test_counters_are_halved_when_they_are_full(self):
        # 600 misses, and 40 hits: 40 of 640 would stay mostly-miss; half of 600, then 40 of 340 and 140 of 440 follow sooner.
        lines = self.lines((1000, 0, 0, 600, 0), (2000, 0, 0, 40, 40), (3000, 0, 0, 100, 100), (4000, 0, 0, 10, 10))
        counts = medic_periods.count(lines)
        self.assertEqual((counts.follows, counts.loses), (140, 140))

    def test_a_run_that_fails_says_why(self):
        status, out, err = run("medic_periods.py", "--build", BUILD, "--size", "tiny", "--tsv", "--seed", "1", "--keep", "x", "scp")
        self.assertEqual((status, out, err.count("\n")), (2, "", 1))
        self.assertIn("--keep: these runs are not kept", err)

    def test_all_misses_of_scp_stay_misses(self):
        status, out, err = run("medic_periods.py", "--build", BUILD, "--size", "small", "--tsv", "scp")
        self.assertEqual((status, err), (0, ""))
        head, line = [text.split("\t") for text in out.splitlines()]
        cells = dict(zip(head, line))
        self.assertEqual((cells["workload"], cells["class"], cells["same"], cells["bypass"]), ("scp", "AM", "1", "1"))
        self.assertLess(float(cells["lost"]), 0.02)


class MedicPrograms(House):
    WORDS = ("medic_programs.py", "--build", BUILD, "--size", "tiny", "--tsv")

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
        status, out, err = run("medic_machine.py", "--build", BUILD, "--size", "tiny", "--tsv",
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
            status, out, err = run("medic_machine.py", "--build", BUILD, "--size", "tiny", "--tsv",
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
            self.one_line(run("medic_machine.py", "--build", BUILD, *words), message)


class PresetDifferences(House):
    SCRIPT = "preset_differences.py"

    @staticmethod
    def row(**other):
        return {"preset": "p", "key": "l2.queue, l2.mshrs", "ours": "8, 32", "from": "simulator", "simulator": "32, 64",
                "set": "l2.queue=32 l2.mshrs=64", "source": "3.2.1 l2cache.cc", "note": "-", **other}

    def test_a_value_that_a_preset_no_longer_has_is_told(self):
        keys = {"p": {"l2.queue": "8", "l2.mshrs": "32"}}
        preset_differences.check_ours([self.row(), self.row(key="instruction fetch", ours="none")], keys)
        for other, message in (({"ours": "8, 64"}, "l2.mshrs: says 64, but the preset has 32"),
                               ({"key": "l2.que", "ours": "8"}, "l2.que: there is no such key")):
            with self.assertRaisesRegex(experiment.BadInput, message):
                preset_differences.check_ours([self.row(**other)], keys)

    def test_together_are_the_values_that_the_paper_does_not_decide(self):
        rows = [self.row(), self.row(**{"from": "paper", "set": "l2.write=back"}), self.row(set="-"),
                self.row(set="l1.fill_latency=2")]
        (preset, lines), = preset_differences.machines(rows)
        self.assertEqual([row["key"] for row, _ in lines[1:5]], [rows[0]["key"]] * 4)
        self.assertEqual((preset, lines[0][0]["key"], lines[0][1]), ("p", "as it is", []))
        self.assertEqual((lines[5][0]["key"], lines[5][1]), ("together", ["l2.queue=32", "l2.mshrs=64", "l1.fill_latency=2"]))

    def test_changes_are_percent_of_the_presets_cycles(self):
        self.assertAlmostEqual(preset_differences.change(90, 120), -25)
        self.assertIsNone(preset_differences.change(None, 120))
        for value, text in ((None, "-"), (0.04, "0"), (-0.06, "-0.1"), (12.34, "+12.3")):
            self.assertEqual(preset_differences.text_of(self.row(), value), text)
        self.assertEqual(preset_differences.text_of(self.row(key="as it is"), 12345), "12,345")

    def test_each_difference_of_the_file_is_one_of_its_preset(self):
        rows = preset_differences.read_table(os.path.join(ROOT, preset_differences.DATA))
        options = argparse.Namespace(build=BUILD)
        presets = {row["preset"] for row in rows}
        files = os.listdir(os.path.join(ROOT, "cmodel", "config", "presets"))
        today = {"v100", "a100"}  # machines of today are of no paper, so of no paper's simulator
        self.assertEqual(presets, {name.removesuffix(".ini") for name in files} - today)
        keys = {preset: experiment.keys_of(options, preset) for preset in presets}
        preset_differences.check_ours(rows, keys)
        for row in rows:
            self.assertNotIn(None, [*row, *row.values()], row)  # as many columns as the head
            words = [word for pair in preset_differences.settings(row) for word in ("--set", pair)]
            changed = experiment.keys_of(options, row["preset"], *words)
            for key in row["key"].split(", "):
                self.assertEqual(changed.get(key) != keys[row["preset"]].get(key), bool(words), (row["preset"], key))
        self.assertLessEqual({row["from"] for row in rows}, {"paper", "simulator", "chosen", "-"})

    def test_a_table_has_a_line_for_each_difference(self):
        words = ("--build", BUILD, "--size", "tiny", "--preset", "quadro-daws", "vecadd")
        status, out, err = run(self.SCRIPT, *words, "--tsv")
        self.assertEqual((status, err), (0, ""))
        head, *lines = [text.split("\t") for text in out.splitlines()]
        self.assertEqual({len(line) for line in lines}, {len(head)})
        self.assertEqual((lines[0][1], lines[-1][1]), ("as it is", "together"))
        cycles = {line[1]: line[-1] for line in lines}
        self.assertRegex(cycles["as it is"], r"^[0-9,]+$")
        self.assertRegex(cycles["noc.hop_latency"], r"^-[0-9.]+$")
        self.assertEqual(cycles["instruction fetch"], "-")
        status, out, err = run(self.SCRIPT, *words, "--markdown")
        self.assertEqual((status, err), (0, ""))
        self.assertTrue(out.startswith("`quadro-daws`, GPGPU-Sim 3.1.0:\n\n| key | ours |"), out)
        self.assertEqual(len(out.splitlines()), 4 + len(lines))
        status, out, err = run(self.SCRIPT, *words, "--json")
        self.assertEqual((status, err), (0, ""))
        found = json.loads(out)
        self.assertEqual(f"{found[0]['cycles']['vecadd']:,}", cycles["as it is"])
        self.assertEqual([row["key"] for row in found], [line[1] for line in lines])

    def test_wrong_input_is_one_line_and_exit_2(self):
        for words, part in ((("--preset", "x"), "--preset x: must be all or one of c2050-s"), (("x",), "x: no such workload"),
                            (("--size", "huge"), "--size huge: must be")):
            self.one_line(run(self.SCRIPT, "--build", BUILD, *words), part)


class OwlRows(unittest.TestCase):
    def test_shares_are_of_all_rows_and_of_shared_ones(self):
        rows = {"rows": 4, "ctas_histogram": [3, 1, 0], "consecutive_share": 0.25, "ctas_a_row": 1.75}
        self.assertEqual(owl_rows.cells_of(rows), [0.25, 1.0, 1.75])
        self.assertEqual(owl_rows.cells_of(None)[0], "too many")
        alone = {"rows": 2, "ctas_histogram": [2], "consecutive_share": 0.0, "ctas_a_row": 1.0}
        self.assertEqual(owl_rows.cells_of(alone), [0, None, 1.0])

    def test_backprop_tiny_shares_rows_as_the_paper_says(self):
        status, out, err = run("owl_rows.py", "--build", BUILD, "--size", "tiny", "--tsv", "backprop")
        self.assertEqual((status, err), (0, ""))
        line = out.splitlines()[1].split("\t")
        self.assertEqual(line[:4], ["BP", "backprop", "0.99", "4"])
        self.assertGreaterEqual(float(line[4]), 0.9)


class OwlReplay(unittest.TestCase):
    def test_reductions_are_against_all_warps_in_turn(self):
        def order(read, texture):
            return {"read_misses": read, "write_misses": 10, "texture_misses": texture, "constant_misses": 0}
        replay = {"round_robin": order(50, 140), "groups_until_miss": order(40, 100),
                  "groups_oldest": order(20, 70), "groups_until_end": order(5, 5)}
        self.assertEqual(owl_replay.cells({"total": {"replay": replay}}), ["+0.250", "+0.500", "+0.900", "+0.750", "200"])

    def test_kernels_have_lines_of_their_own(self):
        status, out, err = run("owl_replay.py", "--build", BUILD, "--size", "tiny", "--tsv", "--kernels", "backprop")
        self.assertEqual((status, err), (0, ""))
        lines = [text.split("\t") for text in out.splitlines()[1:]]
        self.assertEqual([line[0] for line in lines], ["BP", "", ""])
        self.assertEqual(int(lines[0][-2]), int(lines[1][-2]) + int(lines[2][-2]))

    def test_a_program_without_the_default_paper_size_takes_another_papers(self):
        options = argparse.Namespace(size="paper:owl", default_size="paper:owl")
        for sizes, want in ((["tiny", "paper:mrpb", "paper:owl"], "paper:owl"),
                            (["tiny", "paper:mrpb"], "paper:mrpb"), (["tiny"], None)):
            self.assertEqual(experiment.size_of(options, sizes), want)
        options.default_size = "small"
        self.assertIsNone(experiment.size_of(options, ["tiny", "paper:mrpb"]))

    def test_a_limit_ends_a_program_before_the_papers(self):
        lines = []
        for more in ([], ["--max-insn", "100000"]):
            status, out, err = run("owl_replay.py", "--build", BUILD, "--size", "tiny", "--tsv", "backprop", *more)
            self.assertEqual((status, err), (0, ""))
            lines.append(out.splitlines()[1].split("\t"))
        self.assertLess(int(lines[1][-2]), int(lines[0][-2]))

    def test_iix_ends_earlier_than_the_others(self):
        self.assertEqual(character.owl_limit("iix"), ("--max-insn", "400000000"))
        self.assertEqual(character.owl_limit("mum"), ("--max-insn", "1000000000"))
        self.assertEqual(character.owl_limit("pvc"), ("--max-insn", "100000000"))

    def test_the_table_has_a_line_for_each_of_the_papers_19(self):
        rows = character.owl_rows()
        self.assertEqual(len({row["app"] for row in rows}), 19)
        self.assertEqual([row["workload"] for row in rows if row["app"] == "KMN"], ["kmeans", "kmeans-global"])
        for row in rows:
            for name in ("row_sharing", "ctas_per_row", "fewer_misses", "fewer_misses_locality"):
                float(row[name])


FAKE = """#!/bin/sh
[ $1 != config ] || exit 0
[ $1 != list ] || {{ printf 'name\\ttakes\\tsize\\nkmeans-global\\t-\\tsmall\\nbfs-64k\\t-\\tsmall\\ngc\\t-\\ttiny\\n'; exit; }}
[ $2 = bfs-64k ] || {{ echo 'warpmem: broken' >&2; exit 1; }}
echo '{{"schema": "{schema}", "version": 2, "kernels": []}}'
"""


class Table(House):
    def fake(self, schema="warpmem.character"):
        """A warpmem that has bfs-64k, kmeans-global, which fails, and gc in another size."""
        return self.program("warpmem", FAKE.format(schema=schema))

    def test_missing_and_failed_programs_are_said(self):
        self.fake()
        status, out, err = run("daws_footprint.py", "--build", self.folder, "--tsv")
        lines = {text.split("\t")[1]: text.split("\t") for text in out.splitlines()}
        self.assertEqual(status, 1)  # a run failed
        self.assertIn("characterize kmeans-global", err)
        self.assertIn("warpmem: broken", err)
        self.assertEqual(lines["memc"][3], "not there")
        self.assertEqual(lines["gc"][3], "no such size")
        self.assertEqual(lines["kmeans-global"][3], "failed")
        self.assertEqual(lines["bfs-64k"][3], "no loop")
        self.assertEqual({len(line) for line in lines.values()}, {3 + len(daws_footprint.HEAD)})
        self.assertEqual(len(set(lines["workload"])), 3 + len(daws_footprint.HEAD))

    def test_paper_is_the_size_of_any_paper(self):
        status, out, err = run("daws_footprint.py", "--build", BUILD, "--size", "paper", "--tsv", "spmv-scalar")
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(out.splitlines()[1].split("\t")[1:3], ["spmv-scalar", "2"])
        self.assertNotIn("no such size", out)

    def test_a_full_disk_is_one_line_and_exit_1(self):
        self.fake()
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run(
                [os.path.join(EXPERIMENTS, "daws_footprint.py"), "--build", self.folder, "bfs-64k"],
                stdout=full, stderr=subprocess.PIPE, encoding="utf-8", check=False)
        self.assertEqual((done.returncode, done.stderr), (1, "daws_footprint.py: stdout: No space left on device\n"))

    def test_a_signal_ends_its_runs(self):
        path = self.fake()
        self.change("warpmem", "[ $2 = ", """trap 'touch $0.ended; exit 143' TERM
touch $0.began
while :; do sleep 0.05; done
[ $2 = """)
        with subprocess.Popen(
                [os.path.join(EXPERIMENTS, "daws_footprint.py"), "--build", self.folder, "--jobs", "1"],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") as process:
            while process.poll() is None and not os.path.exists(path + ".began"):
                time.sleep(0.01)
            process.send_signal(signal.SIGTERM)
            out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out, err), (143, "", "daws_footprint.py: interrupted\n"))
        self.assertTrue(os.path.exists(path + ".ended"))

    def test_wrong_input_is_one_line_and_exit_2(self):
        for words, part in ((["--build", self.folder], "make builds it"),
                            (["--build", BUILD, "x"], "not in this table"),
                            (["--build", BUILD, "--size", "huge"], "--size huge: must be"),
                            (["--build", BUILD, "--preset", "x"], "preset x: there is none"),
                            (["--jobs", "0"], "--jobs: '0': must be 1..1024"),
                            (["--seed", "x"], "--seed: 'x': must be 0..")):
            self.one_line(run("daws_footprint.py", *words), part)
        self.fake("other")
        status, _, err = run("daws_footprint.py", "--build", self.folder, "bfs-64k")
        self.assertEqual(status, 2)
        self.assertIn("must write warpmem.character version 2", err)


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
