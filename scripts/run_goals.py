#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes goals one after another, those that did not pass yet with the same sources; stops at the first that fails.

A passed goal is noted in BUILD/goals with a hash of the files of the tree that it may read (all but those
that scripts/goals.tsv names), of the installed packages and of make's variables. So after a kill the same
command continues, and a change repeats only the goals that it can affect. The end is a table of times, of a
goal that was stopped and went on with all that it took; processor time is what a busy computer does not
lengthen.
"""
import fnmatch
import os
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "house"))
import variables  # noqa: E402
from house import BadInput, Parser, aligned, hash_of, hash_of_file, only_one, run_tool  # noqa: E402
from work import ANY, ENDING_WITH_US, keep, kept_result, time_left  # noqa: E402

TABLE = "scripts/goals.tsv"
ALWAYS, NOTHING = "always", "nothing"
# Options of make with which it ends well and has not made it, or (e) with all of the environment before what makefiles say.
UNTRUE = "einqt"


def parse(arguments):
    parser = Parser("run_goals", __doc__)
    parser.add_build("what passed is kept in BUILD/goals (build)")
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
    return {path: ("x" if os.access(path, os.X_OK) else "-") + hash_of_file(path)
            for path in sorted(set(paths)) if os.path.isfile(path)}


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
            told.append(hash_of_file(path))
    return [packages.decode(), os.uname().machine, *told]


def matches(path, pattern):
    if pattern.endswith("/"):
        return path.startswith(pattern)
    return path.count("/") == pattern.count("/") and fnmatch.fnmatchcase(path, pattern)


def proves_nothing():
    """Was make told to ignore errors, to print commands only, or to treat files as up to date?"""
    return any(letter in os.environ.get("MAKEFLAGS", "").partition(" ")[0] for letter in UNTRUE)


def key_of(goal, patterns, tree, around):
    return hash_of(goal, *around, *(part for path, digest in tree.items()
                                    if not any(matches(path, pattern) for pattern in patterns or []) for part in (path, digest)))


class Kept:
    """Of each goal, the key that it last passed with and what it took, in seconds and of processors. Beside it, of one that did
    not come to its end, what it took so far."""

    def __init__(self, folder):
        self.folder = folder
        self.lock = only_one(folder, "make test or make check")

    def path(self, goal, passed=True):
        return os.path.join(self.folder, goal + ("" if passed else ".unfinished") + ".json")

    def took(self, goal, key=ANY, passed=True):
        return kept_result(self.path(goal, passed), key)

    def put(self, goal, key, took, passed):
        """Not passed: it failed or was stopped, so that it passed before is not true any more."""
        keep(self.path(goal, passed), key, [round(seconds, 1) for seconds in took])
        if os.path.exists(self.path(goal, not passed)):
            os.remove(self.path(goal, not passed))


def duration(seconds):
    seconds = round(seconds)
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60:02d} s"
    return f"{seconds // 3600} h {seconds % 3600 // 60:02d} min"


def perform(make, goal, jobs):
    """Exit code. With this process its make ends too, killed or not."""
    child = subprocess.Popen([*ENDING_WITH_US, *make.split(), "--no-print-directory", f"-j{jobs}", goal])
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
        return patterns is None or kept.took(goal, key_of(goal, patterns, tree, around))
    return [goal for goal in goals if not passed(goal, unread.get(goal, unread["*"]))]


def left(goals, kept):
    """Estimated time of these goals, from their past times."""
    known = [took[0] for goal in goals if (took := kept.took(goal))]
    unknown = len(goals) - len(known)
    return time_left(sum(known) if known else None) + (f", and {unknown} goals of unknown length" if known and unknown else "")


def print_table(rows):
    table = [("goal", "time", "of processors", ""), *((row[0], *map(duration, row[1:3]), row[3]) for row in rows)]
    now = [row for row in rows if not row[3].startswith("passed before")]
    for name, some in (("this time", now), ("with those before", rows)):
        if some is now or len(now) != len(rows):
            table.append((name, *(duration(sum(row[column] for row in some)) for column in (1, 2)), ""))
    print("\n".join(aligned(table, (0, 3))), flush=True)


def main(arguments):
    options = parse(arguments)
    jobs = os.environ.get("JOBS") or str(len(os.sched_getaffinity(0)))
    unread, kept = not_read(), Kept(os.path.join(options.build, "goals"))
    rows, failed = [], None
    for at, goal in enumerate(options.goals):
        patterns = unread.get(goal, unread["*"])
        key = key_of(goal, patterns, files(options.build), surroundings())
        before = patterns is not None and not options.again and kept.took(goal, key)
        if before:
            print(f"== {goal}: passed before with the same sources", flush=True)
            rows.append((goal, *before, "passed before"))
            continue
        print(f"goals: {at} of {len(options.goals)}, {left(options.goals[at:], kept)}: make {goal}", file=sys.stderr,
              flush=True)
        begun, so_far, code = clocks(), kept.took(goal, key, passed=False) or (0, 0), None
        try:
            code = perform(options.make, goal, jobs)
        finally:
            took = [now - then + more for now, then, more in zip(clocks(), begun, so_far)]
            if code != 0:
                kept.put(goal, key, took, passed=False)
        rows.append((goal, *took, "FAILED" if code else ""))
        if code:
            failed = goal
            break
        if proves_nothing():
            pass
        elif key == key_of(goal, patterns, files(options.build), surroundings()):
            kept.put(goal, key, took, passed=True)
        else:
            print(f"goals: {goal}: files changed while it ran, so it will run again", file=sys.stderr)
        print(f"== {goal}: {duration(took[0])}", flush=True)
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
    run_tool("goals", main)
