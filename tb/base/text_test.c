/* SPDX-License-Identifier: Apache-2.0
 * Lists of names in messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"

static void a_list_joins_names_with_commas(void **state) {
    (void)state;
    char list[64] = "";
    text_list(list, sizeof list, "atax");
    assert_string_equal(list, "atax");
    text_list(list, sizeof list, "gemm");
    text_list(list, sizeof list, "vecadd");
    assert_string_equal(list, "atax, gemm, vecadd");
}

static void a_list_that_does_not_fit_ends_in_dots_once(void **state) {
    (void)state;
    for (size_t size = 8; size < 64; size++) {
        char list[64] = "", whole[] = "aaaa, bbbb, cccc, dddd, eeee";
        static const char *const names[] = {"aaaa", "bbbb", "cccc", "dddd", "eeee"};
        for (unsigned i = 0; i < 5; i++) {
            text_list(list, size, names[i]);
        }
        assert_true(strlen(list) < size);
        if (strcmp(list, whole) != 0) {
            const char *dots = strstr(list, ", ...");
            assert_non_null(dots);
            assert_string_equal(dots, ", ...");
            assert_memory_equal(list, whole, (size_t)(dots - list));
        } else {
            assert_true(size > strlen(whole));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_joins_names_with_commas),
        cmocka_unit_test(a_list_that_does_not_fit_ends_in_dots_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
