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
import hashlib
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile

# The parts beside this file: in the folder of a build, or as `make install` puts them.
PARTS = [os.path.join(os.path.dirname(os.path.realpath(__file__)), place) for place in ("", "../lib/warpmem", "../lib")]
HELP = """Usage: warpmem-cc [OPTION...] FILE...
Compiles and links CUDA and OpenCL programs for `warpmem capture`; needs clang, and neither CUDA, an OpenCL driver nor a GPU.

  -o FILE            the program, or with -c the object (default a.out, FILE.o)
  -c, -dc            compile, do not link; -dc: kernels may use functions and variables of other files
  -rdc=true          like -dc for each file, and link
  -dlink, -shared, -lib    join the device code of objects; make a shared library; make an archive
  -E, -M, -MM, -MD, -MMD, -MF FILE, -MT TARGET, -MP    preprocess, and dependencies, as for clang
  -I, -D, -U, -L, -l, -O, -g, -std, -W, -f, -include, -isystem    as for clang and nvcc; your folders come before warpmem's headers
  -x cu|c++|c        the language of all files
  -Xcompiler A,B     options for the host's half and the link
  -Xlinker A,B       options for the linker
  --fmad=false       products and sums of floats stay apart
  --optf FILE, @FILE    more options from a file
  --ldg=texture      __ldg() and loads through `const T *__restrict__` parameters go to texture memory (default: global)
  -lOpenCL           link with warpmem's OpenCL 1.2
  -c KERNELS.cl      compile kernels of OpenCL C, with options as clBuildProgram() takes them, into the module that it loads
  -arch=sm_70, -gencode ...    taken, and nothing depends on it: kernels are compiled for sm_70
  nvcc's other options (-lineinfo, -G, -maxrregcount, --use_fast_math, -ccbin, -Xptxas, -diag-suppress, --threads ...)    taken and ignored
  -ptx, -cubin, -fatbin, -run, -dryrun    refused
  --keep FOLDER      keep the steps' files there
  --verbose          print the commands
  --version          the release of nvcc whose macros and headers programs see
  --help             this text

The compiler is $CLANG (default clang++)."""
RELEASE = ("12", "4", "131")  # of CUDA, which programs see
# Macros of nvcc for each file, and for those with kernels; the headers have CUDART_VERSION and CUDA_VERSION.
DEFINED = ["-D__NVCC__", *(f"-D__CUDACC_VER_{part}__={value}" for part, value in zip(("MAJOR", "MINOR", "BUILD"), RELEASE, strict=True))]
DEFINED_FOR_CUDA = ["-D__CUDACC__", "-D__CUDA_ARCH_LIST__=700"]
FLAGS_OF_KERNELS = ["-O2", "-gline-tables-only", "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops", "-mllvm",
                    "-inline-threshold=1000000"]
FLAGS_OF_DEVICE = ["-Xclang", "-target-feature", "-Xclang", "+ptx60"]  # shuffles; without CUDA clang takes the oldest
COMMON = ["-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version", "-Wno-pass-failed", "-Wno-unknown-warning-option"]
# nvcc's options, without dashes: it takes most with one dash or two, and a value behind = or as the next word.
LONG = {"compile": "c", "device-c": "dc", "device-link": "dlink", "output-file": "o", "define-macro": "D", "undefine-macro": "U", "include-path": "I",
        "system-include": "isystem", "pre-include": "include", "library-path": "L", "library": "l", "optimize": "O", "debug": "g",
        "disable-warnings": "w", "compiler-options": "Xcompiler", "linker-options": "Xlinker", "relocatable-device-code": "rdc",
        "options-file": "optf", "preprocess": "E", "generate-dependencies": "M", "generate-nonsystem-dependencies": "MM",
        "generate-dependencies-with-compile": "MD", "generate-nonsystem-dependencies-with-compile": "MMD", "dependency-output": "MF",
        "dependency-target-name": "MT", "generate-dependency-targets": "MP", "output-directory": "odir", "profile": "pg"}
