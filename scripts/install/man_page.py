# SPDX-License-Identifier: Apache-2.0
"""Man pages of what a program's --help says (program_help.py)."""
import re

from install import program_help as ph


def escape_text(text):
    """roff reads a backslash, a dash, and a dot or quote at the beginning of a line as its own."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def quote_word(text):
    """An argument of a macro."""
    return '"' + escape_text(text).replace('"', '\\(dq') + '"'


def write_paragraphs(lines):
    """Text with empty lines between paragraphs; what is indented stays as it is."""
    out, literal = [], False
    for line in lines:
        indented = line.startswith("  ")
        if indented and not literal:
            out += [".PP", ".nf", ".RS"]
        elif literal and not indented:
            out += [".RE", ".fi"]
        literal = indented
        if indented:
            out.append(escape_text(line[2:]))
        elif not line:
            out.append(".PP")
        else:
            # The help is so wide that no line of it was broken for its length.
            out += [".br"] if out and out[-1][0] != "." and out[-1][-1] != "," else []
            out.append(escape_text(line))
    out += [".RE", ".fi"] if literal else []
    # Two macros that only begin a paragraph are one.
    kept = [line for at, line in enumerate(out) if not (line == ".PP" and out[at + 1:at + 2] in ([".PP"], []))]
    return kept[kept[:1] == [".PP"]:]


def write_option(option):
    names = ([f"\\-{escape_text(option.short)}"] if option.short else []) + [f"\\-\\-{escape_text(option.name)}"]
    head = ", ".join(f"\\fB{name}\\fR" for name in names)
    if option.value:
        head += f"=\\fI{escape_text(option.value)}\\fR"
    return [".TP", head, escape_text(option.text)]


def write_page(page, usage=True):
    """The text of a program's page, or of a command's section."""
    out = []
    if usage:
        for form in page.usage:
            out += [".PP", ".nf", f"\\fB{escape_text(form)}\\fR", ".fi"]
    about = write_paragraphs(page.about)
    out += [".PP", *about] if about else []
    for group in page.groups:
        if group.title:
            title, _, rest = group.title.partition("; ")
            out += [f".SS {quote_word(title)}", *([escape_text(rest[0].upper() + rest[1:] + ".")] if rest else [])]
        for option in group.options:
            out += write_option(option)
    notes = write_paragraphs(page.notes)
    return out + ([".PP", *notes] if notes else [])


def write_head(name, purpose, version):
    return [f'.TH {name.upper()} 1 "" {quote_word(version)} "User Commands"', ".nh", ".SH NAME",
            f"{escape_text(name)} \\- {escape_text(purpose)}"]


def make_purpose(sentence):
    """The line that apropos shows."""
    sentence = re.sub(r"^(?:A|An|The) ", "", sentence.rstrip("."))
    return sentence if sentence[1:2].isupper() else sentence[:1].lower() + sentence[1:]


def see_also(*names):
    return [".SH SEE ALSO", *(f".BR {name} (1)" + ("" if name == names[-1] else ",") for name in names)]


def write_small_program(program, name, version, others):
    """A program without commands: wavediff, wavejoin, dramcheck."""
    page = ph.read_page(ph.ask_help(program, "--help"))
    about = [line for line in page.about if line]
    first = re.match(r"[^.]*\.", " ".join(about)).group()
    synopsis = [line for form in page.usage for line in (".PP", f"\\fB{escape_text(form)}\\fR")]
    lines = write_head(name, make_purpose(first), version)
    lines += [".SH SYNOPSIS", *synopsis[1:], ".SH DESCRIPTION", *write_page(page, usage=False)[1:], *see_also(*others)]
    return "\n".join(lines) + "\n"


def write_commands(lines):
    """The list of them, as paragraphs with the command at the edge."""
    out, at = [], 0
    while at < len(lines):
        match, more = ph.COMMAND.match(lines[at]), ph.MORE.match((lines + [""] * 2)[at + 1])
        if match:
            text = match.group(3) or (more.group(1) if more else "")
            form = " ".join(filter(None, match.group(1, 2)))
            out += [".TP", f"\\fB{escape_text(form)}\\fR", escape_text(text)]
        at += 1
    return out


def write_warpmem(program, version, others):
    """All commands, each a section."""
    help_lines = ph.ask_help(program, "help").rstrip("\n").split("\n")
    usage, purpose = help_lines[0].split(": ", 1)[1], help_lines[1]
    last = max(at for at, line in enumerate(help_lines) if ph.COMMAND.match(line) or ph.MORE.match(line))
    lines = write_head("warpmem", make_purpose(purpose), version)
    lines += [".SH SYNOPSIS", f"\\fB{escape_text(usage)}\\fR", ".SH DESCRIPTION", escape_text(purpose),
              *write_commands(help_lines[2:last + 1]), ".PP", *write_paragraphs(help_lines[last + 1:])]
    for command in ph.read_commands(program):
        if command.page:
            lines += [f".SH {quote_word('warpmem ' + command.name)}", *write_page(command.page)[1:]]
    return "\n".join(lines + see_also(*others)) + "\n"
