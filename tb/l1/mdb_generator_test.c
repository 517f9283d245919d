/* SPDX-License-Identifier: Apache-2.0
 *
 * A generator at work in a core: what counts, levels, launches, and who is told when (MDB, DAC
 * 2016, section 6). The block's own tests are bpg_test.c.
 */
#include "l1/mdb.h"
#include "l1/policy_bench.h"

enum { INTERVAL = 24, WARPS = 4, FOUND = BPG_LATENCY(BPG_CALCULATORS_MAX) };

static struct mdb *mdb_of_core(const struct policy_bench *c, unsigned core) {
    return l1_policies_state(c->core[core], "mdb");
}

static void launch_on_cores(struct policy_bench *c) {
    for (unsigned i = 0; i < POLICY_CORES; i++) {
        tell_core(c, i, (struct l1_policy_event){.kind = L1_POLICY_LAUNCHED});
    }
}

/* Each core has its own clock, so that one can be looked at from another. */
static void open_cores(struct policy_bench *c) {
    open_policies(c);
    launch_on_cores(c);
    c->cycle = 10;
}

static struct config config_of(unsigned bypass) {
    struct config c = base_preset();
    c.mdb.bypass = bypass;
    c.mdb.interval = INTERVAL;
    return c;
}

#define CORES(c, bypass) \
    CLOSED_BY(close_policies) struct policy_bench c = {.config = config_of(bypass)}; \
    open_cores(&c)

static void start_cta_of_warps(struct policy_bench *c, unsigned core, unsigned slot,
                               uint32_t kernel, unsigned warps) {
    tell_core(c, core, (struct l1_policy_event){.kind = L1_POLICY_CTA_STARTED, .kernel = kernel});
    begin_core_warps(c, core, slot, warps);
}

static void start_core_cta(struct policy_bench *c, unsigned core, unsigned slot, uint32_t kernel) {
    start_cta_of_warps(c, core, slot, kernel, WARPS);
}

static void stop_core_cta(struct policy_bench *c, unsigned core, unsigned slot) {
    end_core_warps(c, core, slot, WARPS);
}

static struct request load_of_slot(unsigned slot, uint64_t line) {
    return (struct request){.line = line, .warp = (uint8_t)slot, .kind = REQUEST_READ};
}

/* A load that the L1 takes in the next cycle, with so many failures since the run began. */
static void take_load(struct policy_bench *c, unsigned core, struct request r, uint64_t fails,
                      bool refused) {
    c->cycle++;
    c->fails[L1_FAILS] = fails;
    core_takes(c, core, &r, r.passes_l1, refused);
}

/* Loads of an interval, whose lines lie in no sampled set: no hits. */
static void take_interval(struct policy_bench *c, unsigned core, uint64_t *fails,
                          unsigned fails_each) {
    for (unsigned i = 0; i < INTERVAL; i++) {
        *fails += fails_each;
        take_load(c, core, load_of_slot(0, 1), *fails, fails_each != 0);
    }
}

static bool slot_bypasses(struct policy_bench *c, unsigned core, unsigned slot, uint64_t cycle) {
    struct request r = load_of_slot(slot, 1);
    return core_bypasses(c, core, &r, cycle);
}

/* Without hits and with failures one warp alone is best; the limit shows when the block says so. */
TEST(mdb6_a_core_follows_its_own_generator_at_once) {
    CORES(c, MDB_BYPASS_LOCAL);
    uint64_t fails = 0;
    start_core_cta(&c, 0, 0, 1);
    start_core_cta(&c, 1, 0, 1);
    take_interval(&c, 0, &fails, 3);
    for (unsigned w = 0; w < WARPS; w++) {
        assert_false(slot_bypasses(&c, 0, w, c.cycle + FOUND - 1));
        assert_int_equal(slot_bypasses(&c, 0, w, c.cycle + FOUND), w >= 1);
        assert_false(slot_bypasses(&c, 1, w, c.cycle + FOUND));
    }
    assert_int_equal(mdb_of_core(&c, 0)->generator->stats.limits[0], 1);
}

