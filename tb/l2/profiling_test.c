/* SPDX-License-Identifier: Apache-2.0
 *
 * MeDiC 4.1 and 4.2 in a partition: when a warp begins to bypass, and when it stops.
 */
#include "l2/warp_loads.h"
#include "l2/warp_type.h"

enum { STREAM = 1, REUSE, WARM, MIXED }; /* warps */
enum { PROFILE = 30, TABLE_LATENCY = 6 };

static struct config by_types(void) {
    struct config c = one_bank();
    c.l2.bypass = L2_BYPASS_WARP_TYPE;
    c.medic.period = 1000000;
    assert_int_equal(c.medic.profile, PROFILE);
    return c;
}

static void open_ready(struct warp_loads *l, const struct config *c) {
    open_loads(l, c);
    wait_for_counters(l, 0);
}

/* A line that nobody has asked for. */
static uint64_t new_line(const struct warp_loads *l) {
    return 1000000 + l->asked;
}

static void send_new(struct warp_loads *l, unsigned warp, unsigned requests) {
    for (unsigned i = 0; i < requests; i++) {
        load_one(l, 0, warp, new_line(l));
    }
    finish_loads(l);
}

/* A line that is there. */
static void send_again(struct warp_loads *l, unsigned warp, unsigned requests) {
    for (unsigned i = 0; i < requests; i++) {
        load_one(l, 0, warp, 0);
    }
    finish_loads(l);
}

TEST(test_4_1_the_first_30_accesses_never_bypass_and_what_follows_does) {
    const struct config c = by_types();
    struct warp_loads l;
    open_ready(&l, &c);
    for (unsigned i = 1; i <= 3 * PROFILE; i++) {
        assert_int_equal(load_bypasses(&l, STREAM, new_line(&l)), i > PROFILE);
    }
    assert_int_equal(partition_totals(&l.b).requests, PROFILE);
    assert_false(load_bypasses(&l, REUSE, 0)); /* another warp is another */
    close_partition_bench(&l.b);
}

/* The bank takes the 30th access at n; what enters the bypass block TABLE_LATENCY - 1 cycles later
 * is looked up a cycle too early. Both come through the port's pipeline, and the first then through
 * block and arbiter. */
TEST(the_type_counts_six_cycles_after_the_last_access_of_the_profile) {
    for (unsigned early = 0; early <= 1; early++) {
        const struct config c = by_types();
        const unsigned to_bank = 1 + c.l2.arbiter_latency; /* from the entry into the block */
        struct warp_loads l;
        open_ready(&l, &c);
        send_new(&l, STREAM, PROFILE - 1);
        load_one(&l, 0, STREAM, new_line(&l));
        for (unsigned i = 1; i < to_bank + TABLE_LATENCY - early; i++) {
            loads_tick(&l);
        }
        assert_int_equal(load_bypasses(&l, STREAM, new_line(&l)), !early);
        close_partition_bench(&l.b);
    }
}

/* Footnote 2. */
TEST(test_4_1_after_a_period_the_type_is_forgotten_and_measured_anew) {
    struct config c = by_types();
    c.medic.period = 100000;
    struct warp_loads l;
    open_ready(&l, &c);
    send_again(&l, WARM, 1);
    for (unsigned phase = 1; phase <= 2; phase++) {
        for (unsigned i = 0; i < PROFILE; i++) { /* its second profile is as the first */
            assert_false(load_bypasses(&l, STREAM, new_line(&l)));
        }
        for (unsigned i = 0; i < 10; i++) { /* it changes its ways, and that is not seen yet */
            assert_true(load_bypasses(&l, STREAM, 0));
        }
        assert_true(l.b.now < phase * c.medic.period);
        wait_for_counters(&l, phase * c.medic.period);
    }
    uint64_t hits = outcome_of_kind(&l.b, REQUEST_READ, L2_HIT);
    for (unsigned i = 1; i <= 2 * PROFILE; i++) { /* the third is not */
        assert_false(load_bypasses(&l, STREAM, 0));
    }
    assert_int_equal(outcome_of_kind(&l.b, REQUEST_READ, L2_HIT) - hits, 2 * PROFILE);
    close_partition_bench(&l.b);
}

/* A warp with 5 hits in 30: 16 %, below the boundary of 20 % but above one of 15 % and less.
 * Return: does it bypass then? @hits: requests that hit before it came; @period: and before the
 * counters were reset. */
