#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""Tests of man pages and completion: both shells are asked, and what they offer is compared with what the program says."""
import os
import pty
import re
import select
import subprocess
import time

from test_house import BUILD, House, main, said
from install import completion, man_page, program_help
from warpmem.tools import house

WARPMEM, WAVEDIFF, DRAMCHECK = (os.path.join(BUILD, name) for name in ("warpmem", "wavediff", "dramcheck"))


def commands_of_help():
    """Not as program_help.py reads them."""
    words = re.findall(r"^  ([a-z-]+)", house.command([WARPMEM, "help"]), re.M)
    return list(dict.fromkeys(words))


def options_of_help(*words):
    """As a user sees them, wrapped at 80 columns: every name at the beginning of a line."""
    return sorted(set(re.findall(r"^ {2,6}(?:-\S, )?(--[a-z][a-z0-9-]*)", house.command([*words]), re.M)))


class ManPages(House):
    def rendered(self, text):
        """One line, as a reader gets it; roff has no complaint."""
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-P-cbou", "-rLL=300n"], input=text, text=True, capture_output=True,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return " ".join(done.stdout.replace("‐\n", "").replace("−", "-").split())

    def check_words(self, page, text):
        """Each word of the help is in the page; argp's own sentence is not."""
        text = re.sub(r"Mandatory or optional arguments.*", "", text).split(":", 1)[1]
        for word in set(re.findall(r"\w{3,}", text)):
            self.assertRegex(page, rf"(?i)\b{word}\b")

    def test_the_page_says_all_that_every_help_says(self):
        page = self.rendered(man_page.write_warpmem(WARPMEM, "warpmem", ["wavediff"]))
        commands = commands_of_help()
        self.assertGreater(len(commands), 9)
        self.check_words(page, house.command([WARPMEM, "help"]))
        for command in commands:
            if command in ("help", "version"):
                continue
            section = re.split(r"warpmem [a-z-]+ (?=warpmem [a-z-]+ \[)", page[page.index(f"warpmem {command} warpmem {command} ["):])[1]
            for option in options_of_help(WARPMEM, "help", command):
                self.assertIn(f" {option}", section, command)
            self.check_words(section, program_help.ask_help(WARPMEM, "help", command))

    def test_pages_of_the_small_programs(self):
        for program, name in ((WAVEDIFF, "wavediff"), (DRAMCHECK, "dramcheck")):
            page = self.rendered(man_page.write_small_program(program, name, "warpmem", ["warpmem"]))
            self.check_words(page, program_help.ask_help(program, "--help"))
            self.assertIn(f"NAME {name} - ", page)

    def test_what_roff_would_read_as_its_own_is_shown(self):
        text = self.rendered("\n".join([*man_page.write_head("x", "y", "z"), ".SH A", *man_page.write_paragraphs(
            [".hidden \\fB-o", "'quoted", "", "  literal  two blanks"])]) + "\n")
        self.assertIn(r".hidden \fB-o 'quoted literal two blanks", text)

    def test_a_help_of_another_form_is_refused(self):
        for text in ("no usage\n", "Usage: x\nText.\n\n      --good=N   a number\n   --odd   hidden\n"):
            with self.assertRaises(house.ToolFailed):
                program_help.read_page(text)

    def test_every_value_has_a_rule(self):
        """completion.py must know what each option's value is, so that a new option is not left without."""
        for command in program_help.read_commands(WARPMEM):
            for option in command.page.options() if command.page else []:
                if option.value:
                    self.assertIsNotNone(completion.kind_of(option), f"{command.name} --{option.name}={option.value}")


