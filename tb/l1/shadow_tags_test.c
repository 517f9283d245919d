/* SPDX-License-Identifier: Apache-2.0
 * Shadow tag arrays, one behaviour a test. Sections in the names of the cases are those of MDB,
 * DAC 2016. */
#include "l1/shadow_tags_cases.h"

SET_TEST(test_6_an_access_enters_its_array_and_those_above) {
    unsigned arrays = shadow_params_of(b)->ARRAYS;
    for (unsigned first = arrays; first-- > 0;) {
        unsigned above = every_array(b) & ~((2u << first) - 1);
        assert_access(b, 1, 1, first, above); /* entered by the one before */
        assert_access(b, 1, 1, first, above | 1u << first);
    }
}
