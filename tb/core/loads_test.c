/* SPDX-License-Identifier: Apache-2.0 */
#include "base/unit_tests.h"

#include <string.h>

#include "core/loads.h"

enum { INSNS = 6 };

#define LOAD_AT(at, kind, in, bytes) \
    { .op = (kind), .space = (in), .width = (bytes), .pc = (at) }

/* Two launches of one name: the second has another load at a pc that both have. */
static const struct insn first_insns[INSNS] = {
    LOAD_AT(40, OP_LOAD, SPACE_GLOBAL, 4),  LOAD_AT(8, OP_LOAD, SPACE_GLOBAL, 4),
    LOAD_AT(16, OP_STORE, SPACE_GLOBAL, 4), LOAD_AT(24, OP_ATOMIC, SPACE_GLOBAL, 4),
    LOAD_AT(32, OP_LOAD, SPACE_SHARED, 4),  LOAD_AT(48, OP_LOAD, SPACE_LOCAL, 8)};
static const struct insn second_insns[2] = {LOAD_AT(20, OP_LOAD, SPACE_GLOBAL, 4),
                                            LOAD_AT(8, OP_LOAD, SPACE_GLOBAL, 16)};
static const struct kernel_code first = {.name = "k", .insns = first_insns, .insn_count = INSNS};
static const struct kernel_code second = {.name = "k", .insns = second_insns, .insn_count = 2};

TEST(rows_stand_by_pc_and_keep_their_counts_as_other_codes_come) {
    struct load_counts c = {0};
    uint32_t row_of[INSNS];
    assert_true(load_counts_add(&c, &first, row_of));
    assert_int_equal(c.count, 4);
    assert_int_equal(c.row[row_of[0]].pc, 40);
    assert_int_equal(c.row[row_of[3]].op, OP_ATOMIC);
    c.row[row_of[1]].executions = 7;
    assert_true(load_counts_add(&c, &second, row_of));
    assert_int_equal(c.count, 6);
    assert_int_equal(c.row[row_of[1]].width, 16);
    for (unsigned i = 1; i < c.count; i++) {
        assert_true(c.row[i - 1].pc <= c.row[i].pc);
    }
    assert_true(load_counts_add(&c, &first, row_of));
    assert_int_equal(c.count, 6);
    assert_int_equal(c.row[row_of[1]].executions, 7);
    assert_int_equal(c.row[row_of[1]].width, 4);
    load_counts_free(&c);
}

struct bench {
    struct load_counts counts;
    uint32_t row_of[INSNS];
    struct load_counter counter;
    struct core_loads core;
};

static void begin_bench(struct bench *b) {
    memset(b, 0, sizeof *b);
    assert_true(load_counts_add(&b->counts, &first, b->row_of));
    b->counter = (struct load_counter){b->counts.row, first_insns, b->row_of};
    b->core.to = &b->counter;
    core_loads_begin(&b->core, 5);
}

static const struct load_count *row_of_insn(const struct bench *b, unsigned insn) {
    return &b->counts.row[b->row_of[insn]];
}

TEST(accesses_belong_to_the_oldest_load_of_their_warp) {
    struct bench b;
    begin_bench(&b);
    core_loads_issued(&b.core, 5, &first_insns[0], 0xf, 2);
    core_loads_issued(&b.core, 5, &first_insns[1], 0, 0); /* no lane: nothing comes */
    core_loads_issued(&b.core, 5, &first_insns[3], 0x1, 1);
    core_loads_issued(&b.core, 6, &first_insns[5], 0x3, 1);
    core_loads_taken(&b.core, 5, LOAD_MISS);
    core_loads_taken(&b.core, 6, LOAD_PENDING_OWN);
    core_loads_taken(&b.core, 5, LOAD_HIT_OWN);
    core_loads_taken(&b.core, 5, LOAD_PAST);
    const struct load_count *wide = row_of_insn(&b, 0);
    assert_int_equal(wide->executions, 1);
    assert_int_equal(wide->lanes, 4);
    assert_int_equal(wide->accesses, 2);
    assert_true(wide->taken[LOAD_MISS] == 1 && wide->taken[LOAD_HIT_OWN] == 1);
    assert_true(row_of_insn(&b, 1)->executions == 1 && !row_of_insn(&b, 1)->accesses);
    assert_int_equal(row_of_insn(&b, 3)->taken[LOAD_PAST], 1);
    assert_int_equal(row_of_insn(&b, 5)->taken[LOAD_PENDING_OWN], 1);
    load_counts_free(&b.counts);
}

TEST(a_warp_with_more_loads_than_are_followed_loses_no_access) {
    struct bench b;
    begin_bench(&b);
    for (unsigned i = 0; i < 3 * LOADS_WAITING; i++) {
        core_loads_issued(&b.core, 5, &first_insns[i < LOADS_WAITING ? 0 : 1], 1, 1);
    }
    for (unsigned i = 0; i < 3 * LOADS_WAITING; i++) {
        core_loads_taken(&b.core, 5, LOAD_MISS);
    }
    assert_int_equal(row_of_insn(&b, 0)->taken[LOAD_MISS], 3 * LOADS_WAITING);
    assert_int_equal(b.core.warp[5].count, 0);
    core_loads_issued(&b.core, 5, &first_insns[1], 1, 1);
    core_loads_taken(&b.core, 5, LOAD_MISS);
    assert_int_equal(row_of_insn(&b, 1)->taken[LOAD_MISS], 1);
    load_counts_free(&b.counts);
}

static void pass_marker(struct bench *b, uint8_t op, uint32_t pc) {
    core_loads_marker(&b->core, 5, &(struct insn){.op = op, .pc = pc});
}

TEST(a_load_is_in_the_innermost_loop_of_its_first_execution) {
    struct bench b;
    begin_bench(&b);
    core_loads_issued(&b.core, 5, &first_insns[1], 1, 1);
    pass_marker(&b, OP_LOOP_END, 100); /* of a loop that began elsewhere */
    pass_marker(&b, OP_LOOP_BEGIN, 100);
    pass_marker(&b, OP_LOOP_BEGIN, 200);
    pass_marker(&b, OP_LOOP_ITERATION, 200);
    core_loads_issued(&b.core, 5, &first_insns[0], 1, 1);
    pass_marker(&b, OP_LOOP_END, 200);
    core_loads_issued(&b.core, 5, &first_insns[0], 1, 1);
    core_loads_issued(&b.core, 5, &first_insns[3], 1, 1);
    for (unsigned i = 0; i < 300; i++) {
        pass_marker(&b, OP_LOOP_BEGIN, 1000 + i);
    }
    core_loads_issued(&b.core, 5, &first_insns[5], 1, 1);
    assert_false(row_of_insn(&b, 1)->in_loop);
    assert_int_equal(row_of_insn(&b, 0)->loop, 200);
    assert_int_equal(row_of_insn(&b, 3)->loop, 100);
    assert_int_equal(row_of_insn(&b, 5)->loop,
                     1000 + LOADS_NESTING - 2); /* the deepest that is kept */
    for (unsigned i = 0; i < 300; i++) {
        pass_marker(&b, OP_LOOP_END, 1299 - i);
    }
    assert_int_equal(b.core.warp[5].depth, 1);
    load_counts_free(&b.counts);
}