TEST(mdb6_the_watched_core_tells_all_others_some_cycles_late) {
    for (unsigned late = 0; late <= 1000; late += 500) {
        CLOSED_BY(close_policies) struct policy_bench c = {.config = config_of(MDB_BYPASS_GLOBAL)};
        c.config.mdb.broadcast = late;
        open_cores(&c);
        uint64_t fails = 0;
        start_core_cta(&c, 0, 0, 1);
        start_core_cta(&c, 1, 0, 1);
        assert_null(mdb_of_core(&c, 1)->generator);
        take_interval(&c, 0, &fails, 3);
        for (unsigned core = 0; core < 2; core++) {
            assert_false(slot_bypasses(&c, core, 1, c.cycle + FOUND + late - 1));
            assert_true(slot_bypasses(&c, core, 1, c.cycle + FOUND + late));
        }
    }
}

/* A core that has looked far ahead of another leaves what that one is told as it was. */
TEST(mdb6_limits_are_kept_for_whoever_is_told_later) {
    CLOSED_BY(close_policies) struct policy_bench c = {.config = config_of(MDB_BYPASS_GLOBAL)};
    c.config.mdb.broadcast = 1000;
    open_cores(&c);
    uint64_t fails = 0, first;
    start_core_cta(&c, 0, 0, 1);
    start_core_cta(&c, 1, 0, 1);
    take_interval(&c, 0, &fails, 3);
    first = c.cycle + FOUND;
    c.cycle = first;
    for (unsigned i = 0; i < 12; i++) { /* without failures and hits all use the L1 again */
        take_interval(&c, 0, &fails, 0);
        c.cycle += FOUND;
    }
    assert_false(slot_bypasses(&c, 1, 1, first + 999));
    assert_true(slot_bypasses(&c, 1, 1, first + 1000));
    assert_false(slot_bypasses(&c, 1, 1, c.cycle + 1000));
}

TEST(mdb_control_never_bypasses_and_finds_the_same_limits) {
    CORES(c, MDB_BYPASS_CONTROL);
    uint64_t fails = 0;
    start_core_cta(&c, 0, 0, 1);
    take_interval(&c, 0, &fails, 3);
    for (unsigned w = 0; w < WARPS; w++) {
        assert_false(slot_bypasses(&c, 0, w, c.cycle + FOUND));
    }
    assert_int_equal(mdb_generator_limit(mdb_of_core(&c, 0)->generator, c.cycle + FOUND).limit, 1);
}

/* Stores, atomics and uncached loads neither count nor enter the tags. */
TEST(mdb6_loads_count_alone) {
    CORES(c, MDB_BYPASS_LOCAL);
    start_core_cta(&c, 0, 0, 1);
    struct request others[] = {load_of_slot(0, 1), load_of_slot(0, 1), load_of_slot(0, 1)};
    others[0].kind = REQUEST_WRITE;
    others[1].kind = REQUEST_ATOMIC;
    others[2].uncached = true;
    for (unsigned i = 0; i < 3; i++) {
        take_load(&c, 0, others[i], 0, false);
    }
    assert_int_equal(mdb_of_core(&c, 0)->generator->stats.accesses, 0);
    take_load(&c, 0, load_of_slot(0, 1), 0, false);
    assert_int_equal(mdb_of_core(&c, 0)->generator->stats.accesses, 1);
}

/* Failures of a store count with the next load, however they are counted. */
TEST(mdb5_failures_are_those_since_the_last_load_or_its_own_refusal) {
    static const unsigned expected[] = {
        [MDB_FAILURES_CYCLE] = 5 + INTERVAL - 1, [MDB_FAILURES_ACCESS] = INTERVAL};
    for (unsigned failures = 0; failures < 2; failures++) {
        CLOSED_BY(close_policies) struct policy_bench c = {.config = config_of(MDB_BYPASS_LOCAL)};
        c.config.mdb.failures = failures;
        open_cores(&c);
        start_core_cta(&c, 0, 0, 1);
        struct request store = load_of_slot(0, 1);
        store.kind = REQUEST_WRITE;
        take_load(&c, 0, store, 5, true);
        take_load(&c, 0, load_of_slot(0, 1), 5, false);
        for (unsigned i = 1; i < INTERVAL; i++) {
            take_load(&c, 0, load_of_slot(0, 1), 5 + i, true);
        }
        const struct bpg *block = mdb_of_core(&c, 0)->generator->block.self;
        assert_int_equal(block->base_fails, expected[failures]);
    }
}

