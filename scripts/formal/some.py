#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Proves those properties of the hardware blocks that take seconds, for every day.

These are the proofs marked test in tb/PLACE/BLOCK_proofs.txt but for those in scripts/formal/longer.txt. Options, results and
tables are those of scripts/formal.
"""
import importlib.util
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "house"))
from house import BadInput, read, run_tool  # noqa: E402
from jobs import FOR_ALL_TIME  # noqa: E402

LIST = "scripts/formal/longer.txt"


def load_formal():
    spec = importlib.util.spec_from_file_location("formal", os.path.join(HERE, "__main__.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def longer(listed):
    """The jobs in LIST. Each block keeps a proof for all time, and a cover if it has one that is marked test."""
    names = {(job.block, job.set, job.method): job for job in listed if job.when == "test"}
    found = set()
    for number, line in enumerate(read(os.path.join(HERE, os.path.basename(LIST))).splitlines(), 1):
        words = tuple(line.split())
        if words and not line.startswith("#"):
            if words not in names:
                raise BadInput(f"{LIST}:{number}: must be block, set and method of a proof marked test in its _proofs.txt")
            found.add(names[words])
    for block in dict.fromkeys(job.block for job in listed):
        everyday = [job for job in names.values() if job.block == block]
        for methods, what in ((FOR_ALL_TIME, "proof for all time"), (("cover",), "cover")):
            mine = {job for job in everyday if job.method in methods}
            if mine and mine <= found:
                raise BadInput(f"{LIST}: {block}: must leave a {what} to every day")
    return found


def main(arguments):
    formal = load_formal()
    select = formal.select

    def select_some(options, listed):
        late = longer(listed)
        return [job for job in select(options, listed) if job not in late]
    formal.select = select_some
    return formal.main(["--when", "test", *arguments])


if __name__ == "__main__":
    run_tool("formal", main)
