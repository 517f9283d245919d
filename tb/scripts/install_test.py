#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Tests of `make install`, `make uninstall` and `make deb`: what they put, take away, and leave as it was on an error."""
import glob
import os
import re
import resource
import shlex
import subprocess
import unittest.mock

from test_house import BUILD, ROOT, TOOL, House, main, said
from install import whole
from warpmem.tools import house



def look_at(folder):
    """{path: mode and contents} of all below it."""
    found = {}
    for place, folders, names in os.walk(folder):
        for name in folders + names:
            path = os.path.join(place, name)
            data = None if os.path.isdir(path) else house.hash_of_file(path)
            found[os.path.relpath(path, folder)] = (os.stat(path).st_mode, data)
    return found


class Installing(House):
    def setUp(self):
        super().setUp()
        self.destination = self.path("a folder's")

    def tool(self, what, *more, prefix="/usr", **how):
        return said(TOOL, "install", what, "--build", BUILD, "--prefix", prefix, "--destdir", self.destination, *more, cwd=ROOT, **how)

    def installed(self, name):
        return os.path.join(self.destination, "usr", name)

    def test_uninstall_leaves_what_was_there_before(self):
        self.write("a folder's/usr/bin/other", "of somebody else")
        before = look_at(self.folder)
        self.assertEqual(self.tool("install")[0], 0)
        for name in ("bin/warpmem", "bin/wavediff", "bin/wavejoin", "bin/dramcheck", "lib/libwarpmem.a", "include/warpmem/gpu/gpu.h",
                     "lib/pkgconfig/warpmem.pc", "share/man/man1/warpmem.1", "share/man/man1/wavediff.1",
                     "share/bash-completion/completions/warpmem", "share/zsh/site-functions/_warpmem",
                     "share/doc/warpmem/CITATION.cff", "share/doc/warpmem/examples/library/l1_ways.c"):
            self.assertTrue(os.path.isfile(self.installed(name)), name)
        self.assertEqual(said(self.installed("bin/warpmem"), "version")[0], 0)
        self.assertEqual(self.tool("uninstall"), (0, f"uninstalled from {self.destination}/usr\n", ""))
        self.assertEqual(look_at(self.folder), before)

    def test_folders_that_it_made_go_too(self):
        self.assertEqual(self.tool("install", prefix="/opt/deep/warpmem")[0], 0)
        self.assertEqual(self.tool("uninstall", prefix="/opt/deep/warpmem")[0], 0)
        self.assertEqual(os.listdir(self.folder), [])

    def test_modes_do_not_hang_on_the_umask(self):
        self.assertEqual(self.tool("install", preexec_fn=lambda: os.umask(0o077))[0], 0)
        self.assertEqual(os.stat(self.installed("bin/warpmem")).st_mode & 0o777, 0o755)
        self.assertEqual(os.stat(self.installed("include/warpmem/gpu")).st_mode & 0o777, 0o755)
        self.assertEqual(os.stat(self.installed("lib/libwarpmem.a")).st_mode & 0o777, 0o644)

    def test_a_full_disk_changes_nothing(self):
        programs, library = (os.stat(os.path.join(BUILD, name)).st_size for name in ("warpmem", "libwarpmem.a"))
        self.assertLess(programs, library)  # so it fails in the middle

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (library - 1, library - 1))
        for installed_before in (False, True):
            if installed_before:
                self.assertEqual(self.tool("install")[0], 0)
                self.write("a folder's/usr/bin/warpmem", "an older one")
            before = look_at(self.folder)
            self.one_line(self.tool("install", preexec_fn=limit), "libwarpmem.a: File too large", code=1)
            self.assertEqual(look_at(self.folder), before)

    def test_a_changed_file_stays(self):
        self.tool("install")
        path = self.write("a folder's/usr/share/doc/warpmem/examples/library/l1_ways.c", "of my own")
        code, _, err = self.tool("uninstall")
        self.assertEqual((code, err), (0, f"uninstall: {path}: was changed since, and stays\n"))
        self.assertEqual([name for name, (_, data) in look_at(self.folder).items() if data], [os.path.relpath(path, self.folder)])

    def test_wrong_input_is_one_line(self):
        self.one_line(self.tool("install", prefix="usr"), "PREFIX=usr: must be an absolute path")
        self.one_line(self.tool("uninstall"), "nothing was installed here")
        self.write("a folder's/usr/share/warpmem/installed.tsv", "what\thash\tpath\nfile\t" + "0" * 64 + "\t../../x\n")
        self.one_line(self.tool("uninstall"), "installed.tsv:2: must be")
        os.makedirs(self.installed("share/man/man1/warpmem.1"))
        os.remove(self.installed("share/warpmem/installed.tsv"))
        before = look_at(self.folder)
        self.one_line(self.tool("install"), "warpmem.1: is a folder where a file belongs")
        self.assertEqual(look_at(self.folder), before)

    def test_make_hands_on_any_folder(self):
        _, out, _ = said("make", "-n", "install", "uninstall", "PREFIX=/a b", "DESTDIR=/it's \"x\"", f"BUILD={self.folder}", cwd=ROOT)
        lines = [shlex.split(line) for line in out.splitlines() if "scripts/tool install" in line]
        self.assertEqual([line[line.index("--destdir") + 1] for line in lines], ["/it's \"x\""] * 2)
        self.assertEqual([line[line.index("--prefix") + 1] for line in lines], ["/a b"] * 2)

    def test_the_library_serves_a_program_out_of_the_tree(self):
        prefix = self.path("a prefix")
        self.assertEqual(said(TOOL, "install", "install", "--build", BUILD, "--prefix", prefix, cwd=ROOT)[0], 0)
        code, out, err = said("pkg-config", "--cflags", "--libs", "warpmem", env=dict(
            os.environ, PKG_CONFIG_PATH=os.path.join(prefix, "lib/pkgconfig")))
        self.assertEqual((code, err), (0, ""))
        flags, include = shlex.split(out), os.path.join(prefix, "include/warpmem")
        headers = sorted(glob.glob(include + "/*/*.h"))
        self.assertGreater(len(headers), 80)
        source = os.path.join(prefix, "share/doc/warpmem/examples/library/l1_ways.c")
        compiler = ["gcc", "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Werror"]
        self.assertEqual(said(*compiler, "-x", "c", "-fsyntax-only", *headers, *flags), (0, "", ""))
        self.assertEqual(said(*compiler, source, *flags, "-o", self.path("l1_ways")), (0, "", ""))
        code, out, _ = said(self.path("l1_ways"))
        self.assertEqual((code, re.findall(r"(\d) ways", out)), (0, ["2", "4", "8"]))


    def test_a_program_is_captured_with_what_is_installed(self):
        prefix = self.path("a prefix")
        self.assertEqual(said(TOOL, "install", "install", "--build", BUILD, "--prefix", prefix, cwd=ROOT)[0], 0)
        bin_, trace = os.path.join(prefix, "bin"), self.path("t.wtr")
        source = os.path.join(prefix, "share/doc/warpmem/examples/capture/spmv.cu")
        self.assertEqual(said(os.path.join(bin_, "warpmem-cc"), source, "-o", self.path("spmv")), (0, "", ""))
        code, out, err = said(os.path.join(bin_, "warpmem"), "capture", "-o", trace, "--", self.path("spmv"), "64")
        self.assertEqual((code, err.count("\n")), (0, 1), out + err)
        self.assertIn("recorded from spmv,", said(os.path.join(bin_, "warpmem"), "info", trace)[1])
        source, program = os.path.join(prefix, "share/doc/warpmem/examples/capture/spmv_opencl.c"), self.path("spmv_opencl")
        self.assertEqual(said("gcc", source, "-L", os.path.join(prefix, "lib/warpmem/warpmem-opencl"), "-lOpenCL", "-o", program), (0, "", ""))
        code, out, err = said(os.path.join(bin_, "warpmem"), "capture", "-o", trace, "--", program, "64")
        self.assertEqual((code, err.count("\n")), (0, 1), out + err)
        self.assertIn("recorded from spmv_opencl,", said(os.path.join(bin_, "warpmem"), "info", trace)[1])


