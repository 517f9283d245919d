# SPDX-License-Identifier: Apache-2.0
"""Why a block misses the clock that it should have, and what would mend it: data/area/limits.tsv beside what was measured.

A reason is about one path. When another path has become the slowest, or none is too slow any more, the reason is stale.
"""
import os
import re

from blocks import DATA
from house import BadInput, read_table

PATH = os.path.join(DATA, "limits.tsv")
LIBRARY = "osu018_stdcells"  # that of `make area` as it stands, for which every block under the goal has to have a reason
MET, KNOWN, STALE, UNKNOWN, NOT_ASKED = "met", "known", "stale", "unknown", "-"
COLUMNS = ("library", "block", "parameters", "from", "to", "reason", "mend")


def read():
    rows = read_table(PATH)
    seen = set()
    for row in rows:
        if set(row) != set(COLUMNS) or not all(row.values()):
            raise BadInput(f"{PATH}: {row.get('block') or 'a line'}: must have {', '.join(COLUMNS)}, none of them empty")
        if _key(row) in seen:
            raise BadInput(f"{PATH}: {row['block']}: stands there twice with {row['parameters']}")
        seen.add(_key(row))
    return rows


def _key(row):
    return row["library"], row["block"], row["parameters"]


def registers(path):
    """Without the numbers of bits and instances: which bit of a register is the slowest is a matter of chance."""
    return re.sub(r"\[\d+\]", "", path)


def judge(row, reasons, goal_ghz, listed):
    """limit, reason, mend of a row of the area table. @reasons: None where they do not apply, as with another node.
    @listed: its parameters are those that the table is about."""
    asked = reasons is not None and listed and row["library"] in {LIBRARY, *(r["library"] for r in reasons)}
    found = next((r for r in reasons or [] if _key(r) == _key(row)), None)
    none = {"limit": NOT_ASKED, "reason": "", "mend": ""}
    if row["ghz_45nm"] >= goal_ghz:
        return {**none, "limit": STALE if found else MET,
                "reason": f"stale: {PATH} has a reason, and the goal is met" if found else ""}
    if not found:
        if asked:
            return {**none, "limit": UNKNOWN, "reason": f"unknown: {PATH} has no reason for these parameters"}
        return none
    stated = f"{found['from']} to {found['to']}"
    if registers(row["critical_path"]) != registers(stated):
        return {**none, "limit": STALE, "reason": f"stale: {PATH} has a reason for {stated}, which is not the slowest path "
                                                  "any more"}
    return {"limit": KNOWN, "reason": found["reason"], "mend": found["mend"]}


def complaints(rows):
    """What a person has to look at, a line each."""
    return [f"{row['block']} {row['parameters']}: limited by {row['critical_path']}, {row['ghz_45nm']:.2f} GHz at 45 nm; "
            f"{row['reason']}" for row in rows if row["limit"] in (STALE, UNKNOWN)]


def text(rows, goal_ghz):
    """For the report: the blocks that miss the goal."""
    lines = []
    for row in rows:
        if row["ghz_45nm"] < goal_ghz or row["limit"] == STALE:
            lines.append(f"  {row['block']}, {row['ghz_45nm']:.2f} GHz: "
                         + (row["reason"] or f"{PATH} is not about these cells and parameters"))
            if row["mend"]:
                lines.append(f"    would mend it: {row['mend']}")
    return ["", f"Under {goal_ghz} GHz at 45 nm:", *lines] if lines else []
