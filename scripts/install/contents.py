# SPDX-License-Identifier: Apache-2.0
"""What `make install` puts, as files with their contents: nothing of it is made only half when the first one is written."""
import glob
import os

from install import completion, man_page
from install.whole import File
from warpmem.tools import house

# Command line only; everything below cmodel/ that programs are built from may be used, but its commands.
NO_HEADERS = ("cli",)
# Others than these, which the library's users must link too.
LIBRARIES = "-ljansson -linih -lzstd -llzma -lpthread -lm"
MANUALS = ("CHANGELOG.md", "CITATION.cff", "LICENSE")
# Scripts that the program runs or that a help names, and the package that they import.
SCRIPTS = ("plot_character.py", "plot_compare.py", "plot_series.py", "slurm_tasks.py")


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def copy_script(path, folder):
    """It can be run if it can be here, by everybody."""
    return File(os.path.join(folder, os.path.basename(path)), read_bytes(path), 0o755 if os.stat(path).st_mode & 0o100 else 0o644)


def read_version(program):
    """"0.1.0"."""
    words = house.command([program, "--version"]).split()
    if len(words) < 2 or words[0] != "warpmem":
        raise house.ToolFailed(f"{program} --version: says {' '.join(words)}")
    return words[1]


def escape_pc(path):
    """Blanks divide words in a .pc file."""
    return path.replace("\\", "\\\\").replace(" ", "\\ ")


def write_pc(prefix, version):
    return (f"prefix={escape_pc(prefix)}\nlibdir=${{prefix}}/lib\nincludedir=${{prefix}}/include/warpmem\n\nName: warpmem\n"
            f"Description: cycle-level model of a GPU's memory system\nVersion: {version}\nCflags: -I${{includedir}}\n"
            f"Libs: -L${{libdir}} -lwarpmem {LIBRARIES}\n").encode()


def list_programs(build, with_rtl):
    """{name: path}"""
    names = ["warpmem", "wavediff", "wavejoin", "dramcheck"] + (["warpmem-rtl"] if with_rtl else [])
    return {name: os.path.join(build, name) for name in names}


def list_manuals(programs, version):
    """Pages and completions."""
    others = [name for name in programs if name not in ("warpmem", "warpmem-rtl")]
    name = f"warpmem {version}"
    files = [File("share/man/man1/warpmem.1", man_page.write_warpmem(programs["warpmem"], name, others).encode())]
    for other in others:
        text = man_page.write_small_program(programs[other], other, name, ["warpmem"])
        files.append(File(f"share/man/man1/{other}.1", text.encode()))
    if "warpmem-rtl" in programs:
        files.append(File("share/man/man1/warpmem-rtl.1", b".so man1/warpmem.1\n"))
    return files


def list_completions(programs, version, zsh_folder):
    files = []
    for name, path in programs.items():
        if name == "dramcheck":
            continue  # takes a file, as shells offer by themselves
        describe = completion.describe_small_program if name in ("wavediff", "wavejoin") else completion.describe_warpmem
        program = describe(path, name, version)
        files += [File(f"share/bash-completion/completions/{name}", completion.write_bash(program).encode()),
                  File(f"share/zsh/{zsh_folder}/_{name}", completion.write_zsh(program).encode())]
    return files


def list_capture(build):
    """The tools that turn CUDA and OpenCL programs into traces (docs/capture.md)."""
    own = "lib/warpmem/"
    files = [File("bin/warpmem-cc", read_bytes(os.path.join(build, "warpmem-cc")), 0o755),
             File(own + "warpmem-instrument", read_bytes(os.path.join(build, "warpmem-instrument")), 0o755),
             File(own + "libwarpmem-cuda.a", read_bytes(os.path.join(build, "libwarpmem-cuda.a")))]
    capture = os.path.join(build, "warpmem-capture")
    for path in sorted(glob.glob(os.path.join(capture, "**", "*.[ho]"), recursive=True) + glob.glob(os.path.join(capture, "*.py")) +
                       [path for path in glob.glob(os.path.join(capture, "cuda", "**"), recursive=True) if os.path.isfile(path)] +
                       glob.glob(os.path.join(build, "warpmem-cuda", "lib64", "*")) + glob.glob(os.path.join(build, "warpmem-opencl", "*"))):
        files.append(File(own + os.path.relpath(path, build), read_bytes(path)))
    return files


def list_files(build, prefix, with_rtl, zsh_folder="site-functions"):
    """All of them. The programs must have been built."""
    programs = list_programs(build, with_rtl)
    version = read_version(programs["warpmem"])
    files = [File(f"bin/{name}", read_bytes(path), 0o755) for name, path in programs.items()]
    files += list_capture(build)
    files.append(File("lib/libwarpmem.a", read_bytes(os.path.join(build, "libwarpmem.a"))))
    files.append(File("lib/pkgconfig/warpmem.pc", write_pc(prefix, version)))
    for path in sorted(glob.glob("cmodel/*/*.h") + glob.glob("cmodel/*/*/*.h")):
        if path.split("/")[1] not in NO_HEADERS:
            files.append(File("include/warpmem/" + path.removeprefix("cmodel/"), read_bytes(path)))
    files += list_manuals(programs, version) + list_completions(programs, version, zsh_folder)
    documents = sorted(glob.glob("docs/*.md")) + list(MANUALS)
    files += [File(f"share/doc/warpmem/{path.removeprefix('docs/')}", read_bytes(path)) for path in documents]
    for path in [*SCRIPTS, *sorted(glob.glob("warpmem/**/*.py", root_dir="scripts", recursive=True))]:
        files.append(copy_script(os.path.join("scripts", path), os.path.join("share/warpmem/scripts", os.path.dirname(path))))
    for folder, folders, names in os.walk("examples"):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        files += [copy_script(os.path.join(folder, name), f"share/doc/warpmem/{folder}") for name in sorted(names)]
    return files
