#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Results against their JSON Schemas, and the Schemas against the page that describes them."""
import copy
import json
import os
import re
import subprocess

from test_house import ROOT, House, main
import jsonschema

PROGRAM = os.path.join(ROOT, os.environ.get("WARPMEM_BUILD", "build"), "warpmem")
SCHEMAS = os.path.join(ROOT, "data", "schemas")

RUNS = (
    ("run", "2dconv", "--size", "tiny"),
    ("run", "2dconv", "--size", "tiny", "--times"),
    ("run", "2dconv", "--size", "tiny", "--preset", "gtx480", "--scheme", "medic", "--set", "core.count=3"),
    ("run", "2dconv", "--size", "tiny", "--preset", "quadro-owl", "--max-cycles", "9"),
    ("run", "2dconv", "--size", "tiny", "--scheme", "best-swl", "--swl-limits", "1,4"),
    ("run", "2dconv", "--size", "tiny", "--max-insn-per-kernel", "100"),
)
COMPARE = ("compare", "2dconv", "--size", "tiny", "--presets", "c2050-s,gtx480", "--schemes", "baseline,mrpb")
FAILING = ("compare", "mst", "--size", "tiny", "--presets", "quadro-daws,c2050-s", "--schemes", "baseline")


def schema(name):
    with open(os.path.join(SCHEMAS, name + ".json"), encoding="utf-8") as file:
        return json.load(file)


def result_of(*words, status=0):
    done = subprocess.run([PROGRAM, *words, "--json", "-"], capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    return json.loads(done.stdout)


def faults_of(result):
    is_of = schema(result["schema"])
    checker = jsonschema.Draft7Validator(is_of, resolver=jsonschema.RefResolver(f"file://{SCHEMAS}/", is_of))
    return [f"{'/'.join(map(str, fault.absolute_path))}: {fault.message[:200]}" for fault in checker.iter_errors(result)]


def members_of(node, path=()):
    """Names of all members that a Schema lists, each with its path."""
    for name, inner in node.get("properties", {}).items():
        yield (*path, name)
        yield from members_of(inner, (*path, name))
    if "items" in node:
        yield from members_of(node["items"], path)


class Schemas(House):
    def test_schemas_are_schemas(self):
        for name in ("warpmem.run", "warpmem.compare"):
            jsonschema.Draft7Validator.check_schema(schema(name))

    def test_results_of_runs_are_as_the_schema_says(self):
        for words in RUNS:
            with self.subTest(words=words):
                self.assertEqual(faults_of(result_of(*words)), [])

    def test_results_of_traces_and_profiles_are_too(self):
        trace, profile = self.path("a.wtr"), self.path("a.profile")
        for words in (("trace", "2dconv", "--size", "tiny", "-o", trace),
                      ("profile", "2dconv", "--size", "tiny", "--preset", "quadro-daws", "-o", profile)):
            subprocess.run([PROGRAM, *words], capture_output=True, check=True)
        self.assertEqual(faults_of(result_of("run", trace)), [])
        self.assertEqual(faults_of(result_of("run", "2dconv", "--size", "tiny", "--preset", "quadro-daws", "--scheme",
                                             "daws-profiled", "--profile", profile)), [])

    def test_comparisons_are_and_each_of_their_runs_is_a_result(self):
        whole = result_of(*COMPARE)
        self.assertEqual(faults_of(whole), [])
        for row in whole["rows"]:
            self.assertEqual(faults_of(row["result"]), [])

    def test_a_run_that_failed_has_its_place(self):
        whole = result_of(*FAILING, status=1)
        self.assertEqual(faults_of(whole), [])
        self.assertEqual(["failed" in row for row in whole["rows"]], [True, False])

    def test_wrong_results_are_found(self):
        good = result_of(*RUNS[2])
        wrongs = {
            "another version": lambda r: r.update(version=1),
            "a member less": lambda r: r.pop("machine"),
            "a member more": lambda r: r.update(preset="gtx480"),
            "a text for a number": lambda r: r.update(cycles="12"),
            "a negative counter": lambda r: r["stats"].update({"l1.read_hits": -1}),
            "no configuration": lambda r: r.update(config={}),
            "an option that is none": lambda r: r["differs"][0].update(by="hand"),
            "a hash of 15 digits": lambda r: r.update(input_hash=r["input_hash"][1:]),
        }
        for name, spoil in wrongs.items():
            with self.subTest(name):
                bad = copy.deepcopy(good)
                spoil(bad)
                self.assertEqual(len(faults_of(bad)), 1)

    def test_the_page_describes_every_member(self):
        with open(os.path.join(ROOT, "docs", "result_json.md"), encoding="utf-8") as file:
            named = set(re.findall(r"`([a-z_.]+)`", file.read()))
        missing = {".".join(path) for name in ("warpmem.run", "warpmem.compare") for path in members_of(schema(name))} - named
        self.assertEqual(missing, set())


if __name__ == "__main__":
    main()
