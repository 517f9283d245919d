# SPDX-License-Identifier: Apache-2.0
"""The covers that were reached: names, and the waves of the one that shows a block at its work."""
import os
import re

from warpmem.tools.house import BadInput, ToolFailed, command, read, write_whole

SHOWS = "shows_"  # begins the name of the cover whose trace is the block's


def plain(text):
    """The name of a property: its label, or where it has none its place, the last line of what Yosys calls its source."""
    nameless = re.fullmatch(r"(?:.*\|)?([^|]+):\d+\.\d+-(\d+)\.\d+ \((.*)\)", text.strip())
    if not nameless:
        return text.strip()
    path, line, name = nameless.groups()
    inside = re.match(r"\$flatten[\\/]*(.*)\.\$(?:cover|assert)\$", name)
    return (inside.group(1) + " " if inside else "") + f"{path}:{line}"


def named(cell):
    """The same of an assertion by its cell, as Yosys lists it: MODULE/NAME."""
    name = cell.partition("/")[2]
    nameless = re.fullmatch(r"(?:\$flatten[\\/]*(.*)\.)?\$assert\$(.*):(\d+)\$\d+", name)
    if not nameless:
        return name
    inside, path, line = nameless.groups()
    return f"{inside} {path}:{line}" if inside else f"{path}:{line}"


def reached(text):
    """{name of a cover: (the step it was reached in, the file with the waves)} of what yosys-smtbmc said."""
    found, waiting = {}, []
    for line in text.splitlines():
        cover = re.search(r"Reached cover statement at (.*) in step (\d+)", line)
        if cover:
            waiting.append((plain(cover.group(1)), int(cover.group(2))))
        waves = re.search(r"Writing trace to VCD file: (\S+)", line)
        if waves:
            found.update({name: (step, os.path.basename(waves.group(1))) for name, step in waiting})
            waiting = []
    return found


def chosen(covers):
    """The name of the cover that shows the block at its work; where none says so, of the longest trace."""
    shows = [name for name in covers if name.split(".")[-1].startswith(SHOWS)]
    return min(shows) if shows else max(covers, key=lambda name: (covers[name][0], name), default=None)


def publish(source, target):
    """The waves as TARGET.vcd and TARGET.fst."""
    text = read(source)
    if os.path.exists(target + ".fst") and os.path.exists(target + ".vcd") and read(target + ".vcd") == text:
        return
    if "$enddefinitions" not in text:
        raise BadInput(f"{source}: no waves in it; remove its folder")
    os.makedirs(os.path.dirname(target), exist_ok=True)
    command(["vcd2fst", source, target + ".fst.tmp"])
    if not os.path.getsize(target + ".fst.tmp"):
        raise ToolFailed(f"vcd2fst {source}: wrote nothing")
    os.replace(target + ".fst.tmp", target + ".fst")
    write_whole(target + ".vcd", text)
