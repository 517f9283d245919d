#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""The speed of `warpmem capture`: lane instructions a second, the trace written, and what a warp instruction takes in it.

usage: scripts/capture_speed.py [BUILD]      RUNS=3: captures of each kernel, of which the fastest counts

The program is tb/capture/programs/speed.cu, a product of matrices of 384 x 384. Of a capture's time the program's own, without
capture, is part. Exit code 1 where a kernel is slower than its goal.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

PROGRAM = "tb/capture/programs/speed.cu"
GOALS = {"without_barriers": 50e6, "with_barriers": 10e6}  # lane instructions a second, file included


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"capture-speed: {' '.join(command)}: {done.stderr.strip() or 'failed'}")
    return done.stdout


def seconds_of(command):
    start = time.monotonic()
    run(command)
    return time.monotonic() - start


def measure(warpmem, program, kernel, folder, runs):
    """Prints a line; returns whether the kernel's capture reaches its goal."""
    trace = os.path.join(folder, kernel + ".wtr")
    seconds = min(seconds_of([warpmem, "capture", "-o", trace, "--kernels", kernel, "--", program]) for _ in range(runs))
    totals = json.loads(run([warpmem, "info", "--json=-", trace]))["totals"]
    rate, size = totals["thread_instructions"] / seconds, os.path.getsize(trace)
    print(f"{kernel:18}{totals['thread_instructions'] / 1e6:>8.1f} M{seconds:>8.2f} s{rate / 1e6:>8.1f} M/s{GOALS[kernel] / 1e6:>6.0f} M/s"
          f"{size:>12}{size / totals['warp_instructions']:>9.3f}{totals['record_bytes'] / totals['warp_instructions']:>9.2f}", flush=True)
    return rate >= GOALS[kernel]


def main():
    if len(sys.argv) > 2 or sys.argv[1:2] == ["--help"]:
        print(__doc__)
        sys.exit(0 if sys.argv[1:] == ["--help"] else 2)
    build = os.path.abspath(sys.argv[1] if len(sys.argv) == 2 else "build")
    runs = os.environ.get("RUNS", "3")
    if not runs.isdigit() or not int(runs):
        sys.exit(f"capture-speed: RUNS={runs}: must be a number of runs, 1 or more")
    if not os.path.exists(os.path.join(build, "warpmem-cc")):
        sys.exit(f"capture-speed: {build}/warpmem-cc: not there; make")
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "speed")
        run([os.path.join(build, "warpmem-cc"), "-O2", PROGRAM, "-o", program])
        print(f"the program alone  {min(seconds_of([program]) for _ in range(int(runs))):.2f} s")
        print(f"{'kernel':18}{'lane insn':>10}{'time':>10}{'rate':>12}{'goal':>10}{'file bytes':>12}{'a warp insn':>13}{'unpacked':>9}")
        good = [measure(os.path.join(build, "warpmem"), program, kernel, folder, int(runs)) for kernel in GOALS]
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
