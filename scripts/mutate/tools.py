# SPDX-License-Identifier: Apache-2.0
"""Yosys, and the inputs of a result besides the sources: the versions of tools, and this tool itself."""
import functools
import os

from warpmem.tools import house
from warpmem.tools.house import command, hash_of_program, write_whole

HERE = os.path.dirname(os.path.abspath(__file__))
SHARED = os.path.dirname(os.path.abspath(house.__file__))


def yosys(script, path, seconds=600):
    """Runs a script that stays beside what it made."""
    write_whole(path, script)
    return command(["yosys", "-q", "-s", path], seconds)


def tool_files():
    """This tool is part of what its results depend on."""
    return [os.path.join(folder, name) for folder in map(os.path.relpath, (HERE, SHARED)) for name in os.listdir(folder)
            if name.endswith((".py", ".tsv"))]


@functools.lru_cache(maxsize=None)
def version(tool):
    """A tool's version, or a hash of its file: another version may find other errors."""
    if tool == "yosys-abc":  # it says nothing
        return hash_of_program(tool)
    words = {"yosys": ["yosys", "-V"], "python3-clang": ["dpkg-query", "-W", "-f", "${Version}", "python3-clang"]}
    return command(words.get(tool, [tool, "--version"]))


def versions(*tools):
    return "\0".join(version(tool) for tool in tools)
