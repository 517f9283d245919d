/* SPDX-License-Identifier: Apache-2.0
 * Blocks that no machine contains by themselves, when the system has no memory for them: init says
 * so and keeps nothing. Linked with --wrap=calloc (tb/rules.mk); parts of a machine are in
 * tb/cli/faults_test.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "common/fifo.h"
#include "common/sram_1r1w.h"

static unsigned until_refused; /* calls, this one included; 0: none is */

void *__real_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);

void *__wrap_calloc(size_t count, size_t bytes) {
    bool refused = until_refused && --until_refused == 0;
    return refused ? NULL : __real_calloc(count, bytes);
}

static void an_sram_without_memory_is_refused(void **state) {
    (void)state;
    const struct sram_1r1w_params params = {.WORDS = 4, .DATA_BITS = 65};
    struct sram_1r1w s;
    for (unsigned call = 1; call <= 2; call++) {
        until_refused = call;
        assert_false(sram_1r1w_init(&s, &params));
        assert_int_equal(until_refused, 0);
        assert_null(s.words);
        assert_null(s.written);
    }
    assert_true(sram_1r1w_init(&s, &params));
    sram_1r1w_destroy(&s);
}

static void a_fifo_without_memory_is_refused(void **state) {
    (void)state;
    const struct fifo_params params = {.DEPTH = 4, .DATA_BITS = 65};
    struct fifo s;
    until_refused = 1;
    assert_false(fifo_init(&s, &params));
    assert_null(s.words);
    assert_true(fifo_init(&s, &params));
    fifo_destroy(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_sram_without_memory_is_refused),
        cmocka_unit_test(a_fifo_without_memory_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
