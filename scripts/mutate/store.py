# SPDX-License-Identifier: Apache-2.0
"""What is kept between runs: a line a finished mutant and stage, so that a killed run goes on where it was.

A file belongs to one stage and one key, the hash of all that its results depend on. A line that is cut or is no JSON is
not believed and its mutant runs again.
"""
import fcntl
import json
import os
import threading

from common import BadInput, VERSION


class Store:
    def __init__(self, folder, stage, key):
        os.makedirs(folder, exist_ok=True)
        self.path = os.path.join(folder, f"{stage}-{key}.jsonl")
        self.lock = threading.Lock()
        self.known = {}
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
            self.file.write(json.dumps({"version": VERSION, "id": mutant.id, "result": result}) + "\n")
            self.file.flush()


def only_one(folder):
    """A lock that the system drops with its process."""
    os.makedirs(folder, exist_ok=True)
    lock = open(os.path.join(folder, "lock"), "w", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BadInput(f"{folder}: another make mutate is at work there; wait for it, or take another BUILD=") from None
    return lock
