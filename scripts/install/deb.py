# SPDX-License-Identifier: Apache-2.0
"""Makes a Debian package of what `make install` puts: BUILD/deb/warpmem_VERSION_ARCHITECTURE.deb.

The dependencies are those that dpkg-shlibdeps finds. Between two releases the version has the day and name of the commit.
The same sources and tools give the same bytes.
"""
import glob
import gzip
import hashlib
import os
import re
import shutil
import subprocess

from install import contents, whole
from warpmem.tools import house

HERE = os.path.dirname(os.path.abspath(__file__))
COPYRIGHT = """Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: warpmem

Files: *
Copyright: the authors of warpmem
License: Apache-2.0
 On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.
"""
CONTROL = """Package: warpmem
Version: {version}
Architecture: {architecture}
Maintainer: the authors of warpmem <warpmem@localhost>
Installed-Size: {kilobytes}
Depends: {depends}
Recommends: clang, libc6-dev, liblzma-dev, libzstd-dev, opencl-headers, python3
Suggests: bash-completion, libinih-dev, libjansson-dev, pkgconf, python3-matplotlib
Section: science
Priority: optional
Description: cycle-level model of a GPU's memory system
 warpmem runs GPU programs and traces on a model of cores, caches, interconnect and
 DRAM, cycle by cycle, and compares mechanisms that papers have proposed. The package
 has the programs, the library with its headers, manual pages and examples.
"""


def ask_git(*words):
    """"": this is no checkout."""
    done = subprocess.run(["git", *words], text=True, capture_output=True, check=False)
    return done.stdout.strip() if not done.returncode else ""


def find_version(release):
    """A release's own, or one before it with the commit."""
    if not ask_git("rev-parse", "HEAD") or f"v{release}" in ask_git("tag", "--points-at", "HEAD").split():
        return release
    return f"{release}~{ask_git('log', '-1', '--format=%cd.%h', '--date=format:%Y%m%d', '--abbrev=8')}"


def find_time():
    """Seconds, of the commit; of the change log where there is none."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    return int(given) if given.isdecimal() else int(ask_git("log", "-1", "--format=%ct") or os.stat("CHANGELOG.md").st_mtime)


def compress_file(path):
    with open(path, "rb") as file:
        data = file.read()
    with open(path + ".gz", "wb") as out, gzip.GzipFile("", "wb", 9, out, mtime=0) as packed:
        packed.write(data)
    os.unlink(path)


def list_programs(root):
    """Those of machine code: others have an interpreter."""
    paths = glob.glob(os.path.join(root, "usr/bin/*")) + glob.glob(os.path.join(root, "usr/lib/warpmem/*")) + \
        glob.glob(os.path.join(root, "usr/lib/warpmem/warpmem-opencl/*"))
    return sorted(path for path in paths if os.path.isfile(path) and contents.read_bytes(path)[:4] == b"\x7fELF")


def strip_programs(root):
    """The parts that a debugger alone needs."""
    for path in list_programs(root):
        house.command(["strip", "--strip-unneeded", "--remove-section=.comment", "--remove-section=.note", path])
    for archive in ("libwarpmem.a", "warpmem/libwarpmem-cuda.a"):
        house.command(["strip", "--strip-debug", "--enable-deterministic-archives", os.path.join(root, "usr/lib", archive)])


def find_dependencies(folder, root):
    """dpkg-shlibdeps wants to be where a debian/control is."""
    house.write_whole(os.path.join(folder, "debian/control"), "Source: warpmem\n\nPackage: warpmem\nArchitecture: any\n")
    programs = [os.path.relpath(path, folder) for path in list_programs(root)]
    done = subprocess.run([house.program("dpkg-shlibdeps"), "-O", *programs], cwd=folder, text=True, capture_output=True, check=False)
    found = re.search(r"^shlibs:Depends=(.*)$", done.stdout, re.M)
    if done.returncode or not found:
        raise house.ToolFailed(f"dpkg-shlibdeps: exit code {done.returncode}: {' | '.join(done.stderr.splitlines()[-3:])}")
    return found.group(1)


def all_files(root):
    return sorted(os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names)


def write_control(root, version, depends):
    files = [path for path in all_files(root)]
    size = sum((os.stat(path).st_size + 1023) // 1024 for path in files)
    sums = "".join(f"{hashlib.md5(contents.read_bytes(path)).hexdigest()}  {os.path.relpath(path, root)}\n" for path in files)
    architecture = house.command(["dpkg", "--print-architecture"]).strip()
    house.write_whole(os.path.join(root, "DEBIAN/md5sums"), sums)
    house.write_whole(os.path.join(root, "DEBIAN/control"), CONTROL.format(
        version=version, architecture=architecture, kilobytes=size, depends=depends))
    return architecture


def make_package(build, with_rtl):
    """Its path."""
    folder = os.path.join(build, "deb")
    root, when = os.path.join(folder, "root"), find_time()
    shutil.rmtree(folder, ignore_errors=True)
    whole.put_files(os.path.join(root, "usr"), contents.list_files(build, "/usr", with_rtl, "vendor-completions"), keep_list=False)
    strip_programs(root)
    documents = os.path.join(root, "usr/share/doc/warpmem")
    os.unlink(os.path.join(documents, "LICENSE"))
    house.write_whole(os.path.join(documents, "copyright"), COPYRIGHT)
    os.rename(os.path.join(documents, "CHANGELOG.md"), os.path.join(documents, "changelog"))
    for path in [os.path.join(documents, "changelog"), *glob.glob(os.path.join(root, "usr/share/man/man1/*"))]:
        compress_file(path)
    version = find_version(contents.read_version(os.path.join(build, "warpmem")))
    architecture = write_control(root, version, find_dependencies(folder, root))
    for place, folders, names in os.walk(root):
        os.chmod(place, 0o755)
        for name in folders + names:
            os.utime(os.path.join(place, name), (when, when))
    path = os.path.join(folder, f"warpmem_{version}_{architecture}.deb")
    house.command(["dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, path],
                  env={"SOURCE_DATE_EPOCH": str(when)})
    shutil.rmtree(root)
    return path


def main(arguments):
    parser = house.Parser("deb", __doc__)
    parser.add_build()
    parser.add_argument("--rtl", action="store_true", help="warpmem-rtl too")
    options = parser.parse_args(arguments)
    path = make_package(options.build, options.rtl)
    print(f"{path}: {os.stat(path).st_size / 1e6:.1f} MB; dpkg -i installs it")
    return 0


if __name__ == "__main__":
    house.run_tool("deb", main, stopped="stopped; no package was made")
