/* SPDX-License-Identifier: Apache-2.0
 *
 * What MeDiC is compared with, in a partition (MeDiC sections 5 and 6.4): evicted-address filter,
 * PCAL, random bypassing, bypassing by instruction, MeDiC with reuse detection. policy_rows_test.c
 * has their rows by themselves.
 */
#include "l2/partition_bench.h"

/* One bank, one set, written through. */
static struct config small_bank(unsigned ways) {
    struct config c = partition_config();
    c.l2.ports = c.l2.banks = c.l2.sets = 1;
    c.l2.ways = ways;
    c.l2.rop_latency = 5;
    c.l2.write = L2_WRITE_THROUGH;
    c.medic.boundary = MEDIC_BOUNDARY_FIXED;
    return c;
}

/* Of warp @warp of core 0, by instruction @pc. Return: how many reads the DRAM has seen for it; it
 * is answered. */
static unsigned serve_request_of_warp(struct bench *b, unsigned kind, uint64_t local, unsigned warp,
                                      unsigned pc) {
    unsigned reads = 0;
    struct request r = {.local = local,
                        .kind = (uint8_t)kind,
                        .warp = (uint16_t)warp,
                        .pc = (uint16_t)pc,
                        .bytes = 32};
    ask_port(b, 0, &r);
    while (!answer_seen(b) || dram_seen(b)) {
        tick_l2(b);
        if (dram_seen(b)) {
            struct request seen = dram_take(b);
            if (seen.kind == REQUEST_READ) {
                reads++;
                dram_answer(b, &seen);
            }
        }
    }
    assert_true(answer_seen(b)->local == local && answer_seen(b)->kind == kind);
    take_answer(b);
    for (unsigned i = 0; i < 20; i++) { /* so that the table has counted it */
        tick_l2(b);
    }
    return reads;
}

static unsigned read_as_warp(struct bench *b, uint64_t local, unsigned warp) {
    return serve_request_of_warp(b, REQUEST_READ, local, warp, 0);
}

/* Is the line there? It is looked at without an access. */
static bool is_line_there(const struct bench *b, uint64_t local) {
    return tag_find(&b->p.bank[0].tags, 0, local) != TAG_NO_WAY;
}

static uint64_t bypassed_reads(const struct bench *b) {
    return partition_totals(b).bypasses[REQUEST_READ];
}

static void wait_until(struct bench *b, uint64_t time) {
    assert_true(b->now < time);
    while (b->now < time) {
        tick_l2(b);
    }
}

/* --- evicted-address filter --- */

TEST(a_line_that_was_evicted_before_stays_longer_than_new_ones) {
    CLOSED_BY(close_partition_bench) struct bench b = {.config = small_bank(2)};
    b.config.l2.insertion = L2_INSERTION_EAF;
    b.config.eaf.bimodal = 1024;
    open_partition_bench(&b, 1);
    read_as_warp(&b, 1, 0);
    read_as_warp(&b, 2, 0);
    read_as_warp(&b, 3, 0); /* 2 came last, least recently used */
    assert_true(is_line_there(&b, 1) && !is_line_there(&b, 2) && is_line_there(&b, 3));
    read_as_warp(&b, 2, 0); /* the filter knows it */
    assert_true(is_line_there(&b, 1) && is_line_there(&b, 2));
    read_as_warp(&b, 4, 0);
    read_as_warp(&b, 5, 0);
    assert_true(is_line_there(&b, 2) && is_line_there(&b, 5));
}

TEST(one_in_so_many_new_lines_is_inserted_most_recently_used) {
    CLOSED_BY(close_partition_bench) struct bench b = {.config = small_bank(2)};
    b.config.l2.insertion = L2_INSERTION_EAF;
    b.config.eaf.bimodal = 3;
    open_partition_bench(&b, 1);
    read_as_warp(&b, 1, 0);
    read_as_warp(&b, 2, 0);
    read_as_warp(&b, 3, 0); /* the third, in 2's place */
    assert_true(is_line_there(&b, 1) && is_line_there(&b, 3));
    read_as_warp(&b, 4, 0);
    read_as_warp(&b, 5, 0);
    assert_true(is_line_there(&b, 3) && is_line_there(&b, 5));
}