IGNORED = set("""lineinfo generate-line-info G device-debug use_fast_math m64 restrict res-usage resource-usage source-in-ptx src-in-ptx
    display-error-number err-no no-display-error-number no-err-no dlto dlink-time-opt extra-device-vectorization ewp extensible-whole-program
    forward-unknown-to-host-compiler forward-unknown-to-host-linker forward-unknown-opts allow-unsupported-compiler no-compress static-global-template-stub
    disable-optimizer-constants save-temps clean-targets no-align-double no-exceptions pg Wno-deprecated-gpu-targets""".split())
IGNORED_WITH_VALUE = set("""arch gpu-architecture code gpu-code gencode generate-code Xptxas ptxas-options Xnvlink nvlink-options Xfatbin fatbin-options
    Xcudafe cudafe-options Xarchive archive-options maxrregcount ccbin compiler-bindir cudart cudadevrt threads t split-compile diag-suppress
    diag-error diag-warn default-stream ftz prec-div prec-sqrt machine m keep-dir target-dir libdevice-directory ldir time brief-diagnostics
    input-drive-prefix dependency-drive-prefix archiver-binary ctadlb""".split())
DEFINING = {"extended-lambda": "__CUDACC_EXTENDED_LAMBDA__", "expt-extended-lambda": "__CUDACC_EXTENDED_LAMBDA__",
            "expt-relaxed-constexpr": "__CUDACC_RELAXED_CONSTEXPR__"}
REFUSED = {"ptx": "PTX", "cubin": "code of a GPU", "fatbin": "code of a GPU", "optix-ir": "OptiX code", "run": "a run", "dryrun": "a dry run: --verbose prints commands",
           "cuda": "C++ from CUDA"}
KINDS_OF_WERROR = ("all-warnings", "cross-execution-space-call", "reorder", "default-stream-launch", "ext-lambda-captures-this",
                   "deprecated-declarations", "missing-launch-bounds")
DROPPED_LIBRARIES = ("cudart", "cudart_static", "cuda", "cudadevrt")  # warpmem's runtime has their functions
LANGUAGES = {".cu": "cu", ".cl": "cl", ".c": "c", ".cc": "c++", ".cpp": "c++", ".cxx": "c++", ".c++": "c++", ".C": "c++"}
SOURCES, LINKED = tuple(LANGUAGES), re.compile(r".*\.(o|a|lo|obj|so(\.\d+)*)")
# Headers, as they are included, of what no program here may use.
REFUSED_HEADERS = (("thrust/", "thrust"), ("cub/", "cub"), ("cublas", "cuBLAS"), ("cufft", "cuFFT"), ("curand", "cuRAND"),
                   ("cusparse", "cuSPARSE"), ("cusolver", "cuSOLVER"), ("cudnn", "cuDNN"), ("mma.h", "tensor operations"),
                   ("cuda_gl_interop", "OpenGL"), ("nvToolsExt", "NVIDIA's tools"), ("nvrtc", "compilation at run time (NVRTC)"),
                   ("cudaGL", "OpenGL"), ("cuda_vdpau", "VDPAU"), ("cuda_egl", "EGL"), ("nvjpeg", "nvJPEG"), ("npp", "NPP"), ("nccl", "NCCL"), ("nvml", "NVML"),
                   ("cupti", "CUPTI"), ("cudaD3D", "Direct3D"), ("cuda_d3d", "Direct3D"), ("nv_decode", "video"), ("cudla", "DLA"), ("nvscibuf", "NvSci"))
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
        self.output, self.verbose, self.keep, self.opencl, self.ldg_texture, self.fmad = None, False, None, False, False, True
        self.step = None  # "-c", "-dlink", "-lib", "-shared", "-E", "-M" or "-MM"; None: a program
        self.relocatable, self.language, self.folder = False, None, None
        self.flags, self.host_flags, self.opencl_flags, self.dependencies, self.link, self.inputs = [], [], [], [], [], []

    def language_of(self, name):
        return self.language or LANGUAGES[os.path.splitext(name)[1]]


