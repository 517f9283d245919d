# SPDX-License-Identifier: Apache-2.0
"""Claims set beside runs: which runs a claim needs, its values, its mean, its verdict."""
import csv
import os
from collections import Counter, namedtuple

from common import Absent, Run
from data import members_of
from metrics import HARDWARE, METRICS, mean_of

# label: workload@preset; value None: there is none, and reason says why.
Value = namedtuple("Value", "set label value reason")
# ours None: there is none. also: (formula, mean) by another formula, or None.
Outcome = namedtuple("Outcome", "claim formula values ours ratio verdict also")

NO_EFFECT = 0.01
CLOSE = 1.25
SHOWN = 4  # of those that break a bound
WITHIN = f"within {100 * (CLOSE - 1):.0f} %"
RULE = (
    "ratio = ours / paper, of the numbers as printed. A speed-up above 1, or a change above 0, has "
    "one direction, below it the other.\n"
    f"Verdicts: within {100 * NO_EFFECT:.0f} % of 1 (of a change: of 0) is \"no effect\"; the other "
    "direction than the paper's is \"opposite\";\n"
    f"else \"same direction\", with \"{WITHIN}\" when the ratio is {1 / CLOSE:g} to "
    f"{CLOSE:g}, or \"weaker\" or \"stronger\". A bound \"holds\" or is\n"
    "\"broken\", by the one named. Hardware figures have no direction: \"within\", \"below\" or "
    "\"above\".\n"
    "\"partial (n of m)\": only n of the m values exist, and the mean is over these.")


def sides(claim, paper, sets, size, seed):
    """(set, label, run, reference run) of each value of a claim, in the data's order."""
    for preset in claim.presets.split("|"):
        for name in claim.workloads.split("+"):
            for member in members_of(sets, claim.id, name):
                other = member.counterpart if claim.against == "counterpart" else member.workload
                yield (f"{name}@{preset}", f"{member.workload}@{preset}",
                       Run(member.workload, preset, paper.variants[claim.variant].options, size,
                           seed),
                       Run(other, preset, paper.variants[claim.reference].options, size, seed))


def runs_of(claim, paper, sets, size, seed):
    if claim.metric in HARDWARE:
        return []
    return [run for _, _, *both in sides(claim, paper, sets, size, seed) for run in both]


def compare(metric, ours, reference):
    """(value, None), or (None, why there is none)."""
    for result, who in ((ours, ""), (reference, "reference: ")):
        if isinstance(result, Absent):
            return None, who + result.reason
    value = METRICS[metric].function(ours, reference)
    return (value, None) if value is not None else (None, "nothing to compare with: 0 there")


def mean_and_deciders(claim, values, neutral):
    """The mean of values; and what decides it, as {name: number}: of max, min and geometric-each
    all that compete for it."""
    if claim.mean == "geometric-each":
        groups = {}
        for v in values:
            groups.setdefault(v.set, []).append(v.value)
        deciders = {name: mean_of("geometric", group, neutral) for name, group in groups.items()}
        return (max if "upper" in claim.unit else min)(deciders.values()), deciders
    mean = mean_of(claim.mean, [v.value for v in values], neutral)
    return mean, {v.label: v.value for v in values} if claim.mean in ("max", "min") else {}


def bound_verdict(claim, ours, deciders):
    lower = claim.unit.endswith("_lower_bound")

    def breaks(value):
        return value < claim.value if lower else value > claim.value

    if not breaks(ours):
        return "holds"
    names = sorted((n for n, v in deciders.items() if breaks(v)),
                   key=lambda n: (deciders[n] if lower else -deciders[n], n))
    shown = [f"{name} {deciders[name]:.3f}" for name in names[:SHOWN]]
    if len(names) > SHOWN:
        shown.append(f"{len(names) - SHOWN} more")
    return "broken" + (f" ({', '.join(shown)})" if shown else "")


def verdict_of(claim, ours, deciders, neutral):
    """neutral None: a figure without a direction."""
    if claim.unit.endswith("_bound"):
        return bound_verdict(claim, ours, deciders)
    named = "".join([f" ({n})" for n, v in deciders.items() if v == ours][:1])
    ratio = ours / claim.value
    if neutral is None:
        return WITHIN if 1 / CLOSE <= ratio <= CLOSE else "below" if ratio < 1 else "above"
    if abs(ours - neutral) < NO_EFFECT:
        return "no effect" + named
    if (ours > neutral) != (claim.value > neutral):
        return "opposite" + named
    if 1 / CLOSE <= ratio <= CLOSE:
        return f"same direction, {WITHIN}{named}"
    stronger = abs(ours - neutral) > abs(claim.value - neutral)
    return f"same direction, {'stronger' if stronger else 'weaker'}{named}"


def absent_text(values):
    """The reasons why values are missing, the most frequent first, with the first two they concern."""
    missing = [v for v in values if v.value is None]
    parts = []
    for reason, count in Counter(v.reason for v in missing).most_common():
        labels = [v.label for v in missing if v.reason == reason]
        more = f" and {count - 2} more" if count > 2 else ""
        parts.append(f"{', '.join(labels[:2])}{more}: {reason}")
    return "; ".join(parts)


def evaluate(claim, paper, sets, size, seed, results):
    if claim.metric in HARDWARE:
        raise ValueError("hardware claims are read, not run")
    metric = METRICS[claim.metric]
    values, other = [], []
    for group, label, run, reference in sides(claim, paper, sets, size, seed):
        value, reason = compare(claim.metric, results[run], results[reference])
        values.append(Value(group, label, value, reason))
        if metric.also:
            other.append(compare(metric.also, results[run], results[reference])[0])
    present = [v for v in values if v.value is not None]
    if not present:
        return Outcome(claim, metric.text, values, None, None, "not available: "
                       + absent_text(values), None)
    ours, deciders = mean_and_deciders(claim, present, metric.neutral)
    verdict = verdict_of(claim, ours, deciders, metric.neutral)
    if len(present) < len(values):
        verdict += f"; partial ({len(present)} of {len(values)})"
    other = [v for v in other if v is not None]
    also = metric.also and other and (METRICS[metric.also].text,
                                      mean_of(claim.mean, other, metric.neutral))
    return Outcome(claim, metric.text, values, ours, ours / claim.value, verdict, also or None)


def evaluate_hardware(claim, area_path):
    metric = HARDWARE[claim.metric]
    formula = f"{metric.column} of make area: {metric.text}"

    def absent(reason):
        return Outcome(claim, formula, [], None, None, "not available: " + reason, None)

    if not os.path.exists(area_path):
        return absent("run make area")
    try:
        with open(area_path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader((l for l in file if l[0] != "#"), delimiter="\t"))
    except (OSError, ValueError, csv.Error) as error:
        return absent(f"{area_path}: {error}")
    own = [r for r in rows if r.get("block") == claim.variant
           and set(claim.reference.split()) <= set((r.get("parameters") or "").split())]
    if not own:
        return absent(f"{area_path} has no {claim.variant} with {claim.reference}")
    ours = number(own[0], metric.column)
    if ours is None:
        return absent(f"{area_path} has no {metric.column} of {claim.variant}")
    whole = number(own[0], metric.also)
    return Outcome(claim, formula, [], ours, ours / claim.value,
                   verdict_of(claim, ours, {}, None),
                   None if whole is None else (f"{metric.also}, with its logic", whole))


def number(row, column):
    try:
        return float(row[column])
    except (KeyError, TypeError, ValueError):
        return None
