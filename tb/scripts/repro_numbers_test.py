#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/repro: metrics, means, verdicts, sweeps, machines, hardware."""
import importlib
import os
import shutil
import unittest

from test_house import main
from repro_house import CLAIMS, SETS, House


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
            self.plan["stats"][f"{workload} s --scheme buffer --set k=1"] = {"l1.read_misses": 20, "l1.read_bypasses": 15}
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
        self.write("area/area.tsv", "# area\nblock\tparameters\tsram_kb\tghz_45nm\tsram_ghz\n"
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

    def test_recorded_hardware_stands_in_for_the_area_table(self):
        self.write("data/evidence.tsv", "block\tparameters\tsram_kb\tsram_ghz\nl1/x\tQUEUES=4 DEPTH=2\t2.5\t\n")
        text, _ = self.repro("--claim", "sram")
        self.assertIn("sram_kb of make area, as make evidence recorded it", text)
        self.assertEqual(self.claims("sram")["sram"]["ours"], "2.5")
        text, _ = self.repro("--claim", "clock")
        self.assertIn("not available: run make area", text)
        self.write("area/area.tsv", "block\tparameters\tsram_kb\nl1/x\tQUEUES=4\t1\n")
        self.repro("--claim", "sram")
        self.assertEqual(self.claims("sram")["sram"]["ours"], "1")

    def test_what_the_binary_does_not_have_leaves_a_partial_mean(self):
        self.speedups(a=500, b=125)
        self.plan["workloads"] = ["a", "b"]
        text, _ = self.repro("--claim", "gain")
        row = self.claims("gain")["gain"]
        self.assertEqual((row["ours"], row["verdict"]), ("4", "same direction, stronger; partial (2 of 4)"))
        self.assertIn("not available: c@s, d@s: no such workload", text)
        self.plan["refused"] = "k=1"
        text, _ = self.repro("--claim", "gain")
        self.assertIn("a@s, b@s: --set: k=1: no such key", text)
        self.assertEqual(self.claims("gain")["gain"]["ours"], "-")

    def test_figures_hold_bars_mean_and_published(self):
        self.speedups(a=500, b=500, c=500, d=250)
        self.repro()
        lines = self.read("repro/p/tiny/fig1.tsv").splitlines()
        self.assertEqual(lines[1], "S\tbuffer\ta-S\t2\t-")
        self.assertEqual(lines[5], "S\tbuffer\tgeometric mean of 4\t2.37841\t2.5")
        for name, magic in (("fig1.png", b"\x89PNG"), ("fig1.svg", b"<?xml")):
            self.assertTrue(self.bytes("repro/p/tiny/" + name).startswith(magic))


def result(cycles=1000, instructions=5000, kernels=(), **stats):
    """kernels: (name, instructions, cycles); __ in a statistic's name stands for the point."""
    return {"cycles": cycles, "thread_instructions": instructions,
            "kernels": [{"name": n, "thread_instructions": i, "cycles": c} for n, i, c in kernels],
            "stats": {name.replace("__", "."): value for name, value in stats.items()}}


def of_l2(sent, **counts):
    """A result whose L2 had only the outcomes that are named."""
    stats = {f"l2__{a}_{o}": 0 for a in ("read", "write", "atomic", "l1_writeback") for o in ("hits", "pending_hits", "misses")}
    return result(core__requests_sent=sent, **{**stats, **counts})


class Metrics(unittest.TestCase):
    def test_a_speedup_of_kernels_is_their_harmonic_mean_and_launches_are_summed(self):
        from repro.metrics import METRICS
        ours = result(kernels=[("x", 100, 10), ("y", 50, 25), ("x", 300, 10)])  # 20 and 2
        reference = result(kernels=[("x", 400, 80), ("y", 50, 100)])  # 5 and 0.5
        self.assertEqual(METRICS["kernel_speedup"].function(ours, reference), 4)
        self.assertEqual(METRICS["kernel_speedup"].parts(ours, reference), [4, 4])
        ours = result(kernels=[("y", 50, 100), ("x", 400, 20)])  # their order does not matter
        self.assertEqual(METRICS["kernel_speedup"].function(ours, reference), 2 / (1 / 4 + 1))

    def test_a_result_without_what_a_metric_needs_says_so(self):
        from repro.plan import compare
        for metric, ours, reference, reason in (
                ("kernel_speedup", result(), result(), "its results have no kernels"),
                ("kernel_speedup", result(kernels=[("x", 1, 1)]), result(kernels=[("y", 1, 1)]),
                 "its kernels are not those of the reference"),
                ("energy_efficiency", result(), result(), "its results have no energy.gpu_total"),
                ("energy_efficiency", result(energy__gpu_total=0), result(energy__gpu_total=0),
                 "nothing to divide by: 0 of them"),
                ("row_hit_rate_change", *[result(dram__row_hits=0, dram__reads=1, dram__writes=1)] * 2,
                 "nothing to compare with: 0 there")):
            with self.subTest(metric=metric, reason=reason):
                self.assertEqual(compare(metric, ours, reference), (None, reason))

    def test_energy_efficiency_is_ipc_over_energy(self):
        from repro.metrics import METRICS
        ours = result(cycles=500, energy__gpu_total=80, energy__total=10)  # twice as fast
        reference = result(energy__gpu_total=100, energy__total=10)
        self.assertEqual(METRICS["energy_efficiency"].function(ours, reference), 2.5)
        self.assertEqual(METRICS["data_energy_efficiency"].function(ours, reference), 2)

    def test_a_bypass_is_a_miss_and_a_pending_hit_is_none(self):
        from repro.metrics import FIGURES_OF_A_RUN, METRICS
        # Of 100 requests 20 never came to a bank; of the 80, 30 missed.
        ours = of_l2(100, l2__read_hits=20, l2__write_hits=10, l2__atomic_hits=5,
                     l2__l1_writeback_hits=5, l2__read_pending_hits=10, l2__read_misses=30)
        self.assertEqual(FIGURES_OF_A_RUN["l2_miss_or_bypass_rate"].function(ours), 0.5)
        reference = of_l2(100, l2__read_hits=60, l2__read_misses=40)
        for name, value in (("change", 0.25), ("difference", 0.1)):
            metric = METRICS["l2_miss_or_bypass_rate_" + name]
            self.assertAlmostEqual(metric.function(ours, reference), value)

    def test_figures_of_queues_rows_and_divergence(self):
        from repro.metrics import FIGURES_OF_A_RUN, METRICS
        ours = result(l2__queue_wait=300, l2__bank_wait=150, l2__queue_delay=500, l2__requests=100,
                      dram__row_hits=30, dram__reads=40, dram__writes=20,
                      core__divergence_cycles=90, core__all_hit_loads=30, core__divergence_max=17,
                      core__queue_divergence_cycles=60)
        reference = result(l2__queue_wait=60, l2__queue_delay=80, l2__requests=10,
                           dram__row_hits=1, dram__reads=1, dram__writes=1,
                           core__divergence_cycles=0, core__all_hit_loads=0, core__divergence_max=0,
                           core__queue_divergence_cycles=0)
        for name, value in (("l2_queue_latency", 3), ("l2_bank_latency", 1.5), ("l2_queue_delay", 5), ("row_hit_rate", 0.5),
                            ("divergence_penalty", 3), ("divergence_max", 17), ("queue_divergence", 2)):
            self.assertEqual(FIGURES_OF_A_RUN[name].function(ours), value, name)
        for name, value in (("l2_queue_latency_ratio", 0.5), ("l2_queue_latency_reduction", 2),
                            ("l2_queue_delay_ratio", 0.625), ("l2_queue_delay_reduction", 1.6),
                            ("row_hit_rate_change", 0), ("retire_rate", 1)):
            self.assertEqual(METRICS[name].function(ours, reference), value, name)
        from repro.plan import figure_of
        for name in ("divergence_penalty", "divergence_max", "queue_divergence"):
            self.assertEqual(figure_of(FIGURES_OF_A_RUN[name], reference), (None, "nothing to divide by: 0 of them"))

    def test_warps_that_ran_and_waits_in_the_noc_are_ratios(self):
        from repro.metrics import METRICS
        ours = result(core__ctas=6, core__most_cta_warps=4, noc__request_head_wait=30)
        reference = result(core__ctas=3, core__most_cta_warps=2, noc__request_head_wait=40)
        self.assertEqual(METRICS["warps_ratio"].function(ours, reference), 4)
        self.assertEqual(METRICS["noc_blocked_ratio"].function(ours, reference), 0.75)

    def test_shares_of_warps_and_bins_of_delays(self):
        from repro.metrics import DELAY_BINS, FIGURES_OF_A_RUN, HISTOGRAMS, WARP_TYPES
        warps = result(**{f"core__warps_{t}": i for i, t in enumerate(WARP_TYPES)})  # 0 to 4
        self.assertEqual([FIGURES_OF_A_RUN["warps_" + t].function(warps) for t in WARP_TYPES], [0, 0.1, 0.2, 0.3, 0.4])
        # Of the class all-miss they are, of no other; of equals neither is the most frequent.
        from repro.plan import figure_of
        figure = FIGURES_OF_A_RUN["most_warps_as_class"]
        self.assertEqual([figure_of(figure, warps, c)[0] for c in ("AH", "BL", "AM")], [0, 0, 1])
        equal = result(**{f"core__warps_{t}": t[:3] == "all" for t in WARP_TYPES})
        self.assertEqual([figure_of(figure, equal, c)[0] for c in ("AH", "AM")], [0, 0])
        self.assertEqual(figure_of(figure, warps, "-"), (None, "class - is no type of warps"))
        self.assertEqual(figure_of(figure, warps), (None, "class - is no type of warps"))
        none = result(**{f"core__warps_{t}": 0 for t in WARP_TYPES})
        self.assertEqual(figure_of(figure, none, "AH"), (None, "nothing to divide by: 0 of them"))
        delays = {f"l2__queue_delay_ge_{2 ** i}": 0 for i in range(DELAY_BINS)}
        delays.update(l2__queue_delay_ge_1=3, l2__queue_delay_ge_4=1)
        histogram = HISTOGRAMS["l2_queue_delay"]
        shares = histogram.function(result(l2__requests=8, **delays))
        self.assertEqual(len(shares), len(histogram.labels))
        self.assertEqual({l: s for l, s in zip(histogram.labels, shares) if s}, {"0": 0.5, "1": 0.375, "4-7": 0.125})
        self.assertEqual(histogram.labels[-2:], ["16384-32767", "32768-"])


MACHINES = """name	preset	options	note
plain	s	--max-insn-per-kernel 9	-
slow	s	--set m=1	-
"""
SWEEPS = """name	best	metric	mean	workloads	reference	options	note
tokens	mean	ipc_speedup	harmonic	four	base	--scheme t --set t={1,2}	-
luck	each	ipc_speedup	-	-	base	--scheme r --set p={10,20}	-
"""
COLUMNS = CLAIMS.splitlines()[0] + "\n"


def claim(name, metric, mean, workloads, presets, variant, reference, value="1", unit="x"):
    return "\t".join((name, "1", metric, mean, workloads, presets, variant, reference, "same", value, unit, "-")) + "\n"


class Sweeping(House):
    """Of a paper with machines of its own and with sweeps."""

    def setUp(self):
        super().setUp()
        os.remove(self.path("data/figures/p.ini"))
        self.write("data/machines/p.tsv", MACHINES)
        self.write("data/sweeps/p.tsv", SWEEPS)
        self.write("data/claims/p.tsv", COLUMNS
                   + claim("one", "ipc_speedup", "harmonic", "four", "plain;slow", "tokens", "base")
                   + claim("own", "ipc_speedup", "harmonic", "four", "plain", "luck", "base")
                   + claim("both", "ipc_speedup", "single", "four:a", "plain", "luck", "tokens"))

    def cycles(self, of, workload, cycles, machine="--max-insn-per-kernel 9"):
        self.plan["cycles"][f"{workload} s {machine} {of}"] = cycles

    def tokens(self, count, **cycles):
        for workload, of in cycles.items():
            self.cycles(f"--scheme t --set t={count}", workload, of)

    def choices(self, stem="claims"):
        rows = [line.split("\t") for line in self.read(f"repro/p/tiny/{stem}-choices.tsv").splitlines()][1:]
        return [row[:5] for row in rows if row[5] == "yes"]

    def test_the_best_mean_counts_for_all_workloads_of_a_machine(self):
        self.tokens(1, a=250)  # harmonic mean 4 / (3 + 1/4)
        self.tokens(2, a=800, b=800, c=800, d=800)  # 1.25, which is more
        text, _ = self.repro("--claim", "one")
        self.assertEqual(self.claims("one")["one"]["ours"], "1.25")
        self.assertEqual(self.choices("one"), [["tokens", "plain", "-", "2", "1.25"]])
        self.assertIn("tokens on plain, chosen by ipc_speedup / base, harmonic over four: 2\n    1: 1.231  2: 1.250\n", text)

    def test_each_workload_has_its_own_best_and_the_first_of_equals(self):
        for percent, of in ((10, {"a": 500, "b": 1000}), (20, {"a": 400, "b": 1000, "c": 2000})):
            for workload, cycles in of.items():
                self.cycles(f"--scheme r --set p={percent}", workload, cycles)
        self.repro("--claim", "own")
        self.assertEqual(self.claims("own")["own"]["ours"], "1.17647")  # 4 / (0.4 + 3)
        self.assertEqual([c[2:4] for c in self.choices("own")], [["a", "20"], ["b", "10"], ["c", "10"], ["d", "10"]])

    def test_all_candidates_run_and_what_they_are_judged_by_once(self):
        self.repro("--claim", "both")
        # luck: a alone; tokens: all four, whatever the claim is about; the baseline of each.
        self.assertEqual(len(self.calls()), 2 + 2 * 4 + 4)

    def test_a_sweep_of_one_mean_looks_only_at_what_all_candidates_have(self):
        self.tokens(1, a=2000, b=500)
        self.tokens(2, b=1000)
        self.plan["wrong"]["a s --max-insn-per-kernel 9 --scheme t --set t=2"] = "fail"
        text, _ = self.repro("--claim", "one", code=1)
        self.assertEqual(self.choices("one"), [["tokens", "plain", "-", "1", "1.2"]])  # 3 / 2.5
        self.assertEqual(self.claims("one")["one"]["ours"], "0.888889")  # 4 / (2 + 0.5 + 2)

    def test_a_sweep_without_results_is_no_value(self):
        self.plan["refused"] = "p=10"
        self.repro("--claim", "own")
        self.assertEqual([c[3] for c in self.choices("own")], ["20"] * 4)
        self.plan["wrong"] = {f"{w} s --max-insn-per-kernel 9 --scheme r --set p=20": "fail" for w in "abcd"}
        shutil.rmtree(self.path("repro"))
        text, _ = self.repro("--claim", "own", code=1)
        self.assertIn("a@plain, b@plain and 2 more: --set: p=10: no such key", text)

    def test_a_machine_puts_its_options_first_and_makes_a_claim_of_its_own(self):
        for workload in "abcd":
            for of in ("--scheme t --set t=1", "--scheme t --set t=2"):
                self.cycles(of, workload, 500, "--set m=1")
        self.repro()
        rows = self.claims()
        self.assertEqual(list(rows), ["one", "own", "both", "one@slow"])
        self.assertEqual((rows["one"]["ours"], rows["one@slow"]["ours"]), ("1", "2"))
        self.assertIn("a s --set m=1 --scheme baseline", self.calls())

    def test_a_run_ends_where_its_papers_does_and_may_be_incomplete_then(self):
        self.write("data/caps/p.tsv", "workload\tinstructions\tnote\n*\t70\t-\nb\t30\t-\n")
        self.write("data/claims/p.tsv", COLUMNS + claim("gain", "ipc_speedup", "arithmetic", "four:a,b", "plain", "buffer", "base"))
        for workload, cap in (("a", 70), ("b", 30)):
            for options in ("--scheme baseline", "--scheme buffer --set k=1"):
                self.plan["wrong"][f"{workload} s {options} --max-insn-launch {cap}"] = "incomplete"
        self.repro()
        self.assertEqual(self.claims()["gain"]["ours"], "1")
        self.write("data/caps/p.tsv", "workload\tinstructions\tnote\n*\tmany\t-\n")
        self.assertIn("caps/p.tsv:2: instructions 'many': must be a number above 0", self.repro(code=2)[1])

    def test_some_of_a_set_all_others_and_a_set_beside(self):
        self.write("data/claims/p.tsv", COLUMNS + claim(
            "some", "ipc_speedup", "arithmetic", "four:b,a;four:!a,b", "plain", "buffer", "base"))
        for workload, cycles in (("a", 500), ("b", 250), ("c", 125)):
            self.cycles("--scheme buffer --set k=1", workload, cycles)
        text, _ = self.repro()
        self.assertEqual(self.claims()["some"]["ours"], "3")
        self.assertIn("by the same over the 2 of four:!a,b: 4.500", text)

    def test_a_claim_knows_the_class_of_its_workloads(self):
        self.write("data/workload_sets.tsv", SETS + "".join(
            f"typed\tp\t{c}\t{w}\t{w}\t-\n" for w, c in zip("abc", ("AH", "AM", "MM"))))
        self.write("data/claims/p.tsv", COLUMNS + claim(
            "types", "most_warps_as_class", "arithmetic", "typed", "plain", "base", "-"))
        counts = {f"core__warps_{t}": 3 if t == "all_hit" else 1 for t in (
            "all_hit", "mostly_hit", "balanced", "mostly_miss", "all_miss")}
        for workload in "abc":
            self.counts(f"{workload} s --max-insn-per-kernel 9 --scheme baseline", **counts)
        self.repro("--claim", "types")
        self.assertEqual(self.claims("types")["types"]["ours"], "0.333333")
        self.assertEqual(self.claims("types")["types"]["verdict"], "below")

    def test_most_are_a_median(self):
        self.write("data/claims/p.tsv", COLUMNS + claim(
            "most", "ipc_speedup", "median", "four", "plain", "buffer", "base", "1", "x_lower_bound"))
        for workload, cycles in (("a", 500), ("b", 500), ("c", 4000), ("d", 250)):
            self.cycles("--scheme buffer --set k=1", workload, cycles)
        self.repro()
        self.assertEqual((self.claims()["most"]["ours"], self.claims()["most"]["verdict"]), ("2", "holds"))

    def test_a_figure_of_a_run_has_no_direction_and_a_change_of_0_no_ratio(self):
        self.write("data/claims/p.tsv", COLUMNS
                   + claim("delay", "l2_queue_latency", "arithmetic", "four:a,b", "plain", "base", "-", "4")
                   + claim("rows", "row_hit_rate_change", "max", "four:a,b", "plain", "buffer", "base",
                           "0", "fraction_upper_bound"))
        for workload, delay, hits in (("a", 20, 10), ("b", 40, 20)):
            for of, more in (("base", 0), ("buffer", 5)):
                scheme = "--scheme baseline" if of == "base" else "--scheme buffer --set k=1"
                self.counts(f"{workload} s --max-insn-per-kernel 9 {scheme}", l2__queue_wait=delay,
                            l2__requests=10, dram__row_hits=hits + more, dram__reads=30, dram__writes=10)
        self.repro()
        rows = self.claims()
        self.assertEqual((rows["delay"]["ours"], rows["delay"]["verdict"]), ("3", "below"))
        self.assertEqual((rows["rows"]["ratio"], rows["rows"]["verdict"]), ("-", "broken (a@plain 0.500, b@plain 0.250)"))

    def test_kernels_of_all_programs_are_averaged_at_once_beside(self):
        self.write("data/claims/p.tsv", COLUMNS + claim(
            "kernels", "kernel_speedup", "harmonic", "four:a,b", "plain", "buffer", "base"))
        for workload, names in (("a", "x"), ("b", "xyz")):
            for scheme, cycles in (("--scheme baseline", 100), ("--scheme buffer --set k=1", 25)):
                cycles = 100 if workload == "a" else cycles
                self.kernels(f"{workload} s --max-insn-per-kernel 9 {scheme}", **{n: (100, cycles) for n in names})
        text, _ = self.repro()
        self.assertEqual(self.claims()["kernels"]["ours"], "1.6")  # of 1 and 4
        self.assertIn("all 4 kernels of all programs at once: 2.286", text)  # 4 / (1 + 3/4)


LIMITS = """name\tbest\tmetric\tmean\tworkloads\treference\toptions\tnote
limit\teach\tipc_speedup\t-\t-\tbase\t--scheme t --set t={1,2,3}\t-
"""


class Files(House):
    def test_a_run_reads_the_profile_of_its_workload(self):
        machine, data, plan = (importlib.import_module("repro." + name) for name in ("machine", "data", "plan"))
        run = plan.Plan(data.Paper("p", {}, {}, {}, {}), {}, "tiny", 1).run(("--profile", "data/profiles/daws/@workload.txt"), "gc", "s")
        self.assertEqual(run.options, ("--profile", "data/profiles/daws/gc.txt"))
        self.assertTrue(os.path.exists(machine.with_paths(run.options)[1]))

    def test_the_best_of_a_sweep_and_lost_lines_are_figures(self):
        figures = importlib.import_module("repro.metrics").FIGURES_OF_A_RUN
        result = {"sweep": {"best": 4}, "stats": {"ccws.lost_held_in_loop": 3, "l1.victim_hits": 12}}
        self.assertEqual(figures["best_limit"].function(result), 4)
        self.assertEqual(figures["lost_held_in_loop"].function(result), 0.25)
        with self.assertRaises(importlib.import_module("repro.common").NoValue):
            figures["best_limit"].function({"stats": {}})


class Models(House):
    """Of all candidates of a sweep."""

    def setUp(self):
        super().setUp()
        os.remove(self.path("data/figures/p.ini"))
        self.write("data/machines/p.tsv", MACHINES)
        self.write("data/sweeps/p.tsv", LIMITS)
        self.write("data/claims/p.tsv", COLUMNS
                   + claim("fit", "cubic_r2", "geometric", "four:a,b", "plain", "limit", "base", "0.88", "r2"))

    def failures(self, workload, counts, ctas=1, warps=8, grid=None):
        """grid: CTAs of a launch, on 15 cores; None: as many on each as one has at most."""
        for limit, count in enumerate(counts, 1):
            key = f"{workload} s --max-insn-per-kernel 9 --scheme t --set t={limit}"
            self.plan["more"][key] = (f'"l1.fail_associativity": {count}, "l1.fail_mshr_full": 0, "l1.fail_mshr_merge": 0, '
                                      f'"l1.fail_miss_queue": 0, "core.most_ctas": {ctas}, "core.most_cta_warps": {warps}, '
                                      f'"core.ctas": {2 * (grid or 15 * ctas)}, "gpu.launches": 2, ')

    def test_the_cube_fits_what_is_a_cube(self):
        self.failures("a", (1, 8, 27))
        self.failures("b", (10, 80, 80), ctas=2)  # two CTAs are all: (1/2)^3 is 10 of 80
        text, _ = self.repro("--claim", "fit")
        row = self.claims("fit")["fit"]
        self.assertEqual((row["ours"], row["verdict"]), ("1", "within 25 %"))
        self.assertIn("the exponent that fits best: 3.000", text)

    def test_a_second_cta_on_one_core_is_not_what_a_limit_counts(self):
        for workload in "ab":
            self.failures(workload, (1, 8, 27), ctas=2, warps=3, grid=16)
        self.repro("--claim", "fit")
        self.assertEqual(self.claims("fit")["fit"]["ours"], "1")  # of 3 warps; of 2 CTAs it would be another

    def test_another_power_fits_less_and_is_named(self):
        for workload in "ab":
            self.failures(workload, (1, 2, 3), warps=3)
        text, _ = self.repro("--claim", "fit")
        # Shares 1/3, 2/3, 1 about 2/3: 2/9; off by 8/27 and 10/27: 164/729.
        self.assertEqual(self.claims("fit")["fit"]["ours"], f"{1 - (164 / 729) / (2 / 9):.6g}")
        self.assertIn("the exponent that fits best: 1.000", text)

    def test_no_failures_are_no_value(self):
        for workload in "ab":
            self.failures(workload, (0, 0, 0))
        text, _ = self.repro("--claim", "fit")
        self.assertIn("a@plain, b@plain: no reservation failures", text)

    def test_a_model_of_no_sweep_is_refused(self):
        self.write("data/claims/p.tsv", COLUMNS + claim("fit", "cubic_r2", "geometric", "four", "plain", "base", "base"))
        _, error = self.repro("--claim", "fit", code=2)
        self.assertIn("variant 'base': cubic_r2 is of a sweep's candidates", error)


class Area(House):
    def test_bits_are_counted_by_warps_lines_and_in_all(self):
        self.write("data/claims/p.tsv", COLUMNS + claim("warp", "bits_per_warp", "-", "-", "-", "l2/w", "WARPS=8", "22", "bits")
                   + claim("line", "bits_per_line", "-", "-", "-", "l2/i", "SETS=4 WAYS=16", "2", "bits")
                   + claim("all", "added_kb", "-", "-", "-", "1 l2/w + 2 l2/i", "WARPS=8 SETS=4 WAYS=16", "1", "kB"))
        # A warp has two counters of 10 bits less a top one, and 3 bits of type: 22; its memory is
        # larger, as it has copies. A set of 16 ways has 120 bits for LRU, and 2 a line.
        table = "l2/w\tWARPS=8 COUNTER_BITS=10 GENERATION_BITS=0\t400\n"
        self.write("area/area.tsv", "block\tparameters\tsram_bits\n" + table
                   + "l2/i\tSETS=2 WAYS=16\t1\nl2/i\tWAYS=16 SETS=4\t608\n")
        text, _ = self.repro()
        rows = self.claims()
        self.assertEqual([rows[n]["ours"] for n in ("warp", "line", "all")],
                         ["22", "2", f"{(8 * 22 + 2 * 4 * 16 * 2) / 8000:.6g}"])
        self.assertIn("memory over WARPS, with a copy of the types for each lookup port, as built: 50.000", text)
        self.assertIn(f"as built: {(400 + 2 * 4 * 16 * 2) / 8000:.4f}", text)
        self.write("area/area.tsv", "block\tparameters\tsram_bits\n" + table)
        text, _ = self.repro("--claim", "all")
        self.assertIn("has no l2/i with WARPS=8 SETS=4 WAYS=16", text)
        self.write("area/area.tsv", "block\tparameters\tsram_bits\nl2/w\tWARPS=8 X Y=z\t400\n")
        text, _ = self.repro("--claim", "warp")
        self.assertIn("has no parameter COUNTER_BITS of l2/w", text)

    def test_areas_of_several_blocks_are_added(self):
        self.write("data/claims/p.tsv", COLUMNS + claim("at65", "area_65nm", "-", "-", "-", "28 l2/w + 14 l2/i", "WARPS=8", "0.18", "mm2")
                   + claim("share", "chip_share", "-", "-", "-", "30 l2/w + 30 l2/i", "WARPS=8", "0.17", "%"))
        self.write("area/area.tsv", "block\tparameters\tsram_45nm_mm2\tarea_45nm_mm2\n"
                   "l2/w\tWARPS=8\t0.001\t0.003\nl2/w\tWARPS=9\t7\t7\nl2/i\tWARPS=8\t0.002\t0.005\n")
        text, _ = self.repro()
        rows = self.claims()
        self.assertAlmostEqual(float(rows["at65"]["ours"]), (28 * 0.003 + 14 * 0.005) * 65 ** 2 / 45 ** 2, places=5)
        chip = 470 * 45 ** 2 / 55 ** 2
        self.assertAlmostEqual(float(rows["share"]["ours"]), 100 * 30 * 0.003 / chip, places=5)
        self.assertIn(f"by area_45nm_mm2, with its logic: {100 * 30 * 0.008 / chip:.4f}", text)


class Means(unittest.TestCase):
    def test_means_by_hand(self):
        from repro.metrics import mean_of
        for kind, values, neutral, mean in (
                ("geometric", [2, 8], 1, 4), ("harmonic", [2, 6], 1, 3),
                ("arithmetic", [2, 6], 1, 4), ("max", [2, 6], 1, 6), ("min", [2, 6], 1, 2),
                ("single", [7], 1, 7), ("geometric", [1, 7], 0, 3), ("harmonic", [1, 5], 0, 2),
                ("arithmetic", [-0.5, 0.1], 0, -0.2), ("geometric", [-1, 3], 0, -1)):
            with self.subTest(kind=kind, values=values):
                self.assertAlmostEqual(mean_of(kind, values, neutral), mean, places=12)
        self.assertIsNone(mean_of("geometric", []))

    def test_verdicts_at_their_borders(self):
        from repro.claims import verdict_of
        from repro.data import Claim
        for paper, unit, ours, verdict in (
                (2, "x", 1.6, "same direction, within 25 %"), (2, "x", 1.599, "same direction, weaker"),
                (2, "x", 2.5, "same direction, within 25 %"), (2, "x", 2.501, "same direction, stronger"),
                (2, "x", 1.009, "no effect"), (2, "x", 0.991, "no effect"), (2, "x", 0.98, "opposite"),
                (0.5, "x", 0.9, "same direction, weaker"), (0.5, "x", 0.3, "same direction, stronger"),
                (-0.4, "fraction", -0.33, "same direction, within 25 %"), (-0.4, "fraction", -0.3, "same direction, weaker"),
                (-0.4, "fraction", -0.6, "same direction, stronger"),
                (-0.4, "fraction", 0.2, "opposite"), (-0.4, "fraction", -0.009, "no effect"),
                (0, "fraction", 0.2, "an effect"), (0, "fraction", 0.009, "no effect"), (1, "x", 0.8, "an effect"),
                (1.009, "x", 0.8, "an effect"), (1.011, "x", 0.8, "opposite"), (0.009, "fraction", -0.2, "an effect"),
                (0, "of a run", 0, "within 25 %"), (0, "of a run", 0.1, "above"), (2, "of a run", 1, "below"),
                (1, "x_lower_bound", 1, "holds"), (1, "x_lower_bound", 0.999, "broken"),
                (1, "x_upper_bound", 1, "holds"), (1, "x_upper_bound", 1.001, "broken")):
            with self.subTest(paper=paper, unit=unit, ours=ours):
                claim = Claim("p", "c", "1", "m", "geometric", "s", "p", "v", "r", "same", paper, unit, "-")
                self.assertEqual(verdict_of(claim, ours, {}, {"fraction": 0, "of a run": None}.get(unit, 1)), verdict)


if __name__ == "__main__":
    main()