TEST(a_hit_makes_a_line_that_was_inserted_low_the_most_recent) {
    CLOSED_BY(close_partition_bench) struct bench b = {.config = small_bank(2)};
    b.config.l2.insertion = L2_INSERTION_EAF;
    open_partition_bench(&b, 1);
    read_as_warp(&b, 1, 0);
    read_as_warp(&b, 2, 0);
    assert_int_equal(read_as_warp(&b, 2, 0), 0);
    read_as_warp(&b, 3, 0);
    assert_true(!is_line_there(&b, 1) && is_line_there(&b, 2) && is_line_there(&b, 3));
}

/* --- PCAL --- */

static struct config config_with_tokens(unsigned count) {
    struct config c = small_bank(4);
    c.l2.allocation = L2_ALLOCATION_TOKENS;
    c.pcal.tokens = count;
    c.pcal.epoch = 1000;
    return c;
}

/* "If a cache request is a miss, it causes a replacement only if the warp has a token." */
TEST(a_miss_of_a_warp_without_a_token_takes_no_line_and_is_answered) {
    BENCH(b, config_with_tokens(1), 1);
    assert_int_equal(read_as_warp(&b, 1, 7), 1);
    assert_int_equal(read_as_warp(&b, 2, 8), 1);
    assert_true(is_line_there(&b, 1) && !is_line_there(&b, 2));
    assert_int_equal(read_as_warp(&b, 2, 8), 1);
    assert_int_equal(serve_request_of_warp(&b, REQUEST_ATOMIC, 3, 8, 0), 1);
    assert_int_equal(serve_request_of_warp(&b, REQUEST_WRITE, 4, 8, 0), 0);
    assert_true(!is_line_there(&b, 3) && !is_line_there(&b, 4));
    assert_true(partition_totals(&b).no_allocate[REQUEST_READ] == 2 &&
                partition_totals(&b).returns == 3 && partition_totals(&b).fetches == 1);
}

TEST(a_warp_without_a_token_hits) {
    BENCH(b, config_with_tokens(1), 1);
    read_as_warp(&b, 1, 7);
    assert_int_equal(read_as_warp(&b, 1, 8), 0);
    assert_int_equal(outcome_of_kind(&b, REQUEST_READ, L2_HIT), 1);
}

TEST(a_dirty_l2_gives_tokens_as_well) {
    CLOSED_BY(close_partition_bench) struct bench b = {.config = config_with_tokens(1)};
    b.config.l2.write = L2_WRITE_BACK;
    open_partition_bench(&b, 1);
    serve_request_of_warp(&b, REQUEST_WRITE, 1, 7, 0);
    serve_request_of_warp(&b, REQUEST_WRITE, 2, 8, 0);
    assert_true(is_line_there(&b, 1) && !is_line_there(&b, 2) &&
                partition_totals(&b).write_arounds == 1);
}

/* An epoch is pcal.epoch core cycles, here of 3 time units, and begins at the L2's next edge. */
TEST(an_epoch_gives_the_token_to_the_latest_user) {
    CLOSED_BY(close_partition_bench)
    struct bench b = {.config = config_with_tokens(1), .core_period = 3};
    open_partition_bench(&b, 2);
    read_as_warp(&b, 1, 7);
    read_as_warp(&b, 2, 8);
    assert_true(is_line_there(&b, 1) && !is_line_there(&b, 2));
    wait_until(&b, 3 * 1000 - 200);
    read_as_warp(&b, 2, 8);
    assert_true(!is_line_there(&b, 2) && b.now < 3 * 1000);
    wait_until(&b, 3 * 1000);
    read_as_warp(&b, 3, 7);
    read_as_warp(&b, 2, 8);
    assert_true(is_line_there(&b, 2) && !is_line_there(&b, 3));
}

/* --- random --- */

