# SPDX-License-Identifier: Apache-2.0
"""Installs warpmem below a prefix, or removes exactly what was installed there: make install, make uninstall.

All files appear or, on an error, none. PREFIX/share/warpmem/installed.tsv lists what was put and the hash of each, for the
next install and for uninstall. A file that was changed by hand since then stays.
"""
import os
import sys

from install import contents, whole
from warpmem.tools import house

HERE = os.path.dirname(os.path.abspath(__file__))


def check_prefix(options):
    """The folder in which things are put."""
    if not options.prefix.startswith("/"):
        raise house.BadInput(f"PREFIX={options.prefix}: must be an absolute path")
    for name, path in (("PREFIX", options.prefix), ("DESTDIR", options.destdir)):
        if any(ord(letter) < 32 for letter in path):
            raise house.BadInput(f"{name}: must not have control characters")
    return os.path.normpath(options.destdir + options.prefix) if options.destdir else os.path.normpath(options.prefix)


def run_install(options, root):
    with house.only_one(os.path.join(options.build, "install"), "make install"):
        files = contents.list_files(options.build, os.path.normpath(options.prefix), options.rtl)
        whole.put_files(root, files)
    print(f"installed {len(files)} files below {root}; make uninstall with the same PREFIX and DESTDIR removes them")
    return 0


def run_uninstall(_options, root):
    stay = whole.take_files(root)
    if stay is None:
        raise house.BadInput(f"{os.path.join(root, whole.LIST)}: there is none, so nothing was installed here; "
                             "PREFIX and DESTDIR must be those of make install")
    for path in stay:
        print(f"uninstall: {os.path.join(root, path)}: was changed since, and stays", file=sys.stderr)
    print(f"uninstalled from {root}")
    return 0


def main(arguments):
    parser = house.Parser("install", __doc__)
    parser.add_argument("what", choices=("install", "uninstall"))
    parser.add_build()
    parser.add_argument("--prefix", default="/usr/local", help="where it is used (/usr/local)")
    parser.add_argument("--destdir", default="", help="a folder before the prefix, for packages")
    parser.add_argument("--rtl", action="store_true", help="warpmem-rtl too")
    options = parser.parse_args(arguments)
    root = check_prefix(options)
    return (run_install if options.what == "install" else run_uninstall)(options, root)


if __name__ == "__main__":
    house.run_tool("install", main, stopped="stopped; nothing has changed")
