#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles CUDA and OpenCL programs without their toolkits and without a GPU, for warpmem capture: takes nvcc's common options.

    warpmem-cc prog.cu -o prog
    warpmem capture -o prog.wtr -- ./prog

A .cu file is compiled by clang twice: its kernels to bitcode of an NVIDIA GPU, which is rewritten for this computer so that it
reports what it does, and its host code. .c, .cpp, .cc, .cxx and .o files may stand beside. The program runs anywhere clang's do,
and without warpmem it computes the same. With -lOpenCL a program gets warpmem's OpenCL, which compiles kernels as the program runs:
it calls warpmem-cc -c with the kernels as a .cl file.
"""
import functools
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

# The parts beside this file: in the folder of a build, or as `make install` puts them.
PARTS = [os.path.join(os.path.dirname(os.path.realpath(__file__)), place) for place in ("", "../lib/warpmem", "../lib")]
sys.dont_write_bytecode = True  # where the parts are installed
sys.path[:0] = [os.path.join(place, "warpmem-capture") for place in PARTS]
from inline_ptx import with_aligned_shared, without_assembly  # noqa: E402 pylint: disable=wrong-import-position
from nvcc_options import LINKED, RELEASE, Parser, Refused  # noqa: E402 pylint: disable=wrong-import-position
from child_launches import drop_child_launches, rewrite_launches  # noqa: E402 pylint: disable=wrong-import-position
from ptxas import ask_nvcc, registers_in, table_of_registers  # noqa: E402 pylint: disable=wrong-import-position
from relocatable import relocatable_parts  # noqa: E402 pylint: disable=wrong-import-position
from unnamed_namespaces import name_unnamed_namespaces  # noqa: E402 pylint: disable=wrong-import-position

# Macros of nvcc for each file, and for those with kernels; the headers have CUDART_VERSION and CUDA_VERSION.
DEFINED = ["-D__NVCC__", *(f"-D__CUDACC_VER_{part}__={value}" for part, value in zip(("MAJOR", "MINOR", "BUILD"), RELEASE, strict=True))]
DEFINED_FOR_CUDA = ["-D__CUDACC__"]
# Loops are unrolled whole, if they are short and their trips are constant, others by four. The limits are the nearest to what nvcc 13
# did to small loops; it unrolls long ones of constant trips by more than four.
# -fno-unroll-loops keeps all but those with a #pragma.
UNROLLED = ("-unroll-threshold=900", "-unroll-partial-threshold=250", "-unroll-max-count=4")
FLAGS_OF_KERNELS = ["-O2", "-gline-tables-only", "-fno-vectorize", "-fno-slp-vectorize",
                    *(word for option in (*UNROLLED, "-inline-threshold=1000000") for word in ("-mllvm", option))]
# Pointers in tables as they are, and not as differences.
FLAGS_OF_TABLES = ["-Xclang", "-mcmodel=medium"]
# Shuffles, where clang takes the oldest PTX without CUDA.
FLAGS_OF_DEVICE = ["-Xclang", "-target-feature", "-Xclang", "+ptx60", *FLAGS_OF_TABLES]
COMMON = ["-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version", "-Wno-pass-failed", "-Wno-unknown-warning-option"]
# Headers, as they are included, of what no program here may use.
REFUSED_HEADERS = (("thrust/", "thrust"), ("cub/", "cub"), ("cublas", "cuBLAS"), ("cufft", "cuFFT"), ("curand", "cuRAND"),
                   ("cusparse", "cuSPARSE"), ("cusolver", "cuSOLVER"), ("cudnn", "cuDNN"), ("cuda/", "libcu++"),
                   ("cuda_gl_interop", "OpenGL"), ("nvToolsExt", "NVIDIA's tools"), ("nvrtc", "compilation at run time (NVRTC)"),
                   ("cudaGL", "OpenGL"), ("cuda_vdpau", "VDPAU"), ("cuda_egl", "EGL"), ("nvjpeg", "nvJPEG"), ("npp", "NPP"), ("nccl", "NCCL"), ("nvml", "NVML"),
                   ("cupti", "CUPTI"), ("cudaD3D", "Direct3D"), ("cuda_d3d", "Direct3D"), ("nv_decode", "video"), ("cudla", "DLA"), ("nvscibuf", "NvSci"))
CHILDREN = "-DWARPMEM_CHILDREN"  # of a file whose kernels launch kernels
KERNEL_IN_KERNEL = re.compile(r"reference to __global__ function|call to __host__ function from __(global|device)__ function|"
                              r"reference to __host__ function 'cuda\w+' in __(global|device|host__ __device)__ function")


class StepFailed(Exception):
    """A compiler has printed the fault, which is the exception's text."""


