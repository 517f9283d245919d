#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""The kernels of `make peer-traces`, beside Accel-Sim: simulated results of both on the same machine, and warpmem's run time.

usage: scripts/bench_peer.py [BUILD]      RUNS=5: runs of each, of which the best counts

First table: the machine of data/machines/accelsim-gtx480.ini. Cycles within 10 % of those with the peer's crossbar and an L1
hit rate within 3 points, or exit code 1. Second table: user CPU time on gtx480. The factor is the one measured side by side in
one run (data/machines/accelsim-gtx480.tsv), not today's time against the peer's time on another machine.
"""
import os
import subprocess
import sys

MACHINE = "data/machines/accelsim-gtx480"
INDEXES = ["modulo", "fermi"]  # the simulator's release that MeDiC ran, and later ones
CYCLES_WITHIN, HITS_WITHIN = 0.10, 3.0
LONG = {"kernel": "atax1", "seconds": "245", "factor": "-"}  # simulated results were not measured on this machine


def rows_of(path):
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return [dict(zip(lines[0], line)) for line in lines[1:]]


def trace_of(build, kernel):
    path = os.path.join(build, "peer", kernel + ".wtr")
    if not os.path.exists(path):
        sys.exit(f"bench-peer: {path}: not there; make peer-traces")
    return path


def counters(command):
    done = subprocess.run(command + ["--tsv", "-"], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"bench-peer: {' '.join(command)}: {done.stderr.strip() or 'failed'}")
    return {name: int(value) for name, value, *_ in (line.split("\t") for line in done.stdout.splitlines()) if value.isdigit()}


def simulated(build, row):
    """Prints a line; returns whether it agrees."""
    run = counters([os.path.join(build, "warpmem"), "run", trace_of(build, row["kernel"]), "--config", MACHINE + ".ini",
                    "--no-progress"])
    cycles, peer_cycles = run["cycles"], int(row["cycles"])
    hits = 100 * run["l1.global_read_hits"] / run["l1.global_read_accesses"]
    requests = run["dram.reads"] + run["dram.writes"]
    row_hits = 100 * run["dram.row_hits"] / requests
    good = abs(cycles / peer_cycles - 1) <= CYCLES_WITHIN and abs(hits - float(row["l1_read_hits"])) <= HITS_WITHIN
    print(f"{row['kernel']:12}{cycles:>9}{row['cycles']:>9}{100 * (cycles / peer_cycles - 1):>+7.1f} %{row['mesh_cycles']:>9}"
          f"{hits:>8.1f}{row['l1_read_hits']:>7} %{requests:>9}{row['dram_requests']:>9}{row_hits:>8.1f}{row['row_hits']:>7} %"
          f"  {'within' if good else 'OUTSIDE'}")
    return good


def measure(command):
    """User seconds and peak memory in MB of one run."""
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.execv(command[0], command)
    _, status, usage = os.wait4(pid, 0)
    if status:
        sys.exit(f"bench-peer: {' '.join(command)}: failed")
    return usage.ru_utime, usage.ru_maxrss / 1024


def timed(build, row, index, runs):
    command = [os.path.join(build, "warpmem"), "run", trace_of(build, row["kernel"]), "--preset", "gtx480", "--set",
               "l1.index=" + index, "--no-progress"]
    run = counters(command)
    accesses = run["l1.global_read_accesses"] + run["l1.global_write_accesses"]
    measured = [measure(command) for _ in range(runs)]
    seconds, memory = min(m[0] for m in measured), max(m[1] for m in measured)
    print(f"{row['kernel']:12}{index:8}{seconds:>8.3f} s{memory:>8.1f} MB{row['seconds']:>9} s"
          f"{row['factor'] if index == 'fermi' else '-':>9}{accesses / seconds / 1e6:>9.2f} M")


def main():
    if len(sys.argv) > 2 or sys.argv[1:2] == ["--help"]:
        print(__doc__)
        sys.exit(0 if sys.argv[1:] == ["--help"] else 2)
    build = sys.argv[1] if len(sys.argv) == 2 else "build"
    runs = os.environ.get("RUNS", "5")
    if not runs.isdigit() or not int(runs):
        sys.exit(f"bench-peer: RUNS={runs}: must be a number of runs, 1 or more")
    rows = rows_of(MACHINE + ".tsv")
    print("simulated, warpmem and Accel-Sim; mesh: Accel-Sim with BookSim")
    print(f"{'kernel':12}{'cycles':>9}{'peer':>9}{'':9}{'mesh':>9}{'L1 hits':>8}{'peer':>7}  {'DRAM':>9}{'peer':>9}"
          f"{'row hit':>8}{'peer':>7}", flush=True)
    good = [simulated(build, row) for row in rows]
    print(f"\nuser CPU time, best of {runs}; the peer's is of another machine, the factor of one run with both")
    print(f"{'kernel':12}{'index':8}{'time':>10}{'memory':>11}{'peer':>11}{'factor':>9}{'L1 acc/s':>11}")
    for row in [LONG] + rows:
        for index in INDEXES:
            timed(build, row, index, int(runs))
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
