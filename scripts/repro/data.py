# SPDX-License-Identifier: Apache-2.0
"""What a paper says, read from data/: sets of workloads, variants of machines, claims, figures.

Every line is checked when it is read, so that a wrong name is an error with file and line and not
an empty table later.
"""
import configparser
import os
import shlex
from collections import namedtuple

from common import Wrong
from metrics import FIGURES_OF_A_RUN, HARDWARE, METRICS

Member = namedtuple("Member", "set paper class_ workload label counterpart")
Variant = namedtuple("Variant", "name options note")
Claim = namedtuple("Claim", "paper id section metric mean workloads presets variant reference "
                            "against value unit note")
# columns: (member, preset) pairs; reference: a variant's name, or (workload, preset, variant)
Panel = namedtuple("Panel", "name columns")
Figure = namedtuple("Figure", "paper id title section kind unit metric mean panels reference series "
                              "published bars note")
Paper = namedtuple("Paper", "name variants claims figures")

MEANS = ("geometric", "harmonic", "arithmetic")
CLAIM_MEANS = MEANS + ("geometric-each", "max", "min", "single")
MOST_SERIES = 8  # of a figure: more could not be told apart
KINDS = ("bars", "stacked", "means")
# Options that a variant may have, and whether `warpmem config show` knows them too.
VARIANT_OPTIONS = {"--scheme": True, "--issue": True, "--l1": True, "--l2": True, "--dram": True,
                   "--set": True, "--swl-limits": False}


def one_of(where, what, value, allowed):
    if value not in allowed:
        raise Wrong(f"{where}: {what} {value!r}: must be one of {', '.join(allowed)}")
    return value


def read_tsv(path, columns):
    """Rows of a file of fields between tabs, as (place, fields); # begins a comment line."""
    rows, head = [], None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            where, fields = f"{path}:{number}", line.rstrip("\n").split("\t")
            if line.startswith("#"):
                continue
            if head is None:
                head = fields
                if head != columns:
                    raise Wrong(f"{where}: columns must be {' '.join(columns)}")
                continue
            if len(fields) != len(columns) or not all(fields):
                raise Wrong(f"{where}: must have {len(columns)} fields, none empty")
            rows.append((where, fields))
    return rows


def unique(where, seen, name):
    if name in seen:
        raise Wrong(f"{where}: {name}: stands there twice")
    return name


def read_sets(path):
    """Lists of Member by the name of the set, in the order of the file."""
    sets = {}
    for where, fields in read_tsv(path, "set paper class workload label counterpart".split()):
        member = Member(*fields)
        unique(where, [m.workload for m in sets.setdefault(member.set, [])], member.workload)
        sets[member.set].append(member)
    return sets


def read_variants(path):
    variants = {}
    for where, (name, options, note) in read_tsv(path, "name options note".split()):
        words = shlex.split(options)
        if len(words) % 2:
            raise Wrong(f"{where}: options must be pairs of an option and its value")
        for word in words[::2]:
            one_of(where, "option", word.split("=")[0], VARIANT_OPTIONS)
        variants[unique(where, variants, name)] = Variant(name, tuple(words), note)
    return variants


def members_of(sets, where, names):
    """The members of sets joined by +."""
    return [m for name in names.split("+")
            for m in sets[one_of(where, "set of workloads", name, sets)]]


def read_claims(path, paper, sets, variants):
    claims = {}
    for where, fields in read_tsv(path, "id section metric mean workloads presets variant reference "
                                        "against value unit note".split()):
        claim = Claim(paper, *fields)
        unique(where, claims, claim.id)
        try:
            claim = claim._replace(value=float(claim.value))
        except ValueError:
            raise Wrong(f"{where}: value {claim.value!r}: must be a number") from None
        claims[claim.id] = claim
        if claim.metric in HARDWARE:
            continue
        one_of(where, "metric", claim.metric, list(METRICS) + list(HARDWARE))
        one_of(where, "mean", claim.mean, CLAIM_MEANS)
        one_of(where, "variant", claim.variant, variants)
        one_of(where, "reference", claim.reference, variants)
        one_of(where, "against", claim.against, ("same", "counterpart"))
        for member in members_of(sets, where, claim.workloads):
            if claim.against == "counterpart" and member.counterpart == "-":
                raise Wrong(f"{where}: {member.workload} of {claim.workloads} has no counterpart")
    return claims