def words_of_file(name):
    try:
        with open(name, encoding="utf-8") as file:
            return shlex.split(file.read(), comments=True)
    except OSError as error:
        raise Refused(f"{name}: cannot be read: {error.strerror}") from None


class Parser:
    """Each method takes one option's value or none; options without a method are in the tables above."""

    def __init__(self, words):
        self.o, self.words = Options(), list(words)

    def next_word(self, name):
        if not self.words:
            raise Refused(f"{name}: needs a value")
        return self.words.pop(0)

    def parse(self):
        while self.words:
            word = self.words.pop(0)
            if word.startswith("@"):
                self.words = words_of_file(word[1:]) + self.words
            elif word.startswith("-") and word != "-":
                self.take_option(word)
            elif self.o.language or word.endswith(SOURCES) or LINKED.fullmatch(word):
                self.o.inputs.append(word)
            else:
                raise Refused(f"{word}: must end in {', '.join(SOURCES)}, .o, .a or .so")
        if not self.o.inputs:
            raise Refused("needs a file; --help says more")
        return self.o

    def take_option(self, word):
        name, _, joined = word.lstrip("-").partition("=")
        if name in LONG:
            name, word = LONG[name], "-" + LONG[name] + ("=" if "=" in word else "")
        value = (lambda: joined) if "=" in word else (lambda: self.next_word(word))
        o = self.o
        if name in REFUSED:
            raise Refused(f"{word}: is not supported: makes {REFUSED[name]}")
        if name in DEFINING:
            o.flags.append(f"-D{DEFINING[name]}")
        elif name in IGNORED or name in IGNORED_WITH_VALUE and value() is not None:
            pass
        elif name in ("help", "h", "version", "V"):
            print(HELP if name[0] == "h" else "warpmem-cc, in place of nvcc: Cuda compilation tools, release {0}.{1}, V{0}.{1}.{2}".format(*RELEASE))
            sys.exit(0)
        elif name == "o":
            o.output = value()
        elif name in ("c", "dc"):
            o.step, o.relocatable = "-c", o.relocatable or name == "dc"
        elif name in ("dlink", "lib", "shared", "E", "M", "MM"):
            o.step = "-" + name
        elif name == "rdc":
            o.relocatable = value() == "true"
        elif name in ("verbose", "v"):
            o.verbose = True
        elif word == "-keep":  # nvcc's, without a folder
            pass
        elif name == "keep":
            o.keep = value()
        elif name == "odir":
            o.folder = value()
        elif name == "x":
            self.take_language(value())
        elif name == "optf":
            self.words = [more for file in value().split(",") for more in words_of_file(file)] + self.words
        elif name == "fmad":
            o.fmad = value() != "false"
        elif name == "ldg" and joined in ("texture", "global"):
            o.ldg_texture = joined == "texture"
        elif name in ("MD", "MMD", "MP"):
            o.dependencies.append("-" + name)
        elif name in ("MF", "MT", "MQ"):
            o.dependencies += ["-" + name, value()]
        elif name == "Xcompiler":
            o.host_flags += value().split(",")
        elif name == "Xlinker":
            o.link += [more for part_ in value().split(",") for more in ("-Xlinker", part_)]
        else:
            self.take_compilers_option(word, name, value)

    def take_language(self, value):
        if value not in ("cu", "c++", "c"):
            raise Refused(f"-x {value}: must be cu, c++ or c")
        self.o.language = value

    def take_compilers_option(self, word, name, value):
        """Those of clang's, and nvcc's with the same meaning."""
        o = self.o
        if name in ("I", "D", "U", "include", "isystem"):
            o.flags += ["-" + name, *(value().split(",") if name in ("I", "isystem") else [value()])]
        elif name == "std":
            o.flags.append("-std=" + value())
        elif name == "O":
            o.host_flags.append("-O" + value())
        elif name in ("l", "L"):
            self.take_library(name, value())
        elif name == "Werror" and ("=" in word or self.words and self.words[0].split(",")[0] in KINDS_OF_WERROR):
            o.flags += ["-Werror"] if "all-warnings" in value().split(",") else []
        elif word.startswith(("-l", "-L")):
            self.take_library(word[1], word[2:])
        elif word.startswith("-Wl,") or word in ("-pthread", "-static-libstdc++", "-fopenmp", "-rdynamic"):
            o.link.append(word)
            o.host_flags += [word] if word in ("-pthread", "-fopenmp") else []
        elif word.startswith("-O"):
            o.host_flags.append(word)
        elif word.startswith(("-I", "-D", "-U", "-g", "-W", "-w", "-f", "-isystem")):
            o.flags.append(word)
        elif word.startswith("-cl-"):
            o.opencl_flags += [] if OPENCL_IGNORED.fullmatch(word) else [word]
        else:
            raise Refused(f"{word}: no such option; --help lists them")

    def take_library(self, kind, value):
        if kind == "l" and value == "OpenCL":
            self.o.opencl = True
            self.o.link += opencl_library()
        elif kind == "L" or value not in DROPPED_LIBRARIES:
            self.o.link.append(f"-{kind}{value}")


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
        options = [*(["--ldg=texture"] if self.o.ldg_texture else []), *([] if self.o.fmad else ["--fmad=false"])]
        self.run(part("warpmem-instrument"), self.version, bitcode, rewritten, plain, *options)
        self.run(self.clang, "-O1", "-fPIC", "-shared", "-nostdlib++", "-Wl,-Bsymbolic", "-Wno-override-module", "-x", "ir", rewritten, plain, "-x", "none",
                 part("warpmem-capture/module.o"), *libraries, "-o", module)

    def name_what_is_refused(self, *words):
        """The libraries of NVIDIA's among the headers, which the compiler says are not there: it lists these without complaint."""
        listed = subprocess.run([*words, "-w", "-M", "-MG"], capture_output=True, text=True, check=False).stdout
        names = [name for start, name in REFUSED_HEADERS if any(word.startswith(start) for word in listed.split())]
        for name in dict.fromkeys(names):
            print(f"warpmem-cc: {name}: not supported", file=sys.stderr)

    def relocatable_flags(self, source):
        """Both halves name a static variable or kernel of the file by the same number."""
        number = hashlib.sha256("\0".join([os.path.abspath(source), *self.o.flags]).encode()).hexdigest()[:16]
        return ["-fgpu-rdc", f"-cuid={number}", "-Xclang", f"-cuid={number}", "-D__CUDACC_RDC__"] if self.o.relocatable else []

    def cuda_flags(self, source):
        """The program's headers come before those of the same names here."""
        return [*COMMON, *DEFINED, *DEFINED_FOR_CUDA, *self.o.flags, "-isystem", part("warpmem-capture"), "-include", "warpmem_cuda.h",
                *self.relocatable_flags(source)]

    def compile_cuda(self, source, output):
        bitcode, module = (self.path(source, suffix) for suffix in (".bc", ".module"))
        device = [self.clang, "--cuda-device-only", "--cuda-gpu-arch=sm_70", *self.cuda_flags(source), "-x", "cuda"]
        # Relocatable code is optimized when all of it is there.
        later = ["-Xclang", "-disable-llvm-passes"] if self.o.relocatable else []
        try:
            self.run(*device, *FLAGS_OF_KERNELS, *FLAGS_OF_DEVICE, *later, *(["-DWARPMEM_LDG_TEXTURE"] if self.o.ldg_texture else []), "-w",
                     "-emit-llvm", "-c", source, "-o", bitcode)
        except SystemExit:
            self.name_what_is_refused(*device, source)
            raise
        if not self.o.relocatable:
            self.make_module(source, bitcode, module)
        self.run(self.clang, "--cuda-host-only", *self.cuda_flags(source), *self.o.host_flags, *self.o.dependencies, "-x", "cuda", "-c", source,
                 "-o", output, "-Xclang", "-fcuda-include-gpubinary", "-Xclang", bitcode if self.o.relocatable else module)

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
        self.run(*command, self.o.step, source, *self.o.dependencies, *(["-o", self.o.output] if self.o.output else []))

    def join_device_code(self, inputs):
        """Objects of -dc have bitcode, and call functions that the joined module answers: an object with both, or none."""
        parts = [found for name in inputs for found in relocatable_parts(name)]
        known = {name for defined in (part_.defined for part_ in parts) for name in defined}
        parts = [part_ for part_ in parts if part_.bitcode and not part_.registers <= known]
        if not parts:
            return []
        names = [self.path(f"part{n}", ".bc") for n in range(len(parts))]
        joined, ready, module = (self.path("joined", suffix) for suffix in (".bc", ".ready.bc", ".module"))
        for name, part_ in zip(names, parts, strict=True):
            with open(name, "wb") as file:
                file.write(part_.bitcode)
        self.run(part("warpmem-instrument"), "--join", self.version, joined, *names)
        self.run(self.clang, "--target=nvptx64-nvidia-cuda", "-march=sm_70", "-nocudalib", "-Wno-unknown-cuda-version", "-Wno-override-module",
                 *FLAGS_OF_KERNELS, "-x", "ir", joined, "-emit-llvm", "-c", "-o", ready)
        self.make_module("joined", ready, module)
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
                 *self.o.link, "-lzstd", "-llzma", "-lm", "-lpthread", "-ldl")


