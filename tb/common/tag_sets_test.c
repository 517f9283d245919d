/* SPDX-License-Identifier: Apache-2.0 */
#include "common/bench.h"
#include "common/tag_sets.h"
#include "cosim/block_test.h"

static const struct tag_sets_params *tags_params_of(const struct bench *b) {
    return (const struct tag_sets_params *)b->pair.ports.params;
}

/* A line of set 0: the low bits are such that the index gives 0, whichever it is. */
static uint64_t line_of(const struct bench *b, unsigned number) {
    const struct tag_sets_params *p = tags_params_of(b);
    const uint64_t mask = (UINT64_C(1) << p->SET_BITS) - 1, tag = number + 1;
    const uint64_t hash = p->INDEX == 0   ? 0
                          : p->INDEX == 1 ? tag & mask
                                          : tag_fold(tag, p->SET_BITS) & mask;
    return tag << p->SET_BITS | hash;
}

/* The look-up of a line, which the cycle before has shown. */
static const struct tag_sets_out *look_up(struct bench *b, unsigned number, unsigned held) {
    struct tag_sets_in *in = b->pair.in;
    in->ahead_line = line_of(b, number);
    bench_edge(b);
    in->look = true;
    in->line = in->ahead_line = line_of(b, number);
    in->held = (uint16_t)held;
    bench_comb(b);
    return b->pair.c_out;
}

static struct tag_sets_in *drive_update(struct bench *b, unsigned way) {
    struct tag_sets_in *in = b->pair.in;
    in->update = true;
    in->update_way = (uint8_t)way;
    return in;
}

/* Gives the victim's way to a line that is in none; its way. */
static unsigned take_line(struct bench *b, unsigned number) {
    const struct tag_sets_out *out = look_up(b, number, 0);
    assert_true(!out->found && out->room);
    const unsigned way = out->victim;
    drive_update(b, way)->update_take = true;
    bench_edge(b);
    return way;
}

static void fill_set(struct bench *b) {
    for (unsigned i = 0; i < tags_params_of(b)->WAYS; i++) {
        assert_int_equal(take_line(b, i), i);
    }
}

static void touch_line(struct bench *b, unsigned number) {
    const struct tag_sets_out *out = look_up(b, number, 0);
    assert_true(out->found);
    drive_update(b, out->way)->update_newest = true;
    bench_edge(b);
}

static void assert_gives_way(struct bench *b, unsigned held, unsigned number) {
    const struct tag_sets_out *out = look_up(b, 1000, held);
    assert_true(!out->found && out->room && out->victim_live);
    assert_true(out->victim_line == line_of(b, number));
}

SET_TEST(test_lines_take_the_lowest_ways_and_are_found_there) {
    fill_set(b);
    for (unsigned i = 0; i < tags_params_of(b)->WAYS; i++) {
        const struct tag_sets_out *out = look_up(b, i, 1u << i);
        assert_true(out->found && out->way == i && !out->dirty);
        bench_edge(b);
    }
    assert_false(look_up(b, 1000, 0)->found);
}

SET_TEST(test_the_least_recently_used_line_gives_way) {
    fill_set(b);
    assert_gives_way(b, 0, 0);
    bench_edge(b);
    touch_line(b, 0);
    assert_gives_way(b, 0, 1);
    bench_edge(b);
    for (unsigned i = tags_params_of(b)->WAYS; i-- > 1;) {
        touch_line(b, i);
    }
    assert_gives_way(b, 0, 0);
}

SET_TEST(test_a_line_that_is_to_come_does_not_give_way) {
    const unsigned ways = tags_params_of(b)->WAYS;
    fill_set(b);
    assert_gives_way(b, 1, 1);
    bench_edge(b);
    assert_gives_way(b, (1u << (ways - 1)) - 1, ways - 1);
    bench_edge(b);
    assert_false(look_up(b, 1000, (1u << ways) - 1)->room);
}

SET_TEST(test_a_line_can_become_the_least_recently_used) {
    const unsigned last = tags_params_of(b)->WAYS - 1;
    fill_set(b);
    (void)look_up(b, last, 0);
    drive_update(b, last)->update_oldest = true;
    bench_edge(b);
    assert_gives_way(b, 0, last);
    bench_edge(b);
    (void)look_up(b, 500, 0);
    struct tag_sets_in *in = drive_update(b, last); /* as MeDiC inserts */
    in->update_take = in->update_oldest = true;
    bench_edge(b);
    assert_gives_way(b, 0, 500);
}

