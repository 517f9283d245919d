# SPDX-License-Identifier: Apache-2.0
"""What all parts of the evidence scripts share: errors, files that are whole or not there, hashes."""
import functools
import hashlib
import os
import tempfile


class BadInput(Exception):
    """The user can mend it: exit code 2."""


class Failed(Exception):
    """A measurement or a check failed: exit code 1."""


@functools.lru_cache(maxsize=None)
def read(path):
    """Kept until sources.forget()."""
    with open(path, encoding="utf-8") as file:
        return file.read()


def write_whole(path, text):
    """The file is the old one or the new one, never a part; an equal one keeps its time."""
    try:
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    except OSError:
        pass
    folder = os.path.dirname(path) or "."
    os.makedirs(folder, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=".part-", dir=folder)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def hash_of(parts):
    """Of texts, in this order."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]
