# SPDX-License-Identifier: Apache-2.0
"""What the tools in the folders beside this one share: how they end, options, whole files, hashes, commands.

Each tool reaches it through one file of its own (common.py; errors.py in area, shared.py in evidence). Nothing here decides a
number or a verdict, so what is kept is not keyed by this file, except where a tool keys by all its files (mutate's rows).
"""
import argparse
import fcntl
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile

QUIET_SECONDS = 20  # between two lines of progress where there is no terminal


class BadInput(Exception):
    """The user can mend it: exit code 2."""


class ToolFailed(Exception):
    """A tool said something unexpected, or what came out is not as it must be: exit code 1."""


class Parser(argparse.ArgumentParser):
    """Wrong options are one line."""

    def error(self, message):
        raise BadInput(message + "; --help lists what is allowed")


def number(low, high, unit=""):
    """Of an option."""
    def check(text):
        if not text.isdecimal() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text!r}: must be {low}..{high}{unit and ' ' + unit}")
        return int(text)
    return check


def _stop(_number, _frame):
    raise KeyboardInterrupt


def run_tool(name, main, stops=()):
    """Ends this process with the code that main(arguments) gives; what goes wrong is one line on stderr.

    stops: signals that end it as ^C does, so that it can end what it has begun. Who ignores one, as under nohup, still does.
    """
    for ending in stops:
        if signal.getsignal(ending) != signal.SIG_IGN:
            signal.signal(ending, _stop)
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except (BadInput, ToolFailed) as problem:
        print(f"{name}: {problem}", file=sys.stderr)
        code = 2 if isinstance(problem, BadInput) else 1
    except BrokenPipeError:  # as in `make area | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 128 + signal.SIGPIPE
    except KeyboardInterrupt:
        print(f"{name}: stopped; the same command goes on from here", file=sys.stderr)
        code = 128 + signal.SIGINT
    sys.exit(code)


def only_one(folder, command_line):
    """A lock that the system drops with its process; it is of the folder, and of the file that this gives."""
    os.makedirs(folder, exist_ok=True)
    lock = open(os.path.join(folder, "lock"), "w", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise BadInput(f"{folder}: another {command_line} is at work there; wait for it, or take another BUILD=") from None
    return lock


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


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write_whole(path, text):
    """The file is the old one or the new one, never a part; its folder is made."""
    folder = os.path.dirname(path) or "."
    os.makedirs(folder, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=".part-", dir=folder)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def write_if_changed(path, text):
    """An equal one keeps its time, at which make looks."""
    if not os.path.exists(path) or read(path) != text:
        write_whole(path, text)


def hash_of(*parts):
    """Of texts, in this order."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


def hash_files(paths):
    """Of names and contents, in any order."""
    return hash_of(*(part for path in sorted(set(paths)) for part in (path, read(path))))


def hash_of_file(path):
    """Of its contents, which need not be text."""
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def program(name):
    """Path of a tool's executable, whose contents are part of what a result depends on."""
    path = shutil.which(name)
    if not path:
        raise ToolFailed(f"{name}: not found; scripts/setup.sh installs it")
    return os.path.realpath(path)
