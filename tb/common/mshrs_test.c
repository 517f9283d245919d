/* SPDX-License-Identifier: Apache-2.0 */
#include "common/bench.h"
#include "common/mshrs.h"
#include "cosim/block_test.h"

static const struct mshrs_params *mshrs_params_of(const struct bench *b) {
    return (const struct mshrs_params *)b->pair.ports.params;
}

static uint64_t name_of(const struct bench *b, unsigned number) {
    return number & ((UINT64_C(1) << (mshrs_params_of(b)->TAG_BITS - 1)) * 2 - 1);
}

/* A request for a new line in this cycle; its entry. */
static unsigned drive_new(struct bench *b, unsigned number) {
    struct mshrs_in *in = b->pair.in;
    const struct mshrs_out *out = b->pair.c_out;
    in->put_valid = true;
    in->put_tag = number;
    bench_comb(b);
    assert_true(out->put_ready && out->new_valid);
    return out->new_entry;
}

static unsigned take_entry(struct bench *b, unsigned number) {
    unsigned entry = drive_new(b, number);
    bench_edge(b);
    return entry;
}

static void merge_into(struct bench *b, unsigned entry, unsigned number) {
    struct mshrs_in *in = b->pair.in;
    const struct mshrs_out *out = b->pair.c_out;
    in->put_valid = in->put_merge = true;
    in->put_entry = (uint8_t)entry;
    in->put_tag = number;
    bench_comb(b);
    assert_true(out->put_ready);
    bench_edge(b);
}

static void drive_fill(struct bench *b, unsigned entry) {
    struct mshrs_in *in = b->pair.in;
    in->fill_valid = true;
    in->fill_entry = (uint8_t)entry;
}

static void fill_entry(struct bench *b, unsigned entry) {
    drive_fill(b, entry);
    bench_edge(b);
}

static void assert_nothing_wakes(struct bench *b) {
    bench_comb(b);
    assert_false(((const struct mshrs_out *)b->pair.c_out)->wake_valid);
}

/* Drives the wake of the offered request, which is this one; the edge is still to come. */
static void drive_wake(struct bench *b, unsigned entry, unsigned number, bool last) {
    const struct mshrs_out *out = b->pair.c_out;
    ((struct mshrs_in *)b->pair.in)->wake_ready = true;
    bench_comb(b);
    assert_true(out->wake_valid && out->wake_entry == entry && out->wake_last == last);
    assert_true(out->wake_tag == name_of(b, number));
}

static void wake_offered(struct bench *b, unsigned entry, unsigned number, bool last) {
    drive_wake(b, entry, number, last);
    bench_edge(b);
}

static unsigned free_count(struct bench *b) {
    bench_comb(b);
    return ((const struct mshrs_out *)b->pair.c_out)->free_count;
}

SET_TEST(test_requests_of_a_line_wake_in_their_order_from_the_cycle_after_its_fill) {
    const unsigned merge = mshrs_params_of(b)->MERGE;
    unsigned entry = take_entry(b, 1);
    for (unsigned i = 1; i < merge; i++) {
        merge_into(b, entry, 1 + i);
    }
    assert_nothing_wakes(b);
    fill_entry(b, entry);
    assert_int_equal(free_count(b), mshrs_params_of(b)->ENTRIES - 1);
    for (unsigned i = 0; i < merge; i++) {
        wake_offered(b, entry, 1 + i, i + 1 == merge);
    }
    assert_nothing_wakes(b);
    assert_int_equal(free_count(b), mshrs_params_of(b)->ENTRIES);
}

SET_TEST(test_entries_wake_in_the_order_of_their_fills) {
    unsigned first = take_entry(b, 1), second = take_entry(b, 2);
    fill_entry(b, second);
    fill_entry(b, first);
    wake_offered(b, second, 2, true);
    wake_offered(b, first, 1, true);
}

SET_TEST(test_an_offered_request_waits_until_it_is_woken) {
    unsigned entry = take_entry(b, 3);
    fill_entry(b, entry);
    bench_idle(b, 3);
    wake_offered(b, entry, 3, true);
}

SET_TEST(test_the_lowest_free_entry_is_taken_also_one_that_this_cycle_frees) {
    const unsigned entries = mshrs_params_of(b)->ENTRIES;
    struct mshrs_in *in = b->pair.in;
    const struct mshrs_out *out = b->pair.c_out;
    for (unsigned i = 0; i < entries; i++) {
        assert_int_equal(take_entry(b, i), i);
    }
    in->put_valid = true;
    bench_comb(b);
    assert_false(out->put_ready || out->new_valid);
    bench_edge(b);
    fill_entry(b, entries - 1);
    drive_wake(b, entries - 1, entries - 1, true);
    assert_int_equal(drive_new(b, 7), entries - 1);
    bench_edge(b);
    assert_int_equal(free_count(b), 0);
    drive_fill(b, 1);
    in->fill_drop = true;
    assert_int_equal(drive_new(b, 8), 1);
    bench_edge(b);
    fill_entry(b, 1);
    wake_offered(b, 1, 8, true);
}

