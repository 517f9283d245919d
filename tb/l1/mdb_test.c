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
};

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
        struct core_warps c = core_with(MDB_BYPASS_LIMIT, MDB_LEVEL_AUTO, limit, 8);
        mdb_init(&c.mdb, &c.config);
        begin_cta(&c, 0);
        assert_true(c.mdb.passing == slot_bits(limit, 8 - limit));
    }
}

/* A CTA's warps bear their numbers in it wherever it lies: alone in slot 3 it must not go round as
 * a whole. */
TEST(mdb6_a_lone_cta_goes_by_its_warps) {
    struct core_warps c = core_with(MDB_BYPASS_LIMIT, MDB_LEVEL_AUTO, 2, 4);
    mdb_init(&c.mdb, &c.config);
    begin_cta(&c, 3);
    assert_true(c.mdb.passing == slot_bits(3 * 4 + 2, 2));
}

TEST(mdb6_several_ctas_go_by_their_slots) {
    struct core_warps c = core_with(MDB_BYPASS_LIMIT, MDB_LEVEL_AUTO, 2, 4);
    mdb_init(&c.mdb, &c.config);
    for (unsigned slot = 0; slot < 5; slot++) {
        begin_cta(&c, slot);
    }
    assert_true(c.mdb.passing == slot_bits(2 * 4, 3 * 4));
    for (unsigned slot = 0; slot < 3; slot++) {
        end_cta(&c, slot);
    }
    assert_true(c.mdb.passing == slot_bits(3 * 4, 2 * 4));
    end_cta(&c, 3);
    assert_true(c.mdb.passing == slot_bits(4 * 4 + 2, 2)); /* the last one is alone */
    end_cta(&c, 4);
    assert_true(!c.mdb.passing && !c.mdb.ctas);
}

TEST(mdb4_a_level_can_be_chosen) {
    struct core_warps warps = core_with(MDB_BYPASS_LIMIT, MDB_LEVEL_WARPS, 3, 4),
                      ctas = core_with(MDB_BYPASS_LIMIT, MDB_LEVEL_CTAS, 1, 4);
    mdb_init(&warps.mdb, &warps.config);
    mdb_init(&ctas.mdb, &ctas.config);
    begin_cta(&ctas, 0);
    assert_true(!ctas.mdb.passing);
    for (unsigned slot = 0; slot < 2; slot++) {
        begin_cta(&warps, slot);
    }
    begin_cta(&ctas, 1);
    assert_true(warps.mdb.passing == (slot_bits(3, 1) | slot_bits(7, 1)));
    assert_true(ctas.mdb.passing == slot_bits(4, 4));
}

/* (w,M,N): N are the CTA's warps, of which eight are told apart (6). */
TEST(mdb4_m_of_n_warps_go_round_the_l1) {
    static const struct {
        unsigned warps, count, first;
    } rows[] = {{8, 5, 3},  {8, 0, 8}, {8, 7, 1}, {6, 2, 4},
                {16, 3, 5}, {2, 1, 1}, {2, 2, 0}, {2, 7, 0}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct core_warps c =
            core_with(MDB_BYPASS_COUNT, MDB_LEVEL_WARPS, rows[i].count, rows[i].warps);
        mdb_init(&c.mdb, &c.config);
        begin_cta(&c, 0);
        assert_true(c.mdb.passing ==
                    (rows[i].count ? slot_bits(rows[i].first, rows[i].warps - rows[i].first) : 0));
    }
}

/* (b,M,N): N are the CTAs that the core has at that time. */
TEST(mdb4_m_of_n_ctas_go_round_the_l1) {
    struct core_warps c = core_with(MDB_BYPASS_COUNT, MDB_LEVEL_CTAS, 2, 4);
    mdb_init(&c.mdb, &c.config);
    for (unsigned n = 1; n <= 8; n++) {
        begin_cta(&c, n - 1);
        unsigned first = n > 2 ? n - 2 : 0;
        assert_true(c.mdb.passing == slot_bits(4 * first, 4 * (n - first)));
    }
}

TEST(nobody_goes_round_without_mdb) {
    struct core_warps c = core_with(MDB_BYPASS_OFF, MDB_LEVEL_WARPS, 1, 8);
    mdb_init(&c.mdb, &c.config);
    begin_cta(&c, 0);
    assert_true(!c.mdb.passing);
}
