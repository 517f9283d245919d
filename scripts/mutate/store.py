# SPDX-License-Identifier: Apache-2.0
"""Results cached between runs: a line per finished mutant and stage, so that a killed run continues.

A file belongs to one stage and one key, the hash of all that its results depend on. A line that is cut or is no JSON is
not believed and its mutant runs again.
"""
import json
import os
import resource
import threading
import time

from warpmem.tools.work import keep, kept_result

VERSION = 1  # of what is kept: another number, and nothing kept before is believed


class Store:
    def __init__(self, folder, stage, key):
        os.makedirs(folder, exist_ok=True)
        self.path = os.path.join(folder, f"{stage}-{key}.jsonl")
        self.lock = threading.Lock()
        self.known, self.spent = {}, []
        # Another key's results of this stage are never asked for again.
        for name in os.listdir(folder):
            if name.startswith(stage + "-") and name != os.path.basename(self.path):
                os.remove(os.path.join(folder, name))
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8", errors="replace") as file:
                for line in file:
                    try:
                        kept = json.loads(line)
                        if kept["version"] == VERSION and line.endswith("\n"):
                            if "spent" in kept:
                                self.spent.append(kept["spent"])
                            else:
                                self.known[kept["id"]] = kept["result"]
                    except (ValueError, KeyError, TypeError):
                        continue
        self.file = open(self.path, "a", encoding="utf-8")
        self.file.write("\n")  # ends a line that a killed run left
        self.file.flush()

    def get(self, mutant):
        return self.known.get(mutant.id)

    def put(self, mutant, result):
        with self.lock:
            self.known[mutant.id] = result
            self.note(id=mutant.id, result=result)

    def note(self, **what):
        self.file.write(json.dumps({"version": VERSION, **what}) + "\n")
        self.file.flush()

    def close(self, begun):
        """begun: clocks() then."""
        self.spent.append(since(begun))
        self.note(spent=self.spent[-1])
        self.file.close()


def clocks():
    """Seconds, and of them those of processors in this process and its children, which a busy computer does not lengthen."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return time.monotonic(), own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def since(begun):
    return [now - then for now, then in zip(clocks(), begun)]


class Spent:
    """The time of a row over all runs that worked on it: its stages store theirs with their results; the rest, mainly building,
    is noted in a file of its own. kill -9 takes the current stage's share with it."""

    def __init__(self, path, key):
        self.path, self.key, self.begun, self.before = path, key, clocks(), kept_result(path, key) or [0, 0]
        self.now, self.stages = [0, 0], [0, 0]  # of stages: in this run, in all runs

    def stage(self, store):
        self.now = [sum(pair) for pair in zip(self.now, store.spent[-1])]
        self.stages = [sum(column) for column in zip(self.stages, *store.spent)]

    def all(self):
        """(seconds, seconds of processors)"""
        rest = [before + all_now - stages for before, all_now, stages in zip(self.before, since(self.begun), self.now)]
        keep(self.path, self.key, rest)
        return [sum(pair) for pair in zip(rest, self.stages)]
