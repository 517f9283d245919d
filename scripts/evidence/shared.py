# SPDX-License-Identifier: Apache-2.0
"""What all parts of the evidence scripts share: what they have of scripts/house, hashes, and reading a file once.

Not common.py, as papers.py needs modules of scripts/repro, which have one."""
import functools
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "house"))
import house  # noqa: E402
from block_table import TABLE, area_sets  # noqa: E402
import variables  # noqa: E402
from house import BadInput, Parser, ToolFailed, number, only_one, run_tool, write_if_changed, write_whole  # noqa: E402

# What is passed on; the files of this tool import all from here.
__all__ = ["BadInput", "Parser", "TABLE", "ToolFailed", "area_sets", "number", "only_one", "run_tool", "variables",
           "write_if_changed", "write_whole"]


@functools.lru_cache(maxsize=None)
def read(path):
    """Kept until sources.forget()."""
    return house.read(path)


def hash_of(parts):
    """Short, as people see it in data/evidence."""
    return house.hash_of(*parts)[:12]