class Whole(House):
    """whole.py alone."""
    OLD = [whole.File("bin/a", b"1", 0o755), whole.File("lib/deep/b", b"2"), whole.File("c", b"3")]
    NEW = [whole.File("bin/a", b"4", 0o755), whole.File("lib/other/d", b"5"), whole.File("c", b"6")]

    def test_a_newer_version_takes_away_what_only_the_older_has(self):
        whole.put_files(self.folder, self.OLD)
        whole.put_files(self.folder, self.NEW)
        self.assertEqual({name for name, (_, data) in look_at(self.folder).items() if data}, {"bin/a", "lib/other/d", "c", whole.LIST})
        whole.take_files(self.folder)
        self.assertEqual(os.listdir(self.folder), [])

    def test_an_error_or_stop_at_any_step_changes_nothing(self):
        whole.put_files(self.folder, self.OLD)
        before = look_at(self.folder)
        for name in ("os.replace", "os.link", "os.open", "os.mkdir"):
            real = eval(name)  # pylint: disable=eval-used
            for error in (OSError(28, "No space left on device", "x"), KeyboardInterrupt()):
                for step in range(1, 9):
                    calls = []

                    def fail_once(*words, step=step, calls=calls, real=real, error=error, **more):
                        calls.append(words)
                        if len(calls) == step:
                            raise error
                        return real(*words, **more)
                    with self.subTest(name=name, error=error, step=step), unittest.mock.patch(name, fail_once):
                        try:
                            whole.put_files(self.folder, self.NEW)
                            failed = False
                        except (OSError, KeyboardInterrupt):
                            failed = True
                    self.assertEqual(failed, len(calls) >= step)
                    if failed:
                        self.assertEqual(look_at(self.folder), before, (name, error, step))
                        continue
                    whole.take_files(self.folder)
                    whole.put_files(self.folder, self.OLD)
                    break
                self.assertGreater(step, 1, name)


