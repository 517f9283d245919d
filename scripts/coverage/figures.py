# SPDX-License-Identifier: Apache-2.0
"""The figures of coverage that all parts of the tool share."""

GOAL = 95.0  # percent that each kind of each file or block must reach


def percent(covered, total):
    """Nothing to cover is covered."""
    return 100.0 * covered / total if total else 100.0


def spans(numbers):
    """1, 2, 3, 7 as "1-3, 7"."""
    parts = []
    for one in sorted(numbers):
        if parts and one == parts[-1][1] + 1:
            parts[-1][1] = one
        else:
            parts.append([one, one])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)
