/* SPDX-License-Identifier: Apache-2.0
 *
 * Model-driven bypassing: which warps of a core go round the L1 (MDB, DAC 2016, sections 4 and 6).
 */
#include "l1/mdb.h"
#include "l1/policy_bench.h"

struct core_warps {
    struct policy_bench bench;
    unsigned warps; /* of a CTA */
};

static void open_core(struct core_warps *c) {
    open_policies(&c->bench);
}

static void close_core(struct core_warps *c) {
    close_policies(&c->bench);
}

static struct mdb *mdb_of_warps(const struct core_warps *c) {
    return l1_policies_state(c->bench.core[0], "mdb");
}

/* Warp slots whose loads go round the L1, as bits. */
static uint64_t passing_slots(struct core_warps *c) {
    uint64_t slots = 0;
    for (unsigned warp = 0; warp < MDB_WARPS_MAX; warp++) {
        struct request r = {.warp = (uint8_t)warp, .kind = REQUEST_READ};
        bool live = mdb_of_warps(c) && mdb_of_warps(c)->live[warp / c->warps % MDB_CTAS_MAX] &&
                    warp / c->warps < MDB_CTAS_MAX;
        slots |= (uint64_t)(live && core_bypasses(&c->bench, 0, &r, c->bench.cycle)) << warp;
    }
    return slots;
}

static struct core_warps core_with(unsigned bypass, unsigned level, unsigned number,
                                   unsigned warps) {
    struct core_warps c = {.bench.config = base_preset(), .warps = warps};
    struct config *config = &c.bench.config;
    config->mdb.bypass = bypass;
    config->mdb.level = level;
    *(bypass == MDB_BYPASS_COUNT ? &config->mdb.count : &config->mdb.limit) = number;
    return c;
}

static void begin_cta(struct core_warps *c, unsigned slot) {
    begin_core_warps(&c->bench, 0, slot, c->warps);
}

static void end_cta(struct core_warps *c, unsigned slot) {
    end_core_warps(&c->bench, 0, slot, c->warps);
}

/* Some of the core's warp slots, as bits. */
static uint64_t slot_bits(unsigned first, unsigned count) {
    return ((UINT64_C(1) << count) - 1) << first;
}

TEST(mdb4_warps_behind_the_limit_go_round_the_l1) {
    for (unsigned limit = 1; limit <= 8; limit++) {
        CLOSED_BY(close_core)
        struct core_warps c = core_with(MDB_BYPASS_LIMIT, MDB_LEVEL_AUTO, limit, 8);
        open_core(&c);
        begin_cta(&c, 0);
        assert_true(passing_slots(&c) == slot_bits(limit, 8 - limit));
    }
}

/* A CTA's warps bear their numbers in it wherever it lies: alone in slot 3 it must not go round as
 * a whole. */
TEST(mdb6_a_lone_cta_goes_by_its_warps) {
    CLOSED_BY(close_core) struct core_warps c = core_with(MDB_BYPASS_LIMIT, MDB_LEVEL_AUTO, 2, 4);
    open_core(&c);
    begin_cta(&c, 3);
    assert_true(passing_slots(&c) == slot_bits(3 * 4 + 2, 2));
}

TEST(mdb6_several_ctas_go_by_their_slots) {
    CLOSED_BY(close_core) struct core_warps c = core_with(MDB_BYPASS_LIMIT, MDB_LEVEL_AUTO, 2, 4);
    open_core(&c);
    for (unsigned slot = 0; slot < 5; slot++) {
        begin_cta(&c, slot);
    }
    assert_true(passing_slots(&c) == slot_bits(2 * 4, 3 * 4));
    for (unsigned slot = 0; slot < 3; slot++) {
        end_cta(&c, slot);
    }
    assert_true(passing_slots(&c) == slot_bits(3 * 4, 2 * 4));
    end_cta(&c, 3);
    assert_true(passing_slots(&c) == slot_bits(4 * 4 + 2, 2)); /* the last one is alone */
    end_cta(&c, 4);
    assert_true(!passing_slots(&c) && !mdb_of_warps(&c)->ctas);
}

TEST(mdb4_a_level_can_be_chosen) {
    CLOSED_BY(close_core)
    struct core_warps warps = core_with(MDB_BYPASS_LIMIT, MDB_LEVEL_WARPS, 3, 4);
    CLOSED_BY(close_core)
    struct core_warps ctas = core_with(MDB_BYPASS_LIMIT, MDB_LEVEL_CTAS, 1, 4);
    open_core(&warps);
    open_core(&ctas);
    begin_cta(&ctas, 0);
    assert_true(!passing_slots(&ctas));
    for (unsigned slot = 0; slot < 2; slot++) {
        begin_cta(&warps, slot);
    }
    begin_cta(&ctas, 1);
    assert_true(passing_slots(&warps) == (slot_bits(3, 1) | slot_bits(7, 1)));
    assert_true(passing_slots(&ctas) == slot_bits(4, 4));
}

/* (w,M,N): N are the CTA's warps, of which eight are told apart (6). */
TEST(mdb4_m_of_n_warps_go_round_the_l1) {
    static const struct {
        unsigned warps, count, first;
    } rows[] = {{8, 5, 3},  {8, 0, 8}, {8, 7, 1}, {6, 2, 4},
                {16, 3, 5}, {2, 1, 1}, {2, 2, 0}, {2, 7, 0}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        CLOSED_BY(close_core)
        struct core_warps c =
            core_with(MDB_BYPASS_COUNT, MDB_LEVEL_WARPS, rows[i].count, rows[i].warps);
        open_core(&c);
        begin_cta(&c, 0);
        assert_true(passing_slots(&c) ==
                    (rows[i].count ? slot_bits(rows[i].first, rows[i].warps - rows[i].first) : 0));
    }
}

/* (b,M,N): N are the CTAs that the core has at that time. */
TEST(mdb4_m_of_n_ctas_go_round_the_l1) {
    CLOSED_BY(close_core) struct core_warps c = core_with(MDB_BYPASS_COUNT, MDB_LEVEL_CTAS, 2, 4);
    open_core(&c);
    for (unsigned n = 1; n <= 8; n++) {
        begin_cta(&c, n - 1);
        unsigned first = n > 2 ? n - 2 : 0;
        assert_true(passing_slots(&c) == slot_bits(4 * first, 4 * (n - first)));
    }
}

TEST(nobody_goes_round_without_mdb) {
    CLOSED_BY(close_core) struct core_warps c = core_with(MDB_BYPASS_OFF, MDB_LEVEL_WARPS, 1, 8);
    open_core(&c);
    begin_cta(&c, 0);
    assert_true(!passing_slots(&c));
}
