# SPDX-License-Identifier: Apache-2.0
"""Shared by the scripts that draw: their messages, matplotlib, the JSON that they read, the picture that they write."""
import json
import os
import sys

KINDS = [".png", ".svg", ".pdf"]
UNDATED = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}


def fail(text):
    print(f"{os.path.splitext(os.path.basename(sys.argv[0]))[0]}: {text}", file=sys.stderr)
    sys.exit(2)


def load_matplotlib():
    try:
        import matplotlib  # here, so that --help works without it
    except ImportError:
        fail("needs matplotlib: install Debian's python3-matplotlib (scripts/setup.sh does)")
    matplotlib.use("Agg")
    return matplotlib


def load_pyplot():
    load_matplotlib()
    from matplotlib import pyplot
    return pyplot


def kind_of(picture):
    """".png" of a name, or of ".png" itself, which stands for stdout."""
    kind = picture if picture in KINDS else os.path.splitext(picture)[1]
    if kind not in KINDS:
        fail(f"{picture}: must end in {', '.join(KINDS[:-1])} or {KINDS[-1]}")
    return kind


def save_figure(figure, picture, **more):
    kind = kind_of(picture)
    load_matplotlib().rcParams["svg.hashsalt"] = "warpmem"  # the same input gives the same picture
    try:
        figure.savefig(sys.stdout.buffer if picture == kind else picture, format=kind[1:], dpi=110, metadata=UNDATED.get(kind), **more)
    except OSError as error:
        fail(f"{'stdout' if picture == kind else picture}: cannot be written: {error.strerror}")


def read_json(path, command, schema, version):
    """The JSON that `warpmem COMMAND --json` wrote; - is stdin."""
    name = "stdin" if path == "-" else path
    try:
        with (os.fdopen(0, encoding="utf-8") if path == "-" else open(path, encoding="utf-8")) as file:
            data = json.load(file)
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        fail(f"{name}: {getattr(error, 'strerror', None) or 'is not JSON'}")
    if not isinstance(data, dict) or (data.get("schema"), data.get("version")) != (schema, version):
        fail(f"{name}: must be what `warpmem {command} --json` writes: {schema} version {version}")
    return data


def draw_json(usage, command, version, draw, **more):
    """The main program of a script FILE.json PICTURE. draw(pyplot, data) makes the figure; more: options of savefig()."""
    words = sys.argv[1:]
    if words in (["--help"], ["-h"]):
        print(usage)
    elif words == ["--possible"]:
        load_matplotlib()
    elif len(words) == 2 and (words[0] == "-" or not words[0].startswith("-")):
        try:
            data = read_json(words[0], command, "warpmem." + {"characterize": "character"}.get(command, command), version)
            kind_of(words[1])
            save_figure(draw(load_pyplot(), data), words[1], **more)
        except KeyError as key:
            fail(f"{words[0]}: lacks {key}, which `warpmem {command} --json` writes")
    else:
        fail("needs FILE.json, or - for stdin, and PICTURE; --help says more")
