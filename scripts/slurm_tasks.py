# SPDX-License-Identifier: Apache-2.0
"""Runs commands as tasks of Slurm for `warpmem compare --engine slurm`, which has this file, house.py and slurm.py joined in the program.

stdin, as JSON: folder (of the tasks), program (the first word of each command; tasks run a copy), digest (of the program),
commands ({name: words}). stdout: a line of JSON for each task as it ends: name; code, null if its command has none; said, the last
line of its messages, or why it has no code; log, its folder, which stays if the code is not 0.
"""
import json
import os
import sys

from warpmem.tools.house import only_one, run_tool
from warpmem.tools.slurm import Slurm, staged


def last_line(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError as error:
        return f"{path}: {error.strerror}"
    return lines[-1] if lines else ""


def run_tasks(_arguments):
    wanted = json.load(sys.stdin)
    folder = wanted["folder"]
    lock = only_one(folder, "warpmem compare --engine slurm", "another --keep")
    slurm = Slurm(folder, final=(0, 2))
    program = staged(wanted["program"], folder, wanted["digest"])
    # `env -C` as the words name files from the folder in which the command was given.
    commands = {name: ["env", "-C", wanted["directory"], program, *words] for name, words in wanted["commands"].items()}
    for name, ended in slurm.work(commands):
        said = last_line(ended.err) if ended.code is not None else f"Slurm: {ended.reason}"
        print(json.dumps({"name": name, "code": ended.code, "said": said, "log": slurm.path(name).rstrip(os.sep)}), flush=True)
        if ended.code == 0:
            slurm.forget(name)
    lock.close()
    return 0


if __name__ == "__main__":
    run_tool("warpmem compare", run_tasks, own_codes=True)
