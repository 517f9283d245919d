# SPDX-License-Identifier: Apache-2.0
"""PTX's comparisons, choices, moves and conversions."""
from ptx_context import COMPARISONS, ROUNDINGS, SPACES, TYPES, instruction, is_real, width_of


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
