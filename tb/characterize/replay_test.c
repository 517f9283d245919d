/* SPDX-License-Identifier: Apache-2.0
 *
 * The L1s without time, and whole programs of hand-made CTAs.
 */
#include "characterize/hand_made.h"

#include "characterize/characterize.h"

/* One set of two ways, lines of 128 bytes. */
static struct config small_cache(unsigned write) {
    struct config c = preset_named("c2050-s");
    c.l1.sets = 1;
    c.l1.ways = 2;
    c.l1.index = INDEX_MODULO;
    c.l1.global_write = write;
    c.l1.write_miss = L1_WRITE_MISS_FETCH;
    return c;
}

static unsigned replay_one_line(struct replay *r, struct replay_counts *c, unsigned insn,
                                uint64_t line) {
    struct accesses a = {.list = {{.line = line}}, .count = 1, .made = 1};
    return replay_access(r, c, &insns[insn], &a);
}

TEST(reads_hit_among_the_lines_used_last) {
    struct config config = small_cache(L1_WRITE_EVICT);
    CLOSED_BY(replay_destroy) struct replay r;
    struct replay_counts c = {0};
    assert_true(replay_init(&r, &config));
    assert_true(replay_one_line(&r, &c, LOAD, 1));
    assert_true(replay_one_line(&r, &c, LOAD, 2));
    assert_false(replay_one_line(&r, &c, LOAD, 1));
    assert_true(replay_one_line(&r, &c, LOAD, 3)); /* in place of 2 */
    assert_false(replay_one_line(&r, &c, LOAD, 1));
    assert_true(replay_one_line(&r, &c, LOAD, 2));
    assert_int_equal(c.reads, 6);
    assert_int_equal(c.read_misses, 4);
}

TEST(a_write_evicts_goes_through_or_stays) {
    static const struct {
        unsigned write;
        bool missed[2]; /* the read of a line that was there and was written; of one that was not */
        uint64_t writes, write_misses;
    } cases[] = {{L1_WRITE_EVICT, {true, true}, 0, 0},
                 {L1_WRITE_THROUGH, {false, true}, 0, 0},
                 {L1_WRITE_BACK, {false, false}, 2, 1}};
    for (unsigned i = 0; i < 3; i++) {
        struct config config = small_cache(cases[i].write);
        CLOSED_BY(replay_destroy) struct replay r;
        struct replay_counts c = {0};
        assert_true(replay_init(&r, &config));
        replay_one_line(&r, &c, LOAD, 1);
        assert_false(replay_one_line(&r, &c, STORE, 1));
        assert_false(replay_one_line(&r, &c, STORE, 2)); /* nobody waits for it, though it misses */
        assert_int_equal(replay_one_line(&r, &c, LOAD, 1), cases[i].missed[0]);
        assert_int_equal(replay_one_line(&r, &c, LOAD, 2), cases[i].missed[1]);
        assert_int_equal(c.writes, cases[i].writes);
        assert_int_equal(c.write_misses, cases[i].write_misses);
    }
}

TEST(an_atomic_leaves_no_copy_and_is_waited_for) {
    struct config config = small_cache(L1_WRITE_EVICT);
    CLOSED_BY(replay_destroy) struct replay r;
    struct replay_counts c = {0}, none = {0};
    assert_true(replay_init(&r, &config));
    assert_int_equal(replay_one_line(&r, &c, ATOMIC, 1), 1);
    assert_memory_equal(&c, &none, sizeof c);
    assert_true(replay_one_line(&r, &c, LOAD, 1));
    assert_false(replay_one_line(&r, &c, LOAD, 1));
    assert_true(replay_one_line(&r, &c, ATOMIC, 1));
    assert_true(replay_one_line(&r, &c, LOAD, 1));
}

TEST(texture_and_constants_have_caches_of_their_own) {
    struct config config = small_cache(L1_WRITE_EVICT);
    config.texture.sets = config.constant.sets = 1;
    config.texture.ways = 1;
    config.constant.ways = 2;
    static const struct insn texture = {.op = OP_LOAD, .space = SPACE_TEXTURE},
                             constant = {.op = OP_LOAD, .space = SPACE_CONSTANT};
    struct accesses one = {.list = {{.line = 1}}, .count = 1}, two = one;
    two.list[two.count++].line = 2;
    CLOSED_BY(replay_destroy) struct replay r;
    struct replay_counts c = {0};
    assert_true(replay_init(&r, &config));
    assert_true(replay_one_line(&r, &c, LOAD, 1));
    assert_int_equal(replay_access(&r, &c, &texture, &one), 1);
    assert_int_equal(replay_access(&r, &c, &texture, &one), 0);
    assert_int_equal(replay_access(&r, &c, &texture, &two), 1); /* one way: 2 in place of 1 */
    assert_int_equal(replay_access(&r, &c, &texture, &two), 2);
    assert_int_equal(replay_access(&r, &c, &constant, &two), 2);
    assert_int_equal(replay_access(&r, &c, &constant, &two), 0); /* two ways */
    assert_int_equal(c.reads, 1);
    assert_int_equal(c.texture, 6);
    assert_int_equal(c.texture_misses, 4);
    assert_int_equal(c.constant, 4);
    assert_int_equal(c.constant_misses, 2);
}

