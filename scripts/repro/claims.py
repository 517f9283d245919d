# SPDX-License-Identifier: Apache-2.0
"""Claims beside runs: the runs of a claim, its values, its mean, its verdict."""
import csv
import os
from collections import Counter, namedtuple

from repro.common import Absent, NoValue
from repro.data import MEANS, members_of
from repro.metrics import FIGURES_OF_A_RUN, HARDWARE, METRICS, MODELS, Metric, mean_of
from repro.plan import compare, figure_of
from warpmem.tools.house import read_table

# label: workload@preset; value None: there is none, and reason says why.
Value = namedtuple("Value", "set label value reason")
# ours None: there is none. also: [(formula, mean)] by other formulas and over other sets.
Outcome = namedtuple("Outcome", "claim formula values ours ratio verdict also")

NO_EFFECT = 0.01
CLOSE = 1.25
SHOWN = 4  # of those that break a bound
WITHIN = f"within {100 * (CLOSE - 1):.0f} %"
RULE = (
    "ratio = ours / paper, of the numbers as printed. A speed-up above 1, or a change above 0, has "
    "one direction, below it the other.\n"
    f"Verdicts: within {100 * NO_EFFECT:.0f} % of 1 (of a change: of 0) is \"no effect\"; the other "
    "direction than the paper's is \"opposite\",\n"
    f"and where the paper's is within {100 * NO_EFFECT:.0f} % of none \"an effect\"; "
    f"else \"same direction\",\nwith \"{WITHIN}\" when the ratio is {1 / CLOSE:g} to "
    f"{CLOSE:g}, or \"weaker\" or \"stronger\".\nA bound \"holds\" or is "
    "\"broken\", by the one named; a paper's 0 has no ratio.\nFigures of hardware, and of runs that are "
    "compared with none, have no direction: \"within\", \"below\" or \"above\".\n"
    "\"partial (n of m)\": only n of the m values exist, and the mean is over these.")


def metric_of(claim):
    """Of one run it has no direction: what is the same as what?"""
    if claim.reference == "-":
        return Metric(FIGURES_OF_A_RUN[claim.metric].text, None, None)
    return METRICS[claim.metric]


def sides(claim, sets, names):
    """(set, label, machine, workload, its reference's, class) of each value, in the data's order."""
    for preset in claim.presets.split("|"):
        for name in names.split("+"):
            for member in members_of(sets, claim.id, name):
                other = member.counterpart if claim.against == "counterpart" else member.workload
                yield (f"{name}@{preset}", f"{member.workload}@{preset}", preset, member.workload, other, member.class_)


def runs_of(claim, plan):
    if claim.metric in HARDWARE:
        return []
    runs = []
    for names in (claim.workloads,) + claim.beside:
        for _, _, machine, workload, other, _ in sides(claim, plan.sets, names):
            runs += plan.runs(claim.variant, workload, machine)
            if claim.reference != "-":
                runs += plan.runs(claim.reference, other, machine)
    return runs


def values_of(claim, plan, names, metric):
    """Values over sets, by the claim's metric or one beside it."""
    values = []
    for group, label, machine, workload, other, class_ in sides(claim, plan.sets, names):
        ours = plan.result(claim.variant, workload, machine)
        if claim.reference == "-":
            value, reason = figure_of(FIGURES_OF_A_RUN[metric], ours, class_)
        else:
            value, reason = compare(metric, ours, plan.result(claim.reference, other, machine))
        values.append(Value(group, label, value, reason))
    return values


def parts_of(claim, plan, metric):
    """The values whose mean is taken, of all workloads at once."""
    parts = []
    for value, side in zip(values_of(claim, plan, claim.workloads, claim.metric), sides(claim, plan.sets, claim.workloads)):
        _, _, machine, workload, other, _ = side
        if value.value is not None:
            parts += metric.parts(plan.result(claim.variant, workload, machine), plan.result(claim.reference, other, machine))
    return parts


def beside(claim, plan, metric):
    """[(formula, mean)] of what is printed beside a claim."""
    def present(names, of):
        return [v.value for v in values_of(claim, plan, names, of) if v.value is not None]

    if claim.mean == "geometric-each":
        return []
    also = [(METRICS[name].text, present(claim.workloads, name)) for name in metric.also]
    if metric.parts and claim.mean in MEANS:
        parts = parts_of(claim, plan, metric)
        also.append((f"all {len(parts)} kernels of all programs at once", parts))
    for names in claim.beside:
        others = present(names, claim.metric)
        also.append((f"the same over the {len(others)} of {names}", others))
    neutral = 1 if metric.neutral is None else metric.neutral
    return [(text, mean_of(claim.mean, values, neutral)) for text, values in also if values]


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
    names = sorted((n for n, v in deciders.items() if breaks(v)), key=lambda n: (deciders[n] if lower else -deciders[n], n))
    shown = [f"{name} {deciders[name]:.3f}" for name in names[:SHOWN]]
    if len(names) > SHOWN:
        shown.append(f"{len(names) - SHOWN} more")
    return "broken" + (f" ({', '.join(shown)})" if shown else "")