class Bash(House):
    def setUp(self):
        super().setUp()
        self.script = self.write("warpmem", completion.write_bash(completion.describe_warpmem(WARPMEM, "warpmem", "1")))
        self.write("wavediff", completion.write_bash(completion.describe_small_program(WAVEDIFF, "wavediff", "1")))
        self.write("some file.wtr", "")

    def offered(self, line, program="warpmem", breaks=None):
        """The words that readline gets for the word before the cursor."""
        code = (f". ./{program}; compopt() {{ :; }}; {'COMP_WORDBREAKS=' + breaks if breaks is not None else ':'}; COMP_LINE=$1; "
                f"COMP_POINT=${{#1}}; _{program}; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
        code, out, err = said("bash", "--norc", "-c", code, "bash", line, cwd=self.folder)
        self.assertEqual((code, err), (0, ""))
        return out.split("\n")[:-1] if out != "\n" else []

    def test_commands_and_options_are_those_of_the_help(self):
        self.assertEqual(self.offered("warpmem "), commands_of_help())
        for command in commands_of_help():
            if command not in ("help", "version"):
                offered = {word.rstrip("=") for word in self.offered(f"warpmem {command} --")}
                self.assertEqual(sorted(offered), options_of_help(WARPMEM, "help", command))
        self.assertEqual(self.offered("warpmem list "), ["workloads", "suites", "schemes", "presets", "keys", "stats", "blocks"])
        self.assertEqual({word.rstrip("=") for word in self.offered("wavediff --", "wavediff")},
                         set(options_of_help(WAVEDIFF, "--help")))

    def test_names_are_those_of_the_lists(self):
        presets = re.findall(r"^\S+", house.command([WARPMEM, "list", "presets"]), re.M)
        self.assertEqual(self.offered("warpmem run --preset "), presets)
        self.assertEqual(self.offered("warpmem config show "), presets)
        self.assertEqual(self.offered("warpmem compare x --presets "), [*presets, "all"])
        schemes = re.findall(r"^(?!--)\S+", house.command([WARPMEM, "list", "schemes"]), re.M)
        self.assertEqual(self.offered("warpmem run --scheme "), schemes)
        self.assertEqual(self.offered("warpmem run --l1 "), re.findall(r"^--l1 (\S+)", house.command(
            [WARPMEM, "list", "schemes"]), re.M))
        workloads = re.findall(r"^(\S+) +\S+: ", house.command([WARPMEM, "list", "workloads"]), re.M)
        self.assertGreater(len(workloads), 70)
        self.assertEqual(set(self.offered("warpmem run ")) - {"some file.wtr", "warpmem", "wavediff"}, set(workloads))

    def test_values_behind_an_equals_sign_a_comma_and_a_colon(self):
        for line, words in (("warpmem run --preset=gtx480-", ["gtx480-mdb"]), ("warpmem run --preset gtx480-", ["gtx480-mdb"]),
                            ("warpmem compare x --schemes gto,mrpb-re", ["gto,mrpb-reorder"]),
                            ("warpmem compare x --schemes=gto,mrpb-re", ["gto,mrpb-reorder"]),
                            ("warpmem run --size paper:mr", ["mrpb"]), ("warpmem run --size=paper:mr", ["mrpb"]),
                            ("warpmem run --set core.sched", ["core.schedulers="]), ("warpmem run --jobs ", []),
                            ("warpmem run --set core.schedulers=", []), ("warpmem run --json=so", ["some file.wtr"]),
                            ("warpmem run --json - so", ["some file.wtr"]), ("warpmem help im", ["import"])):
            self.assertEqual(self.offered(line), words, line)
        self.assertEqual(self.offered("warpmem run --preset=gtx480-", breaks="''"), ["--preset=gtx480-mdb"])


class Zsh(House):
    """In a terminal, as nothing else runs its completion."""

    def setUp(self):
        super().setUp()
        self.write("_warpmem", completion.write_zsh(completion.describe_warpmem(WARPMEM, "warpmem", "1")))
        self.write("_wavediff", completion.write_zsh(completion.describe_small_program(WAVEDIFF, "wavediff", "1")))
        self.write("some_file.wtr", "")
        child, self.terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"], dict(os.environ, TERM="dumb", HOME=self.folder, ZDOTDIR=self.folder, COLUMNS="200"))
        self.addCleanup(os.waitpid, child, 0)
        self.addCleanup(os.close, self.terminal)
        self.type("PS1=; unsetopt beep prompt_sp zle_bracketed_paste; unset zle_bracketed_paste; bindkey '^I' complete-word; "
                  f"fpath=({self.folder} $fpath); autoload -Uz compinit; compinit -u -D; "
                  "_show() { zle -I; print \"<$BUFFER>\"; BUFFER= }; zle -N _show; bindkey '^X' _show; echo REA''DY\n")
        self.wait_for("READY")

    def type(self, text):
        os.write(self.terminal, text.encode())

    def wait_for(self, pattern):
        said_, end = "", time.monotonic() + 60
        while not (match := re.search(pattern, said_)):
            self.assertLess(time.monotonic(), end, said_)
            if select.select([self.terminal], [], [], 0.1)[0]:
                said_ += os.read(self.terminal, 65536).decode(errors="replace")
        return match

    def completed(self, line):
        """The line after the tabulator."""
        self.type(line + "\t\x18")
        return self.wait_for(r"<([^>\r\n]*)>").group(1)

    def test_it_completes_commands_options_and_names(self):
        for line, whole in (("warpmem comp", "warpmem compare "), ("warpmem run --pres", "warpmem run --preset="),
                            ("warpmem run --preset=gtx480-", "warpmem run --preset=gtx480-mdb"), ("warpmem run vecad", "warpmem run vecadd"),
                            ("warpmem compare x --schemes gto,mrpb-re", "warpmem compare x --schemes gto,mrpb-reorder,"),
                            ("warpmem config show gtx480-", "warpmem config show gtx480-mdb"), ("warpmem list wor", "warpmem list workloads"),
                            ("warpmem run --set core.sched", "warpmem run --set core.schedulers="),
                            ("warpmem info some_", "warpmem info some_file.wtr"), ("warpmem help impo", "warpmem help import"),
                            ("wavediff --x", "wavediff --x-matches ")):
            self.assertEqual(self.completed(line).rstrip(), whole.rstrip())


if __name__ == "__main__":
    main()
