# SPDX-License-Identifier: Apache-2.0
"""PTX instructions as C++, which the compiler and the instrumenter treat as the program's own: accesses are
traced, and it costs what the compiler makes of it, or what include/warpmem_ptx_list.h says. Source: NVIDIA's PTX ISA, release 8.4."""
import re

from ptx_syntax import Arg, Unknown

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
INSTRUCTIONS = {}


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
        known = {"clock": "(unsigned)__wm_clock()", "clock64": "(unsigned long long)__wm_clock()", "globaltimer": "(unsigned long long)__wm_clock()",
                 "clock_hi": "(unsigned)(__wm_clock() >> 32)", "globaltimer_lo": "(unsigned)__wm_clock()",
                 "globaltimer_hi": "(unsigned)(__wm_clock() >> 32)", "warpsize": "32u", "WARP_SZ": "32u", "gridid": "0ull"}
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


# --- arithmetic ---

def rounded(c, name, letters):
    """f32 and f64 with a rounding mode are functions of CUDA's; without one, a product and a sum may become one instruction."""
    kind = c.type()
    mode = c.flag("rn", "rz", "rm", "rp") if kind in ("f32", "f64") else ""
    if not mode:
        return None
    return f"__{letters[kind == 'f64']}{name}_{ROUNDINGS[mode]}"


def narrow_name(kind, name):
    return f"__h{name}{'2' if kind.endswith('x2') else ''}"


def saturated(c, text):
    return f"__saturatef({text})" if c.flag("sat") else text


@instruction("add", "sub", "mul")
def arithmetic(c):
    kind, name = c.type(), c.insn.root
    if c.flag("cc"):
        return with_carry(c, name, 2)
    if name == "mul" and not is_real(kind):
        return product(c, None)
    if kind.rstrip("x2").lstrip("b") == "f16":
        c.flag("rn")
        return c.write(f"{narrow_name(kind, name)}{'_sat' if c.flag('sat') else ''}({c.read(1)}, {c.read(2)})")
    function = rounded(c, name, ("f", "d"))
    if c.flag("sat") and kind == "s32":
        return c.write(f"__wm_ptx_{name}_sat({c.read(1)}, {c.read(2)})")
    sign = {"add": "+", "sub": "-", "mul": "*"}[name]
    whole = "" if is_real(kind) else f"({TYPES['u' + str(width_of(kind))]})"  # sums wrap around
    text = f"{function}({c.read(1)}, {c.read(2)})" if function else f"{whole}{c.read(1)} {sign} {whole}{c.read(2)}"
    return c.write(saturated(c, text))


def product(c, addend):
    """mul and mad of integers: low or high half, or twice as wide."""
    kind, part = c.type(), c.flag("lo", "hi", "wide")
    bits, sign = width_of(kind), kind[0].replace("b", "u")
    x, y = c.read(1), c.read(2)
    if part == "wide" and bits < 64:
        wide = f"{sign}{2 * bits}"
        text = f"({TYPES[wide]}){x} * ({TYPES[wide]}){y}"
        return c.write(text + (f" + {c.read(addend, wide)}" if addend else ""), wide)
    if part == "hi":
        if bits == 32 and addend:
            return c.write(f"__wm_ptx_mad_hi_{sign}32({x}, {y}, {c.read(addend)})")
        names = {"s32": "__mulhi", "u32": "__umulhi", "s64": "__mul64hi", "u64": "__umul64hi"}
        text = f"{names[sign + str(bits)]}({x}, {y})" if bits >= 32 else f"({x} * {y}) >> 16"
    elif part == "lo":
        text = f"({TYPES['u' + str(bits)]}){x} * ({TYPES['u' + str(bits)]}){y}"
    else:
        raise c.unknown()
    return c.write(text + (f" + {c.read(addend, 'u' + str(bits))}" if addend else ""))


@instruction("mad")
def multiply_add(c):
    if is_real(c.type()):
        return fused(c)
    return with_carry(c, "madc", 2) if c.flag("cc") else product(c, 3)


