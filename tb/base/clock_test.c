/* SPDX-License-Identifier: Apache-2.0
 *
 * Clock domains: exact periods, and each unit evaluated at the edges it was woken for, at no
 * others.
 */
#include "base/seeded.h"

#include <string.h>

#include "base/clock.h"
#include "base/request.h"

TEST(the_periods_of_a_fermi_are_exact) {
    /* 575000 = 2^3 5^5 23, 1150000 = 2^4 5^5 23, 750000 = 2^4 3 5^6: the least common multiple is
     * 2^4 3 5^6 23. */
    static const unsigned khz[] = {575000, 1150000, 575000, 750000};
    uint64_t period[4];
    assert_true(clock_periods(khz, 4, period));
    for (unsigned i = 0; i < 4; i++) {
        assert_true(period[i] * khz[i] == UINT64_C(16) * 3 * 15625 * 23);
    }
    assert_true(period[0] == 30 && period[1] == 15 && period[2] == 30 && period[3] == 23);
}

TEST(equal_clocks_have_a_period_of_one) {
    static const unsigned khz[] = {1000000, 1000000, 1000000, 1000000};
    uint64_t period[4];
    assert_true(clock_periods(khz, 4, period));
    for (unsigned i = 0; i < 4; i++) {
        assert_true(period[i] == 1);
    }
}

TEST(a_common_multiple_fits_up_to_2_to_the_40) {
    uint64_t period[3];
    const unsigned just[] = {1 << 20, 1 << 10, (1 << 20) - 1}, power[] = {1 << 20, (1 << 20) + 1};
    assert_true(clock_periods(just, 3, period));
    assert_true(period[0] == (1 << 20) - 1 && period[1] == ((1 << 20) - 1) * UINT64_C(1024) &&
                period[2] == 1 << 20);
    assert_false(clock_periods(power, 2, period));
}

TEST(coprime_clocks_do_not_fit) {
    static const unsigned primes[] = {9999991, 9999973, 9999971, 9999943};
    uint64_t period[4];
    assert_false(clock_periods(primes, 4, period));
}

TEST(the_first_edge_is_at_one_period) {
    struct clock_domain d;
    clock_domain_init(&d, 30, 3);
    assert_true(d.edge == 30 && d.cycle == 1 && d.next == NEVER && d.all == 7);
    clock_domain_init(&d, 1, 64);
    assert_true(d.all == ~UINT64_C(0));
}

TEST(a_wake_is_for_the_first_edge_after_now) {
    struct clock_domain d;
    static const struct {
        uint64_t now, edge;
    } cases[] = {{0, 30}, {29, 30}, {30, 60}, {31, 60}, {3000, 3030}, {3001, 3030}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        clock_domain_init(&d, 30, 4);
        clock_wake(&d, 2, cases[i].now);
        assert_true(d.next == cases[i].edge);
        assert_true(clock_take(&d, d.next) == 1 << 2);
        assert_true(d.next == NEVER && d.cycle == cases[i].edge / 30 + 1 &&
                    d.edge == cases[i].edge + 30);
    }
}

TEST(a_wish_is_for_the_first_edge_at_or_after_its_time) {
    struct clock_domain d;
    static const struct {
        uint64_t now, at, edge;
    } cases[] = {{0, 1, 30},           {0, 30, 30},
                 {0, 31, 60},          {0, 60, 60},
                 {0, 61, 90},          {30, 30, 60},
                 {30, 0, 60},          {100, 7680, 7680},
                 {0, 7681 - 30, 7680}, {7, 255 * 30, 255 * 30}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        clock_domain_init(&d, 30, 4);
        clock_wake_at(&d, 1, cases[i].now, cases[i].at);
        while (d.next < cases[i].edge) { /* beyond the window it may look in between */
            assert_true(clock_take(&d, d.next) == 0);
        }
        assert_true(d.next == cases[i].edge);
        assert_true(clock_take(&d, d.next) == 1 << 1);
    }
}

