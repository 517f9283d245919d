# SPDX-License-Identifier: Apache-2.0
"""Runs the command behind each number, and reads the number from the files that the command wrote.

A file that the run did not write is not believed, nor are sources that changed
meanwhile. Each command but lockstep caches its results by the contents of all
their inputs; so a killed one continues, and one with nothing to do takes seconds.
"""
import json
import os
import re
import subprocess
import sys
import threading
import time

import sources
import variables
from house import BadInput, ToolFailed
from sources import read
from work import ENDING_WITH_US

# make takes variables from its environment; these would make other numbers than the command that is written beside them.
FOREIGN = {*variables.OF_MAKE, *variables.DECIDING, *variables.NO_MATTER}
# kind: the goals of make, BLOCK=... behind each; the file under BUILD that they write ({} is the block)
GOALS = {
    "area-45nm": (("area",), "area/{}/area.json"),
    "area": (("area",), "area/{}/area.json"),
    "power": (("power",), "power/{}/power.json"),
    "fpga": (("area-fpga",), "area/fpga/{}/fpga.json"),
    "lockstep": (("block-tests",), "tb/{}_test.txt"),
    # the goal of every day is the last, as it writes the table also where there are no long proofs
    "formal": (("formal-long", "formal"), "formal/formal.json"),
    "coverage": (("coverage",), "coverage/verilog/coverage.json"),
    "mutate": (("mutate",), "mutate/scores.json"),
}
# Outcomes of a mutant; those of Verilog that no test decides are left to solvers.
FATES = ("lockstep", "unit", "proof", "equivalent", "by_hand", "survived")
SOLVED = ("proof", "equivalent", "survived")
VOLATILE = ("processor_seconds",)  # they differ from run to run


def command_of(kind, block):
    cells = " LIBERTY= LIBERTY_SLOW= LIBERTY_FAST=" if kind in sources.WITH_LIBRARY else ""
    return "; ".join(f"make {goal} BLOCK={block}{cells}" for goal in GOALS[kind][0])


def digits(value):
    """Six: more than any estimate is worth, and so many that what the tables show is not rounded twice."""
    return float(f"{value:.6g}") if isinstance(value, float) else value


def chosen(row, names, where):
    missing = [name for name in names if name not in row]
    if missing:
        raise ToolFailed(f"{where}: has no {', '.join(missing)}")
    return {name: digits(row[name]) for name in names}


AREA_NUMBERS = ("parameters", "library", "revision", "conditions", "nm", "cells", "flip_flops", "sram_bits", "sram_kb", "logic_um2",
                "mhz", "critical_path", "levels", "logic_least_45nm_mm2", "logic_45nm_mm2", "sram_45nm_mm2", "area_45nm_mm2",
                "sram_1rw_45nm_mm2", "sram_read_nj", "sram_leak_mw", "sram_source", "ghz_45nm", "ghz_most_45nm", "goal_ghz", "sram_ghz",
                "share_of_l1")


def of_area(text, block, where):
    row = json.loads(text)
    if row.get("block") != block:
        raise ToolFailed(f"{where}: is not about {block}")
    return chosen(row, AREA_NUMBERS, where)


def of_area_45nm(text, block, where):
    """With the corners that were asked for."""
    row = json.loads(text)
    if row.get("block") != block:
        raise ToolFailed(f"{where}: is not about {block}")
    if row["nm"] != 45:
        raise BadInput(f"LIBERTY=: {row['library']} is of {row['nm']} nm; must be of 45 nm")
    corners = [name for corner in ("slow", "fast") if row[corner + "_mhz"] for name in (corner + "_mhz", corner + "_conditions")]
    reason = ["reason"] if row.get("reason") else []
    return chosen(row, (*AREA_NUMBERS, "goal", *reason, *corners), where)


