# SPDX-License-Identifier: Apache-2.0
"""The test programs that are measured: each runs once per version of its inputs, and its coverage is cached.

A run is known by the hash of its program, and of everything that tests read where it starts other programs or reads a
folder; so a change repeats only what it can change, and a run that a kill cut short is as if it had not begun.
"""
import dataclasses
import glob
import os
import shutil
import time

from house import BadInput, ToolFailed, hash_files, hash_of, hash_of_file
from work import ANY, Progress, in_parallel, keep, kept_result, longest_first, run_program

# A program that imports one of these reads more than itself: other programs and what they read, or all files of a folder.
READERS = (b"execv", b"execvp", b"execve", b"execl", b"execlp", b"popen", b"system", b"posix_spawn", b"posix_spawnp",
           b"opendir", b"scandir", b"glob", b"ftw", b"nftw")
PROGRAMS = ("warpmem", "warpmem-rtl", "wavediff", "dramcheck", "tb/cli/warpmem-faulty", "tb/cli/wavediff-faulty",
            "tb/cosim/warpmem-broken")  # that tests start
RTL_TESTS = ("cli/bad_input_test", "cli/cli_test")  # that `make rtl-loop` runs with Verilog, too
UNREAD = ("data/coverage/", "data/evidence.", "scripts/coverage/", "scripts/formal/",
          "scripts/mutate/")  # folders that the tests of the model do not read
TAIL = 20  # lines of a failed run's output that are shown


@dataclasses.dataclass(frozen=True)
class Run:
    """@coverage: it writes Verilator coverage; @alone: its program is all that it reads."""
    name: str
    command: tuple
    environment: tuple = ()
    coverage: bool = False
    alone: bool = True
    block: str = ""
    label: str = ""  # of the parameter set


def reads_others(path):
    if not os.path.exists(path):
        return False
    with open(path, "rb") as file:
        data = file.read()
    return any(b"\0" + name + b"\0" in data for name in READERS)


def unit_runs(programs, build):
    """Unit tests of the model: programs, and scripts that run them."""
    for program in programs:
        script = program.endswith(".py")
        name = "unit/" + (program if script else os.path.relpath(program, os.path.join(build, "unit")))
        yield Run(name, (program,), (("WARPMEM_BUILD", build),), alone=not script and not reads_others(program))


def sets_of(block, build):
    path = os.path.join(build, "rtl", block, "sets")
    try:
        with open(path, encoding="utf-8") as file:
            return [line.split()[0] for line in file if line.strip()]
    except OSError:
        raise BadInput(f"{path}: no such file; --block {block}: must be a block that make coverage built") from None


def block_runs(blocks, build):
    """A block's unit tests, and lockstep on each parameter set."""
    for block in blocks:
        program = os.path.join(build, "tb", block + "_test")
        yield Run(f"block/{block}", (program, "--unit"))
        for label in sets_of(block, build):
            yield Run(f"lockstep/{block}.{label}", (program, "--lockstep", "--points", "--set", label), coverage=True, block=block,
                      label=label)


def cosim_runs(programs, build):
    """Tests of the lockstep framework, which run warpmem-rtl too; and the Verilog in the machine."""
    for program in programs:
        name = os.path.basename(program)
        yield Run("cosim/" + name, (program,), (
            ("WAVEDIFF", os.path.join(build, "wavediff")), ("COSIM_TMP", os.path.join(build, "cosim-logs", name)),
            ("SAMPLE_DIR", os.path.join(build, "rtl", "cosim", "sample")),
            ("BROKEN", os.path.join(build, "tb", "cosim", "warpmem-broken")),
            ("WAVEDIFF_FAULTY", os.path.join(build, "tb", "cli", "wavediff-faulty"))), alone=False)
    if programs:
        for test in RTL_TESTS:
            yield Run(f"unit/{test}.rtl", (os.path.join(build, "unit", test), os.path.join(build, "warpmem-rtl")), alone=False)
        yield Run("rtl-loop", ("scripts/rtl_loop.sh", build), alone=False)


