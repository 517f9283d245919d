/* SPDX-License-Identifier: Apache-2.0 */
#include "base/unit_tests.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TESTS_MAX = 256 };

static struct {
    struct unit_test *first;
    CMFixtureFunction setup, teardown;
    int (*frame)(int argc, char **argv);
    const char *only;
    bool seed_used;
    int argc;
    char **argv;
} program;

/* Constructors run in any order: the line decides within a file, the link among files. */
void unit_test_add(struct unit_test *test) {
    struct unit_test **at = &program.first;
    while (*at && strcmp((*at)->file, test->file) != 0) {
        at = &(*at)->next;
    }
    while (*at && strcmp((*at)->file, test->file) == 0 && (*at)->line <= test->line) {
        at = &(*at)->next;
    }
    test->next = *at;
    *at = test;
}

void unit_test_group(CMFixtureFunction setup, CMFixtureFunction teardown) {
    program.setup = setup;
    program.teardown = teardown;
}

void unit_test_frame(int (*frame)(int argc, char **argv)) {
    program.frame = frame;
}

uint64_t test_number(unsigned place, uint64_t otherwise) {
    const int at = (int)place + 1;
    return at < program.argc ? strtoull(program.argv[at], NULL, 0) : otherwise;
}

uint64_t test_seed(void) {
    program.seed_used = true;
    return test_number(0, UINT64_C(0x5eed0001));
}

static bool is_requested(const struct unit_test *t) {
    bool found = !t->request;
    for (int i = 1; i < program.argc; i++) {
        found |= t->request && strcmp(program.argv[i], t->request) == 0;
    }
    return found && (!program.only || fnmatch(program.only, t->test.name, 0) == 0);
}

static bool has_one_name_twice(void) {
    for (const struct unit_test *t = program.first; t; t = t->next) {
        for (const struct unit_test *u = t->next; u; u = u->next) {
            if (strcmp(t->test.name, u->test.name) == 0) {
                fprintf(stderr, "%s:%d and %s:%d: both declare the test %s\n", t->file, t->line,
                        u->file, u->line, t->test.name);
                return true;
            }
        }
    }
    return false;
}

unsigned unit_tests_outside(const char *file) {
    unsigned count = 0;
    for (const struct unit_test *t = program.first; t; t = t->next) {
        count += strcmp(t->file, file) != 0;
    }
    return count;
}

int unit_tests_run(void *state) {
    static struct CMUnitTest tests[TESTS_MAX]; /* some programs count what is allocated */
    size_t count = 0;
    for (const struct unit_test *t = program.first; t; t = t->next) {
        count += is_requested(t);
    }
    if (!count) {
        fprintf(stderr, "there is no test to run\n");
        return 1;
    }
    if (has_one_name_twice()) {
        return 1;
    }
    if (count > TESTS_MAX) {
        fprintf(stderr, "%zu tests: a program may have %d\n", count, TESTS_MAX);
        return 1;
    }
    struct CMUnitTest *next = tests;
    for (const struct unit_test *t = program.first; t; t = t->next) {
        if (is_requested(t)) {
            *next = t->test;
            next++->initial_state = state;
        }
    }
    int failed = _cmocka_run_group_tests("tests", tests, count, program.setup, program.teardown);
    if (failed && program.seed_used) {
        fprintf(stderr, "seed 0x%" PRIx64 "; again: %s 0x%" PRIx64 "\n", test_seed(),
                program.argv[0], test_seed());
    }
    return failed != 0;
}

/* --- main ------------------------------------------------------------------------------------ */

/* Removes @count arguments after argv[0]. */
static void drop_arguments(unsigned count) {
    program.argc -= (int)count;
    memmove(program.argv + 1, program.argv + 1 + count,
            (size_t)program.argc * sizeof *program.argv);
}

int main(int argc, char **argv) {
    program.argc = argc;
    program.argv = argv;
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (const struct unit_test *t = program.first; t; t = t->next) {
            printf("%s\n", t->test.name);
        }
        return !program.first || has_one_name_twice();
    }
    if (argc > 2 && strcmp(argv[1], "--only") == 0) {
        program.only = argv[2];
        drop_arguments(2);
    }
    return program.frame ? program.frame(program.argc, argv) : unit_tests_run(NULL);
}
