/* SPDX-License-Identifier: Apache-2.0
 *
 * Model-driven bypassing: which warps of a core go round the L1 (MDB, DAC 2016, sections 4 and 6).
 */
#include "base/seeded.h"

#include "config/preset.h"
#include "l1/mdb.h"

struct core_warps {
    struct config config;
    struct mdb mdb;
    unsigned warps; /* of a CTA */
    uint64_t cycle, attention;
    struct alarm alarm;
};

static void open_core(struct core_warps *c) {
    const struct build build = {.alarm = &c->alarm};
    c->alarm.attention = &c->attention;
    assert_true(mdb_init(&c->mdb, &c->config, 0, &c->cycle, &build));
}

static void close_core(struct core_warps *c) {
    mdb_destroy(&c->mdb);
}

/* Warp slots whose loads go round the L1, as bits. */
static uint64_t passing_slots(struct core_warps *c) {
    uint64_t slots = 0;
    for (unsigned cta = 0; cta < MDB_CTAS_MAX; cta++) {
        for (unsigned i = 0; c->mdb.live[cta] && i < c->warps; i++) {
            struct request r = {.warp = (uint8_t)(cta * c->warps + i), .kind = REQUEST_READ};
            slots |= (uint64_t)(c->mdb.on && mdb_goes_round(&c->mdb, &r, c->cycle)) << r.warp;
        }
    }
    return slots;
}

static struct core_warps core_with(unsigned bypass, unsigned level, unsigned number,
                                   unsigned warps) {
    struct core_warps c = {.config = base_preset(), .warps = warps};
    c.config.mdb.bypass = bypass;
    c.config.mdb.level = level;
    *(bypass == MDB_BYPASS_COUNT ? &c.config.mdb.count : &c.config.mdb.limit) = number;
    return c;
}

static void begin_cta(struct core_warps *c, unsigned slot) {
    for (unsigned i = 0; i < c->warps; i++) {
        mdb_begin_warp(&c->mdb, slot * c->warps + i, slot, i);
    }
}

static void end_cta(struct core_warps *c, unsigned slot) {
    for (unsigned i = 0; i < c->warps; i++) {
        mdb_end_warp(&c->mdb, slot * c->warps + i);
    }
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
    assert_true(!passing_slots(&c) && !c.mdb.ctas);
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
