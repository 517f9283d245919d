#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Run targets under libFuzzer for a bounded time, and say what was found.

Each target starts from tb/fuzz/corpus/TARGET and from what earlier runs kept in BUILD/corpus/TARGET,
so that a run goes on where the one before ended. A finding (a sanitizer's report, a broken promise,
more than --timeout seconds or --memory MB for one input) is made smaller and kept in
BUILD/found/TARGET; the line about it has the command that repeats it. Kept findings run first: one that still
fails is reported again, and its target is not run, because it would find the same. One that no longer fails is
removed, but only if it was too slow, or if the program has changed since: else it is flaky, and reported until its
file is removed. The table at the end is also BUILD/fuzz.tsv. To be run from the project's folder; `make fuzz`
does.

Exit status: 0 nothing found, 1 something, 2 bad arguments or a target that did not run.
"""
import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "house"))
from house import BadInput, hash_of_file, only_one, write_whole  # noqa: E402

CORPUS = "tb/fuzz/corpus"
# The reader of FST runs in a child, which has bounds of its own (tb/fuzz/waves.c), as has its parent; libFuzzer's look at
# each allocation would end the child with a report of its own.
OWN_MEMORY_BOUND = {"waves"}
COLUMNS = ("target", "seconds", "executions", "edges", "kept", "peak_mb", "findings")
PULSE = re.compile(rb"#(\d+)\s+\w+\s+cov: (\d+)(?: ft: \d+)?(?: corp: (\d+))?")
OVER_TIME = 70  # libFuzzer's exit status then


def positive(text):
    """A number of seconds, MB or processes."""
    if not text.isdecimal() or not 1 <= int(text) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"{text}: must be 1..1000000")
    return int(text)


def arguments():
    """The command line."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("targets", nargs="+", metavar="TARGET", help="BUILD/fuzz-TARGET is its program")
    p.add_argument("--build", default="build/fuzz", help="folder of the programs, and of all that is written")
    p.add_argument("--seconds", type=positive, default=60, help="of each target (default 60)")
    p.add_argument("--jobs", type=positive, default=os.cpu_count(), help="targets at once (default: all cores)")
    p.add_argument("--timeout", type=positive, default=25, help="seconds that one input may take (default 25)")
    p.add_argument("--memory", type=positive, default=2048, help="MB that a target may take (default 2048)")
    p.add_argument("--max-len", type=positive, default=4096, help="bytes of the longest input (default 4096)")
    p.add_argument("--minimize", type=positive, default=20, help="seconds to make a finding smaller (default 20)")
    p.add_argument("--corpus", default=CORPUS, help=f"folder of the first inputs (default {CORPUS})")
    p.add_argument("--seed", type=positive, help="of libFuzzer; the same inputs in the same order, with --jobs 1")
    o = p.parse_args()
    for name in o.targets:
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or not os.access(program(o, name), os.X_OK):
            p.error(f"{name}: no such target: there is no program {program(o, name)}")
    return o


def program(o, name):
    """The target's program."""
    return os.path.join(o.build, f"fuzz-{name}")


def files(folder):
    """Names of the files in a folder that may not be there."""
    return sorted(e.path for e in os.scandir(folder) if e.is_file()) if os.path.isdir(folder) else []


