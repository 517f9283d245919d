#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Tests of pages: they are whole, need nothing else, and hold what they were given; those of compare and of repro too."""
import base64
import html.parser
import os
import subprocess
import xml.etree.ElementTree

from test_house import BUILD, main
from repro_house import House
from warpmem.tools import page

VOID = {"meta", "img"}


class Reader(html.parser.HTMLParser):
    """Reads a page's tables, texts and links. Wrong nesting is an error."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tables, self.images, self.links, self.ids, self.commands, self.text = [], [], [], [], [], [], ""
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.links += [attrs[name] for name in ("href", "src") if name in attrs]
        self.ids += [attrs["id"]] if "id" in attrs else []
        if tag == "img":
            self.images.append((attrs["alt"], attrs["src"]))
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("td", "th"):
            self.tables[-1][-1].append("")
        if attrs.get("class") == "command":
            self.commands.append("")
        if tag not in VOID:
            self.open.append((tag, attrs.get("class")))

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag, tag

    def handle_data(self, data):
        tag, kind = self.open[-1] if self.open else ("", None)
        if tag in ("td", "th"):
            self.tables[-1][-1][-1] += data
        if kind == "command":
            self.commands[-1] += data
        if tag != "style":
            self.text += data


class Pages(House):
    def read_page(self, text):
        """A page that needs no other file, whose links lead to its own parts, and whose pictures are SVG."""
        found = Reader(text)
        self.assertEqual(len(set(found.ids)), len(found.ids))
        for link in found.links:
            self.assertTrue(link.startswith("data:image/svg+xml;base64,") or link.lstrip("#") in found.ids, link[:80])
        for _, source in found.images:
            root = xml.etree.ElementTree.fromstring(base64.b64decode(source.partition(",")[2]))
            self.assertTrue(root.tag.endswith("svg"))
        self.assertNotIn("<script", text)
        self.assertIn('name="viewport"', text)
        self.assertIn("@media print", text)
        return found

    def test_it_holds_what_it_was_given(self):
        text = page.page({"title": "a < b & c", "about": ["\"quoted\""], "foot": "the end", "sections": [
            {"heading": "<b>", "text": ["one", "two"], "table": [["name", "x", "y"], ["p&q", "-0.5", "word"], ["r", "1.2e-3", "2"]],
             "pictures": [["a \"picture\"", '<svg xmlns="http://www.w3.org/2000/svg"/>']], "repeat": ["warpmem", "run", "a b", "it's"]},
            {"heading": "plain", "plain": "a\n  b<c"}]})
        found = self.read_page(text)
        self.assertEqual(found.tables, [[["name", "x", "y"], ["p&q", "-0.5", "word"], ["r", "1.2e-3", "2"]]])
        self.assertEqual(found.commands, ["warpmem run 'a b' 'it'\"'\"'s'"])
        self.assertEqual(found.images[0][0], 'a "picture"')
        for words in ("a < b & c", '"quoted"', "<b>", "one", "two", "a\n  b<c", "the end"):
            self.assertIn(words, found.text)
        self.assertIn('<td class="number">-0.5</td>', text)  # a column of numbers
        self.assertIn("<td>2</td>", text)                    # one with a word in it

    def test_a_table_may_be_text_with_tabs(self):
        found = self.read_page(page.page({"title": "t", "sections": [{"heading": "h", "table": "a\tb\n1\t\n"}]}))
        self.assertEqual(found.tables, [[["a", "b"], ["1", ""]]])

    def compare(self, *words):
        return subprocess.run([os.path.join(BUILD, "warpmem"), "compare", *words, "--size", "tiny", "--no-progress"],
                              capture_output=True, text=True, check=False)

    def test_compare_writes_its_table_picture_and_command(self):
        path, table = self.path("a b.html"), self.path("t.tsv")
        done = self.compare("vecadd", "2dconv", "--schemes", "baseline,mrpb", "--html", path, "--tsv", table, "--json", self.path("t.json"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        found = self.read_page(self.read("a b.html"))
        program = self.json("t.json")["program"]
        self.assertTrue(found.text.rstrip().endswith(f"warpmem {program['version']}" +
                                                     (f", commit {program['commit']}" if program["commit"] else "") +
                                                     program["modified"] * ", modified"), found.text[-100:])
        self.assertEqual(found.tables, [[line.split("\t") for line in self.read("t.tsv").splitlines()]])
        self.assertEqual(len(found.images), 1)
        self.assertIn("warpmem compare: vecadd, 2dconv", found.text)
        # The command gives that page again.
        before = self.read("a b.html")
        os.unlink(path)
        command = found.commands[0].replace("warpmem ", os.path.join(BUILD, "warpmem") + " ", 1)
        self.assertEqual(subprocess.run(command, shell=True, capture_output=True, check=False).returncode, 0)
        self.assertEqual(Reader(self.read("a b.html")).tables, Reader(before).tables)

    def test_compares_page_can_go_to_stdout_alone(self):
        done = self.compare("vecadd", "--sweep", "l1.ways=2,4", "--html", "-")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(self.read_page(done.stdout).tables[0]), 5)

    def test_compares_page_has_the_rows_that_failed(self):
        done = self.compare("mst", "--presets", "quadro-daws,c2050-s", "--schemes", "baseline", "--html", self.path("p.html"))
        self.assertEqual(done.returncode, 1)
        cells = self.read_page(self.read("p.html")).tables[0]
        self.assertEqual(len(cells), 3)
        self.assertEqual(cells[0][-1], "reason")
        self.assertIn("mst", done.stderr)

    def test_a_page_that_cannot_be_written_is_told_before_the_runs(self):
        done = self.compare("vecadd", "--html", self.path("absent/p.html"))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--html", done.stderr)

    def test_repro_writes_a_page_of_a_whole_paper(self):
        said, _ = self.repro()
        self.assertIn("repro/p/tiny/index.html", said)
        found = self.read_page(self.read("repro/p/tiny/index.html"))
        rows = self.read("repro/p/tiny/claims.tsv").splitlines()
        self.assertEqual([row[0] for row in found.tables[0][1:]], [row.split("\t")[1] for row in rows[1:]])
        self.assertEqual([row[-1] for row in found.tables[0][1:]], [row.split("\t")[-1] for row in rows[1:]])
        self.assertEqual(len(found.images), 1)
        for command in ("make repro PAPER=p SIZE=tiny", "make repro PAPER=p FIGURE=fig1 SIZE=tiny", "make repro PAPER=p CLAIM=gap SIZE=tiny"):
            self.assertIn(command, found.commands)
        before = self.read("repro/p/tiny/index.html")
        self.repro("--claim", "gap", "--seed", "3")
        self.assertEqual(self.read("repro/p/tiny/index.html"), before)
        self.repro("--seed", "3", "--set", "k=1 ")
        self.assertIn("make repro PAPER=p SIZE=tiny SEED=3 'SET=k=1 '", self.read_page(self.read("repro/p/tiny,k=1 /index.html")).commands)


if __name__ == "__main__":
    main()