SET_TEST(test_a_way_without_a_line_is_the_victim) {
    fill_set(b);
    (void)look_up(b, 1, 0);
    drive_update(b, 1)->update_drop = true;
    bench_edge(b);
    const struct tag_sets_out *out = look_up(b, 1, 0);
    assert_true(!out->found && out->room && out->victim == 1 && !out->victim_live);
}

SET_TEST(test_a_dirty_line_is_told_until_it_is_clean_or_gone) {
    fill_set(b);
    (void)look_up(b, 0, 0);
    drive_update(b, 0)->update_dirty = true;
    bench_edge(b);
    assert_true(look_up(b, 0, 0)->dirty);
    bench_edge(b);
    assert_true(look_up(b, 1000, 0)->victim_dirty);
    drive_update(b, 0)->update_clean = true;
    bench_edge(b);
    assert_false(look_up(b, 0, 0)->dirty);
    drive_update(b, 0)->update_dirty = true;
    bench_edge(b);
    (void)look_up(b, 1000, 0);
    drive_update(b, 0)->update_take = true;
    bench_edge(b);
    assert_false(look_up(b, 1000, 0)->dirty);
    bench_edge(b);
    (void)look_up(b, 1001, 0);
    struct tag_sets_in *in = drive_update(b, 1);
    in->update_take = in->update_dirty = true;
    bench_edge(b);
    assert_true(look_up(b, 1001, 0)->dirty);
}

SET_TEST(test_a_change_is_seen_by_the_next_cycle) {
    struct tag_sets_in *in = b->pair.in;
    (void)look_up(b, 3, 0);
    in->ahead_line = line_of(b, 3);
    drive_update(b, 0)->update_take = true;
    bench_edge(b);
    in->look = true;
    in->line = line_of(b, 3);
    bench_comb(b);
    assert_true(((const struct tag_sets_out *)b->pair.c_out)->found);
}

SET_TEST(test_clear_and_reset_drop_all_lines) {
    for (unsigned reset = 0; reset < 2; reset++) {
        fill_set(b);
        struct tag_sets_in *in = b->pair.in;
        (void)look_up(b, 1000, 0);
        drive_update(b, 0)->update_take = true;
        in->rst = reset;
        in->clear = !reset;
        bench_edge(b);
        assert_int_equal(take_line(b, 1000), 0);
        in->rst = true;
        bench_edge(b);
    }
}

SET_TEST(test_tags_are_quiet_while_nothing_changes) {
    struct tag_sets_in *in = b->pair.in;
    (void)look_up(b, 0, 0);
    assert_true(bench_quiet(b));
    in->update = in->update_take = true;
    assert_false(bench_quiet(b));
    in->look = false;
    assert_true(bench_quiet(b));
    in->ahead_line ^= 1;
    assert_int_equal(bench_quiet(b), !tags_params_of(b)->EARLY);
}

/* clang-format off */
#define TAG_SETS_POINTS(P) \
    P(HIT,                "a line that is there") \
    P(HIT_HELD,           "a line that is to come") \
    P(HIT_LAST_WAY,       "in the last way") \
    P(MISS_FULL,          "a miss in a full set") \
    P(NO_ROOM,            "a miss in a set whose ways are all held") \
    P(NO_ROOM_BUT_FREE,   "all lines of a set held, with a free way") \
    P(OLDEST_HELD,        "the least recently used line is held, another gives way") \
    P(ONE_CANDIDATE,      "all ways but one are held") \
    P(TAKES_FREE,         "a line takes a free way") \
    P(TAKES_DIRTY,        "a line takes a dirty one's way") \
    P(TAKES_OTHER,        "a line takes another way than the victim's") \
    P(TAKES_AS_OLDEST,    "a line enters as the least recently used") \
    P(TAKES_AS_DIRTY,     "a line enters dirty") \
    P(OLDEST_GOES,        "a line that was made the least recently used gives way") \
    P(DROPS,              "a line is dropped") \
    P(CLEANS,             "a dirty line becomes clean") \
    P(TOUCHES_OLDEST,     "the victim is used") \
    P(FOUND_AS_TAKEN,     "found in the cycle after it was taken") \
    P(SAME_SET_CHANGED,   "looks at the set that the cycle before has changed") \
    P(SAME_SET_DROPPED,   "looks for a line that the cycle before has dropped") \
    P(CLEAR_AT_WORK,      "cleared as a line enters") \
    P(RESET_AT_WORK,      "reset as a line enters") \
    P(QUIET_LOOK,         "quiet with a line looked up")
