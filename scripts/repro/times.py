# SPDX-License-Identifier: Apache-2.0
"""The folder of `make repro`: its lock, and the seconds that runs took, for estimates. Results are kept there by warpmem
itself (`warpmem run --keep`)."""
import os

from warpmem.tools.house import only_one


class Times:
    def __init__(self, folder):
        self.folder, self.path = folder, os.path.join(folder, "times.tsv")
        self.lock_file = None

    def open(self):
        """Takes the lock and clears away what a killed runner left."""
        self.lock_file = only_one(self.folder, "make repro", "REPRO_DIR=folder")
        for name in os.listdir(self.folder):
            if name.endswith(".warps.tmp"):
                os.remove(os.path.join(self.folder, name))

    def read(self):
        """Seconds that past runs took, of any binary: {(workload, size, options): seconds}, the last of each."""
        times = {}
        try:
            with open(self.path, encoding="utf-8", errors="replace") as file:
                for line in file:
                    try:
                        workload, size, options, seconds = line.rstrip("\n").split("\t")
                        times[workload, size, options] = float(seconds)
                    except ValueError:
                        continue  # cut by a kill: it only serves an estimate
        except OSError:
            pass
        return times

    def add(self, run, seconds):
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(f"{run.workload}\t{run.size}\t{options_text(run)}\t{seconds:.3f}\n")


def options_text(run):
    return " ".join((run.preset,) + run.options)
