# SPDX-License-Identifier: Apache-2.0
"""Selection of blocks and their parameters: from the command line, the table of blocks, the blocks' port lists."""
import os
import subprocess

from warpmem.tools.block_table import area_sets, tops
from warpmem.tools.house import BadInput, ToolFailed, read_table

DATA = os.path.join("data", "area")
OPTION = "only this block, PLACE/NAME or PLACE/NAME:KEY=VALUE,... (all)"


def top_of(block):
    return "wm_" + os.path.basename(block)


def text_of(parameters):
    return " ".join(f"{name}={value}" for name, value in parameters.items())


def papers_of(block):
    """The papers' figures for it: rows of data/area/PLACE/BLOCK.tsv."""
    path = os.path.join(DATA, block + ".tsv")
    return read_table(path) if os.path.exists(path) else []


def values_of(pairs):
    return {name: int(value) for name, value in (pair.split("=") for pair in pairs)}


def parameters_of(block, label, changes):
    """Parameters of the set, changed by KEY=VALUE,...; outside a range the Verilog stops only after its arrays were made."""
    done = subprocess.run(["scripts/block_params.sh", block], text=True, capture_output=True, check=False)
    sets = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()}
    if done.returncode or label not in sets:
        raise ToolFailed(f"{block}: its port list has no parameter set {label}; it has {', '.join(sets) or 'none'}")
    values, least, most = (values_of(sets.get(name, ())) for name in (label, "min", "max"))
    for change in filter(None, changes.split(",")):
        name, _, value = change.partition("=")
        if name not in values or not value.isdecimal():
            raise BadInput(f"--block {block}:{change}: must be one of {', '.join(values)}, with a number")
        if least and not least[name] <= int(value) <= most[name]:
            raise BadInput(f"--block {block}:{change}: must be {least[name]}..{most[name]}")
        values[name] = int(value)
    return values


def wanted(texts):
    """(block, parameters) in the order of the list. @texts: values of --block, None for all."""
    sets = {**area_sets(), **tops()}
    for text in texts or area_sets():
        block, _, changes = text.partition(":")
        if block not in sets:
            raise BadInput(f"--block {block}: must be one of {', '.join(sets)}")
        yield block, parameters_of(block, sets[block], changes)