TEST(a_wish_can_be_any_number_of_edges_ahead) {
    enum { PERIOD = 23 };
    static const uint64_t edges[] = {1, 2, 63, 64, 65, 255, 256, 257, 1000, 1000000};
    for (unsigned i = 0; i < sizeof edges / sizeof *edges; i++) {
        struct clock_domain d;
        uint64_t now = 0;
        clock_domain_init(&d, PERIOD, 1);
        clock_wake_at(&d, 0, 0, edges[i] * PERIOD);
        while (
            now <
            edges[i] *
                PERIOD) { /* an implementation may look in between, if the unit is not evaluated */
            assert_true(d.next > now && d.next <= edges[i] * PERIOD);
            now = d.next;
            uint64_t units = clock_take(&d, now);
            assert_true(units == (now == edges[i] * PERIOD));
            assert_true(d.cycle - 1 == now / PERIOD);
        }
        clock_evaluated(&d, 0, NEVER);
        assert_true(d.next == NEVER);
    }
}

TEST(a_time_is_rounded_up_to_whole_periods_exactly) {
    static const uint64_t periods[] = {1, 2, 3, 7, 23, 30, 641, 65535, 65536, 65537, 1u << 30};
    struct rng rng = seeded_rng(7);
    for (unsigned i = 0; i < sizeof periods / sizeof *periods; i++) {
        struct clock_domain d;
        uint64_t p = periods[i];
        clock_domain_init(&d, p, 1);
        for (unsigned k = 0; k < 100000; k++) {
            uint64_t time = rng_next(&rng) >> (20 + rng_below(&rng, 44));
            uint64_t multiple = time / p * p;
            assert_true(clock_periods_in(&d, time) == (time + p - 1) / p);
            assert_true(clock_periods_in(&d, multiple) == time / p);
            assert_true(clock_periods_in(&d, multiple + 1) == (multiple + p) / p);
        }
    }
}

TEST(an_evaluation_replaces_wishes_but_not_wakes) {
    struct clock_domain d;
    clock_domain_init(&d, 10, 2);
    clock_wake(&d, 0, 0);
    clock_wake_at(&d, 0, 0, 500);
    assert_true(clock_take(&d, 10) == 1);
    clock_wake(&d, 1, 10); /* by a neighbour, at the same time */
    clock_evaluated(&d, 0, 300);
    assert_true(d.next == 20 && clock_take(&d, 20) == 2);
    clock_evaluated(&d, 1, NEVER);
    assert_true(d.next == 300 && clock_take(&d, 300) == 1);
    clock_wake(&d, 0, 300);
    clock_evaluated(&d, 0, NEVER);
    assert_true(d.next == 310 && clock_take(&d, 310) == 1);
}

TEST(never_asks_for_nothing) {
    struct clock_domain d;
    clock_domain_init(&d, 5, 1);
    clock_wake(&d, 0, 0);
    clock_take(&d, 5);
    clock_evaluated(&d, 0, NEVER);
    assert_true(d.next == NEVER && d.asked == 0 && d.soon == 0);
}

/*
 * The reference: sets of (unit, time). A unit must be evaluated at the times it or others asked for
 * since its last evaluation, and for the next edge when somebody woke it. It may be evaluated at
 * times that an evaluation replaced.
 */
enum { DOMAINS = 3, UNITS = 5, TIMES = 512 };

struct times {
    uint64_t time[TIMES];
    unsigned count;
};

struct naive {
    uint64_t period;
    struct times must[UNITS], may[UNITS];
    uint64_t woken[UNITS]; /* edge for which the unit was woken */
};

static void times_add(struct times *t, uint64_t time) {
    assert_true(t->count < TIMES);
    t->time[t->count++] = time;
}

/* Drops the times up to @now. Return: whether @now was one of them. */
static bool times_drop(struct times *t, uint64_t now) {
    bool found = false;
    for (unsigned i = 0; i < t->count; i++) {
        if (t->time[i] <= now) {
            found |= t->time[i] == now;
            t->time[i--] = t->time[--t->count];
        }
    }
    return found;
}

static void naive_ask(struct naive *n, unsigned unit, uint64_t now, uint64_t at) {
    uint64_t first = (now / n->period + 1) * n->period;
    uint64_t edge = (at + n->period - 1) / n->period * n->period;
    times_add(&n->must[unit], edge > first ? edge : first);
    if (edge <= first) {
        n->woken[unit] = first;
    }
}

static void naive_evaluated(struct naive *n, unsigned unit, uint64_t now, uint64_t at) {
    for (unsigned i = 0; i < n->must[unit].count; i++) {
        times_add(&n->may[unit], n->must[unit].time[i]);
    }
    n->must[unit].count = 0;
    if (n->woken[unit] > now) {
        times_add(&n->must[unit], n->woken[unit]);
    }
    if (at != NEVER) {
        naive_ask(n, unit, now, at);
    }
}

