/* SPDX-License-Identifier: Apache-2.0
 * Loads, pairs, asks and profiles at random around the table of loads, and what they must reach. */
#include "cosim/lockstep.h"
#include "issue/daws_loads.h"

/* clang-format off */
#define DAWS_LOADS_POINTS(P) \
    P(ANSWER_BY_NONE,                        "no loop answers") \
    P(ANSWER_NOT_BY_A_LOOP_WITHOUT_LOCALITY, "the loop has entries and no locality") \
    P(ANSWER_BY_THE_LOWEST_OF_SEVERAL,       "near: several loops, the lowest answers") \
    P(ANSWER_BY_A_LOWER_YOUNGER_LOOP,        "near: a younger entry is the lowest loop") \
    P(ANSWER_BY_THE_LOOP_OF_THE_LOAD,        "near: the loop begins with the load") \
    P(ANSWER_BY_NONE_BEHIND_THE_LAST,        "near: all loops of the code are before the load") \
    P(ANSWER_NOT_BY_ANOTHER_CODE,            "near: the loops behind the load are of another code") \
    P(ANSWER_OF_ONE_LANE,                    "answer for one lane") \
    P(ANSWER_OF_NO_LANE,                     "answer for no lane") \
    P(ANSWER_OF_ALL_LANES,                   "answer for all lanes") \
    P(ANSWER_OF_ALL_LINES,                   "all lines of the L1 and no more") \
    P(ANSWER_OVER,                           "more lines than the L1 has") \
    P(ANSWER_BEFORE_THE_SCAN,                "the loop was not scanned yet") \
    P(ANSWER_WITH_BOTH_KINDS,                "diverged and converged groups") \
    P(ASK_WITH_A_CLEAR,                      "ask as the table is cleared") \
    P(ASK_BEFORE_A_CLEAR,                    "known loop, cleared a cycle later") \
    P(ENTRY_MADE,                            "entry of a loop that is there") \
    P(ENTRY_OF_A_NEW_LOOP,                   "entry of a new loop") \
    P(ENTRY_NOT_MADE_BEHIND_ANOTHER,         "no entry, another was made lately") \
    P(ENTRY_NOT_MADE_TWICE,                  "the load that is new comes again at once") \
    P(LAST_ENTRY_MADE,                       "last entry made") \
    P(LAST_LOOP_MADE,                        "last loop made") \
    P(LOAD_REFUSED,                          "load refused") \
    P(LOOP_REFUSED,                          "loop refused, there is room for loads", p->LOOPS >= p->ENTRIES) \
    P(SAME_LOAD_OF_ANOTHER_LOOP,             "load that has an entry of another loop") \
    P(COUNTER_STAYS_AT_MOST,                 "counter stays at 7") \
    P(COUNTER_STAYS_AT_LEAST,                "counter stays at -8") \
    P(BECOMES_DIVERGED,                      "load becomes diverged") \
    P(BECOMES_CONVERGED,                     "load becomes converged") \
    P(COUNTER_STAYS_WITH_TWO_LANES,          "two lanes, many accesses: no move") \
    P(COUNTER_MOVES_TWICE,                   "one counter moves in two cycles in a row") \
    P(LOOP_POSITIVE_AGAIN,                   "class of a loop without locality") \
    P(WRITE_MAKES_ENTRY,                     "written entry") \
    P(WRITE_TURNS_ENTRY,                     "entry written again, the other class") \
    P(WRITE_WITH_CLASS,                      "write and class in one cycle") \
    P(PAIR_JOINS_THREE,                      "pair joins a group of several loads") \
    P(PAIR_JOINS_B_TO_A,                     "the first load's group is older") \
    P(PAIR_JOINS_A_TO_B,                     "the second load's group is older") \
    P(PAIR_OF_ONE_GROUP,                     "pair of one group") \
    P(PAIR_OF_A_LOAD_WITHOUT_ENTRY,          "pair of a load without an entry") \
    P(PAIR_OF_NO_LOOP,                       "pair of a loop without entries") \
    P(PAIR_DOES_NOT_SEE_THE_LAST_JOIN,       "pair reads a group that is being joined") \
    P(PAIR_LEAVES_ANOTHER_LOOP,              "another loop has a group of that number", p->ENTRIES < 3) \
    P(JOIN_AS_ENTRY_IS_WRITTEN,              "entry joined and written at one edge", p->ENTRIES < 3) /* into a third group */ \
    P(SIGN_TURNS_ON,                         "sign: locality") \
    P(SIGN_TURNS_OFF,                        "sign: no locality") \
    P(SIGN_AFTER_CLASS,                      "class and sign against it in one cycle") \
    P(SIGN_OF_NO_LOOP,                       "sign of a loop without entries") \
    P(SCAN_ENDS,                             "scan ends") \
    P(SCAN_BREAKS,                           "scan breaks, its loop has changed") \
    P(SCAN_MARKED_AS_IT_BEGINS,              "loop changes as its scan begins") \
    P(SCAN_MARKED_AS_IT_ENDS,                "loop changes as its scan ends") \
    P(SCAN_ENDS_WHILE_ANOTHER_LOOP_CHANGES,  "another loop changes as a scan ends") \
    P(SCAN_WAITS_FOR_A_SCAN,                 "two loops wait for a scan") \
    P(SCAN_OF_A_MIXED_GROUP,                 "group with both classes counted") \
    P(SCAN_OF_ALL_ENTRIES,                   "scan of a loop with all entries") \
    P(CLEAR_OF_ENTRIES,                      "clear of entries") \
    P(CLEAR_OF_A_SCAN,                       "clear of a scan as it would end") \
    P(CLEAR_OF_WHAT_IS_UNDER_WAY,            "clear with class, pair and sign under way") \
    P(CLEAR_WITH_ALL,                        "clear with everything") \
    P(RESET_OF_ENTRIES,                      "reset of entries") \
    P(RESET_OF_AN_ASK,                       "reset with asks under way") \
    P(QUIET,                                 "quiet") \
    P(QUIET_WITH_ENTRIES,                    "quiet with entries")