class Target:
    """One target's run."""

    def __init__(self, o, name):
        self.o, self.name = o, name
        # new: where libFuzzer writes what is wrong; it is empty before each call, so equal bytes are a finding again.
        # made_by: of each finding a file with the hash of the program that it was found with.
        self.kept, self.found, self.new, self.made_by = (os.path.join(o.build, kind, name)
                                                         for kind in ("corpus", "found", "new", "made_by"))
        self.log = os.path.join(o.build, "log", name + ".txt")
        self.begun = self.ended = None
        self.executions = self.edges = self.corpus = self.peak = 0
        self.findings, self.mended, self.trouble, self.child = [], [], None, None

    def options(self):
        """Options of every call of the program."""
        o = self.o
        memory = 0 if self.name in OWN_MEMORY_BOUND else o.memory
        return [f"-timeout={o.timeout}", f"-rss_limit_mb={memory}", "-close_fd_mask=3"]

    def call(self, words, log, seconds, before=()):
        """The program, in a folder of its own for what targets write. Return: its exit status, None: it had to be killed."""
        with tempfile.TemporaryDirectory(prefix="warpmem_fuzz_") as folder, open(log, "ab") as out:
            # Memory that was freed stays aside for a while, to see uses of it: 256 MB of it, unless told otherwise.
            env = dict(os.environ, TMPDIR=folder, ASAN_OPTIONS="quarantine_size_mb=32")
            with subprocess.Popen([*before, program(self.o, self.name), *words], stdin=subprocess.DEVNULL, stdout=out,
                                  stderr=out, env=env) as self.child:
                try:
                    return self.child.wait(seconds)
                except subprocess.TimeoutExpired:
                    self.child.kill()
                    return None

    def run(self):
        """Repeats earlier findings, or else fuzzes until a finding or the end of the time."""
        for folder in (self.kept, self.found, self.new, self.made_by, os.path.dirname(self.log)):
            os.makedirs(folder, exist_ok=True)
        open(self.log, "wb").close()
        self.begun = time.monotonic()
        self.keep()  # of a run that was ended before it looked
        self.replay()
        left, earlier = self.o.seconds, 0
        while left > 0 and not self.findings and not self.trouble:
            again = self.fuzz(left)
            self.executions, earlier = self.executions + earlier, self.executions + earlier
            left = self.o.seconds - (time.monotonic() - self.begun) if again else 0
        if not self.executions and not self.trouble and not self.findings:
            self.trouble = f"{self.name}: nothing was executed: see {self.log}"
        self.ended = time.monotonic()

    def keep(self):
        """The findings among what libFuzzer wrote, now where they stay; the rest goes."""
        kept = []
        for path in files(self.new):
            # libFuzzer keeps inputs that are slow, too; they are told of only when they are too slow.
            if not os.path.basename(path).startswith("slow-unit-"):
                kept.append(os.path.join(self.found, os.path.basename(path)))
                os.replace(path, kept[-1])
        shutil.rmtree(self.new)
        os.makedirs(self.new)
        return kept

    def note(self, path):
        """With which program this was found."""
        write_whole(os.path.join(self.made_by, os.path.basename(path)), hash_of_file(program(self.o, self.name)))

    def same_program(self, path):
        """Was it found with today's program? Unknown for a finding that a killed run left."""
        noted = os.path.join(self.made_by, os.path.basename(path))
        if not os.path.exists(noted):
            return False
        with open(noted, encoding="utf-8") as file:
            return file.read() == hash_of_file(program(self.o, self.name))

    def replay(self):
        """Repeats an earlier finding; removes one that no longer fails."""
        for path in files(self.found):
            status = self.call([*self.options(), path], self.log + ".again", 2 * self.o.timeout + 60)
            slow = os.path.basename(path).removeprefix("small-").startswith("timeout-")
            if status == 0 and (slow or not self.same_program(path)) or status == OVER_TIME and self.ends_in_time(path):
                os.remove(path)
                self.mended.append(path)
            else:
                self.findings.append(path)
                if status != 0:
                    self.note(path)
        # Once, where it has been made smaller.
        self.findings = [path for path in self.findings if self.small(path) not in self.findings]

    def fuzz(self, seconds):
        """One call of the fuzzer. Return: it was ended by an input that is slow on a busy computer alone."""
        words = self.options() + [f"-max_total_time={max(1, int(seconds))}", f"-max_len={self.o.max_len}",
                                  f"-artifact_prefix={self.new}/", "-print_final_stats=1"]
        words += [f"-seed={self.o.seed}"] if self.o.seed else []
        dictionary = os.path.join(os.path.dirname(self.o.corpus), self.name + ".dict")
        words += [f"-dict={dictionary}"] if os.path.exists(dictionary) else []
        seeds = os.path.join(self.o.corpus, self.name)
        status = self.call(words + [self.kept] + ([seeds] if os.path.isdir(seeds) else []), self.log,
                           seconds + 3 * self.o.timeout + 60)
        self.look()
        new = self.keep()
        busy = [p for p in new if os.path.basename(p).startswith("timeout-") and self.ends_in_time(p)]
        for path in busy:
            os.remove(path)
        self.findings = [self.minimize(path) for path in new if path not in busy]
        for path in {*new, *self.findings} - {*busy}:
            self.note(path)
        if not new and status != 0:
            self.trouble = f"{self.name}: ended with status {status}: see {self.log}"
        return bool(busy)

    def ends_in_time(self, path):
        """Does the input take less than its limit of processor time? libFuzzer measures elapsed time."""
        return self.call(["-timeout=0", path], self.log + ".slow", 40 * self.o.timeout,
                         ["prlimit", f"--cpu={self.o.timeout}"]) == 0

    def look(self):
        """The log so far."""
        with open(self.log, "rb") as file:
            file.seek(max(0, os.path.getsize(self.log) - (1 << 16)))
            text = file.read()
        pulses = PULSE.findall(text)
        if pulses:
            self.executions, self.edges = int(pulses[-1][0]), int(pulses[-1][1])
            self.corpus = int(pulses[-1][2] or 0)
        for key, attribute in ((rb"number_of_executed_units: (\d+)", "executions"), (rb"peak_rss_mb: (\d+)", "peak")):
            match = re.findall(key, text)
            if match:
                setattr(self, attribute, int(match[-1]))

    def small(self, path):
        """Where the same finding with fewer bytes is kept."""
        return os.path.join(self.found, "small-" + os.path.basename(path))

    def minimize(self, path):
        """The same finding with fewer bytes, if time allows. Return: the file."""
        name, small = os.path.basename(path), self.small(path)
        if not name.startswith("timeout-"):
            # libFuzzer writes the steps on the way, too: they go with the folder.
            with tempfile.TemporaryDirectory(prefix="warpmem_fuzz_") as steps:
                self.call(self.options() + ["-minimize_crash=1", f"-max_total_time={self.o.minimize}",
                                            f"-exact_artifact_path={small}", f"-artifact_prefix={steps}/", path],
                          self.log + ".minimize", self.o.minimize + 2 * self.o.timeout + 60)
        if not os.path.exists(small) or os.path.getsize(small) > os.path.getsize(path):
            shutil.copyfile(path, small)
        return small

    def command(self, path):
        """The command that repeats a finding."""
        return " ".join([program(self.o, self.name), *self.options()[:2], path])

    def why(self, path):
        """The line that says what is wrong with an input."""
        log = self.log + ".why"
        open(log, "wb").close()
        quiet = [word for word in self.options() if not word.startswith("-close_fd_mask")]
        self.call(quiet + [f"-artifact_prefix={self.o.build}/log/", path], log, 2 * self.o.timeout + 60)
        with open(log, "rb") as file:
            lines = file.read().decode("utf-8", "replace").splitlines()
        for what in (r"fuzz: broken promise|.*runtime error:|ERROR: ", r"SUMMARY:"):
            told = [line for line in lines if re.match(what, line)]
            if told:
                return told[0]
        return next((line for line in lines if "ERROR" in line), "not again: fails at times, or depends on more than the input; "
                    "told of until the file is removed or the program is another")


