# SPDX-License-Identifier: Apache-2.0
"""Line coverage of the C model: the counts of all runs are merged by gcov-tool and read with gcov."""
import concurrent.futures
import json
import os
import shutil
import subprocess
from collections import defaultdict

from common import Failed, Progress, hash_of, hash_of_file, write


def tool(command, folder=None):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                          errors="replace", check=False)
    if done.returncode:
        raise Failed(f"{' '.join(command[:3])}: {done.stderr.strip().splitlines()[-1:]}")
    return done.stdout


def merge(folders, work, jobs):
    """All counts in one folder in work; gcov-tool adds two at a time, so in rounds that halve them."""
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    if not folders:
        raise Failed("no test wrote counts of the C model")
    progress, number = Progress("coverage"), 0

    def add(pair, to):
        tool(["gcov-tool", "merge", *pair, "-o", to])
        for folder in pair:
            if folder.startswith(work):
                shutil.rmtree(folder)
        return to

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        while len(folders) > 1:
            progress.say(f"{len(folders)} counts to merge")
            pairs = [folders[i:i + 2] for i in range(0, len(folders) - 1, 2)]
            sums = pool.map(add, pairs, [os.path.join(work, str(number + i)) for i in range(len(pairs))])
            folders, number = list(sums) + folders[2 * len(pairs):], number + len(pairs)
    progress.end()
    final = os.path.join(work, "all")
    shutil.copytree(folders[0], final)
    return final


def notes_of(objects):
    """gcc's notes about the C files of cmodel/. Those of a file that is gone go, with its object: make, which knows no more
    of either, would take that for the file's if it came back."""
    notes = []
    for folder, _, names in os.walk(os.path.join(objects, "cmodel")):
        for stem in (os.path.join(folder, name[:-len(".gcno")]) for name in names if name.endswith(".gcno")):
            if os.path.exists(os.path.relpath(stem, objects) + ".c"):
                notes.append(stem + ".gcno")
                continue
            for ending in (".gcno", ".o", ".d"):
                if os.path.exists(stem + ending):
                    os.remove(stem + ending)
    return sorted(notes)


def read(merged, objects, work):
    """{file: {line: count}} of the files in cmodel/; one that no test links has counts of zero."""
    lines = defaultdict(lambda: defaultdict(int))
    notes = notes_of(objects)
    if not notes:
        raise Failed(f"{objects}: built without --coverage")
    root = os.getcwd()
    for note in notes:
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


def measure(runs, store, work, jobs):
    """As read(), kept for as long as no run is new."""
    keys = sorted(store.recorded(run)["key"] for run in runs)
    # An object may be new though no program that counts is: its lines may have moved.
    objects = os.path.join(store.build, "obj")
    stamps = [hash_of([*os.path.split(note), hash_of_file(note)]) for note in notes_of(objects)]
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
    # key, too, goes away here: it comes back when all is done.
    merged = merge([folder for folder in folders if os.path.isdir(os.path.join(folder, "cmodel"))], work, jobs)
    result = read(merged, objects, work)
    for name in os.listdir(work):
        if name != "lines.json":
            shutil.rmtree(os.path.join(work, name))
    write(os.path.join(work, "key"), key)
    return result
