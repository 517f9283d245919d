# SPDX-License-Identifier: Apache-2.0
"""The sources of each number, by contents of files: without any tool they show if a number is stale.

The sources of a measurement come in groups, so that messages can name the changed one: verilog,
properties, tests (of the block, and the lockstep framework), model (the C beside it and what that needs),
lists (lines about the block in shared tables), scripts (those that decide the number), rules (of make:
options and flags), reader (the functions that parse the command's result), tools (the pinned
versions). Files are found as compilers find them, by includes and instances; a header brings
the .c beside it. Comments do not count in C and Verilog, nor comments and layout in Python.
"""
import ast
import functools
import glob
import os
import re

import house
from block_table import TABLE, area_sets
from house import BadInput

RULES = "tb/rules.mk"
FRAMEWORK = ("tb/contract/block_test_main.c", "tb/contract/rtl_table.c", "tb/contract/describe.c", "tb/contract/glue.cpp",
             "tb/contract/headers.hpp", "tb/contract/model.mk")
AREA = ("area/__main__.py", "area/limits.py", "area/blocks.py", "area/liberty.py", "area/measure.py", "area/memory.py", "area/synthesis.py",
        "area/timing.py")
# Shows what happens in waves, and decides no number: the commands that measure write none.
SHOWING = ("tb/contract/wave.c", "tb/contract/wave.h")
# kind: the scripts that decide its numbers, the tools whose version does. The tools' shared frame (scripts/house/house.py)
# decides none, nor do files that only cache results.
KINDS = {
    "area": (AREA, ("berkeley-abc", "opensta", "qflow-tech-osu018", "yosys")),
    "fpga": (("area/blocks.py", "area/fpga.py", "area/memory.py", "area/synthesis.py"), ("berkeley-abc", "yosys")),
    "lockstep": ((), ("gcc", "verilator")),
    "formal": (("formal/__main__.py", "formal/bits.py", "formal/jobs.py", "formal/parts.py", "formal/prove.py", "formal/solver.py",
                "formal/table.py", "formal/traces.py", "house/props.py"), ("berkeley-abc", "yosys", "z3")),
    "coverage": (("coverage/__main__.py", "coverage/figures.py", "coverage/exclusions.py", "coverage/report.py",
                  "coverage/runs.py", "coverage/verilog.py"), ("gcc", "g++", "verilator")),
    "mutate": (("mutate/__main__.py", "mutate/c_program.py", "mutate/c_source.py", "mutate/netlist.py", "mutate/prove.py",
                "mutate/report.py", "mutate/simulate.py", "mutate/stages.py", "house/props.py"),
               ("berkeley-abc", "gcc", "g++", "python3-clang", "verilator", "yosys", "z3")),
    "area-45nm": (AREA, ("berkeley-abc", "opensta", "yosys")),
    "power": ((*AREA[2:], "power/__main__.py", "power/activity.py", "power/netlist.py", "power/power.py"),
              ("berkeley-abc", "opensta", "verilator", "yosys")),
}
# Measured with a library that the user has, make evidence LIBERTY=, and kept where there is none.
WITH_LIBRARY = ("area-45nm", "power")
# The makefiles' rules that Verilate a block.
VERILATING = (RULES, ("CXXFLAGS_RTL", "model_make", "block_rules", "$(VERILATED_H).gch", "verilog_of", "ports_of",
                      "library_of", "test_parts_of", "VERILATED_OBJ", "$(VERILATED_OBJ)", "$(BLOCKS:%=$(BUILD)/tb/%_test)"))
# kind: of makefiles, the rules and variables with the options and flags that its commands get.
RULES_OF = {
    "area-45nm": (("rtl/rules.mk", ("area",)),),
    "area": (("rtl/rules.mk", ("area",)),),
    "power": (("rtl/rules.mk", ("power",)),),
    "fpga": (("rtl/rules.mk", ("area-fpga",)),),
    "lockstep": ((RULES, ("LOCKSTEP_ARGS", "block_test", "$(BLOCKS:%=block-test-%)")), VERILATING),
    "formal": (("rtl/rules.mk", ("prove", "formal", "formal-long")),),
    "coverage": (("scripts/rules.mk", ("COVERAGE_FLAGS", "KEEP_COUNTS", "coverage", "coverage-programs")), VERILATING),
    "mutate": ((RULES, ("mutate", "mutant")), VERILATING),
}
# The parameters of a set for tools that do not compile the port list.
PARAMETERS = "scripts/block_params.sh"
BY_PARAMETERS = ("area-45nm", "area", "power", "fpga", "formal", "mutate")
SYNTHESIZED = ("area-45nm", "area", "power", "fpga")
READER = "scripts/evidence/measure.py"
# In it, what of_KIND uses.
READS = ("digits", "chosen", "PASSED_SET", "FATES")