/* clang-format on */

COVERAGE_POINTS(TAG_SETS_POINTS, struct tag_sets_params)

#define NO_LINE UINT64_MAX

struct tag_sets_stimulus {
    unsigned left, look, held, change, same, spread; /* cycles of this phase; chances in 16 */
    uint64_t ahead;
    bool changed, took, dropped; /* in the cycle before */
    uint64_t line;               /* its line */
    uint64_t demoted;            /* a line that was made the least recently used */
};

/* Lines of few tags, mostly of one set, so that they meet again; their highest bits differ too. */
static uint64_t draw_line(struct tag_sets_stimulus *st, const struct lockstep_now *now) {
    const struct tag_sets_params *p = now->params;
    const struct tag_array *t = &((const struct tag_sets *)now->state)->tags;
    const uint64_t number = rng_below(now->rng, 2 * p->WAYS);
    const uint64_t tag = number | (number & 1) << (p->LINE_BITS - p->SET_BITS - 1);
    const uint64_t high =
        tag << p->SET_BITS & ((UINT64_C(1) << (p->LINE_BITS - 1)) * 2 - 1); /* LINE_BITS bits */
    const unsigned set = rng_chance(now->rng, st->spread, 16) ? rng_below(now->rng, t->sets) : 1;
    return high | (set ^ tag_set_of(t, high));
}

static void tag_sets_early_inputs(void *self, const struct lockstep_now *now, void *input) {
    static const unsigned often[] = {0, 1, 4, 8, 15, 16};
    struct tag_sets_stimulus *st = self;
    const struct tag_sets_params *p = now->params;
    const struct tag_array *t = &((const struct tag_sets *)now->state)->tags;
    struct tag_sets_in *in = input;
    if (st->left-- == 0) {
        st->left = rng_below(now->rng, 40 * p->WAYS);
        st->look = often[1 + rng_below(now->rng, 5)];
        st->held = often[rng_below(now->rng, 6)];
        st->change = often[rng_below(now->rng, 6)];
        st->same = often[rng_below(now->rng, 6)];
        st->spread = often[rng_below(now->rng, 6)];
    }
    in->rst = rng_chance(now->rng, 1, 3000);
    in->clear = rng_chance(now->rng, 1, 2000);
    in->look = rng_chance(now->rng, st->look, 16);
    in->line = p->EARLY ? st->ahead : draw_line(st, now);
    in->held = 0;
    const uint64_t live = t->set[tag_set_of(t, in->line)].valid;
    for (unsigned way = 0; way < p->WAYS; way++) {
        in->held |= (uint16_t)((live >> way & rng_chance(now->rng, st->held, 16)) << way);
    }
}

static void tag_sets_late_inputs(void *self, const struct lockstep_now *now, const void *output,
                                 void *input) {
    struct tag_sets_stimulus *st = self;
    const struct tag_sets_params *p = now->params;
    const struct tag_array *t = &((const struct tag_sets *)now->state)->tags;
    const struct tag_sets_out *out = output;
    struct tag_sets_in *in = input;
    struct rng *rng = now->rng;
    in->ahead_line = st->ahead = rng_chance(rng, st->same, 16) ? in->line : draw_line(st, now);
    in->update = rng_chance(rng, st->change, 16);
    const unsigned any = rng_below(rng, p->WAYS);
    const uint64_t live = t->set[tag_set_of(t, in->line)].valid;
    in->update_take = in->update && !out->found && rng_chance(rng, 3, 4);
    in->update_way = (uint8_t)any;
    if (in->update_take && out->room && !rng_chance(rng, 1, 8)) {
        in->update_way = out->victim;
    } else if (!in->update_take && out->found && !rng_chance(rng, 1, 8)) {
        in->update_way = out->way;
    } else if (!in->update_take && out->room && out->victim_live && rng_chance(rng, 1, 2)) {
        in->update_way = out->victim;
    }
    if (in->update_take ? in->held >> in->update_way & 1 : !(live >> in->update_way & 1)) {
        in->update = in->update_take = false;
    }
    in->update_drop = in->update && !in->update_take && rng_chance(rng, 1, 12);
    in->update_newest = rng_chance(rng, 1, 2);
    in->update_oldest = rng_chance(rng, 1, 8);
    in->update_clean = rng_chance(rng, 1, 6);
    in->update_dirty = rng_chance(rng, 1, 4);
}

