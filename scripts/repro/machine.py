# SPDX-License-Identifier: Apache-2.0
"""The binary: its workloads and presets, and the key of a run, which holds all inputs of the run's result."""
import hashlib
import json
import os
import subprocess

from common import Absent
from house import BadInput
from data import VARIANT_OPTIONS


VERSION = 2  # of results: docs/result_json.md
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def canonical(value):
    """The same bytes for equal values."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def sha256(data):
    return hashlib.sha256(data).hexdigest()


class Machine:
    def __init__(self, binary):
        self.binary = binary
        try:
            with open(binary, "rb") as file:
                self.state = self.state_of(os.fstat(file.fileno()))
                self.hash = sha256(file.read())
        except OSError as error:
            raise BadInput(f"{binary}: {error.strerror}; make builds it") from None
        code, text, error = self.call("list", "workloads", "--tsv")
        if code:
            raise BadInput(f"{binary} list workloads --tsv: {error}")
        self.sizes = sizes_in(text)
        self.configs = {}

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
        return done.returncode, done.stdout, first_line(done.stderr)

    def config(self, preset, options):
        """The resolved configuration as (hash of its text, warpmem's own hash), or Absent."""
        known = (preset, options)
        if known not in self.configs:
            words = [w for pair in zip(options[::2], options[1::2]) for w in pair if VARIANT_OPTIONS[pair[0]]]
            code, text, error = self.call("config", "show", preset, *words)
            own = [line.split(", config ")[1] for line in text.splitlines()
                   if line.startswith("; scheme ") and ", config " in line]
            if code == 0 and not own:
                raise BadInput(f"{self.binary} config show {preset}: names no hash")
            self.configs[known] = Absent(error, False) if code else (sha256(text.encode()), own[0])
        return self.configs[known]

    def key(self, run):
        """The inputs of a run's result, or Absent if this binary cannot run it."""
        if run.workload not in self.sizes:
            return Absent("no such workload", False)
        config = self.config(run.preset, run.options)
        if isinstance(config, Absent):
            return config
        files = files_of(run)
        if isinstance(files, Absent):
            return files
        return {**files, "binary": self.hash, "config": config[0], "config_hash": config[1],
                "workload": run.workload, "preset": run.preset, "options": list(run.options),
                "size": self.size(run), "seed": run.seed}

    def size(self, run):
        """paper:NAME, or paper where all papers' input is the same."""
        plain = run.size.partition(":")[0]
        return run.size if run.size in self.sizes[run.workload] else plain

    def seconds(self, run):
        """Seconds of such a run on the computer where the list was made; None: not in it."""
        sizes = self.sizes.get(run.workload, {})
        return sizes.get(self.size(run)) if sizes else None

    def command(self, run, warps=None):
        """warps: a file for what the L2 had of each warp's requests, of runs that ask for it."""
        # One core a run: the runner fills the others, a sweep inside a run must not.
        return [self.binary, "run", run.workload, "--preset", run.preset, *with_paths(run.options), "--size",
                self.size(run), "--seed", str(run.seed), "--jobs", "1", "--no-progress", "--json",
                "-", *(["--warps", warps] if wants_warps(run) else [])]


def with_paths(options):
    """Files that options name lie in the project."""
    return [os.path.join(ROOT, word) if before == "--profile" else word for before, word in zip((None, *options), options)]


def files_of(run):
    """{option: hash} of what the run reads; nothing of a run without such files."""
    found = {}
    for option, path in zip(run.options[::2], with_paths(run.options)[1::2]):
        if option == "--profile":
            try:
                with open(path, "rb") as file:
                    found[option] = sha256(file.read())
            except OSError as error:
                return Absent(f"{run.options[run.options.index(option) + 1]}: {error.strerror}", False)
    return found


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


def fault_of(result, key):
    """The fault in the output of `warpmem run --json` for a key, or None."""
    if not isinstance(result, dict) or result.get("schema") != "warpmem.run":
        return "is not a result of warpmem run"
    if result.get("version") != VERSION:
        return f"is of version {result.get('version')!r}, not {VERSION}"
    for name, asked in (("workload", "workload"), ("base", "preset"), ("size", "size"), ("seed", "seed")):
        if result.get(name) != key[asked]:
            return f"{name} is {result.get(name)!r}, not {key[asked]!r}"
    # A sweep ends with the configuration that was best, which only it knows.
    if "sweep" not in result and result.get("config_hash") != key["config_hash"]:
        return f"config_hash is {result.get('config_hash')!r}, not {key['config_hash']!r}"
    if result.get("complete") is not True and "--max-insn-launch" not in key["options"]:
        return "is incomplete"
    for name in ("cycles", "thread_instructions"):
        if not isinstance(result.get(name), int) or result[name] <= 0:
            return f"{name} is {result.get(name)!r}"
    if "--series-interval" in key["options"] and not isinstance(result.get("warps"), str):
        return "says nothing of its warps over time"
    if not isinstance(result.get("stats"), dict):
        return "has no statistics"
    return None
