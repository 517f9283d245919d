# SPDX-License-Identifier: Apache-2.0
"""Figures of a paper, read from data/figures/PAPER.ini and checked as they are read."""
import configparser
import os
from collections import namedtuple

from repro.data import MEANS, Sweep, members_of, one_of, read_texts, read_tsv
from repro.metrics import FIGURES_OF_A_RUN, HISTOGRAMS, LOADS, METRICS
from warpmem.tools.house import BadInput

# columns: (member, preset) pairs; beside: more of them, for a second mean.
Panel = namedtuple("Panel", "name columns beside")
# reference: a variant's name, or (workload, preset, variant), or None; beside: what the second mean
# is called; bars: single bars that the text states, (panel, series, workload): value; tables: whole
# columns of bars that a table of the paper has, (series, workload): value; cycles: how many a
# timeline shows, or None.
Figure = namedtuple("Figure", "paper id title section kind unit metric mean panels beside "
                              "reference series published bars tables axis cycles note")
# metric: of METRICS, FIGURES_OF_A_RUN, HISTOGRAMS or LOADS, as the kind of figure demands.
Series = namedtuple("Series", "name variant metric")

MOST_SERIES = 8  # of a figure: more could not be told apart
KINDS = ("bars", "stacked", "means", "values", "shares", "distribution", "timeline", "loads")
OF_ONE_RUN = ("distribution", "timeline", "loads")  # a panel shows one workload
COMPARED = ("bars", "means")  # these have a reference, the others show each run by itself
AXES = ("linear", "log")


def pairs_of(where, text):
    """Lines NAME: VALUE."""
    pairs = [line.rsplit(": ", 1) for line in text.strip().splitlines()]
    if not pairs or any(len(p) != 2 for p in pairs):
        raise BadInput(f"{where}: must be lines of NAME: VALUE")
    return [(name.strip(), value.strip()) for name, value in pairs]


def fields_of(where, text, count):
    """Lines of `count` fields between |, the last a number."""
    rows = [[f.strip() for f in line.split("|")] for line in text.strip().splitlines()]
    try:
        if any(len(r) != count for r in rows):
            raise ValueError
        return {tuple(r[:-1]): float(r[-1]) for r in rows}
    except ValueError:
        raise BadInput(f"{where}: must be lines of {count} fields between |, the last a number") from None


def columns_of(where, panel, word, sets):
    names, at, preset = word.partition("@")
    if not at:
        raise BadInput(f"{where}: panel {panel}: {word!r} must be SET@PRESET")
    return [(member, preset) for member in members_of(sets, where, names)]


def read_panel(where, name, text, sets, beside, machines):
    columns = [c for word in text.split() for c in columns_of(where, name, word, sets)]
    presets = dict.fromkeys(preset for _, preset in columns)
    if machines:
        for preset in presets:
            one_of(where, "machine", preset, machines)
    more = [(m, preset) for preset in presets for m in members_of(sets, where, beside)] if beside else []
    return Panel(name, columns, more)


def read_reference(where, text, variants):
    if "@" not in text:
        return one_of(where, "reference", text, variants)
    workload, _, rest = text.partition("@")
    preset, _, variant = rest.partition(":")
    return workload, preset, one_of(where, "reference's variant", variant, variants)


def read_series(where, kind, section, variants):
    """[Series] of lines NAME: ..., what follows depending on the kind of figure."""
    get, series = section.get, []
    for name, text in pairs_of(where, get("series")):
        words = text.split()
        if kind in COMPARED and get("metric"):
            words = [text, get("metric")]
        elif kind in ("stacked", "shares"):
            words = [get("variant", ""), text]
        elif kind == "distribution":
            words = [text, get("metric", "")]
        elif kind == "timeline":
            words = [text, "-"]
        if len(words) != 2:
            raise BadInput(f"{where}: series {name}: must be NAME: VARIANT METRIC, or NAME: VARIANT beside metric =")
        one_of(where, "variant", words[0], variants)
        if kind != "timeline":  # whose lines are warps that are drawn by lot
            one_of(where, "metric", words[1], METRICS if kind in COMPARED else
                   HISTOGRAMS if kind == "distribution" else LOADS if kind == "loads" else FIGURES_OF_A_RUN)
        series.append(Series(name, *words))
    if len(series) > MOST_SERIES:
        raise BadInput(f"{where}: {len(series)} series: there may be {MOST_SERIES}")
    return series