@instruction("fma")
def fused(c):
    kind = c.type()
    if kind.rstrip("x2").lstrip("b") == "f16":
        c.flag("rn")
        ending = c.flag("sat", "relu")
        return c.write(f"{narrow_name(kind, 'fma')}{'_' + ending if ending else ''}({c.read(1)}, {c.read(2)}, {c.read(3)})")
    mode = ROUNDINGS[c.flag("rn", "rz", "rm", "rp") or "rn"]
    return c.write(saturated(c, f"__fma{'f' if kind == 'f32' else ''}_{mode}({c.read(1)}, {c.read(2)}, {c.read(3)})"))


@instruction("addc", "subc", "madc")
def carried(c):
    return with_carry(c, c.insn.root, 1 | (2 if c.flag("cc") else 0))


def with_carry(c, name, flags):
    kind = c.type()
    sign = kind[0].replace("s", "u").replace("b", "u")
    name = {"add": "addc", "sub": "subc"}.get(name, name)
    if name == "madc":
        part = c.flag("lo", "hi")
        if part == "hi" and kind == "s32":
            sign = "s"
        name += f"_{part}"
        values = [c.read(1), c.read(2), c.read(3, sign.replace("s", "u") + kind[1:])]
    else:
        values = [c.read(1), c.read(2)]
    if width_of(kind) not in (32, 64) or (name == "madc_hi" and kind == "s64"):
        raise c.unknown()
    return c.write(f"__wm_ptx_{name}_{sign}{width_of(kind)}({', '.join(values)}, {flags})")


@instruction("mul24", "mad24")
def product_of_24_bits(c):
    c.flag("lo")
    text = f"__{'u' if c.type() == 'u32' else ''}mul24({c.read(1)}, {c.read(2)})"
    return c.write(text + (f" + {c.read(3)}" if c.insn.root == "mad24" else ""))


@instruction("div")
def quotient(c):
    kind, mode = c.type(), c.flag("rn", "rz", "rm", "rp")
    if mode:
        return c.write(f"__{kind[0] if kind == 'f32' else 'd'}div_{ROUNDINGS[mode]}({c.read(1)}, {c.read(2)})")
    if kind == "f32":
        return c.write(f"__fdividef({c.read(1)}, {c.read(2)})")
    return c.write(f"{c.read(1)} / {c.read(2)}")


@instruction("rem")
def remainder(c):
    return c.write(f"{c.read(1)} % {c.read(2)}")


@instruction("rcp", "sqrt", "rsqrt")
def root_or_reciprocal(c):
    kind, mode, name = c.type(), c.flag("rn", "rz", "rm", "rp"), c.insn.root
    if mode and name != "rsqrt":
        return c.write(f"__{'f' if kind == 'f32' else 'd'}{name}_{ROUNDINGS[mode]}({c.read(1)})")
    if kind == "f64" and name == "sqrt":
        raise c.unknown()
    return c.write(f"__wm_ptx_{name}{'64h' if kind == 'f64' else ''}({c.read(1)})")


@instruction("sin", "cos", "lg2", "ex2", "tanh")
def special_function(c):
    kind, name = c.type(), c.insn.root
    if kind != "f32":
        name = {"tanh": "tanh_approx", "ex2": "exp2"}.get(name)
        if not name:
            raise c.unknown()
        return c.write(f"h{'2' if kind.endswith('x2') else ''}{name}({c.read(1)})")
    function = {"sin": "__sinf", "cos": "__cosf", "lg2": "__log2f", "ex2": "__wm_ptx_ex2", "tanh": "__tanhf"}[name]
    return c.write(f"{function}({c.read(1)})")


@instruction("min", "max")
def extreme(c):
    kind, name = c.type(), c.insn.root
    if kind.rstrip("x2").lstrip("b") == "f16":
        return c.write(f"{narrow_name(kind, name)}{'_nan' if c.flag('NaN') else ''}({c.read(1)}, {c.read(2)})")
    if kind in ("f32", "f64"):
        x, y = c.read(1), c.read(2)
        text = f"f{name}{'f' if kind == 'f32' else ''}({x}, {y})"
        return c.write(f"{x} != {x} || {y} != {y} ? ({TYPES[kind]})__builtin_nanf(\"\") : {text}" if c.flag("NaN") else text)
    if kind in ("u16x2", "s16x2"):
        return c.write(f"__v{name}{kind[0]}2({c.read(1)}, {c.read(2)})")
    wide = {"u16": "unsigned", "s16": "int"}.get(kind, TYPES[kind])
    text = f"{name}(({wide}){c.read(1)}, ({wide}){c.read(2)})"
    return c.write(f"max(0, {text})" if c.flag("relu") else text)


