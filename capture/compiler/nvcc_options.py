# SPDX-License-Identifier: Apache-2.0
"""The options of warpmem-cc, which are nvcc's and clang's, and some of its own."""
import os
import re
import shlex
import sys

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
  --default-stream per-thread    the macro CUDA_API_PER_THREAD_DEFAULT_STREAM; also legacy or null
  --fmad=false       products and sums of floats stay apart
  --optf FILE, @FILE    more options from a file
  --ldg=texture      __ldg() and loads through `const T *__restrict__` parameters go to texture memory (default: global)
  --ptxas[=NVCC]     registers a thread as this nvcc's ptxas counts them (default nvcc), in place of clang's: they limit the CTAs of a core
  -maxrregcount N    only for --ptxas
  -lOpenCL           link with warpmem's OpenCL 1.2
  -c KERNELS.cl      compile kernels of OpenCL C, with options as clBuildProgram() takes them, into the module that it loads
  -arch=sm_80, -gencode ...    for 8.0 or later (of several: the least), programs see a GPU of capability 8.0; else one of 7.0
  nvcc's other options (-lineinfo, -G, --use_fast_math, -ccbin, -Xptxas, -diag-suppress, --threads ...)    taken and ignored
  -ptx, -cubin, -fatbin, -run, -dryrun    refused
  --keep FOLDER      keep the steps' files there
  --verbose          print the commands
  --version          the release of nvcc whose macros and headers programs see
  --help             this text

The compiler is $CLANG (default clang++)."""
RELEASE = ("12", "4", "131")  # of CUDA, which programs see
# nvcc's options, without dashes: it takes most with one dash or two, and a value behind = or as the next word.
LONG = {"compile": "c", "device-c": "dc", "device-link": "dlink", "output-file": "o", "define-macro": "D", "undefine-macro": "U", "include-path": "I",
        "system-include": "isystem", "pre-include": "include", "library-path": "L", "library": "l", "optimize": "O", "debug": "g",
        "disable-warnings": "w", "compiler-options": "Xcompiler", "linker-options": "Xlinker", "relocatable-device-code": "rdc",
        "options-file": "optf", "preprocess": "E", "generate-dependencies": "M", "generate-nonsystem-dependencies": "MM",
        "generate-dependencies-with-compile": "MD", "generate-nonsystem-dependencies-with-compile": "MMD", "dependency-output": "MF",
        "gpu-architecture": "arch", "generate-code": "gencode", "dependency-target-name": "MT",
        "generate-dependency-targets": "MP", "output-directory": "odir", "profile": "pg"}
IGNORED = set("""lineinfo generate-line-info G device-debug use_fast_math m64 restrict res-usage resource-usage source-in-ptx src-in-ptx
    display-error-number err-no no-display-error-number no-err-no dlto dlink-time-opt extra-device-vectorization ewp extensible-whole-program
    forward-unknown-to-host-compiler forward-unknown-to-host-linker forward-unknown-opts allow-unsupported-compiler no-compress static-global-template-stub
    disable-optimizer-constants save-temps clean-targets no-align-double no-exceptions pg Wno-deprecated-gpu-targets""".split())
IGNORED_WITH_VALUE = set("""code gpu-code Xptxas ptxas-options Xnvlink nvlink-options Xfatbin fatbin-options
    Xcudafe cudafe-options Xarchive archive-options ccbin compiler-bindir cudart cudadevrt threads t split-compile diag-suppress
    diag-error diag-warn ftz prec-div prec-sqrt machine m keep-dir target-dir libdevice-directory ldir time brief-diagnostics
    input-drive-prefix dependency-drive-prefix archiver-binary ctadlb""".split())
DEFINING = {"extended-lambda": "__CUDACC_EXTENDED_LAMBDA__", "expt-extended-lambda": "__CUDACC_EXTENDED_LAMBDA__",
            "expt-relaxed-constexpr": "__CUDACC_RELAXED_CONSTEXPR__"}
REFUSED = {"ptx": "PTX", "cubin": "code of a GPU", "fatbin": "code of a GPU", "optix-ir": "OptiX code", "run": "a run", "dryrun": "a dry run: --verbose prints commands"}
KINDS_OF_WERROR = ("all-warnings", "cross-execution-space-call", "reorder", "default-stream-launch", "ext-lambda-captures-this",
                   "deprecated-declarations", "missing-launch-bounds")
DROPPED_LIBRARIES = ("cudart", "cudart_static", "cuda", "cudadevrt")  # warpmem's runtime has their functions
LANGUAGES = {".cu": "cu", ".cl": "cl", ".c": "c", ".cc": "c++", ".cpp": "c++", ".cxx": "c++", ".c++": "c++", ".C": "c++"}
SOURCES, LINKED = tuple(LANGUAGES), re.compile(r".*\.(o|a|lo|obj|so(\.\d+)*)")
OPENCL_IGNORED = re.compile(r"-cl-(opt-disable|kernel-arg-info|nv-.*|uniform-work-group-size|fp32-correctly-rounded-divide-sqrt)")


class Refused(Exception):
    pass


class Options:
    def __init__(self):
        self.output, self.verbose, self.keep, self.opencl, self.ldg_texture, self.fmad = None, False, None, False, False, True
        self.step = None  # "-c", "-dlink", "-lib", "-shared", "-E", "-M" or "-MM"; None: a program
        self.ptxas, self.register_limit = None, None
        self.architectures = []  # 80 for 8.0
        self.relocatable, self.language, self.folder, self.preprocessed_suffix = False, None, None, None
        self.flags, self.host_flags, self.opencl_flags, self.dependencies, self.link, self.inputs = [], [], [], [], [], []

    def capability(self):
        """That of the GPU that the program sees."""
        return 80 if self.architectures and min(self.architectures) >= 80 else 70

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
        elif name == "cuda":  # preprocessed, in a file
            o.step, o.preprocessed_suffix = "-E", ".cpp.ii"
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
        elif name == "default-stream":
            self.take_default_stream(value())
        elif name == "fmad":
            o.fmad = value() != "false"
        elif name == "ldg" and joined in ("texture", "global"):
            o.ldg_texture = joined == "texture"
        elif name in ("arch", "gencode"):
            o.architectures += [int(number) for number in re.findall(r"(?:compute|sm)_(\d+)", value())]
        elif name == "ptxas":
            o.ptxas = joined or "nvcc"
        elif name == "maxrregcount":
            o.register_limit = value()
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

    def take_default_stream(self, value):
        if value not in ("legacy", "null", "per-thread"):
            raise Refused(f"--default-stream {value}: must be legacy, null or per-thread")
        self.o.flags += ["-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"] if value == "per-thread" else []

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
        elif kind == "L" or value not in DROPPED_LIBRARIES:
            self.o.link.append(f"-{kind}{value}")
