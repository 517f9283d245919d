# SPDX-License-Identifier: Apache-2.0
"""What all parts of the formal scripts have of scripts/house. The key of a proof (jobs.py) has neither this nor house.py: they
run what they are told to and write what came of it, and change no verdict."""
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "house"))
from props import head_of  # noqa: E402
from house import (BadInput, Parser, QUIET_SECONDS, ToolFailed, command, hash_files, hash_of, hash_of_file,  # noqa: E402
                   number, only_one, program, read, run_tool, write_whole)

__all__ = ["BadInput", "Parser", "QUIET_SECONDS", "ToolFailed", "command", "hash_files", "hash_of", "hash_of_file", "head_of",
           "number", "only_one", "program", "read", "run_tool", "write_whole"]
