#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Names of C functions: lint_names.py [FOLDER]

A name gives the function's action and its object, so one word is too short, and it has one
definition in the tree, static functions included, because newcomers read with grep and ctags. FOLDER
(the project) is searched below cmodel/, cosim/ and tb/. Programs of workloads keep the words of their
suites.
"""
import collections
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXEMPT = "cmodel/workloads/"
# Names that somebody else has given, and of main() each program has one.
GIVEN = {"main": "C", "clog2": "Verilog's $clog2", "LLVMFuzzerInitialize": "libFuzzer", "LLVMFuzzerTestOneInput": "libFuzzer"}
# Functions of these files, all whose names begin so, take the place of others in some programs.
STAND_INS = {
    "cmodel/cli/options/no_rtl_options.c": "cli_rtl_blocks",  # in programs without Verilog
    "tb/cosim/broken_mrpb.c": "rtl_blocks",        # a table with an error in it
    "tb/fuzz/command.c": "rtl_blocks",                # a table with nothing in it
    "tb/cli/session_test.c": "gpu_",                  # a machine that does as the test says
    "tb/fuzz/byte_rng.h": "rng_",                     # a fuzzer's bytes instead of random numbers
    "tb/cli/wrong_model.c": "__wrap_",                # the linker's --wrap
    "tb/fuzz/jail.c": "__wrap_",
    "cosim/heap.c": "__wrap_",
}
ASIDE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", re.M)
ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)")
# clang-format begins a definition at the left edge, and what belongs to it is indented unless a type stands before it.
HEAD = re.compile(r"^[A-Za-z_][^;{}=\n]*(?:(?:(?<!\))\n|\n(?=[ \t]))[^;{}=\n]*)*\{", re.M)
NAME = re.compile(r"([A-Za-z_]\w*)\s*\(\s*(\w*)")


def lines_of(match):
    """Nothing, in as many lines."""
    return "\n" * match.group().count("\n")


def definitions(text):
    """(line, name) of each function. TEST(name) and its like define the name inside."""
    text = DIRECTIVE.sub(lines_of, ASIDE.sub(lines_of, text))
    for head in HEAD.finditer(text):
        name = NAME.search(ATTRIBUTE.sub(lines_of, head.group()))
        if name:
            first, inside = name.groups()
            is_macro = inside and first.isupper() and head.group().startswith(first)
            yield text.count("\n", 0, head.start()) + 1, inside if is_macro else first


def sources(folder):
    """{path: text} of all C."""
    files = {}
    for top in ("cmodel", "cosim", "tb"):
        for place, folders, names in os.walk(os.path.join(folder, top)):
            folders.sort()
            for name in sorted(names):
                path = os.path.relpath(os.path.join(place, name), folder)
                if name.endswith((".c", ".h")) and not path.startswith(EXEMPT):
                    with open(os.path.join(folder, path), encoding="utf-8") as file:
                        files[path] = file.read()
    return files


def judge(files):
    """(how many functions there are, what is wrong with their names)"""
    where, wrong = collections.defaultdict(list), []
    for path, text in files.items():
        stand_in, stands_in = STAND_INS.get(path), False
        for line, name in definitions(text):
            if stand_in and name.startswith(stand_in):
                stands_in = True
                continue
            if name in GIVEN:
                continue
            where[name].append(f"{path}:{line}")
            if "_" not in name:
                wrong.append(f"{path}:{line}: {name}() is one word: must say what it does to what")
        if stand_in and not stands_in:
            wrong.append(f"{path}: defines no {stand_in}...: must leave the list in scripts/lint_names.py")
    for name, (first, *others) in sorted(where.items()):
        wrong += [f"{place}: {name}() is defined in {first} too: must be the name of one function" for place in others]
    return sum(map(len, where.values())), wrong


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else ROOT
    count, wrong = judge(sources(folder))
    if not count:
        wrong.append(f"{folder}: no C functions below cmodel/, cosim/ and tb/")
    for line in wrong:
        print("lint:", line, file=sys.stderr)
    if not wrong:
        print(f"  PASS    names: {count} functions")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
