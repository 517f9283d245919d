# SPDX-License-Identifier: Apache-2.0
"""Starts Yosys and the solvers, with a limit of processor time and not of time, so that a busy computer changes no result."""
import os
import signal
import subprocess
import threading

from common import ToolFailed


class Stopped(Exception):
    """The run is being ended."""


class Children:
    """The programs under way, so that all can be ended."""

    def __init__(self):
        self.lock = threading.Lock()
        self.running = set()
        self.ended = False

    def run(self, words, seconds, log):
        """(exit code, processor seconds). Each program that words start may use so many seconds of a processor."""
        with self.lock:
            if self.ended:
                raise Stopped
            try:
                child = subprocess.Popen(["prlimit", f"--cpu={seconds}", "--", *words], stdin=subprocess.DEVNULL, stdout=log,
                                         stderr=subprocess.STDOUT, start_new_session=True)
            except OSError as error:
                raise ToolFailed(f"prlimit: {error.strerror}") from None
            self.running.add(child.pid)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        with self.lock:
            self.running.discard(child.pid)
            if self.ended:
                raise Stopped
        return child.returncode, usage.ru_utime + usage.ru_stime

    def end(self):
        with self.lock:
            self.ended = True
            for pid in self.running:
                try:
                    os.killpg(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
