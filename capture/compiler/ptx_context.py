# SPDX-License-Identifier: Apache-2.0
"""An instruction of inline PTX and its operands, as C++. The compiler and the instrumenter treat the C++ as the program's own: its
accesses are traced, and it costs what the compiler makes of it, or what include/warpmem_ptx_list.h says. Source: NVIDIA's PTX ISA,
release 8.4."""
import re

from ptx_syntax import Unknown

TYPES = {"u8": "unsigned char", "s8": "signed char", "b8": "unsigned char", "u16": "unsigned short", "s16": "short", "b16": "unsigned short",
         "u32": "unsigned", "s32": "int", "b32": "unsigned", "u64": "unsigned long long", "s64": "long long", "b64": "unsigned long long",
         "f32": "float", "f64": "double", "pred": "bool", "f16": "__half", "f16x2": "__half2", "bf16": "__nv_bfloat16", "bf16x2": "__nv_bfloat162",
         "u16x2": "unsigned", "s16x2": "unsigned", "tf32": "unsigned"}
SPACES = ("global", "shared", "const", "local")
LANE_REGISTERS = ("laneid", "warpid", "nwarpid", "smid", "nsmid", "lanemask_eq", "lanemask_le", "lanemask_lt", "lanemask_ge", "lanemask_gt")
VECTORS = {"tid": "threadIdx", "ntid": "blockDim", "ctaid": "blockIdx", "nctaid": "gridDim"}
COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "lo": "<", "ls": "<=", "hi": ">", "hs": ">="}
ROUNDINGS = {"rn": "rn", "rz": "rz", "rm": "rd", "rp": "ru", "rni": "rn", "rzi": "rz", "rmi": "rd", "rpi": "ru"}
# Words of a mnemonic that change neither a value here nor what is traced. Denormals are kept.
HINT = re.compile(r"(ftz|approx|full|volatile|relaxed|acquire|release|acq_rel|weak|mmio|sc|cta|gl|gpu|sys|cluster|ca|cg|cs|lu|cv|wb|wt|nc|sync|aligned|"
                  r"noftz|L1::\w+|L2::\w+|to)$")
VIDEO = ("vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr")  # with parts of words
INSTRUCTIONS = {}  # by the mnemonic's first word: a function of a Context, which gives C++


def instruction(*roots):
    def register(function):
        INSTRUCTIONS.update(dict.fromkeys(roots, function))
        return function
    return register


def width_of(kind):
    return int(re.sub(r"\D*(\d+)(x2)?$", r"\1", kind)) * (2 if kind.endswith("x2") else 1)


def is_real(kind):
    return kind.lstrip("b").startswith("f") or kind == "tf32"


