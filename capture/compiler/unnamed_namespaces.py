# SPDX-License-Identifier: Apache-2.0
"""Variables of the device in unnamed namespaces, in the preprocessed text that clang 14 compiles.

That clang takes for constant whatever the file's kernels do not write there, and hides it from the host's copies. So an unnamed namespace
becomes an inline one, with the file's number in its name; a trace still has "(anonymous namespace)", which C++'s library makes of _GLOBAL__N.
"""
import re

from child_launches import end_of

OPENING = re.compile(r"\b(?<!using )namespace(\s*\{)")
ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)")
VARIABLE = re.compile(r"\bwm_variable\b[^;{}()]*[;={]")


def has_variable(text):
    """True if a statement of @text begins with the attribute of a variable, and is no function's."""
    marked = ATTRIBUTE.sub(lambda found: " wm_variable " if re.search(r"\((device|constant)\b", found[0]) else "", text)
    return bool(VARIABLE.search(marked))


def name_unnamed_namespaces(text, number):
    """The text, changed if one of its unnamed namespaces has a variable of the device."""
    inside = (text[found.end():end_of(text, found.end(), "}")] for found in OPENING.finditer(text))
    if not any(has_variable(part) for part in inside):
        return text
    return OPENING.sub(rf"inline namespace _GLOBAL__N_{number}\1", text)
