# SPDX-License-Identifier: Apache-2.0
"""Runs proofs side by side, keeps their results, says how long the rest takes.

A result is a folder that appears whole; it is believed while the key in it is that of the job. Only what passed is: what
failed or had no answer runs again.
"""
import concurrent.futures
import json
import os
import shutil
import sys
import time

from common import BadInput, QUIET_SECONDS, ToolFailed, only_one, read, write_whole
from jobs import key_of
from prove import FAILED, PASSED, Proof
from solver import Stopped

PART = ".part"  # ends the name of a folder that is being written


class Store:
    """Results of jobs, in a folder each; one process at a time."""

    def __init__(self, folder):
        self.folder = folder
        self.lock = only_one(folder, "make formal")
        for name in os.listdir(folder):
            if name.endswith(PART):  # a killed run's
                shutil.rmtree(os.path.join(folder, name))

    def path(self, job):
        return os.path.join(self.folder, job.name)

    def recorded(self, job):
        """What is there, of whatever key."""
        try:
            result = json.loads(read(os.path.join(self.path(job), "result.json")))
            return result if isinstance(result, dict) and {"key", "verdict", "seconds"} <= set(result) else {}
        except (OSError, ValueError):
            return {}

    def current(self, job):
        """The result that still holds, or {}."""
        result = self.recorded(job)
        if result.get("key") != key_of(job):
            return {}
        there = all(os.path.exists(os.path.join(self.path(job), file)) for _, file in result["covers"].values())
        return result if there else {}

    def prove(self, job, seconds, children):
        """Runs a job, and keeps what it gave."""
        key, path = key_of(job), self.path(job)
        work = path + PART
        os.makedirs(work)
        try:
            result = Proof(job, work, seconds, children).perform()
        except ToolFailed as error:
            result = {"verdict": FAILED, "properties": 0, "assumptions": 0, "failures": [str(error)], "covers": {},
                      "seconds": 0.0, "processor_seconds": 0.0}
        if key != key_of(job):
            raise BadInput(f"{job.title}: its files changed while it was proven; start it again")
        write_whole(os.path.join(work, "result.json"), json.dumps(dict(result, key=key), indent=1) + "\n")
        shutil.rmtree(path, ignore_errors=True)
        os.rename(work, path)
        return result


class Progress:
    """On stderr: a line that is written over on a terminal, else one each 20 s. past: seconds that jobs took before."""

    def __init__(self, waiting, past, threads):
        mean = sum(past.values()) / len(past) if past else 0
        self.expected = {job: past.get(job, mean) for job in waiting}
        self.total, self.threads = sum(self.expected.values()), threads
        self.done, self.count = 0.0, 0
        self.begun = self.said = time.monotonic()
        self.terminal = sys.stderr.isatty()

    def left(self):
        """Seconds, by how fast it went so far; None: nothing to go by."""
        if self.done:
            return (time.monotonic() - self.begun) / self.done * (self.total - self.done)
        return self.total / self.threads if self.total else None

    def clear(self):
        if self.terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def step(self, job, seconds):
        self.count += 1
        self.done += self.expected[job] or seconds
        if not self.total:  # nothing was timed before: by number
            self.expected = dict.fromkeys(self.expected, 1.0)
            self.total, self.done = float(len(self.expected)), 1.0
        self.say()

    def say(self):
        now, number = time.monotonic(), len(self.expected)
        if self.count == number or not self.terminal and now - self.said < QUIET_SECONDS:
            return
        self.said = now
        left = self.left()
        text = f"formal: {self.count} of {number}, " + ("not known how long" if left is None else f"about {left:.0f} s left")
        print(f"\r\x1b[K{text}" if self.terminal else text, end="" if self.terminal else "\n", file=sys.stderr, flush=True)


def perform(jobs, store, threads, seconds, children, again, ended):
    """Proves what is not kept, and calls ended(job, result) for each as it ends. Returns how many there were."""
    past = {job: recorded["seconds"] for job in jobs if (recorded := store.recorded(job))}
    waiting = [job for job in jobs if again or store.current(job).get("verdict") != PASSED]
    # The longest first; those that were never timed before them.
    waiting.sort(key=lambda job: -past.get(job, float("inf")))
    progress = Progress(waiting, {job: time_of for job, time_of in past.items() if job in set(waiting)}, threads)
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        running = {pool.submit(store.prove, job, seconds, children): job for job in waiting}
        try:
            progress.say()
            for future in concurrent.futures.as_completed(running):
                result = future.result()
                progress.clear()
                ended(running[future], result)
                progress.step(running[future], result["seconds"])
        except BaseException as error:
            pool.shutdown(wait=False, cancel_futures=True)
            children.end()
            progress.clear()
            if isinstance(error, Stopped):
                raise KeyboardInterrupt from None
            raise
    return len(waiting)
