#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Captures the CUDA and OpenCL programs below a folder, and prints a line for each: how far it came, and what it lacks.

usage: scripts/capture_tried.py DIR [BUILD]     TIMEOUT=120: seconds for each compilation and each run; OUT=FOLDER: keep the traces

Each folder with .cu files, or with a source that includes OpenCL's header, holds programs: one for each file with a main(), together
with the folder's files that have none and that no other file includes. A file named `run` there gives the arguments (its line `./program ARGUMENTS`), as several suites have it. A program
runs in its folder. Its own check failed when it ends with another status than 0, or prints a line with "fail", "error", "mismatch"
or "non-match" that does not end in a zero. Only the first 20 launches are recorded. Tab-separated: program, result, launches, warp
instructions, seconds, why. Result: no-compile, no-run (it
did not come to its end, or launches no kernel), check-failed or captured.
"""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time

SOURCES = (".cu", ".c", ".cpp", ".cc")
OPENCL = re.compile(r'^\s*#\s*include\s*[<"](CL|OpenCL)/', re.M)
LAUNCHES = "20"
COMPLAINT = re.compile(r"fail|error|mismatch|non-match", re.IGNORECASE)


def text_of(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def programs_of(folder):
    """(name, its sources, more options) of each program of a folder."""
    texts = {name: text_of(os.path.join(folder, name)) for name in sorted(os.listdir(folder)) if name.endswith(SOURCES)}
    is_cuda = any(name.endswith(".cu") for name in texts)
    headers = [text_of(os.path.join(folder, name)) for name in os.listdir(folder) if name.endswith((".h", ".hpp"))]
    if not is_cuda and not any(OPENCL.search(text) for text in [*texts.values(), *headers]):
        return []
    included = {os.path.basename(path) for text in texts.values() for path in re.findall(r'^\s*#\s*include\s*"([^"]+)"', text, re.M)}
    apart = [name for name in texts if name not in included]
    mains = [name for name in apart if re.search(r"\bmain\s*\(", texts[name])]
    parts = [name for name in apart if name not in mains]
    return [(os.path.splitext(main)[0], [main] + parts, [] if is_cuda else ["-lOpenCL"]) for main in mains]


def arguments_of(folder):
    path = os.path.join(folder, "run")
    lines = re.findall(r"^\s*\./\S+(.*)$", text_of(path), re.M) if os.path.isfile(path) else []
    return shlex.split(lines[0]) if lines else []


def run(command, folder, limit):
    """Exit status (None: it did not end in time) and all that was printed."""
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit,
                              check=False)
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout.decode("utf-8", "replace")


def first_line(output, pattern):
    return next((line.strip() for line in output.splitlines() if re.search(pattern, line)), "")


def capture(tools, folder, sources, trace, limit):
    """Result, launches, warp instructions, why. @sources: and options."""
    program = trace + ".program"
    if os.path.exists(trace):
        os.remove(trace)
    includes = ["-I" + "../" * up + below for up in range(5) for below in ("./", "common", "Common", "inc", "include", "util", "utilities")]
    status, output = run([tools["cc"], "-O2", "-w", *includes, *sources, "-lm", "-o", program], folder, limit)
    if status != 0:
        return "no-compile", 0, 0, first_line(output, "error|warpmem|undefined") or f"not compiled in {limit} s"
    status, output = run([tools["warpmem"], "capture", "-o", trace, "--max-launches", LAUNCHES, "--", program] + arguments_of(folder),
                         folder, limit)
    os.remove(program)
    if not os.path.exists(trace):
        why = f"did not end in {limit} s" if status is None else first_line(output, "^warpmem") or (output.split("\n") + [""])[0].strip()
        return "no-run", 0, 0, why
    status_info, info = run([tools["warpmem"], "info", "--json=-", trace], folder, limit)
    if status_info != 0:
        return "no-run", 0, 0, info.strip()
    items = json.loads(info)
    counts = sum(item["kind"] == "launch" for item in items["items"]), items["totals"]["warp_instructions"]
    complaint = next((line.strip() for line in output.splitlines()
                      if COMPLAINT.search(line) and not line.startswith("warpmem") and not re.search(r"\b0(\.0+)?\s*$", line)), "")
    if status or complaint:
        return ("check-failed", *counts, complaint or f"exit status {status}")
    return ("captured", *counts, "")


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1] == "--help":
        print(__doc__)
        sys.exit(0 if sys.argv[1:] == ["--help"] else 2)
    top, build = sys.argv[1], os.path.abspath(sys.argv[2] if len(sys.argv) == 3 else "build")
    limit = os.environ.get("TIMEOUT", "120")
    tools = {"cc": os.path.join(build, "warpmem-cc"), "warpmem": os.path.join(build, "warpmem")}
    if not limit.isdigit() or not int(limit):
        sys.exit(f"capture-tried: TIMEOUT={limit}: must be a number of seconds, 1 or more")
    if not os.path.isdir(top):
        sys.exit(f"capture-tried: {top}: no such folder; make capture-tried DIR=FOLDER names one with CUDA or OpenCL programs")
    if not os.path.exists(tools["cc"]):
        sys.exit(f"capture-tried: {tools['cc']}: not there; make")
    folders = sorted(folder for folder, _, _ in os.walk(top))
    found = [(folder, name, sources + more) for folder in folders for name, sources, more in programs_of(folder)]
    if not found:
        sys.exit(f"capture-tried: {top}: no folder in it has a .cu file, or a source that includes CL/cl.h, and a main()")
    captured = 0
    print("program\tresult\tlaunches\twarp_instructions\tseconds\twhy")
    with tempfile.TemporaryDirectory() as scratch:
        out = os.path.abspath(os.environ.get("OUT") or scratch)
        os.makedirs(out, exist_ok=True)
        for number, (folder, name, sources) in enumerate(found, 1):
            start = time.monotonic()
            label = os.path.normpath(os.path.join(os.path.relpath(folder, top), name))
            trace = os.path.join(out, label.replace(os.sep, "_") + ".wtr")
            result, launches, warps, why = capture(tools, os.path.abspath(folder), sources, trace, int(limit))
            captured += result == "captured"
            print(f"{label}\t{result}\t{launches}\t{warps}\t{time.monotonic() - start:.1f}\t{why}", flush=True)
            if sys.stderr.isatty():
                print(f"capture-tried: {number} of {len(found)}", file=sys.stderr, end="\r", flush=True)
    print(f"# {captured} of {len(found)} captured")


if __name__ == "__main__":
    main()
