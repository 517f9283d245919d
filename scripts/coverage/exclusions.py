# SPDX-License-Identifier: Apache-2.0
"""Exclusions from coverage, each with its reason: data/coverage/exclusions.txt.

An entry names its lines by their text, not by numbers:

    file cmodel/base/ring.c
    kind line
        if (!room) {
    >       return false;
    why  out of memory, which no test causes

`kind` is line, branch or toggle. The lines between `kind` and `why` follow each other in the file, at one place only;
how far they are indented does not matter. Those with > are excluded, the others say where that is. For toggle, `bits`
may follow `kind` with names as the report prints them, parted by blanks; without it all bits declared there are meant.
An entry whose text is gone, stands twice, or is covered is an error: it would hide later gaps.
"""
import dataclasses

from figures import spans
from house import BadInput

KINDS = ("line", "branch", "toggle")


@dataclasses.dataclass
class Exclusion:
    where: str  # in the list
    file: str = ""
    kind: str = ""
    bits: tuple = ()
    excerpt: tuple = ()  # (excluded, text)
    why: str = ""


def read(path):
    """The entries of the list."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except OSError as problem:
        raise BadInput(f"{path}: {problem.strerror}") from None
    found, now = [], None
    for number, line in enumerate(lines, 1):
        where = f"{path}:{number}"
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        if now is None:
            if not line.strip() or line.startswith("#"):
                continue
            if word != "file" or not rest:
                raise BadInput(f"{where}: an entry must begin with: file PATH")
            now = Exclusion(where, file=rest)
        elif word == "kind" and not now.kind:
            if rest not in KINDS:
                raise BadInput(f"{where}: kind {rest!r}: must be one of {', '.join(KINDS)}")
            now.kind = rest
        elif word == "bits" and now.kind == "toggle" and not now.excerpt:
            now.bits = tuple(rest.split())
        elif line[:1] in (" ", ">") and now.kind:
            now.excerpt += ((line[0] == ">", line[1:].strip()),)
        elif word == "why" and rest and any(excluded for excluded, _ in now.excerpt):
            now.why = rest
            found.append(now)
            now = None
        else:
            raise BadInput(f"{where}: must be, in this order: file PATH, kind KIND, bits NAME... (toggle only), "
                           "lines of the file of which > marks one at least, why REASON")
    if now is not None:
        raise BadInput(f"{now.where}: the entry has no reason: why REASON")
    return found


def place(entry, text):
    """Numbers of the excluded lines in the file with these lines."""
    wanted = [part for _, part in entry.excerpt]
    stripped = [line.strip() for line in text]
    starts = [i for i in range(len(text) - len(wanted) + 1) if stripped[i:i + len(wanted)] == wanted]
    if len(starts) != 1:
        raise BadInput(f"{entry.where}: its lines stand {len(starts)} times in {entry.file}"
                       f"{' (lines ' + spans(s + 1 for s in starts) + ')' if starts else ''}, must be once")
    return [starts[0] + i + 1 for i, (excluded, _) in enumerate(entry.excerpt) if excluded]


def places(entries):
    """(entry, numbers of its lines); an error where the text of one is gone."""
    for entry in entries:
        try:
            with open(entry.file, encoding="utf-8") as file:
                text = file.read().splitlines()
        except OSError as problem:
            raise BadInput(f"{entry.where}: {entry.file}: {problem.strerror}") from None
        yield entry, place(entry, text)


def points_of(entry, number, points):
    """The points that the entry takes away on this line; points: {point: covered} of its kind."""
    here = [point for point in points if point[0] == number]
    if entry.bits:
        missing = set(entry.bits) - {point[1] for point in here}
        here = [point for point in here if point[1] in entry.bits]
        if missing and here:
            raise BadInput(f"{entry.where}: line {number} of {entry.file} has no bits {' '.join(sorted(missing))}")
    if not here:
        raise BadInput(f"{entry.where}: line {number} of {entry.file} has nothing that {entry.kind} coverage counts")
    return here


def apply(entries, files):
    """{(file, kind): {point: reason}}; files: {file: {kind: {point: covered}}}. Each entry must still be needed."""
    taken = {}
    for entry, numbers in places(entries):
        if entry.kind not in files.get(entry.file, {}):
            raise BadInput(f"{entry.where}: {entry.file} is not measured for {entry.kind} coverage")
        points = files[entry.file][entry.kind]
        for number in numbers:
            here = points_of(entry, number, points)
            covered = [point for point in here if points[point]]
            if len(covered) == len(here) or (covered and entry.bits):
                raise BadInput(f"{entry.where}: line {number} of {entry.file} is covered: the entry must go")
            for point in here:
                if not points[point]:
                    taken.setdefault((entry.file, entry.kind), {})[point] = entry.why
    return taken
