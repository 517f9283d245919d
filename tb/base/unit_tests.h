/* SPDX-License-Identifier: Apache-2.0
 *
 * Unit tests that register themselves. A test is written once, and needs no line anywhere else:
 *
 *     TEST(the_oldest_word_leaves_first) {
 *         assert_int_equal(...);
 *     }
 *
 * The body may use cmocka's `state`. base/unit_tests.c holds the main() of every test program. It
 * runs the tests of a file in the order of the file, and fails without a test or with two of one
 * name. Arguments:
 *
 *     --list            print the names of the tests, run none
 *     --only PATTERN    run those tests alone whose names match the shell's pattern
 *     others            as the program says: test_seed(), test_number(), TEST_ON_REQUEST(),
 *                       TEST_FRAME()
 */
#ifndef WARPMEM_TB_UNIT_TESTS_H
#define WARPMEM_TB_UNIT_TESTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A test as it registers itself. @request: an argument without which it does not run, or NULL. */
struct unit_test {
    struct CMUnitTest test;
    const char *request, *file;
    int line;
    struct unit_test *next;
};

/** TEST() - a test. TEST_WITH() - one with cmocka's setup and teardown. */
#define TEST(name) TEST_ROW(name, NULL, NULL, NULL)
#define TEST_WITH(name, setup, teardown) TEST_ROW(name, setup, teardown, NULL)

/** TEST_OF() - one with setup and teardown: its body is a function of @parameter, or *state. */
#define TEST_OF(name, setup, teardown, parameter) \
    static void name##_of(parameter); \
    TEST_WITH(name, setup, teardown) { \
        name##_of(*state); \
    } \
    static void name##_of(parameter __attribute__((unused)))

/** TEST_ON_REQUEST() - a test that runs only where @word is among the program's arguments. */
#define TEST_ON_REQUEST(name, word) TEST_ROW(name, NULL, NULL, word)

#define TEST_ROW(name, setup, teardown, request) \
    static void name(void **state); \
    static struct unit_test row_of_##name = { \
        {#name, name, setup, teardown, NULL}, request, __FILE__, __LINE__, NULL}; \
    TEST_CONSTRUCTOR(name) { \
        unit_test_add(&row_of_##name); \
    } \
    static void name(void **state __attribute__((unused)))
#define TEST_CONSTRUCTOR(name) __attribute__((constructor)) static void register_##name(void)

/** TEST_GROUP() - setup and teardown of all tests of the program together. */
#define TEST_GROUP(setup, teardown) \
    TEST_CONSTRUCTOR(group) { \
        unit_test_group(setup, teardown); \
    }

/** TEST_FRAME() - @frame(argc, argv) gets what is not an option above, calls unit_tests_run(), and
 * returns the exit code. */
#define TEST_FRAME(frame) \
    TEST_CONSTRUCTOR(frame) { \
        unit_test_frame(frame); \
    }

/** CLOSED_BY() - before a declaration: the end of its scope calls @function(&variable). */
#define CLOSED_BY(function) __attribute__((cleanup(function)))

/** FREED - before declarations of pointers to allocated memory: the end of the scope frees it. */
#define FREED CLOSED_BY(free_pointer)

static inline void free_pointer(void *pointer) {
    void *memory;
    memcpy(&memory, pointer, sizeof memory);
    free(memory);
}

static inline void assert_says(const char *text, const char *part) {
    if (!strstr(text, part)) {
        fail_msg("\"%s\" not found in:\n%s", part, text);
    }
}

void unit_test_add(struct unit_test *test);
void unit_test_group(CMFixtureFunction setup, CMFixtureFunction teardown);
void unit_test_frame(int (*frame)(int argc, char **argv));

/**
 * unit_tests_run() - run what is registered and chosen.
 * @state: what each test finds in *state at first.
 * Return: exit code: 0 passed, 1 some failed or there was nothing to run.
 */
int unit_tests_run(void *state);

/** unit_tests_outside() - how many tests are registered by other files than @file. */
unsigned unit_tests_outside(const char *file);

/** test_number() - the program's argument number @place, from 0, or @otherwise if it is absent. */
uint64_t test_number(unsigned place, uint64_t otherwise);

/** test_seed() - the seed of random tests: argument 0, else a constant. A failure names it. */
uint64_t test_seed(void);

#endif
