# SPDX-License-Identifier: Apache-2.0
"""Completion for bash and zsh: commands and options are those of the program's help, names those of its lists."""
import re

from install import program_help as ph
from warpmem.tools import house

# The kind of an option's value: a table of program_help.read_tables(), and the sign between several names of it. Options that
# are not here say it by the form of their value.
NAMED = {"preset": ("presets", ""), "presets": ("presets all", ","), "scheme": ("schemes", "+"), "schemes": ("schemes", ","),
         "issue": ("schemes issue", "+"), "l1": ("schemes l1", "+"), "l2": ("schemes l2", "+"), "dram": ("schemes dram", "+"),
         "size": ("sizes", ""), "set": ("keys", "="), "stats": ("stats", ","), "rtl": ("blocks", ""), "lockstep": ("blocks", ""),
         "record": ("blocks", ""), "suite": ("suites", ""), "sweep": ("keys", "=")}
FREE = ("name", "ignore", "map", "swl-limits", "kernels")  # anything may stand there


def kind_of(option):
    """("table", its name, between), ("words", [...]), ("files",), ("free",); None: no value, or no rule."""
    if not option.value:
        return None
    if option.name in NAMED:
        return ("table", *NAMED[option.name])
    if re.match(r"(FILE|PICTURE|FOLDER)", option.value):
        return ("files",)
    if re.fullmatch(r"[a-z0-9]+(\|[a-z0-9]+)+", option.value):
        return ("words", option.value.split("|"))
    return ("free",) if option.name in FREE or re.fullmatch(r"[A-Z]", option.value) else None


def kind_of_argument(word):
    """Of a word in a usage that is not the program's or command's name."""
    if re.fullmatch(r"[a-z0-9]+(\|[a-z0-9]+)*", word):
        return ("words", word.split("|"))
    if word == "PRESET":
        return ("table", "presets", "")
    if word == "NAME":
        return ("table", "workloads", "")
    if word == "[COMMAND]":
        return ("table", "commands", "")
    return ("table", "workloads", "files") if word == "WHAT" else ("files",)


class Program:
    """@commands: {name: (options, forms, about)}; a program without commands has one, ""."""

    def __init__(self, name, version, commands, tables):
        self.name, self.version, self.commands, self.tables = name, version, commands, tables

    def arguments(self, command):
        """{(position, word before or ""): kinds}"""
        found = {}
        for form in self.commands[command][1]:
            words = [word for word in form.split()[2 if command else 1:] if word != "[OPTION...]"]
            before = ""
            for at, word in enumerate(words):
                if word.startswith("-"):
                    break
                found.setdefault((at, before), []).append(kind_of_argument(word))
                before = word if re.fullmatch(r"[a-z][a-z-]*", word) else ""
        return found


def describe_warpmem(program, name, version):
    commands = {}
    for command in ph.read_commands(program):
        page = command.page
        about = " ".join(page.about).split(". ")[0].rstrip(". ") if page else ""
        forms = page.usage if page else [f"{name} {form}" for form in command.forms]
        commands[command.name] = (page.options() if page else [], forms, about or f"{command.name} of {name}")
    tables = ph.read_tables(program)
    tables.update({"commands": list(commands), "presets all": tables["presets"] + ["all"]})
    return Program(name, version, commands, tables)


def describe_small_program(program, name, version):
    page = ph.read_page(ph.ask_help(program, "--help"))
    return Program(name, version, {"": (page.options(), page.usage, "")}, {})


def check_words(program):
    """They stand in shell code, so what a shell would read as its own is refused."""
    for what, words in program.tables.items():
        for word in words:
            if not re.fullmatch(r"[A-Za-z0-9_./:+-]+", word):
                raise house.ToolFailed(f"completion: {what}: {word!r}: letters, digits and _ . / : + - are allowed")


def quote_shell(text):
    return "'" + text.replace("'", "'\\''") + "'"