/* clang-format on */

COVERAGE_POINTS(DAWS_LOADS_POINTS, struct daws_loads_params)

enum { POOL = 96 };

/* A phase has some loops and loads of its pools, and chances in 16 of each input. */
struct random_loads {
    unsigned left;
    unsigned asks, classes, pairs, signs, writes, nears, diverged, lanes_1, again, right;
    unsigned clears; /* in 4096 */
    bool clears_now;
    unsigned loops, loads;
    uint32_t loop[POOL], load[POOL];
};

static uint32_t mask_of_name(const struct daws_loads_params *p) {
    return UINT32_MAX >> (32 - p->PC_BITS);
}

static void draw_name_pool(struct rng *rng, const struct daws_loads_params *p, uint32_t *pool) {
    for (unsigned i = 0; i < POOL; i++) {
        /* Neighbours, and names that differ in one bit. */
        uint32_t name = (uint32_t)rng_next(rng);
        if (i && rng_chance(rng, 1, 3)) {
            name = pool[i - 1] ^ 1u << rng_below(rng, p->PC_BITS);
        } else if (i && rng_chance(rng, 1, 2)) {
            name = pool[i - 1] + 1;
        }
        pool[i] = name & mask_of_name(p);
    }
}

/* From an empty table on, one loop takes all entries, and then no class turns. */
static void begin_full_loop(struct random_loads *st, struct rng *rng,
                            const struct daws_loads_params *p) {
    st->left = 40 * p->ENTRIES;
    st->classes = 8;
    st->diverged = rng_chance(rng, 1, 4) ? 0 : 16;
    st->pairs = st->signs = st->writes = st->clears = st->again = 0;
    st->clears_now = true;
    st->loops = 1;
    st->loads = p->ENTRIES + 1;
    for (unsigned i = 1; i < POOL; i++) {
        st->load[i] = (st->load[0] + i) & mask_of_name(p);
    }
}

