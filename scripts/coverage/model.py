# SPDX-License-Identifier: Apache-2.0
"""Line coverage of the C model: the counts of all runs are merged by gcov-tool and read with gcov."""
import json
import os
import shutil
import subprocess
from collections import defaultdict

from common import Failed, Progress, hash_of, write


def tool(command, folder=None):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                          errors="replace", check=False)
    if done.returncode:
        raise Failed(f"{' '.join(command[:3])}: {done.stderr.strip().splitlines()[-1:]}")
    return done.stdout


def merge(folders, work):
    """All counts in work/all; gcov-tool adds two folders at a time."""
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    total, progress = None, Progress("coverage")
    for number, folder in enumerate(folders):
        if total is None:
            total = folder
            continue
        path = os.path.join(work, str(number))
        tool(["gcov-tool", "merge", total, folder, "-o", path])
        if total.startswith(work):
            shutil.rmtree(total)
        total = path
        progress.say(f"{number + 1} of {len(folders)} counts merged")
    progress.end()
    if total is None:
        raise Failed("no test wrote counts of the C model")
    final = os.path.join(work, "all")
    if total.startswith(work):
        os.rename(total, final)
    else:
        shutil.copytree(total, final)
    return final


def read(merged, objects, work):
    """{file: {line: count}} of the files in cmodel/; one that no test links has counts of zero."""
    lines = defaultdict(lambda: defaultdict(int))
    notes = []
    for folder, _, names in os.walk(os.path.join(objects, "cmodel")):
        notes += [os.path.join(folder, name) for name in names if name.endswith(".gcno")]
    if not notes:
        raise Failed(f"{objects}: built without --coverage")
    root = os.getcwd()
    for note in sorted(notes):
        # gcov looks for both files in one place.
        place = os.path.join(merged, os.path.relpath(note, objects))
        os.makedirs(os.path.dirname(place), exist_ok=True)
        shutil.copyfile(note, place)
        text = tool(["gcov", "--json-format", "--stdout", place])
        for file in (file for part in text.splitlines() if part for file in json.loads(part)["files"]):
            path = os.path.normpath(os.path.relpath(os.path.join(root, file["file"]), root))
            if path.startswith("cmodel/"):
                for line in file["lines"]:
                    lines[path][line["line_number"]] += line["count"]
    result = {path: dict(sorted(counts.items())) for path, counts in sorted(lines.items())}
    write(os.path.join(work, "lines.json"), json.dumps(result) + "\n")
    return result


def measure(runs, store, work):
    """As read(), kept for as long as no run is new."""
    keys = sorted(store.recorded(run)["key"] for run in runs)
    # An object may be new though no program that counts is: its lines may have moved.
    objects = os.path.join(store.build, "obj")
    stamps = []
    for folder, _, names in os.walk(os.path.join(objects, "cmodel")):
        for name in sorted(names):
            if name.endswith(".gcno"):
                with open(os.path.join(folder, name), "rb") as file:
                    stamps.append(hash_of([folder, name, file.read().hex()]))
    key = hash_of(keys + sorted(stamps))
    try:
        with open(os.path.join(work, "key"), encoding="utf-8") as file, \
                open(os.path.join(work, "lines.json"), encoding="utf-8") as kept:
            if file.read() == key:
                return {path: {int(line): count for line, count in counts.items()}
                        for path, counts in json.load(kept).items()}
    except (OSError, ValueError):
        pass
    folders = [os.path.join(store.path(run), "gcda") for run in runs]
    merged = merge([folder for folder in folders if os.path.isdir(os.path.join(folder, "cmodel"))], work)
    result = read(merged, objects, work)
    shutil.rmtree(merged)
    write(os.path.join(work, "key"), key)
    return result