static bool mixed_bypasses(unsigned boundary, unsigned hits, bool period) {
    struct config c = by_types();
    c.medic.boundary = boundary;
    c.medic.window = 4; /* 16 requests */
    c.medic.period = period ? 100000 : c.medic.period;
    struct warp_loads l;
    open_ready(&l, &c);
    send_again(&l, WARM, 1);
    send_again(&l, REUSE, hits);
    if (period) {
        assert_true(l.b.now < c.medic.period);
        wait_for_counters(&l, c.medic.period);
    }
    for (unsigned i = 0; i < PROFILE; i++) {
        assert_false(load_bypasses(&l, MIXED, i % 6 == 5 ? 0 : new_line(&l)));
    }
    bool does = load_bypasses(&l, MIXED, 0);
    assert_true(l.b.now < 2 * c.medic.period);
    close_partition_bench(&l.b);
    return does;
}

/* Footnote 3: what lowers the boundary is a rise of the miss rate, not a high one. */
TEST(test_4_2_the_boundary_falls_when_the_miss_rate_rises) {
    assert_true(mixed_bypasses(MEDIC_BOUNDARY_FIXED, 0, false));
    assert_true(mixed_bypasses(MEDIC_BOUNDARY_FIXED, 64, false));
    for (unsigned moves = MEDIC_BOUNDARY_MOVES; moves <= MEDIC_BOUNDARY_KEPT; moves++) {
        assert_true(mixed_bypasses(moves, 0, false));
        assert_false(mixed_bypasses(moves, 64, false));
    }
}

/* Footnotes 2 and 3: is the miss rate of the period before a reference for this one? */
TEST(test_4_2_a_rise_over_a_reset_counts_where_the_boundary_is_kept) {
    assert_true(mixed_bypasses(MEDIC_BOUNDARY_FIXED, 64, true));
    assert_true(mixed_bypasses(MEDIC_BOUNDARY_MOVES, 64, true));
    assert_false(mixed_bypasses(MEDIC_BOUNDARY_KEPT, 64, true));
    assert_true(mixed_bypasses(MEDIC_BOUNDARY_KEPT, 0, true));
}

/* A request of any kind, alone. */
static void send_kind(struct warp_loads *l, unsigned kind, unsigned warp, uint64_t local) {
    struct request r = {.line = l->asked++,
                        .local = local,
                        .kind = (uint8_t)kind,
                        .bytes = 32,
                        .warp = (uint16_t)warp,
                        .born = l->b.now};
    assert_true(l->asked < LOADS_MAX);
    ask_port(&l->b, 0, &r);
    finish_loads(l);
}

/* Half of its requests are writes, or atomics, and hit; its reads miss. By all of them it is
 * balanced, by what brings data it is so with atomics alone. */
TEST(test_4_1_a_hit_ratio_is_of_all_accesses_or_of_reads_and_atomics) {
    for (unsigned counts = 0; counts < 2; counts++) {
        for (unsigned kind = REQUEST_WRITE; kind <= REQUEST_ATOMIC; kind++) {
            struct config c = by_types();
            c.medic.counts = counts;
            struct warp_loads l;
            open_ready(&l, &c);
            send_again(&l, WARM, 1);
            bool of_reads = counts == MEDIC_COUNTS_READS && kind == REQUEST_WRITE;
            for (unsigned i = 0; i < PROFILE; i++) {
                send_kind(&l, kind, MIXED, 0);
                assert_false(load_bypasses(&l, MIXED, new_line(&l)));
            }
            assert_int_equal(outcome_of_kind(&l.b, kind, L2_HIT), PROFILE);
            assert_int_equal(load_bypasses(&l, MIXED, new_line(&l)), of_reads);
            close_partition_bench(&l.b);
        }
    }
}

/* So are the windows of the miss rate, with the bypasses: reads, and writes with medic.stores. */
TEST(test_4_2_the_miss_rate_is_of_all_requests_or_of_reads) {
    enum { MORE = 5 };
    for (unsigned counts = 0; counts < 2; counts++) {
        struct config c = by_types();
        c.medic.counts = counts;
        c.medic.stores = MEDIC_STORES_DIRECT;
        c.medic.boundary = MEDIC_BOUNDARY_MOVES;
        c.medic.window = 20; /* it does not end here */
        struct warp_loads l;
        open_ready(&l, &c);
        send_new(&l, STREAM, PROFILE);
        for (unsigned i = 0; i < MORE; i++) {
            assert_true(load_bypasses(&l, STREAM, new_line(&l)));
            send_kind(&l, REQUEST_WRITE, STREAM, 0); /* bypasses too */
            send_kind(&l, REQUEST_WRITE, WARM, 0);   /* goes to its bank */
        }
        assert_int_equal(partition_totals(&l.b).bypasses[REQUEST_WRITE], MORE);
        warp_table_settle(&l.b.table, l.b.l2.cycle + TABLE_LATENCY);
        const struct warp_type *block = l.b.table.block.self;
        unsigned counted = counts == MEDIC_COUNTS_ALL ? PROFILE + 3 * MORE : PROFILE + MORE;
        assert_int_equal(block->requests, counted);
        close_partition_bench(&l.b);
    }
}