static void begin_loads_phase(struct random_loads *st, struct rng *rng,
                              const struct daws_loads_params *p) {
    static const unsigned often[] = {0, 1, 2, 6, 12, 16};
    const unsigned enough = p->ENTRIES + 3 < POOL ? p->ENTRIES + 3 : POOL;
    st->left = 1 + rng_below(rng, rng_chance(rng, 1, 3) ? 40 * p->ENTRIES : 300);
    st->asks = often[rng_below(rng, 6)];
    st->classes = often[rng_below(rng, 6)];
    st->pairs = often[rng_below(rng, 6)];
    st->signs = rng_chance(rng, 1, 2) ? 0 : often[rng_below(rng, 6)];
    st->writes = rng_chance(rng, 1, 2) ? 0 : often[rng_below(rng, 6)];
    st->nears = rng_below(rng, 17);
    st->diverged = rng_below(rng, 17);
    st->lanes_1 = rng_chance(rng, 1, 2) ? 1 : rng_below(rng, 17);
    st->again = rng_below(rng, 12);
    st->right = rng_below(rng, 17);
    st->clears = rng_chance(rng, 1, 2) ? 0 : 1 + rng_below(rng, 60);
    if (rng_chance(rng, 1, 3)) {
        st->pairs = st->signs = 0; /* so that many groups of one loop are diverged */
        st->diverged = 16;
    }
    if (rng_chance(rng, 1, 3)) {
        draw_name_pool(rng, p, st->loop);
        draw_name_pool(rng, p, st->load);
    }
    st->loops = 1 + rng_below(rng, rng_chance(rng, 1, 2) ? 2 : p->LOOPS + 2);
    st->loads = 1 + rng_below(rng, rng_chance(rng, 1, 2) ? 4 : enough);
    if (rng_chance(rng, 1, 24)) {
        begin_full_loop(st, rng, p);
    }
}

static uint32_t draw_loads_loop(const struct random_loads *st, struct rng *rng) {
    return st->loop[rng_below(rng, st->loops)];
}

static uint32_t draw_loads_pc(const struct random_loads *st, struct rng *rng) {
    return st->load[rng_below(rng, st->loads)];
}

static uint8_t draw_lanes(const struct random_loads *st, struct rng *rng,
                          const struct daws_loads_params *p) {
    if (rng_chance(rng, st->lanes_1, 32)) {
        return (uint8_t)rng_below(rng, 4);
    }
    return (uint8_t)(rng_chance(rng, 1, 2) ? p->LANES : rng_below(rng, p->LANES + 1));
}

/* The loads of an entry, now and then, so that pairs find some. */
static void draw_pair(const struct random_loads *st, const struct daws_loads *s, struct rng *rng,
                      struct daws_loads_in *in) {
    in->pair_loop = draw_loads_loop(st, rng);
    in->pair_a = draw_loads_pc(st, rng);
    in->pair_b = draw_loads_pc(st, rng);
    if (s->load_count && rng_chance(rng, st->right, 16)) {
        const struct daws_load *a = &s->load[rng_below(rng, s->load_count)],
                               *b = &s->load[rng_below(rng, s->load_count)];
        in->pair_loop = s->loop[a->loop].pc;
        in->pair_a = a->pc;
        in->pair_b = b->pc;
    }
}

