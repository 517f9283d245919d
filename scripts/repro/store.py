# SPDX-License-Identifier: Apache-2.0
"""Results that are kept: one file a run, named by the hash of its key, believed only when whole.

A file is written beside its place and renamed. It holds the key it was run for and a checksum, so a
file that was cut, changed or copied from elsewhere is found out, reported, and run again. A lock
that the system drops with its process keeps two runners off one store, after kill -9 too.
"""
import fcntl
import json
import os

from common import Wrong, write_whole
from machine import canonical, fault_of, sha256

SCHEMA = "warpmem.repro"
VERSION = 1


class Store:
    def __init__(self, folder):
        self.runs = os.path.join(folder, "runs")
        self.times_path = os.path.join(folder, "times.tsv")
        self.lock_file = None
        self.complaints = []  # one line for each file that was not believed

    def open(self):
        """Takes the lock and clears away what a killed runner left."""
        try:
            os.makedirs(self.runs, exist_ok=True)
            self.lock_file = open(os.path.join(self.runs, "lock"), "w", encoding="utf-8")
            fcntl.flock(self.lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Wrong(f"{self.runs}: another make repro is at work there; wait for it, or give "
                        "this one REPRO_DIR=folder") from None
        except OSError as error:
            raise Wrong(f"{error.filename or self.runs}: {error.strerror}") from None
        for name in os.listdir(self.runs):
            if name.endswith(".tmp"):
                os.remove(os.path.join(self.runs, name))

    def path(self, key):
        return os.path.join(self.runs, sha256(canonical(key)) + ".json")

    def get(self, key):
        """The result that is kept for a key, or None."""
        path = self.path(key)
        try:
            with open(path, "rb") as file:
                data = file.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Wrong(f"{path}: {error.strerror}") from None
        fault, result = self.read(data, key)
        if fault:
            self.complaints.append(f"{path}: {fault}: not used")
        return result

    @staticmethod
    def read(data, key):
        try:
            kept = json.loads(data)
        except ValueError:
            return "is no JSON, or cut off", None
        if not isinstance(kept, dict) or kept.get("schema") != SCHEMA:
            return "is not a kept result", None
        if kept.get("version") != VERSION:
            return f"is of version {kept.get('version')!r}, not {VERSION}", None
        if kept.get("sha256") != checksum(kept):
            return "its checksum is not that of its contents", None
        if kept.get("key") != key:
            return "was run for another key", None
        fault = fault_of(kept.get("result"), key)
        return (fault, None) if fault else (None, kept["result"])

    def put(self, key, result, seconds):
        kept = {"schema": SCHEMA, "version": VERSION, "key": key, "seconds": round(seconds, 3),
                "result": result}
        kept["sha256"] = checksum(kept)
        write_whole(self.path(key), json.dumps(kept, indent=1).encode() + b"\n")

    def times(self):
        """Seconds that past runs took, of any binary: {(workload, size, options): seconds}, the
        last of each."""
        times = {}
        try:
            with open(self.times_path, encoding="utf-8", errors="replace") as file:
                for line in file:
                    fields = line.rstrip("\n").split("\t")
                    try:
                        workload, size, options, seconds = fields
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


def checksum(kept):
    return sha256(canonical({name: kept[name] for name in kept if name != "sha256"}))