@functools.lru_cache(maxsize=None)
def read(path):
    """Kept until forget()."""
    return house.read(path)


def hash_of(parts):
    """Short, as people see it in data/evidence."""
    return house.hash_of(*parts)[:12]


@functools.lru_cache(maxsize=None)
def blocks():
    """All, in the order of the tables."""
    names = list(area_sets())
    for name in names:
        if not os.path.exists(f"rtl/{name}.v"):
            raise BadInput(f"{TABLE}: {name}: there is no rtl/{name}.v")
    return names


def kinds_of(block):
    """Power is of a block that has runs in which it is at work."""
    return [kind for kind in KINDS if kind != "power" or os.path.exists(f"tb/{block}_power.txt")]


def existing(paths):
    return [path for path in paths if os.path.exists(path)]


def without_comments(text):
    """C or Verilog. Lines keep their numbers, which Yosys names cells by; what Verilator reads in comments stays."""
    return re.sub(r"""("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])')|//[^\n]*|/\*.*?\*/""",
                  lambda found: found[0] if found[1] or "verilator" in found[0] else "\n" * found[0].count("\n"), text, flags=re.S)


@functools.lru_cache(maxsize=None)
def instances(path):
    """Verilog files of the modules that one names."""
    place = path.split("/")[1]
    names = sorted(set(re.findall(r"\bwm_(\w+)\b", without_comments(read(path)))))
    return tuple(file for name in names for file in existing([f"rtl/common/{name}.v", f"rtl/{place}/{name}.v"])[:1]
                 if file != path)


@functools.lru_cache(maxsize=None)
def includes(path):
    """Files that a C file includes, and the .c beside each."""
    found = []
    for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', read(path), re.M):
        for file in existing([os.path.join(folder, name) for folder in (os.path.dirname(path), "tb", "cmodel")])[:1]:
            found += existing([os.path.normpath(file), os.path.normpath(file[:-2] + ".c")])
    return tuple(found)


def closure(paths, of):
    seen, ahead = set(), list(paths)
    while ahead:
        path = ahead.pop()
        if path not in seen:
            seen.add(path)
            ahead += of(path)
    return seen


@functools.lru_cache(maxsize=None)
def hardware(block):
    return frozenset(closure([f"rtl/{block}.v"], instances))


@functools.lru_cache(maxsize=None)
def programs(block):
    """C files of the block's test program."""
    ports = existing([f"cmodel/{block}_ports.h", f"cmodel/{block}.c", f"cmodel/{block}_block.c"])
    return frozenset(closure([*glob.glob(f"tb/{block}_*.c"), *glob.glob(f"tb/{block}_*.h"), *ports, *existing(FRAMEWORK)],
                             includes)) - {*SHOWING}


def properties(block):
    """With the promises that stand for the memories in proofs."""
    own = existing([f"tb/{block}_props.v", *sorted(glob.glob(f"tb/{block}_*_props.v"))])
    used = closure([f"rtl/{block}.v", *own], instances) | {f"rtl/{block}.v"}
    return own + existing([f"tb/{path[len('rtl/'):-2]}_formal.v" for path in sorted(used)])


def lines_about(path, pattern, separator="\n"):
    """The rows of one block in a table of all blocks."""
    return "\n".join(part for part in read(path).split(separator) if re.search(pattern, part, re.M)) \
        if os.path.exists(path) else ""


def lists(block, kind):
    name = re.escape(block)
    proofs = [lines_about(path, r"^\s*[^#\s]") for path in existing([f"tb/{block}_proofs.txt"])]
    if kind in SYNTHESIZED:
        limit = [lines_about("data/area/limits.tsv", rf"^{name}\t")] if kind == "area-45nm" else []
        return [area_sets()[block], read(f"cmodel/{block}_ports.h"), *limit, *map(read, existing({
            "area": ["data/area/cacti.tsv", "data/area/scaling.tsv"], "area-45nm": ["data/area/cacti.tsv"],
            "power": ["data/area/cacti.tsv", f"tb/{block}_power.txt"], "fpga": []}[kind]))]
    if kind == "formal":
        return [*proofs, read(f"cmodel/{block}_ports.h")]
    if kind == "coverage":
        return [lines_about("data/coverage/exclusions.txt", rf"^\s*file\s+rtl/{name}\.v\s*$", "\n\n")]
    if kind == "mutate":  # when a proof runs decides no mutant, nor do the proofs of other sets than the mutated ones
        rows = [line.split() for text in proofs for line in text.splitlines()]
        sets = {words[0] for words in rows if words[4:] == ["mutate"]}
        mutated = [" ".join(words[:3] + words[4:]) for words in rows if words[0] in sets]
        return [*mutated, *map(read, existing([f"tb/{block}_equivalent.txt"]))]
    return []