/* The level is that of an interval's first load; another one than before begins anew. */
TEST(mdb5_a_change_of_level_begins_anew) {
    CORES(c, MDB_BYPASS_LOCAL);
    uint64_t fails = 0;
    start_core_cta(&c, 0, 0, 1);
    take_interval(&c, 0, &fails, 3);
    c.cycle += FOUND;
    assert_true(slot_bypasses(&c, 0, 1, c.cycle));
    start_core_cta(&c, 0, 1, 1);
    assert_true(slot_bypasses(&c, 0, 1, c.cycle)); /* still by warps */
    take_load(&c, 0, load_of_slot(0, 1), fails, false);
    for (unsigned w = 0; w < 2 * WARPS; w++) {
        assert_false(slot_bypasses(&c, 0, w, c.cycle + 1)); /* all use the L1 */
    }
    assert_int_equal(mdb_of_core(&c, 0)->generator->stats.level_changes, 1);
    assert_int_equal(mdb_of_core(&c, 0)->generator->stats.accesses, INTERVAL);
    take_interval(&c, 0, &fails, 3);
    c.cycle += FOUND;
    for (unsigned w = 0; w < 2 * WARPS; w++) {
        assert_int_equal(slot_bypasses(&c, 0, w, c.cycle), w >= WARPS); /* the second CTA */
    }
    stop_core_cta(&c, 0, 0);
    assert_true(slot_bypasses(&c, 0, WARPS, c.cycle)); /* until an interval begins */
}

/* A lone CTA in slot 3 goes by its warps. */
TEST(mdb6_a_lone_cta_goes_by_its_warps_whatever_its_slot) {
    CORES(c, MDB_BYPASS_LOCAL);
    uint64_t fails = 0;
    start_core_cta(&c, 0, 3, 1);
    for (unsigned i = 0; i < INTERVAL; i++) {
        take_load(&c, 0, load_of_slot(3 * WARPS, 1), fails += 3, true);
    }
    c.cycle += FOUND;
    assert_false(slot_bypasses(&c, 0, 3 * WARPS, c.cycle));
    assert_true(slot_bypasses(&c, 0, 3 * WARPS + 1, c.cycle));
}

TEST(history_survives_a_launch_of_the_same_kernel) {
    static const struct {
        unsigned at_launch;
        uint32_t kernel;
        bool kept;
    } rows[] = {{MDB_AT_LAUNCH_KERNEL, 1, true},
                {MDB_AT_LAUNCH_KERNEL, 2, false},
                {MDB_AT_LAUNCH_CLEAR, 1, false},
                {MDB_AT_LAUNCH_KEEP, 2, true}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        CLOSED_BY(close_policies) struct policy_bench c = {.config = config_of(MDB_BYPASS_LOCAL)};
        c.config.mdb.at_launch = rows[i].at_launch;
        open_cores(&c);
        uint64_t fails = 0;
        start_core_cta(&c, 0, 0, 1);
        take_interval(&c, 0, &fails, 3);
        stop_core_cta(&c, 0, 0);
        c.cycle += FOUND;
        start_core_cta(&c, 0, 0, 1); /* one more of the same launch */
        assert_true(slot_bypasses(&c, 0, 1, c.cycle + 1));
        stop_core_cta(&c, 0, 0);
        launch_on_cores(&c);
        assert_true(slot_bypasses(&c, 0, 1, c.cycle + 1)); /* it may get no CTA of it */
        c.cycle += 2;                                      /* the look ahead has passed */
        start_core_cta(&c, 0, 0, rows[i].kernel);
        assert_int_equal(slot_bypasses(&c, 0, 1, c.cycle + 1), rows[i].kept);
    }
}

/* Local memory stays with the L1, and counts as if the first warp asked. */
TEST(mdb_local_loads_enter_all_calculators) {
    CORES(c, MDB_BYPASS_LOCAL);
    start_core_cta(&c, 0, 0, 1);
    struct request r = load_of_slot(3, 8); /* in the second sampled set */
    r.local_space = true;
    for (unsigned i = 0; i < INTERVAL; i++) {
        take_load(&c, 0, r, 0, false);
    }
    c.cycle += SHADOW_TAGS_LATENCY + 1;
    (void)mdb_generator_limit(mdb_of_core(&c, 0)->generator, c.cycle);
    const struct bpg *block = mdb_of_core(&c, 0)->generator->block.self;
    for (unsigned i = 0; i < BPG_CALCULATORS_MAX; i++) {
        assert_int_equal(block->hits[i], (INTERVAL - 1) / 2);
    }
}

