# SPDX-License-Identifier: Apache-2.0
"""Blocks that need not reach the goal's clock, each with its reason: data/area/limits.tsv."""
import os

from area.blocks import DATA
from area.measure import TARGET_GHZ
from warpmem.tools.house import BadInput, ToolFailed, read_table

TABLE = os.path.join(DATA, "limits.tsv")


def limits(blocks):
    """{block: (GHz that it must reach, reason)}. blocks: those that there are."""
    found = {}
    for row in read_table(TABLE) if os.path.exists(TABLE) else []:
        block, ghz, reason = (row.get(name) or "" for name in ("block", "ghz", "reason"))
        if block not in blocks or block in found:
            raise BadInput(f"{TABLE}: {block or 'a line'}: must be a block, once")
        try:
            least = float(ghz)
        except ValueError:
            least = 0
        if not 0 < least < TARGET_GHZ or not reason:
            raise BadInput(f"{TABLE}: {block}: must have a clock below the goal of {TARGET_GHZ} GHz, and a reason")
        found[block] = least, reason
    return found


def goal_of(block, ghz, limit):
    """met, limited or missed. limit: as in limits(), or None."""
    if ghz >= TARGET_GHZ:
        if limit:
            raise ToolFailed(f"{TABLE}: {block} reaches {ghz:.2f} GHz: delete its line")
        return "met"
    return "limited" if limit and ghz >= limit[0] else "missed"