class Package(House):
    def deb(self, name):
        build = self.path(name)
        os.mkdir(build)
        for file in ("warpmem", "wavediff", "wavejoin", "dramcheck", "libwarpmem.a", "warpmem-cc", "warpmem-instrument", "libwarpmem-cuda.a", "warpmem-capture", "warpmem-cuda",
                     "warpmem-opencl"):
            os.symlink(os.path.join(BUILD, file), os.path.join(build, file))
        code, _, err = said(TOOL, "install.deb", "--build", build, cwd=ROOT)
        self.assertEqual((code, err), (0, ""))
        path, = glob.glob(os.path.join(build, "deb/*.deb"))
        return path

    def test_dpkg_installs_and_removes_it(self):
        path = self.deb("build")
        root, log = self.path("root"), self.path("log")
        os.makedirs(os.path.join(root, "var/lib/dpkg"))
        self.write("root/var/lib/dpkg/status", "")
        dpkg = ["dpkg", f"--root={root}", f"--log={log}", "--force-not-root", "--force-depends", "--force-script-chrootless"]
        self.assertEqual(said(*dpkg, "-i", path)[0], 0)
        self.assertEqual(said(os.path.join(root, "usr/bin/warpmem"), "run", "vecadd", "--size", "tiny")[0], 0)
        self.assertEqual(subprocess.run(["gzip", "-t", os.path.join(root, "usr/share/man/man1/warpmem.1.gz")], check=False).returncode, 0)
        self.assertTrue(os.path.exists(os.path.join(root, "usr/share/zsh/vendor-completions/_warpmem")))
        self.assertEqual(said(*dpkg, "-P", "warpmem")[0], 0)
        self.assertEqual([name for name in look_at(root) if not name.startswith("var")], [])

    def test_it_names_what_it_depends_on_and_is_the_same_each_time(self):
        first, second = self.deb("one"), self.deb("two")
        code, out, _ = said("dpkg-deb", "-f", first, "Depends", "Version")
        self.assertEqual(code, 0)
        for name in ("libc6", "libjansson4", "libinih1", "libzstd1", "liblzma5"):
            self.assertIn(name, out)
        self.assertIn(f"Version: {house.command([os.path.join(BUILD, 'warpmem'), 'version']).split()[1]}", out)
        self.assertEqual(house.hash_of_file(first), house.hash_of_file(second))


class Citation(House):
    def test_it_names_the_programs_version(self):
        version = house.command([os.path.join(BUILD, "warpmem"), "version"]).split()[1]
        self.assertIn(f"\nversion: {version}\n", house.read(os.path.join(ROOT, "CITATION.cff")))


if __name__ == "__main__":
    main()
