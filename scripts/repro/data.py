# SPDX-License-Identifier: Apache-2.0
"""A paper's statements, read from data/: sets of workloads, machines, variants, sweeps, claims.

Every line is checked when it is read, so that a wrong name is an error with file and line and not
an empty table later.
"""
import os
import re
import shlex
from collections import namedtuple
from difflib import get_close_matches

from repro.metrics import FIGURES_OF_A_RUN, HARDWARE, METRICS, MODELS
from warpmem.tools.house import BadInput

Member = namedtuple("Member", "set paper class_ workload label counterpart")
Variant = namedtuple("Variant", "name options note")
# A preset and the options that all runs on it have besides their variant's.
Base = namedtuple("Base", "name preset options note")
# A variant of which several candidates run, {value: options}, and the best counts.
Sweep = namedtuple("Sweep", "name best metric mean workloads reference candidates note")
# beside: sets over which the mean is printed as well.
Claim = namedtuple("Claim", "paper id section metric mean workloads presets variant reference "
                            "against value unit note beside", defaults=((),))

MEANS = ("geometric", "harmonic", "arithmetic")
NAMES_SHOWN = 200  # characters of a list of names in a message
NEAR = 3
CLAIM_MEANS = MEANS + ("geometric-each", "max", "min", "median", "single")


class Paper(namedtuple("Paper", "name machines variants claims figures caps", defaults=({},))):
    def machine(self, name):
        """(preset, options) of a machine; a paper without such a list names presets."""
        base = self.machines.get(name)
        return (base.preset, base.options) if base else (name, ())

    def cap(self, workload):
        """Options that end a run of the workload where the paper's does."""
        cap = self.caps.get(workload, self.caps.get("*"))
        return ("--max-insn-launch", cap) if cap else ()


VARIANT_OPTIONS = ("--scheme", "--issue", "--l1", "--l2", "--set", "--dram", "--swl-limits", "--max-insn-per-kernel",
                   "--max-insn-launch", "--series-interval", "--profile")
WORKLOAD = "@workload"  # in an option: the name of the workload that runs
CHOICES = re.compile(r"(.*)\{([^{}]+)\}(.*)")  # of a sweep: --set KEY={VALUE,VALUE}


def one_of(where, what, value, allowed, listed=None):
    """listed: where a person finds those that are allowed, when they are too many for one line."""
    if value in allowed:
        return value
    names = ", ".join(allowed)
    if not listed or len(names) <= NAMES_SHOWN:
        raise BadInput(f"{where}: {what} {value!r}: must be one of {names}")
    near = [name for name in allowed if value in name] or get_close_matches(value, allowed, NEAR)
    near = f"did you mean {' or '.join(near[:NEAR])}? " if near else ""
    raise BadInput(f"{where}: {what} {value!r}: there is none of that name; {near}{listed}")


def read_tsv(path, columns):
    """Rows of a file of fields between tabs, as (place, fields); # begins a comment line. columns
    None: the file names them in a comment."""
    rows, head = [], None if columns else []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            where, fields = f"{path}:{number}", line.rstrip("\n").split("\t")
            if line.startswith("#"):
                continue
            if head is None:
                head = fields
                if head != columns:
                    raise BadInput(f"{where}: columns must be {' '.join(columns)}")
                continue
            if columns and (len(fields) != len(columns) or not all(fields)):
                raise BadInput(f"{where}: must have {len(columns)} fields, none empty")
            rows.append((where, fields))
    return rows


def unique(where, seen, name):
    if name in seen:
        raise BadInput(f"{where}: {name}: occurs twice")
    return name


def read_sets(path):
    """Lists of Member by the name of the set, in the order of the file."""
    sets = {}
    for where, fields in read_tsv(path, "set paper class workload label counterpart".split()):
        member = Member(*fields)
        unique(where, [m.workload for m in sets.setdefault(member.set, [])], member.workload)
        sets[member.set].append(member)
    return sets


def options_of(where, text):
    """warpmem's words; - for none."""
    words = shlex.split(text) if text != "-" else []
    if len(words) % 2:
        raise BadInput(f"{where}: options must be pairs of an option and its value")
    for word in words[::2]:
        one_of(where, "option", word.split("=")[0], VARIANT_OPTIONS)
    return tuple(words)


def read_machines(path):
    """Nothing where a paper has no such file: its claims name presets."""
    machines = {}
    rows = read_tsv(path, "name preset options note".split()) if os.path.exists(path) else []
    for where, (name, preset, options, note) in rows:
        unique(where, machines, name)
        machines[name] = Base(name, preset, options_of(where, options), note)
    return machines


def read_caps(path):
    """{workload: thread instructions}, *: of the others. Nothing where a paper has no such file: its runs end by themselves."""
    caps = {}
    for where, (workload, instructions, _) in (read_tsv(path, "workload instructions note".split()) if os.path.exists(path) else []):
        if not instructions.isdecimal() or not int(instructions):
            raise BadInput(f"{where}: instructions {instructions!r}: must be a number above 0")
        caps[unique(where, caps, workload)] = instructions
    return caps


def read_variants(path):
    variants = {}
    for where, (name, options, note) in read_tsv(path, "name options note".split()):
        variants[unique(where, variants, name)] = Variant(name, options_of(where, options), note)
    return variants


