#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of scripts/lint_names.py in a small tree."""
import os
import sys

sys.dont_write_bytecode = True
from test_house import SCRIPTS, House, main, said  # noqa: E402

TOOL = os.path.join(SCRIPTS, "lint_names.py")
GOOD = """/* take() { is no function here, and " no string begins. */
#define RARE(name) \\
    static void name(void) {
struct ring { int take; };
static const int full[] = {1};
static inline unsigned ring_room(const struct ring *r) {
    return take(r) ? 1 : sizeof "take() {";
}
"""


class Names(House):
    def lint(self, code, *lines):
        """Its standard error has exactly these lines."""
        ended, out, err = said(TOOL, self.folder)
        self.assertEqual(err, "".join(f"lint: {line}\n" for line in lines))
        self.assertEqual(ended, code)
        return out

    def test_good_names_pass_and_are_counted(self):
        self.write("cmodel/base/ring.h", GOOD)
        self.write("cmodel/workloads/sdk/fwt.c", "static void check(void) {\n}\n")
        self.write("tb/base/ring_test.c", "int main(void) {\n}\nTEST(a_ring_is_empty) {\n}\n")
        self.write("tb/base/text_test.c", "int main(void) {\n}\n")
        self.assertEqual(self.lint(0), "  PASS    names: 2 functions\n")

    def test_one_word_fails_with_file_and_line(self):
        for head in ("static bool take(void) {", "TEST(take) {", "RARE static struct ring *take(int a,\n    int b) {",
                     "__attribute__((format(printf, 1, 2))) static bool take(const char *format,\n    ...) {",
                     "__attribute__((noinline)) static void\ntake(const struct ring *r) {"):
            self.write("cmodel/base/ring.h", GOOD)
            self.write("tb/base/x.c", f"/* two\n * lines */\n{head}\n}}\n")
            self.lint(1, "tb/base/x.c:3: take() is one word: must say what it does to what")

    def test_a_second_definition_fails_with_the_place_of_the_first(self):
        self.write("cmodel/base/ring.h", GOOD)
        self.write("tb/base/x.c", "\nstatic unsigned ring_room(void) {\n}\n")
        self.write("tb/base/y.c", "TEST(ring_room) {\n}\n")
        self.lint(1, *(f"tb/base/{place}: ring_room() is defined in cmodel/base/ring.h:6 too: must be the name of one function"
                       for place in ("x.c:2", "y.c:1")))

    def test_declarations_and_calls_are_no_definitions(self):
        self.write("cmodel/base/ring.h", GOOD)
        self.write("cmodel/base/ring.c", "unsigned ring_room(const struct ring *r);\nTEST_GROUP(setup, teardown)\n"
                   "INSTANCE(ring_room, 1)\nstatic int (*const table[])(void) = {ring_room};\nvoid ring_start(void) {\n"
                   "    while (ring_room(0)) {\n    }\n}\n")
        self.assertEqual(self.lint(0), "  PASS    names: 2 functions\n")

    def test_a_stand_in_may_have_the_name_and_goes_from_the_list_with_it(self):
        self.write("cmodel/gpu/gpu.c", "void gpu_run(void) {\n}\n")
        self.write("tb/cli/session_test.c", "void gpu_run(void) {\n}\n")
        self.lint(0)
        self.write("tb/cli/session_test.c", "void run_session(void) {\n}\n")
        self.lint(1, "tb/cli/session_test.c: defines no gpu_...: must leave the list in scripts/lint_names.py")

    def test_a_tree_without_functions_fails(self):
        self.lint(1, f"{self.folder}: no C functions below cmodel/ and tb/")


if __name__ == "__main__":
    main()