@instruction("abs", "neg")
def sign_changed(c):
    kind, x = c.type(), c.read(1)
    if kind.rstrip("x2").lstrip("b") == "f16":
        return c.write(f"{narrow_name(kind, c.insn.root)}({x})")
    if is_real(kind):
        return c.write(f"-{x}" if c.insn.root == "neg" else f"__builtin_fabs{'f' if kind == 'f32' else ''}({x})")
    whole = f"0 - ({TYPES['u' + str(width_of(kind))]}){x}"
    return c.write(whole if c.insn.root == "neg" else f"{x} < 0 ? ({TYPES[kind]})({whole}) : {x}")


@instruction("copysign")
def sign_copied(c):
    return c.write(f"__builtin_copysign{'f' if c.type() == 'f32' else ''}({c.read(2)}, {c.read(1)})")


@instruction("testp")
def kind_of_number(c):
    what, x = c.flag("finite", "infinite", "number", "notanumber", "normal", "subnormal"), c.read(1)
    tests = {"finite": f"__builtin_isfinite({x})", "infinite": f"__builtin_isinf({x})", "number": f"{x} == {x}", "notanumber": f"{x} != {x}",
             "normal": f"__builtin_isnormal({x})", "subnormal": f"__builtin_isfinite({x}) && {x} != 0 && !__builtin_isnormal({x})"}
    return c.write(tests[what], "pred")


# --- bits ---

@instruction("and", "or", "xor")
def logic(c):
    sign = {"and": "&", "or": "|", "xor": "^"}[c.insn.root]
    return c.write(f"{c.read(1)} {sign} {c.read(2)}")


@instruction("not", "cnot")
def inverse(c):
    return c.write(f"{'!' if c.type() == 'pred' or c.insn.root == 'cnot' else '~'}{c.read(1)}")


@instruction("shl", "shr")
def shifted(c):
    kind = c.type()
    by = c.read(2, "u32")
    if width_of(kind) == 16:  # the operand became an int
        by = f"min({by}, 31u)"
    return c.write(f"{c.read(1)} {'<<' if c.insn.root == 'shl' else '>>'} ({TYPES['u' + str(max(32, width_of(kind)))]}){by}")


@instruction("shf")
def funnel_shifted(c):
    return c.write(f"__funnelshift_{c.flag('l', 'r')}{'c' if c.flag('clamp', 'wrap') == 'clamp' else ''}({c.read(1)}, {c.read(2)}, {c.read(3)})")


@instruction("popc", "clz", "brev")
def counted(c):
    kind = "b64" if width_of(c.type()) == 64 else "b32"
    return c.write(f"__{c.insn.root}{'ll' if kind == 'b64' else ''}({c.read(1, kind)})", "u32" if c.insn.root != "brev" else kind)


@instruction("bfe", "bfi", "bfind")
def field(c):
    kind, root = c.type(), c.insn.root
    if root == "bfe":
        return c.write(f"__wm_ptx_bfe_{kind}({c.read(1, 'b' + kind[1:])}, {c.read(2, 'u32')}, {c.read(3, 'u32')})")
    if root == "bfi":
        return c.write(f"__wm_ptx_bfi_{kind}({c.read(1)}, {c.read(2)}, {c.read(3, 'u32')}, {c.read(4, 'u32')})")
    return c.write(f"__wm_ptx_bfind_{kind}({c.read(1)}, {int(bool(c.flag('shiftamt')))})", "u32")


@instruction("fns")
def nth_one(c):
    return c.write(f"__fns({c.read(1, 'u32')}, {c.read(2, 'u32')}, {c.read(3, 's32')})", "b32")


@instruction("lop3")
def looked_up(c):
    return c.write(f"__wm_ptx_lop3({c.read(1)}, {c.read(2)}, {c.read(3)}, {c.read(4, 'u32')})")


@instruction("prmt")
def permuted(c):
    mode = c.flag("f4e", "b4e", "rc8", "ecl", "ecr", "rc16")
    values = f"{c.read(1)}, {c.read(2)}, {c.read(3)}"
    return c.write(f"__wm_ptx_prmt({values}, {('f4e', 'b4e', 'rc8', 'ecl', 'ecr', 'rc16').index(mode)})" if mode else f"__byte_perm({values})")


