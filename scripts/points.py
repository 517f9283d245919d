#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Lockstep of the hardware blocks at parameters that no set has: the ends of their ranges, rare combinations, random ones.

A point is a value for each parameter. Section [points] of tb/PLACE/BLOCK.tests names those that always run, a line each: NAME and
PARAMETER=VALUE, where a parameter that is not given has its default. A listed point has to reach every point of its
stimulus' coverage, as sets have, unless its line ends with "uncovered". Beside them --random points of each block are drawn
by the seed: of each parameter an end of its range, a power of two or any value, small ones more often; what the Verilog
refuses at elaboration is drawn again. The end is a line a point. Exit code 1: C and Verilog differ somewhere, and the line
says how to see it again.
"""
import os
import random
import re
import secrets
import subprocess
import time

from warpmem.tools.block_table import area_sets
from warpmem.tools.block_tests import lines_of, path_of
from warpmem.tools.house import BadInput, Parser, ToolFailed, aligned, command, number, read, run_tool, write_if_changed
from warpmem.tools.work import Progress

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DRAWS = 1000  # of which one must be legal


def parse(arguments):
    parser = Parser("points", __doc__)
    parser.add_build("folder of the build; programs and logs in BUILD/points (build)")
    parser.add_argument("--make", default="make", help="the command (make)")
    parser.add_argument("--block", action="append", choices=list(area_sets()), metavar="PLACE/NAME", help="only this one (all)")
    parser.add_argument("--point", help="only this one: a name of the list, or PARAMETER=VALUE,...")
    parser.add_argument("--random", type=number(0, 1000), default=2, help="points that are drawn, of each block (2)")
    parser.add_argument("--seed", type=lambda text: int(text, 0),
                        help="of the draw and of the stimulus (a new one, which is printed)")
    parser.add_argument("--cycles", type=number(1, 10**9), default=100000, help="of each point (100000)")
    parser.add_argument("--minutes", type=number(1, 10000), default=60, help="begin no block after so many (60)")
    parser.add_argument("--header", metavar="FOLDER", help="run nothing: write sets.h with the listed points, and their names")
    parser.add_argument("--ends", action="store_true", help="run nothing: which ends of ranges has no set and no listed point?")
    options = parser.parse_args(arguments)
    if options.point and not options.block:
        parser.error("--point needs --block")
    return options


class Block:
    """A block's parameters, sets and listed points, of its port list and tb/PLACE/BLOCK.tests."""

    def __init__(self, name, folder):
        self.name, self.list = name, path_of(name)
        self.prefix = name.rpartition("/")[2].upper()
        describe = os.path.join(folder, "describe")
        os.makedirs(folder, exist_ok=True)
        command(["gcc", "-std=c11", "-Icmodel", "-I.", "-Itb", f"-DBLOCK={self.prefix.lower()}", f"-DLIST={self.prefix}",
                 f'-DPORTS_H="{name}_ports.h"', "cosim/describe.c", "-o", describe])
        rows = [line.split() for line in command([describe, "params"]).splitlines()]
        self.params = {label: int(value) for label, value, _, _ in rows}
        self.ranges = {label: (int(low), int(high)) for label, _, low, high in rows}
        self.sets = {}
        for line in command([describe, "sets"]).splitlines():
            label, *values = line.split()
            self.sets[label] = dict(zip(self.params, (int(word.partition("=")[2]) for word in values)))
        self.points, self.uncovered = {}, set()
        self.read_list()

    def read_list(self):
        for at, line in lines_of(self.name, "points"):
            words = line.split()
            where = f"{self.list}:{at}"
            if words[0] in self.points or words[0] in self.sets or not re.fullmatch(r"[a-z]\w*", words[0]):
                raise BadInput(f"{where}: {words[0]!r} must be a name that no other point or set has")
            if words[-1] == "uncovered":
                self.uncovered.add(words[0])
                words.pop()
            self.points[words[0]] = self.point(words[1:], where)

    def point(self, words, where):
        """The values of PARAMETER=VALUE words."""
        values = dict(self.params)
        for word in words:
            label, equal, value = word.partition("=")
            if label not in self.params or not equal or not value.isdecimal():
                raise BadInput(f"{where}: {word!r} must be PARAMETER=NUMBER; {self.name} has {', '.join(self.params)}")
            low, high = self.ranges[label]
            if not low <= int(value) <= high:
                raise BadInput(f"{where}: {label} must be {low} to {high}, and is {value}")
            values[label] = int(value)
        return values

    def draw(self, rng):
        """A legal point: each parameter an end of its range, or any value with a random number of bits."""
        for _ in range(DRAWS):
            values = {}
            for label, (low, high) in self.ranges.items():
                bits = rng.randint(0, (high - low).bit_length())
                any_value = low + (rng.getrandbits(bits) if bits else 0)
                values[label] = min(high, rng.choice([low, high, any_value, any_value, any_value, max(low, 1 << bits)]))
            if self.is_legal(values):
                return values
        raise ToolFailed(f"{self.name}: {DRAWS} points were drawn and the Verilog refuses each of them")

    def is_legal(self, values):
        done = subprocess.run(self.verilator(values, "--lint-only"), text=True, capture_output=True, check=False)
        if done.returncode and "parameters_out_of_range" not in done.stderr:
            raise ToolFailed(f"{self.name} {text_of(values)}: verilator: {done.stderr.strip()[:500]}")
        return not done.returncode

    def verilator(self, values, *more):
        here = os.path.dirname(f"rtl/{self.name}")
        library = sorted({f"{place}/{file}" for place in ("rtl/common", here) for file in os.listdir(place)}
                         - {f"rtl/{self.name}.v"})
        return ["verilator", *more, "-Wno-lint", "-Irtl/common", "--top-module", f"wm_{self.name.rpartition('/')[2]}",
                *(f"-G{label}={value}" for label, value in values.items()),
                *(word for file in library if file.endswith(".v") for word in ("-v", file)), f"rtl/{self.name}.v"]

    def open_ends(self):
        """(parameter, value) of ends that neither a set nor a listed point has."""
        rows = [*self.sets.values(), *self.points.values()]
        return [(label, end) for label, ends in self.ranges.items() for end in sorted(set(ends))
                if not any(row[label] == end for row in rows)]


