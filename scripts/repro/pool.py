# SPDX-License-Identifier: Apache-2.0
"""Runs what is missing, on all cores of this computer or wherever LAUNCH sends it.

The pool is Python's own (concurrent.futures). Snakemake was looked at and left: in Debian 12 it
brings 73 packages and 680 MB, asks for --unlock after kill -9, and judges a result by its date and
not by what is in it, so that the store would have to do its work all the same.
"""
import concurrent.futures
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter

from common import Absent
from machine import fault_of, first_line
from store import options_text

SAME_REASON = 3  # failed runs that are named for one reason; the last line counts all
QUIET_SECONDS = 20  # between two lines of progress where there is no terminal


class Stopped(Exception):
    """A signal ended the work; .signal says which."""

    def __init__(self, number):
        super().__init__(number)
        self.signal = number


def simulations(options):
    """How many there are in a run with these options: a sweep has one for each limit."""
    words = options.split()
    return words[words.index("--swl-limits") + 1].count(",") + 1 if "--swl-limits" in words else 1


class Estimate:
    """How long a run will take: from what past runs took, else from `listed`, a function of the run,
    else from past runs of its size; None where nothing is known."""

    def __init__(self, times, listed=lambda run: None):
        self.times = {}
        self.listed = listed
        self.like = {}
        self.spent = self.took = 0.0
        for (workload, size, options), seconds in times.items():
            self.add(workload, size, options, seconds)

    def add(self, workload, size, options, seconds):
        self.times[workload, size, options] = seconds
        for known in ((workload, size), size):
            self.like.setdefault(known, []).append(seconds / simulations(options))

    def went(self, seconds, took):
        """A run ended: how long its kind counts as, and how long it took on this busy computer."""
        self.spent += seconds
        self.took += took

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
        # The last of them runs alone.
        slower = max(self.took / self.spent, 1) if self.spent else 1
        length = duration(slower * max(sum(known) / jobs, max(known)))
        unknown = len(seconds) - len(known)
        return f"about {length}, {jobs} at once" + (f", and {unknown} of unknown length"
                                                    if unknown else "")


def duration(seconds):
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def taken_from(path):
    """The text of a file, which is removed; None where there is none: most runs write none."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        os.remove(path)
        return text
    except FileNotFoundError:
        return None


def terminate(child):
    # Not send_signal: it polls, and would take the status away from the thread that waits for it.
    try:
        os.kill(child.pid, signal.SIGTERM)
    except ProcessLookupError:
        pass


class Pool:
    def __init__(self, machine, store, jobs, launch, stream=sys.stderr):
        self.machine, self.store, self.jobs, self.launch = machine, store, jobs, launch
        self.stream = stream
        self.lock = threading.Lock()
        self.children = set()
        self.stopped = None
        self.estimate = Estimate({})

    def stop(self, number, _frame):
        # The lock may be held by the very thread that the signal interrupts, so it is not taken;
        # a child that starts meanwhile is ended by `start`, which looks at `stopped` again.
        self.stopped = number
        for child in list(self.children):
            terminate(child)

    def start(self, words, out, err):
        # setpriv, of Debian's essential util-linux: when the runner is killed with -9 its
        # simulations end too, instead of taking the cores away from the next one.
        child = subprocess.Popen(["setpriv", "--pdeathsig", "TERM", "--", *self.launch, *words],
                                 stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        self.children.add(child)
        if self.stopped:
            terminate(child)
        return child

    def one(self, run, key):
        """A result or Absent. Output goes to files: a pipe would need a reader."""
        if self.stopped:
            return Absent("stopped", True)
        if self.machine.changed():
            return self.of_another_binary()
        began = time.monotonic()
        warps_path = self.store.path(key) + ".warps.tmp"  # where a launcher's computers see it too
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = self.start(self.machine.command(run, warps_path), out, err)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            self.children.discard(child)
            out.seek(0)
            err.seek(0)
            text, complaint = out.read(), first_line(err.read().decode(errors="replace"))
            warps = taken_from(warps_path)
        # What a launcher sent elsewhere is not in the usage of this computer.
        seconds = time.monotonic() - began if self.launch else usage.ru_utime
        if self.stopped:
            return Absent("stopped", True)
        if self.machine.changed():
            return self.of_another_binary()
        if child.returncode == 2:
            return Absent(complaint, False)  # what this binary does not have
        if child.returncode:
            return Absent(f"exit status {child.returncode}: {complaint}", True)
        try:
            result = json.loads(text)
        except ValueError:
            return Absent("its output is no JSON", True)
        if warps is not None and isinstance(result, dict):
            result["warps"] = warps
        fault = fault_of(result, key)
        if fault:
            return Absent(f"its output {fault}", True)
        with self.lock:
            self.estimate.went(seconds, time.monotonic() - began)
            try:
                self.store.put(key, result, seconds)
                self.store.add_time(run, seconds)
            except OSError:  # a full disk, say: the others would run in vain
                self.stop(signal.SIGTERM, None)
                raise
            self.estimate.add(run.workload, run.size, options_text(run), seconds)
        return result

    def of_another_binary(self):
        return Absent(f"{self.machine.binary} changed meanwhile: run make repro again", True)

    def work(self, missing, estimate):
        """Runs all of `missing`, {run: key}; results and Absents by run. Raises Stopped."""
        # The longest first, so that none is left over when all others are done.
        self.estimate = estimate
        order = sorted(missing, key=lambda run: -(estimate.of(run) or float("inf")))
        results, progress = {}, Progress(self, order, estimate)
        handlers = {n: signal.signal(n, self.stop)
                    for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
        try:
            with concurrent.futures.ThreadPoolExecutor(self.jobs) as executor:
                futures = {executor.submit(self.one, run, missing[run]): run for run in order}
                for future in concurrent.futures.as_completed(futures):
                    run = futures[future]
                    results[run] = future.result()
                    if not self.stopped:
                        progress.done(run, results[run])
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
        progress.end()
        if self.stopped:
            raise Stopped(self.stopped)
        return results


class Progress:
    def __init__(self, pool, runs, estimate):
        self.pool, self.estimate = pool, estimate
        self.left, self.count = set(runs), len(runs)
        self.began = self.said = time.monotonic()
        self.terminal = pool.stream.isatty()
        self.reasons = Counter()

    def done(self, run, result):
        self.left.discard(run)
        if isinstance(result, Absent) and result.failed:
            self.reasons[result.reason] += 1
            if self.reasons[result.reason] <= SAME_REASON:
                print(f"repro: {text_of(run)}: {result.reason}", file=self.pool.stream)
        now = time.monotonic()
        if not self.terminal and self.left and now - self.said < QUIET_SECONDS:
            return
        self.said = now
        end = "\r" if self.terminal and self.left else "\n"
        line = f"repro: {self.count - len(self.left)} of {self.count} runs"
        with self.pool.lock:
            line += (f"; left: {self.estimate.text(self.left, self.pool.jobs)}" if self.left
                     else f" in {duration(now - self.began)}")
        print(f"{line:<79}", end=end, file=self.pool.stream, flush=True)

    def end(self):
        self.pool.stream.flush()


def text_of(run):
    return f"{run.workload} {run.size} {options_text(run)}"