static uint64_t naive_next(const struct naive *n) {
    uint64_t next = NEVER;
    for (unsigned u = 0; u < UNITS; u++) {
        for (unsigned i = 0; i < n->must[u].count; i++) {
            next = n->must[u].time[i] < next ? n->must[u].time[i] : next;
        }
    }
    return next;
}

/* One evaluated unit: wakes units of any domain, before or after it says when it wants to be
 * evaluated next. */
static void evaluate_one_unit(struct rng *rng, struct clock_domain *d, struct naive *n,
                              unsigned domain, unsigned unit, uint64_t now) {
    unsigned far = rng_chance(rng, 1, 10) ? 400 : rng_chance(rng, 1, 3) ? 60 : 3;
    uint64_t own =
        rng_chance(rng, 2, 5) ? now + rng_below(rng, far * (unsigned)d[domain].period) : NEVER;
    bool first = rng_chance(rng, 1, 2);
    if (first) {
        clock_evaluated(&d[domain], unit, own);
        naive_evaluated(&n[domain], unit, now, own);
    }
    while (rng_chance(rng, 3, 8)) {
        unsigned other = rng_below(rng, DOMAINS), whom = rng_below(rng, UNITS);
        uint64_t at =
            rng_chance(rng, 1, 2) ? 0 : now + rng_below(rng, far * (unsigned)d[other].period);
        if (at) {
            clock_wake_at(&d[other], whom, now, at);
        } else {
            clock_wake(&d[other], whom, now);
        }
        naive_ask(&n[other], whom, now, at);
    }
    if (!first) {
        clock_evaluated(&d[domain], unit, own);
        naive_evaluated(&n[domain], unit, now, own);
    }
}

static uint64_t take_units_due(struct rng *rng, struct clock_domain *d, struct naive *n,
                               uint64_t now) {
    /* Polling takes an edge at which nobody is due, too. */
    bool polled = d->edge == now && rng_chance(rng, 1, 8);
    uint64_t units = d->next == now || polled ? clock_take(d, now) : 0;
    assert_true(!units || d->cycle - 1 == now / d->period);
    for (unsigned u = 0; u < UNITS; u++) {
        bool must = times_drop(&n->must[u], now), may = times_drop(&n->may[u], now);
        assert_true(units >> u & 1 ? must || may : !must);
    }
    return units;
}

TEST(random_wakes_agree_with_a_set_of_times) {
    static const uint64_t periods[][DOMAINS] = {{30, 15, 23}, {1, 1, 1}, {7, 1000, 13}, {2, 3, 5}};
    static struct naive n[DOMAINS];
    for (unsigned p = 0; p < sizeof periods / sizeof *periods; p++) {
        struct rng rng = seeded_rng(p);
        struct clock_domain d[DOMAINS];
        uint64_t now = 0, slept = 0, evaluated = 0;
        memset(n, 0, sizeof n);
        for (unsigned i = 0; i < DOMAINS; i++) {
            clock_domain_init(&d[i], periods[p][i], UNITS);
            n[i].period = periods[p][i];
        }
        while (evaluated < 200000) {
            uint64_t next = NEVER, units[DOMAINS];
            for (unsigned i = 0; i < DOMAINS; i++) {
                assert_true(d[i].next > now && d[i].next <= naive_next(&n[i]));
                next = d[i].next < next ? d[i].next : next;
            }
            if (next == NEVER) { /* all asleep: somebody from outside, after any time */
                unsigned i = rng_below(&rng, DOMAINS), unit = rng_below(&rng, UNITS);
                now += rng_below(&rng, 100000);
                clock_wake(&d[i], unit, now);
                naive_ask(&n[i], unit, now, 0);
                slept++;
                continue;
            }
            now = next;
            for (unsigned i = 0; i < DOMAINS; i++) {
                units[i] = take_units_due(&rng, &d[i], &n[i], now);
            }
            for (unsigned i = 0; i < DOMAINS; i++) {
                for (; units[i]; units[i] &= units[i] - 1) {
                    evaluate_one_unit(&rng, d, n, i, (unsigned)__builtin_ctzll(units[i]), now);
                    evaluated++;
                }
            }
        }
        assert_true(slept > 100);
    }
}