@functools.lru_cache(maxsize=None)
def code(path):
    """Lines of a C or Verilog file, without comments and blanks at their ends."""
    return tuple(map(str.rstrip, without_comments(read(path)).splitlines()))


def files_hash(paths):
    """Hash of the code of C and Verilog files."""
    return hash_of([part for path in sorted(set(paths)) for part in (path, *code(path))])


@functools.lru_cache(maxsize=None)
def program(path):
    """The syntax tree of a Python file, without the texts at the heads of files, classes and functions: [(name, code)]."""
    try:
        tree = ast.parse(read(path))
    except SyntaxError as error:
        raise BadInput(f"{path}:{error.lineno}: {error.msg}") from None
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return [(node.name if hasattr(node, "name") else ast.unparse(node.targets[0]) if isinstance(node, ast.Assign) else "",
             ast.dump(node)) for node in tree.body]


def programs_hash(paths):
    return hash_of([part for path in sorted(set(paths)) for part in (path, *(code for _, code in program(path)))])


@functools.lru_cache(maxsize=None)
def rules(kind):
    """Lines of makefiles: each rule, variable and text between define and endef up to its end, without comments and the texts
    of `make help`."""
    return [line for path, names in RULES_OF[kind] for line in lines_of_make(path, names)]


def lines_of_make(path, names):
    found, inside, defined = [], False, False
    named = "|".join(re.escape(name) for name in names)
    for line in read(path).splitlines() if os.path.exists(path) else []:
        defined = defined or bool(re.match(rf"define\s+({named})\s*$", line))
        inside = (defined or inside and (line.startswith("\t") or found[-1].endswith("\\"))
                  or bool(re.match(rf"({named})\s*(:|[:?]?=)", line)))
        if inside:
            found.append(line.partition(" ## ")[0].rstrip())
        defined = defined and line.strip() != "endef"
    return found


def reader(kind):
    """The functions that parse a command's result: after a change the numbers may differ, or have other names."""
    used = (f"of_{kind.replace('-', '_')}", *READS, *(["AREA_NUMBERS"] if kind in ("area", "area-45nm") else []))
    return [code for path in existing([READER]) for name, code in program(path) if name in used]


def of(block, kind):
    """{group: hash} of a measurement."""
    scripts, tools = KINDS[kind]
    found = {}
    # The numbering of Yosys' cells changes ABC's result: all common modules are read, and count.
    verilog = [*hardware(block), *glob.glob("rtl/common/*.v")] if kind in SYNTHESIZED else hardware(block)
    if kind == "formal":
        verilog = closure([f"rtl/{block}.v", *properties(block)], instances) - set(properties(block))
    found["verilog"] = files_hash(verilog)
    if kind in ("formal", "mutate"):
        found["properties"] = files_hash(properties(block))
    if kind in ("lockstep", "coverage", "mutate"):
        mine = programs(block)
        found["tests"] = files_hash(path for path in mine if path.startswith("tb/"))
        found["model"] = files_hash(path for path in mine if path.startswith("cmodel/"))
    if lists(block, kind):
        found["lists"] = hash_of(lists(block, kind))
    if scripts:
        found["scripts"] = programs_hash(existing(["scripts/" + name for name in scripts]))
    decided = [PARAMETERS] if kind in BY_PARAMETERS else []
    found["rules"], found["reader"] = hash_of([*rules(kind), *map(read, existing(decided))]), hash_of(reader(kind))
    found["tools"] = hash_of([line for line in read("scripts/tools.txt").splitlines()
                              if line.split() and line.split()[0] in tools])
    return found


def forget():
    """Clears the caches: files may have changed."""
    for cached in (read, instances, includes, hardware, programs, program, code, rules):
        cached.cache_clear()


def changed(then, now):
    """Names of the groups that differ."""
    return sorted(name for name in {*then, *now} if then.get(name) != now.get(name))


def code_lines(block):
    """Lines of Verilog that are neither blank nor comment."""
    return sum(bool(re.sub(r"//.*", "", line).strip()) for line in read(f"rtl/{block}.v").splitlines())


def purpose(block):
    """The sentence that heads the module: what stands between "wm_NAME:" and the first full stop at a line's end or "//"."""
    text = read(f"rtl/{block}.v")
    found = re.search(rf"^// wm_{re.escape(block.split('/')[-1])}: ((?:.*\n//[ ](?=\S))*.*)$", text, re.M)
    if not found:
        raise BadInput(f"rtl/{block}.v: no header line \"// wm_{block.split('/')[-1]}: what it is for\"")
    return re.sub(r"\s*\n//\s*", " ", found[1]).rstrip(".")
