/* SPDX-License-Identifier: Apache-2.0 */
#include "base/unit_tests.h"

#include <string.h>

#include "workloads/host.h"

TEST(integers_of_each_width_are_compared_whole) {
    for (unsigned width = 1; width <= 16; width *= 2) {
        static struct host h;
        uint8_t got[3 * 16] = {0}, want[3 * 16] = {0};
        const struct buffer result = {.data = got, .count = 3, .width = width};
        assert_null(host_compare_int(&h, "v", &result, want));
        want[2 * width - 1] = 1; /* the highest byte of the second element */
        const char *said = host_compare_int(&h, "v", &result, want);
        assert_non_null(said);
        assert_int_equal(strncmp(said, "v[1] is 0x0, plain C has 0x1", 28), 0);
    }
}