static void daws_loads_inputs(void *self, const struct lockstep_now *now, void *input) {
    struct random_loads *st = self;
    const struct daws_loads_params *p = now->params;
    const struct daws_loads *s = now->state;
    struct daws_loads_in *in = input, last = *in;
    struct rng *rng = now->rng;
    if (st->left-- == 0) {
        begin_loads_phase(st, rng, p);
    }
    *in = (struct daws_loads_in){.rst = rng_chance(rng, 1, 5000)};
    in->ask_valid = rng_chance(rng, st->asks, 16);
    in->ask_warp = (uint8_t)rng_below(rng, p->WARPS);
    in->ask_near = rng_chance(rng, st->nears, 16);
    in->ask_pc =
        in->ask_near && rng_chance(rng, 1, 2) ? draw_loads_pc(st, rng) : draw_loads_loop(st, rng);
    in->ask_lanes = draw_lanes(st, rng, p);
    in->class_valid = rng_chance(rng, st->classes, 16);
    in->class_loop = draw_loads_loop(st, rng);
    in->class_pc = draw_loads_pc(st, rng);
    in->class_lanes = draw_lanes(st, rng, p);
    in->class_accesses =
        (uint8_t)(rng_chance(rng, st->diverged, 16) ? 3 + rng_below(rng, p->LANES - 2)
                                                    : rng_below(rng, 3));
    if (last.class_valid && rng_chance(rng, st->again, 16)) {
        in->class_loop = last.class_loop;
        in->class_pc = last.class_pc;
    }
    in->pair_valid = rng_chance(rng, st->pairs, 16);
    draw_pair(st, s, rng, in);
    if (last.pair_valid && rng_chance(rng, st->again, 16)) {
        in->pair_loop = last.pair_loop;
        in->pair_a = last.pair_b;
    }
    in->sign_valid = rng_chance(rng, st->signs, 16);
    in->sign_loop = rng_chance(rng, 1, 4) ? in->class_loop : draw_loads_loop(st, rng);
    in->sign_positive = rng_chance(rng, 1, 2);
    in->write_valid = rng_chance(rng, st->writes, 16);
    in->write_loop = draw_loads_loop(st, rng);
    in->write_pc = draw_loads_pc(st, rng);
    in->write_diverged = rng_chance(rng, st->diverged, 16);
    in->write_group = (uint8_t)rng_below(rng, rng_chance(rng, 1, 2) ? 2 : p->ENTRIES);
    in->clear = st->clears_now || rng_chance(rng, st->clears, 4096);
    st->clears_now = false;
}

static const struct daws_loop *loop_named(const struct daws_loads *s, uint32_t pc) {
    for (unsigned i = 0; i < s->loop_count; i++) {
        if (s->loop[i].pc == pc) {
            return &s->loop[i];
        }
    }
    return NULL;
}

static void count_loads_ask(const struct daws_loads *s, const struct daws_loads_in *in,
                            uint64_t *counts) {
    const unsigned place_bits = s->p.PC_BITS - s->p.CODE_BITS;
    const struct daws_loop *loop = loop_named(s, in->ask_pc);
    unsigned behind = 0, before = 0, elsewhere = 0;
    uint32_t lowest = UINT32_MAX;
    bool falls = false;
    for (unsigned i = 0; i < s->loop_count; i++) {
        const struct daws_loop *other = &s->loop[i];
        const bool here = other->pc >> place_bits == in->ask_pc >> place_bits;
        elsewhere += other->positive && !here && other->pc > in->ask_pc;
        before += other->positive && here && other->pc < in->ask_pc;
        if (other->positive && here && other->pc >= in->ask_pc) {
            falls |= behind && other->pc < lowest;
            lowest = other->pc < lowest ? other->pc : lowest;
            behind++;
        }
    }
    counts[ANSWER_NOT_BY_A_LOOP_WITHOUT_LOCALITY] += !in->ask_near && loop && !loop->positive;
    counts[ANSWER_BY_THE_LOWEST_OF_SEVERAL] += in->ask_near && behind > 1;
    counts[ANSWER_BY_A_LOWER_YOUNGER_LOOP] += in->ask_near && falls;
    counts[ANSWER_BY_THE_LOOP_OF_THE_LOAD] += in->ask_near && loop && loop->positive;
    counts[ANSWER_BY_NONE_BEHIND_THE_LAST] += in->ask_near && before && !behind;
    counts[ANSWER_NOT_BY_ANOTHER_CODE] += in->ask_near && elsewhere && !behind;
    counts[ASK_WITH_A_CLEAR] += in->clear && loop && loop->positive;
}