SET_TEST(test_a_dropped_fill_wakes_nobody) {
    unsigned entry = take_entry(b, 1);
    drive_fill(b, entry);
    ((struct mshrs_in *)b->pair.in)->fill_drop = true;
    bench_edge(b);
    assert_nothing_wakes(b);
    assert_int_equal(free_count(b), mshrs_params_of(b)->ENTRIES);
}

SET_TEST(test_a_skipped_first_request_is_not_woken) {
    if (mshrs_params_of(b)->MERGE == 1) {
        return;
    }
    unsigned entry = take_entry(b, 1), other = take_entry(b, 2);
    merge_into(b, entry, 3);
    fill_entry(b, other);
    drive_fill(b, entry);
    ((struct mshrs_in *)b->pair.in)->fill_skip = true;
    bench_edge(b);
    wake_offered(b, other, 2, true);
    wake_offered(b, entry, 3, true);
}

SET_TEST(test_a_full_entry_takes_no_more) {
    struct mshrs_in *in = b->pair.in;
    unsigned entry = take_entry(b, 0);
    for (unsigned i = 1; i < mshrs_params_of(b)->MERGE; i++) {
        merge_into(b, entry, i);
    }
    in->put_valid = in->put_merge = true;
    in->put_entry = (uint8_t)entry;
    bench_comb(b);
    assert_false(((const struct mshrs_out *)b->pair.c_out)->put_ready);
}

SET_TEST(test_reset_frees_all) {
    unsigned entry = take_entry(b, 1);
    fill_entry(b, entry);
    ((struct mshrs_in *)b->pair.in)->rst = true;
    (void)drive_new(b, 2);
    bench_edge(b);
    assert_nothing_wakes(b);
    assert_int_equal(free_count(b), mshrs_params_of(b)->ENTRIES);
    assert_int_equal(take_entry(b, 3), 0);
}

SET_TEST(test_mshrs_are_quiet_while_nothing_can_move) {
    struct mshrs_in *in = b->pair.in;
    assert_true(bench_quiet(b));
    in->put_valid = true;
    assert_false(bench_quiet(b));
    bench_edge(b);
    assert_true(bench_quiet(b));
    drive_fill(b, 0);
    assert_false(bench_quiet(b));
    bench_edge(b);
    assert_true(bench_quiet(b)); /* offered and not taken */
    in->wake_ready = true;
    assert_false(bench_quiet(b));
}

/* clang-format off */
#define MSHRS_POINTS(P) \
    P(TAKES_LAST_FREE,     "takes the last free entry") \
    P(REFUSED,             "refused because none is free") \
    P(TAKES_FREED,         "takes the entry that the wake frees, with none free before") \
    P(TAKES_DROPPED,       "takes the entry that a dropped fill frees, with none free before") \
    P(MERGES_LAST,         "the last request that an entry holds", p->MERGE == 1) \
    P(ENTRY_FULL,          "refused because the entry is full") \
    P(WAKES_AND_FILLS,     "wakes an entry's last as the only other one is filled") \
    P(FILL_BEHIND,         "a fill behind another") \
    P(ALL_FILLED,          "all entries filled") \
    P(SKIPS,               "a fill that skips the first", p->MERGE == 1) \
    P(SKIPS_TO_ONLY,       "of two requests", p->MERGE == 1) \
    P(WAKES_WHOLE,         "the last of a full entry is woken") \
    P(MERGE_BESIDE_FILL,   "a merge beside another entry's fill", p->MERGE == 1) \
    P(OFFER_WAITS,         "an offer waits") \
    P(RESET_AT_WORK,       "reset while something is offered and enters") \
    P(QUIET_OFFERED,       "quiet while something is offered")
/* clang-format on */

COVERAGE_POINTS(MSHRS_POINTS, struct mshrs_params)

struct mshrs_stimulus {
    unsigned left, put, merge, fill, wake; /* cycles of this phase; chances in 16 */
};

static uint64_t filled_entries(const struct mshr_file *m) {
    uint64_t filled = 0;
    for (unsigned i = 0; i < m->ready_count; i++) {
        filled |= UINT64_C(1) << m->ready[(m->ready_head + i) % m->entries];
    }
    return filled;
}

