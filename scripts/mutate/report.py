# SPDX-License-Identifier: Apache-2.0
"""The score of each block, the outcome of each mutant, and the survivors."""
import json
import os

from mutate.stages import BY_HAND, EQUIVALENT, LOCKSTEP, PROOF, SURVIVED, UNIT
from warpmem.tools.house import read, write_whole

LEAST = 95.0  # per cent of the mutants that are not equal to the original
LEAST_MUTANTS = 200  # of a block's Verilog, unless fewer are asked for
COLUMNS = ("block", "side", "mutants", "lockstep", "unit", "proof", "equivalent", "by_hand", "survived", "score", "verdict", "lines",
           "seconds", "cpu")


def score(counts):
    """Per cent killed of those that can be; None: there is none."""
    killed = sum(counts[kind] for kind in (LOCKSTEP, UNIT, PROOF))
    able = killed + counts[SURVIVED]
    return 100.0 * killed / able if able else None


def row_of(block, side, wanted, fates, seconds, processors):
    """wanted: so many mutants of Verilog; of C there may be fewer. seconds, processors: what they took."""
    counts = {kind: sum(f.kind == kind for f in fates) for kind in (LOCKSTEP, UNIT, PROOF, EQUIVALENT, BY_HAND, SURVIVED)}
    enough = side != "verilog" or len(fates) >= min(wanted, LEAST_MUTANTS)
    percent = score(counts)
    return {"block": block.name, "side": side, "mutants": len(fates), **counts, "score": percent, "enough": enough,
            "verdict": "pass" if enough and percent is not None and percent >= LEAST else "FAIL",
            "lines": len({f.mutant.line for f in fates}), "seconds": round(seconds, 1), "cpu": round(processors, 1),
            "fates": [{"file": f.mutant.file, "line": f.mutant.line, "set": f.mutant.set, "mutation": f.mutant.what,
                       "number": f.mutant.number, "fate": f.kind, "how": f.how, "equality": f.equality} for f in fates]}


def passes(row):
    return row["verdict"] == "pass"


def line(row):
    value = "no mutant" if row["score"] is None else f"{row['score']:5.1f} %"
    value += "" if row["enough"] else " (of too few)"
    return (f"{row['verdict']}  mutate {row['block']:27s} {row['side']:8s} {value}  {row['mutants']:4d} mutants: "
            f"{row[LOCKSTEP]} lockstep, {row[UNIT]} unit tests, {row[PROOF]} proofs, {row[EQUIVALENT]} equivalent, "
            f"{row[BY_HAND]} by hand, {row[SURVIVED]} survived; {row['lines']} lines, "
            f"{row['seconds']:.0f} s ({row['cpu']:.0f} s cpu)")


def source_line(path, number):
    lines = read(path).splitlines() if os.path.exists(path) else []
    return lines[number - 1].strip() if 0 < number <= len(lines) else ""


def survivors(row):
    """A line each, with its place in the source and what the proof of equality said."""
    for fate in row["fates"]:
        if fate["fate"] == SURVIVED:
            where = f"{fate['set']} " if fate["set"] else ""
            note = f"  [{fate['equality']}]" if fate["equality"] else ""
            yield (f"{fate['file']}:{fate['line']}: {where}{fate['number']}: {fate['mutation']}{note}\n"
                   f"    {source_line(fate['file'], fate['line'])}")


def write(folder, rows):
    """scores.tsv, scores.json, survivors.txt, whole."""
    small = [{name: row[name] for name in (*COLUMNS, "fates")} for row in rows]
    write_whole(os.path.join(folder, "scores.json"), json.dumps({"least": LEAST, "rows": small}, indent=1) + "\n")
    text = "\t".join(COLUMNS) + "\n"
    for row in rows:
        text += "\t".join("" if row[c] is None else f"{row[c]:.2f}" if c == "score" else str(row[c]) for c in COLUMNS) + "\n"
    write_whole(os.path.join(folder, "scores.tsv"), text)
    write_whole(os.path.join(folder, "survivors.txt"), "".join(s + "\n" for row in rows for s in survivors(row)))


def verdict(rows, folder):
    """True: some block is under the least score."""
    for row in rows:
        for survivor in survivors(row):
            print("  SURVIVED  " + survivor.replace("\n", "\n          "))
    low = [row for row in rows if not passes(row)]
    total = sum(row["mutants"] for row in rows)
    print(f"mutate: {len(rows) - len(low)} of {len(rows)} scores are {LEAST:.0f} % or more, {total} mutants; "
          f"{folder}/scores.tsv, survivors.txt")
    return bool(low) or not rows
