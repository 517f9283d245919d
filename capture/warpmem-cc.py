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
import os
import re
import shutil
import subprocess
import sys
import tempfile

# The parts beside this file: in the folder of a build, or as `make install` puts them.
PARTS = [os.path.join(os.path.dirname(os.path.realpath(__file__)), place) for place in ("", "../lib/warpmem", "../lib")]
HELP = """Usage: warpmem-cc [OPTION...] FILE...
Compiles and links CUDA and OpenCL programs for `warpmem capture`; needs clang, and neither CUDA, an OpenCL driver nor a GPU.

  -o FILE            the program, or with -c the object (default a.out, FILE.o)
  -c                 compile, do not link
  -I, -D, -U, -L, -l, -O, -g, -std=, -W, -f, -include FILE    as for clang
  -Xcompiler A,B     options for the host's half
  --ldg=texture      __ldg() and loads through `const T *__restrict__` parameters go to texture memory (default: global)
  -lOpenCL           link with warpmem's OpenCL 1.2
  -c KERNELS.cl      compile kernels of OpenCL C, with options as clBuildProgram() takes them, into the module that it loads
  -arch=sm_70, -gencode ...    taken, and nothing depends on it: kernels are compiled for sm_70
  -lineinfo, -G, -rdc=false, --use_fast_math, -m64, -Xptxas ...    taken and ignored
  -dc, -rdc=true, -dlink    refused: a kernel and its functions must stand in one file
  --keep FOLDER      keep the steps' files there
  --verbose          print the commands
  --help             this text

The compiler is $CLANG (default clang++)."""
FLAGS_OF_KERNELS = ["-O2", "-gline-tables-only", "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops", "-mllvm",
                    "-inline-threshold=1000000"]
FLAGS_OF_DEVICE = ["-Xclang", "-target-feature", "-Xclang", "+ptx60"]  # shuffles; without CUDA clang takes the oldest
COMMON = ["-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version", "-Wno-pass-failed"]
IGNORED = re.compile(r"(-arch|-code|--gpu-architecture|--gpu-code|-gencode)=.*|-lineinfo|-G|-rdc=false|--?use_fast_math|-m64|--ptxas-options=.*|"
                     r"-lcudart(_static)?|-lcuda|--compiler-bindir=.*|-cudart=.*|--cudart=.*|--expt-.*|-restrict|--restrict")
IGNORED_WITH_VALUE = ("-arch", "-code", "-gencode", "--generate-code", "-Xptxas", "--ptxas-options", "-maxrregcount", "-ccbin", "-cudart", "-x")
SOURCES = (".cu", ".cl", ".c", ".cc", ".cpp", ".cxx")
# Headers, as they are included, of what no program here may use.
REFUSED_HEADERS = (("thrust/", "thrust"), ("cub/", "cub"), ("cublas", "cuBLAS"), ("cufft", "cuFFT"), ("curand", "cuRAND"),
                   ("cusparse", "cuSPARSE"), ("cusolver", "cuSOLVER"), ("cudnn", "cuDNN"), 
                   ("mma.h", "tensor operations"), ("cooperative_groups", "cooperative groups"),
                   ("surface_", "surfaces"), ("cuda_gl_interop", "OpenGL"), ("nvToolsExt", "NVIDIA's tools"))
OPENCL_IGNORED = re.compile(r"-cl-(opt-disable|kernel-arg-info|nv-.*|uniform-work-group-size|fp32-correctly-rounded-divide-sqrt)")


class Refused(Exception):
    pass


def part(name):
    """The path of one of warpmem's own files."""
    for place in PARTS:
        if os.path.exists(os.path.join(place, name)):
            return os.path.normpath(os.path.join(place, name))
    raise Refused(f"{name} of warpmem is not there: make builds it, make install installs it")


def opencl_library():
    folder = os.path.dirname(part("warpmem-opencl/libOpenCL.so.1"))
    return [f"-L{folder}", f"-Wl,-rpath,{folder}", "-lOpenCL"]


class Options:
    def __init__(self):
        self.output, self.compile_only, self.verbose, self.keep, self.opencl, self.ldg_texture = None, False, False, None, False, False
        self.flags, self.host_flags, self.opencl_flags, self.link, self.inputs = [], [], [], [], []