@instruction("sad")
def distance(c):
    kind = c.type()
    if width_of(kind) != 32:
        raise c.unknown()
    return c.write(f"__{'u' if kind == 'u32' else ''}sad({c.read(1)}, {c.read(2)}, {c.read(3, 'u32')})", "u32")


@instruction("dp4a", "dp2a")
def dot_product(c):
    signs = (c.type(0) == "s32") | (c.type(1) == "s32") << 1
    values = f"{c.read(1, 'u32')}, {c.read(2, 'u32')}, {c.read(3, 'u32')}, {signs}"
    return c.write(f"__wm_ptx_{c.insn.root}({values}{', ' + str(16 * (c.flag('lo', 'hi') == 'hi')) if c.insn.root == 'dp2a' else ''})", "u32")


# --- video instructions ---

VIDEO = ("vadd", "vsub", "vabsdiff", "vmin", "vmax", "vshl", "vshr")
PARTS = {"": 0, "h0": 1, "h1": 2, "b0": 3, "b1": 4, "b2": 5, "b3": 6}


@instruction(*VIDEO)
def video(c):
    operation = VIDEO.index(c.insn.root)
    second = ("", "add", "min", "max").index(c.flag("add", "min", "max"))
    clamps, saturates = c.flag("clamp", "wrap") == "clamp", bool(c.flag("sat"))
    signs = sum((c.type((1, 2, 0)[i]) == "s32") << 7 + i for i in range(3))
    parts = [PARTS.get(c.arg(at).part) for at in (1, 2)]
    if None in parts or c.arg(0).part:
        raise c.unknown()
    how = operation | second << 3 | clamps << 5 | saturates << 6 | signs | parts[0] << 10 | parts[1] << 13
    return c.write(f"__wm_ptx_video({c.read(1, 'u32')}, {c.read(2, 'u32')}, {c.read(3, 'u32') if second else '0u'}, {how})", "u32")


@instruction("vadd2", "vadd4", "vsub2", "vsub4", "vavrg2", "vavrg4", "vabsdiff2", "vabsdiff4", "vmin2", "vmin4", "vmax2", "vmax4")
def video_of_parts(c):
    root, parts = c.insn.root[1:-1], c.insn.root[-1]
    is_signed, adds = c.type(1) == "s32", bool(c.flag("add"))
    saturates = "sat" in c.words and bool(c.flag("sat"))
    x, y = c.read(1, "u32"), c.read(2, "u32")
    if adds and root == "abdiff" or root == "absdiff" and adds:
        if parts == "4":
            return c.write(f"__wm_ptx_sad4({x}, {y}, {c.read(3, 'u32')}, {int(is_signed)})", "u32")
        return c.write(f"__vsad{'su'[not is_signed]}2({x}, {y}) + {c.read(3, 'u32')}", "u32")
    if adds:
        raise c.unknown()
    name = {"avrg": "avg", "absdiff": "absdiff"}.get(root, root)
    ending = ("ss" if is_signed else "us") if saturates else "" if root in ("add", "sub") else "su"[not is_signed]
    return c.write(f"__v{name}{ending}{parts}({x}, {y})", "u32")


# --- choices ---

def compared(c, name, kind, x, y):
    if kind.rstrip("x2").lstrip("b") == "f16":
        if name not in ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu") or kind.endswith("x2"):
            raise c.unknown()
        return f"__h{name}({x}, {y})"
    if is_real(kind):
        opposite = {"ltu": ">=", "leu": ">", "gtu": "<=", "geu": "<", "neu": "=="}
        if name in opposite:
            return f"!({x} {opposite[name]} {y})"
        text = {"equ": f"!({x} < {y} || {x} > {y})", "ne": f"({x} < {y} || {x} > {y})", "num": f"!__builtin_isunordered({x}, {y})",
                "nan": f"__builtin_isunordered({x}, {y})"}.get(name)
        if text:
            return text
    if name not in COMPARISONS:
        raise c.unknown()
    return f"({x} {COMPARISONS[name]} {y})"


