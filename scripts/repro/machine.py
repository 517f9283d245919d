# SPDX-License-Identifier: Apache-2.0
"""The binary: its workloads, the commands of runs, and what these say."""
import hashlib
import json
import os
import subprocess
import tempfile

from repro.common import Absent
from warpmem.tools.house import BadInput

VERSION = 2  # of results: docs/result_json.md
NOT_KEPT = 3  # exit status of --only-kept
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))


class Machine:
    """folder: where warpmem keeps results."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        try:
            with open(binary, "rb") as file:
                self.state = self.state_of(os.fstat(file.fileno()))
                self.hash = hashlib.sha256(file.read()).hexdigest()
        except OSError as error:
            raise BadInput(f"{binary}: {error.strerror}; make builds it") from None
        code, text, error = self.call("list", "workloads", "--tsv")
        if code:
            raise BadInput(f"{binary} list workloads --tsv: {first_line(error)}")
        self.sizes = sizes_in(text)

    @staticmethod
    def state_of(stat):
        return stat.st_ino, stat.st_size, stat.st_mtime_ns

    def changed(self):
        """Has the file changed since its hash was taken?"""
        try:
            return self.state_of(os.stat(self.binary)) != self.state
        except OSError:
            return True

    def call(self, *words):
        try:
            done = subprocess.run([self.binary, *words], capture_output=True, text=True, check=False)
        except OSError as error:
            raise BadInput(f"{self.binary}: {error.strerror}") from None
        return done.returncode, done.stdout, done.stderr

    def size(self, run):
        """paper:NAME, or paper where all papers' input is the same."""
        plain = run.size.partition(":")[0]
        return run.size if run.size in self.sizes[run.workload] else plain

    def seconds(self, run):
        """Seconds of such a run on the computer where the list was made; None: not in it."""
        sizes = self.sizes.get(run.workload, {})
        return sizes.get(self.size(run)) if sizes else None

    def name(self, run):
        """Of a run of this binary, for files and tasks."""
        words = [self.hash, run.workload, run.preset, list(run.options), self.size(run), run.seed]
        return hashlib.sha256(json.dumps(words).encode()).hexdigest()[:32]

    def command(self, run, warps=None):
        """warps: a file for what the L2 had of each warp's requests, of runs that ask for it."""
        # One core a run: the runner fills the others, a sweep inside a run must not.
        return [self.binary, "run", run.workload, "--preset", run.preset, *with_paths(run.options), "--size",
                self.size(run), "--seed", str(run.seed), "--jobs", "1", "--no-progress", "--json", "-", "--keep", self.folder,
                *(["--warps", warps] if wants_warps(run) else [])]

    def kept(self, run):
        """(its result if one is kept, Absent if this binary cannot run it, or None; messages about kept files)"""
        if run.workload not in self.sizes:
            return Absent("no such workload", False), []
        with tempfile.TemporaryDirectory(prefix="warpmem_repro_") as folder:
            warps = os.path.join(folder, "warps")
            code, text, said = self.call(*self.command(run, warps)[1:], "--only-kept")
            complaints = [line.removeprefix("warpmem: ") for line in said.splitlines() if line.endswith(": not used")]
            if code == NOT_KEPT:
                return None, complaints
            return self.outcome(run, code, text, first_line(said), taken_from(warps)), complaints

    def outcome(self, run, code, text, complaint, warps):
        """A result or Absent: of what a run's program printed and left."""
        if code == 2:
            return Absent(complaint, False)  # what this binary does not have
        if code:
            return Absent(f"exit status {code}: {complaint}", True)
        try:
            result = json.loads(text)
        except ValueError:
            return Absent("its output is no JSON", True)
        if warps is not None and isinstance(result, dict):
            result["warps"] = warps
        fault = fault_of(result, run, self.size(run))
        return Absent(f"its output {fault}", True) if fault else result


def taken_from(path):
    """The text of a file, which is removed; None where there is none: most runs write none."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        os.remove(path)
        return text
    except FileNotFoundError:
        return None


def with_paths(options):
    """Files that options name lie in the project."""
    return [os.path.join(ROOT, word) if before == "--profile" else word for before, word in zip((None, *options), options)]


def wants_warps(run):
    return "--series-interval" in run.options


def sizes_in(text):
    """{workload: {size: seconds of a run}} as `warpmem list workloads --tsv` prints them."""
    header, *lines = (line.split("\t") for line in text.splitlines())
    workload, size, seconds = (header.index(name) for name in ("workload", "size", "seconds"))
    sizes = {}
    for fields in lines:
        sizes.setdefault(fields[workload], {})[fields[size]] = float(fields[seconds])
    return sizes


def first_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[0].removeprefix("warpmem: ")[:200] if lines else "said nothing"


def fault_of(result, run, size):
    """The fault in the output of `warpmem run --json`, or None."""
    if not isinstance(result, dict) or result.get("schema") != "warpmem.run":
        return "is not a result of warpmem run"
    if result.get("version") != VERSION:
        return f"is of version {result.get('version')!r}, not {VERSION}"
    for name, asked in (("workload", run.workload), ("base", run.preset), ("size", size), ("seed", run.seed)):
        if result.get(name) != asked:
            return f"{name} is {result.get(name)!r}, not {asked!r}"
    if result.get("complete") is not True and "--max-insn-launch" not in run.options:
        return "is incomplete"
    for name in ("cycles", "thread_instructions"):
        if not isinstance(result.get(name), int) or result[name] <= 0:
            return f"{name} is {result.get(name)!r}"
    if wants_warps(run) and not isinstance(result.get("warps"), str):
        return "says nothing of its warps over time"
    if not isinstance(result.get("stats"), dict):
        return "has no statistics"
    return None
