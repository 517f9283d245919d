# SPDX-License-Identifier: Apache-2.0
"""The page of a paper's claims and figures, index.html beside its tables."""
from repro import report
from repro.claims import RULE
from repro.draw import name_of
from warpmem.tools.house import read
from warpmem.tools.page import page


def command(plan, args, *more):
    """The words that repeat it."""
    words = ["make", "repro", f"PAPER={plan.paper.name}", *more, f"SIZE={args.size}"]
    words += [f"SEED={args.seed}"] if args.seed != 1 else []
    return words + ([f"SET={' '.join(args.set)}"] if args.set else [])


def summary_section(outcomes, plan, args):
    rows = report.summary_rows(outcomes)
    return {"heading": "Claims", "text": ["What the paper says in numbers, and what came out here. " + " ".join(RULE.split())],
            "table": rows, "repeat": command(plan, args)}


def figure_section(figure, stem, plan, args):
    return {"heading": f"{figure.id}: {figure.title}",
            "pictures": [[f"The paper's section {figure.section}. Black lines are the paper's own numbers, where its text has them.",
                          read(stem + ".svg")]],
            "repeat": command(plan, args, f"FIGURE={figure.id}")}


def in_short(verdict):
    """Without the names of those that break a bound, and without reasons."""
    return verdict.partition(" (")[0].partition(":")[0]


def claim_section(outcome, plan, args):
    claim = outcome.claim
    return {"heading": f"{claim.id}: {in_short(outcome.verdict)}", "plain": report.table(outcome).rstrip("\n"),
            "repeat": command(plan, args, f"CLAIM={claim.id}")}


def as_page(outcomes, drawn, plan, args, binary):
    """drawn: [(figure, its files' names without their endings)]. binary: hash of the program."""
    sections = [summary_section(outcomes, plan, args)] if outcomes else []
    sections += [figure_section(figure, stem, plan, args) for figure, stem in drawn]
    if plan.choices:
        sections.append({"heading": "Choices of sweeps", "plain": report.choices(plan).rstrip("\n")})
    sections += [claim_section(outcome, plan, args) for outcome in outcomes]
    return page({"title": f"{name_of(plan.paper.name)}, inputs {', '.join([plan.size, *args.set])}", "sections": sections,
                 "foot": f"seed {args.seed}, program {binary[:16]}"})
