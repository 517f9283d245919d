# SPDX-License-Identifier: Apache-2.0
"""Runs commands as tasks of Slurm's job arrays, in a folder that the cluster's nodes see too, and collects what they print.

A task that Slurm lost, as with its node, or whose command failed, is submitted once more. ^C cancels the arrays. SIGHUP and kill -9
leave them: who asks for the same tasks later finds their results, and waits for those that are queued. Options of sbatch are in
its own variables (SBATCH_PARTITION, SBATCH_ACCOUNT, SBATCH_TIMELIMIT ...).
"""
import os
import re
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections import namedtuple

from warpmem.tools.house import BadInput, ToolFailed, read, write_whole

POLL_SECONDS = 2
GONE_SECONDS = 5      # from a task's end to its files, which come over the network
SILENT_SECONDS = 600  # without an answer of the controller
ATTEMPTS = 2
NAME = re.compile(r"[0-9A-Za-z._-]+")
TASK = """#!/bin/sh
# Written by python/warpmem/tools/slurm.py: one task. $1: folder of the tasks; $2: their names, a line each.
name=$(sed -n "${SLURM_ARRAY_TASK_ID}p" "$2") && cd "$1/$name" || exit 1
began=$(date +%s.%N)
sh ./command >out 2>err </dev/null
code=$?
echo "$code $began $(date +%s.%N)" >code.part && mv code.part code
"""

# code None: there is none, and reason says why. out, err: paths. seconds: on the node.
Ended = namedtuple("Ended", "code out err seconds reason")


def check_programs():
    for name in ("sbatch", "squeue", "scancel", "scontrol"):
        if not shutil.which(name):
            raise BadInput(f"{name}: not found: a login node of a Slurm cluster has it; Debian's package is slurm-client")