def comparison(c):
    name = c.flag(*COMPARISONS, "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan")
    joins = c.flag("and", "or", "xor")
    kind = c.types[-1]
    text = compared(c, name, kind, c.read(1, kind), c.read(2, kind))
    mark = {"and": "&", "or": "|", "xor": "^", "": ""}[joins]
    return text, f" {mark} {c.read(3, 'pred')}" if joins else ""


@instruction("setp")
def compare(c):
    text, rest = comparison(c)
    first = c.arg(0)
    if first.kind == "pair":
        p, q = first.parts
        return f"{{ const bool wm_is = {text}; {c.write_arg(p, 'wm_is' + rest, 'pred')} {c.write_arg(q, '!wm_is' + rest, 'pred')} }}"
    return c.write(text + rest, "pred")


@instruction("set")
def compare_to_word(c):
    text, rest = comparison(c)
    if c.type() not in ("u32", "s32", "b32", "f32"):
        raise c.unknown()
    yes = "1.0f" if c.type() == "f32" else "~0u"
    return c.write(f"({text}{rest}) ? {yes} : 0", c.type())


@instruction("selp")
def select(c):
    return c.write(f"{c.read(3, 'pred')} ? {c.read(1)} : {c.read(2)}")


@instruction("slct")
def select_by_sign(c):
    return c.write(f"{c.read(3, c.type(1))} >= 0 ? {c.read(1)} : {c.read(2)}")


# --- moves and conversions ---

@instruction("mov")
def move(c):
    kind = c.type()
    if kind.startswith("f"):
        kind = "b" + kind[1:]
    return c.write(c.read(1, kind), kind)


@instruction("cvta")
def convert_address(c):
    space = c.flag(*SPACES)
    kind = c.type()
    if space != "shared":
        return c.write(c.read(1))
    if "to" in c.insn.words:
        return c.write(f"__cvta_generic_to_shared((const void *){c.read(1, 'u64')})", kind)
    return c.write(f"(unsigned long long)__cvta_shared_to_generic({c.read(1, 'u64')})", kind)


@instruction("isspacep")
def test_space(c):
    space = c.flag(*SPACES)
    return c.write(f"__is{space.replace('const', 'constant').capitalize()}((const void *){c.read(1, 'u64')}) != 0", "pred")


@instruction("cvt")
def convert(c):
    mode = c.flag("rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi", "rna")
    to, source, sat, relu = c.type(0), c.type(1), c.flag("sat"), c.flag("relu")
    if relu or len(c.types) != 2:
        raise c.unknown()
    if to in ("f16x2", "bf16x2") and source == "f32" and mode == "rn":
        name = "half2" if to == "f16x2" else "bfloat162"
        return c.write(f"__floats2{name}_rn({c.read(2, 'f32')}, {c.read(1, 'f32')})", to)
    if to == "tf32":
        return c.write(f"__wm_ptx_tf32({c.read(1, 'f32')})", "b32")
    text = converted(c, to, source, ROUNDINGS.get(mode), mode.endswith("i"))
    if sat and is_real(to):
        if to != "f32":
            raise c.unknown()
        text = f"__saturatef({text})"
    return c.write(text, to)


def integer_names(kind):
    return {"s16": "short", "u16": "ushort", "s32": "int", "u32": "uint", "s64": "ll", "u64": "ull"}.get(kind)


def real_names(kind):
    return {"f32": "float", "f64": "double", "f16": "half", "bf16": "bfloat16"}[kind]


