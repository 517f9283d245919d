#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""The pages in docs/reference are what the program says, and a stale one is told with the command that renews it. The binary
is in $WARPMEM_BUILD, or build."""
import importlib.util
import json
import os
import shutil
import subprocess

from test_house import ROOT, House, main
from warpmem.tools.house import ToolFailed

BUILD = os.path.join(ROOT, os.environ.get("WARPMEM_BUILD", "build"))


def check_pages(texts, folder):
    """`scripts/reference.py --check`, as if the program said these texts."""
    spec = importlib.util.spec_from_file_location("reference", os.path.join(ROOT, "scripts", "reference.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.pages = lambda program: texts
    return module.work(["--check", "--to", folder])


class Reference(House):
    def reference(self, *words):
        done = subprocess.run([os.path.join(ROOT, "scripts", "reference.py"), "--build", BUILD, *words], capture_output=True,
                              text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def test_the_pages_are_what_the_program_says_and_a_stale_one_is_told_and_renewed(self):
        """One run, because it asks the program some 270 times."""
        shutil.copytree(os.path.join(ROOT, "docs", "reference"), self.path("docs/reference"))
        self.change("docs/reference/keys.md", "| `l1.ways` |", "| `l1.wais` |")
        texts = {}
        for name in os.listdir(os.path.join(ROOT, "docs", "reference")):
            with open(os.path.join(ROOT, "docs", "reference", name), encoding="utf-8") as file:
                texts[f"docs/reference/{name}"] = file.read()
        with self.assertRaisesRegex(ToolFailed, "^docs/reference/keys.md: not what the program says: `make reference` renews them$"):
            check_pages(texts, self.folder)
        self.assertEqual(self.reference("--to", self.folder), (0, "", ""))
        for path, text in texts.items():
            self.assertEqual(text, self.read(path), f"{path}: `make reference` renews it")
        self.assertEqual(check_pages(texts, self.folder), 0)

    def test_the_pages_have_every_name(self):
        for what, page, name in (("keys", "keys", "key"), ("presets", "presets", "name"), ("schemes", "schemes", "name")):
            done = subprocess.run([os.path.join(BUILD, "warpmem"), "list", what, "--json", "-"], capture_output=True, text=True,
                                  check=True)
            rows = json.loads(done.stdout)[what]
            with open(os.path.join(ROOT, "docs", "reference", page + ".md"), encoding="utf-8") as file:
                text = file.read()
            self.assertGreater(len(rows), 5)
            self.assertEqual([row[name] for row in rows if f"| `{row[name]}" not in text], [])

    def test_each_list_is_json_with_its_rows(self):
        for what, members in (("workloads", ["workloads"]), ("blocks", ["blocks"]), ("stats", ["counters", "figures", "series"])):
            done = subprocess.run([os.path.join(BUILD, "warpmem"), "list", what, "--json", "-"], capture_output=True, text=True,
                                  check=True)
            found = json.loads(done.stdout)
            self.assertEqual((found["schema"], [m for m in found if m not in ("schema", "version", "program")]),
                             ("warpmem.list", members))
            for member in members:
                self.assertTrue(all("meaning" in row or "about" in row for row in found[member]) and found[member])


if __name__ == "__main__":
    main()