def parse(words):
    o, words = Options(), list(words)

    def value(name):
        if not words:
            raise Refused(f"{name}: needs a value")
        return words.pop(0)
    while words:
        word = words.pop(0)
        if word in ("--help", "-h"):
            print(HELP)
            sys.exit(0)
        elif word == "-o":
            o.output = value(word)
        elif word == "-c":
            o.compile_only = True
        elif word in ("--verbose", "-v"):
            o.verbose = True
        elif word == "--keep":
            o.keep = value(word)
        elif word in ("-dc", "-dlink", "-rdc=true", "--relocatable-device-code=true"):
            raise Refused(f"{word}: is not supported: a kernel and all functions that it calls must stand in one file")
        elif word in ("-Xcompiler", "--compiler-options"):
            o.host_flags += value(word).split(",")
        elif word.startswith("-Xcompiler=") or word.startswith("--compiler-options="):
            o.host_flags += word.split("=", 1)[1].split(",")
        elif word in ("-Xlinker", "-Wl"):
            o.link += ["-Xlinker", value(word)]
        elif word in IGNORED_WITH_VALUE:
            value(word)
        elif IGNORED.fullmatch(word):
            pass
        elif word in ("-I", "-D", "-U", "-include", "-isystem"):
            o.flags += [word, value(word)]
        elif word == "-lOpenCL":
            o.opencl = True
            o.link += opencl_library()
        elif word in ("-L", "-l"):
            o.link += [word, value(word)]
        elif word.startswith(("-L", "-l", "-Wl,")) or word in ("-pthread", "-static-libstdc++", "-fopenmp"):
            o.link.append(word)
            o.host_flags += [word] if word in ("-pthread", "-fopenmp") else []
        elif word.startswith("-O"):
            o.host_flags.append(word)
        elif word.startswith(("-I", "-D", "-U", "-g", "-std=", "-W", "-w", "-f", "-isystem")):
            o.flags.append(word)
        elif word.startswith("--std="):
            o.flags.append(word[1:])
        elif word in ("--ldg=texture", "--ldg=global"):
            o.ldg_texture = word.endswith("texture")
        elif word.startswith("-cl-"):
            o.opencl_flags += [] if OPENCL_IGNORED.fullmatch(word) else [word]
        elif word.startswith("-"):
            raise Refused(f"{word}: no such option; --help lists them")
        elif word.endswith(SOURCES + (".o", ".a", ".so")):
            o.inputs.append(word)
        else:
            raise Refused(f"{word}: must end in {', '.join(SOURCES)}, .o, .a or .so")
    if not o.inputs:
        raise Refused("needs a file; --help says more")
    return o


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

    def run(self, *words):
        if self.o.verbose:
            print(" ".join(words), file=sys.stderr)
        status = subprocess.run(words, check=False).returncode
        if status:
            sys.exit(1)

    def path(self, source, suffix):
        return os.path.join(self.folder, re.sub(r"[^A-Za-z0-9_.-]", "_", source) + suffix)

    def make_module(self, source, bitcode, module, *libraries):
        """Kernels as bitcode of a GPU become a shared object for this computer."""
        rewritten, plain = self.path(source, ".host.bc"), self.path(source, ".plain.bc")
        self.run(part("warpmem-instrument"), self.version, bitcode, rewritten, plain, *(["--ldg=texture"] if self.o.ldg_texture else []))
        self.run(self.clang, "-O1", "-fPIC", "-shared", "-nostdlib++", "-Wl,-Bsymbolic", "-Wno-override-module", "-x", "ir", rewritten, plain, "-x", "none",
                 part("warpmem-capture/module.o"), *libraries, "-o", module)

    def name_what_is_refused(self, *words):
        """The libraries of NVIDIA's among the headers, which the compiler says are not there: it lists these without complaint."""
        listed = subprocess.run([*words, "-w", "-M", "-MG"], capture_output=True, text=True, check=False).stdout
        names = [name for start, name in REFUSED_HEADERS if any(word.startswith(start) for word in listed.split())]
        for name in dict.fromkeys(names):
            print(f"warpmem-cc: {name}: not supported", file=sys.stderr)

    def compile_cuda(self, source, output):
        include = ["-I" + part("warpmem-capture"), "-include", "warpmem_cuda.h"]
        bitcode, module = (self.path(source, suffix) for suffix in (".bc", ".module"))
        device = [self.clang, "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_70", *COMMON, *include, *self.o.flags]
        try:
            self.run(*device, *FLAGS_OF_KERNELS, *FLAGS_OF_DEVICE, *(["-DWARPMEM_LDG_TEXTURE"] if self.o.ldg_texture else []), "-w",
                     "-emit-llvm", "-c", source, "-o", bitcode)
        except SystemExit:
            self.name_what_is_refused(*device, source)
            raise
        self.make_module(source, bitcode, module)
        self.run(self.clang, "-x", "cuda", "--cuda-host-only", *COMMON, *include, *self.o.flags, *self.o.host_flags, "-c", source,
                 "-o", output, "-Xclang", "-fcuda-include-gpubinary", "-Xclang", module)

    def compile_opencl(self, source, output):
        bitcode = self.path(source, ".bc")
        self.run(self.clang, "-x", "cl", "-cl-std=CL1.2", "-target", "spir64", "-include", part("warpmem-capture/warpmem_opencl.h"), *self.o.flags,
                 *self.o.opencl_flags, *FLAGS_OF_KERNELS, "-emit-llvm", "-c", source, "-o", bitcode)
        self.make_module(source, bitcode, output, part("warpmem-opencl/libOpenCL.so.1"))

    def compile_host(self, source, output):
        language = ["-x", "c"] if source.endswith(".c") else []
        flags = [flag for flag in self.o.flags if not (language and flag.startswith("-std=c++"))]
        self.run(self.clang, *language, "-I" + part("warpmem-capture"), *flags, *self.o.host_flags, "-c", source, "-o", output)

    def compile(self, source, output):
        languages = {".cu": self.compile_cuda, ".cl": self.compile_opencl}
        languages.get(os.path.splitext(source)[1], self.compile_host)(source, output)

    def link(self, objects, output):
        # The device half finds the runtime's functions at run time: all of them must be there, by name.
        runtime = ["-Wl,--whole-archive", part("libwarpmem-cuda.a"), "-Wl,--no-whole-archive", part("libwarpmem.a"),
                   "-Wl,--export-dynamic-symbol=wm_*", "-Wl,--export-dynamic-symbol=__wm_*"]
        self.run(self.clang, *objects, "-o", output, *([] if self.o.opencl else runtime), *self.o.link, "-lzstd", "-llzma", "-lm", "-lpthread",
                 "-ldl")