def pairs_of(where, text):
    """Lines NAME: VALUE."""
    pairs = [line.rsplit(": ", 1) for line in text.strip().splitlines()]
    if not pairs or any(len(p) != 2 for p in pairs):
        raise Wrong(f"{where}: must be lines of NAME: VALUE")
    return [(name.strip(), value.strip()) for name, value in pairs]


def fields_of(where, text, count):
    """Lines of `count` fields between |, the last a number."""
    rows = [[f.strip() for f in line.split("|")] for line in text.strip().splitlines()]
    try:
        if any(len(r) != count for r in rows):
            raise ValueError
        return {tuple(r[:-1]): float(r[-1]) for r in rows}
    except ValueError:
        raise Wrong(f"{where}: must be lines of {count} fields between |, the last a number") \
            from None


def read_panel(where, name, text, sets):
    columns = []
    for word in text.split():
        names, at, preset = word.partition("@")
        if not at:
            raise Wrong(f"{where}: panel {name}: {word!r} must be SET@PRESET")
        columns += [(member, preset) for member in members_of(sets, where, names)]
    return Panel(name, columns)


def read_reference(where, text, variants):
    if "@" not in text:
        return one_of(where, "reference", text, variants)
    workload, _, rest = text.partition("@")
    preset, _, variant = rest.partition(":")
    return workload, preset, one_of(where, "reference's variant", variant, variants)


def read_figure(where, paper, name, section, sets, variants):
    get = section.get
    for key in ("title", "section", "kind", "panels", "series"):
        if not get(key):
            raise Wrong(f"{where}: needs {key} =")
    kind = one_of(where, "kind", get("kind"), KINDS)
    panels = [read_panel(where, n, text, sets) for n, text in pairs_of(where, get("panels"))]
    series = pairs_of(where, get("series"))
    if kind == "stacked":
        variant = one_of(where, "variant", get("variant", ""), variants)
        series = [(n, variant, one_of(where, "metric", m, FIGURES_OF_A_RUN)) for n, m in series]
        metric, mean, reference = None, "none", None
    else:
        metric = one_of(where, "metric", get("metric", ""), METRICS)
        mean = one_of(where, "mean", get("mean", ""), MEANS if kind == "means" else MEANS + ("none",))
        series = [(n, one_of(where, "variant", v, variants), metric) for n, v in series]
        reference = read_reference(where, get("reference", ""), variants)
    if len(series) > MOST_SERIES:
        raise Wrong(f"{where}: {len(series)} series: there may be {MOST_SERIES}")
    published = fields_of(where, get("published", ""), 3)
    bars = fields_of(where, get("published_bars", ""), 4)
    for panel, line, *workload in list(published) + list(bars):
        one_of(where, "published panel", panel, [p.name for p in panels])
        one_of(where, "published series", line, [s[0] for s in series])
        if workload:
            one_of(where, "published workload", workload[0],
                   [m.workload for p in panels if p.name == panel for m, _ in p.columns])
    return Figure(paper, name, get("title"), get("section"), kind, get("unit", ""), metric, mean,
                  panels, reference, series, published, bars, get("note", ""))


def read_figures(path, paper, sets, variants):
    parser = configparser.ConfigParser(delimiters=("=",), comment_prefixes=("#",),
                                       interpolation=None)
    try:
        with open(path, encoding="utf-8") as file:
            parser.read_file(file)
    except configparser.Error as error:
        raise Wrong(f"{path}: {str(error).splitlines()[0]}") from None
    return {name: read_figure(f"{path}: [{name}]", paper, name, parser[name], sets, variants)
            for name in parser.sections()}


def papers_in(folder):
    """Names of the papers that have claims."""
    return sorted(name[:-4] for name in os.listdir(os.path.join(folder, "claims"))
                  if name.endswith(".tsv"))


def read_paper(folder, name):
    sets = read_sets(os.path.join(folder, "workload_sets.tsv"))
    variants = read_variants(os.path.join(folder, "variants", name + ".tsv"))
    claims = read_claims(os.path.join(folder, "claims", name + ".tsv"), name, sets, variants)
    figures_path = os.path.join(folder, "figures", name + ".ini")
    figures = {}
    if os.path.exists(figures_path):  # a paper may have claims only
        figures = read_figures(figures_path, name, sets, variants)
    return sets, Paper(name, variants, claims, figures)
