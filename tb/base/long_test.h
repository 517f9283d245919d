/* SPDX-License-Identifier: Apache-2.0
 *
 * Long tests, which `make unit` leaves out and `make unit-long` runs.
 */
#ifndef WARPMEM_TB_LONG_TEST_H
#define WARPMEM_TB_LONG_TEST_H

#include <stdbool.h>
#include <stdlib.h>

/** is_long_test() - is this `make unit-long`? WARPMEM_LONG_TEST=1 says so. */
static inline bool is_long_test(void) {
    const char *value = getenv("WARPMEM_LONG_TEST");
    return value && *value;
}

#endif
