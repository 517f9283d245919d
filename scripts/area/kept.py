# SPDX-License-Identifier: Apache-2.0
"""Results that are kept between runs, each under the hash of all it depends on."""
import functools
import json
import os
import sys
import time

import errors  # noqa: F401  pylint: disable=unused-import  (brings house into reach)
from house import QUIET_SECONDS, hash_of, hash_of_file, program, write_whole

__all__ = ["Progress", "digest", "get", "key_of", "own_sources", "program", "put"]


@functools.lru_cache(None)
def _digest(path, size, changed_ns):  # pylint: disable=unused-argument
    return hash_of_file(path)


def digest(path):
    """Of the contents; a file that stays is read once a run."""
    status = os.stat(path)
    return _digest(path, status.st_size, status.st_mtime_ns)


def key_of(texts, paths):
    return hash_of(*texts, *(part for path in sorted(set(paths)) for part in (path, digest(path))))


def own_sources(*names):
    """Of these scripts: what they count changes with them, and not with kept.py and scripts/house."""
    folder = os.path.relpath(os.path.dirname(os.path.abspath(__file__)))
    return [os.path.join(folder, name) for name in names]


def get(path, key):
    """What put() kept there under that key, else None. A file that is no such thing is not believed."""
    try:
        with open(path, encoding="utf-8") as file:
            kept = json.load(file)
        return kept["result"] if kept["key"] == key else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def put(path, key, result):
    write_whole(path, json.dumps({"key": key, "result": result}, indent=1) + "\n")


class Progress:
    """How many are done and when all will be: on stderr, a line that changes on a terminal. What was kept from an earlier
    run says nothing about the time that the others take."""

    def __init__(self, what, total):
        self.what, self.total, self.done, self.worked = what, total, 0, 0
        self.begun = time.monotonic()
        self.terminal = sys.stderr.isatty()
        self.said = self.begun - (QUIET_SECONDS if self.terminal else 0)  # into a file, a short run says nothing

    def starts(self, name):
        now = time.monotonic()
        if now - self.said < (0.2 if self.terminal else QUIET_SECONDS):
            return
        self.said = now
        left = "" if not self.worked else \
            f", {(now - self.begun) / self.worked * (self.total - self.done):.0f} s left"
        text = f"{self.what}: {self.done} of {self.total} done{left}; {name} ..."
        print(f"\r\033[K{text}" if self.terminal else text, end="" if self.terminal else "\n", file=sys.stderr, flush=True)

    def ends(self, worked):
        self.done += 1
        self.worked += worked
        if self.done == self.total and self.terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