BASH = r"""# @NAME@ @VERSION@: completion for bash, made from the program's help and lists.

_@FUNCTION@_table() {
    case $1 in
@TABLES@
    esac
}

_@FUNCTION@_options() {
    case $1 in
@OPTIONS@
    esac
}

# The kind of an option's value, or of the argument at a position behind a word: "words LIST", "table NAME BETWEEN",
# "table NAME files", "files", "free"; nothing: there is no value.
_@FUNCTION@_kind() {
    case $1:$2 in
@KINDS@
    esac
}

_@FUNCTION@() {
    local typed=${COMP_LINE:0:COMP_POINT} words piece head command= option= before= kind what between position=-1 i
    local IFS=$' \t\n'
    COMPREPLY=()
    piece=${typed##*[[:space:]]}
    typed=${typed%"$piece"}
    set -f
    words=($typed)
    set +f
    i=1
    if [ @HAS_COMMANDS@ = yes ]; then
        if [ ${#words[@]} -lt 2 ]; then
            COMPREPLY=($(compgen -W "$(_@FUNCTION@_table commands)" -- "$piece"))
            return
        fi
        command=${words[1]}
        i=2
    fi
    position=0
    for (( ; i < ${#words[@]}; i++)); do
        case ${words[i]} in
        -*=*) ;;
        -*)
            if [ -n "$(_@FUNCTION@_kind "$command" "${words[i]}")" ]; then
                option=${words[i]}
                i=$((i + 1))
                [ $i -lt ${#words[@]} ] && option=
            fi
            ;;
        *)
            position=$((position + 1))
            before=${words[i]}
            ;;
        esac
    done
    # No reply has the part that readline takes for the beginning of the word.
    head=
    case $COMP_WORDBREAKS in *=*) [[ $piece == *=* ]] && head=${piece%=*}= ;; esac
    case $COMP_WORDBREAKS in *:*) [[ ${piece#"$head"} == *:* ]] && head=${piece%:*}: ;; esac
    local lead=
    if [ -z "$option" ] && [[ $piece == --*=* ]]; then
        option=${piece%%=*}
        lead=$option=
        piece=${piece#*=}
    elif [ -z "$option" ] && [[ $piece == -* ]]; then
        COMPREPLY=($(compgen -W "$(_@FUNCTION@_options "$command")" -- "$piece"))
        [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
        return
    fi
    if [ -n "$option" ]; then
        kind=$(_@FUNCTION@_kind "$command" "$option")
    else
        kind=$(_@FUNCTION@_kind "$command" "$position $before")
        [ -n "$kind" ] || kind=$(_@FUNCTION@_kind "$command" "$position ")
    fi
    between=
    case $kind in
    words\ *) what=${kind#words } ;;
    table\ *)
        what=${kind#table }
        between=${what##* }
        what=$(_@FUNCTION@_table "${what% *}")
        ;;
    esac
    case $kind in
    words\ * | table\ *)
        local first=
        case $between in
        , | +) [[ $piece == *"$between"* ]] && first=${piece%"$between"*}$between ;;
        esac
        COMPREPLY=($(compgen -P "$lead$first" -W "$what" -- "${piece#"$first"}"))
        case $between in
        =) compopt -o nospace && COMPREPLY=("${COMPREPLY[@]/%/=}") ;;
        , | +) compopt -o nospace ;;
        files)
            compopt -o filenames
            mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$piece")
            ;;
        esac
        ;;
    files)
        compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -P "$lead" -f -- "$piece")
        ;;
    esac
    [ -z "$head" ] || COMPREPLY=("${COMPREPLY[@]#"$head"}")
}

complete -F _@FUNCTION@ @NAME@
"""


def fill_template(template, values):
    for name, value in values.items():
        template = template.replace(f"@{name}@", value)
    left = re.search(r"@[A-Z_]+@", template)
    assert not left, left
    return template


def spell_kind(kind):
    if kind[0] == "words":
        return f"words {' '.join(kind[1])}"
    return f"table {kind[1]} {kind[2] or '-'}" if kind[0] == "table" else kind[0]


