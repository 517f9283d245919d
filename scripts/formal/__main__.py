# SPDX-License-Identifier: Apache-2.0
"""Proves the properties of the hardware blocks, and shows each block at its work.

The proofs stand in tb/PLACE/BLOCK.tests. Results are cached by the contents of all their inputs. Cached
and new ones go to BUILD/formal: formal.txt, formal.tsv, formal.json of all listed proofs; cover/PLACE_BLOCK.vcd
and .fst, the block at its work; proofs/, a folder each with log, script and waves. Exit code 1: a proof failed.
"""
import glob
import os
import shutil

from formal import jobs, table, traces
from formal.prove import PASSED
from formal.runner import Store, perform
from warpmem.tools.block_tests import path_of
from warpmem.tools.house import BadInput, Parser, number, run_tool

HERE = os.path.dirname(os.path.abspath(__file__))
WANTED = {"all": jobs.WHEN, "formal": jobs.RELIED_ON}  # of --when


def parse(arguments):
    parser = Parser("formal", __doc__)
    parser.add_build("folder of the build; results in BUILD/formal (build)")
    parser.add_argument("--when", choices=[*jobs.WHEN, "all"], default="test",
                        help="test: those for every day; formal: these and what planted errors rely on; check: the long ones (test)")
    parser.add_argument("--covers", action="store_true", help="only the covers, all of them")
    parser.add_argument("--mutants", action="store_true", help="refute instead the planted errors of tb/PLACE/BLOCK.tests")
    parser.add_argument("--try", dest="one", nargs=4, metavar=("BLOCK", "SET", "METHOD", "DEPTH"),
                        help="instead one proof that need not be listed; SET also NAME=NUMBER,...; METHOD one of "
                        + ", ".join(jobs.METHODS))
    parser.add_argument("--block", action="append", metavar="PLACE/NAME", help="only this one (all)")
    parser.add_jobs()
    parser.add_argument("--seconds", type=number(1, 100000), default=120, help="of processor time that a solver may take (120)")
    parser.add_argument("--again", action="store_true", help="prove also what is kept")
    parser.add_argument("--root", default=os.path.join(HERE, "..", ".."), help="folder with rtl, tb and cmodel (this project)")
    return parser.parse_args(arguments)


def check_list(listed):
    """A block with Verilog has proofs at several corners, and a cover; those for every day have a proof for all time, and a cover
    if a later `make formal` has one. Assemblies are wiring, and are replayed instead."""
    for path in sorted(set(glob.glob("rtl/*/*.v")) - set(glob.glob("rtl/top/*.v"))):
        block = path[len("rtl/"):-len(".v")]
        mine = [job for job in listed if job.block == block]
        if len({job.parameters for job in mine if job.method != "cover"}) < 2:
            raise BadInput(f"{path_of(block)}: must have proofs of at least two parameter sets")
        if not any(job.method == "cover" for job in mine):
            raise BadInput(f"{path_of(block)}: has no cover, so nothing shows that it does anything")
        for methods, what in ((jobs.FOR_ALL_TIME, "proof for all time"), (("cover",), "cover")):
            marks = {job.when for job in mine if job.method in methods}
            if "formal" in marks and "test" not in marks:
                raise BadInput(f"{path_of(block)}: must mark a {what} test, not formal")


def select(options, listed):
    """Jobs that are wanted now."""
    blocks = list(dict.fromkeys(job.block for job in listed))
    for block in options.block or []:
        if block not in blocks:
            raise BadInput(f"--block {block}: no {jobs.LIST} of it; there are {', '.join(blocks)}")
    chosen = options.block or blocks
    if options.mutants:
        return [job for block in chosen for job in jobs.mutants_of(block)]
    if options.covers:
        return [job for job in listed if job.block in chosen and job.method == "cover"]
    return [job for job in listed if job.block in chosen and job.when in WANTED.get(options.when, (options.when,))]


def publish(folder, store, listed, results):
    """{block: the cover that shows it at its work, of the first proof that has one, and its waves}"""
    shown = {}
    for job in listed:
        result = results[job]
        if job.method != "cover" or not result or result["verdict"] != PASSED:
            continue
        name = traces.chosen(result["covers"])
        shows = name.split(".")[-1].startswith(traces.SHOWS)
        if job.block not in shown or shows and not shown[job.block][0]:
            shown[job.block] = shows, name, job, result["covers"][name]
    made = {}
    for block, (_, name, job, (step, waves)) in shown.items():
        target = os.path.join(folder, "cover", block.replace("/", "_"))
        traces.publish(os.path.join(store.path(job), waves), target)
        made[block] = {"cover": name, "step": step, "parameters": job.values, "file": target + ".fst"}
    return made


def report(job, result, store):
    print(table.line_of(job, result), flush=True)
    if result["verdict"] != PASSED:
        print("\n".join(table.details_of(result, store.path(job))), flush=True)


def summary(what, options, wanted, new, results):
    passed = sum(bool(results[job]) and results[job]["verdict"] == PASSED for job in wanted)
    anew = f"{new} now, {len(wanted) - new} kept from before" if new else "nothing has changed, so none was worked out anew"
    print(f"{'pass' if passed == len(wanted) else 'FAIL'}  {what}: {passed} of {len(wanted)} passed; {anew}")
    return passed != len(wanted)


def try_one(options, folder):
    job = jobs.job_of("--try", *options.one, "test")
    store = Store(os.path.join(folder, "tried"))
    shutil.rmtree(store.path(job), ignore_errors=True)
    result = store.prove(job, options.seconds)
    report(job, result, store)
    for name, (step, waves) in result["covers"].items():
        print(f"      {name}: step {step}, {store.path(job)}/{waves}")
    return result["verdict"] != PASSED


def main(arguments):
    options = parse(arguments)
    build = os.path.abspath(options.build)
    try:
        os.chdir(options.root)
    except OSError as error:
        raise BadInput(f"--root {options.root}: {error.strerror}") from None
    folder = os.path.join(os.path.relpath(build), "formal")
    if options.one:
        return try_one(options, folder)
    listed = jobs.listed()
    check_list(listed)
    wanted = select(options, listed)
    store = Store(os.path.join(folder, "mutants" if options.mutants else "proofs"))
    what = "formal-mutants" if options.mutants else "formal-cover" if options.covers else \
        "formal-long" if options.when == "check" else "formal"
    if not wanted:
        of = f" of {', '.join(options.block)}" if options.block else ""
        print(f"{what}: {jobs.LIST} has nothing{of} marked {options.when}")
        return 0
    new = perform(wanted, store, options.jobs, options.seconds, options.again, lambda job, result: report(job, result, store))
    if options.mutants:
        every = [job for block in dict.fromkeys(job.block for job in listed) for job in jobs.mutants_of(block)]
        results = {job: store.current(job) for job in every}
        table.write_mutants(folder, results)
        print(f"{folder}/mutants.tsv")
        return summary(what, options, wanted, new, results)
    results = {job: store.current(job) for job in listed}
    shown = publish(folder, store, listed, results)
    lines = table.write(folder, results, shown, options.block)
    if options.covers:
        lines = [f"{block:27s} {row['cover']}, step {row['step']}: {row['file']}" for block, row in shown.items()
                 if block in (options.block or shown)]
    print("\n".join(lines))
    print(f"{folder}/formal.txt, .tsv, .json, cover/")
    return summary(what, options, wanted, new, results)


if __name__ == "__main__":
    run_tool("formal", main)
