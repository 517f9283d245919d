# SPDX-License-Identifier: Apache-2.0
"""What all parts of the coverage scripts share: errors, files written whole, hashes, progress."""
import hashlib
import os
import sys
import tempfile
import time

GOAL = 95.0  # percent that each kind of each file or block must reach


class BadInput(Exception):
    """The user can mend it: exit code 2."""


class Failed(Exception):
    """A tool said something unexpected, or a test failed: exit code 1."""


def write(path, text):
    """Whole or not at all."""
    folder = os.path.dirname(path)
    os.makedirs(folder, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=folder)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(temporary, 0o644)
    os.replace(temporary, path)


def hash_of(words):
    """Of texts, in this order."""
    total = hashlib.sha256()
    for word in words:
        total.update(word.encode() + b"\0")
    return total.hexdigest()


def hash_of_file(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def percent(covered, total):
    """Nothing to cover is covered."""
    return 100.0 * covered / total if total else 100.0


def spans(numbers):
    """1, 2, 3, 7 as "1-3, 7"."""
    parts = []
    for number in sorted(numbers):
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


class Progress:
    """One line on stderr that is written over; without a terminal, a line each 20 s."""
    QUIET_SECONDS = 20

    def __init__(self, what):
        self.what = what
        self.terminal = sys.stderr.isatty()
        self.last = time.monotonic()

    def say(self, text):
        if self.terminal:
            print(f"\r{self.what}: {text}", end="\033[K", file=sys.stderr, flush=True)
        elif time.monotonic() - self.last >= self.QUIET_SECONDS:
            self.last = time.monotonic()
            print(f"{self.what}: {text}", file=sys.stderr, flush=True)

    def end(self):
        if self.terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
