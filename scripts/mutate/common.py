# SPDX-License-Identifier: Apache-2.0
"""What all parts of the mutation run share: what they have of scripts/house, keys, progress."""
import concurrent.futures
import functools
import os
import signal
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
HOUSE = os.path.join(os.path.dirname(HERE), "house")
sys.path.append(HOUSE)
from block_table import area_sets  # noqa: E402
from props import head_of  # noqa: E402
from house import (BadInput, Parser, QUIET_SECONDS, ToolFailed, command, hash_files, hash_of, hash_of_file,  # noqa: E402
                   number, only_one, program, read, run_tool, write_if_changed, write_whole)

# What is passed on; the files of this tool import all from here.
__all__ = ["BadInput", "Parser", "ToolFailed", "area_sets", "command", "hash_files", "hash_of", "hash_of_file", "head_of",
           "number", "only_one", "program", "read", "run_tool", "write_if_changed", "write_whole"]

VERSION = 1  # of what is kept: another number, and nothing kept before is believed


def yosys(script, path, seconds=600):
    """Runs a script that stays beside what it made."""
    write_whole(path, script)
    return command(["yosys", "-q", "-s", path], seconds)


def tool_files():
    """This tool is part of what its results depend on."""
    return [os.path.join(folder, name) for folder in map(os.path.relpath, (HERE, HOUSE)) for name in os.listdir(folder)
            if name.endswith((".py", ".tsv"))]


@functools.lru_cache(maxsize=None)
def version(tool):
    """What a tool says of itself, or what it is: another one may find other things."""
    if tool == "yosys-abc":  # it says nothing
        return hash_of_file(program(tool))
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


def end_children():
    """Kills what this process has begun, and what that has: solvers would go on for a minute."""
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
    for pid in ours - {os.getpid()}:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


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
            end_children()
            raise
