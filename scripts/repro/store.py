# SPDX-License-Identifier: Apache-2.0
"""Cached results: one file per run, named by the hash of its key, used only if whole.

It holds the key it was run for and a checksum, so a file that was cut, changed or copied from elsewhere is found out, reported,
and run again.
"""
import os

from house import only_one
from machine import canonical, fault_of, sha256
from work import keep, looked_up

FORMAT = {"schema": "warpmem.repro", "version": 1}


class Store:
    def __init__(self, folder):
        self.runs = os.path.join(folder, "runs")
        self.times_path = os.path.join(folder, "times.tsv")
        self.lock_file = None
        self.complaints = []  # one line for each file that was not believed

    def open(self):
        """Takes the lock and clears away what a killed runner left."""
        self.lock_file = only_one(self.runs, "make repro", "REPRO_DIR=folder")
        for name in os.listdir(self.runs):
            if name.endswith(".tmp") or name.startswith(".part-"):
                os.remove(os.path.join(self.runs, name))

    def path(self, key):
        return os.path.join(self.runs, sha256(canonical(key)) + ".json")

    def get(self, key):
        """The result that is kept for a key, or None."""
        result, fault = looked_up(self.path(key), key, **FORMAT)
        fault = fault or (fault_of(result, key) if result is not None else None)
        if fault:
            self.complaints.append(f"{self.path(key)}: {fault}: not used")
        return None if fault else result

    def put(self, key, result, seconds):
        keep(self.path(key), key, result, seconds=round(seconds, 3), **FORMAT)

    def times(self):
        """Seconds that past runs took, of any binary: {(workload, size, options): seconds}, the last of each."""
        times = {}
        try:
            with open(self.times_path, encoding="utf-8", errors="replace") as file:
                for line in file:
                    try:
                        workload, size, options, seconds = line.rstrip("\n").split("\t")
                        times[workload, size, options] = float(seconds)
                    except ValueError:
                        continue  # cut by a kill: it only serves an estimate
        except OSError:
            pass
        return times

    def add_time(self, run, seconds):
        with open(self.times_path, "a", encoding="utf-8") as file:
            file.write(f"{run.workload}\t{run.size}\t{options_text(run)}\t{seconds:.3f}\n")


def options_text(run):
    return " ".join((run.preset,) + run.options)
