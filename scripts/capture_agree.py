#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Compares captured kernels with the built-in workloads that do the same, on the same data: a row a launch.

usage: scripts/capture_agree.py [BUILD] [NAME...]       SIZE=tiny: of the workloads (small); TSV=FILE: the table for scripts

The programs are tb/capture/agree/NAME.cu. A row has, of the built-in kernel and of the captured one, warp instructions that load and
that store, accesses of lanes, lines of 128 bytes, and iterations of loops (a warp's; that DAWS counts as trips); `same` says whether
every access of every warp has the same lanes and addresses. Then instructions and cycles of both on two machines. Instructions differ,
as built-in kernels have those of a compiler for GPUs; a row that differs in anything else must be listed, with its reason, in EXPLAINED.
Exit code 1: one is not, or one that is listed agrees.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

NAMES = ("spmv-scalar", "bfs-64k", "kmeans-global", "backprop", "atax")
MACHINES = ("quadro-daws", "gtx480")
FOLDER = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "tb", "capture", "agree")
BASES = {"built-in": 0x80000000, "captured": 0x10000000}
LINE = 128
# (name, launch's kernel): why its accesses are not those of the built-in one.
EXPLAINED = {}
COLUMNS = ("loads", "stores", "lanes", "lines", "trips")


def run(*words, **more):
    done = subprocess.run(words, capture_output=True, text=True, check=False, **more)
    if done.returncode:
        sys.exit(f"capture-agree: {' '.join(words)}: {(done.stderr or done.stdout).strip() or 'failed'}")
    return done.stdout


class Launch:
    def __init__(self, kernel):
        self.kernel = kernel
        self.instructions = 0
        self.counts = dict.fromkeys(COLUMNS, 0)
        self.accesses = collections.Counter()  # (cta, warp, operation, lanes, addresses from the base)


def addresses_of(text, lanes):
    """"@A", "@A+STRIDE" or "@A,B,C", of the lanes that are active."""
    active = [lane for lane in range(32) if lanes >> lane & 1]
    found = re.fullmatch(r"@(0x[0-9a-f]+)(?:([+-])(\d+))?", text)
    if not found:
        return [int(word, 16) for word in text[1:].split(",")]
    first, step = int(found[1], 16), int((found[2] or "+") + (found[3] or "0"))
    return [first + step * lane for lane in active]


def read_launches(warpmem, what, kind, *options):
    """The launches of a trace, or of a workload."""
    words = [warpmem, "trace", what, "--text", *options]
    launches, insns, warp, kernel = [], {}, None, ""
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as child:
        for line in child.stdout:
            words = line.split()
            if words[0] == "kernel":
                kernel, insns = line.split(" name ")[1].strip(), {}
            elif words[0] == "insn":
                insns[words[1]] = words[2:]
            elif words[0] == "launch":
                launches.append(Launch(kernel))
            elif words[0] == "warp":
                warp = int(words[1]), int(words[2])
            elif words[0].startswith("0x"):
                take_record(launches[-1], insns, warp, words, BASES[kind])
    if child.returncode:
        sys.exit(f"capture-agree: {' '.join(words)}: failed")
    return launches