def converted(c, to, source, mode, to_whole):
    x = c.read(1, source)
    if not is_real(to) and not is_real(source):
        if "sat" in c.words:
            bits, sign = width_of(to), to[0]
            if bits >= 64:
                raise c.unknown()
            most = 2 ** (bits - (sign == "s")) - 1
            least = -most - 1 if sign == "s" else 0
            if source[0] == "u":
                return f"min({x}, ({TYPES[source]}){most}ull)" if most < 2 ** width_of(source) else x
            if width_of(source) <= 32 and bits < 32:
                return f"max({least}, min((int){x}, {most}))"
            return f"max({least}ll, min((long long){x}, {most}ll))"
        return x
    if is_real(to) and is_real(source):
        if to_whole:
            if to != source or to not in ("f32", "f64"):
                raise c.unknown()
            name = {"rn": "rint", "rz": "trunc", "rd": "floor", "ru": "ceil"}[mode]
            return f"{name}{'f' if to == 'f32' else ''}({x})"
        if to == source:
            return x
        if width_of(to) > width_of(source):
            return f"({TYPES[to]})__{real_names(source)}2float({x})" if width_of(source) == 16 else f"({TYPES[to]}){x}"
        if width_of(source) == 64 and width_of(to) == 16:
            return f"__double2{real_names(to)}({x})"
        return f"__{real_names(source)}2{real_names(to)}_{mode or 'rn'}({x})"
    if is_real(to):
        narrow = width_of(source) < 32 and to in ("f32", "f64") or width_of(source) < 16
        if narrow or (to == "f64" and width_of(source) == 32):
            return f"({TYPES[to]}){x}"
        return f"__{integer_names(source)}2{real_names(to)}_{mode or 'rn'}({x})"
    wide = to if width_of(to) >= 32 else to[0] + "32"
    text = f"__{real_names(source)}2{integer_names(wide)}_{mode or 'rz'}({x})"
    if wide == to:
        return text
    bits = width_of(to)  # a conversion to an integer clamps
    most = 2 ** (bits - (to[0] == "s")) - 1
    return f"min({text}, {most}{'u' if to[0] == 'u' else ''})" if to[0] == "u" else f"max({-most - 1}, min({text}, {most}))"


# --- memory ---

def access_type(c):
    bits = width_of(c.type())
    count = c.flag("v2", "v4")
    if bits * int(count[1:] or 1) > 128:
        raise c.unknown()
    return bits, f"__wm_ptx_b{bits}{'x' + count[1:] if count else ''}", int(count[1:] or 1)


def has_any(c, *words):
    return any(word in c.insn.words for word in words)


@instruction("ld", "ldu")
def load(c):
    space = c.space()
    bits, kind, count = access_type(c)
    around = has_any(c, "volatile", "relaxed", "acquire", "cg", "cv", "mmio")
    value = f"*{c.pointer(c.arg(1), ('volatile ' if around else '') + kind, space)}"
    if count == 1:
        return c.write(f"__wm_ptx_as<{TYPES[c.type()]}>(({TYPES['b' + str(bits)]}){value})")
    if c.arg(0).kind != "vector" or len(c.arg(0).parts) != count:
        raise c.unknown()
    parts = [c.write_arg(part, f"__wm_ptx_as<{TYPES[c.type()]}>(({TYPES['b' + str(bits)]})wm_all.{'xyzw'[i]})", c.type()) for i, part in enumerate(c.arg(0).parts)]
    return f"{{ {kind} wm_all = {value}; {' '.join(parts)} }}"


@instruction("st")
def store(c):
    space = c.space()
    bits, kind, count = access_type(c)
    around = has_any(c, "volatile", "relaxed", "release", "mmio")
    values = list(c.arg(1).parts) if c.arg(1).kind == "vector" and count > 1 else [c.arg(1)]
    if len(values) != count:
        raise c.unknown()
    words = ", ".join(c.read_arg(value, f"b{bits}") for value in values)
    fence = "__wm_fence(); " if has_any(c, "release") else ""
    return f"{fence}*{c.pointer(c.arg(0), ('volatile ' if around else '') + kind, space)} = {f'({kind}){{{words}}}' if count > 1 else words};"


@instruction("atom", "red")
def atomic(c):
    space, kind = c.space(), c.type()
    result = c.insn.root == "atom"
    first = 1 if result else 0
    name = c.flag("add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec")
    if not name or len(c.types) != 1:
        raise c.unknown()
    allowed = {"b16": ("cas",), "f32": ("add",), "f64": ("add",), "s64": ("min", "max"), "f16": ("add",), "f16x2": ("add",), "bf16": ("add",), "bf16x2": ("add",)}
    if name not in allowed.get(kind, (name,)):
        raise c.unknown()
    values = ", ".join(c.read(at) for at in range(first + 1, first + (3 if name == "cas" else 2)))
    to = TYPES[kind]
    text = f"atomic{name.capitalize() if name != 'cas' else 'CAS'}(({to} *){c.pointer(c.arg(first), to, space)}, {values})"
    return c.write(text) if result else f"(void){text};"


