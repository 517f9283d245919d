#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/repro: kinds of figures, and what wrong data of sweeps, machines and figures says."""
import json
import os

from test_house import main
from repro_house import CLAIMS, FIGURES, VARIANTS, House

MACHINES = "name\tpreset\toptions\tnote\nplain\ts\t-\t-\n"
SWEEPS = """name	best	metric	mean	workloads	reference	options	note
luck	each	ipc_speedup	-	-	base	--scheme r --set p={10,20}	-
tokens	mean	ipc_speedup	harmonic	four	base	--scheme t --set t={1,2}	-
"""
OVER_TIME = """over-time	--scheme baseline --series-interval 10	-
"""
TABLE = "# shares\n# app\tworkload\thit\tmiss\nA\ta\t0.25\t0.75\nB\tb\t0.5\t0.5\n"


def figure(kind, series, panels="P: four:a,b@plain", **keys):
    lines = ["[fig]", "title = T", "section = 1", f"kind = {kind}"]
    lines += [f"{key} = {value}" for key, value in keys.items()]
    return "\n".join(lines + ["panels =", f"    {panels}", "series ="] + [f"    {s}" for s in series]) + "\n"


class Drawn(House):
    """One figure of a paper with a machine, sweeps and a variant over time."""

    def setUp(self):
        super().setUp()
        self.write("data/machines/p.tsv", MACHINES)
        self.write("data/sweeps/p.tsv", SWEEPS)
        self.write("data/tables/types.tsv", TABLE)
        self.write("data/variants/p.tsv", OVER_TIME, "a")
        self.write("data/claims/p.tsv", CLAIMS.splitlines()[0] + "\n")

    def draw(self, text, code=0):
        """Rows of the figure's numbers, without the panel's name."""
        self.write("data/figures/p.ini", text)
        said, complaints = self.repro("--figure", "fig", code=code)
        for name, magic in (("fig.png", b"\x89PNG"), ("fig.svg", b"<?xml")):
            self.assertTrue(self.bytes("repro/p/tiny/" + name).startswith(magic))
        return [line.split("\t")[1:] for line in self.read("repro/p/tiny/fig.tsv").splitlines()][1:]

    def delays(self, workload, delay, **bins):
        stats = {f"l2__queue_delay_ge_{2 ** i}": 0 for i in range(16)}
        stats.update({f"l2__queue_delay_{name}": count for name, count in bins.items()})
        self.counts(f"{workload} s --scheme baseline", l2__queue_delay=delay, l2__queue_wait=delay, l2__requests=10, **stats)

    def test_values_are_of_each_run_with_a_mean_and_one_over_another_set(self):
        for workload, delay in (("a", 10), ("b", 30), ("c", 50)):
            self.delays(workload, delay)
        self.counts("d s --scheme baseline", l2__queue_wait=0, l2__requests=0)
        for axis in ("linear", "log"):
            rows = self.draw(figure("values", ["delay: base l2_queue_latency"], "P: four:a,b,d@plain",
                                    mean="arithmetic", axis=axis, beside="others: four:!a", published="P | delay | 7"))
            self.assertEqual(rows, [["delay", "a", "1", "-"], ["delay", "b", "3", "-"], ["delay", "d", "-", "-"],
                                    ["delay", "arithmetic mean of 2", "2", "7"],
                                    ["delay", "arithmetic mean of 2, others", "4", "-"]])

    def test_shares_stand_beside_those_of_a_table(self):
        for workload, hit in (("a", 1), ("b", 3)):
            self.counts(f"{workload} s --scheme baseline", core__warps_all_hit=hit,
                        core__warps_mostly_hit=0, core__warps_balanced=0, core__warps_mostly_miss=0, core__warps_all_miss=1)
        rows = self.draw(figure("shares", ["hit: warps_all_hit", "miss: warps_all_miss"],
                                variant="base", published_table="types: hit miss"))
        self.assertEqual(rows, [["hit", "a", "0.5", "0.25"], ["hit", "b", "0.75", "0.5"],
                                ["miss", "a", "0.5", "0.75"], ["miss", "b", "0.25", "0.5"]])

    def test_a_distribution_ends_with_its_last_bin_and_has_its_mean(self):
        self.delays("a", 55, ge_1=4, ge_4=1)
        rows = self.draw(figure("distribution", ["requests: base"], "P: four:a@plain",
                                metric="l2_queue_delay", published="P | requests | 34.8"))
        self.assertEqual(rows, [["requests", "0", "0.5", "-"], ["requests", "1", "0.4", "-"],
                                ["requests", "2-3", "0", "-"], ["requests", "4-7", "0.1", "-"],
                                ["requests", "mean", "5.5", "34.8"]])

    def test_loads_stand_beside_each_other_by_pc(self):
        def load(pc, hits, misses, **more):
            return {"pc": pc, "executions": 10, "lanes": 80, "accesses": hits + misses, "hits_own": hits, "misses": misses, **more}

        def kernels(**loads):
            return f'"kernels": {json.dumps([{"name": name, "loads": of} for name, of in loads.items()])},'
        first = [load(8, 5, 15), load(16, 20, 0, loop=16)]
        self.plan["kernels"] = {"a s --scheme baseline": kernels(k=first), "b s --scheme baseline": kernels(k=first, m=[load(8, 0, 40)])}
        series = ["own: base own_hits_pki", "misses: base misses_pki", "lanes: base lanes_each"]
        rows = self.draw(figure("loads", series, "A: four:a@plain"))
        self.assertEqual(rows, [["own", "8", "1", "-"], ["own", "16 in 16", "4", "-"], ["misses", "8", "3", "-"],
                                ["misses", "16 in 16", "0", "-"], ["lanes", "8", "8", "-"], ["lanes", "16 in 16", "8", "-"]])
        rows = self.draw(figure("loads", series[:1], "B: four:b@plain"))
        self.assertEqual([row[1] for row in rows], ["k 8", "k 16 in 16", "m 8"])
        self.plan["kernels"] = {}
        self.write("warpmem", "# results of another program\n", "a")
        self.write("data/figures/p.ini", figure("loads", series, "A: four:a@plain"))
        self.assertIn("its results have no kernels", self.repro("--figure", "fig")[0])

    def test_bars_may_each_have_a_metric(self):
        rows = self.draw(figure("bars", ["time: buffer time_ratio", "speed: buffer performance"], "P: four:a@plain", reference="base", mean="none"))
        self.assertEqual([row[0] for row in rows], ["time", "speed"])
        self.assertAlmostEqual(float(rows[0][2]) * float(rows[1][2]), 1)

    def test_a_timeline_is_of_warps_drawn_by_lot_with_gaps(self):
        self.plan["asked"]["a s --scheme baseline --series-interval 10"] = \
            "10\t0\t1\t4\t3\n10\t1\t1\t1\t0\n20\t0\t1\t2\t1\n30\t1\t1\t2\t2"
        text = figure("timeline", ["warp 1: over-time", "warp 2: over-time", "warp 3: over-time"],
                      "P: four:a@plain", cycles="20")
        rows = self.draw(text)
        lines = {}
        for name, cycle, ratio, _ in rows:
            lines.setdefault(name, []).append((cycle, ratio))
        self.assertEqual(sorted(lines), ["warp 1", "warp 2"])  # there is no third
        self.assertEqual(sorted(lines.values()), [[("10", "0"), ("20", "-"), ("30", "1")],
                                                  [("10", "0.75"), ("20", "0.5"), ("30", "-")]])
        self.calls()
        left = [n for n in os.listdir(self.path("repro")) if n.endswith(".tmp")]
        self.assertEqual(left, [])
        self.assertEqual(self.draw(text), rows)  # from what was kept
        self.assertEqual(self.calls(), [])

    def test_a_run_over_time_that_says_nothing_of_warps_has_failed(self):
        self.write("data/figures/p.ini", figure("timeline", ["warp 1: over-time"], "P: four:a@plain"))
        text, said = self.repro("--figure", "fig", code=1)
        self.assertIn("its output says nothing of its warps over time", said)
        self.assertIn("p fig: not available", text)

    def test_bars_of_a_sweep_are_of_what_it_chose(self):
        self.plan["cycles"] = {"a s --scheme r --set p=20": 500, "b s --scheme r --set p=10": 250}
        rows = self.draw(figure("bars", ["rand: luck"], metric="ipc_speedup", mean="harmonic", reference="base"))
        self.assertEqual([row[2] for row in rows], ["2", "4", "2.66667"])

    def test_the_lot_is_the_same_in_each_run_and_has_no_favourites(self):
        from repro.figures import drawn_by_lot
        warps = {(core, warp): [] for core in range(15) for warp in range(48)}
        lot = drawn_by_lot(warps, 6)
        self.assertEqual(lot, drawn_by_lot(dict(reversed(warps.items())), 6))
        self.assertEqual(drawn_by_lot(warps, 3), lot[:3])
        self.assertNotEqual(sorted(lot), sorted(warps)[:6])


