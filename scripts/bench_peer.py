#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The kernels of `make peer-traces` on gtx480, beside what Accel-Sim needs for the same kernels.

usage: scripts/bench_peer.py [BUILD]      RUNS=5: runs of each, of which the best counts
"""
import os
import subprocess
import sys

# Kernel; seconds of user CPU time of Accel-Sim (dev branches of October 2024, its own speed-up
# included, the fastest of its GTX480 configurations); limit in seconds of user CPU time here. Its
# machine was another one, so a factor says the order of magnitude. 35 to 60 % of its time is the
# memory system, which is all that is modelled here.
KERNELS = [
    ("atax1", 245.0, 2.5),
    ("atax1_i256", 30.6, 0.31),
    ("atax2_i512", 5.5, 0.08),
    ("vecadd_1m", 8.5, 0.13),
]
INDEXES = ["modulo", "fermi"]  # the simulator's release that MeDiC ran, and later ones


def measure(command):
    """User seconds and peak memory in MB of one run."""
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.execv(command[0], command)
    _, status, usage = os.wait4(pid, 0)
    if status:
        sys.exit("bench: %s: failed" % " ".join(command))
    return usage.ru_utime, usage.ru_maxrss / 1024


def main():
    if len(sys.argv) > 2 or sys.argv[1:2] == ["--help"]:
        print(__doc__)
        sys.exit(0 if sys.argv[1:] == ["--help"] else 2)
    build = sys.argv[1] if len(sys.argv) == 2 else "build"
    runs = int(os.environ.get("RUNS", "5"))
    print("gtx480, kernels of `make peer-traces`: user CPU time, best of %d" % runs)
    print("%-12s %-7s %9s %9s %9s %9s %9s %12s" % ("kernel", "index", "time", "limit", "memory", "peer", "factor", "L1 acc/s"))
    for name, peer, limit in KERNELS:
        trace = os.path.join(build, "peer", name + ".wtr")
        if not os.path.exists(trace):
            sys.exit("bench: %s: not there; make peer-traces" % trace)
        for index in INDEXES:
            command = [os.path.join(build, "warpmem"), "run", trace, "--preset", "gtx480", "--set",
                       "l1.index=" + index, "--no-progress"]
            text = subprocess.run(command + ["--csv", "-"], check=True, capture_output=True, text=True).stdout
            stats = dict(line.split("\t")[:2] for line in text.splitlines())
            accesses = sum(int(stats[k]) for k in ("l1.global_read_accesses", "l1.global_write_accesses"))
            measured = [measure(command) for _ in range(runs)]
            seconds = min(m[0] for m in measured)
            memory = max(m[1] for m in measured)
            print("%-12s %-7s %7.3f s %7.2f s %6.1f MB %7.1f s %8.0fx %9.2f M" % (
                name, index, seconds, limit, memory, peer, peer / seconds, accesses / seconds / 1e6))


if __name__ == "__main__":
    main()
