/* SPDX-License-Identifier: Apache-2.0
 * Lines of a text: their ends, numbers and errors. Files that cannot be read, and xz, are in
 * import_refused_test.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/unit_tests.h"
#include "trace/text_lines.h"

static struct text_lines *open_lines_with(const char *text, size_t size, char path[32]) {
    char error[TEXT_LINES_ERROR];
    strcpy(path, "/tmp/warpmem_lines_XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, text, size) == (ssize_t)size && !close(file));
    struct text_lines *t = text_lines_open(path, error);
    assert_non_null(t);
    return t;
}

TEST(lines_come_without_their_ends) {
    char path[32];
    const char *line;
    size_t length;
    struct text_lines *t = open_lines_with("one\n\nthree", 10, path);
    static const char *const expected[] = {"one", "", "three"};
    for (unsigned i = 0; i < 3; i++) {
        assert_true(text_lines_next(t, &line, &length));
        assert_string_equal(line, expected[i]);
        assert_int_equal(length, strlen(expected[i]));
    }
    assert_false(text_lines_next(t, &line, &length));
    assert_null(text_lines_error(t));
    text_lines_close(t);
    remove(path);
}

TEST(the_first_error_stays_and_nothing_is_read_after_it) {
    char path[32], expected[128];
    const char *line;
    size_t length;
    struct text_lines *t = open_lines_with("a\nb\nc\n", 6, path);
    assert_true(text_lines_next(t, &line, &length) && text_lines_next(t, &line, &length));
    assert_false(text_lines_fail(t, "%s is not a number", line));
    assert_false(text_lines_fail(t, "another"));
    assert_false(text_lines_next(t, &line, &length));
    snprintf(expected, sizeof expected, "%s:2 (byte 2): b is not a number", path);
    assert_string_equal(text_lines_error(t), expected);
    text_lines_close(t);
    text_lines_close(NULL); /* of a file that could not be opened */
    remove(path);
}