def verdict_of(claim, ours, deciders, neutral):
    """neutral None: a figure without a direction."""
    if claim.unit.endswith("_bound"):
        return bound_verdict(claim, ours, deciders)
    named = "".join([f" ({n})" for n, v in deciders.items() if v == ours][:1])
    ratio = ratio_of(claim, ours)
    close = ratio is not None and 1 / CLOSE <= ratio <= CLOSE
    if neutral is None:
        return WITHIN if close or ours == claim.value else "below" if ours < claim.value else "above"
    if abs(ours - neutral) < NO_EFFECT:
        return "no effect" + named
    if abs(claim.value - neutral) < NO_EFFECT:
        return "an effect" + named
    if (ours > neutral) != (claim.value > neutral):
        return "opposite" + named
    if close:
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


def points_of(claim, plan, machine, workload):
    """(points, None) of a model, or (None, why there are none)."""
    results = plan.candidates(claim.variant, workload, machine)
    absent = next((r for r in results if isinstance(r, Absent)), None)
    if absent:
        return None, absent.reason
    try:
        return MODELS[claim.metric].points(results), None
    except NoValue as why:
        return None, str(why)


def evaluate_model(claim, plan):
    """The model's fit over all workloads together; the values are of each by itself."""
    model, values, points = MODELS[claim.metric], [], []
    for group, label, machine, workload, _, _ in sides(claim, plan.sets, claim.workloads):
        own, reason = points_of(claim, plan, machine, workload)
        value = None
        if own:
            points += own
            try:
                value = model.function(own)
            except NoValue as why:
                reason = str(why)
        values.append(Value(group, label, value, reason))
    if not points:
        return Outcome(claim, model.text, values, None, None, "not available: " + absent_text(values), [])
    ours = model.function(points)
    verdict = verdict_of(claim, ours, {}, None)
    missing = sum(v.value is None for v in values)
    verdict += f"; partial ({len(values) - missing} of {len(values)})" if missing else ""
    return Outcome(claim, model.text, values, ours, ratio_of(claim, ours), verdict,
                   [(text, function(points)) for text, function in model.beside])


def evaluate(claim, plan):
    if claim.metric in HARDWARE:
        raise ValueError("hardware claims are read, not run")
    if claim.metric in MODELS:
        return evaluate_model(claim, plan)
    metric = metric_of(claim)
    values = values_of(claim, plan, claim.workloads, claim.metric)
    present = [v for v in values if v.value is not None]
    if not present:
        return Outcome(claim, metric.text, values, None, None, "not available: " + absent_text(values), [])
    neutral = 1 if metric.neutral is None else metric.neutral
    ours, deciders = mean_and_deciders(claim, present, neutral)
    verdict = verdict_of(claim, ours, deciders, metric.neutral)
    if len(present) < len(values):
        verdict += f"; partial ({len(present)} of {len(values)})"
    return Outcome(claim, metric.text, values, ours, ratio_of(claim, ours), verdict, beside(claim, plan, metric))


def ratio_of(claim, ours):
    """None beside a claim of 0."""
    return ours / claim.value if claim.value else None


def evaluate_hardware(claim, area_path, recorded):
    """area_path: the table of make area; where there is none, that of make evidence stands in, which has the same columns."""
    metric = HARDWARE[claim.metric]
    formula = f"{metric.column} of make area: {metric.text}"

    def absent(reason):
        return Outcome(claim, formula, [], None, None, "not available: " + reason, [])

    from_table = os.path.exists(area_path)
    area_path = area_path if from_table else recorded
    try:
        rows = read_table(area_path) if os.path.exists(area_path) else []
    except (OSError, ValueError, csv.Error) as error:
        return absent(f"{area_path}: {error}")
    if not from_table:
        if not any(number(row, metric.column) is not None for row in rows):
            return absent("run make area")
        formula = f"{metric.column} of make area, as make evidence recorded it: {metric.text}"
    ours, other, whole = 0, 0, 0
    for count, block in terms_of(claim.variant):
        row = row_of(rows, block, claim)
        if row is None:
            return absent(f"{area_path} has no {block} with {claim.reference}")
        value = number(row, metric.column)
        if value is None:
            return absent(f"{area_path} has no {metric.column} of {block}")
        try:
            ours += count * metric.function(value, parameters_of(row))
            other += count * metric.beside[1](value, parameters_of(row)) if metric.beside else 0
        except KeyError as error:
            return absent(f"{area_path} has no parameter {error.args[0]} of {block}")
        more = number(row, metric.also)
        whole = None if whole is None or more is None else whole + count * metric.function(more, parameters_of(row))
    also = [] if whole is None else [(f"{metric.also}, with its logic", whole)]
    also += [(metric.beside[0], other)] if metric.beside else []
    return Outcome(claim, formula, [], ours, ratio_of(claim, ours), verdict_of(claim, ours, {}, None), also)


def terms_of(variant):
    """[(count, block)] of BLOCK, or of COUNT BLOCK + COUNT BLOCK."""
    terms = [term.split() for term in variant.split("+")]
    return [(int(term[0]) if len(term) > 1 else 1, term[-1]) for term in terms]


def parameters_of(row):
    pairs = [word.split("=") for word in (row.get("parameters") or "").split()]
    return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2 and pair[1].isdecimal()}


def row_of(rows, block, claim):
    """The block's row with the claim's parameters; of a sum, with those that are this block's."""
    wanted = parameters_of({"parameters": claim.reference})
    several = len(terms_of(claim.variant)) > 1
    for row in rows:
        own = parameters_of(row)
        own_or = own if not several else {**wanted, **own}
        if row.get("block") == block and all(own_or.get(n) == v for n, v in wanted.items()):
            return row
    return None


def number(row, column):
    try:
        return float(row[column])
    except (KeyError, TypeError, ValueError):
        return None
