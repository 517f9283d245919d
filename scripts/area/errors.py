# SPDX-License-Identifier: Apache-2.0
"""What ends a run of the area scripts: one line that says what, where and what is allowed.

What they share with other tools comes into reach here, for this file is always imported first."""
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "house"))
from block_table import area_sets  # noqa: E402
from house import BadInput, ToolFailed  # noqa: E402

__all__ = ["BadInput", "ToolFailed", "area_sets"]
