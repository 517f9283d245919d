# SPDX-License-Identifier: Apache-2.0
"""What all parts of the coverage scripts share: what they have of scripts/house, hashes, progress."""
import hashlib
import os
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "house"))
from house import (BadInput, Parser, QUIET_SECONDS, ToolFailed as Failed, hash_of_file, number, only_one,  # noqa: E402
                   run_tool, write_whole as write)

# What is passed on; the files of this tool import all from here.
__all__ = ["BadInput", "Failed", "Parser", "hash_of_file", "number", "only_one", "run_tool", "write"]

GOAL = 95.0  # percent that each kind of each file or block must reach


def hash_of(words):
    """Of texts, in this order. Another function than the house's, as what it made is the key of runs that are kept."""
    total = hashlib.sha256()
    for word in words:
        total.update(word.encode() + b"\0")
    return total.hexdigest()


def percent(covered, total):
    """Nothing to cover is covered."""
    return 100.0 * covered / total if total else 100.0


def spans(numbers):
    """1, 2, 3, 7 as "1-3, 7"."""
    parts = []
    for one in sorted(numbers):
        if parts and one == parts[-1][1] + 1:
            parts[-1][1] = one
        else:
            parts.append([one, one])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


class Progress:
    """One line on stderr that is written over; without a terminal, a line each 20 s."""

    def __init__(self, what):
        self.what = what
        self.terminal = sys.stderr.isatty()
        self.last = time.monotonic()

    def say(self, text):
        if self.terminal:
            print(f"\r{self.what}: {text}", end="\033[K", file=sys.stderr, flush=True)
        elif time.monotonic() - self.last >= QUIET_SECONDS:
            self.last = time.monotonic()
            print(f"{self.what}: {text}", file=sys.stderr, flush=True)

    def end(self):
        if self.terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
