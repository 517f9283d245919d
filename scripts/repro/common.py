# SPDX-License-Identifier: Apache-2.0
"""Shared part of the runner's other files."""
from collections import namedtuple


class NoValue(Exception):
    """A result does not have what a metric needs; the text says why, in few words."""


# One simulation. options: warpmem's own words, of a variant in data/variants.
Run = namedtuple("Run", "workload preset options size seed")

# In place of a run's result: why there is none. failed: it should be there (exit status 1), and is
# not merely something that this binary does not have.
Absent = namedtuple("Absent", "reason failed")