class RelocatablePart:
    """An object of -dc: its bitcode (empty: none), the functions that it calls to be registered, and those that it has."""

    def __init__(self, bitcode, registers, defined):
        self.bitcode, self.registers, self.defined = bitcode, registers, defined


def objects_of_file(name):
    """The bytes of an object, or of each in an archive."""
    with open(name, "rb") as file:
        data = file.read()
    if not data.startswith(b"!<arch>\n"):
        return [data]
    found, at = [], 8
    while at + 60 <= len(data):
        size = int(data[at + 48:at + 58])
        found.append(data[at + 60:at + 60 + size])
        at += 60 + size + size % 2
    return found


def relocatable_parts(name):
    """Of a file's 64-bit ELF objects, by their section headers and symbols."""
    parts = []
    for data in objects_of_file(name):
        if not data.startswith(b"\x7fELF\x02"):
            continue
        start, = struct.unpack_from("<Q", data, 0x28)
        size, count, names_at = struct.unpack_from("<HHH", data, 0x3A)
        # name, type, flags, address, offset, size, link
        headers = [struct.unpack_from("<IIQQQQI", data, start + n * size) for n in range(count)]
        bitcode, registers, defined = b"", set(), set()
        for section in headers:
            if text_at(data, headers[names_at], section[0]) == "__nv_relfatbin":
                bitcode = data[section[4]:section[4] + section[5] // 4 * 4]  # some versions end it with a zero
            if section[1] != 2:  # not a table of symbols
                continue
            for at in range(section[4], section[4] + section[5], 24):
                symbol, _, _, where = struct.unpack_from("<IBBH", data, at)
                text = text_at(data, headers[section[6]], symbol)
                if text.startswith("__cudaRegisterLinkedBinary"):
                    (defined if where else registers).add(text)
        parts.append(RelocatablePart(bitcode, registers, defined))
    return parts


def text_at(data, table, offset):
    start = table[4] + offset
    return data[start:data.index(b"\0", start)].decode("utf-8", "replace")


def stem_of(name):
    return os.path.splitext(os.path.basename(name))[0]


def refuse_combination(options, sources):
    languages = [options.language_of(name) for name in sources]
    if "cl" in languages and options.step != "-c":
        raise Refused("a .cl file has no program: the host's half compiles it, or -c does")
    if options.opencl and "cu" in languages:
        raise Refused("-lOpenCL: a program with CUDA's kernels cannot have OpenCL's as well")
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
    except Refused as refused:
        print(f"warpmem-cc: {refused}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
