# SPDX-License-Identifier: Apache-2.0
"""Builds the package for pip (PEP 517), with the standard library alone: `pip install ./python` works without network."""
import base64
import hashlib
import os
import re
import tarfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))


def project(key):
    """A text of pyproject.toml's [project]; its lines are simple, and tomllib is newer than the oldest Python."""
    with open(os.path.join(HERE, "pyproject.toml"), encoding="utf-8") as file:
        return re.search(rf'^{key} = "(.*)"', file.read(), re.M).group(1)


def stem():
    return f"warpmem-{project('version')}"


def metadata():
    return (f"Metadata-Version: 2.1\nName: warpmem\nVersion: {project('version')}\nSummary: {project('description')}\n"
            f"License: Apache-2.0\nRequires-Python: {project('requires-python')}\n").encode()


def sources():
    folder = os.path.join(HERE, "warpmem")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".py"):
            with open(os.path.join(folder, name), "rb") as file:
                yield "warpmem/" + name, file.read()


def write_wheel(folder, files):
    """The same files give the same bytes: times are those of zip's first day."""
    info = stem() + ".dist-info"
    files = [*files, (f"{info}/METADATA", metadata()),
             (f"{info}/WHEEL", b"Wheel-Version: 1.0\nGenerator: warpmem\nRoot-Is-Purelib: true\nTag: py3-none-any\n")]
    record = [f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}"
              for name, data in files]
    files.append((f"{info}/RECORD", "\n".join([*record, f"{info}/RECORD,,", ""]).encode()))
    wheel = f"{stem()}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(folder, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            entry = zipfile.ZipInfo(name)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, data)
    return wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, sources())


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """pip install -e: a line that names this folder."""
    return write_wheel(wheel_directory, [("warpmem.pth", (HERE + "\n").encode())])


def build_sdist(sdist_directory, config_settings=None):
    name = stem() + ".tar.gz"
    with tarfile.open(os.path.join(sdist_directory, name), "w:gz") as archive:
        for path in ("pyproject.toml", "backend.py", "warpmem"):
            archive.add(os.path.join(HERE, path), f"{stem()}/{path}", filter=lambda i: None if "__pycache__" in i.name else i)
    return name