TEST(a_launch_empties_the_l1_where_the_machine_does) {
    for (unsigned keep = 0; keep < 2; keep++) {
        struct config config = small_cache(L1_WRITE_EVICT);
        CLOSED_BY(replay_destroy) struct replay r;
        struct replay_counts c = {0};
        config.l1.at_launch = keep ? AT_LAUNCH_KEEP : AT_LAUNCH_INVALIDATE;
        assert_true(replay_init(&r, &config));
        replay_one_line(&r, &c, LOAD, 1);
        replay_launch(&r);
        assert_int_equal(replay_one_line(&r, &c, LOAD, 1), !keep);
    }
}

/* CTAs of two warps, each with these loads of lines; all at once. */
static void run_launch(struct characterize *c, const struct launch *l, const uint64_t *lines,
                       unsigned count) {
    assert_null(characterize_launch(c, l));
    for (unsigned cta = 0; cta < launch_ctas(l); cta++) {
        struct cta_trace *t = characterize_room(c);
        assert_non_null(t);
        t->warp_count = launch_warps(l);
        for (unsigned w = 0; w < t->warp_count; w++) {
            warp_stream_clear(&t->warp[w]);
            for (unsigned i = 0; i < count; i++) {
                put_line_of_bytes(&t->warp[w], LOAD, lines[i], 128);
            }
        }
        assert_true(characterize_cta(c));
    }
    assert_true(characterize_end(c));
}

/* Two cores; CTAs 0 and 2 share the first. Their four warps touch line 5, then 6, in turn. */
TEST(touches_of_a_core_are_split_by_who_was_there_before) {
    struct config config = small_cache(L1_WRITE_EVICT);
    config.core.count = 2;
    static const uint64_t lines[] = {5, 6};
    const struct launch l = {&hand_code, {3, 1, 1}, {64, 1, 1}};
    struct characterize *c = characterize_create(&config);
    run_launch(c, &l, lines, 2);
    const struct kernel_counts *k = characterize_kernel(c, 0);
    assert_int_equal(k->own.first, 3 * 2 * 2); /* no warp touches a line twice */
    assert_int_equal(k->core.first, 2 * 2);    /* each core meets each line once */
    /* On the first core 0a 0b 2a 2b touch 5, then 6; on the second 1a 1b. */
    assert_int_equal(k->core.near[REUSE_SAME_CTA][0], 2 * 2 + 2);
    assert_int_equal(k->core.near[REUSE_OTHER_CTA][0], 2);
    assert_int_equal(k->footprint.lines.count, 2);
    assert_int_equal(k->footprint.warps, 6);
    assert_int_equal(k->rows.rows, 2); /* lines 5 and 6: chunks of 256 bytes, two channels */
    assert_int_equal(k->rows.ctas, 2 * 3);
    for (unsigned i = 0; i < ORDER_COUNT; i++) {
        assert_int_equal(k->replay[i].reads, 12);
        assert_int_equal(k->replay[i].read_misses, 4);
    }
    assert_int_equal(k->warps, 6);
    assert_int_equal(k->block_most, 64);
    characterize_destroy(c);
}

TEST(launches_of_one_code_are_one_kernel_and_know_nothing_of_each_other) {
    struct config config = small_cache(L1_WRITE_EVICT);
    config.core.count = 1;
    static const uint64_t lines[] = {5, 5};
    struct kernel_code other = hand_code;
    other.name = "other";
    const struct launch l = {&hand_code, {1, 1, 1}, {32, 1, 1}},
                        l2 = {&other, {1, 1, 1}, {32, 1, 1}};
    struct characterize *c = characterize_create(&config);
    run_launch(c, &l, lines, 2);
    run_launch(c, &l2, lines, 1);
    run_launch(c, &l, lines, 2);
    assert_null(characterize_kernel(c, 2));
    const struct kernel_counts *k = characterize_kernel(c, 0), *t = characterize_total(c);
    assert_int_equal(k->launches, 2);
    assert_int_equal(k->core.first, 2); /* anew in each launch */
    assert_int_equal(k->own.near[REUSE_SAME_WARP][0], 2);
    assert_int_equal(k->footprint.lines.count, 1);
    assert_int_equal(t->launches, 3);
    assert_int_equal(t->core.first, 3);
    assert_int_equal(t->footprint.lines.count, 1); /* kernels share it */
    assert_int_equal(t->lanes.warp_instructions, 5);
    characterize_destroy(c);
}

TEST(what_does_not_fit_is_said) {
    struct config config = small_cache(L1_WRITE_EVICT);
    struct kernel_code big = hand_code;
    big.shared_bytes = config.core.shared_bytes + 1;
    const struct launch none = {&hand_code, {0, 1, 1}, {32, 1, 1}},
                        l = {&big, {1, 1, 1}, {32, 1, 1}};
    const struct launch wide = {&hand_code, {1, 1, 1}, {2048, 1, 1}},
                        half = {&hand_code, {1, 1, 1}, {544, 1, 1}};
    struct characterize *c = characterize_create(&config);
    assert_non_null(strstr(characterize_launch(c, &none), "launched without a thread"));
    assert_non_null(strstr(characterize_launch(c, &l), "core.shared_bytes"));
    assert_non_null(strstr(characterize_launch(c, &wide), "a CTA of 2048 threads: at most 1024"));
    config.core.cta_threads = 512;
    assert_non_null(strstr(characterize_launch(c, &half),
                           "a CTA of 544 threads: at most core.cta_threads = 512"));
    characterize_destroy(c);
}