@instruction("prefetch", "prefetchu", "applypriority", "discard", "createpolicy", "griddepcontrol")
def hint(c):
    if c.insn.root == "griddepcontrol":
        raise c.unknown()
    c.used.update(c.words)
    return c.write("0ull", "b64") if c.insn.root == "createpolicy" else ""


@instruction("cp")
def copy(c):
    """cp.async is a load and a store, as before compute capability 8.0; its waits have nothing to wait for."""
    words = [word for word in c.insn.words if not HINT.match(word)]
    if words[:1] != ["async"] or {"bulk", "mbarrier"} & set(words):
        raise c.unknown()
    c.used.update(c.words)
    if words[1:2] and words[1] in ("commit_group", "wait_group", "wait_all"):
        return ""
    size, more = c.arg(2), [arg for arg in c.args[3:] if not has_any(c, "L2::cache_hint") or arg is not c.args[-1]]
    number = size.text if size.kind == "number" else c.registers.get(f"={size.text}")
    if not number or len(more) > 1:
        raise c.unknown()
    to, source = c.address(c.arg(0), "shared"), c.address(c.arg(1), "global")
    if more and c.registers.get(more[0].text) == "bool":  # ignores the source
        part = f", {c.read_arg(more[0], 'pred')} ? 0u : ({number})"
    else:
        part = f", {c.read_arg(more[0], 'u32')}" if more else ""
    return f"__wm_ptx_copy<({number})>({to}, {source}{part});"


# --- threads together ---

@instruction("membar", "fence")
def fence(c):
    c.used.update(c.words)
    return "__wm_fence();"


@instruction("bar", "barrier")
def barrier(c):
    if c.flag("warp"):
        return f"__wm_syncwarp({c.read(0, 'u32')});"
    red = c.flag("red")
    if red:
        what = c.flag("popc", "and", "or")
        if len(c.args) != 3:
            raise c.unknown()
        return c.write(f"__syncthreads_{'count' if what == 'popc' else what}({c.read(2, 'pred')})", "u32" if what == "popc" else "pred")
    if "arrive" in c.words or not 1 <= len(c.args) <= 2:
        raise c.unknown()
    if len(c.args) == 2 or c.arg(0).text not in ("0",):
        return f"__wm_barrier_numbered({c.read(0, 'u32')}, {c.read(1, 'u32') if len(c.args) == 2 else '0u'});"
    return "__wm_barrier();"


@instruction("shfl")
def shuffle(c):
    way = c.flag("up", "down", "bfly", "idx")
    mask = c.read(4, "u32") if "sync" in c.insn.words else "~0u"
    first = c.arg(0)
    values = f"{c.read(2, 's32')}, {c.read(3, 's32')}"
    text = f"__nvvm_shfl_sync_{way}_i32((int){mask}, {c.read(1, 's32')}, {values})"
    if first.kind != "pair":
        return c.write(text, "b32")
    d, p = first.parts
    inside = f"__wm_ptx_shuffle_inside({('up', 'down', 'bfly', 'idx').index(way)}u, {values})"
    return f"{{ const bool wm_is = {inside}; {c.write_arg(d, text, 'b32')} {c.write_arg(p, 'wm_is', 'pred')} }}"


@instruction("vote")
def vote(c):
    what = c.flag("all", "any", "uni", "ballot")
    mask = c.read(2, "u32") if "sync" in c.insn.words else "~0u"
    return c.write(f"__nvvm_vote_{what}_sync({mask}, {c.read(1, 'pred')})", "b32" if what == "ballot" else "pred")


@instruction("activemask")
def active(c):
    return c.write("__wm_activemask()")


@instruction("match")
def match(c):
    what, first = c.flag("any", "all"), c.arg(0)
    text = f"__wm_meet_match_{what}({c.read(2, 'u32')}, {c.read(1)})"
    if first.kind != "pair":
        return c.write(text, "b32")
    return f"{{ const unsigned wm_lanes = {text}; {c.write_arg(first.parts[0], 'wm_lanes', 'b32')} {c.write_arg(first.parts[1], 'wm_lanes != 0', 'pred')} }}"


@instruction("redux")
def reduce(c):
    name = c.flag("add", "min", "max", "and", "or", "xor")
    kind = c.type().replace("b", "u") if name in ("min", "max", "add") else "u32"
    return c.write(f"__reduce_{name}_sync({c.read(2, 'u32')}, {c.read(1, kind)})", kind)