def write_bash(program):
    check_words(program)
    tables = [f"    {quote_shell(what)}) echo {' '.join(words)} ;;"
              for what, words in program.tables.items()]
    options, kinds = [], []
    for command, (list_, _, _) in program.commands.items():
        words = [f"--{option.name}" + ("=" if option.value else "") for option in list_]
        words += [f"-{option.short}" for option in list_ if option.short not in ("", "?")]
        options.append(f"    {quote_shell(command)}) echo {quote_shell(' '.join(words))} ;;")
        for option in list_:
            kind = kind_of(option)
            if option.value:
                names = [f"--{option.name}"] + ([f"-{option.short}"] if option.short else [])
                pattern = " | ".join(quote_shell(f"{command}:{name}") for name in names)
                kinds.append(f"    {pattern}) echo {quote_shell(spell_kind(kind or ('free',)))} ;;")
        for (at, before), found in program.arguments(command).items():
            words = [word for kind in found if kind[0] == "words" for word in kind[1]]
            kind = ("words", words) if words else found[0]
            kinds.append(f"    {quote_shell(f'{command}:{at} {before}')}) echo {quote_shell(spell_kind(kind))} ;;")
    return fill_template(BASH, {"NAME": program.name, "VERSION": program.version, "FUNCTION": program.name.replace("-", "_"),
                                "TABLES": "\n".join(tables) or "    *) ;;", "OPTIONS": "\n".join(options), "KINDS": "\n".join(kinds),
                                "HAS_COMMANDS": "no" if "" in program.commands else "yes"})


ZSH = r"""#compdef @NAME@
# @NAME@ @VERSION@: completion for zsh, made from the program's help and lists.

_@FUNCTION@_table() {
    local between=$2
    local -a names
    case $1 in
@TABLES@
    esac
    case $between in
    ,) compset -P '*,'; compadd -q -S , -a names ;;
    +) compset -P '*+'; compadd -q -S + -a names ;;
    =) compset -P '*=' && return 1; compadd -S = -a names ;;
    files) _alternative 'names:name:compadd -a names' 'files:file:_files' ;;
    *) compadd -a names ;;
    esac
}

_@FUNCTION@_arguments() {
    case $1 in
@COMMANDS@
    esac
}

_@FUNCTION@() {
    if [[ @HAS_COMMANDS@ != yes ]]; then
        _@FUNCTION@_arguments ''
        return
    fi
    if (( CURRENT == 2 )); then
        local -a commands=(
@NAMES@
        )
        _describe command commands
        return
    fi
    local command=$words[2]
    shift words
    (( CURRENT-- ))
    _@FUNCTION@_arguments "$command"
}

_@FUNCTION@ "$@"
"""


def zsh_action(program, kind):
    function = program.name.replace("-", "_")
    if kind is None or kind[0] == "free":
        return " "
    if kind[0] == "files":
        return "_files"
    if kind[0] == "words":
        return f"({' '.join(kind[1])})"
    return f" _{function}_table {quote_shell(kind[1])} {quote_shell(kind[2])}"


def zsh_text(text):
    return re.sub(r"([\\\[\]:])", r"\\\1", text)


def write_zsh(program):
    check_words(program)
    tables = [f"    {quote_shell(what)}) names=({' '.join(words)}) ;;"
              for what, words in program.tables.items()]
    commands, names = [], []
    for command, (options, _, about) in program.commands.items():
        specs = []
        for option in options:
            value = f":{zsh_text(option.value)}:{zsh_action(program, kind_of(option))}" if option.value else ""
            if option.short not in ("", "?"):
                specs.append(quote_shell(f"*-{option.short}[{zsh_text(option.text)}]{value}"))
            specs.append(quote_shell(f"*--{option.name}{'=' if value else ''}[{zsh_text(option.text)}]{value}"))
        arguments = program.arguments(command)
        for at in sorted({place for place, _ in arguments}):
            kinds = [kind for (place, _), found in arguments.items() if place == at for kind in found]
            words = [word for kind in kinds if kind[0] == "words" for word in kind[1]]
            kind = ("words", words) if words else kinds[0]
            specs.append(quote_shell(f"{at + 1}:argument:{zsh_action(program, kind)}"))
        specs += [quote_shell("*:file:_files")] if any(kind == ("files",) for found in arguments.values() for kind in found) else []
        commands.append(f"    {quote_shell(command)})\n        _arguments \\\n            " + " \\\n            ".join(specs) +
                        "\n        ;;")
        names.append(f"            {quote_shell(command + ':' + zsh_text(about))}")
    return fill_template(ZSH, {"NAME": program.name, "VERSION": program.version, "FUNCTION": program.name.replace("-", "_"),
                               "TABLES": "\n".join(tables) or "    *) ;;", "COMMANDS": "\n".join(commands),
                               "NAMES": "\n".join(names), "HAS_COMMANDS": "no" if "" in program.commands else "yes"})
