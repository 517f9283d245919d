# SPDX-License-Identifier: Apache-2.0
"""Runs the missing simulations, on all cores of this computer or wherever LAUNCH sends them.

The pool is the house's (python/warpmem/tools/work.py). Snakemake was looked at and left: in Debian 12 it brings 73 packages and 680 MB,
asks for --unlock after kill -9, and judges a result by its date and not by what is in it, so that the store would have to do its
work all the same.
"""
import os
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter

from repro.common import Absent
from repro.machine import first_line, taken_from
from repro.times import options_text
from warpmem.tools.house import ToolFailed
from warpmem.tools.slurm import Slurm, staged
from warpmem.tools.work import ENDING_WITH_US, Progress, duration, in_parallel, longest_first, run_program

NOT_KEPT = "results are not kept"  # how such a message of warpmem ends
SAME_REASON = 3  # failed runs that are named for one reason; the last line counts all


def simulations(options):
    """The number of simulations in a run with these options: a sweep has one for each limit."""
    words = options.split()
    return words[words.index("--swl-limits") + 1].count(",") + 1 if "--swl-limits" in words else 1


class Estimate:
    """Estimated seconds of a run: from past runs of it, else from `listed`, a function of the run, else from past runs of its
    size; None: unknown."""

    def __init__(self, times, listed=lambda run: None):
        self.times = {}
        self.listed = listed
        self.like = {}
        for (workload, size, options), seconds in times.items():
            self.add(workload, size, options, seconds)

    def add(self, workload, size, options, seconds):
        self.times[workload, size, options] = seconds
        for known in ((workload, size), size):
            self.like.setdefault(known, []).append(seconds / simulations(options))

    def of(self, run):
        options = options_text(run)
        known = self.times.get((run.workload, run.size, options))
        if known is not None:
            return known
        like, listed = (run.workload, run.size), self.listed(run)
        if like not in self.like and listed is not None:
            return listed * simulations(options)
        for like in (like, run.size):
            if like in self.like:
                return statistics.fmean(self.like[like]) * simulations(options)
        return None

    def text(self, runs, jobs):
        """Of all these, as many at once as `jobs`."""
        seconds = [self.of(run) for run in runs]
        known = [s for s in seconds if s is not None]
        if not known:
            return "it is not known how long"
        length = duration(max(sum(known) / jobs, max(known)))  # the last of them runs alone
        unknown = len(seconds) - len(known)
        return f"about {length}, {jobs} at once" + (f", and {unknown} of unknown length" if unknown else "")


class Pool:
    def __init__(self, machine, times, jobs, launch):
        self.machine, self.times, self.jobs, self.launch = machine, times, jobs, launch
        self.lock = threading.Lock()

    def one(self, run):
        """A result or Absent. Output goes to files: a pipe would need a reader."""
        if self.machine.changed():
            return self.of_another_binary()
        began = time.monotonic()
        # In the folder of results: a launcher's computers see it too.
        warps_path = os.path.join(self.machine.folder, self.machine.name(run) + ".warps.tmp")
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            code, usage = run_program([*ENDING_WITH_US, *self.launch, *self.machine.command(run, warps_path)], out, err)
            out.seek(0)
            err.seek(0)
            text, said = out.read(), err.read().decode(errors="replace")
            warps = taken_from(warps_path)
        # A run that a launcher sent elsewhere is not in the usage of this computer.
        seconds = time.monotonic() - began if self.launch else usage.ru_utime
        if self.machine.changed():
            return self.of_another_binary()
        return self.judged(run, code, text, said, warps, seconds)

    def judged(self, run, code, text, said, warps, seconds):
        """A result or Absent, and a note of the time. A result that cannot be kept ends all: hours would be lost."""
        for line in said.splitlines():  # any: other messages may come first, and a sweep goes on
            if line.endswith(NOT_KEPT):
                raise ToolFailed(line.removeprefix("warpmem: "))
        result = self.machine.outcome(run, code, text, first_line(said), warps)
        if not isinstance(result, Absent):
            with self.lock:
                self.times.add(run, seconds)
        return result

    def of_another_binary(self):
        return Absent(f"{self.machine.binary} changed meanwhile: run make repro again", True)

    def results_of(self, runs):
        """(run, result or Absent) as they end."""
        yield from in_parallel(self.one, runs, self.jobs)

    def work(self, missing, estimate):
        """Runs all of `missing`; results and Absents by run."""
        began, results, reasons = time.monotonic(), {}, Counter()
        past = {run: seconds for run in missing if (seconds := estimate.of(run)) is not None}
        progress = Progress("repro", missing, self.jobs, past)
        for run, result in self.results_of(longest_first(missing, past)):
            results[run] = result
            if isinstance(result, Absent) and result.failed:
                reasons[result.reason] += 1
                if reasons[result.reason] <= SAME_REASON:
                    progress.clear()
                    print(f"repro: {text_of(run)}: {result.reason}", file=sys.stderr)
            progress.step(run)
        print(f"repro: {len(results)} runs in {duration(time.monotonic() - began)}", file=sys.stderr)
        return results


class SlurmPool(Pool):
    """Runs are tasks of Slurm, with a copy of the binary, and keep their results themselves."""

    def __init__(self, machine, times):
        super().__init__(machine, times, len(os.sched_getaffinity(0)), [])
        self.folder = os.path.join(machine.folder, "slurm")
        self.slurm = Slurm(self.folder, final=(0, 2))

    def results_of(self, runs):
        binary = staged(self.machine.binary, self.folder, self.machine.hash)
        if self.machine.changed():
            raise ToolFailed(f"{self.machine.binary} changed meanwhile: run make repro again")
        names = {self.machine.name(run): run for run in runs}
        commands = {name: [binary, *self.machine.command(run, self.slurm.path(name, "warps"))[1:]] for name, run in names.items()}
        for name, ended in self.slurm.work(commands):
            run = names[name]
            result = self.result_of(run, name, ended)
            if not isinstance(result, Absent) or not result.failed:
                self.slurm.forget(name)
            yield run, result

    def result_of(self, run, name, ended):
        if ended.code is None:
            return Absent(f"Slurm: {ended.reason}; {self.slurm.path(name)}", True)
        try:
            with open(ended.err, encoding="utf-8", errors="replace") as err, open(ended.out, encoding="utf-8", errors="replace") as out:
                said, text = err.read(), out.read()
        except OSError as error:
            return Absent(f"{error.filename}: {error.strerror}", True)
        result = self.judged(run, ended.code, text, said, taken_from(self.slurm.path(name, "warps")), ended.seconds)
        return result._replace(reason=f"{result.reason}; {ended.err}") if isinstance(result, Absent) and result.failed else result


def text_of(run):
    return f"{run.workload} {run.size} {options_text(run)}"