static void count_tag_look(struct tag_sets_stimulus *st, const struct tag_array *t,
                           const struct tag_sets_in *in, const struct tag_sets_out *out,
                           uint64_t *counts) {
    const unsigned set = tag_set_of(t, in->line);
    const uint64_t live = t->set[set].valid, ways = (UINT64_C(1) << t->ways) - 1;
    const int oldest = tag_victim(t, set);
    const bool full = live == ways;
    counts[HIT] += out->found && !(in->held >> out->way & 1);
    counts[HIT_HELD] += out->found && in->held >> out->way & 1;
    counts[HIT_LAST_WAY] += out->found && out->way + 1u == t->ways;
    counts[MISS_FULL] += !out->found && full;
    counts[NO_ROOM] += !out->found && !out->room;
    counts[NO_ROOM_BUT_FREE] += !full && live && in->held == live;
    counts[OLDEST_HELD] += full && out->room && in->held >> oldest & 1;
    counts[ONE_CANDIDATE] += full && __builtin_popcountll(live & ~in->held) == 1;
    counts[FOUND_AS_TAKEN] += st->took && st->line == in->line && out->found;
    counts[SAME_SET_CHANGED] += st->changed && tag_set_of(t, st->line) == set;
    counts[SAME_SET_DROPPED] += st->dropped && st->line == in->line && !out->found;
}

static void count_tag_update(struct tag_sets_stimulus *st, const struct tag_array *t,
                             const struct tag_sets_in *in, const struct tag_sets_out *out,
                             uint64_t *counts) {
    const unsigned set = tag_set_of(t, in->line);
    const int way = in->update_way;
    const bool live = t->set[set].valid >> way & 1, take = in->update_take;
    const bool dirty = live && tag_is_dirty(t, set, way);
    const bool moves = !in->update_drop;
    counts[TAKES_FREE] += take && !live;
    counts[TAKES_DIRTY] += take && dirty;
    counts[TAKES_OTHER] += take && out->room && way != out->victim;
    counts[TAKES_AS_OLDEST] += take && in->update_oldest;
    counts[TAKES_AS_DIRTY] += take && in->update_dirty;
    counts[OLDEST_GOES] +=
        take && live && out->room && way == out->victim && tag_line(t, set, way) == st->demoted;
    counts[DROPS] += in->update_drop;
    counts[CLEANS] += moves && !take && dirty && in->update_clean && !in->update_dirty;
    counts[TOUCHES_OLDEST] += moves && !take && in->update_newest && !in->update_oldest &&
                              out->room && out->victim_live && way == out->victim;
    st->took = take;
    st->dropped = in->update_drop && tag_line(t, set, way) == in->line;
    if (moves && in->update_oldest) {
        st->demoted = take ? in->line : tag_line(t, set, way);
    } else if (take || (in->update_newest && tag_line(t, set, way) == st->demoted)) {
        st->demoted = NO_LINE;
    }
}

static void tag_sets_count_points(void *self, const struct lockstep_now *now, const void *input,
                                  const void *output, uint64_t *counts) {
    struct tag_sets_stimulus *st = self;
    const struct tag_array *t = &((const struct tag_sets *)now->state)->tags;
    const struct tag_sets_in *in = input;
    const struct tag_sets_out *out = output;
    const bool changes = in->look && in->update;
    counts[RESET_AT_WORK] += in->rst && changes && in->update_take;
    counts[CLEAR_AT_WORK] += !in->rst && in->clear && changes && in->update_take;
    if (in->rst || in->clear) {
        st->changed = st->took = st->dropped = false;
        st->demoted = NO_LINE;
        return;
    }
    if (in->look) {
        count_tag_look(st, t, in, out, counts);
    }
    st->took = st->dropped = false;
    if (changes) {
        count_tag_update(st, t, in, out, counts);
    }
    st->changed = changes;
    st->line = in->line;
    counts[QUIET_LOOK] += in->look && tag_sets_quiet(now->state, in);
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct tag_sets_stimulus),
    .points = points,
    .early = tag_sets_early_inputs,
    .late = tag_sets_late_inputs,
    .cover = tag_sets_count_points,
    .unreachable = point_unreachable,
};
