# SPDX-License-Identifier: Apache-2.0
"""Shared part of the tools for many jobs: on all cores, until the user ends it; progress; cached results."""
import concurrent.futures
import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time

from warpmem.tools.house import read, write_whole

QUIET_SECONDS = 20  # between two lines of progress where there is no terminal
GRACE_SECONDS = 3   # from asking programs to end to killing them
# Words before a program that ends with the one who started it, after kill -9 too; setpriv is of Debian's essential util-linux.
ENDING_WITH_US = ("setpriv", "--pdeathsig", "TERM", "--")
ANY = object()      # a key


def checksum(kept):
    """Of all but itself; equal contents have the same."""
    rest = {name: kept[name] for name in kept if name != "sha256"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def keep(path, key, result, **more):
    """A result with the key of all that it depends on. more: what belongs to it and is looked at by looked_up() as well."""
    kept = {**more, "key": key, "result": result}
    write_whole(path, json.dumps({**kept, "sha256": checksum(kept)}, indent=1) + "\n")


def looked_up(path, key, **more):
    """(what keep() put there under this key, or None; why a file that is there is not believed, or None)"""
    try:
        kept = json.loads(read(path))
    except FileNotFoundError:
        return None, None
    except ValueError:
        return None, "is not JSON, or incomplete"
    if not isinstance(kept, dict) or not {"sha256", "key", "result", *more} <= set(kept):
        return None, "is not a kept result"
    for name, wanted in more.items():
        if kept[name] != wanted:
            return None, f"is of {name} {kept[name]!r}, not {wanted!r}"
    if kept["sha256"] != checksum(kept):
        return None, "its checksum is not that of its contents"
    if key is not ANY and kept["key"] != key:
        return None, "was run for another key"
    return kept["result"], None


def kept_result(path, key):
    """The same for who only wants to know whether it is there."""
    try:
        return looked_up(path, key)[0]
    except OSError:
        return None


def duration(seconds):
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def time_left(seconds):
    """In words; None: unknown."""
    return "not known how long" if seconds is None else f"about {duration(seconds)} left"


class Progress:
    """Progress and remaining time of the items: on stderr, a line that is written over on a terminal, else one each 20 s.

    past: {item: seconds that it took before}; one that was never timed takes as long as the others. quiet: another than 20.
    """

    def __init__(self, what, items, jobs=1, past=None, quiet=QUIET_SECONDS):
        items = list(items)
        known = {item: past[item] for item in items if item in past} if past else {}
        mean = sum(known.values()) / len(known) if known else 0
        self.what, self.jobs, self.quiet, self.expected = what, jobs, quiet, {item: known.get(item, mean) for item in items}
        self.count, self.ended, self.done, self.total = len(items), 0, 0.0, sum(self.expected.values())
        self.begun = self.said = time.monotonic()
        self.terminal = sys.stderr.isatty()

    def left(self):
        """Seconds, by how fast it went so far; None: nothing to go by."""
        if self.done:
            return (time.monotonic() - self.begun) / self.done * (self.total - self.done)
        return self.total / self.jobs if self.total else None

    def clear(self):
        if self.terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def step(self, item, seconds=1.0, worked=True):
        """worked: what was kept says nothing of the time that the others take."""
        self.ended += 1
        if not self.total and worked:  # nothing was timed before: by number
            self.expected = dict.fromkeys(self.expected, 1.0)
            self.total, self.done = float(self.count - self.ended + 1), 0.0
        if worked:
            self.done += self.expected[item] or seconds
        else:
            self.total -= self.expected[item]
        self.say()

    def say(self, more=""):
        now = time.monotonic()
        if self.ended == self.count:
            self.clear()
        elif self.terminal or now - self.said >= self.quiet:
            self.said = now
            self.clear()
            print(f"{self.what}: {self.ended} of {self.count}, {time_left(self.left())}{more}",
                  end="" if self.terminal else "\n", file=sys.stderr, flush=True)


def longest_first(items, past):
    """Items so that none is left over when all others are done; those that were never timed before them."""
    return sorted(items, key=lambda item: -past.get(item, float("inf")))


def end_children(number=signal.SIGKILL):
    """Sends it to what this process has begun, and what that has: solvers would go on for a minute."""
    parents = {}
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                parents[int(name)] = int(file.read().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
    ours, more = {os.getpid()}, True
    while more:
        more = {pid for pid, parent in parents.items() if parent in ours} - ours
        ours |= more
    for pid in sorted(ours - {os.getpid()}):  # who began others before them
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def in_parallel(work, items, jobs):
    """(item, work(item)) as they end. ^C and errors let no other begin, and end the programs that are under way."""
    stopped = threading.Event()

    def one(item):
        if stopped.is_set():
            raise concurrent.futures.CancelledError
        try:
            return work(item)
        except BaseException:
            stopped.set()
            raise

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(one, item): item for item in items}
        waiting = set(running)
        try:
            while waiting:
                # Not for ever: a signal that comes just before a wait begins is looked at after it.
                ended, waiting = concurrent.futures.wait(waiting, 1, concurrent.futures.FIRST_COMPLETED)
                for future in ended:
                    yield running[future], future.result()
        except BaseException as error:
            stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)
            begun = time.monotonic()
            while not all(future.done() for future in running):
                time.sleep(0.1)
                end_children(signal.SIGTERM if time.monotonic() - begun < GRACE_SECONDS else signal.SIGKILL)
            if isinstance(error, concurrent.futures.CancelledError):  # one that did not begin, because of what went wrong elsewhere
                raise next(wrong for future in running if not future.cancelled() and (wrong := future.exception())
                           and not isinstance(wrong, concurrent.futures.CancelledError)) from None
            raise


def run_program(words, output, errors=subprocess.STDOUT, env=None, **more):
    """(exit code, usage of processors) of a program whose output goes to a file."""
    child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env=env, **more)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, usage