def of_power(text, block, where):
    row = json.loads(text)
    if row.get("block") != block:
        raise ToolFailed(f"{where}: is not about {block}")
    return chosen(row, ("parameters", "library", "conditions", "run", "ghz", "cycles", "requests", "request", "clock_mw",
                        "cells_mw", "cells_leakage_mw", "sram_mw", "sram_leakage_mw", "total_mw", "pj_a_request"), where)


def of_fpga(text, block, where):
    rows = [row for row in json.loads(text) if row["block"] == block]
    names = ("luts", "flip_flops", "block_rams", "block_ram_kbits", "lut_rams", "carries", "wide_muxes", "multipliers")
    return {"parameters": rows[0]["parameters"], **{row["family"]: chosen(row, names, where) for row in rows}} if rows else None


PASSED_SET = re.compile(r"^pass  (\S+) +seed \S+  set (\S+)  (.*?)  (\d+) cycles  (\d+) outputs compared", re.M)


def of_lockstep(text, block, where):
    sets = [{"set": label, "parameters": parameters, "cycles": int(cycles), "outputs": int(outputs)}
            for name, label, parameters, cycles, outputs in PASSED_SET.findall(text) if name == block]
    known = read(os.path.join(where[:-len(f"tb/{block}_test.txt")], "rtl", block, "sets")).splitlines()
    if len(sets) != len(known):
        raise ToolFailed(f"{where}: {len(sets)} parameter sets passed, of {len(known)}")
    return {"cycles": sum(s["cycles"] for s in sets), "outputs": sum(s["outputs"] for s in sets),
            "unit_tests": len(re.findall(r"^\[       OK", text, re.M)), "sets": sets}


def of_formal(text, block, where):
    whole = json.loads(text)
    row = next((row for row in whole["blocks"] if row["block"] == block), None)
    if row is None:
        return None
    numbers = chosen(row, ("corners", "proven", "bounded", "bounded_depth", "assertions", "covers", "not_passed", "not_run",
                           "processor_seconds"), where)
    numbers["cover"] = row["trace"]["cover"] if row["trace"] else None
    numbers["proofs"] = [
        {"set": proof["set"], "parameters": " ".join(f"{name}={value}" for name, value in proof["parameters"].items()),
         **chosen(proof, ("method", "result", "depth", "properties", "processor_seconds"), where)}
        for proof in whole["proofs"] if proof["block"] == block]
    return numbers


def of_coverage(text, block, where):
    row = next((row for row in json.loads(text)["blocks"] if row["block"] == block), None)
    if row is None:
        return None
    return {**{kind: chosen(row[kind], ("covered", "total", "excluded"), where)
               for kind in ("line", "branch", "toggle", "functional")}, "unseen": len(row["unseen"])}


def of_mutate(text, block, where):
    rows = {row["side"]: row for row in json.loads(text)["rows"] if row["block"] == block}
    if len(rows) < 2:
        return None
    numbers = {side: chosen(rows[side], ("mutants", *FATES, "verdict"), where) for side in ("verilog", "c")}
    for side, row in numbers.items():
        row["survivors"] = [chosen(fate, ("file", "line", "set", "mutation", "equality"), where)
                            for fate in rows[side]["fates"] if fate["fate"] == "survived"]
        if sum(row[fate] for fate in FATES) != row["mutants"]:
            raise ToolFailed(f"{where}: {side}: {', '.join(FATES)} must add up to its {row['mutants']} mutants")
    return numbers


READERS = {"area-45nm": of_area_45nm, "area": of_area, "power": of_power, "fpga": of_fpga, "lockstep": of_lockstep,
           "formal": of_formal, "coverage": of_coverage, "mutate": of_mutate}


def stamp(path):
    try:
        status = os.stat(path)
        return status.st_mtime_ns, status.st_ino, status.st_size
    except OSError:
        return None


def last_words(log):
    """The last line of a command's output; make's own line says only that it failed."""
    with open(log, encoding="utf-8", errors="replace") as file:
        lines = [line.strip() for line in file if line.strip() and not line.startswith("make")]
    return lines[-1][:160] if lines else "no output"


