# SPDX-License-Identifier: Apache-2.0
"""PTX's arithmetic, bits and video instructions."""
from ptx_context import ROUNDINGS, TYPES, VIDEO, instruction, is_real, narrow_name, saturated, width_of


# --- arithmetic ---

def rounded(c, name, letters):
    """f32 and f64 with a rounding mode are functions of CUDA's; without one, a product and a sum may become one instruction."""
    kind = c.type()
    mode = c.flag("rn", "rz", "rm", "rp") if kind in ("f32", "f64") else ""
    if not mode:
        return None
    return f"__{letters[kind == 'f64']}{name}_{ROUNDINGS[mode]}"


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
    if adds and root == "absdiff":
        if parts == "4":
            return c.write(f"__wm_ptx_sad4({x}, {y}, {c.read(3, 'u32')}, {int(is_signed)})", "u32")
        return c.write(f"__vsad{'su'[not is_signed]}2({x}, {y}) + {c.read(3, 'u32')}", "u32")
    if adds:
        raise c.unknown()
    name = {"avrg": "avg", "absdiff": "absdiff"}.get(root, root)
    ending = ("ss" if is_signed else "us") if saturates else "" if root in ("add", "sub") else "su"[not is_signed]
    return c.write(f"__v{name}{ending}{parts}({x}, {y})", "u32")
