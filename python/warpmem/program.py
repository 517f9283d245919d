# SPDX-License-Identifier: Apache-2.0
"""Finds and calls the program."""
import json
import os
import shutil
import subprocess

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Error(Exception):
    """The program refused or failed. `status` is its exit status: 2 for bad input, 1 for a failed run, 128 + N after signal N;
    None if it could not be started."""

    def __init__(self, text, status=None):
        super().__init__(text)
        self.status = status


def find_program():
    """The program's path, in the order that the package describes."""
    named = os.environ.get("WARPMEM")
    if named:
        return named
    found = shutil.which("warpmem")
    if found:
        return found
    built = os.path.join(TREE, "build", "warpmem")
    if os.path.isfile(built):
        return built
    raise Error("no program warpmem: give program=, set WARPMEM, install it (docs/installing.md), or make it in its tree")


class Program:
    """A program of the user's choice: Program("/opt/warpmem/bin/warpmem"). Functions accept it, or its path, as `program`."""

    def __init__(self, path=None):
        self.path = os.fspath(path) if path is not None else find_program()

    def call(self, words, progress=False):
        """(exit status, stdout, messages). progress: its stderr, with the progress line, goes to the terminal."""
        try:
            done = subprocess.run([self.path, *words], stdout=subprocess.PIPE, stderr=None if progress else subprocess.PIPE,
                                  text=True, check=False)
        except OSError as error:
            raise Error(f"{self.path}: {error.strerror}") from None
        return done.returncode, done.stdout, (done.stderr or "").strip()

    def json(self, words, progress=False, partly=False):
        """(the JSON that it prints, messages). partly: accept a result although the exit status is 1."""
        status, text, said = self.call(words, progress)
        if status and not (partly and status == 1 and text):
            if status < 0:
                raise Error(f"{self.path}: ended by signal {-status}", 128 - status)
            raise Error(said.removeprefix("warpmem: ") or f"{self.path}: exit status {status}", status)
        try:
            return json.loads(text), said
        except ValueError:
            raise Error(f"{self.path} {' '.join(words)}: prints no JSON") from None


def program_of(program):
    return program if isinstance(program, Program) else Program(program)
