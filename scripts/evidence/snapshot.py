# SPDX-License-Identifier: Apache-2.0
"""The measured numbers in the repository: data/evidence/PLACE/BLOCK.json holds the numbers of each kind of measurement with the
hashes of its sources. A number is valid only while these are today's."""
import json
import os

import sources
from house import BadInput, write_if_changed

FOLDER = os.path.join("data", "evidence")


def path_of(block):
    return os.path.join(FOLDER, block + ".json")


def load(block):
    """{kind: {"sources": {group: hash}, "numbers": {...}}}"""
    path = path_of(block)
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise BadInput(f"{path}: {error}; remove it, and make evidence BLOCK={block} measures anew") from None
    good = isinstance(found, dict) and all(kind in sources.KINDS and isinstance(entry, dict)
                                           and isinstance(entry.get("sources"), dict)
                                           and isinstance(entry.get("numbers"), dict) for kind, entry in found.items())
    if not good:
        raise BadInput(f"{path}: must have of {', '.join(sources.KINDS)} the sources and numbers; remove it, and make "
                       f"evidence BLOCK={block} measures anew")
    return found


def save(block, entries):
    ordered = {kind: entries[kind] for kind in sources.KINDS if kind in entries}
    if ordered:
        write_if_changed(path_of(block), json.dumps(ordered, indent=1) + "\n")
    elif os.path.exists(path_of(block)):
        os.remove(path_of(block))


def stale(block, entries):
    """{kind: names of the groups of sources that are others today}"""
    found = {kind: sources.changed(entry["sources"], sources.of(block, kind)) for kind, entry in entries.items()}
    return {kind: groups for kind, groups in found.items() if groups}


def holds(block, entries, kind):
    """Is the measurement up to date?"""
    return kind in entries and "failed" not in entries[kind] and kind not in stale(block, entries)


def strangers():
    """Files of blocks that are no more."""
    for folder, _, names in os.walk(FOLDER):
        for name in names:
            block = os.path.relpath(os.path.join(folder, name), FOLDER)[:-len(".json")]
            if name.endswith(".json") and block not in sources.blocks():
                yield os.path.join(folder, name)