def part(name):
    """The path of one of warpmem's own files."""
    for place in PARTS:
        if os.path.exists(os.path.join(place, name)):
            return os.path.normpath(os.path.join(place, name))
    raise Refused(f"{name} of warpmem is not there: make builds it, make install installs it")


def opencl_library():
    folder = os.path.dirname(part("warpmem-opencl/libOpenCL.so.1"))
    return [f"-L{folder}", f"-Wl,-rpath,{folder}", "-lOpenCL"]


class Compiler:
    def __init__(self, options, folder):
        self.o, self.folder = options, folder
        self.clang = os.environ.get("CLANG") or "clang++"
        if not shutil.which(self.clang):
            raise Refused(f"{self.clang} is not there: install clang (Debian: apt-get install clang)")
        said = subprocess.run([self.clang, "--version"], capture_output=True, text=True, check=False).stdout
        version = re.search(r"version (\d+)\.", said)
        if not version:
            raise Refused(f"{self.clang}: is no clang")
        self.version = version.group(1)

    def run(self, *words, hides=None):
        """@hides: a fault with this text is the caller's to mend."""
        if self.o.verbose:
            print(" ".join(words), file=sys.stderr)
        done = subprocess.run(words, check=False, stderr=subprocess.PIPE, text=True, errors="replace")
        if not (done.returncode and hides and hides.search(done.stderr)):
            sys.stderr.write(done.stderr)
        if done.returncode:
            raise StepFailed(done.stderr)

    def path(self, source, suffix):
        return os.path.join(self.folder, re.sub(r"[^A-Za-z0-9_.-]", "_", source) + suffix)

    def table_of_ptxas(self, source):
        """With --ptxas: a C file with the counts of the source's kernels."""
        counts = registers_in(ask_nvcc(self.o.ptxas, source, self.path(source, ".cubin"), self.o.flags, self.o.register_limit))
        if not counts:
            print(f"warpmem-cc: --ptxas: {source}: nvcc names no kernel in it", file=sys.stderr)
        table = self.path(source, ".registers.c")
        with open(table, "w", encoding="utf-8") as file:
            file.write(table_of_registers(counts))
        return ["-x", "c", table, "-x", "none"]

    def make_module(self, source, bitcode, module, *libraries):
        """Kernels as bitcode of a GPU become a shared object for this computer."""
        rewritten, plain = self.path(source, ".host.bc"), self.path(source, ".plain.bc")
        options = [*(["--ldg=texture"] if self.o.ldg_texture else []), *([] if self.o.fmad else ["--fmad=false"]),
                   *([] if source == "joined" else [f"--source={source}"])]
        self.run(part("warpmem-instrument"), self.version, bitcode, rewritten, plain, *options)
        self.run(self.clang, "-O1", "-fPIC", "-shared", "-nostdlib++", "-Wl,-Bsymbolic", "-Wno-override-module", "-x", "ir", rewritten, plain, "-x", "none",
                 part("warpmem-capture/module.o"), *libraries, "-o", module)

    def name_what_is_refused(self, said, *words):
        """Calls of the host's API in a kernel, and the libraries of NVIDIA's among the headers: the compiler lists these without complaint."""
        if KERNEL_IN_KERNEL.search(said):
            print("warpmem-cc: a kernel that calls the host's API, but to launch kernels: not supported", file=sys.stderr)
        listed = subprocess.run([*words, "-w", "-M", "-MG"], capture_output=True, text=True, check=False).stdout
        names = [name for start, name in REFUSED_HEADERS if any(word.startswith(start) for word in listed.split())]
        for name in dict.fromkeys(names):
            print(f"warpmem-cc: {name}: not supported", file=sys.stderr)

    def file_number(self, source):
        """Both halves of relocatable code name a static variable or kernel of the file by it."""
        return hashlib.sha256("\0".join([os.path.abspath(source), *self.o.flags]).encode()).hexdigest()[:16]

    def static_suffix(self, source):
        """Clang's, behind the name of a static kernel: the first half of the number's MD5 as an integer."""
        digest = hashlib.md5(self.file_number(source).encode(), usedforsecurity=False).digest()
        return f"__intern__{int.from_bytes(digest[:8], 'little'):x}"

    def relocatable_flags(self, source):
        number = self.file_number(source)
        return ["-fgpu-rdc", f"-cuid={number}", "-Xclang", f"-cuid={number}", "-D__CUDACC_RDC__"] if self.o.relocatable else []

    def cuda_flags(self, source):
        """The program's headers come before those of the same names here."""
        defined = [*DEFINED_FOR_CUDA, f"-D__CUDA_ARCH_LIST__={self.o.capability()}0", f"-DWARPMEM_CAPABILITY={self.o.capability()}"]
        return [*COMMON, *DEFINED, *defined, *self.o.flags, "-isystem", part("warpmem-capture"), "-include", "warpmem_cuda.h",
                *self.relocatable_flags(source)]

    @staticmethod
    def preprocessed_command(command):
        """For text that is preprocessed: without macros and headers. (As CUDA's preprocessed language, clang 14 compiles for the host.)"""
        words, kept = iter(command), []
        for word in words:
            if word in ("-include", "-isystem", "-D", "-I", "-U"):
                next(words)
            elif not word.startswith(("-D", "-I", "-U")):
                kept.append(word)
        return kept

    def write_rewritten(self, source, suffix, text):
        path = self.path(source, suffix)
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        return path

    @staticmethod
    def text_of(path):
        """None of None."""
        if path is None:
            return None
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()

    def preprocessed(self, source, *command):
        path = self.path(source, ".ii")
        self.run(*command, "-x", "cuda", "-w", "-E", source, "-o", path)
        return self.text_of(path)

    def rewritten_device(self, source, *device):
        """The preprocessed source as clang takes it, with C++ for its inline PTX; None: nothing has changed."""
        headers = []
        while True:
            before = self.preprocessed(source, *device, *(word for header in headers for word in ("-include", header)))
            text, needed = without_assembly(before)
            if text is None or headers == needed:
                text = self.with_named_namespaces(source, text or before)
                return self.write_rewritten(source, ".device.ii", text) if text != before else None
            headers = needed

    def with_named_namespaces(self, source, text):
        return name_unnamed_namespaces(text, self.file_number(source)) if int(self.version) < 15 else text

    def host_words(self, source, output, host, changes):
        """The command for the host's half, whose text changes where clang takes not what nvcc does; then the dependencies go apart."""
        text = before = self.preprocessed(source, *host) if changes else None
        for change in changes:
            text = change(text)
        if text == before:
            return [*host, *self.o.dependencies, "-x", "cuda", "-c", source]
        if self.o.dependencies:
            target = [] if "-MT" in self.o.dependencies else ["-MT", output]
            self.run(*host, *self.o.dependencies, *target, "-x", "cuda", "-w", "-E", source, "-o", os.devnull)
        return [*self.preprocessed_command(host), "-x", "cuda", "-c", self.write_rewritten(source, ".host.ii", text)]

    def compile_kernels(self, source, bitcode, device):
        """Return: does the text change for PTX? Do kernels of the file launch kernels?"""
        last = [*FLAGS_OF_KERNELS, *FLAGS_OF_DEVICE, "-Xclang", "-disable-llvm-passes", "-w", "-emit-llvm", "-x", "cuda", "-c"]
        try:
            rewritten = self.rewritten_device(source, *device)
            try:
                self.run(*(self.preprocessed_command(device) if rewritten else device), *last, rewritten or source, "-o", bitcode, hides=KERNEL_IN_KERNEL)
                return rewritten, False
            except StepFailed as failed:
                if not KERNEL_IN_KERNEL.search(str(failed)):
                    raise
            text = self.text_of(self.rewritten_device(source, *device, CHILDREN)) or self.preprocessed(source, *device, CHILDREN)
            children = self.write_rewritten(source, ".children.ii", rewrite_launches(text))
            self.run(*self.preprocessed_command(device), *last, children, "-o", bitcode)
            if self.o.relocatable:
                self.run(part("warpmem-instrument"), "--rename-static", self.version, bitcode, bitcode, self.static_suffix(source))
            return rewritten, True
        except StepFailed as failed:
            self.name_what_is_refused(str(failed), *device, "-x", "cuda", source)
            raise

    def optimized(self, name, *parts):
        """Bitcode of one or several files as one, which is optimized then."""
        joined, ready = (self.path(name, suffix) for suffix in (".joined.bc", ".ready.bc"))
        self.run(part("warpmem-instrument"), "--join", self.version, joined, *parts)
        unroll = [flag for flag in self.o.flags if flag.endswith("unroll-loops")]
        self.run(self.clang, "--target=nvptx64-nvidia-cuda", "-march=sm_70", "-nocudalib", "-Wno-unknown-cuda-version", "-Wno-override-module",
                 *FLAGS_OF_KERNELS, *FLAGS_OF_TABLES, *unroll, "-x", "ir", joined, "-emit-llvm", "-c", "-o", ready)
        return ready

    def compile_cuda(self, source, output):
        bitcode, module = (self.path(source, suffix) for suffix in (".bc", ".module"))  # relocatable code is optimized when all of it is there
        ldg = ["-DWARPMEM_LDG_TEXTURE"] if self.o.ldg_texture else []
        device = [self.clang, "--cuda-device-only", "--cuda-gpu-arch=sm_70", *self.cuda_flags(source), "-U__CUDA_ARCH__", f"-D__CUDA_ARCH__={self.o.capability()}0", *ldg]
        rewritten, launches = self.compile_kernels(source, bitcode, device)
        host = [self.clang, "--cuda-host-only", *self.cuda_flags(source), *([CHILDREN] if launches else []), *self.o.host_flags]
        if not self.o.relocatable:
            ready = self.optimized(source, bitcode)
            self.make_module(source, ready, module, *(self.table_of_ptxas(source) if self.o.ptxas else []))
        named = functools.partial(self.with_named_namespaces, source)
        changes = [*([with_aligned_shared, named] if rewritten else []), *([drop_child_launches] if launches else [])]
        self.run(*self.host_words(source, output, host, changes), "-o", output, "-Xclang", "-fcuda-include-gpubinary", "-Xclang",
                 bitcode if self.o.relocatable else module)

    def compile_opencl(self, source, output):
        bitcode = self.path(source, ".bc")
        self.run(self.clang, "-x", "cl", "-cl-std=CL1.2", "-target", "spir64", "-include", part("warpmem-capture/warpmem_opencl.h"), *self.o.flags,
                 *self.o.opencl_flags, *FLAGS_OF_KERNELS, "-emit-llvm", "-c", source, "-o", bitcode)
        self.make_module(source, bitcode, output, part("warpmem-opencl/libOpenCL.so.1"))

    def host_command(self, source):
        language = self.o.language_of(source)
        flags = [flag for flag in self.o.flags if language != "c" or not flag.startswith("-std=c++")]
        return [self.clang, *DEFINED, *flags, "-isystem", part("warpmem-capture"), *self.o.host_flags, "-x", language]

    def compile_host(self, source, output):
        self.run(*self.host_command(source), "-c", source, "-o", output, *self.o.dependencies)

    def compile(self, source, output):
        language = self.o.language_of(source)
        {"cu": self.compile_cuda, "cl": self.compile_opencl}.get(language, self.compile_host)(source, output)

    def preprocess(self, source):
        """-E, -M or -MM: the text goes where the compiler sends it."""
        command = [self.clang, "--cuda-host-only", *self.cuda_flags(source), "-x", "cuda"] if self.o.language_of(source) == "cu" else self.host_command(source)
        output = self.o.output or (os.path.basename(source) + self.o.preprocessed_suffix if self.o.preprocessed_suffix else None)
        self.run(*command, self.o.step, source, *self.o.dependencies, *(["-o", output] if output else []))

    def join_device_code(self, inputs):
        """Objects of -dc have bitcode, and call functions that the joined module answers: an object with both, or none."""
        parts = [found for name in inputs for found in relocatable_parts(name)]
        known = {name for defined in (part_.defined for part_ in parts) for name in defined}
        parts = [part_ for part_ in parts if part_.bitcode and not part_.registers <= known]
        if not parts:
            return []
        names, module = [self.path(f"part{n}", ".bc") for n in range(len(parts))], self.path("joined", ".module")
        for name, part_ in zip(names, parts, strict=True):
            with open(name, "wb") as file:
                file.write(part_.bitcode)
        self.make_module("joined", self.optimized("joined", *names), module)
        text = ['__asm__(".section .rodata\\n.balign 16\\n.local wm_joined\\nwm_joined:\\n.incbin \\"%s\\"\\n.previous");' % module,
                'extern const char wm_joined[] __attribute__((visibility("hidden")));',
                "void wm_register_joined(const void *, void (*)(void **));"]
        for part_ in parts:
            text += [f"void {name}(void (*globals)(void **)) {{ wm_register_joined(wm_joined, globals); }}" for name in part_.registers]
        stub = self.path("joined", ".c")
        with open(stub, "w", encoding="utf-8") as file:
            file.write("\n".join(text) + "\n")
        self.run(self.clang, "-fPIC", "-x", "c", "-c", stub, "-o", self.path("joined", ".o"))
        return [self.path("joined", ".o")]

    def link(self, objects, output):
        # The device half finds the runtime's functions at run time: all of them must be there, by name. A shared library finds its program's.
        runtime = ["-Wl,--whole-archive", part("libwarpmem-cuda.a"), "-Wl,--no-whole-archive", part("libwarpmem.a"),
                   "-Wl,--export-dynamic-symbol=wm_*", "-Wl,--export-dynamic-symbol=__wm_*"]
        shared = self.o.step == "-shared"
        host = [flag for flag in self.o.host_flags if flag.startswith(("-f", "-m", "-W", "-pg", "-static", "-rdynamic"))]
        self.run(self.clang, *(["-shared"] if shared else []), *objects, "-o", output, *([] if self.o.opencl or shared else runtime), *host,
                 *self.o.link, *(opencl_library() if self.o.opencl else []), "-lzstd", "-llzma", "-lm", "-lpthread", "-ldl")