/* The level comes with the limit, whichever the core would count itself. */
TEST(mdb6_a_core_applies_the_level_that_it_is_told) {
    for (unsigned watched = 0; watched < 2; watched++) {
        CLOSED_BY(close_policies) struct policy_bench c = {.config = config_of(MDB_BYPASS_GLOBAL)};
        c.config.mdb.watched = watched;
        c.config.mdb.broadcast = 0;
        open_cores(&c);
        uint64_t fails = 0;
        start_core_cta(&c, watched, 0, 1); /* one CTA: by warps */
        start_core_cta(&c, 1 - watched, 0, 1);
        start_core_cta(&c, 1 - watched, 1, 1); /* two */
        take_interval(&c, watched, &fails, 3);
        c.cycle += FOUND;
        for (unsigned w = 0; w < 2 * WARPS; w++) {
            assert_int_equal(slot_bypasses(&c, 1 - watched, w, c.cycle), w % WARPS >= 1);
        }
        start_core_cta(&c, watched, 1, 1); /* two there, and one here */
        stop_core_cta(&c, 1 - watched, 0);
        take_load(&c, watched, load_of_slot(0, 1), fails, false); /* a change of level */
        take_interval(&c, watched, &fails, 3);
        c.cycle += FOUND;
        for (unsigned w = WARPS; w < 2 * WARPS; w++) {
            assert_true(slot_bypasses(&c, 1 - watched, w, c.cycle)); /* all of the CTA in slot 1 */
        }
    }
}

/* More limits than are kept: the last ones are right. */
TEST(limits_that_are_kept_go_round) {
    CLOSED_BY(close_policies) struct policy_bench c = {.config = config_of(MDB_BYPASS_GLOBAL)};
    c.config.mdb.broadcast = 100;
    open_cores(&c);
    uint64_t fails = 0, found = 0;
    start_core_cta(&c, 0, 0, 1);
    start_core_cta(&c, 1, 0, 1);
    for (unsigned i = 0; i < 3 * MDB_TOLD_MAX; i++) {
        take_interval(&c, 0, &fails, i % 16 < 8 ? 3 : 0); /* one warp; all, as history fades */
        found = c.cycle + FOUND;
        c.cycle = found;
        assert_int_equal(mdb_generator_limit(mdb_of_core(&c, 0)->generator, found).at, found);
        struct mdb_told before = mdb_generator_limit(mdb_of_core(&c, 0)->generator, found - 1);
        assert_int_equal(before.at, i ? found - INTERVAL - FOUND : 0);
        if (i % 16 == 7) {
            assert_true(slot_bypasses(&c, 1, 1, found + 99));
        }
    }
}

/* --- made-up patterns in an L1 of 32 sets and 4 ways --- */

enum { LINES = 32, LOADS = 1024 };

/* A core with one CTA of so many warps; its interval has LOADS loads. */
static void open_core_of_warps(struct policy_bench *c, unsigned warps) {
    *c = (struct policy_bench){.config = config_of(MDB_BYPASS_LOCAL)};
    c->config.mdb.interval = LOADS;
    open_cores(c);
    assert_int_equal(c->config.l1.sets, LINES);
    assert_int_equal(c->config.l1.ways, 4);
    start_cta_of_warps(c, 0, 0, 1, warps);
}

/* Loads of an interval by warps in turn, each from its first to its last of LINES lines, one a set;
 * all from the same lines, or each from its own. The L1 refuses the first few once. Return: the
 * limit that it leads to. */
static unsigned limit_after_rounds(struct policy_bench *c, unsigned first, unsigned warps,
                                   bool own_lines, unsigned refused) {
    for (unsigned i = 0; i < LOADS; i++) {
        unsigned warp = first + i % warps, line = i / warps % LINES;
        take_load(c, 0, load_of_slot(warp, own_lines ? warp * LINES + line : line), 0, i < refused);
    }
    c->cycle += FOUND;
    return mdb_generator_limit(mdb_of_core(c, 0)->generator, c->cycle).limit;
}

/* Asserts the hits of each array after an interval, whose end has halved them. */
static void assert_shadow_hits(const struct policy_bench *c,
                               const unsigned expected[BPG_CALCULATORS_MAX]) {
    const struct bpg *block = mdb_of_core(c, 0)->generator->block.self;
    for (unsigned i = 0; i < BPG_CALCULATORS_MAX; i++) {
        assert_int_equal(block->hits[i], expected[i]);
    }
}

