#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes goals one after another, those that did not pass yet with the same sources; stops at the first that fails.

That a goal passed is kept in BUILD/goals with a hash of the files of the tree that it may read (all but those that
scripts/goals.tsv names), of the installed packages and of make's variables. So after a kill the same command goes on, and a
change runs again what it can change. The end is a table of times, of a goal that was stopped and went on with all that it
took; processor time is what a busy computer does not lengthen.
"""
import argparse
import fnmatch
import hashlib
import json
import os
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "house"))
import variables  # noqa: E402
from house import BadInput, Parser, only_one, run_tool, write_whole  # noqa: E402

TABLE = "scripts/goals.tsv"
ALWAYS, NOTHING = "always", "nothing"
# Options of make with which it ends well and has not made it, or (e) with all of the environment before what makefiles say.
UNTRUE = "einqt"


def parse(arguments):
    parser = Parser(prog="run_goals", description=__doc__.splitlines()[0], epilog=__doc__.split("\n\n", 1)[1],
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", help="what passed is kept in BUILD/goals (build)")
    parser.add_argument("--make", default="make", help="the command (make)")
    parser.add_argument("--again", action="store_true", help="also what passed before")
    parser.add_argument("goals", nargs="+", metavar="GOAL")
    return parser.parse_args(arguments)


def not_read():
    """{goal: patterns of files that it does not read, None: it always runs}, with * for all others."""
    found = {}
    with open(TABLE, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    for row in rows[1:]:
        if len(row) != 2 or not row[1].split():
            raise BadInput(f"{TABLE}: {row[0]}: must be GOALS, a tab, and always, nothing or patterns")
        patterns = {ALWAYS: None, NOTHING: []}.get(row[1].strip(), row[1].split())
        for goal in row[0].split(","):
            if goal in found and not (patterns and found[goal]):
                raise BadInput(f"{TABLE}: {goal}: has two lines, one of which says {ALWAYS} or {NOTHING}")
            found[goal] = patterns and found.get(goal, []) + patterns
    if "*" not in found:
        raise BadInput(f"{TABLE}: must have a line for *")
    return found


def output(*words):
    try:
        done = subprocess.run(words, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    except OSError:
        return None
    return None if done.returncode else done.stdout


def files(build):
    """{path: hash} of all files that git knows or would add, or outside git of all there are, but for the build's."""
    listed = output("git", "ls-files", "-coz", "--exclude-standard")
    if listed is not None and listed.strip(b"\0"):
        below = os.path.relpath(build) + os.sep
        paths = [name for name in map(os.fsdecode, listed.split(b"\0")) if name and not name.startswith(below)]
    else:
        paths = []
        for folder, folders, names in os.walk("."):
            folders[:] = [name for name in folders if name not in (".git", "__pycache__")
                          and not os.path.abspath(os.path.join(folder, name)) == os.path.abspath(build)]
            paths += [os.path.relpath(os.path.join(folder, name)) for name in names]
    found = {}
    for path in sorted(set(paths)):
        if os.path.isfile(path):
            with open(path, "rb") as file:
                mode = "x" if os.access(path, os.X_OK) else "-"
                found[path] = mode + hashlib.sha256(file.read()).hexdigest()
    return found


def surroundings():
    """Packages, and what make was told."""
    packages = output("dpkg-query", "-W", "-f", "${Package} ${Architecture} ${Version}\n") or b""
    # MAKEFLAGS has options, then NAME=value; a blank in a value has a backslash before it.
    told = os.environ.get("MAKEFLAGS", "").replace("\\ ", "\0").split()
    told = sorted({word for word in told if "=" in word and not word.startswith("-")
                   and word.split("=")[0] not in variables.NO_MATTER})
    told += [f"{name}={os.environ[name]}" for name in variables.DECIDING if name in os.environ]
    # A file outside the tree may change under the same name.
    for word in list(told):
        name, _, path = word.partition("=")
        path = path.replace("\0", " ")
        if name in variables.FILES and os.path.isfile(path):
            with open(path, "rb") as file:
                told.append(hashlib.sha256(file.read()).hexdigest())
    return [hashlib.sha256(packages).hexdigest(), os.uname().machine, *told]


def matches(path, pattern):
    if pattern.endswith("/"):
        return path.startswith(pattern)
    return path.count("/") == pattern.count("/") and fnmatch.fnmatchcase(path, pattern)


def proves_nothing():
    """Whether make was told to ignore errors, to say only what it would do, or to believe what nobody listed."""
    return any(letter in os.environ.get("MAKEFLAGS", "").partition(" ")[0] for letter in UNTRUE)


def key_of(goal, patterns, tree, around):
    parts = [goal, *around]
    for path, digest in tree.items():
        if not any(matches(path, pattern) for pattern in patterns or []):
            parts += [path, digest]
    return hashlib.sha256("\0".join(parts).encode(errors="surrogateescape")).hexdigest()[:24]


