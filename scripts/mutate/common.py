# SPDX-License-Identifier: Apache-2.0
"""What all parts of the mutation run share: errors, commands, whole files, hashes, progress."""
import concurrent.futures
import functools
import hashlib
import os
import subprocess
import sys
import time

QUIET_SECONDS = 20  # between two lines of progress where there is no terminal
VERSION = 1         # of what is kept: another number, and nothing kept before is believed


class BadInput(Exception):
    """The user can mend it: exit code 2."""


class ToolFailed(Exception):
    """A tool said something unexpected: exit code 1."""


def command(words, seconds=600, env=None):
    """Runs a tool that has to succeed; its standard output."""
    try:
        done = subprocess.run(words, text=True, capture_output=True, check=False, timeout=seconds,
                              stdin=subprocess.DEVNULL, env=dict(os.environ, **(env or {})))
    except subprocess.TimeoutExpired:
        raise ToolFailed(f"{words[0]}: no answer in {seconds} s: {' '.join(words)[:300]}") from None
    except OSError as error:
        raise ToolFailed(f"{words[0]}: {error.strerror}") from None
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise ToolFailed(f"{' '.join(words)[:300]}: exit code {done.returncode}: {' | '.join(said[-5:])}")
    return done.stdout


def yosys(script, path, seconds=600):
    """Runs a script that stays beside what it made."""
    write_whole(path, script)
    return command(["yosys", "-q", "-s", path], seconds)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write_whole(path, text):
    """The file is the old one or the new one, never a part."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path + ".tmp", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".tmp", path)


def write_if_changed(path, text):
    """For files that make looks at: an equal one keeps its time."""
    if not os.path.exists(path) or read(path) != text:
        write_whole(path, text)


def hash_of(*parts):
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


def hash_files(paths):
    """Of names and contents, in any order."""
    return hash_of(*(part for path in sorted(set(paths)) for part in (path, read(path))))


def tool_files():
    """This tool is part of what its results depend on."""
    folder = os.path.relpath(os.path.dirname(os.path.abspath(__file__)))
    return [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith((".py", ".tsv"))]


@functools.lru_cache(maxsize=None)
def version(tool):
    """What a tool says of itself: another one may find other things."""
    words = {"yosys": ["yosys", "-V"], "python3-clang": ["dpkg-query", "-W", "-f", "${Version}", "python3-clang"]}
    return command(words.get(tool, [tool, "--version"]))


def versions(*tools):
    return "\0".join(version(tool) for tool in tools)


class Progress:
    """What runs, how much of it is done and when it will be: on stderr, a line that changes on a terminal."""

    def __init__(self, what, total):
        self.what, self.total, self.done = what, total, 0
        self.begun = self.said = time.monotonic()
        self.terminal = sys.stderr.isatty()

    def step(self):
        self.done += 1
        now = time.monotonic()
        if self.done < self.total and now - self.said < (0.2 if self.terminal else QUIET_SECONDS):
            return
        self.said = now
        left = (now - self.begun) / self.done * (self.total - self.done)
        text = f"{self.what}: {self.done} of {self.total}, {left:.0f} s left"
        if self.terminal:
            print("\r\x1b[K" + ("" if self.done == self.total else text), end="", file=sys.stderr, flush=True)
        elif self.done < self.total:
            print(text, file=sys.stderr, flush=True)


def in_parallel(what, jobs, work, items):
    """(item, result of work(item)) as they end. ^C and errors stop what has not begun."""
    items = list(items)
    progress = Progress(what, len(items))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(work, item): item for item in items}
        try:
            for future in concurrent.futures.as_completed(running):
                yield running[future], future.result()
                progress.step()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