def build(options, folder):
    compiler, objects = Compiler(options, folder), []
    sources = [name for name in options.inputs if name.endswith(SOURCES)]
    for name in options.inputs:
        if not os.path.exists(name):
            raise Refused(f"{name}: no such file")
    if any(name.endswith(".cl") for name in sources) and not options.compile_only:
        raise Refused("a .cl file has no program: the host's half compiles it, or -c does")
    if options.opencl and any(name.endswith(".cu") for name in sources):
        raise Refused("-lOpenCL: a program with CUDA's kernels cannot have OpenCL's as well")
    if options.compile_only:
        if options.output and len(sources) > 1:
            raise Refused("-o with -c: must be of one file")
        for source in sources:
            compiler.compile(source, options.output or os.path.splitext(os.path.basename(source))[0] + ".o")
        return
    for name in options.inputs:
        if name in sources:
            compiler.compile(name, compiler.path(name, ".o"))
            objects.append(compiler.path(name, ".o"))
        else:
            objects.append(name)
    compiler.link(objects, options.output or "a.out")


def main():
    try:
        options = parse(sys.argv[1:])
        if options.keep:
            os.makedirs(options.keep, exist_ok=True)
            build(options, options.keep)
        else:
            with tempfile.TemporaryDirectory(prefix="warpmem_cc_") as folder:
                build(options, folder)
    except Refused as refused:
        print(f"warpmem-cc: {refused}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