def bytes_of(path):
    """A short input in words."""
    with open(path, "rb") as file:
        data = file.read(49)
    return f"{os.path.getsize(path)} bytes" + (f": {data!r}" if len(data) <= 48 else "")


def progress(targets, o, over):
    """A line now and then: what runs, how far it is, when all is done."""
    last = ""
    while not over.wait(1 if sys.stderr.isatty() else 15):
        now = time.monotonic()
        running = [t for t in targets if t.begun and not t.ended]
        for t in running:
            t.look()
        left = sum(o.seconds if not t.begun else max(0, o.seconds - (now - t.begun)) for t in targets if not t.ended)
        line = ", ".join(f"{t.name} {t.executions} executions, {t.edges} edges" for t in running)
        line = f"fuzz: {sum(1 for t in targets if t.ended)} of {len(targets)} done, {left / o.jobs:.0f} s left; {line}"
        if line != last:
            end = "\r" if sys.stderr.isatty() else "\n"
            print(f"{line:<120.160}" if end == "\r" else line, end=end, file=sys.stderr, flush=True)
        last = line


def work(queue, lock):
    """A thread: one target after another."""
    while True:
        with lock:
            if not queue:
                return
            target = queue.pop(0)
        try:
            target.run()
        except OSError as error:
            target.trouble = f"{target.name}: {error}"
            target.ended = time.monotonic()


def report(o, targets):
    """Findings, and the table. Return: the exit status."""
    for t in targets:
        for path in t.mended:
            print(f"fuzz: {t.name}: {path} was found before and fails no more: removed")
        for path in t.findings:
            print(f"FOUND {t.name}: {t.why(path)}\n  input   {path} ({bytes_of(path)})\n  again   {t.command(path)}")
        if t.trouble:
            print(f"fuzz: {t.trouble}", file=sys.stderr)
    rows = [COLUMNS] + [(t.name, f"{(t.ended or 0) - (t.begun or 0):.0f}", t.executions, t.edges, t.corpus, t.peak,
                         len(t.findings)) for t in targets]
    for row in rows:
        print(f"{row[0]:<12}" + "".join(f"{value:>12}" for value in row[1:]))
    table = os.path.join(o.build, "fuzz.tsv")
    with open(table + ".part", "w", encoding="utf-8") as file:
        file.writelines("\t".join(map(str, row)) + "\n" for row in rows)
    os.replace(table + ".part", table)
    if any(t.findings for t in targets):
        return 1
    return 2 if any(t.trouble for t in targets) else 0


def interrupted(targets):
    """Handles a signal: ends the children too."""
    for t in targets:
        if t.child and t.child.poll() is None:
            t.child.kill()
    print("\nfuzz: interrupted; what was kept stays", file=sys.stderr)
    os._exit(130)


def main():
    """The program."""
    o = arguments()
    try:
        lock = only_one(o.build, "make fuzz")
    except BadInput as problem:
        print(f"fuzz: {problem}", file=sys.stderr)
        return 2
    with lock:
        return run_all(o)


def run_all(o):
    """Every target, then the report. Return: the exit status."""
    targets = [Target(o, name) for name in o.targets]
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: interrupted(targets))
    over, lock, queue = threading.Event(), threading.Lock(), list(targets)
    threads = [threading.Thread(target=work, args=(queue, lock), daemon=True) for _ in range(min(o.jobs, len(targets)))]
    shower = threading.Thread(target=progress, args=(targets, o, over), daemon=True)
    for thread in threads + [shower]:
        thread.start()
    for thread in threads:
        thread.join()
    over.set()
    shower.join()
    return report(o, targets)


if __name__ == "__main__":
    sys.exit(main())
