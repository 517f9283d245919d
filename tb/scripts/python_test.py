#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""The Python package: results, tables and errors against the program; its installation; its example."""
import json
import os
import subprocess
import types
import warnings

from test_house import BUILD, ROOT, House, main
import warpmem

PACKAGE = os.path.join(ROOT, "python")
PROGRAM = os.path.join(BUILD, "warpmem")
os.environ["WARPMEM"] = PROGRAM


def printed(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True).stdout


class Runs(House):
    def test_a_result_is_the_programs(self):
        result = warpmem.run("2dconv", size="tiny", scheme="mrpb", sets={"l1.ways": 8, "l1.perfect": False}, seed=2)
        direct = json.loads(printed("run", "2dconv", "--size", "tiny", "--scheme", "mrpb", "--set", "l1.ways=8", "--set",
                                    "l1.perfect=off", "--seed", "2", "--json", "-"))
        self.assertEqual(result.json, direct)
        self.assertEqual(result.cycles, direct["cycles"])
        self.assertEqual(result["l1.read_hits"], direct["stats"]["l1.read_hits"])
        self.assertEqual(result["l1_hit_rate"], direct["figures"]["l1_hit_rate"])
        self.assertEqual(result.config["l1.ways"], 8)
        self.assertEqual(result.kernels["name"], ["conv2d"])
        self.assertIn("l1.read_hits", result)
        self.assertNotIn("l1.read_hit", result)
        self.assertIn("2dconv tiny on c2050-s+changes, mrpb", repr(result))
        with self.assertRaisesRegex(KeyError, "no such counter or figure"):
            result["l1.read_hit"]
        with self.assertRaisesRegex(AttributeError, "cycels: a result has .*cycles"):
            result.cycels

    def test_a_series_is_a_table_of_numbers(self):
        result = warpmem.run("2dconv", size="tiny", series=True, interval=1000)
        printed("run", "2dconv", "--size", "tiny", "--series", self.path("s.csv"), "--series-interval", "1000")
        lines = [line for line in self.read("s.csv").splitlines() if not line.startswith("#")]
        self.assertEqual(result.series.columns, lines[0].split(","))
        self.assertEqual(len(result.series), len(lines) - 1)
        self.assertEqual(result.series["cycle"][:2], [1000, 2000])
        self.assertIsInstance(result.series["l1_hit_rate"][0], float)
        self.assertIsNone(warpmem.run("2dconv", size="tiny").series)

    def test_options_of_the_program_are_options_here(self):
        cut = warpmem.run("2dconv", size="tiny", max_cycles=500)
        self.assertEqual((cut.cycles, cut.complete, cut.limits), (500, False, {"max_cycles": 500}))
        self.assertIn("incomplete", repr(cut))
        again = warpmem.run("2dconv", size="tiny", poll=True, preset="gtx480")
        self.assertEqual(again.json, warpmem.run("2dconv", size="tiny", preset="gtx480").json)
        machine = self.write("mine.ini", "name = mine\nbase = gtx480\n[core]\ncount = 2\n")
        self.assertEqual(warpmem.run("2dconv", size="tiny", config=machine).machine, "mine")

    def test_a_trace_runs(self):
        printed("trace", "2dconv", "--size", "tiny", "-o", self.path("t.wtr"))
        self.assertEqual(warpmem.run(self.path("t.wtr")).cycles, warpmem.run("2dconv", size="tiny").cycles)

    def test_errors_are_the_programs_words(self):
        for call, text, status in ((lambda: warpmem.run("2dcon"), "2dcon: no such workload; did you mean 2dconv?", 2),
                                   (lambda: warpmem.run("2dconv", sets={"l1.way": 1}), "l1.way: no such key; did you mean l1.ways?", 2),
                                   (lambda: warpmem.run("2dconv", no_such=1), "--no-such: no such option", 2),
                                   (lambda: warpmem.compare([]), "needs a workload's name or --suite", 2),
                                   (lambda: warpmem.run("2dconv", program="/absent/warpmem"), "/absent/warpmem: No such file", None),
                                   (lambda: warpmem.run("2dconv", program="/bin/false"), "/bin/false: exit status 1", 1),
                                   (lambda: warpmem.run("2dconv", program="/bin/true"), "prints no JSON", None)):
            with self.assertRaises(warpmem.Error) as caught:
                call()
            self.assertIn(text, str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))
            self.assertEqual(caught.exception.status, status)

    def test_a_program_of_another_release_is_refused(self):
        other = self.program("other", "#!/bin/sh\necho '{\"schema\": \"warpmem.run\", \"version\": 3}'\n")
        with self.assertRaisesRegex(warpmem.Error, "warpmem.run version 3: must be warpmem.run version 2"):
            warpmem.run("2dconv", program=other)


