/* SPDX-License-Identifier: Apache-2.0
 * Programs of tests: this one, run again with other arguments, or with a test more. */
#include "base/unit_tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PRINTED = 4096 };

/* Return: exit code of this program with other arguments; @out is what it printed. */
static int run_again(const char *arguments, char *out) {
    char command[256];
    snprintf(command, sizeof command, "/proc/%ld/exe %s 2>&1", (long)getpid(), arguments);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    out[fread(out, 1, PRINTED - 1, f)] = '\0';
    int status = pclose(f);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(tests_are_listed_in_the_order_of_the_file) {
    static const char *const names[] = {
        "tests_are_listed_in_the_order_of_the_file",
        "a_pattern_chooses_tests",
        "a_run_without_tests_fails",
        "a_test_that_fails_fails_the_program",
        "two_tests_of_one_name_fail",
    };
    char out[PRINTED], *at = out;
    assert_int_equal(run_again("--list", out), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_memory_equal(at, names[i], strlen(names[i]));
        at += strlen(names[i]) + 1;
    }
}

TEST(a_pattern_chooses_tests) {
    char out[PRINTED];
    assert_int_equal(run_again("--only 'on_req*' now", out), 0);
    assert_non_null(strstr(out, "[       OK ] on_request\n"));
    assert_null(strstr(out, "a_pattern_chooses_tests"));
}

TEST(a_run_without_tests_fails) {
    char out[PRINTED];
    assert_int_equal(run_again("--only no_such_test", out), 1);
    assert_string_equal(out, "there is no test to run\n");
    assert_int_equal(run_again("--only on_request", out), 1); /* not requested */
}

TEST(a_test_that_fails_fails_the_program) {
    char out[PRINTED];
    assert_int_equal(run_again("--only fails_on_request 5 0x7 fail", out), 1);
    assert_non_null(strstr(out, "[  FAILED  ] fails_on_request\n"));
    assert_non_null(strstr(out, "seed 0x5; again: "));
}

/* In a child, so that this program goes on with what it has. */
TEST(two_tests_of_one_name_fail) {
    static struct unit_test twin;
    twin = row_of_a_run_without_tests_fails;
    twin.file = "another_test.c";
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        unit_test_add(&twin);
        _exit(unit_tests_run(NULL));
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
}

TEST_ON_REQUEST(on_request, "now") {
    assert_int_equal(test_number(1, 9), 9);
}

TEST_ON_REQUEST(fails_on_request, "fail") {
    assert_int_equal(test_number(1, 9), 7);
    assert_int_equal(test_seed(), 5);
    fail();
}