static void count_loads_answer(const struct daws_loads *s, uint64_t *counts) {
    const struct daws_ask_stage *a = &s->ask[2];
    counts[ANSWER_BY_NONE] += !a->known;
    if (a->known) {
        const unsigned groups = (unsigned)a->diverged + a->converged;
        counts[ANSWER_OF_ONE_LANE] += a->lanes == 1 && groups;
        counts[ANSWER_OF_NO_LANE] += a->lanes == 0 && groups;
        counts[ANSWER_OF_ALL_LANES] += a->lanes == s->p.LANES && a->diverged;
        counts[ANSWER_OF_ALL_LINES] += a->lines == s->p.LINES;
        counts[ANSWER_OVER] += a->lines > s->p.LINES;
        counts[ANSWER_BEFORE_THE_SCAN] += !groups;
        counts[ANSWER_WITH_BOTH_KINDS] += a->diverged && a->converged && a->lanes > 1;
    }
}

static void count_load_change(const struct daws_loads *s, uint64_t *counts) {
    const struct daws_change *c = &s->change[1];
    const bool fresh = c->at_load == s->p.ENTRIES;
    const bool new_loop = c->at_loop == s->p.LOOPS;
    const bool room = s->load_count < s->p.ENTRIES && !(new_loop && s->loop_count == s->p.LOOPS);
    if (fresh) {
        const bool makes = room && !s->made;
        bool elsewhere = false;
        for (unsigned i = 0; i < s->load_count; i++) {
            elsewhere |= s->load[i].pc == c->pc && s->load[i].loop != c->at_loop;
        }
        counts[ENTRY_MADE] += makes && !new_loop;
        counts[ENTRY_OF_A_NEW_LOOP] += makes && new_loop;
        counts[ENTRY_NOT_MADE_BEHIND_ANOTHER] += s->made && room;
        const struct daws_load *newest = &s->load[s->load_count - !!s->load_count];
        counts[ENTRY_NOT_MADE_TWICE] +=
            s->made && room && newest->pc == c->pc && s->loop[newest->loop].pc == c->loop;
        counts[LAST_ENTRY_MADE] += makes && s->load_count + 1 == s->p.ENTRIES;
        counts[LAST_LOOP_MADE] += makes && new_loop && s->loop_count + 1 == s->p.LOOPS;
        counts[LOAD_REFUSED] += !s->made && s->load_count == s->p.ENTRIES;
        counts[LOOP_REFUSED] += !s->made && !room && s->load_count < s->p.ENTRIES;
        counts[SAME_LOAD_OF_ANOTHER_LOOP] += makes && elsewhere;
        counts[WRITE_MAKES_ENTRY] += makes && c->write;
        return;
    }
    const struct daws_load *l = &s->load[c->at_load];
    const struct daws_change *next = &s->change[0];
    counts[WRITE_TURNS_ENTRY] += c->write && c->diverged != (l->counter > 1);
    if (!c->write) {
        counts[COUNTER_STAYS_AT_MOST] += c->up && l->counter == 7;
        counts[COUNTER_STAYS_AT_LEAST] += c->down && l->counter == -8;
        counts[BECOMES_DIVERGED] += c->up && l->counter == 1;
        counts[BECOMES_CONVERGED] += c->down && l->counter == 2;
        counts[COUNTER_STAYS_WITH_TWO_LANES] += !c->up && !c->down;
        counts[COUNTER_MOVES_TWICE] += (c->up || c->down) && next->valid && !next->write &&
                                       (next->up || next->down) && next->pc == c->pc &&
                                       next->at_loop == c->at_loop;
        counts[LOOP_POSITIVE_AGAIN] += !s->loop[c->at_loop].positive;
    }
}