class Tables(House):
    def test_compare_is_the_programs_table(self):
        table = warpmem.compare(["2dconv", "vecadd"], schemes=["baseline", "mrpb"], size="tiny", stats=["l1_hit_rate", "dram.reads"])
        lines = printed("compare", "2dconv", "vecadd", "--schemes", "baseline,mrpb", "--size", "tiny", "--stats", "dram.reads",
                        "--tsv", "-").splitlines()
        rows = [dict(zip(lines[0].split("\t"), line.split("\t"))) for line in lines[1:5]]
        self.assertEqual([str(c) for c in table["cycles"]], [row["cycles"] for row in rows])
        self.assertEqual([f"{s:.6f}" for s in table["speedup"]], [row["speedup"] for row in rows])
        self.assertEqual([str(r) for r in table["dram.reads"]], [row["dram.reads"] for row in rows])
        self.assertEqual(table["result"][1]["dram.reads"], table["dram.reads"][1])
        self.assertEqual(table.means.where(scheme="mrpb")["mean"], ["geometric"])
        self.assertAlmostEqual(table.means[1]["speedup"], (table[1]["speedup"] * table[3]["speedup"]) ** 0.5, 5)

    def test_a_sweep_has_a_column_a_key(self):
        table = warpmem.sweep("2dconv", {"l1.ways": [1, 4], "l1.perfect": [False, True]}, size="tiny", jobs=2)
        self.assertEqual(table["l1.ways"], [1, 1, 4, 4])
        self.assertEqual(table["l1.perfect"], ["off", "on", "off", "on"])
        self.assertEqual(table[2]["cycles"], warpmem.run("2dconv", size="tiny").cycles)

    def test_a_run_that_fails_is_a_row_with_the_reason(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            table = warpmem.compare("mst", presets=["quadro-owl", "c2050-s"], schemes=["baseline"], size="tiny", max_cycles=1000)
        self.assertEqual(len(caught), 1)
        self.assertIn("core.cta_threads", table[0]["failed"])
        self.assertEqual((table[0]["cycles"], table[1]["cycles"]), (None, 1000))

    def test_lists(self):
        self.assertIn("atax", warpmem.listed("workloads")["name"])
        self.assertIn("polybench12", warpmem.listed("suites")["name"])
        self.assertIn("l1.read_hits", warpmem.listed("stats")["name"])
        self.assertIn("gtx480", warpmem.listed("presets")["name"])

    def test_a_table_is_rows_and_columns(self):
        table = warpmem.Table([{"a": 1, "b": "<x>"}, {"a": 2.5, "c": None}])
        self.assertEqual((table.columns, len(table), table["a"], table[1]["b"], table[-1]["a"]), (["a", "b", "c"], 2, [1, 2.5], None, 2.5))
        self.assertEqual([row["a"] for row in table], [1, 2.5])
        self.assertEqual(table[:1]["a"], [1])
        self.assertEqual(repr(table), "a    b    c\n1    <x>  -\n2.5  -    -")
        self.assertEqual(table.csv(), "a,b,c\n1,<x>,\n2.5,,\n")
        self.assertIn("<td>&lt;x&gt;</td>", table._repr_html_())
        for wrong in (lambda: table["d"], lambda: table.where(d=1)):
            with self.assertRaisesRegex(KeyError, "d: no such column; there are a, b, c"):
                wrong()

    def test_pandas_takes_a_table_as_it_is(self):
        import pandas  # pylint: disable=import-outside-toplevel
        table = warpmem.Table([{"a": 1, "b": "<x>"}, {"a": 2.5}], ["a", "b", "c"])
        frame = pandas.DataFrame(table, columns=table.columns)
        self.assertEqual((list(frame.columns), frame.shape, list(frame["a"])), (["a", "b", "c"], (2, 3), [1, 2.5]))
        self.assertEqual([frame["b"][1], frame["c"].isna().all()], [None, True])


class Package(House):
    def test_pip_installs_it_without_network(self):
        venv = self.path("venv")
        subprocess.run(["/usr/bin/python3", "-m", "venv", venv], check=True)
        environment = {**os.environ, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        subprocess.run([os.path.join(venv, "bin", "pip"), "install", "-q", PACKAGE], check=True, env=environment)
        said = subprocess.run([os.path.join(venv, "bin", "python"), "-c",
                               "import warpmem; print(warpmem.__file__, warpmem.run('2dconv', size='tiny').cycles)"],
                              capture_output=True, text=True, check=True, cwd=self.folder).stdout
        self.assertTrue(said.startswith(venv), said)
        self.assertEqual(said.split()[-1], str(warpmem.run("2dconv", size="tiny").cycles))
        left = [name for name in ("build", "warpmem.egg-info", "dist") if os.path.exists(os.path.join(PACKAGE, name))]
        self.assertEqual(left, [])

    def test_a_wheel_is_the_same_each_time_and_has_the_programs_version(self):
        backend = types.ModuleType("backend")
        path = os.path.join(PACKAGE, "backend.py")
        backend.__file__ = path
        with open(path, encoding="utf-8") as file:
            exec(compile(file.read(), path, "exec"), backend.__dict__)
        version = printed("--version").split()[1]
        self.assertEqual(backend.build_wheel(self.folder), f"warpmem-{version}-py3-none-any.whl")
        first = self.bytes(f"warpmem-{version}-py3-none-any.whl")
        backend.build_wheel(self.folder)
        self.assertEqual(self.bytes(f"warpmem-{version}-py3-none-any.whl"), first)
        self.assertEqual(warpmem.__version__, version)
        self.assertIn(f"warpmem-{version}", backend.build_sdist(self.folder))

    def test_the_example_draws_its_figure(self):
        environment = {**os.environ, "PYTHONPATH": PACKAGE, "PYTHONDONTWRITEBYTECODE": "1"}
        subprocess.run([os.path.join(ROOT, "examples", "python", "l1_capacity.py"), self.path("x.png")], check=True, env=environment,
                       stdout=subprocess.DEVNULL)
        self.assertEqual(self.bytes("x.png")[:4], b"\x89PNG")


if __name__ == "__main__":
    main()
