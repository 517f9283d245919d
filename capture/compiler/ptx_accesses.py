# SPDX-License-Identifier: Apache-2.0
"""PTX's accesses to memory, and what threads do together: barriers, shuffles, matrices."""
from ptx_context import HINT, TYPES, instruction, width_of


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