/* Warps of one type, with another that the lot has not drawn: what it is, it is for WIP alone. */
TEST(a_mostly_miss_warp_that_is_not_drawn_does_not_bypass) {
    CLOSED_BY(close_partition_bench) struct bench b = {.config = small_bank(2)};
    b.config.l2.bypass = L2_BYPASS_RANDOM;
    b.config.rand.percent = 0;
    b.config.l2.insertion = L2_INSERTION_WARP_TYPE;
    b.config.medic.profile = 2;
    open_partition_bench(&b, 1);
    for (unsigned line = 0; line < 10; line++) {
        read_as_warp(&b, line, 0);
    }
    assert_true(b.p.front.types.stats.looked[L2_CLASS_MISS] > 0 && bypassed_reads(&b) == 0);
}

/* --- by instruction --- */

static struct config by_pc(void) {
    struct config c = small_bank(2);
    c.l2.bypass = L2_BYPASS_PC;
    c.pcbyp.entries = 16;
    c.medic.profile = 3;
    return c;
}

TEST(an_instruction_that_mostly_misses_bypasses_whatever_the_warp) {
    BENCH(b, by_pc(), 1);
    for (unsigned i = 0; i < 3; i++) {
        serve_request_of_warp(&b, REQUEST_READ, 100 + i, i, 5);
        serve_request_of_warp(&b, REQUEST_READ, 1, i, 6); /* hits, but for the first */
    }
    assert_int_equal(bypassed_reads(&b), 0);
    serve_request_of_warp(&b, REQUEST_READ, 200, 9, 5);
    assert_int_equal(bypassed_reads(&b), 1);
    serve_request_of_warp(&b, REQUEST_READ, 201, 0, 6);
    serve_request_of_warp(&b, REQUEST_READ, 202, 0, 7);
    assert_int_equal(bypassed_reads(&b), 1);
}

/* MeDiC 6.1: "thrashing occurs as two PCs can hash to the same index" */
TEST(instructions_of_one_entry_are_one) {
    BENCH(b, by_pc(), 1);
    for (unsigned i = 0; i < 3; i++) {
        serve_request_of_warp(&b, REQUEST_READ, 100 + i, 0, 5);
    }
    serve_request_of_warp(&b, REQUEST_READ, 200, 0, 5 + 16);
    assert_int_equal(bypassed_reads(&b), 1);
}

/* --- MeDiC with reuse detection --- */

static struct config config_with_reuse(unsigned on) {
    struct config c = small_bank(2);
    c.l2.bypass = L2_BYPASS_WARP_TYPE;
    c.medic.reuse = on;
    c.medic.profile = 3;
    return c;
}

TEST(a_line_that_bypassed_is_kept_when_it_comes_again) {
    for (unsigned on = MEDIC_REUSE_OFF; on <= MEDIC_REUSE_BLOOM; on++) {
        BENCH(b, config_with_reuse(on), 1);
        for (unsigned i = 0; i < 3; i++) {
            read_as_warp(&b, i, 0);
        }
        read_as_warp(&b, 50, 0);
        assert_true(bypassed_reads(&b) == 1 && !is_line_there(&b, 50));
        read_as_warp(&b, 50, 0);
        assert_int_equal(is_line_there(&b, 50), on);
        assert_int_equal(bypassed_reads(&b), 2 - on);
    }
}

TEST(a_line_that_was_evicted_is_kept_when_it_comes_again) {
    for (unsigned on = MEDIC_REUSE_OFF; on <= MEDIC_REUSE_BLOOM; on++) {
        CLOSED_BY(close_partition_bench) struct bench b = {.config = config_with_reuse(on)};
        b.config.l2.banks = 2;
        open_partition_bench(&b, 1);
        for (unsigned i = 0; i < 3; i++) {
            read_as_warp(&b, 1 + 2 * i, 0); /* the third evicts line 1 of bank 1 */
        }
        read_as_warp(&b, 1, 0);
        assert_int_equal(bypassed_reads(&b), !on);
    }
}
