# SPDX-License-Identifier: Apache-2.0
"""Puts files below a folder all together or not at all, and takes away exactly what was put.

The list of what was put is itself one of the files: a line a file with the hash of its contents, and a line a folder that was
made. A file that has changed since is no longer what was put, so it stays.
"""
import contextlib
import os
import re
import stat
from dataclasses import dataclass

from warpmem.tools import house

LIST = "share/warpmem/installed.tsv"
NEW, OLD = ".warpmem-new", ".warpmem-old"


@dataclass
class File:
    path: str      # below the folder
    data: bytes
    mode: int = 0o644


class Record:
    """The contents of LIST."""

    def __init__(self, hashes=None, folders=None):
        self.hashes, self.folders = hashes or {}, folders or []

    def text(self):
        return house.tsv([("what", "hash", "path"), *(("file", hash_, path) for path, hash_ in sorted(self.hashes.items())),
                          *(("folder", "-", path) for path in sorted(self.folders))]).encode()


def read_record(root):
    """None: nothing is installed there."""
    path = os.path.join(root, LIST)
    if not os.path.exists(path):
        return None
    record = Record()
    for at, line in enumerate(house.read(path).splitlines()[1:], 2):
        words = line.split("\t")
        above = words[-1] == "." or re.fullmatch(r"\.\.(/\.\.)*", words[-1])  # the folder itself, and those that it is in
        sound = len(words) == 3 and words[2] and not words[2].startswith("/") and ".." not in words[2].split("/")
        if sound and words[0] == "file" and re.fullmatch("[0-9a-f]{64}", words[1]):
            record.hashes[words[2]] = words[1]
        elif len(words) == 3 and words[0] == "folder" and (sound or above):
            record.folders.append(words[2])
        else:
            raise house.BadInput(f"{path}:{at}: must be `file`, a hash and a path, or `folder`, - and a path, between tabs")
    return record


def hash_there(path):
    """"": there is none; a link or folder is never what was put."""
    if not os.path.lexists(path):
        return ""
    return house.hash_of_file(path) if stat.S_ISREG(os.lstat(path).st_mode) else "no file"


def beside(path, ending):
    folder, name = os.path.split(path)
    return os.path.join(folder, f".{name}{ending}")


def remove_quietly(path):
    with contextlib.suppress(OSError):
        os.unlink(path)


def remove_folders(root, folders):
    """Those that are empty; the deepest first."""
    for path in sorted((os.path.normpath(os.path.join(root, folder)) for folder in folders), reverse=True):
        with contextlib.suppress(OSError):
            os.rmdir(path)


def make_folders(root, path, made):
    """Those that a path needs, and the root; @made gets each new one, as seen from the root."""
    whole, missing = os.path.dirname(os.path.join(root, path)), []
    while not os.path.isdir(whole):
        missing.append(whole)
        whole = os.path.dirname(whole)
    for folder in reversed(missing):
        try:
            os.mkdir(folder)
        except FileExistsError:
            raise house.BadInput(f"{folder}: is no folder; move it away") from None
        made.append(os.path.relpath(folder, root))
        os.chmod(folder, 0o755)  # whatever root's umask is


def write_new(path, file):
    new = beside(path, NEW)
    remove_quietly(new)
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, file.mode)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(file.data)
            out.flush()
            os.fchmod(out.fileno(), file.mode)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None


def swap_files(paths):
    """New ones take the places of old ones. On an error all old ones are back."""
    swapped = []
    try:
        for path in paths:
            old = beside(path, OLD)
            remove_quietly(old)
            if os.path.lexists(path):
                os.link(path, old, follow_symlinks=False)
            swapped.append(path)
            os.replace(beside(path, NEW), path)
    except BaseException:
        for path in swapped:
            old = beside(path, OLD)
            if os.path.lexists(old):
                os.replace(old, path)
                remove_quietly(old)  # two names of one file: rename() then does nothing
            elif not os.path.lexists(beside(path, NEW)):  # it has been renamed, and there was none before
                remove_quietly(path)
        raise
    for path in paths:
        remove_quietly(beside(path, OLD))


def put_files(root, files, keep_list=True):
    """All of them, or on any error none. What an older version has put and this one does not is removed. Returns nothing."""
    old, made, paths = read_record(root) or Record(), [], []
    record = Record({file.path: "" for file in files})
    try:
        for file in files:
            path = os.path.join(root, file.path)
            if os.path.isdir(path) and not os.path.islink(path):
                raise house.BadInput(f"{path}: is a folder where a file belongs; move it away")
            make_folders(root, file.path, made)
            paths.append(path)
            write_new(path, file)
            record.hashes[file.path] = house.hash_of_file(beside(path, NEW))
        if keep_list:
            path = os.path.join(root, LIST)
            make_folders(root, LIST, made)
            record.folders = sorted({*old.folders, *made})
            # First, so that after a kill in between all that was put is listed.
            paths.insert(0, path)
            write_new(path, File(LIST, record.text()))
        swap_files(paths)
    except BaseException:
        for path in paths:
            remove_quietly(beside(path, NEW))
        remove_folders(root, made)
        raise
    for path, hash_ in old.hashes.items():
        if path not in record.hashes and hash_there(os.path.join(root, path)) == hash_:
            os.unlink(os.path.join(root, path))


def take_files(root):
    """Removes what was put. Returns the paths of those that stay, because they have changed since; None: nothing is installed."""
    record = read_record(root)
    if record is None:
        return None
    folders = {os.path.dirname(os.path.join(root, path)) for path in [*record.hashes, LIST]}
    closed = [folder for folder in sorted(folders) if os.path.isdir(folder) and not os.access(folder, os.W_OK | os.X_OK)]
    if closed:
        raise house.ToolFailed(f"{closed[0]}: may not be changed; nothing was removed")
    stay = []
    for path, hash_ in record.hashes.items():
        whole = os.path.join(root, path)
        for ending in (NEW, OLD):
            remove_quietly(beside(whole, ending))
        there = hash_there(whole)
        if there == hash_:
            os.unlink(whole)
        elif there:
            stay.append(path)
    for ending in ("", NEW, OLD):
        remove_quietly(os.path.join(root, LIST) if not ending else beside(os.path.join(root, LIST), ending))
    remove_folders(root, record.folders)
    return stay
