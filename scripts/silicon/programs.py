# SPDX-License-Identifier: Apache-2.0
"""Programs of a GPU's table below a folder of suites: found by data/silicon/programs.tsv, built by warpmem-cc, captured kernel by kernel.

A program is compiled in its own folder and runs in a folder of links to its files, so that the suites stay as they are. Binaries and
traces are kept with a hash of all that they depend on.
"""
import json
import os
import re
import shlex
import subprocess

from silicon.inputs import input_file
from warpmem.tools.house import BadInput, ToolFailed, hash_files, hash_of, hash_of_file, read_table
from warpmem.tools.work import keep, kept_result

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
TABLE = os.path.join(ROOT, "data", "silicon", "programs.tsv")
NOT_KEPT = 3  # exit status of warpmem run --only-kept
TOOLS = ("warpmem-cc", "warpmem-instrument", "libwarpmem-cuda.a")
COMPLAINT = re.compile(r"error|warpmem|undefined|fail|not found|cannot", re.IGNORECASE)


class Failed(ToolFailed):
    """A program is not built, captured or run."""


class Program:
    def __init__(self, row, folder):
        self.row, self.variants = row, {}
        self.suite, self.name, self.home = row["suite"], row["program"], row["from"]
        self.folder = folder  # None: not below the suites
        self.marker, self.sources, self.flags = row["marker"], row["sources"].split(), shlex.split(row["flags"] or "")
        self.arguments = row["arguments"] or ""
        self.launches = {name: int(count) for name, count in (part.split("=") for part in (row["launches"] or "").split())}

    def with_arguments(self, arguments):
        """The program with these, if data/silicon/programs.tsv gives it none."""
        if self.arguments or not arguments:
            return self
        return self.variants.setdefault(arguments, Program({**self.row, "arguments": arguments}, self.folder))

    def label(self):
        return f"{self.suite}/{self.name}"


def find_folder(suites, marker):
    """The program's folder: that of the marker's first part. Of several, the one with the shortest path."""
    parts, found = marker.split("/"), []
    for folder, folders, files in os.walk(suites):
        folders.sort()
        if parts[-1] in files:
            path = os.path.join(folder, parts[-1])
            if path.split(os.sep)[-len(parts):] == parts:
                found.append(os.path.normpath(os.path.join(folder, *[".."] * (len(parts) - 2))))
    return min(found, key=lambda path: (len(path), path)) if found else None


def known_programs(suites):
    return {(row["suite"], row["program"]): Program(row, find_folder(suites, row["marker"])) for row in read_table(TABLE)}


def first_complaint(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in lines if COMPLAINT.search(line)), lines[-1] if lines else "said nothing")[:300]


def call(words, folder, seconds, env=None):
    """All that a program printed; Failed if it does not end well."""
    try:
        done = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=seconds, check=False, env=dict(os.environ, **(env or {})))
    except subprocess.TimeoutExpired:
        raise Failed(f"{os.path.basename(words[0])}: did not end in {seconds} s; TIMEOUT= gives it more") from None
    except OSError as error:
        raise Failed(f"{words[0]}: {error.strerror}") from None
    text = done.stdout.decode("utf-8", "replace")
    if done.returncode:
        raise Failed(f"{os.path.basename(words[0])}: exit status {done.returncode}: {first_complaint(text)}")
    return text


