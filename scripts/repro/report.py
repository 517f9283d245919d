# SPDX-License-Identifier: Apache-2.0
"""Outcomes as text for the terminal, as TSV and as JSON."""
import json

from repro.claims import RULE, absent_text
from repro.metrics import HARDWARE
from warpmem.tools.house import aligned, tsv as tsv_of, write_whole

COLUMNS = "paper claim section metric mean unit published ours ratio verdict".split()
WIDTH = 100


def figure(value, unit=""):
    if value is None:
        return "-"
    value = round(value, 9) + 0.0  # no -0
    if unit.startswith("fraction"):
        return f"{value:+.3f}" if abs(value) < 10 else f"{value:+.1f}"
    return f"{value:.4f}" if 0 < abs(value) < 0.1 else f"{value:.3f}"


def published(claim):
    bound = ">= " if "lower" in claim.unit else "<= " if "upper" in claim.unit else ""
    return bound + figure(claim.value, claim.unit)


def unit_of(claim):
    return claim.unit.split("_")[0]


def what(claim):
    if claim.metric in HARDWARE:
        return f"{claim.metric} of {claim.variant}, {claim.reference}"
    if claim.reference == "-":
        return f"{claim.metric}, {claim.mean}, of {claim.workloads} on {claim.presets}, {claim.variant}"
    against = "the counterpart under " if claim.against == "counterpart" else ""
    mean = "" if claim.mean == "single" else f", {claim.mean}"
    return (f"{claim.metric}{mean} of {claim.workloads} on {claim.presets}, {claim.variant} against "
            f"{against}{claim.reference}")


def in_short(claim):
    if claim.metric in HARDWARE:
        return f"{claim.metric}: {claim.variant}"
    if claim.reference == "-":
        return f"{claim.metric}: {claim.variant}"
    if claim.against == "counterpart":
        return f"{claim.metric}: {claim.variant} / counterpart"
    return f"{claim.metric}: {claim.variant} / {claim.reference}"


def wrapped(words, indent):
    lines, line = [], ""
    for word in words:
        if line and len(indent) + len(line) + 2 + len(word) > WIDTH:
            lines.append(indent + line)
            line = ""
        line += ("  " if line else "") + word
    return lines + ([indent + line] if line else [])


def table(outcome):
    """One claim: what it says, each workload's value, and the line that counts."""
    claim = outcome.claim
    lines = [f"{claim.id} (section {claim.section}): {what(claim)}", f"  {outcome.formula}"]
    if claim.note != "-":
        lines.append(f"  note: {claim.note}")
    groups = {}
    for value in outcome.values:
        groups.setdefault(value.set, []).append(value)
    for group, values in groups.items():
        present = [v for v in values if v.value is not None]
        if present:
            lines.append(f"  {group}")
            lines += wrapped([f"{v.label.split('@')[0]} {figure(v.value, claim.unit)}" for v in present], "    ")
    missing = absent_text(outcome.values)
    if missing and outcome.ours is not None:
        lines.append(f"  not available: {missing}")
    lines.append(f"  paper {published(claim)} {unit_of(claim)}  ours "
                 f"{figure(outcome.ours, claim.unit)}  ratio {figure(outcome.ratio)}  {outcome.verdict}")
    lines += [f"  by {formula}: {figure(value, claim.unit)}" for formula, value in outcome.also]
    return "\n".join(lines) + "\n"


def summary_rows(outcomes):
    """All claims, a row each, below their heading."""
    rows = [("claim", "section", "what", "paper", "ours", "unit", "ratio", "verdict")]
    for o in outcomes:
        rows.append((o.claim.id, o.claim.section, in_short(o.claim), published(o.claim),
                     figure(o.ours, o.claim.unit), unit_of(o.claim), figure(o.ratio), o.verdict))
    return rows


def summary(outcomes):
    return "\n".join(aligned(summary_rows(outcomes), (0, 1, 2, 5, 7))) + "\n\nAbove, each claim in words with the value of each workload.\n" + RULE + "\n"


def exact(value):
    return "-" if value is None else f"{value:.6g}"


def tsv(outcomes):
    return tsv_of([COLUMNS, *((o.claim.paper, o.claim.id, o.claim.section, o.claim.metric, o.claim.mean, o.claim.unit,
                               exact(o.claim.value), exact(o.ours), exact(o.ratio), o.verdict) for o in outcomes)])


def values_tsv(outcomes):
    return tsv_of([("paper", "claim", "set", "workload", "value", "reason"),
                   *((o.claim.paper, o.claim.id, v.set, v.label, exact(v.value), v.reason or "-")
                     for o in outcomes for v in o.values)])


def choices(plan):
    """The choice of each sweep; choices_tsv has the candidates."""
    lines, groups = [], {}
    for c in plan.choices.values():
        groups.setdefault((c.sweep, c.machine), []).append(c)
    for (name, machine), of in groups.items():
        sweep = plan.paper.variants[name]
        what = f"{name} on {machine}, chosen by {sweep.metric} / {sweep.reference}"
        if sweep.best == "each":
            lines.append(f"{what} of each workload:")
            lines += wrapped([f"{c.workload} {c.best or '-'}" for c in of], "    ")
        else:
            lines.append(f"{what}, {sweep.mean} over {sweep.workloads}: {of[0].best or '-'}")
            lines += wrapped([f"{n}: {figure(v)}" for n, v in of[0].values.items()], "    ")
    return "\n".join(lines) + "\n"


def choices_tsv(plan):
    return tsv_of([("sweep", "machine", "workload", "candidate", "judged", "chosen"),
                   *((c.sweep, c.machine, c.workload or "-", name, exact(value), "yes" if name == c.best else "no")
                     for c in plan.choices.values() for name, value in c.values.items())])


def as_json(outcomes, plan, header):
    return json.dumps(dict(header, rule=RULE, choices=[
        c._asdict() for c in plan.choices.values()], claims=[
        {"claim": o.claim._asdict(), "formula": o.formula, "ours": o.ours, "ratio": o.ratio, "verdict": o.verdict,
         "also": [{"formula": formula, "ours": value} for formula, value in o.also],
         "values": [v._asdict() for v in o.values]} for o in outcomes]), indent=1) + "\n"


def write(outcomes, plan, stem, header):
    """The files STEM.txt, .tsv, -values.tsv, .json, and where there are sweeps -choices.tsv."""
    text = "\n".join([table(o) for o in outcomes] + [summary(outcomes)] + ([choices(plan)] if plan.choices else []))
    for name, content in ((stem + ".txt", text), (stem + ".tsv", tsv(outcomes)), (stem + "-values.tsv", values_tsv(outcomes)),
                          (stem + ".json", as_json(outcomes, plan, header))):
        write_whole(name, content)
    if plan.choices:
        write_whole(stem + "-choices.tsv", choices_tsv(plan))