def text_of(values):
    return ",".join(f"{label}={value}" for label, value in values.items())


def chosen_points(block, options, seed):
    """{name: values} of this run."""
    if options.point and options.point in block.points:
        return {options.point: block.points[options.point]}
    if options.point:
        values = block.point(options.point.split(","), "--point")
        if not block.is_legal(values):
            raise BadInput(f"--point: rtl/{block.name}.v refuses {text_of(values)}")
        return {"given": values}
    rng = random.Random(f"{seed} {block.name}")
    return {**block.points, **{f"random_{i}": block.draw(rng) for i in range(options.random)}}


def write_sets(block, points, folder):
    """The header with which a block's sets are these points: whatever includes the port list later gets nothing new."""
    rows = " ".join(f"S({name}, {', '.join(map(str, values.values()))})" for name, values in points.items())
    write_if_changed(os.path.join(folder, "sets.h"), f'#include "{block.name}_ports.h"\n#undef {block.prefix}_SETS\n'
                     f"#define {block.prefix}_SETS(S) {rows}\n")


def build(block, points, options):
    """The block's test program with these points for sets."""
    folder = os.path.join(options.build, "points", block.name)
    write_sets(block, points, folder)
    command([*options.make.split(), "--no-print-directory", f"BUILD={options.build}", "point-test", f"BLOCK={block.name}",
             f"POINTS_DIR={folder}"], seconds=7200)
    return os.path.join(folder, "test")


def run(block, name, values, program, options, seed):
    """The row of one point."""
    log = os.path.join(os.path.dirname(program), f"{name}.log")
    exact = [] if name in block.points and name not in block.uncovered else ["--exact"]
    with open(log, "w", encoding="utf-8") as file:
        code = subprocess.run([program, "--lockstep", *exact, "--set", name, "--seed", hex(seed), "--cycles",
                               str(options.cycles), "--mismatch-dir", os.path.dirname(program)],
                              stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, check=False).returncode
    said = read(log)
    compared = re.search(r"(\d+) outputs compared", said)
    if code == 0 and compared:
        return ("pass", block.name, name, text_of(values), f"{compared.group(1)} outputs compared")
    first = next((line for line in said.splitlines() if line.strip()), f"exit code {code}")
    point = name if name in block.points else text_of(values)
    again = f"again: make points BLOCK={block.name} POINT={point} SEED={seed:#x} CYCLES={options.cycles}; log {log}"
    return ("FAILED", block.name, name, text_of(values), f"{first}; {again}")


def report_ends(blocks):
    rows = [(block.name, label, str(end)) for block in blocks for label, end in block.open_ends()]
    for row in rows:
        print("no set and no point of {} has {} = {}".format(*row))
    if not rows:
        print(f"pass  points: each end of the ranges of {len(blocks)} blocks has a set or a point")
    return 1 if rows else 0


def main(arguments):
    os.chdir(ROOT) if not os.path.exists("cmodel") else None
    options = parse(arguments)
    blocks = [Block(name, os.path.join(options.build, "points", name)) for name in options.block or area_sets()]
    if options.ends:
        return report_ends(blocks)
    if options.header:
        for block in blocks:
            write_sets(block, block.points, options.header)
            write_if_changed(os.path.join(options.header, "names"), "".join(f"{name}\n" for name in block.points))
        return 0
    seed = secrets.randbits(32) if options.seed is None else options.seed
    print(f"points: SEED={seed:#x}", flush=True)
    turn = seed % len(blocks)  # another block is first each time, so that none is left out always
    blocks = blocks[turn:] + blocks[:turn]
    begun, failed, progress = time.monotonic(), 0, Progress("points", [block.name for block in blocks])
    for block in blocks:
        if time.monotonic() - begun > 60 * options.minutes:
            print(f"left out  {block.name}: {options.minutes} minutes are over", flush=True)
            continue
        begun_block = time.monotonic()
        points = chosen_points(block, options, seed)
        program = build(block, points, options)
        rows = [run(block, name, values, program, options, seed) for name, values in points.items()]
        progress.clear()
        print("\n".join(aligned(rows, left=range(5))), flush=True)
        failed += sum(row[0] != "pass" for row in rows)
        progress.step(block.name, time.monotonic() - begun_block)
    return 1 if failed else 0


if __name__ == "__main__":
    run_tool("points", main)
