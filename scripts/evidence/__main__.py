#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes EVIDENCE.md and the block tables of README.md from the measured numbers, after measuring the stale ones again.

Measured numbers are in data/evidence, with hashes of their sources; each number is stored at once, so a killed run continues.
--check needs no tool and measures nothing: it fails when a number is of other sources than today's or of a command that failed
(in one line, with the command), or when a page says another number. A missing number does not fail: a change of Verilog can
be committed at once with an honest "not measured" (--no-run), and need not wait hours for mutants. Numbers that are made
with cells of 45 nm, which no package has, need --liberty; without it they stay as they are, and stale ones have to be taken
out.

--verify, before a release, runs each command again and fails on a missing or different number.
Lockstep always runs again; the other tools reuse results that they have cached by the contents of all
their inputs. In a new --build, or after `make clean`, everything is computed again. Of mutants of
Verilog only the shares that solvers decide may shift (proofs, equal, survived), as their time is
limited.
"""
import os
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.append(os.path.join(HERE, "..", "house"))
import measure  # noqa: E402
import pages  # noqa: E402
import snapshot  # noqa: E402
import sources  # noqa: E402
from house import BadInput, Parser, ToolFailed, only_one, run_tool, write_if_changed  # noqa: E402
from sources import read  # noqa: E402
from work import keep, kept_result, time_left  # noqa: E402

AGAIN = "make evidence BLOCK={0} measures anew, with RUN=no besides it becomes \"not measured\""


def parse(arguments):
    parser = Parser("evidence", __doc__)
    parser.add_build()
    parser.add_argument("--block", action="append", metavar="PLACE/NAME", help="only this one (all)")
    parser.add_argument("--kind", help="only these numbers, joined by commas: " + ", ".join(sources.KINDS) + " (all)")
    parser.add_jobs()
    for name, text in (("liberty", "the typical corner of cells of 45 nm"), ("slow", "their slow corner"),
                       ("fast", "their fast corner")):
        parser.add_argument("--" + name, metavar="FILE", help=f"{text}: numbers of {', '.join(sources.WITH_LIBRARY)} are made "
                            "with it, and are not made without")
    parser.add_argument("--root", default=os.path.join(HERE, "..", ".."), help="folder of the project (this one)")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="only say whether numbers and pages are those of today's sources")
    what.add_argument("--verify", action="store_true", help="ask all commands again and compare, write no number")
    what.add_argument("--no-run", action="store_true", help="measure nothing; numbers that no longer hold are taken out")
    what.add_argument("--again", action="store_true", help="measure also what still holds")
    return parser.parse_args(arguments)


def wanted(options):
    """(blocks, kinds)"""
    blocks, kinds = sources.blocks(), list(sources.KINDS)
    for block in options.block or []:
        if block not in blocks:
            raise BadInput(f"--block {block}: there is no such block; there are {', '.join(blocks)}")
    asked = options.kind.split(",") if options.kind else kinds
    for kind in asked:
        if kind not in kinds:
            raise BadInput(f"--kind {kind}: must be of {', '.join(kinds)}")
    return [block for block in blocks if block in (options.block or blocks)], [kind for kind in kinds if kind in asked]


def all_numbers():
    """Without numbers that another version of the reader read: they may have other names."""
    def readable(block):
        entries = snapshot.load(block)
        old = snapshot.stale(block, entries)
        return {kind: entry for kind, entry in entries.items() if "reader" not in old.get(kind, ())}
    return [pages.Numbers(block, readable(block)) for block in sources.blocks()]


def check():
    """The faults, a line each."""
    complaints = [f"{path}: {pages.PAGE} has no such block; remove it" for path in snapshot.strangers()]
    for block in sources.blocks():
        old = snapshot.stale(block, snapshot.load(block))
        if old:
            what = ", ".join(f"{kind} ({', '.join(groups)} changed)" for kind, groups in old.items())
            complaints.append(f"{block}: {what}: the numbers are of other sources; " + AGAIN.format(block))
        for kind, entry in snapshot.load(block).items():
            if "failed" in entry and kind not in old:
                complaints.append(f"{block}: {kind}: make {entry['failed']} BLOCK={block} failed when it was measured; mend "
                                  f"what it found, then make evidence BLOCK={block} KIND={kind}")
    numbers = all_numbers()
    for path, made in ((pages.README, lambda: pages.readme(read(pages.README), numbers)),
                       (pages.PAGE, lambda: pages.page(numbers))):
        there = read(path).splitlines() if os.path.exists(path) else []
        now = made().splitlines()
        if there != now:
            line = next((at for at, (a, b) in enumerate(zip(there, now), 1) if a != b), min(len(there), len(now)) + 1)
            complaints.append(f"{path}:{line}: is not what {snapshot.FOLDER} and the sources say; make evidence RUN=no writes "
                              "it, and runs nothing")
    return complaints


def write_pages():
    numbers = all_numbers()
    text = pages.readme(read(pages.README), numbers)
    write_if_changed(pages.PAGE, pages.page(numbers))
    write_if_changed(pages.README, text)
    read.cache_clear()
    kinds = {n.block: sources.kinds_of(n.block) for n in numbers}
    return sum(kind not in n.entries for n in numbers for kind in kinds[n.block]), sum(map(len, kinds.values()))


def take_out(block, kinds):
    """Their numbers, if there are any."""
    snapshot.save(block, {kind: entry for kind, entry in snapshot.load(block).items() if kind not in kinds})


def take_out_stale(blocks):
    for block in blocks:
        old = snapshot.stale(block, snapshot.load(block))
        if old:
            take_out(block, old)
            print(f"{block}: {', '.join(old)}: not measured for today's sources")


class Times:
    """Seconds that each measurement took here before, to estimate the remaining time."""

    def __init__(self, build):
        self.path = os.path.join(build, "evidence", "times.json")
        self.known = kept_result(self.path, "times") or {}

    def note(self, kind, block, seconds):
        self.known[f"{kind} {block}"] = round(seconds, 1)
        keep(self.path, "times", self.known)

    def left(self, waiting):
        """In words. One that never ran takes as long as the others of its kind."""
        total = 0.0
        for kind, block in waiting:
            like = [value for name, value in self.known.items() if name.split()[0] == kind]
            if not like:
                return time_left(None)
            total += self.known.get(f"{kind} {block}", sum(like) / len(like))
        return time_left(total)


def library_of(options):
    """{variable of make: path}"""
    variables = {"LIBERTY": options.liberty, "LIBERTY_SLOW": options.slow, "LIBERTY_FAST": options.fast}
    return {name: os.path.abspath(path) for name, path in variables.items() if path}


def able(work, options):
    """Without the work that needs a library which was not named; prints a note."""
    left_out = [kind for kind, _ in work if kind in sources.WITH_LIBRARY and not options.liberty]
    for kind in dict.fromkeys(left_out):
        print(f"evidence: {kind}: {left_out.count(kind)} not asked, for want of LIBERTY= LIBERTY_SLOW= LIBERTY_FAST= (cells of 45 nm)")
    return [(kind, block) for kind, block in work if kind not in left_out]


def need_tools():
    """A number is kept as one of the pinned tools, so no others may make it."""
    done = subprocess.run(["scripts/versions.sh"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                          errors="replace", check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        other = [line.split()[0] for line in done.stdout.splitlines() if line.endswith(" NO")]
        raise BadInput(f"{', '.join(other) or 'the tools'}: not as scripts/tools.txt pins them (make versions); numbers are of "
                       "those tools alone")


def measure_all(work, options, take, no_numbers):
    """Measures each (kind, block) of work and calls take(kind, block, entry, complaint, seconds) or no_numbers(kind, block).
    Complaints of what gave no numbers."""
    if work:
        need_tools()
    times, failures = Times(options.build), []
    for at, (kind, block) in enumerate(work):
        print(f"evidence: {at} of {len(work)}, {times.left(work[at:])}: {measure.command_of(kind, block)}", file=sys.stderr,
              flush=True)
        try:
            entry, seconds, said = measure.measure(kind, block, options.build, options.jobs, library_of(options))
        except ToolFailed as problem:
            failures.append(str(problem))
            print(f"FAIL  evidence: {problem}", flush=True)
            no_numbers(kind, block)
            continue
        times.note(kind, block, seconds)
        take(kind, block, entry, said, seconds)
    return failures


def evidence(options, blocks, kinds):
    if options.no_run:
        take_out_stale(blocks)
        work, failures = [], []
    else:
        work = able([(kind, block) for kind in kinds for block in blocks if kind in sources.kinds_of(block)
                     and (options.again or not snapshot.holds(block, snapshot.load(block), kind))], options)

        def store(kind, block, entry, said, seconds):
            snapshot.save(block, dict(snapshot.load(block), **{kind: entry}))
            write_pages()
            print(f"{'FAIL' if said else 'pass'}  evidence {block} {kind}: {seconds:.0f} s" + (f"; {said}" if said else ""),
                  flush=True)
            if said:
                found.append(said)

        def remove(kind, block):
            # Also numbers that AGAIN=1 should have measured again: they may have changed.
            take_out(block, [kind])
            write_pages()
        found = []
        # A failed command whose numbers there are is kept with them, and says so in the tables until it passes.
        failures = measure_all(work, options, store, remove) + found
    missing, total = write_pages()
    old = sum(bool(snapshot.stale(block, snapshot.load(block))) for block in sources.blocks())
    print(f"{'FAIL' if failures else 'pass'}  evidence: {len(work)} measured now, {len(work) - len(failures)} of them good; "
          f"{missing} of {total} not measured; {pages.PAGE}, {pages.README}, {snapshot.FOLDER}"
          + (f"; {old} blocks have numbers of other sources (make check-evidence)" if old else ""))
    return 1 if failures else 0


def verify(options, blocks, kinds):
    """Does every published number come out again?"""
    wrong = check()
    for block in blocks:
        missing = [kind for kind in kinds if kind in sources.kinds_of(block) and kind not in snapshot.load(block)]
        if missing:
            wrong.append(f"{block}: {', '.join(missing)}: not measured; make evidence BLOCK={block}")

    def compare(kind, block, entry, said, _seconds):
        then = snapshot.load(block).get(kind)
        different = measure.differences(kind, then["numbers"], entry["numbers"]) if then else []
        if different or said:
            wrong.append(f"{block}: {kind}: " + (said or f"comes out otherwise: {'; '.join(different)[:300]}"))
    work = able([(kind, block) for kind in kinds for block in blocks if kind in sources.kinds_of(block)], options)
    wrong += measure_all(work, options, compare, lambda kind, block: None)
    for line in wrong:
        print(f"evidence: {line}", file=sys.stderr)
    print(f"{'FAIL' if wrong else 'pass'}  verify-evidence: {len(blocks)} blocks, {', '.join(kinds)}: each command asked again"
          + (f"; {len(wrong)} complaints" if wrong else ", the numbers are the same"))
    return 1 if wrong else 0


def main(arguments):
    # The terminal's folder is where --build counts from, the project's where everything else stands.
    options = parse(arguments)
    build = os.path.abspath(options.build)
    for name, path in library_of(options).items():
        if not os.path.exists(path):
            raise BadInput(f"{name}={path}: there is no such file")
        setattr(options, name.lower().removeprefix("liberty_"), path)
    try:
        os.chdir(options.root)
    except OSError as error:
        raise BadInput(f"--root {options.root}: {error.strerror}") from None
    options.build = os.path.relpath(build)
    blocks, kinds = wanted(options)
    if options.check:
        complaints = check()
        for line in complaints:
            print(f"evidence: {line}", file=sys.stderr)
        if not complaints:
            numbers = all_numbers()
            there = sum(len(n.entries) for n in numbers)
            print(f"pass  check-evidence: {len(numbers)} blocks, {there} of {sum(len(sources.kinds_of(n.block)) for n in numbers)} measured, all "
                  "of today's sources")
        return 1 if complaints else 0
    lock = only_one(os.path.join(options.build, "evidence"), "make evidence")
    try:
        return verify(options, blocks, kinds) if options.verify else evidence(options, blocks, kinds)
    finally:
        lock.close()


if __name__ == "__main__":
    # A thread passes on what make says: without a reader make would wait for it for ever.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    run_tool("evidence", main)
