# SPDX-License-Identifier: Apache-2.0
"""A program's --help as data: the man pages and the completions come from it, so each option is described once, in the program.

argp prints the help; ARGP_HELP_FMT makes it write each option on one line. A line that fits no rule stops the tool, because a
silent gap would be an option that no page has.
"""
import re
from dataclasses import dataclass, field

from warpmem.tools import house

OPTION = re.compile(r"(?:  -(?P<short>[^-\s]), |      )--(?P<name>[a-z][a-z0-9-]*)(?:=(?P<value>\S+))?"
                    r"(?:(?: {2,}|(?<=^.{28}) )(?P<text>\S.*))?$")  # argp puts a text in column 29, or behind blanks
MORE = re.compile(r" {20,}(\S.*)$")  # the text of an option that leaves it no room
TITLE = re.compile(r" (\S.*):$")
COMMAND = re.compile(r"  ([a-z][a-z-]*)(?: (\S.*?))?(?: {2,}(\S.*))?$")
# argp's own paragraph.
NOTHING_NEW = "Mandatory or optional arguments to long options"


@dataclass
class Option:
    short: str    # "o"; "": none
    name: str     # "output"
    value: str    # "FILE.wtr"; "": takes none
    text: str


@dataclass
class Group:
    title: str    # "The machine; ..."; "": none
    options: list = field(default_factory=list)


@dataclass
class Page:
    usage: list   # "warpmem run [OPTION...] WHAT", and other forms
    about: list   # lines before the options
    groups: list
    notes: list   # lines behind the options

    def options(self):
        return [option for group in self.groups for option in group.options]


def ask_help(program, *words):
    """Its output; wide, so that nothing is wrapped."""
    return house.command([program, *words], env={"ARGP_HELP_FMT": "rmargin=100000", "LC_ALL": "C"})


def read_usage(lines):
    usage = []
    while lines and (match := re.match(r"(?:[Uu]sage:|  or: ) +(\S.*)", lines[0])):
        usage.append(match.group(1))
        lines.pop(0)
    if not usage:
        raise house.ToolFailed(f"no usage in the help: {' | '.join(lines[:2])}")
    return usage


def begins_options(line):
    return bool(OPTION.match(line) or TITLE.match(line))


def read_page(text):
    lines = text.rstrip("\n").split("\n")
    page = Page(read_usage(lines), [], [], [])
    while lines and not begins_options(lines[0]):
        page.about.append(lines.pop(0))
    while lines and (not lines[0] or MORE.match(lines[0]) or begins_options(lines[0])):
        line = lines.pop(0)
        title, option, more = TITLE.match(line), OPTION.match(line), MORE.match(line)
        if title:
            page.groups.append(Group(title.group(1)))
        elif option:
            # After its groups argp lists --help alone.
            if not page.groups or (option.group("name") in ("help", "usage") and page.groups[-1].title):
                page.groups.append(Group(""))
            page.groups[-1].options.append(Option(option.group("short") or "", option.group("name"), option.group("value") or "",
                                                  option.group("text") or ""))
        elif more and page.groups and page.groups[-1].options and not page.groups[-1].options[-1].text:
            page.groups[-1].options[-1].text = more.group(1)
        elif line:
            raise house.ToolFailed(f"a line that the help's form hides: {line}")
    page.notes = [line for line in lines if not line.startswith(NOTHING_NEW)]
    odd = [line for line in page.about + page.notes if re.match(r" {2,6}--?[a-z]", line) and not line.startswith("  -")]
    if odd:
        raise house.ToolFailed(f"an option that the help's form hides: {odd[0].strip()}")
    return page


@dataclass
class Command:
    name: str
    forms: list   # "import KERNELSLIST -o FILE.wtr"
    page: Page    # None: no options ("version", "help")


def read_commands(program):
    """Of warpmem, in the order of its help."""
    commands = {}
    for line in ask_help(program, "help").split("\n"):
        match = COMMAND.match(line)
        if match:
            name = match.group(1)
            commands.setdefault(name, Command(name, [], None)).forms.append(" ".join(filter(None, match.group(1, 2))))
    if "run" not in commands:
        raise house.ToolFailed(f"{program} help: lists no command `run`")
    for command in commands.values():
        if command.name not in ("help", "version"):
            command.page = read_page(ask_help(program, "help", command.name))
    return list(commands.values())


def first_words(program, *words, until="\0"):
    """Of each line that begins at the left edge, up to the one that begins so: the names of a list."""
    lines = house.command([program, *words]).split("\n" + until)[0].split("\n")
    return [line.split()[0] for line in lines if line and not line[0].isspace()]


def read_schemes(program):
    """{"": whole schemes, "issue": what --issue takes, ...}"""
    found = {"": []}
    for line in house.command([program, "list", "schemes"]).split("\n"):
        if not line or line[0].isspace():
            continue
        words = line.split()
        place = words[0].removeprefix("--") if words[0].startswith("--") else ""
        found.setdefault(place, []).append(words[1] if place else words[0])
    return found


def read_tables(program):
    """{what: names} of all that an option or argument can name."""
    schemes = read_schemes(program)
    workloads = [line.split("\t") for line in house.command([program, "list", "workloads", "--tsv"]).splitlines()[1:]]
    presets = first_words(program, "list", "presets")
    keys, section = [], ""
    for line in house.command([program, "config", "show", presets[0]]).split("\n"):
        if match := re.match(r"\[(\w+)\]", line):
            section = match.group(1)
        elif match := re.match(r"(\w+) *=", line):
            keys.append(f"{section}.{match.group(1)}" if section else match.group(1))
    tables = {"suites": first_words(program, "list", "suites"), "workloads": list(dict.fromkeys(row[0] for row in workloads)), "sizes": list(dict.fromkeys(row[2] for row in workloads)),
              "presets": presets, "keys": keys, "blocks": first_words(program, "list", "blocks"),
              "stats": [name for name in first_words(program, "list", "stats", until="Columns") if re.fullmatch(r"[a-z0-9_.]+", name)],
              **{f"schemes {place}".strip(): names for place, names in schemes.items()}}
    empty = [what for what, names in tables.items() if not names]
    if empty:
        raise house.ToolFailed(f"{program}: lists no {empty[0]}")
    return tables
