# SPDX-License-Identifier: Apache-2.0
"""Shared part of the tools in the folders beside this one: exit codes, options, whole files, tables, hashes, commands.

work.py beside it has parallel jobs, their progress, and cached results. Nothing here decides a number or a verdict, so
cached results are not keyed by these files, except where a tool keys by all its files (mutate's rows).
"""
import argparse
import csv
import fcntl
import functools
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile


class BadInput(Exception):
    """The user can mend it: exit code 2."""


class ToolFailed(Exception):
    """A tool's output is unexpected, or a result is wrong: exit code 1."""


class Stopped(KeyboardInterrupt):
    """By a signal, whose number it has."""
    number = signal.SIGINT


class Parser(argparse.ArgumentParser):
    """Wrong options are one line. about: the tool's text, the first line of which says what it does."""

    def __init__(self, name, about, **more):
        first, _, rest = about.partition("\n\n")
        super().__init__(prog=name, description=first, epilog=more.pop("epilog", rest),
                         formatter_class=argparse.RawDescriptionHelpFormatter, **more)

    def add_build(self, text="folder of the build (build)", default="build"):
        self.add_argument("--build", default=default, help=text)

    def add_jobs(self, text="at once (all cores)"):
        self.add_argument("--jobs", type=number(1, 1024), default=len(os.sched_getaffinity(0)), help=text)

    def error(self, message):
        raise BadInput(message + "; --help lists what is allowed")


def number(low, high, unit=""):
    """Of an option."""
    def check(text):
        if not text.isdecimal() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text!r}: must be {low}..{high}{unit and ' ' + unit}")
        return int(text)
    return check


def _stop(number_, _frame):
    stopped = Stopped()
    stopped.number = number_
    raise stopped


STOPS = (signal.SIGTERM, signal.SIGHUP)


def code_of(name, main, arguments, own_codes=False, stopped="stopped; the same command goes on from here"):
    """The exit code that main(arguments) ends with; an error is one line on stderr.

    Signals end it as ^C does, so that it can end its children. An ignored signal, as under nohup,
    stays ignored. own_codes: each signal has its own exit code. stopped: the message then.
    """
    for ending in STOPS:
        if signal.getsignal(ending) != signal.SIG_IGN:
            signal.signal(ending, _stop)
    try:
        code = main(arguments)
        sys.stdout.flush()
        return code
    except (BadInput, ToolFailed) as problem:
        print(f"{name}: {problem}", file=sys.stderr)
        return 2 if isinstance(problem, BadInput) else 1
    except BrokenPipeError:  # as in `make area | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except OSError as problem:  # as of a full disk
        print(f"{name}: {problem.filename or 'stdout'}: {problem.strerror}", file=sys.stderr)
        if not problem.filename:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt as by:
        print(f"{name}: {stopped}", file=sys.stderr)
        return 128 + (getattr(by, "number", signal.SIGINT) if own_codes else signal.SIGINT)


def run_tool(name, main, **how):
    """Ends this process as code_of() says."""
    sys.exit(code_of(name, main, sys.argv[1:], **how))


def only_one(folder, command_line, other="another BUILD="):
    """A lock that the system drops with its process; it is of the folder, and of the file that this gives."""
    try:
        os.makedirs(folder, exist_ok=True)
        lock = open(os.path.join(folder, "lock"), "w", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{error.filename or folder}: {error.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise BadInput(f"{folder}: another {command_line} is at work there; wait for it, or take {other}") from None
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


def read_table(path):
    """Rows of a file of columns between tabs with comments, as dictionaries."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t"))


def write_whole(path, text):
    """The file is the old one or the new one, never a part; its folder is made. text: or bytes."""
    folder = os.path.dirname(path) or "."
    os.makedirs(folder, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=".part-", dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException as error:
        os.unlink(temporary)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, path) from None
        raise


def write_if_changed(path, text):
    """An equal one keeps its time, at which make looks."""
    if not os.path.exists(path) or read(path) != text:
        write_whole(path, text)


def hash_of(*parts):
    """Of texts, in this order."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


def hash_of_file(path):
    """Of its contents, which need not be text."""
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def hash_files(paths):
    """Of names and contents, in any order."""
    return hash_of(*(part for path in sorted(set(paths)) for part in (path, hash_of_file(path))))


def program(name):
    """Path of a tool's executable, whose contents are part of what a result depends on."""
    path = shutil.which(name)
    if not path:
        raise ToolFailed(f"{name}: not found; scripts/setup.sh installs it")
    return os.path.realpath(path)


@functools.lru_cache(maxsize=None)
def hash_of_program(name):
    return hash_of_file(program(name))


def files_beside(file, *names):
    """Files in the folder of this one, as they are called from the folder that the tool works in."""
    folder = os.path.relpath(os.path.dirname(os.path.abspath(file)))
    return [os.path.join(folder, name) for name in names]


def tsv(rows):
    return "".join("\t".join(map(str, row)) + "\n" for row in rows)


def aligned(rows, left=(0,)):
    """Lines of cells under each other; left: numbers of the columns that begin alike, the others end alike."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join(cell.ljust(width) if at in left else cell.rjust(width)
                      for at, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows]