class WrongData(House):
    def said(self, name, text, message):
        self.write("data/" + name, text)
        _, said = self.repro(code=2)
        self.assertIn(message, said)
        self.assertEqual(said.count("\n"), 1, said)

    def test_wrong_sweeps_and_machines_are_one_line(self):
        for name, text, old, new, message in (
                ("sweeps/p.tsv", SWEEPS, "luck", "base", "sweeps/p.tsv:2: base: occurs twice"),
                ("sweeps/p.tsv", SWEEPS, "each", "all", "p.tsv:2: best 'all': must be one of each, mean"),
                ("sweeps/p.tsv", SWEEPS, "{10,20}", "10", "p.tsv:2: options must have one {VALUE,VALUE"),
                ("sweeps/p.tsv", SWEEPS, "{10,20}", "{10}", "p.tsv:2: options must have one {VALUE"),
                ("sweeps/p.tsv", SWEEPS, "{10,20}", "{10,10}", "p.tsv:2: options must have one {VALUE"),
                ("sweeps/p.tsv", SWEEPS, "	-	-	base", "	-	four	base", "must be - where each workload"),
                ("sweeps/p.tsv", SWEEPS, "harmonic", "max", "p.tsv:3: mean 'max': must be one of"),
                ("sweeps/p.tsv", SWEEPS, "	four	base", "	five	base", "p.tsv:3: set of workloads 'five'"),
                ("sweeps/p.tsv", SWEEPS, "	four	base", "	four	luck", "p.tsv:3: reference 'luck'"),
                ("sweeps/p.tsv", SWEEPS, "ipc_speedup", "clock_45nm", "p.tsv:2: metric 'clock_45nm'"),
                ("machines/p.tsv", MACHINES, "	-	-", "	--fast yes	-", "p.tsv:2: option '--fast'"),
                ("machines/p.tsv", MACHINES, "	-	-", "	--set	-", "p.tsv:2: options must be pairs"),
                ("machines/p.tsv", MACHINES, "plain", "plain", "machine 's': must be one of plain")):
            with self.subTest(message=message):
                self.assertIn(old, text)
                self.said(name, text.replace(old, new, 1), message)
                self.write("data/" + name, text.splitlines()[0] + "\n")

    def test_wrong_claims_are_one_line(self):
        for old, new, message in (
                ("four	s	buffer", "four:x	s	buffer", "p.tsv:2: label of four 'x': must be one of a, b"),
                ("four	s	buffer", "four;five	s	buffer", "p.tsv:2: set of workloads 'five'"),
                ("buffer	base", "buffer	-", "p.tsv:2: metric 'ipc_speedup': must be one of mpki_intra"),
                ("l1/x	QUEUES", "x l1/x	QUEUES", "p.tsv:7: variant 'x l1/x': must be BLOCK, or COUNT")):
            with self.subTest(message=message):
                self.assertIn(old, CLAIMS)
                self.said("claims/p.tsv", CLAIMS.replace(old, new, 1), message)

    def test_wrong_figures_are_one_line(self):
        self.write("data/tables/types.tsv", TABLE)
        self.write("data/variants/p.tsv", VARIANTS + OVER_TIME)
        hit, one = ["hit: warps_all_hit"], "P: four:a@s"
        for text, message in (
                (figure("values", ["x: base"], one, mean="none"), "series x: must be NAME: VARIANT METRIC"),
                (figure("values", ["x: base speed"], one, mean="none"), "metric 'speed': must be one of"),
                (figure("values", ["x: base row_hit_rate"], one), "mean '': must be one of"),
                (figure("values", ["x: base row_hit_rate"], one, mean="none", axis="round"),
                 "axis 'round': must be one of linear, log"),
                (figure("shares", hit, one, variant="base", published_table="sorts: hit"), "published_table: there is no "),
                (figure("shares", hit, one, variant="base", published_table="types: hit miss"),
                 "published_table: must name 1 columns"),
                (figure("shares", hit, one, variant="base", published_table="types: high"),
                 "column of published_table 'high': must be one of"),
                (figure("distribution", ["x: base"], "P: four@s", metric="l2_queue_delay"),
                 "panel P: must be of one workload on one machine"),
                (figure("distribution", ["x: base"], one, metric="row_hit_rate"), "metric 'row_hit_rate'"),
                (figure("loads", ["x: base lanes_each"], "P: four@s"), "panel P: must be of one workload on one machine"),
                (figure("loads", ["x: base l1_hits_pki"], one), "metric 'l1_hits_pki'"),
                (figure("bars", ["x: base time_ratio"], one, reference="base", mean="geometric"), "mean geometric: needs metric ="),
                (figure("timeline", ["x: base"], one), "series x: must all be one variant, with "),
                (figure("timeline", ["x: over-time"], one, cycles="0"), "cycles '0': must be a whole"),
                (figure("values", ["x: base row_hit_rate"], one, mean="arithmetic", beside="all: six"),
                 "set of workloads 'six'")):
            with self.subTest(message=message):
                self.said("figures/p.ini", text, "p.ini: [fig]: " + message)
        self.write("data/figures/p.ini", FIGURES)
        self.repro("--dry")


if __name__ == "__main__":
    main()