/* One of the marked numbers, of which there is one. */
static uint8_t pick_marked(struct rng *rng, uint64_t marks) {
    unsigned which = rng_below(rng, (uint32_t)__builtin_popcountll(marks));
    while (which--) {
        marks &= marks - 1;
    }
    return (uint8_t)__builtin_ctzll(marks);
}

static void mshrs_early_inputs(void *self, const struct lockstep_now *now, void *input) {
    static const unsigned often[] = {0, 1, 4, 8, 15, 16};
    struct mshrs_stimulus *st = self;
    const struct mshrs_params *p = now->params;
    const struct mshr_file *m = &((const struct mshrs *)now->state)->file;
    struct mshrs_in *in = input;
    if (st->left-- == 0) {
        st->left = rng_below(now->rng, 6 * p->ENTRIES + 20);
        st->put = often[rng_below(now->rng, 6)];
        st->merge = often[rng_below(now->rng, 6)];
        st->fill = often[rng_below(now->rng, 6)];
        st->wake = often[rng_below(now->rng, 6)];
    }
    uint64_t all = p->ENTRIES == 64 ? ~UINT64_C(0) : (UINT64_C(1) << p->ENTRIES) - 1;
    uint64_t pending = all & ~m->free & ~filled_entries(m);
    in->rst = rng_chance(now->rng, 1, 3000);
    in->fill_valid = in->put_merge = false;
    in->wake_ready = rng_chance(now->rng, st->wake, 16);
    if (pending && rng_chance(now->rng, st->fill, 16)) {
        in->fill_valid = true;
        in->fill_entry = pick_marked(now->rng, pending);
        in->fill_drop = rng_chance(now->rng, 1, 6);
        in->fill_skip = m->waiting[in->fill_entry] > 1 && rng_chance(now->rng, 1, 4);
        pending &= ~(UINT64_C(1) << in->fill_entry);
    }
    in->put_valid = rng_chance(now->rng, st->put, 16);
    if (in->put_valid && pending && rng_chance(now->rng, st->merge, 16)) {
        in->put_merge = true; /* of two, into the fuller one: entries become full */
        uint8_t one = pick_marked(now->rng, pending), two = pick_marked(now->rng, pending);
        in->put_entry = m->waiting[one] > m->waiting[two] ? one : two;
    }
    in->put_tag = rng_next(now->rng);
}

static void mshrs_count_points(void *self, const struct lockstep_now *now, const void *input,
                               const void *output, uint64_t *counts) {
    const struct mshrs_params *p = now->params;
    const struct mshr_file *m = &((const struct mshrs *)now->state)->file;
    const struct mshrs_in *in = input;
    const struct mshrs_out *out = output;
    (void)self;
    bool wakes = out->wake_valid && in->wake_ready, puts = in->put_valid && out->put_ready;
    bool takes = puts && !in->put_merge;
    counts[RESET_AT_WORK] += in->rst && out->wake_valid && puts;
    if (in->rst) {
        return;
    }
    counts[TAKES_LAST_FREE] += takes && m->free_count == 1 && !wakes && !in->fill_valid;
    counts[REFUSED] += in->put_valid && !in->put_merge && !out->put_ready;
    counts[TAKES_FREED] +=
        takes && !m->free_count && wakes && out->wake_last && out->new_entry == out->wake_entry;
    counts[TAKES_DROPPED] += takes && !m->free_count && in->fill_valid && in->fill_drop &&
                             out->new_entry == in->fill_entry;
    counts[MERGES_LAST] += puts && in->put_merge && m->waiting[in->put_entry] + 1u == p->MERGE;
    counts[ENTRY_FULL] += in->put_valid && in->put_merge && !out->put_ready;
    counts[WAKES_AND_FILLS] +=
        wakes && out->wake_last && m->ready_count == 1 && in->fill_valid && !in->fill_drop;
    counts[FILL_BEHIND] +=
        in->fill_valid && !in->fill_drop && m->ready_count > (wakes && out->wake_last);
    counts[ALL_FILLED] += m->ready_count == p->ENTRIES;
    bool skips = in->fill_valid && in->fill_skip && !in->fill_drop;
    counts[SKIPS] += skips;
    counts[SKIPS_TO_ONLY] += skips && m->waiting[in->fill_entry] == 2;
    counts[WAKES_WHOLE] += wakes && out->wake_last && m->waiting[out->wake_entry] == p->MERGE;
    counts[MERGE_BESIDE_FILL] += puts && in->put_merge && in->fill_valid;
    counts[OFFER_WAITS] += out->wake_valid && !in->wake_ready;
    counts[QUIET_OFFERED] += out->wake_valid && mshrs_quiet(now->state, in);
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct mshrs_stimulus),
    .points = points,
    .early = mshrs_early_inputs,
    .cover = mshrs_count_points,
    .unreachable = point_unreachable,
};
