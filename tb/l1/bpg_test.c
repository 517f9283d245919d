/* SPDX-License-Identifier: Apache-2.0
 * Bypassing parameter generator, one behaviour a test. Sections in the names of the cases are those
 * of MDB, DAC 2016. */
#include "l1/bpg_cases.h"

SET_TEST(test_6_nobody_bypasses_at_first) {
    bench_comb(b);
    assert_int_equal(bpg_out_of(b)->limit, bpg_params_of(b)->CALCULATORS);
    bench_edge(b);
}
