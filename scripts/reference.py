#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/reference: pages of all keys, statistics, schemes and presets, from what `warpmem list --json` says.

`make reference` writes them; with --check nothing is written, and a page that is not what the program says is an error.
"""
import json
import os
import re

from warpmem.tools import house
from warpmem.tools.house import Parser, ToolFailed, command, run_tool, write_if_changed

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGES = os.path.join("docs", "reference")
HEAD = "<!-- SPDX-License-Identifier: Apache-2.0 -->\n<!-- Written by `make reference`. -->\n"
ALL = "all machines"


def listed(program, *words):
    return json.loads(command([program, "list", *words, "--json", "-"]))


def cell(text):
    return str(text).replace("|", "\\|")


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(map(cell, line)) + " |\n" for line in lines)


def page(title, *parts):
    return "\n".join([HEAD + "# " + title + "\n", *parts])


def by_section(keys):
    """{section: its keys}, in order."""
    found = {}
    for key in keys:
        found.setdefault(key["key"].partition(".")[0], []).append(key)
    return found


def keys_page(keys, presets):
    base = presets[0]
    parts = [f"Each key is set with `--set SECTION.KEY=VALUE` or in a file for `--config`; `warpmem list keys` prints them. The last "
             f"column is the value of preset `{base['name']}`; [presets](presets.md) has the others.\n"]
    for section, of in by_section(keys).items():
        rows = [[f"`{key['key']}`", key["allowed"] + (", a power of two" if key.get("power_of_two") else ""), key["meaning"],
                 base["config"][key["key"]]] for key in of]
        parts.append(f"## {section}\n\n" + table(("key", "allowed", "meaning", base["name"]), rows))
    return page("Keys of a machine", *parts)


def presets_page(presets):
    names = [preset["name"] for preset in presets]
    rows = [[f"`{key}`", *(preset["config"][key] for preset in presets)] for key in presets[0]["config"]
            if len({preset["config"][key] for preset in presets}) > 1]
    return page("Presets", table(("preset", "machine"), [[f"`{p['name']}`", p["about"]] for p in presets]),
                f"## Values\n\nThe other keys have one value in all presets: "
                "[keys](keys.md). `warpmem config show PRESET --sources` names the source of each value.\n",
                table(("key", *names), rows))


def schemes_page(schemes):
    parts = ["`--scheme NAME+NAME` joins schemes, and `--issue`, `--l1`, `--l2`, `--dram` take parts of one place. A scheme changes "
             "only the keys in the last column; N is the number in NAME:N.\n"]
    for option in dict.fromkeys(scheme["option"] for scheme in schemes):
        rows = []
        for scheme in (s for s in schemes if s["option"] == option):
            sets = [f"`{text}`" for text in scheme["sets"]] + [f"`{text}` unless another part says" for text in scheme["yielding"]]
            sets += [f"`{scheme['number']}=N`"] if scheme["number"] else []
            sets += [f"`{scheme['tries']}`, the best of all values"] if scheme["tries"] else []
            rows.append([f"`{scheme['name']}{':N' if scheme['number'] else ''}`", scheme["about"], ", ".join(sets) or "nothing"])
        parts.append(f"## --{option}\n\n" + table(("name", "meaning", "keys"), rows))
    return page("Schemes", *parts)


def general(name):
    """A name with its numbers of partitions and banks as P and B."""
    return re.sub(r"\.p\d+b\d+\.", ".pPbB.", name)


def everywhere(program, presets, schemes):
    """(rows of counters, of figures, of series) of all machines, each with the schemes that it needs, or none."""
    counters, figures, series = {}, {}, {}
    names = [None] + [s["name"] for s in schemes if s["option"] == "scheme" and not s["number"] and s["sets"]]
    for preset in presets:
        for name in names:
            try:
                # The names are the same with one core, and a machine is built for each answer.
                found = listed(program, "stats", "--preset", preset["name"], "--set", "core.count=1", *(("--scheme", name) if name else ()))
            except ToolFailed:
                continue  # a scheme that this machine cannot have
            for known, rows in ((counters, found["counters"]), (figures, found["figures"]), (series, found["series"])):
                for row in rows:
                    known.setdefault(general(row["name"]), (row, []))[1].append(name)
    return counters, figures, series


def where(names):
    """Schemes with which a counter is there; nothing where it is always."""
    return ALL if None in names else ", ".join(f"`{name}`" for name in dict.fromkeys(names))


def statistics_page(counters, figures, series):
    return page(
        "Statistics",
        "`warpmem run --json` has the counters as `stats` and the figures as `figures`; `warpmem list stats` prints those of a "
        "machine. A counter that not all machines have names the schemes that bring it. A sum is over all units; P and B are the "
        "numbers of a partition and a bank.\n",
        "## Figures\n\n" + table(("figure", "unit", "meaning", "formula"),
                                 [[f"`{n}`", r["unit"], r["meaning"], f"`{r['formula']}`"] for n, (r, _) in figures.items()]),
        "## Counters\n\n" + table(("counter", "unit", "meaning", "source", "in"),
                                  [[f"`{n}`", r["unit"] + (", largest" if r["combine"] == "largest" else ""), r["meaning"],
                                    r["source"], where(of)] for n, (r, of) in counters.items()]),
        "## Columns of run --series\n\n" + table(("column", "meaning"), [[f"`{n}`", r["meaning"]] for n, (r, _) in series.items()]))


def pages(program):
    """{path: text}"""
    keys, presets, schemes = (listed(program, what)[what] for what in ("keys", "presets", "schemes"))
    texts = {"keys": keys_page(keys, presets), "presets": presets_page(presets), "schemes": schemes_page(schemes),
             "statistics": statistics_page(*everywhere(program, presets, schemes))}
    return {os.path.join(PAGES, name + ".md"): text for name, text in texts.items()}


def stale(texts, folder):
    """Pages that are not there or have another text."""
    return [path for path, text in texts.items()
            if not os.path.exists(os.path.join(folder, path)) or house.read(os.path.join(folder, path)) != text]


def work(arguments):
    p = Parser("reference", __doc__)
    p.add_build(default=os.path.join(ROOT, "build"))
    p.add_argument("--to", default=ROOT, help="folder of docs/ (the project's)")
    p.add_argument("--check", action="store_true", help="write nothing; exit code 1 where a page is stale")
    options = p.parse_args(arguments)
    texts = pages(os.path.join(options.build, "warpmem"))
    if options.check:
        old = stale(texts, options.to)
        if old:
            raise ToolFailed(f"{', '.join(old)}: not what the program says: `make reference` renews them")
        return 0
    for path, text in texts.items():
        write_if_changed(os.path.join(options.to, path), text)
    return 0


if __name__ == "__main__":
    run_tool("reference", work)