static unsigned loads_of_group(const struct daws_loads *s, unsigned at_loop, unsigned group) {
    unsigned loads = 0;
    for (unsigned i = 0; i < s->load_count; i++) {
        loads += s->load[i].loop == at_loop && s->load[i].group == group;
    }
    return loads;
}

static bool joins_groups(const struct daws_pair *pair) {
    return pair->valid && pair->a != pair->b;
}

static void count_loads_join(const struct daws_loads *s, uint64_t *counts) {
    const struct daws_pair *pair = &s->pair[3];
    const unsigned younger = pair->a > pair->b ? pair->a : pair->b;
    counts[PAIR_OF_ONE_GROUP] += !joins_groups(pair);
    if (joins_groups(pair)) {
        counts[PAIR_JOINS_THREE] += loads_of_group(s, pair->at_loop, younger) > 1;
        counts[PAIR_JOINS_B_TO_A] += pair->a < pair->b;
        counts[PAIR_JOINS_A_TO_B] += pair->a > pair->b;
        for (unsigned i = 0; i < s->loop_count; i++) {
            counts[PAIR_LEAVES_ANOTHER_LOOP] += i != pair->at_loop && loads_of_group(s, i, younger);
        }
        const struct daws_change *c = &s->change[1];
        counts[JOIN_AS_ENTRY_IS_WRITTEN] += c->valid && c->write && c->at_load < s->p.ENTRIES &&
                                            c->group != pair->a && c->group != pair->b &&
                                            s->load[c->at_load].loop == pair->at_loop &&
                                            s->load[c->at_load].group == younger;
        const struct daws_pair *next = &s->pair[1];
        counts[PAIR_DOES_NOT_SEE_THE_LAST_JOIN] +=
            next->valid && next->at_loop == pair->at_loop &&
            (s->load[next->a].group == younger) != (s->load[next->b].group == younger);
    }
}

static void count_loads_pair(const struct daws_loads *s, uint64_t *counts) {
    const struct daws_pair *pair = &s->pair[0];
    unsigned found = 0;
    for (unsigned i = 0; i < s->load_count; i++) {
        found |= (unsigned)(s->load[i].loop == pair->at_loop && s->load[i].pc == pair->a);
        found |= (unsigned)(s->load[i].loop == pair->at_loop && s->load[i].pc == pair->b) << 1;
    }
    counts[PAIR_OF_NO_LOOP] += pair->at_loop == s->p.LOOPS;
    counts[PAIR_OF_A_LOAD_WITHOUT_ENTRY] += found == 1 || found == 2;
}

static void count_loads_sign(const struct daws_loads *s, uint64_t *counts) {
    const struct daws_sign *sign = &s->sign[1];
    const struct daws_change *c = &s->change[1];
    if (sign->at_loop == s->p.LOOPS) {
        counts[SIGN_OF_NO_LOOP]++;
        return;
    }
    counts[SIGN_TURNS_ON] += sign->positive && !s->loop[sign->at_loop].positive;
    counts[SIGN_TURNS_OFF] += !sign->positive && s->loop[sign->at_loop].positive;
    counts[SIGN_AFTER_CLASS] +=
        !sign->positive && c->valid && c->at_loop == sign->at_loop && c->at_load < s->p.ENTRIES;
}

/* Loops that change at this edge. */
static uint32_t loops_that_change(const struct daws_loads *s, const struct daws_loads_in *in) {
    struct daws_loads copy = *s;
    struct daws_loads_out out;
    copy.marked = 0;
    copy.scan_left = 0;
    daws_loads_comb(&copy, in, &out);
    daws_loads_step(&copy, in, &out);
    return copy.marked;
}