def take_record(launch, insns, warp, words, base):
    where = next((word for word in words if word.startswith("@")), None)
    insn = words[2:] if len(words) > 2 and not words[2].startswith("@") else insns[words[0]]
    if insn[0].startswith("loop_"):
        launch.counts["trips"] += insn[0] == "loop_iteration"
        return
    launch.instructions += 1
    if not where:
        return
    lanes = int(words[1], 16)
    at = addresses_of(where, lanes)
    if insn[1] in ("global", "texture"):
        at = [address - base for address in at]
    launch.counts["stores" if insn[0] == "store" else "loads"] += 1
    launch.counts["lanes"] += len(at)
    launch.counts["lines"] += len({address // LINE for address in at})
    launch.accesses[(*warp, *insn[:3], lanes, tuple(at))] += 1


def cycles_of(warpmem, what, machine, *options):
    text = run(warpmem, "run", what, "--preset", machine, "--tsv", "-", *options)
    values = dict(line.split("\t")[:2] for line in text.splitlines() if "\t" in line)
    return int(values["cycles"])


def compare(build, name, size, rows):
    """Adds a row a launch. Returns whether all is as it should be."""
    warpmem, good = os.path.join(build, "warpmem"), True
    with tempfile.TemporaryDirectory(prefix="warpmem_agree_") as folder:
        program, trace, data = (os.path.join(folder, part) for part in ("program", "t.wtr", "data"))
        run(warpmem, "workload-data", name, data, "--size", size)
        run(os.path.join(build, "warpmem-cc"), os.path.join(FOLDER, name + ".cu"), "-O2", "-fno-unroll-loops", "-o", program)
        own = read_launches(warpmem, name, "built-in", "--size", size)
        run(warpmem, "capture", "-o", trace, "--", program, data, str(len(own)))
        captured = read_launches(warpmem, trace, "captured")
        if len(own) != len(captured):
            sys.exit(f"capture-agree: {name}: {len(captured)} launches: must be {len(own)}")
        seen = set()
        for number, (a, b) in enumerate(zip(own, captured), 1):
            same = a.accesses == b.accesses and a.counts == b.counts
            explained = EXPLAINED.get((name, b.kernel))
            seen.add((b.kernel, same))
            good &= same or bool(explained)
            rows.append((name, str(number), b.kernel, "yes" if same else "explained" if explained else "NO", a.instructions, b.instructions,
                         *(value for column in COLUMNS for value in (a.counts[column], b.counts[column]))))
        for (program_name, kernel), _ in EXPLAINED.items():
            if program_name == name and (kernel, False) not in seen:
                print(f"capture-agree: {name}: {kernel} agrees: must not be in EXPLAINED", file=sys.stderr)
                good = False
        cycles = [(machine, cycles_of(warpmem, name, machine, "--size", size), cycles_of(warpmem, trace, machine)) for machine in MACHINES]
    return good, cycles, sum(a.instructions for a in own), sum(b.instructions for b in captured)


def merge(rows):
    """Launches of the same kernel that agree are one row: "1-19"."""
    merged = {}
    for name, number, kernel, same, *values in rows:
        key = name, kernel, same
        if key in merged:
            first, last, sums = merged[key]
            merged[key] = first, number, [a + b for a, b in zip(sums, values)]
        else:
            merged[key] = number, number, values
    return [(name, first if first == last else f"{first}..{last}", kernel, same, *values)
            for (name, kernel, same), (first, last, values) in merged.items()]


def main():
    words, size = sys.argv[1:], os.environ.get("SIZE") or "small"
    if "--help" in words or "-h" in words:
        print(__doc__.strip())
        return 0
    build = words.pop(0) if words and os.path.isdir(words[0]) else "build"
    names = words or list(NAMES)
    for name in names:
        if name not in NAMES:
            sys.exit(f"capture-agree: {name}: must be one of {', '.join(NAMES)}")
    if not os.path.exists(os.path.join(build, "warpmem-cc")):
        sys.exit(f"capture-agree: {build}/warpmem-cc: not there; make")
    rows, machines, good = [], [], True
    for name in names:
        if sys.stderr.isatty():
            print(f"\rcapture-agree: {names.index(name) + 1} of {len(names)}: {name}\033[K", end="", file=sys.stderr, flush=True)
        fine, cycles, own, captured = compare(build, name, size, rows)
        good &= fine
        machines += [(name, machine, own, captured, a, b) for machine, a, b in cycles]
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    print(f"of {size}; built-in / captured\n")
    print(f"{'workload':14} {'launch':7} {'kernel':18} {'same':10} {'instructions':>19} " + " ".join(f"{c:>19}" for c in COLUMNS))
    for name, number, kernel, same, *values in merge(rows):
        pairs = [f"{a} / {b}" if a != b else str(a) for a, b in zip(values[::2], values[1::2])]
        print(f"{name:14} {number:7} {kernel:18} {same:10} " + " ".join(f"{pair:>19}" for pair in pairs))
    print(f"\n{'workload':14} {'machine':12} {'instructions':>22} {'ratio':>7} {'cycles':>22} {'ratio':>7}")
    for name, machine, own, captured, a, b in machines:
        print(f"{name:14} {machine:12} {f'{own} / {captured}':>22} {captured / own:7.3f} {f'{a} / {b}':>22} {b / a:7.3f}")
    for (name, kernel), why in EXPLAINED.items():
        if name in names:
            print(f"\n{name}, {kernel}: {why}")
    if os.environ.get("TSV"):
        with open(os.environ["TSV"], "w", encoding="utf-8") as file:
            heading = ["workload", "launch", "kernel", "same", *(f"{column}_{kind}" for column in ("instructions", *COLUMNS)
                                                                 for kind in ("built_in", "captured"))]
            file.writelines("\t".join(map(str, row)) + "\n" for row in [heading, *rows])
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
