# SPDX-License-Identifier: Apache-2.0
"""The tables: a line a proof and a line a block, as text, tab-separated and JSON."""
import collections
import json
import os

from formal import step
from formal.jobs import FOR_ALL_TIME
from formal.prove import FAILED, NO_ANSWER, PASSED
from warpmem.tools.house import command, tsv, write_whole

COLUMNS = ("block", "set", "parameters", "method", "result", "depth", "properties", "seconds", "processor_seconds", "when")
NOT_RUN = "not run"
WORDS = {"induction": "proven", "parts": "proven", "bits": "proven", "pdr": "proven", "bounded": "bounded", "cover": "reached"}


def word_of(job, result):
    """Of a result: proven, bounded, reached, refuted, survived, failed, no answer, not run."""
    if not result:
        return NOT_RUN
    if result["verdict"] == PASSED:
        return "refuted" if job.mutant else WORDS[job.method]
    survived = job.mutant and result["verdict"] == FAILED and not result["failures"]
    return "survived" if survived else result["verdict"]


def depth_of(job, result):
    """all: for all time. Of covers, the last step that one needs."""
    if not result:
        return ""
    if job.method == "cover" and result["covers"]:
        return str(max(step for step, _ in result["covers"].values()))
    return "all" if job.method in FOR_ALL_TIME else str(job.depth)


def row_of(job, result):
    return {"block": job.block, "set": job.set if "=" not in job.set else "", "parameters": job.values,
            "method": job.method, "result": word_of(job, result), "depth": depth_of(job, result),
            "properties": result["properties"] if result else "", "seconds": result["seconds"] if result else "",
            "processor_seconds": result["processor_seconds"] if result else "", "when": job.when}


def line_of(job, result):
    """For the terminal."""
    row = row_of(job, result)
    good = bool(result) and result["verdict"] == PASSED
    if job.mutant:
        how = " by " + result["failures"][0] if good and result["failures"] else ""
        return f"{'pass' if good else 'FAIL'}  formal-mutants {job.block} {job.mutant[0]}: {row['result']}{how}"
    depth = {"proven": "", "bounded": f" {row['depth']} cycles", "reached": f" by step {row['depth']}"}.get(row["result"], "")
    what = "covers" if job.method == "cover" else "assertions"
    begin = "pass" if good else "FAIL" if result else "-   "
    return (f"{begin}  {job.block:26s} {row['set'] or '-':9s} {job.method:9s} {row['properties']:>3} {what:10s} "
            f"{row['result'] + depth:18s} {row['processor_seconds'] or 0:6.1f} s  {job.values}")


def details_of(result, path):
    """The reason of a failure, under its line."""
    if result["verdict"] == NO_ANSWER:
        lines = ["the solver used up its time", *result["failures"][:3]]
    else:
        lines = [*(result["failures"][:3] or ["the proofs do not find this error"]), *step.lines_of(path)]
    files = [name for name in ("log", "trace.vcd", "step.vcd") if os.path.exists(os.path.join(path, name))]
    return [f"      {line}" for line in [*lines, f"{path}: {', '.join(files)}"]]


def of_block(block, results, traces):
    """Summary of a block's proofs. results: {job: result}, all listed."""
    mine = [(job, result) for job, result in results.items() if job.block == block]
    by_word = collections.defaultdict(list)
    for job, result in mine:
        by_word[word_of(job, result)].append((job, result))
    proofs = [(job, result) for job, result in mine if job.method != "cover"]
    bounded = [job.depth for job, _ in by_word["bounded"]]
    return {"block": block, "corners": len({job.parameters for job, _ in proofs}), "proven": len(by_word["proven"]),
            "bounded": len(bounded), "bounded_depth": min(bounded, default=None),
            "assertions": max((result["properties"] for _, result in by_word["proven"] + by_word["bounded"]), default=0),
            "covers": len({name for _, result in by_word["reached"] for name in result["covers"]}), "trace": traces.get(block),
            "not_passed": len(by_word["failed"]) + len(by_word["no answer"]), "not_run": len(by_word[NOT_RUN]),
            "processor_seconds": round(sum(result["processor_seconds"] for _, result in mine if result), 1)}


def block_lines(blocks):
    lines = [f"{'block':27s} {'corners':>7s}  {'for all time':>12s}  {'bounded':14s} {'assertions':>10s} {'covers':>7s}  "
             f"{'processor':>9s}"]
    for row in blocks:
        bounded = f"{row['bounded']}, {row['bounded_depth']} cycles" if row["bounded"] else "-"
        rest = [f"{row[name]} {text}" for name, text in (("not_passed", "FAILED"), ("not_run", NOT_RUN)) if row[name]]
        lines.append(f"{row['block']:27s} {row['corners']:7d}  {row['proven']:12d}  {bounded:14s} {row['assertions']:10d} "
                     f"{row['covers']:7d}  {row['processor_seconds']:7.1f} s  {', '.join(rest)}".rstrip())
    return lines


def table_of(rows, columns):
    return tsv([columns, *([row[name] for name in columns] for row in rows)])


def write(folder, results, traces, shown=None):
    """formal.txt, .tsv, .json of all listed proofs, also of those that ran earlier or not yet. Returns the lines of the blocks
    @shown, or of all."""
    blocks = [of_block(block, results, traces) for block in dict.fromkeys(job.block for job in results)]
    rows = []
    for job, result in results.items():
        covers = {name: step for name, (step, _) in result["covers"].items()} if result else {}
        rows.append(dict(row_of(job, result), parameters=dict(job.parameters), induction_depth=job.depth if job.method in
                         ("induction", "parts") else None, assumptions=result["assumptions"] if result else None, covers=covers,
                         failures=result["failures"] if result else []))
    tools = {name: command([name, option]).strip() for name, option in (("yosys", "-V"), ("z3", "--version"))}
    proofs = [line_of(job, result) for job, result in results.items()]
    write_whole(os.path.join(folder, "formal.txt"), "\n".join([*block_lines(blocks), "", *proofs]) + "\n")
    write_whole(os.path.join(folder, "formal.tsv"), table_of([row_of(*item) for item in results.items()], COLUMNS))
    write_whole(os.path.join(folder, "formal.json"),
                json.dumps({"tools": tools, "blocks": blocks, "proofs": rows}, indent=1) + "\n")
    return block_lines([row for row in blocks if not shown or row["block"] in shown])


def write_mutants(folder, results):
    """mutants.tsv of all that are listed. assertion: the first that finds it."""
    rows = [{"block": job.block, "mutant": job.mutant[0], "set": job.set, "result": word_of(job, result),
             "assertion": result["failures"][0] if result and result["verdict"] == PASSED else "",
             "processor_seconds": result["processor_seconds"] if result else ""} for job, result in results.items()]
    write_whole(os.path.join(folder, "mutants.tsv"),
                table_of(rows, ("block", "mutant", "set", "result", "assertion", "processor_seconds")))