def everything(build):
    """A hash of all that a test which reads more than its program may read."""
    paths = [path for path in (os.path.join(build, name) for name in PROGRAMS) if os.path.exists(path)]
    for folder in ("scripts", "data", "tb/scripts", "cosim", "tb/cosim", "tb/fuzz/corpus", "cmodel", "rtl"):
        paths += [path for path in glob.glob(folder + "/**", recursive=True)
                  if os.path.isfile(path) and "__pycache__" not in path and not path.startswith(UNREAD)]
    return hash_files(paths)


class Store:
    """Results of runs in folders of their own: run.json, output.txt, gcda/ and coverage.dat."""

    def __init__(self, folder, build):
        self.folder = folder
        self.build = build
        self.all, self.keys = None, {}

    def path(self, run):
        return os.path.join(self.folder, run.name.replace("/", "_"))

    def key(self, run):
        if not os.path.exists(run.command[0]):
            raise BadInput(f"{run.command[0]}: no such program; make coverage builds it")
        words = [run.name, *run.command, *(f"{k}={v}" for k, v in run.environment), hash_of_file(run.command[0])]
        if not run.alone:
            self.all = self.all or everything(self.build)
            words.append(self.all)
        return hash_of(*words)

    def recorded(self, run, key=ANY):
        """The time that a run took: seconds, and seconds of processors."""
        return kept_result(os.path.join(self.path(run), "run.json"), key) or {}

    def output(self, run):
        with open(os.path.join(self.path(run), "output.txt"), encoding="utf-8", errors="replace") as file:
            return file.read()

    def perform(self, run, key):
        """(seconds it took, "" or the failure)"""
        path, work = self.path(run), self.path(run) + ".part"
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        objects = os.path.abspath(os.path.join(self.build, "obj"))
        environment = {**os.environ, **dict(run.environment), "GCOV_PREFIX": os.path.abspath(os.path.join(work, "gcda")),
                       "GCOV_PREFIX_STRIP": str(objects.count("/"))}
        for name in ("SEED", "CYCLES"):  # they are the tests' own
            environment.pop(name, None)
        if "COSIM_TMP" in environment:
            os.makedirs(environment["COSIM_TMP"], exist_ok=True)
        command = list(run.command)
        if run.coverage:
            command += ["--coverage", os.path.join(work, "coverage.dat"), "--mismatch-dir", work]
        begin = time.monotonic()
        with open(os.path.join(work, "output.txt"), "wb") as output:
            code, usage = run_program(command, output, env=environment)
        if code:
            with open(os.path.join(work, "output.txt"), encoding="utf-8", errors="replace") as file:
                tail = [line for line in file.read().splitlines() if not line.startswith(("[ RUN", "[       OK"))][-TAIL:]
            return seconds_since(begin), "\n".join([f"{run.name} failed (exit {code}): {' '.join(command)}", *tail])
        # The tests' own lines do not count.
        for name in os.listdir(os.path.join(work, "gcda")) if os.path.isdir(os.path.join(work, "gcda")) else ():
            if name != "cmodel":
                other = os.path.join(work, "gcda", name)
                shutil.rmtree(other) if os.path.isdir(other) else os.remove(other)
        seconds = seconds_since(begin)
        keep(os.path.join(work, "run.json"), key, {"seconds": seconds, "cpu": round(usage.ru_utime + usage.ru_stime, 2)})
        shutil.rmtree(path, ignore_errors=True)
        os.rename(work, path)
        return seconds, ""


def seconds_since(begin):
    return round(time.monotonic() - begin, 2)


def perform_all(runs, store, jobs):
    """Runs what is not kept. Returns how many ran; ToolFailed names all that failed."""
    keys = store.keys = {run: store.key(run) for run in runs}
    past = {run: took["seconds"] for run in runs if (took := store.recorded(run))}
    waiting = longest_first([run for run in runs if not store.recorded(run, keys[run])], past)
    progress, failures = Progress("coverage", waiting, jobs, past), []
    for run, (seconds, failure) in in_parallel(lambda run: store.perform(run, keys[run]), waiting, jobs):
        failures += [failure] if failure else []
        progress.step(run, seconds)
    failures += [f"{run.name}: {run.command[0]} was compiled again while the tests ran"
                 for run in waiting if store.key(run) != keys[run]]
    if failures:
        raise ToolFailed("\n".join(failures))
    return len(waiting)