class Context:
    """One instruction: its types and flags, and its operands as C++."""

    def __init__(self, insn, registers):
        self.insn, self.registers, self.args = insn, registers, insn.args
        self.types = [word for word in insn.words if word in TYPES]
        self.words = [word for word in insn.words if word not in TYPES and not HINT.match(word)]
        self.used = set()

    def unknown(self):
        return Unknown(f"'{self.insn.name}'")

    def flag(self, *names):
        """The first of the words that the mnemonic has; they are known from now on."""
        found = [word for word in self.words if word in names]
        self.used.update(found)
        return found[0] if found else ""

    def type(self, at=0):
        if at >= len(self.types):
            raise self.unknown()
        return self.types[at]

    def check(self):
        if not set(self.words) <= self.used:
            raise self.unknown()

    def arg(self, at):
        if at >= len(self.args):
            raise self.unknown()
        return self.args[at]

    def special(self, name):
        base, _, part = name.lstrip("%").partition(".")
        if base in VECTORS and part in ("x", "y", "z"):
            return f"{VECTORS[base]}.{part}"
        if base in LANE_REGISTERS:
            return f"__wm_sreg_of_ptx({LANE_REGISTERS.index(base)}u)"
        known = {"clock": "(unsigned)__wm_clock()", "clock64": "(unsigned long long)__wm_clock()", "globaltimer": "__wm_clock_global()",
                 "clock_hi": "(unsigned)(__wm_clock() >> 32)", "globaltimer_lo": "(unsigned)__wm_clock_global()",
                 "globaltimer_hi": "(unsigned)(__wm_clock_global() >> 32)", "warpsize": "32u", "WARP_SZ": "32u", "gridid": "0ull"}
        if base not in known or part:
            raise Unknown(f"'{name}'")
        return known[base]

    def read_arg(self, arg, kind):
        """An operand as the C++ type of @kind."""
        to = TYPES[kind]
        if arg.part and self.insn.root not in VIDEO:
            raise self.unknown()
        if arg.kind == "register":
            if self.registers.get(arg.text) == "bool" and kind != "pred":
                raise self.unknown()
            text = f"__wm_ptx_as<{to}>({arg.text})"
        elif arg.kind == "number":
            text = f"(({to}){arg.text}ull)" if not is_real(kind) or kind.endswith("32") or kind.endswith("64") else f"__wm_ptx_as<{to}>({arg.text}ull)"
            if kind == "pred":
                text = f"({arg.text} != 0)"
        elif arg.kind == "bits":
            text = f"__wm_ptx_as<{to}>(0x{arg.text[2:]}{'ull' if arg.text[1] in 'dD' else 'u'})"
        elif arg.kind == "real":
            text = f"(({to}){arg.text})"
        elif arg.kind == "special":
            text = f"__wm_ptx_as<{to}>({self.special(arg.text)})"
        elif arg.kind == "vector" and len(arg.parts) in (2, 4):
            part = width_of(kind) // len(arg.parts)
            if width_of(kind) == 64 and len(arg.parts) == 2:
                low, high = (self.read_arg(each, "b32") for each in arg.parts)
                return f"__wm_ptx_as<{to}>(__wm_ptx_pair({low}, {high}))"
            words = [f"(unsigned long long){self.read_arg(each, f'b{part}')} << {part * i}" for i, each in enumerate(arg.parts)]
            text = f"__wm_ptx_as<{to}>({' | '.join(words)})"
        else:
            raise self.unknown()
        return f"({arg.sign}{text})" if arg.sign else text

    def read(self, at, kind=None):
        return self.read_arg(self.arg(at), kind or self.type())

    def write_arg(self, arg, text, kind):
        if arg.kind == "none":
            return f"(void)({text});"
        if arg.kind == "vector":
            part = width_of(kind) // len(arg.parts)
            parts = [self.write_arg(each, f"(unsigned long long)wm_whole >> {part * i}", f"b{part}") for i, each in enumerate(arg.parts)]
            return f"{{ auto wm_whole = __wm_ptx_as<{TYPES['b' + str(width_of(kind))]}>({text}); {' '.join(parts)} }}"
        if arg.kind != "register" or arg.text not in self.registers:
            raise self.unknown()
        return f"{arg.text} = __wm_ptx_as<{self.registers[arg.text]}>(({TYPES[kind]})({text}));"

    def write(self, text, kind=None):
        return self.write_arg(self.arg(0), text, kind or self.type())

    def space(self):
        """The address space of an access."""
        words = [word.split("::")[0] for word in self.words]
        found = [name for name in SPACES if name in words]
        self.used.update(word for word in self.words if word.split("::")[0] in found)
        return found[0] if found else "generic"

    def address(self, arg, space):
        if arg.kind != "address" or arg.parts[0].kind not in ("register", "number"):
            raise self.unknown()
        base, *offsets = arg.parts
        moved = "".join(f" {sign} {self.read_arg(part, 's64')}" for sign, part in offsets)
        at = self.read_arg(base, "u32" if space == "shared" else "u64")
        return f"(__wm_same_{space}({'(const void *)' if space == 'generic' else ''}{at}){moved})"

    def pointer(self, arg, kind, space):
        """A pointer to @kind, a C++ type."""
        return f"(({kind} *){self.address(arg, space)})"


def narrow_name(kind, name):
    return f"__h{name}{'2' if kind.endswith('x2') else ''}"


def saturated(c, text):
    return f"__saturatef({text})" if c.flag("sat") else text