class Kept:
    """Of each goal, a file with the key it last passed with and what it took; whole or not there. Beside it, of one that did
    not come to its end, what it took so far."""

    def __init__(self, folder):
        self.folder = folder
        self.lock = only_one(folder, "make test or make check")

    def path(self, goal, unfinished=False):
        return os.path.join(self.folder, goal + (".unfinished" if unfinished else "") + ".json")

    def get(self, goal, unfinished=False):
        try:
            with open(self.path(goal, unfinished), encoding="utf-8") as file:
                found = json.load(file)
            return {"key": str(found["key"]), "seconds": float(found["seconds"]), "processor": float(found["processor"])}
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, goal, key, seconds, processor, unfinished=False):
        write_whole(self.path(goal, unfinished),
                    json.dumps({"key": key, "seconds": round(seconds, 1), "processor": round(processor, 1)}))
        if os.path.exists(self.path(goal, not unfinished)):
            os.remove(self.path(goal, not unfinished))

    def fail(self, goal, key, seconds, processor):
        """It failed or was stopped: that it passed before is not true any more."""
        self.put(goal, key, seconds, processor, unfinished=True)

    def so_far(self, goal, key):
        """(seconds, of processors) that it took with this key before it was stopped or failed."""
        before = self.get(goal, True)
        return (before["seconds"], before["processor"]) if before and before["key"] == key else (0.0, 0.0)


def duration(seconds):
    seconds = round(seconds)
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60:02d} s"
    return f"{seconds // 3600} h {seconds % 3600 // 60:02d} min"


def perform(make, goal, jobs):
    """Exit code. With this process its make ends too, killed or not."""
    child = subprocess.Popen(["setpriv", "--pdeathsig", "TERM", *make.split(), "--no-print-directory", f"-j{jobs}", goal])
    try:
        return child.wait()
    except BaseException:
        child.terminate()
        child.wait()
        raise


def clocks():
    """Seconds that went by, and that ended children took of processors."""
    times = os.times()
    return time.monotonic(), times.children_user + times.children_system


def changed_since(goals, unread, kept, build):
    """Goals whose last pass was not with what their files are now: a change while others ran would go unnoticed."""
    tree, around = files(build), surroundings()

    def passed(goal, patterns):
        entry = kept.get(goal)
        return patterns is None or (entry and entry["key"] == key_of(goal, patterns, tree, around))
    return [goal for goal in goals if not passed(goal, unread.get(goal, unread["*"]))]


def left(goals, kept):
    """How long these take, from how long they took before."""
    times = [kept.get(goal) for goal in goals]
    known = [entry["seconds"] for entry in times if entry]
    if not known:
        return "not known how long"
    unknown = len(goals) - len(known)
    return f"about {duration(sum(known))}" + (f" and {unknown} goals of unknown length" if unknown else "") + " left"


def print_table(rows):
    print(f"{'goal':20s} {'time':>14s} {'of processors':>14s}")
    for goal, seconds, processor, what in rows:
        print(f"{goal:20s} {duration(seconds):>14s} {duration(processor):>14s}  {what}".rstrip())
    now = [row for row in rows if not row[3].startswith("passed before")]
    for name, some in (("this time", now), ("with those before", rows)):
        if some is now or len(now) != len(rows):
            print(f"{name:20s} {duration(sum(row[1] for row in some)):>14s} {duration(sum(row[2] for row in some)):>14s}")
    sys.stdout.flush()


def main(arguments):
    options = parse(arguments)
    jobs = os.environ.get("JOBS") or str(len(os.sched_getaffinity(0)))
    unread, kept = not_read(), Kept(os.path.join(options.build, "goals"))
    rows, failed = [], None
    for at, goal in enumerate(options.goals):
        patterns = unread.get(goal, unread["*"])
        key, before = key_of(goal, patterns, files(options.build), surroundings()), kept.get(goal)
        if patterns is not None and before and before["key"] == key and not options.again:
            print(f"== {goal}: passed before with the same sources", flush=True)
            rows.append((goal, before["seconds"], before["processor"], "passed before"))
            continue
        print(f"goals: {at} of {len(options.goals)}, {left(options.goals[at:], kept)}: make {goal}", file=sys.stderr,
              flush=True)
        begun, so_far, ended = clocks(), kept.so_far(goal, key), False
        try:
            code = perform(options.make, goal, jobs)
            ended = code == 0
        finally:
            seconds, processor = (now - then + more for now, then, more in zip(clocks(), begun, so_far))
            if not ended:
                kept.fail(goal, key, seconds, processor)
        rows.append((goal, seconds, processor, "FAILED" if code else ""))
        if code:
            failed = goal
            break
        if proves_nothing():
            pass
        elif key == key_of(goal, patterns, files(options.build), surroundings()):
            kept.put(goal, key, seconds, processor)
        else:
            print(f"goals: {goal}: files changed while it ran, so it will run again", file=sys.stderr)
        print(f"== {goal}: {duration(seconds)}", flush=True)
    print_table(rows)
    if failed:
        print(f"FAILED: make {failed}; the same command goes on there", file=sys.stderr)
        return 1
    changed = [] if proves_nothing() else changed_since(options.goals, unread, kept, options.build)
    if changed:
        print(f"FAILED: files changed since these passed: {' '.join(changed)}; the same command makes them again",
              file=sys.stderr)
        return 1
    print(f"all passed: {' '.join(options.goals)}")
    return 0


if __name__ == "__main__":
    run_tool("goals", main, (signal.SIGTERM, signal.SIGHUP))
