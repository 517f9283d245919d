# SPDX-License-Identifier: Apache-2.0
"""Registers a thread as NVIDIA's assembler allocates them: --ptxas asks an nvcc, which needs no GPU, and links its counts into the module.

The trace then has these counts, which decide how many CTAs a core holds, in place of those of clang's code. Instructions stay clang's.
"""
import re
import shutil
import subprocess

from nvcc_options import Refused

COUNT = re.compile(r"Compiling entry function '([^']+)'.*?\n(?:(?!Compiling entry).*\n)*?.*Used (\d+) registers")
ARCHITECTURES = ("sm_70", "sm_75")  # of CUDA 12 and before, of CUDA 13; both have Volta's instructions
KEPT = ("-I", "-D", "-U", "-std=", "-isystem", "-include")


def registers_in(text):
    """{mangled name of a kernel: registers} of what `ptxas -v` prints."""
    return {name: int(count) for name, count in COUNT.findall(text)}


def flags_for_nvcc(flags):
    """Of warpmem-cc's, those that change what is compiled; some have their value in the next word."""
    kept, words = [], list(flags)
    while words:
        word = words.pop(0)
        if word.startswith(KEPT):
            kept += [word, words.pop(0)] if word in KEPT and words else [word]
    return kept


def ask_nvcc(nvcc, source, cubin, flags, limit):
    """The output of an nvcc about the kernels of a source file. limit: of -maxrregcount, or None."""
    if not shutil.which(nvcc):
        raise Refused(f"--ptxas={nvcc}: is not there: must be an nvcc, of which no GPU is needed")
    for architecture in ARCHITECTURES:
        words = [nvcc, "-cubin", "-arch=" + architecture, "-O3", "--resource-usage", "-w", *flags_for_nvcc(flags),
                 *([f"-maxrregcount={limit}"] if limit else []), "-o", cubin, source]
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
        if not done.returncode:
            return done.stdout
        if "nsupported gpu architecture" not in done.stdout:
            break
    said = next((line.strip() for line in done.stdout.splitlines() if "error" in line or "fatal" in line), f"exit status {done.returncode}")
    raise Refused(f"--ptxas={nvcc}: {source}: {said}")


def table_of_registers(counts):
    """C of the module's table, which capture/runtime reads."""
    return "".join(f"const unsigned wm_registers_{name}[2] = {{1, {count}}};\n" for name, count in sorted(counts.items()))