def ask(*words):
    """(output, None), or (None, its complaint)."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60, check=False)
    except subprocess.TimeoutExpired:
        return None, f"{words[0]}: no answer in 60 s"
    said = (done.stderr.strip() or done.stdout.strip()).splitlines()
    return (done.stdout, None) if done.returncode == 0 else (None, f"{words[0]}: {said[-1] if said else 'failed'}")


class Slurm:
    """folder: of the tasks; final: exit codes of a command that it would have again."""

    def __init__(self, folder, final=(0,)):
        check_programs()
        self.folder, self.final = os.path.abspath(folder), final
        self.arrays, self.tasks = os.path.join(self.folder, "arrays"), os.path.join(self.folder, "tasks")
        os.makedirs(self.arrays, exist_ok=True)
        os.makedirs(self.tasks, exist_ok=True)
        self.script = os.path.join(self.folder, "task.sh")
        write_whole(self.script, TASK)
        self.array_of = {}   # name: the array that has its task
        self.jobs = {}       # array: Slurm's number
        self.attempts = {}   # name: how often it was submitted
        self.gone = {}       # name: when it was first neither queued nor ended
        self.silent = None   # since when the controller does not answer

    def path(self, name, file=""):
        return os.path.join(self.tasks, name, file)

    # --- arrays ---

    def most_tasks(self):
        text, complaint = ask("scontrol", "show", "config")
        if text is None:
            raise ToolFailed(complaint)
        found = re.search(r"^MaxArraySize\s*=\s*(\d+)", text, re.MULTILINE)
        return max(1, int(found[1]) - 1) if found else 1000

    def submit(self, names, most):
        for at in range(0, len(names), most):
            some = names[at:at + most]
            array = "warpmem-" + secrets.token_hex(6)
            for name in some:
                for file in ("code", "out", "err"):
                    if os.path.exists(self.path(name, file)):
                        os.unlink(self.path(name, file))
            # Before it is submitted: one that dies here leaves a list without an array, one that dies later loses nothing.
            write_whole(self.list_of(array), "".join(name + "\n" for name in some))
            text, complaint = ask("sbatch", "--parsable", f"--job-name={array}", f"--array=1-{len(some)}", "--no-requeue",
                                  "--cpus-per-task=1", "--output=/dev/null", "--export=ALL", self.script, self.tasks,
                                  self.list_of(array))
            if text is None:
                os.unlink(self.list_of(array))
                raise ToolFailed(complaint)
            self.jobs[array] = text.strip().partition(";")[0]
            for name in some:
                self.array_of[name] = array
                self.attempts[name] = self.attempts.get(name, 0) + 1
                self.gone.pop(name, None)

    def list_of(self, array):
        return os.path.join(self.arrays, array)

    def queued(self, arrays):
        """{(array, task number)} that Slurm has; None: it does not answer."""
        if not arrays:
            return set()
        text, complaint = ask("squeue", "--noheader", "--array", "--name=" + ",".join(sorted(arrays)), "--format=%j %F %K")
        if text is None:
            self.silent = self.silent or time.monotonic()
            if time.monotonic() - self.silent > SILENT_SECONDS:
                raise ToolFailed(f"{complaint}: for {SILENT_SECONDS} s; the tasks go on, the same command collects them later")
            return None
        self.silent = None
        found = set()
        for line in text.splitlines():
            array, job, number = line.split()
            self.jobs[array] = job
            found.add((array, int(number)))
        return found

    def adopt(self, wanted):
        """Takes over what an earlier command submitted and Slurm still has; forgets the arrays that have ended."""
        lists = {array: read(self.list_of(array)).split() for array in os.listdir(self.arrays) if array.startswith("warpmem-")}
        found = self.queued(lists)
        if found is None:
            raise ToolFailed("squeue: slurmctld does not answer")
        for array, names in lists.items():
            waiting = [name for number, name in enumerate(names, 1) if (array, number) in found]
            for name in waiting:
                if name in wanted:
                    self.array_of[name], self.attempts[name] = array, 1
            if not waiting:
                os.unlink(self.list_of(array))

    # --- tasks ---

    def ended(self, name):
        """Reads how a task ended; None: its files do not say."""
        try:
            code, began, end = read(self.path(name, "code")).split()
            return Ended(int(code), self.path(name, "out"), self.path(name, "err"), float(end) - float(began), None)
        except (FileNotFoundError, ValueError):
            return None

    def reason_of(self, name):
        """Why it ended without a result, as far as Slurm knows."""
        array = self.array_of[name]
        number = read(self.list_of(array)).split().index(name) + 1
        text, _ = ask("scontrol", "--oneliner", "show", "job", f"{self.jobs.get(array, '0')}_{number}")
        found = re.search(r"JobState=(\S+)", text or "")
        return found[1] if found else "unknown to Slurm"

    def look(self, names):
        """[(name, Ended)] of those that are no longer under way."""
        over, now = [], time.monotonic()
        found = self.queued({self.array_of[name] for name in names})
        if found is None:
            return over
        under_way = {}
        for array in {self.array_of[name] for name in names}:
            under_way.update((name, (array, number) in found) for number, name in enumerate(read(self.list_of(array)).split(), 1)
                             if self.array_of.get(name) == array)
        for name in names:
            done = self.ended(name)
            if done:
                over.append((name, done))
            elif under_way[name]:
                self.gone.pop(name, None)
            elif now - self.gone.setdefault(name, now) >= GONE_SECONDS:
                over.append((name, Ended(None, self.path(name, "out"), self.path(name, "err"), 0.0, self.reason_of(name))))
        return over

    def again(self, done, name):
        """Is it submitted once more? What a user cancels stays so."""
        if self.attempts.get(name, 1) >= ATTEMPTS or done.code in self.final:
            return False
        return done.code is not None or done.reason != "CANCELLED"

    def forget(self, name):
        """Removes a task's folder, once its result is elsewhere."""
        shutil.rmtree(self.path(name), ignore_errors=True)

    def cancel(self):
        for array in sorted(set(filter(None, self.array_of.values()))):
            ask("scancel", f"--name={array}")
            if os.path.exists(self.list_of(array)):
                os.unlink(self.list_of(array))

    def work(self, commands):
        """(name, Ended) as they end; commands: {name: words}, in the order in which they are submitted."""
        for name, words in commands.items():
            if not NAME.fullmatch(name):
                raise ValueError(name)
            write_whole(self.path(name, "command"), "exec " + shlex.join(words) + "\n")  # the folder may have moved since
        self.adopt(commands)
        try:
            yield from self.collect(list(commands))
        except KeyboardInterrupt as by:
            if getattr(by, "number", signal.SIGINT) != signal.SIGHUP:
                self.cancel()
            raise

    def collect(self, left):
        most = self.most_tasks()
        for name in left:  # of an earlier command
            if name not in self.array_of and (done := self.ended(name)) and done.code in self.final:
                yield name, done
                self.array_of[name] = None
        left = [name for name in left if self.array_of.get(name, "") is not None]
        self.submit([name for name in left if name not in self.array_of], most)
        while left:
            over = self.look(left)
            anew = [name for name, done in over if self.again(done, name)]
            for name, done in over:
                if name not in anew:
                    left.remove(name)
                    yield name, done
            for name, done in over:
                if name in anew:
                    why = done.reason or f"exit status {done.code}"
                    print(f"slurm: {name[:16]}: {why}: submitted once more", file=sys.stderr)
            self.submit(anew, most)
            if left:
                time.sleep(POLL_SECONDS)
        for array in set(filter(None, self.array_of.values())):
            if os.path.exists(self.list_of(array)):
                os.unlink(self.list_of(array))


def staged(program, folder, digest):
    """A copy of the program that stays as it is while tasks run it, though the program is built anew."""
    path = os.path.join(os.path.abspath(folder), "program-" + digest[:24])
    if not os.path.exists(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copy(program, path + ".part")
        os.replace(path + ".part", path)
    return path
