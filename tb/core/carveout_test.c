/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes of the L1 and of shared memory by launch (core.carveout).
 */
#include "config/preset.h"
#include "gpu/hand_program.h"
#include "gpu/machine_run.h"

enum { LINES = 512, LINE = 128 }; /* 64 KB */

/* The first warp of a CTA reads the same lines twice. */
WARP_WRITER(read_lines_twice) {
    for (unsigned i = 0; i < 2 * LINES && !warp; i++) {
        put_whole_line(s, i % 8, 1000 + i % LINES);
    }
}

/* Reads that hit, of a CTA of @threads with @shared bytes of shared memory. */
static uint64_t hits_with_shared(const struct config *c, unsigned threads, unsigned shared) {
    CLOSED_BY(machine_run_free) struct machine_run r = {0};
    struct hand_program p;
    struct insn table[8];
    for (unsigned i = 0; i < 8; i++) {
        table[i] = (struct insn)LOAD((uint8_t)i, NO);
    }
    hand_open(&p, table, 8, 1, threads);
    p.code.shared_bytes = shared;
    p.warp = read_lines_twice;
    run_test_machine(&r, c, &(struct gpu_options){0}, &p.program, false);
    assert_complete(&r);
    return run_counter(&r, "l1.read_hits");
}

/* 32 KB of L1 and 96 KB of shared memory, all CTAs of a core by 32 slots of one warp. */
static struct config volta_with_carveout(const char *carveout) {
    struct config c = named_preset("v100");
    struct config_error e;
    char text[64];
    c.core.count = 1;
    snprintf(text, sizeof text, "core.carveout=%s", carveout);
    assert_true(config_set(&c, text, &e));
    assert_legal(&c);
    return c;
}

TEST(a_launch_gets_the_l1_that_its_shared_memory_leaves) {
    struct config fixed = volta_with_carveout("-"), c = volta_with_carveout("0/8/16/32/64/96");
    assert_int_equal(hits_with_shared(&fixed, WARP_SIZE, 0), 0); /* LRU of half of the lines */
    assert_int_equal(hits_with_shared(&c, WARP_SIZE, 0), LINES);
    /* 32 CTAs need 64 KB: 64 KB are left. */
    assert_int_equal(hits_with_shared(&c, WARP_SIZE, 2048), LINES);
    assert_int_equal(hits_with_shared(&c, WARP_SIZE, 2049), 0);
    /* Two CTAs of 1024 threads. */
    assert_int_equal(hits_with_shared(&c, 1024, 32768), LINES);
    assert_int_equal(hits_with_shared(&c, 1024, 32769), 0);
}