static void count_loads_scan(const struct daws_loads *s, const struct daws_loads_in *in,
                             uint64_t *counts) {
    if (!s->scan_left && !s->marked) {
        return;
    }
    const uint32_t changes = loops_that_change(s, in);
    counts[SCAN_WAITS_FOR_A_SCAN] += (s->marked & (s->marked - 1)) != 0;
    if (!s->scan_left) {
        counts[SCAN_MARKED_AS_IT_BEGINS] += changes >> __builtin_ctz(s->marked) & 1;
        return;
    }
    const bool breaks = s->scan_left > 1 && (s->marked >> s->scan_loop & 1);
    counts[SCAN_BREAKS] += breaks;
    counts[SCAN_MARKED_AS_IT_ENDS] += !breaks && s->scan_left == 1 && (changes >> s->scan_loop & 1);
    if (!breaks && s->scan_left == 1) {
        unsigned loads = 0;
        bool mixed = false;
        for (unsigned i = 0; i < s->load_count; i++) {
            for (unsigned j = 0; j < i; j++) {
                mixed |= s->load[i].loop == s->scan_loop && s->load[j].loop == s->scan_loop &&
                         s->load[i].group == s->load[j].group &&
                         (s->load[i].counter > 1) != (s->load[j].counter > 1);
            }
            loads += s->load[i].loop == s->scan_loop;
        }
        counts[SCAN_ENDS]++;
        counts[SCAN_ENDS_WHILE_ANOTHER_LOOP_CHANGES] += changes != 0;
        counts[SCAN_OF_A_MIXED_GROUP] += mixed;
        counts[SCAN_OF_ALL_ENTRIES] += loads == s->p.ENTRIES;
    }
}

static void count_loads_clear(const struct daws_loads *s, const struct daws_loads_in *in,
                              uint64_t *counts) {
    counts[CLEAR_OF_ENTRIES] += s->load_count > 0;
    counts[CLEAR_OF_A_SCAN] += s->scan_left == 1;
    counts[CLEAR_OF_WHAT_IS_UNDER_WAY] +=
        s->change[1].valid && s->pair[3].valid && s->sign[1].valid;
    counts[CLEAR_WITH_ALL] +=
        in->ask_valid && in->class_valid && in->pair_valid && in->sign_valid && in->write_valid;
    counts[ASK_BEFORE_A_CLEAR] += s->ask[0].valid && s->ask[0].fits;
}

static void daws_loads_count_points(void *self, const struct lockstep_now *now, const void *input,
                                    const void *output, uint64_t *counts) {
    const struct daws_loads *s = now->state;
    const struct daws_loads_in *in = input;
    (void)self, (void)output;
    counts[QUIET] += daws_loads_quiet(s, in);
    counts[QUIET_WITH_ENTRIES] += daws_loads_quiet(s, in) && s->load_count;
    if (in->rst) {
        counts[RESET_OF_ENTRIES] += s->load_count > 0;
        counts[RESET_OF_AN_ASK] += s->ask[0].valid && s->ask[1].valid;
        return;
    }
    if (s->ask[2].valid) {
        count_loads_answer(s, counts);
    }
    if (in->ask_valid) {
        count_loads_ask(s, in, counts);
    }
    if (in->clear) {
        count_loads_clear(s, in, counts);
        return;
    }
    counts[WRITE_WITH_CLASS] += in->write_valid && in->class_valid;
    if (s->change[1].valid) {
        count_load_change(s, counts);
    }
    if (s->pair[3].valid) {
        count_loads_join(s, counts);
    }
    if (s->pair[0].valid) {
        count_loads_pair(s, counts);
    }
    if (s->sign[1].valid) {
        count_loads_sign(s, counts);
    }
    count_loads_scan(s, in, counts);
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct random_loads),
    .points = points,
    .early = daws_loads_inputs,
    .cover = daws_loads_count_points,
    .unreachable = point_unreachable,
};
