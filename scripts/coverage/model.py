# SPDX-License-Identifier: Apache-2.0
"""Line coverage of the C model: the counts of all runs are merged by gcov-tool and read with gcov."""
import json
import os
import shutil
from collections import defaultdict

from house import ToolFailed, command, hash_files, hash_of
from work import Progress, in_parallel, keep, kept_result

SHIPPED = ("cosim/rtl_options.c",)  # beside cmodel/: a part of warpmem-rtl


def merge(folders, work, jobs):
    """All counts in one folder in work; gcov-tool adds two at a time, so in rounds that halve them."""
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    if not folders:
        raise ToolFailed("no test wrote counts of the C model")
    number = 0

    def add(at):
        command(["gcov-tool", "merge", *folders[2 * at:2 * at + 2], "-o", os.path.join(work, str(number + at))])
        for folder in folders[2 * at:2 * at + 2]:
            if folder.startswith(work):
                shutil.rmtree(folder)

    while len(folders) > 1:
        pairs = range(len(folders) // 2)
        progress = Progress(f"coverage: {len(folders)} counts to merge", pairs, jobs)
        for at, _ in in_parallel(add, pairs, jobs):
            progress.step(at)
        folders = [os.path.join(work, str(number + at)) for at in pairs] + folders[2 * len(pairs):]
        number += len(pairs)
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


def read(merged, objects):
    """{file: {line: count}} of the files in cmodel/; one that no test links has counts of zero."""
    lines = defaultdict(lambda: defaultdict(int))
    notes = notes_of(objects)
    if not notes:
        raise ToolFailed(f"{objects}: built without --coverage")
    root = os.getcwd()
    for note in notes:
        # gcov looks for both files in one place.
        place = os.path.join(merged, os.path.relpath(note, objects))
        os.makedirs(os.path.dirname(place), exist_ok=True)
        shutil.copyfile(note, place)
        text = command(["gcov", "--json-format", "--stdout", place])
        for file in (file for part in text.splitlines() if part for file in json.loads(part)["files"]):
            path = os.path.normpath(os.path.relpath(os.path.join(root, file["file"]), root))
            if path.startswith("cmodel/") or path in SHIPPED:
                for line in file["lines"]:
                    lines[path][line["line_number"]] += line["count"]
    return {path: dict(sorted(counts.items())) for path, counts in sorted(lines.items())}


def measure(runs, store, work, jobs):
    """As read(), kept for as long as no run is new."""
    # An object may be new though no program that counts is: its lines may have moved.
    objects = os.path.join(store.build, "obj")
    key = hash_of(*sorted(store.keys[run] for run in runs), hash_files(notes_of(objects)))
    kept = os.path.join(work, "lines.json")
    result = kept_result(kept, key)
    if result is not None:
        return {path: {int(line): count for line, count in counts.items()} for path, counts in result.items()}
    folders = [os.path.join(store.path(run), "gcda") for run in runs]
    # The kept counts go away here, too, and come back when all is done.
    merged = merge([folder for folder in folders if os.path.isdir(os.path.join(folder, "cmodel"))], work, jobs)
    result = read(merged, objects)
    shutil.rmtree(merged)
    keep(kept, key, result)
    return result
