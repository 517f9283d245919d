# SPDX-License-Identifier: Apache-2.0
"""Runs proofs side by side, keeps their results, says how long the rest takes.

A result is a folder that appears whole; it is believed while the key in it is that
of the job. Only passed results count: a job that failed or had no answer runs again.
"""
import os
import shutil

from formal.jobs import key_of
from formal.prove import FAILED, PASSED, Proof
from formal.solver import Stopped
from warpmem.tools.house import BadInput, ToolFailed, only_one
from warpmem.tools.work import ANY, Progress, in_parallel, keep, kept_result, longest_first

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

    def recorded(self, job, key=ANY):
        """The result that is there, or {}."""
        return kept_result(os.path.join(self.path(job), "result.json"), key) or {}

    def current(self, job):
        """The result that still holds, or {}."""
        result = self.recorded(job, key_of(job))
        there = all(os.path.exists(os.path.join(self.path(job), file)) for _, file in result.get("covers", {}).values())
        return result if there else {}

    def prove(self, job, seconds):
        """Runs a job, and keeps what it gave."""
        key, path = key_of(job), self.path(job)
        work = path + PART
        os.makedirs(work)
        try:
            result = Proof(job, work, seconds).perform()
        except ToolFailed as error:
            result = {"verdict": FAILED, "properties": 0, "assumptions": 0, "failures": [str(error)], "covers": {},
                      "seconds": 0.0, "processor_seconds": 0.0}
        if key != key_of(job):
            raise BadInput(f"{job.title}: its files changed while it was proven; start it again")
        keep(os.path.join(work, "result.json"), key, result)
        shutil.rmtree(path, ignore_errors=True)
        os.rename(work, path)
        return result


def perform(jobs, store, threads, seconds, again, ended):
    """Proves what is not kept, and calls ended(job, result) for each as it ends. Returns how many there were."""
    past = {job: recorded["seconds"] for job in jobs if (recorded := store.recorded(job))}
    waiting = [job for job in jobs if again or store.current(job).get("verdict") != PASSED]
    waiting.sort(key=lambda job: -os.path.getsize(job.verilog))  # where it is unknown, the largest Verilog takes longest
    progress = Progress("formal", waiting, threads, past)
    try:
        progress.say()
        for job, result in in_parallel(lambda job: store.prove(job, seconds), longest_first(waiting, past), threads):
            progress.clear()
            ended(job, result)
            progress.step(job, result["seconds"])
    except Stopped:
        raise KeyboardInterrupt from None
    finally:
        progress.clear()
    return len(waiting)