def read_table(where, folder, text, series):
    """{(series, workload): value} of a table of data/tables; text: FILE: a COLUMN a series."""
    if not text:
        return {}
    name, _, rest = text.partition(":")
    path, names = os.path.join(folder, "tables", name.strip() + ".tsv"), rest.split()
    if not os.path.exists(path):
        raise BadInput(f"{where}: published_table: there is no {path}")
    if len(names) != len(series):
        raise BadInput(f"{where}: published_table: must name {len(series)} columns, one a series")
    with open(path, encoding="utf-8") as file:
        head = [line for line in file if line.startswith("# app\t")][0].lstrip("# ").split()
    for column in names:
        one_of(where, "column of published_table", column, head)
    rows = read_tsv(path, None)
    return {(s.name, fields[head.index("workload")]): float(fields[head.index(column)])
            for _, fields in rows for s, column in zip(series, names)}


def check_published(where, panels, series, published, bars):
    for panel, line, *workload in list(published) + list(bars):
        one_of(where, "published panel", panel, [p.name for p in panels])
        one_of(where, "published series", line, [s.name for s in series])
        if workload:
            one_of(where, "published workload", workload[0],
                   [m.workload for p in panels if p.name == panel for m, _ in p.columns])


def read_figure(where, name, section, folder, sets, paper):
    get = section.get
    for key in ("title", "section", "kind", "panels", "series"):
        if not get(key):
            raise BadInput(f"{where}: needs {key} =")
    kind = one_of(where, "kind", get("kind"), KINDS)
    label, _, beside = get("beside", "").partition(":")
    panels = [read_panel(where, n, text, sets, beside.strip(), paper.machines) for n, text in pairs_of(where, get("panels"))]
    series = read_series(where, kind, section, paper.variants)
    metric, mean, reference = None, "none", None
    if kind in COMPARED:
        metric = get("metric")
        reference = read_reference(where, get("reference", ""), paper.variants)
    if kind in COMPARED or kind == "values":
        mean = one_of(where, "mean", get("mean", ""), MEANS if kind == "means" else MEANS + ("none",))
    if kind in COMPARED and not metric and mean != "none":
        raise BadInput(f"{where}: mean {mean}: needs metric =, one of all series")
    if kind in OF_ONE_RUN:
        for panel in panels:
            if len(panel.columns) != 1:
                raise BadInput(f"{where}: panel {panel.name}: must be of one workload on one machine")
    if kind == "timeline":
        for s in series:
            variant = paper.variants[s.variant]
            if s.variant != series[0].variant or isinstance(variant, Sweep) or "--series-interval" not in variant.options:
                raise BadInput(f"{where}: series {s.name}: must all be one variant, with --series-interval")
    cycles = get("cycles", "")
    if cycles and (not cycles.isdecimal() or not int(cycles)):
        raise BadInput(f"{where}: cycles {cycles!r}: must be a whole number from 1")
    cycles = int(cycles) if cycles else None
    published = fields_of(where, get("published", ""), 3)
    bars = fields_of(where, get("published_bars", ""), 4)
    check_published(where, panels, series, published, bars)
    return Figure(paper.name, name, get("title"), get("section"), kind, get("unit", ""), metric,
                  mean, panels, label.strip(), reference, series, published, bars,
                  read_table(where, folder, get("published_table", ""), series),
                  one_of(where, "axis", get("axis", "linear"), AXES), cycles, get("note", ""))


def read_figures(folder, sets, paper):
    """{name: Figure}; a paper may have claims only."""
    path = os.path.join(folder, "figures", paper.name + ".ini")
    if not os.path.exists(path):
        return {}
    parser = configparser.ConfigParser(delimiters=("=",), comment_prefixes=("#",), interpolation=None)
    try:
        with open(path, encoding="utf-8") as file:
            parser.read_file(file)
    except configparser.Error as error:
        raise BadInput(f"{path}: {str(error).splitlines()[0]}") from None
    return {name: read_figure(f"{path}: [{name}]", name, parser[name], folder, sets, paper) for name in parser.sections()}


def read_paper(folder, name):
    """(sets, Paper), all of it."""
    sets, paper = read_texts(folder, name)
    return sets, paper._replace(figures=read_figures(folder, sets, paper))
