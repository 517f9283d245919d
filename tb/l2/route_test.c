/* SPDX-License-Identifier: Apache-2.0
 *
 * Requests that bypass a partition's banks, or may take no line there (MeDiC 4.2).
 */
#include "l2/partition_bench.h"

static struct config all_bypass(void) {
    struct config c = partition_config();
    c.l2.write = L2_WRITE_THROUGH;
    c.l2.bypass = L2_BYPASS_ALL;
    return c;
}

TEST(a_bypassing_read_goes_to_the_dram_and_leaves_no_line) {
    BENCH(b, all_bypass(), 1);
    for (unsigned i = 1; i <= 2; i++) {
        uint64_t asked = b.now;
        ask_partition(&b, REQUEST_READ, 7, false, i);
        /* A cycle to be seen, a cycle of the bypass block, the constant part. */
        assert_true(until_dram(&b) == asked + 1 + 1 + b.config.dram.latency);
        struct request r = dram_take(&b);
        assert_true(r.kind == REQUEST_READ && r.l2_route == L2_ROUTE_BYPASS);
        asked = b.now;
        dram_answer(&b, &r);
        assert_true(until_answer(&b) == asked + 1 + b.config.l2.fill_latency + 1);
        assert_true(answer_seen(&b)->line == i && answer_seen(&b)->kind == REQUEST_READ);
        take_answer(&b);
        assert_true(partition_totals(&b).bypasses[REQUEST_READ] == i &&
                    !partition_totals(&b).requests);
    }
    assert_true(l2_partition_idle(&b.p));
}

/* By the paper an atomic still looks the L2 up, but may not store data there. */
TEST(an_atomic_of_a_bypassing_warp_takes_no_line) {
    BENCH(b, all_bypass(), 1);
    for (unsigned i = 1; i <= 2; i++) {
        ask_partition(&b, REQUEST_ATOMIC, 7, false, i);
        until_dram(&b);
        struct request r = dram_take(&b);
        assert_true(r.kind == REQUEST_READ && r.for_atomic);
        until_dram(&b);
        assert_true(dram_take(&b).kind == REQUEST_WRITEBACK);
        assert_null(answer_seen(&b)); /* not before its data */
        dram_answer(&b, &r);
        until_answer(&b);
        assert_true(answer_seen(&b)->kind == REQUEST_ATOMIC && answer_seen(&b)->line == i);
        take_answer(&b);
        assert_true(outcome_of_kind(&b, REQUEST_ATOMIC, L2_MISS) == i);
        assert_true(partition_totals(&b).no_allocate[REQUEST_ATOMIC] == i &&
                    !partition_totals(&b).fetches);
    }
    assert_true(l2_partition_idle(&b.p));
}

TEST(a_store_of_a_bypassing_warp_writes_the_line_that_is_there_and_takes_none) {
    BENCH(b, all_bypass(), 1);
    struct l2_bank *bank = &b.p.bank[7 & (b.config.l2.banks - 1)];
    for (unsigned i = 0; i < 2; i++) {
        if (i) { /* the line comes there, as a warp that does not bypass would bring it */
            uint64_t line = 7 >> bank->local_shift;
            unsigned set = tag_set_of(&bank->tags, line);
            tag_insert(&bank->tags, set, tag_victim(&bank->tags, set), line);
        }
        ask_partition(&b, REQUEST_WRITE, 7, true, i);
        until_answer(&b);
        assert_true(answer_seen(&b)->kind == REQUEST_WRITE);
        take_answer(&b);
        until_dram(&b);
        assert_true(dram_take(&b).kind == REQUEST_WRITEBACK);
        assert_true(outcome_of_kind(&b, REQUEST_WRITE, L2_MISS) == 1 &&
                    outcome_of_kind(&b, REQUEST_WRITE, L2_HIT) == i);
        assert_true(partition_totals(&b).write_arounds == 1 &&
                    partition_totals(&b).write_throughs == i);
    }
    assert_true(!partition_totals(&b).fetches && !partition_totals(&b).bypasses[REQUEST_WRITE]);
}
