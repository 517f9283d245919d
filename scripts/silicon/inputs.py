# SPDX-License-Identifier: Apache-2.0
"""Inputs of the programs in data/silicon/programs.tsv that no public copy has: drawn, in the programs' formats and the sizes of their
names, from a fixed seed. What a kernel reads depends on sizes alone, but for b+tree, where it depends on which keys are searched."""
import os
import random

from warpmem.tools.house import BadInput

SEED = 59
KEYS = 1000000           # of b+tree's mil.txt: ascending, which gives the size and SHA-256 of Rodinia's, 1b52b1caf9e0926a...
POINTS, FEATURES = 819200, 34  # of kmeans: its kernel reads FEATURES constants of each of five clusters (data/silicon/gv100.tsv)
CELLS = 1024 * 1024      # of hotspot's grids
SGEMM = {"matrix1": (1024, 992), "matrix2t": (1056, 992)}  # of Parboil's "medium": rows and columns


def keys(file, _):
    file.write(f"{KEYS}\n")
    file.writelines(f"{key}\n" for key in range(KEYS))


def commands(file, _):
    file.write("j 6000 3000\nk 10000\n")


def points(file, draw):
    for number in range(POINTS):
        file.write(f"{number} " + " ".join(map(str, draw.choices(range(256), k=FEATURES))) + "\n")


def grid(low, high):
    def write(file, draw):
        file.writelines(f"{draw.uniform(low, high):.6f}\n" for _ in range(CELLS))
    return write


def matrix(name):
    def write(file, draw):
        rows, columns = SGEMM[name]
        file.write(f"{rows} {columns}\n" + " ".join(f"{draw.random():.4f}" for _ in range(rows * columns)) + "\n")
    return write


DRAWN = {"keys": keys, "commands": commands, "points": points, "temperature": grid(323, 342), "power": grid(0, 0.01),
         "matrix1": matrix("matrix1"), "matrix2t": matrix("matrix2t")}


def input_file(name, folder):
    """Path of an input in the folder, drawn if it is not there. Its text depends on name and SEED alone."""
    if name not in DRAWN:
        raise BadInput(f"data/silicon/programs.tsv: {{{name}}}: must be one of {', '.join(sorted(DRAWN))}")
    path = os.path.join(folder, f"{name}.{SEED}")
    if not os.path.exists(path):
        os.makedirs(folder, exist_ok=True)
        with open(path + ".part", "w", encoding="ascii") as file:
            DRAWN[name](file, random.Random(f"{name} {SEED}"))
        os.replace(path + ".part", path)
    return path
