# SPDX-License-Identifier: Apache-2.0
"""Reads tb/PLACE/BLOCK.tests, which holds a block's tests in sections (docs/lockstep.md says what each holds)."""
import functools
import glob

from warpmem.tools.house import BadInput, read

LIST = "tb/PLACE/BLOCK.tests"
SECTIONS = ("proofs", "points", "mutants", "point_mutants", "runs", "long_runs", "power", "equivalent", "sets", "replays", "long_replays",
            "planted")


def path_of(block):
    return f"tb/{block}.tests"


def blocks_with(section):
    """Blocks that have it, in the order of their names."""
    names = (path[len("tb/"):-len(".tests")] for path in sorted(glob.glob("tb/*/*.tests")))
    return [block for block in names if lines_of(block, section)]


def lines_of(block, section):
    """[(number, line)] of a section without comments and empty lines; [] where the block has none."""
    try:
        text = read(path_of(block))
    except FileNotFoundError:
        return []
    return _sections(path_of(block), text).get(section, [])


@functools.lru_cache(maxsize=256)
def _sections(path, text):
    found, current = {}, None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("[") and line.rstrip().endswith("]"):
            name = line.strip()[1:-1]
            if name not in SECTIONS or name in found:
                raise BadInput(f"{path}:{number}: {line.strip()}: must be once each [{'], ['.join(SECTIONS)}]")
            current = found.setdefault(name, [])
        elif current is None:
            raise BadInput(f"{path}:{number}: must stand in a section: [{'], ['.join(SECTIONS)}]")
        else:
            current.append((number, line.rstrip()))
    return found
