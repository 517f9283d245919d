# SPDX-License-Identifier: Apache-2.0
"""Starts Yosys and the solvers, with a limit of processor time and not of time, so that a busy computer changes no result.

A program runs under a keeper, which is this file as a program: yosys-smtbmc does not wait for its solvers, so somebody has to
take over what it leaves, to know how long they took and that they end.
"""
import ctypes
import os
import resource
import signal
import subprocess
import sys

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # linux/prctl.h


class Stopped(Exception):
    """The program was ended from outside, as the run is."""


def run(words, seconds, log):
    """(exit code, processor seconds). Each program that words start may use so many seconds of a processor."""
    reader, writer = os.pipe()
    keeper = subprocess.Popen(
        [sys.executable, os.path.abspath(__file__), str(os.getpid()), str(writer), str(seconds), *words],
        stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, pass_fds=[writer], start_new_session=True)
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as pipe:
        said = pipe.read().split()
    keeper.wait()
    if len(said) != 2:
        raise Stopped
    return int(said[0]), float(said[1])


def keep(parent, writer, seconds, words):
    """Runs the program and what it leaves to their end; says how both went."""
    os.set_inheritable(writer, False)

    def end(_number, _frame):
        os.killpg(0, signal.SIGKILL)
    signal.signal(signal.SIGTERM, end)
    prctl = ctypes.CDLL(None).prctl
    prctl(PR_SET_PDEATHSIG, signal.SIGTERM)  # nothing goes on without who asked for it,
    if os.getppid() != parent:               # who may have gone before that
        os.killpg(0, signal.SIGKILL)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    try:
        code = subprocess.call(words)
    except OSError as error:
        print(f"ERROR: {words[0]}: {error.strerror}")
        code = 127
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.killpg(0, signal.SIGTERM)  # a solver whose answer nobody waits for
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        pass
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    os.write(writer, f"{code} {usage.ru_utime + usage.ru_stime:.3f}".encode())


if __name__ == "__main__":
    keep(*map(int, sys.argv[1:4]), sys.argv[4:])