/* Asserts that the first so many warps of a CTA use the L1, and all others go round it. */
static void assert_users_of_l1(struct policy_bench *c, unsigned warps, unsigned users) {
    for (unsigned w = 0; w < warps; w++) {
        assert_int_equal(slot_bypasses(c, 0, w, c->cycle), w >= users);
    }
}

/* Four warps of 32 lines fill 128 lines; a fifth evicts each line before its next use. A round has
 * four sampled lines a warp; the first of four rounds misses. */
TEST(mdb5_four_of_eight_warps_whose_lines_fill_the_l1) {
    CLOSED_BY(close_policies) struct policy_bench c;
    open_core_of_warps(&c, 8);
    assert_int_equal(limit_after_rounds(&c, 0, 8, true, 0), 4);
    assert_shadow_hits(&c, (unsigned[]){12 / 2, 24 / 2, 36 / 2, 48 / 2, 0, 0, 0, 0});
    assert_users_of_l1(&c, 8, 4);
}

/* Warps that work apart, then on the lines of the first, then apart again. Hits by hand: where all
 * hit, an interval adds 16 a warp. The arrays of five and more warps have lost the first warp's
 * four lines as the second phase begins; in the third, these four are all that they hit. */
TEST(mdb5_limits_follow_a_change_of_phase) {
    CLOSED_BY(close_policies) struct policy_bench c;
    open_core_of_warps(&c, 8);
    assert_int_equal(limit_after_rounds(&c, 0, 8, true, 0), 4);
    assert_int_equal(limit_after_rounds(&c, 0, 8, false, 0), 8);
    assert_shadow_hits(&c, (unsigned[]){(6 + 16) / 2, (12 + 32) / 2, (18 + 48) / 2, (24 + 64) / 2,
                                        76 / 2, 92 / 2, 108 / 2, 124 / 2});
    assert_int_equal(limit_after_rounds(&c, 0, 8, true, 0), 4);
    assert_shadow_hits(&c, (unsigned[]){(11 + 16) / 2, (22 + 32) / 2, (33 + 48) / 2, (44 + 64) / 2,
                                        (38 + 4) / 2, (46 + 4) / 2, (54 + 4) / 2, (62 + 4) / 2});
}

/* The sixth warp alone works: the arrays of six and more warps have the same hits, those of fewer
 * none. Without failures all use the L1; with some the fewest do that have the hits. */
TEST(mdb5_all_loads_of_one_warp) {
    for (unsigned refused = 0; refused <= 24; refused += 24) {
        CLOSED_BY(close_policies) struct policy_bench c;
        open_core_of_warps(&c, 8);
        assert_int_equal(limit_after_rounds(&c, 5, 1, true, refused), refused ? 6 : 8);
        assert_shadow_hits(&c, (unsigned[]){0, 0, 0, 0, 0, 124 / 2, 124 / 2, 124 / 2});
    }
}

/* Warps beyond the eighth are in no array, and bypass as soon as any warp does. Two rounds. */
TEST(mdb6_sixteen_warps_in_a_cta) {
    CLOSED_BY(close_policies) struct policy_bench c;
    open_core_of_warps(&c, 16);
    assert_int_equal(limit_after_rounds(&c, 0, 16, true, 0), 4);
    assert_shadow_hits(&c, (unsigned[]){4 / 2, 8 / 2, 12 / 2, 16 / 2, 0, 0, 0, 0});
    assert_users_of_l1(&c, 16, 4);
    assert_int_equal(limit_after_rounds(&c, 0, 16, false, 0), 8);
    assert_users_of_l1(&c, 16, 16);
}

TEST(mdb6_a_launch_that_the_watched_core_does_not_see_is_counted) {
    CORES(c, MDB_BYPASS_GLOBAL);
    for (unsigned launch = 0; launch < 3; launch++) {
        launch_on_cores(&c);
        start_core_cta(&c, launch == 1 ? 0 : 1, launch, 1); /* the first core is watched */
        for (unsigned core = 0; core < POLICY_CORES; core++) {
            tell_core(&c, core, (struct l1_policy_event){.kind = L1_POLICY_LAUNCH_ENDED});
        }
    }
    assert_int_equal(mdb_of_core(&c, 0)->unwatched, 2);
    assert_int_equal(mdb_of_core(&c, 1)->unwatched, 0);
}