def stem_of(name):
    return os.path.splitext(os.path.basename(name))[0]


def refuse_combination(options, sources):
    languages = [options.language_of(name) for name in sources]
    if "cl" in languages and options.step != "-c":
        raise Refused("a .cl file has no program: the host's half compiles it, or -c does")
    if options.opencl and "cu" in languages:
        raise Refused("-lOpenCL: a program with CUDA's kernels cannot have OpenCL's as well")
    if options.ptxas and (options.relocatable or "cu" not in languages):
        raise Refused("--ptxas: only of .cu files, and not with relocatable device code")
    if options.step == "-c" and options.output and len(sources) > 1:
        raise Refused("-o with -c: must be of one file")
    if options.dependencies and len(sources) > 1 and "-MF" in options.dependencies:
        raise Refused("-MF: must be of one file")


def build(options, folder):
    compiler = Compiler(options, folder)
    sources = [name for name in options.inputs if not LINKED.fullmatch(name)]
    for name in options.inputs:
        if not os.path.exists(name):
            raise Refused(f"{name}: no such file")
    refuse_combination(options, sources)
    if options.step in ("-E", "-M", "-MM"):
        for source in sources:
            compiler.preprocess(source)
        return
    objects, given = [], list(options.dependencies)
    for name in options.inputs:
        last = options.step == "-c" and name in sources
        place = os.path.join(options.folder or "", stem_of(name))
        output = options.output or place + ".o" if last else compiler.path(name, ".o") if name in sources else name
        if name in sources:
            if given and "-MF" not in given:  # beside what is made, not in the folder of the steps
                options.dependencies = given + ["-MF", (os.path.splitext(options.output)[0] if options.output else place) + ".d"]
            compiler.compile(name, output)
        objects.append(output)
    if options.step == "-c":
        return
    output = options.output or {"-lib": "a.a", "-dlink": "a_dlink.o"}.get(options.step, "a.out")
    output = output if os.path.dirname(output) else os.path.join(options.folder or "", output)
    if options.step == "-lib":
        compiler.run("ar", "rcs", output, *objects)
        return
    joined = compiler.join_device_code(objects)
    if options.step == "-dlink":
        if not joined:
            raise Refused("-dlink: no object of -dc is among the files")
        shutil.copyfile(joined[0], output)
        return
    compiler.link(objects + joined, output)


def main():
    try:
        options = Parser(sys.argv[1:]).parse()
        if options.keep:
            os.makedirs(options.keep, exist_ok=True)
            build(options, options.keep)
        else:
            with tempfile.TemporaryDirectory(prefix="warpmem_cc_") as folder:
                build(options, folder)
    except StepFailed:
        return 1
    except Refused as refused:
        print(f"warpmem-cc: {refused}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