class Builder:
    """out: folder of binaries, traces and inputs. cores: the GPU's multiprocessors, by which some programs choose their grids. options:
    more words for warpmem-cc."""

    def __init__(self, build, out, seconds, cores, options=()):
        self.build, self.out, self.seconds, self.options = os.path.abspath(build), os.path.abspath(out), seconds, list(options)
        self.cores = str(cores)
        for name in (*TOOLS, "warpmem"):
            if not os.path.exists(os.path.join(self.build, name)):
                raise BadInput(f"{self.build}/{name}: not there; make builds it")
        self.tools = hash_files([os.path.join(self.build, name) for name in TOOLS])

    def path(self, kind, *parts):
        folder = os.path.join(self.out, kind)
        os.makedirs(folder, exist_ok=True)
        return os.path.join(folder, "_".join(re.sub(r"[^A-Za-z0-9+.-]", "_", part) for part in parts))

    def binary(self, program):
        """Path of the program, compiled if its sources or the compiler have changed."""
        path = self.path("programs", program.suite, program.name)
        sources = [os.path.join(folder, name) for folder, _, names in os.walk(program.folder) for name in names
                   if name.endswith((".c", ".cc", ".cpp", ".cu", ".cuh", ".h"))]
        words = [*self.options, *program.flags, *program.sources]
        key = hash_of(self.tools, hash_files(sources), *words)
        if kept_result(path + ".json", key) is None or not os.path.exists(path):
            call([os.path.join(self.build, "warpmem-cc"), "-O2", "-w", *words, "-lm", "-o", path], program.folder, self.seconds)
            keep(path + ".json", key, hash_of_file(path))
        return path

    def words_of(self, program):
        names = re.findall(r"{(\w+)}", program.arguments)
        inputs = {name: input_file(name, os.path.join(self.out, "inputs")) for name in names}
        return [word.format(**inputs) for word in program.arguments.split()], list(inputs.values())

    def work_folder(self, program):
        """With links to the program's files, of which those that it writes itself stay."""
        folder = self.path("work", program.suite, program.name)
        os.makedirs(folder, exist_ok=True)
        for name in os.listdir(program.folder):
            if not os.path.lexists(os.path.join(folder, name)):
                os.symlink(os.path.join(program.folder, name), os.path.join(folder, name))
        return folder

    def captured(self, program, name, *options):
        """(path of a trace, [warp instructions of each launch], what the program printed). name: of the trace; options: of capture."""
        binary, (words, inputs) = self.binary(program), self.words_of(program)
        path = self.path("traces", program.suite, program.name, name, self.cores, hash_of(program.arguments)[:8]) + ".wtr"
        options = ("--cores", self.cores, *options)
        key = hash_of(hash_of_file(binary), hash_files(inputs), hash_of_file(os.path.join(self.build, "warpmem")), *options, "--", *words)
        found = kept_result(path + ".json", key)
        if found is None or not os.path.exists(path):
            warpmem = os.path.join(self.build, "warpmem")
            said = call([warpmem, "capture", "-o", path, *options, "--", binary, *words], self.work_folder(program), self.seconds)
            items = json.loads(call([warpmem, "info", "--json=-", path], None, self.seconds))["items"]
            found = {"said": said, "launches": [item["warp_instructions"] for item in items if item["kind"] == "launch"]}
            keep(path + ".json", key, found)
        return path, found["launches"], found["said"]

    def trace(self, program, kernel, launches):
        """(path, [warp instructions of each launch]) of a trace with the first launches of one kernel."""
        return self.captured(program, kernel, "--kernels", kernel, "--max-launches", str(launches))[:2]


def run_launch(build, kept, path, number, *options):
    """JSON of warpmem run of one launch of a trace, kept in a folder. None: with --only-kept, there is none."""
    words = [os.path.join(build, "warpmem"), "run", path, "--launch", str(number), "--no-progress", "--keep", kept, "--json", "-", *options]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode == NOT_KEPT and "--only-kept" in options:
        return None
    if done.returncode:
        raise Failed((done.stderr.strip().splitlines() or ["warpmem run: failed"])[0])
    return json.loads(done.stdout)


def keys_of(build, preset, *options):
    """{"core.count": "80"} of a machine."""
    done = subprocess.run([os.path.join(build, "warpmem"), "config", "show", preset, *options], capture_output=True, text=True, check=False)
    if done.returncode:
        raise BadInput(done.stderr.strip().removeprefix("warpmem: "))
    found, section = {}, ""
    for line in done.stdout.splitlines():
        text = line.split(";")[0].strip()
        if text.startswith("["):
            section = text.strip("[]")
        elif "=" in text:
            key, value = text.split("=", 1)
            found[f"{section}.{key.strip()}"] = value.strip()
    return found
