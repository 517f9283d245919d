/* SPDX-License-Identifier: Apache-2.0
 * Lists of names in messages. */
#include <stdio.h>
#include <string.h>

#include "base/unit_tests.h"
#include "base/text.h"

TEST(a_list_joins_names_with_commas) {
    char list[64] = "";
    text_list(list, sizeof list, "atax");
    assert_string_equal(list, "atax");
    text_list(list, sizeof list, "gemm");
    text_list(list, sizeof list, "vecadd");
    assert_string_equal(list, "atax, gemm, vecadd");
}

TEST(a_list_that_does_not_fit_ends_in_dots_once) {
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
