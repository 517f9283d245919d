# SPDX-License-Identifier: Apache-2.0
"""Sets the papers' claims beside the results of runs here: `make repro`."""
import argparse
import os
import shlex
import sys

from repro import claims as claims_of, data, draw, figure_data, figures as figures_of, report, web
from repro.common import Absent
from repro.machine import Machine
from repro.metrics import HARDWARE
from repro.plan import Plan
from repro.pool import Estimate, Pool, SlurmPool, text_of
from repro.times import Times
from warpmem.tools.house import BadInput, Parser, number, run_tool, write_whole
from warpmem.tools.work import Progress, duration, in_parallel

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
SIZES = ("tiny", "small", "paper")
ENGINES = ("local", "slurm")


def words_of(text):
    try:
        return shlex.split(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {str(error).lower()}") from None


def arguments(argv):
    parser = Parser("repro", __doc__, allow_abbrev=False, epilog=(
        "Through make: make repro [PAPER=] [CLAIM=] [FIGURE=] [SIZE=] [JOBS=] [SEED=] [SET=\"KEY=VALUE ...\"] [DRY=1] "
        "[REPRO_DIR=] [LAUNCH=] [ENGINE=]."))
    add = parser.add_argument
    add("--paper", help="only this paper (default: all that have claims)")
    add("--claim", help="only this claim, and no figures")
    add("--figure", help="only this figure, as in fig8, and no claims")
    add("--size", default="small", help="tiny, small or paper: size of the inputs (default small)")
    parser.add_jobs("runs at once (default: one a core)")
    add("--seed", type=number(0, 2**64 - 1), default=1, help="of generated inputs (default 1)")
    add("--set", action="append", default=[], metavar="KEY=VALUE", help="in all machines, over what papers and variants say, as in "
        "issue.arbitration=rotating; results go to a folder of their own")
    add("--dry", action="store_true", help="say what would run and for how long, and run nothing")
    add("--launch", type=words_of, default=[], help="words before each run's command: 'qrsh -cwd -b y' "
                                     "starts them through another batch system")
    add("--engine", default="local", help="local: runs are processes here; slurm: tasks of job arrays, which go on when this command "
        "ends by SIGHUP, and which the same command collects (docs/cluster.md)")
    parser.add_build("folder of warpmem (default build)")
    add("--dir", help="folder of results (default BUILD/repro)")
    add("--data", default=os.path.join(ROOT, "data"), help="folder of claims (default data)")
    args = parser.parse_args(argv)
    data.one_of("--size", "size", args.size, SIZES)
    data.one_of("--engine", "engine", args.engine, ENGINES)
    if args.engine == "slurm" and args.launch:
        raise BadInput("--launch and --engine slurm: only one of them")
    args.dir = args.dir or os.path.join(args.build, "repro")
    return args


def chosen(args):
    """[(Plan, its claims, its figures)] as --paper, --claim and --figure choose."""
    names = data.papers_in(args.data)
    if args.paper:
        names = [data.one_of("--paper", "paper", args.paper, names)]
    papers = [figure_data.read_paper(args.data, name) for name in names]
    choice = []
    for what, name, listed in (
            ("claim", args.claim, "the first column of {}/claims/*.tsv lists them"),
            ("figure", args.figure, "the sections of {}/figures/*.ini list them")):
        allowed = [n for _, p in papers for n in (p.claims if what == "claim" else p.figures)]
        if name:
            data.one_of("--" + what, what, name, allowed, listed.format(os.path.relpath(args.data)))
    for sets, paper in papers:
        some = [c for c in paper.claims.values() if args.claim in (None, "", c.id)]
        drawn = [f for f in paper.figures.values() if args.figure in (None, "", f.id)]
        if args.claim or args.figure:
            some, drawn = some if args.claim else [], drawn if args.figure else []
        if some or drawn:
            choice.append((Plan(paper, sets, size_for(args, paper), args.seed, args.set), some, drawn))
    return choice


def size_for(args, paper):
    return f"paper:{paper.name}" if args.size == "paper" else args.size


def needed(choice):
    """All runs that the choice needs, each once, in the data's order."""
    runs = {}
    for plan, some, drawn in choice:
        for claim in some:
            runs.update(dict.fromkeys(claims_of.runs_of(claim, plan)))
        for figure in drawn:
            runs.update(dict.fromkeys(figures_of.runs_of(figure, plan)))
    return list(runs)


def look_up(runs, machine, jobs):
    """(results and Absents by run, runs that are missing, messages about kept files)."""
    results, complaints, progress = {}, [], Progress("repro: kept results", runs, jobs)
    for run, (found, said) in in_parallel(machine.kept, runs, jobs):
        complaints += said
        progress.step(run)
        if found is not None:
            results[run] = found
    return {run: results[run] for run in runs if run in results}, [run for run in runs if run not in results], complaints


def say_dry(results, missing, estimate, jobs):
    for run in missing:
        seconds = estimate.of(run)
        print(f"{'?' if seconds is None else duration(seconds):>8}  {text_of(run)}")
    kept = sum(not isinstance(r, Absent) for r in results.values())
    print(f"{len(results) + len(missing)} runs: {kept} kept, {len(results) - kept} not available, "
          f"{len(missing)} to run" + (f": {estimate.text(missing, jobs)}" if missing else ""))
    for reason, count in absences(results):
        print(f"not available, {count} runs: {reason}")


def absences(results):
    counts = {}
    for run, result in results.items():
        if isinstance(result, Absent):
            reason = result.reason
            if reason == "no such workload":
                reason = f"workload {run.workload}"
            counts[reason] = counts.get(reason, 0) + 1
    return sorted(counts.items())


def draw_all(plan, drawn, folder):
    """[(figure, its files' names without their endings)] of those that there is something to draw of."""
    files = []
    os.makedirs(folder, exist_ok=True)
    for figure in drawn:
        name = f"{plan.paper.name} {figure.id}"
        drawing = figures_of.evaluate(figure, plan)
        if figures_of.empty(drawing):
            print(f"{name}: not available: {'; '.join(drawing.reasons)}")
            continue
        stem = os.path.join(folder, figure.id)
        write_whole(stem + ".tsv", figures_of.as_tsv(drawing))
        draw.draw(drawing, ", ".join([f"warpmem, inputs {plan.size}", *plan.settings[1::2]]), stem + ".png", stem + ".svg")
        print(f"{name}: {stem}.png .svg .tsv")
        files.append((figure, stem))
    return files


def say(args, choice, machine, results):
    for plan, some, drawn in choice:
        plan.results = results
        paper = plan.paper
        folder = os.path.join(args.dir, paper.name, ",".join([args.size, *args.set]))
        os.makedirs(folder, exist_ok=True)
        outcomes = [
            claims_of.evaluate_hardware(c, os.path.join(args.build, "area", "area.tsv"), os.path.join(args.data, "evidence.tsv"))
            if c.metric in HARDWARE else claims_of.evaluate(c, plan) for c in some]
        if outcomes:
            for outcome in outcomes:
                print(report.table(outcome))
            print(f"== {', '.join([paper.name, plan.size, *args.set])}\n{report.summary(outcomes)}")
            if plan.choices:
                print(report.choices(plan))
            stem = os.path.join(folder, args.claim or "claims")
            report.write(outcomes, plan, stem, {"paper": paper.name, "size": plan.size, "settings": args.set,
                                                "seed": args.seed, "binary": machine.hash})
            print(f"{paper.name}: {stem}.tsv -values.tsv .json .txt")
        files = draw_all(plan, drawn, folder)
        if not args.claim and not args.figure and (outcomes or files):  # the page is of the whole paper
            page = os.path.join(folder, "index.html")
            write_whole(page, web.as_page(outcomes, files, plan, args, machine.hash))
            print(f"{paper.name}: {page}")


def main(argv):
    args = arguments(argv)
    if args.claim and args.figure:
        raise BadInput("--claim and --figure: only one of them")
    choice = chosen(args)
    if any(drawn for _, _, drawn in choice):
        draw.load()  # before hours of runs, not after
    machine, times = Machine(os.path.join(args.build, "warpmem"), os.path.abspath(args.dir)), Times(args.dir)
    if not args.dry:
        times.open()
    runs = needed(choice)
    results, missing, complaints = look_up(runs, machine, args.jobs)
    for complaint in complaints:
        print(f"repro: {complaint}", file=sys.stderr)
    estimate = Estimate(times.read(), machine.seconds)
    if args.dry:
        say_dry(results, missing, estimate, args.jobs)
        return 0
    kept = sum(not isinstance(r, Absent) for r in results.values())
    print(f"repro: {len(runs)} runs: {kept} kept, {len(results) - kept} not available, "
          f"{len(missing)} to run" + (f": {estimate.text(missing, args.jobs)}" if missing else ""), file=sys.stderr)
    if missing:
        pool = SlurmPool(machine, times) if args.engine == "slurm" else Pool(machine, times, args.jobs, args.launch)
        results.update(pool.work(missing, estimate))
    say(args, choice, machine, results)
    failed = [r for r, result in results.items() if isinstance(result, Absent) and result.failed]
    if failed:
        print(f"repro: {len(failed)} runs failed, the first {text_of(failed[0])}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    run_tool("repro", main, own_codes=True)
