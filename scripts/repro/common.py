# SPDX-License-Identifier: Apache-2.0
"""What the other files of the runner share: errors, runs, files that appear whole or not at all."""
import os
from collections import namedtuple


class Wrong(Exception):
    """What a user can mend: printed as one line, exit status 2."""


class NoValue(Exception):
    """A result does not have what a metric needs; the text says why, in few words."""


# One simulation. options: warpmem's own words, of a variant in data/variants.
Run = namedtuple("Run", "workload preset options size seed")

# In place of a run's result: why there is none. failed: it should be there (exit status 1), and is
# not merely something that this binary does not have.
Absent = namedtuple("Absent", "reason failed")


def write_whole(path, data):
    """Writes bytes to a name beside the path, then renames."""
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        if os.path.exists(temporary):
            os.remove(temporary)
        raise OSError(error.errno, error.strerror, path) from None