def pass_on(source, log):
    """Copies a command's stderr, its progress, to the user and into the log."""
    for chunk in iter(lambda: source.read1(4096), b""):
        for target in (sys.stderr.buffer, log):
            target.write(chunk)
            target.flush()


def run_goals(kind, block, build, jobs, log, library):
    """The last lines of the goals that failed, {goal: text}; all run, because one's failure does not make the others wrong.
    @library: {variable of make: path}."""
    environment = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    os.makedirs(os.path.dirname(log), exist_ok=True)
    failed = {}
    with open(log, "ab", buffering=0) as file:
        file.truncate(0)
        for goal in GOALS[kind][0]:
            # With this process its make ends too, killed or not.
            child = subprocess.Popen([*ENDING_WITH_US, "make", "--no-print-directory", f"-j{jobs}", goal,
                                      f"BLOCK={block}", f"BUILD={build}", f"JOBS={jobs}",
                                      *(f"{name}={path}" for name, path in library.items() if kind in sources.WITH_LIBRARY)],
                                     stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.PIPE, env=environment)
            listener = threading.Thread(target=pass_on, args=(child.stderr, file), daemon=True)
            listener.start()
            try:
                code = child.wait()
            except BaseException:
                child.terminate()
                child.wait()
                raise
            listener.join(5)  # somebody that make left behind may hold it open
            if code:
                failed[goal] = last_words(log)
    return failed


def measure(kind, block, build, jobs, library):
    """({"sources", "numbers"} and maybe "failed", seconds, complaint: "" or the fault that the command found). A failed
    command's numbers say so, and are measured again the next time, because it may have been stopped."""
    sources.forget()  # hours may have passed since they were read
    before = sources.of(block, kind)
    result = os.path.join(build, GOALS[kind][1].format(block))
    log = os.path.join(build, "evidence", "logs", f"{block.replace('/', '_')}.{kind}.txt")
    stood, begun = stamp(result), time.monotonic()
    failed = run_goals(kind, block, build, jobs, log, library)
    seconds = time.monotonic() - begun
    sources.forget()
    if sources.of(block, kind) != before:
        raise ToolFailed(f"{block} {kind}: its sources changed while it was measured; the same command goes on")
    said = "; ".join(f"make {goal} BLOCK={block} failed: {words} ({log})" for goal, words in failed.items())
    if stamp(result) in (None, stood) or (failed and kind == "lockstep"):
        raise ToolFailed(f"{block} {kind}: " + (said or f"{command_of(kind, block)} did not write {result}"))
    try:
        numbers = READERS[kind](read(result), block, result)
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise ToolFailed(f"{block} {kind}: {result}: not as expected: {error!r}") from None
    if not numbers:
        raise ToolFailed(f"{block} {kind}: " + (said or f"{result} has nothing of it"))
    entry = {"sources": before, "numbers": numbers}
    if failed:
        entry["failed"] = " ".join(failed)
    return entry, seconds, said


def comparable(kind, numbers):
    """Without members that may differ from run to run. A solver that a slower processor gets less far with leaves a survivor
    where there was a proof: of Verilog, these count together. The tests, and all of C, find the same wherever they run."""
    if kind == "mutate":
        verilog = {name: value for name, value in numbers["verilog"].items() if name not in (*SOLVED, "survivors")}
        verilog[" + ".join(SOLVED)] = sum(numbers["verilog"][name] for name in SOLVED)
        return {f"{side} {name}": value for side, row in (("verilog", verilog), ("c", numbers["c"]))
                for name, value in row.items()}

    def strip(value):
        if isinstance(value, dict):
            return {name: strip(inner) for name, inner in value.items() if name not in VOLATILE}
        return [strip(inner) for inner in value] if isinstance(value, list) else value
    return strip(numbers)


def differences(kind, then, now):
    """Names of numbers that are others."""
    before, after = comparable(kind, then), comparable(kind, now)
    return [f"{name} {before.get(name)} is {after.get(name)}" for name in sorted({*before, *after})
            if before.get(name) != after.get(name)]