# --- matrices: include/warpmem_matrix.h, runtime/matrix.c ---

MATRIX_TYPES = {"f16": 0, "bf16": 1, "tf32": 2, "s8": 3, "u8": 4, "f64": 5}
MATRIX_SHAPES = {"f16": ("m16n8k8", "m16n8k16"), "bf16": ("m16n8k8", "m16n8k16"), "tf32": ("m16n8k4", "m16n8k8"), "s8": ("m16n8k16", "m16n8k32"),
                 "u8": ("m16n8k16", "m16n8k32"), "f64": ("m8n8k4",)}


@instruction("mma")
def multiply_matrices(c):
    shape, sat = c.flag("m16n8k4", "m16n8k8", "m16n8k16", "m16n8k32", "m8n8k4"), c.flag("satfinite")
    c.flag("row"), c.flag("col")
    if len(c.types) != 4 or shape not in MATRIX_SHAPES.get(c.type(1), ()) or c.type(2) not in MATRIX_TYPES or len(c.args) != 4:
        raise c.unknown()
    wide, k = c.type(1) == "f64", int(shape.split("k")[1])
    parts = [arg.parts for arg in c.args]
    code = MATRIX_TYPES[c.type(1)] | MATRIX_TYPES[c.type(2)] << 4 | k << 8 | (c.type() == "f16") << 16 | bool(sat) << 17

    def words(at, count):
        if wide:
            halves = [f"(unsigned)({self_})" for part in parts[at] for word in [c.read_arg(part, "u64")] for self_ in (word, f"{word} >> 32")]
            return (halves + ["0u"] * 4)[:count]
        return ([c.read_arg(part, "u32") for part in parts[at]] + ["0u"] * 4)[:count]
    unit = "double" if wide else "integer" if c.type() == "s32" else "real"
    sums = ", ".join(f"(int){word}" for word in words(3, 4))
    text = f"{{ __wm_words4 wm_sum = {{{sums}}}; wm_sum = __wm_meet_matrix_{unit}({code}u, {', '.join([*words(1, 4), *words(2, 2)])}, wm_sum); "
    for i, part in enumerate(parts[0]):
        text += c.write_arg(part, f"__wm_ptx_pair((unsigned)wm_sum[{2 * i}], (unsigned)wm_sum[{2 * i + 1}])", "b64") if wide else \
            c.write_arg(part, f"(unsigned)wm_sum[{i}]", "b32")
    return text + " }"


@instruction("ldmatrix")
def load_matrices(c):
    count, turned = c.flag("x1", "x2", "x4"), c.flag("trans")
    space = c.space()
    if not c.flag("m8n8") or not count or c.type() != "b16" or len(c.arg(0).parts) != int(count[1:]):
        raise c.unknown()
    number = int(count[1:])
    only = "" if number == 4 else f"if (__wm_sreg_of_ptx(0u) < {8 * number}u) "
    parts = " ".join(c.write_arg(part, f"(unsigned)wm_rows[{i}]", "b32") for i, part in enumerate(c.arg(0).parts))
    return (f"{{ __wm_words4 wm_rows = {{0, 0, 0, 0}}; {only}wm_rows = __builtin_bit_cast(__wm_words4, (__wm_ptx_b32x4)*{c.pointer(c.arg(1), '__wm_ptx_b32x4', space)}); "
            f"wm_rows = __wm_same_rows(wm_rows, {number | bool(turned) << 3}u); {parts} }}")


@instruction("trap", "brkpt")
def stop(c):
    return f"__{c.insn.root}();"


@instruction("nanosleep")
def sleep(c):
    return f"__nanosleep({c.read(0)});"


@instruction("bra")
def branch(c):
    c.flag("uni")
    return f"goto {c.arg(0)};"


def translated(insn, registers):
    """The C++ of an instruction. @registers: {name: C++'s type}, and {"=name": its value as a text} of a constant operand."""
    context = Context(insn, registers)
    text = INSTRUCTIONS[insn.root](context)
    context.check()
    if insn.guard:
        guard = context.read_arg(Arg("register", insn.guard.text, (), insn.guard.sign), "pred")
        return f"if ({guard}) {{ {text} }}"
    return text