def read_sweeps(path, sets, variants):
    sweeps = {}
    rows = read_tsv(path, "name best metric mean workloads reference options note".split()) if os.path.exists(path) else []
    for where, (name, best, metric, mean, workloads, reference, options, note) in rows:
        unique(where, {**variants, **sweeps}, name)
        one_of(where, "best", best, ("each", "mean"))
        one_of(where, "metric", metric, METRICS)
        one_of(where, "reference", reference, variants)
        if best == "mean":
            one_of(where, "mean", mean, MEANS)
            members_of(sets, where, workloads)
        elif (mean, workloads) != ("-", "-"):
            raise BadInput(f"{where}: mean and workloads must be - where each workload has its own best")
        sweeps[name] = Sweep(name, best, metric, mean, workloads, reference, candidates_of(where, options), note)
    return sweeps


def candidates_of(where, text):
    """{value: options} of options one of which is --set KEY={VALUE,VALUE,...}."""
    parts = CHOICES.fullmatch(text)
    values = parts[2].split(",") if parts else []
    if len(values) < 2 or len(set(values)) < len(values) or not all(values):
        raise BadInput(f"{where}: options must have one {{VALUE,VALUE,...}} of different values")
    return {v: options_of(where, parts[1] + v + parts[3]) for v in values}


def members_of(sets, where, names):
    """The members of sets joined by +; SET:LABEL,LABEL are some of a set, SET:!LABEL all others."""
    return [m for part in names.split("+") for m in some_of(sets, where, part)]


def some_of(sets, where, part):
    name, colon, labels = part.partition(":")
    members = sets[one_of(where, "set of workloads", name, sets)]
    others = labels.startswith("!")
    labels = labels.removeprefix("!").split(",") if colon else []
    for label in labels:
        one_of(where, f"label of {name}", label, [m.label for m in members])
    return [m for m in members if not colon or (m.label in labels) != others]


def groups_of(claims):
    """A claim with presets A;B is two: its name is that on A, on B it is NAME@B. First all on A."""
    split = [(claim, claim.presets.split(";")) for claim in claims]
    return [claim._replace(presets=groups[i], id=claim.id + (f"@{groups[i]}" if i else ""))
            for i in range(max((len(g) for _, g in split), default=0)) for claim, groups in split if i < len(groups)]


def read_claim(where, claim, sets, variants, machines):
    try:
        claim = claim._replace(value=float(claim.value))
    except ValueError:
        raise BadInput(f"{where}: value {claim.value!r}: must be a number") from None
    if claim.metric in HARDWARE:
        for term in claim.variant.split("+"):
            count, _, block = term.strip().rpartition(" ")
            if not block or (count and not count.isdecimal()):
                raise BadInput(f"{where}: variant {claim.variant!r}: must be BLOCK, or COUNT BLOCK + COUNT BLOCK")
        return claim
    workloads, *beside = claim.workloads.split(";")
    claim = claim._replace(workloads=workloads, beside=tuple(beside))
    one_of(where, "metric", claim.metric, list(METRICS) + list(HARDWARE) + list(MODELS) if claim.reference != "-" else list(FIGURES_OF_A_RUN))
    one_of(where, "mean", claim.mean, CLAIM_MEANS)
    one_of(where, "variant", claim.variant, variants)
    if claim.metric in MODELS and not isinstance(variants[claim.variant], Sweep):
        raise BadInput(f"{where}: variant {claim.variant!r}: {claim.metric} is of a sweep's candidates")
    one_of(where, "reference", claim.reference, list(variants) + ["-"])
    one_of(where, "against", claim.against, ("same", "counterpart"))
    if machines:
        for name in claim.presets.replace(";", "|").split("|"):
            one_of(where, "machine", name, machines)
    for member in members_of(sets, where, "+".join([workloads] + beside)):
        if claim.against == "counterpart" and member.counterpart == "-":
            raise BadInput(f"{where}: {member.workload} of {claim.workloads} has no counterpart")
    return claim


def read_claims(path, paper, sets, variants, machines):
    claims = {}
    for where, fields in read_tsv(path, "id section metric mean workloads presets variant reference "
                                        "against value unit note".split()):
        claim = Claim(paper, *fields)
        unique(where, claims, claim.id)
        claims[claim.id] = read_claim(where, claim, sets, variants, machines)
    return {claim.id: claim for claim in groups_of(claims.values())}


def papers_in(folder):
    """Names of the papers that have claims."""
    return sorted(name[:-4] for name in os.listdir(os.path.join(folder, "claims")) if name.endswith(".tsv"))


def read_texts(folder, name):
    """(sets, Paper without its figures)."""
    def path(kind):
        return os.path.join(folder, kind, name + ".tsv")

    sets = read_sets(os.path.join(folder, "workload_sets.tsv"))
    machines = read_machines(path("machines"))
    variants = read_variants(path("variants"))
    variants.update(read_sweeps(path("sweeps"), sets, variants))
    claims = read_claims(path("claims"), name, sets, variants, machines)
    return sets, Paper(name, machines, variants, claims, {}, read_caps(path("caps")))
