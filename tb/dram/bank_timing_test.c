/* SPDX-License-Identifier: Apache-2.0 */
#include "common/bench.h"
#include "cosim/block_test.h"
#include "dram/bank_timing.h"
#include "dram/dual_queue.h"

static const struct bank_timing_params *timing_of(const struct bench *b) {
    return (const struct bank_timing_params *)b->pair.ports.params;
}

/* The masks of this cycle, with a command of it. */
static const struct bank_timing_out *drive_command(struct bench *b, enum dram_queue_command kind,
                                                   bool write, unsigned bank) {
    struct bank_timing_in *in = b->pair.in;
    in->cmd_valid = true;
    in->cmd_kind = (uint8_t)kind;
    in->cmd_write = write;
    in->cmd_bank_oh = UINT64_C(1) << bank;
    bench_comb(b);
    return b->pair.c_out;
}

enum mask { READ, WRITE, CLOSE, OPEN };

static bool is_legal_soon(struct bench *b, enum mask mask, unsigned bank) {
    const struct bank_timing_out *out = b->pair.c_out;
    bench_comb(b);
    const uint64_t masks[] = {out->read_ok, out->write_ok, out->precharge_ok, out->activate_ok};
    return masks[mask] >> bank & 1;
}

/* The command in this cycle: the first cycle after it in which the other one is legal. */
static unsigned distance_of(struct bench *b, enum dram_queue_command kind, bool write,
                            unsigned bank, enum mask mask, unsigned other) {
    unsigned cycles = timing_of(b)->LEAD;
    (void)drive_command(b, kind, write, bank);
    for (; !is_legal_soon(b, mask, other) && cycles < 9999; cycles++) {
        bench_edge(b);
    }
    bench_edge(b);
    return cycles;
}

static unsigned at_least_lead(const struct bench *b, unsigned cycles) {
    return cycles > timing_of(b)->LEAD ? cycles : timing_of(b)->LEAD;
}

#define ASSERT_DISTANCE(kind, write, bank, mask, other, time) \
    assert_int_equal(distance_of(b, kind, write, bank, mask, other), \
                     at_least_lead(b, timing_of(b)->time))

static void open_bank(struct bench *b, unsigned bank) {
    (void)drive_command(b, DRAM_QUEUE_ACTIVATE, false, bank);
    bench_edge(b);
    bench_idle(b, 600);
}

SET_TEST(test_a_row_can_be_read_and_written_after_its_activate) {
    assert_true(is_legal_soon(b, OPEN, 0));
    ASSERT_DISTANCE(DRAM_QUEUE_ACTIVATE, false, 0, READ, 0, RCD_READ);
    bench_idle(b, 600);
    ASSERT_DISTANCE(DRAM_QUEUE_ACTIVATE, false, 1, WRITE, 1, RCD_WRITE);
}

SET_TEST(test_the_other_direction_waits_for_the_bus) {
    open_bank(b, 0);
    open_bank(b, timing_of(b)->BANKS - 1);
    unsigned least = timing_of(b)->COLUMN; /* of other groups, if there are some */
    if (timing_of(b)->GROUPS == 1) {
        least = timing_of(b)->COLUMN_GROUP;
    }
    unsigned to_read = timing_of(b)->WRITE_TO_READ > least ? timing_of(b)->WRITE_TO_READ : least;
    assert_int_equal(distance_of(b, DRAM_QUEUE_COLUMN, true, 0, READ, timing_of(b)->BANKS - 1),
                     at_least_lead(b, to_read));
    bench_idle(b, 600);
    unsigned to_write = timing_of(b)->READ_TO_WRITE > least ? timing_of(b)->READ_TO_WRITE : least;
    assert_int_equal(distance_of(b, DRAM_QUEUE_COLUMN, false, 0, WRITE, timing_of(b)->BANKS - 1),
                     at_least_lead(b, to_write));
}

SET_TEST(test_a_row_is_closed_after_its_time_and_its_columns) {
    ASSERT_DISTANCE(DRAM_QUEUE_ACTIVATE, false, 0, CLOSE, 0, RAS);
    bench_idle(b, 600);
    ASSERT_DISTANCE(DRAM_QUEUE_COLUMN, false, 0, CLOSE, 0, READ_TO_CLOSE);
    bench_idle(b, 600);
    ASSERT_DISTANCE(DRAM_QUEUE_COLUMN, true, 0, CLOSE, 0, WRITE_TO_CLOSE);
    bench_idle(b, 600);
    ASSERT_DISTANCE(DRAM_QUEUE_PRECHARGE, false, 0, OPEN, 0, RP);
}

SET_TEST(test_an_activate_delays_those_of_other_banks) {
    ASSERT_DISTANCE(DRAM_QUEUE_ACTIVATE, false, 0, OPEN, 1, RRD);
}

SET_TEST(test_reset_closes_all_banks) {
    open_bank(b, 0);
    ((struct bank_timing_in *)b->pair.in)->rst = true;
    (void)drive_command(b, DRAM_QUEUE_COLUMN, true, 0);
    bench_edge(b);
    bench_comb(b);
    const struct bank_timing_out *out = b->pair.c_out;
    assert_true(!out->open && out->activate_ok == (~UINT64_C(0) >> (64 - timing_of(b)->BANKS)));
}

SET_TEST(test_timing_is_quiet_when_every_time_is_over) {
    assert_true(bench_quiet(b));
    (void)drive_command(b, DRAM_QUEUE_ACTIVATE, false, 0);
    assert_false(bench_quiet(b));
    bench_edge(b);
    bench_idle(b, 600);
    assert_true(bench_quiet(b));
}

/* clang-format off */
#define BANK_TIMING_POINTS(P) \
    P(FIRST_READ,     "a read in the first cycle that RCD allows") \
    P(FIRST_WRITE,    "a write in the first cycle that RCD allows") \
    P(FIRST_COLUMN,   "a column in the first cycle that another one of its group allows") \
    P(TURN_TO_WRITE,  "a write in the first cycle after a read") \
    P(TURN_TO_READ,   "a read in the first cycle after a write") \
    P(FIRST_CLOSE,    "a precharge in the first cycle after a write") \
    P(FIRST_OPEN,     "an activate in the first cycle after a precharge") \
    P(FIRST_OTHER,    "an activate in the first cycle after another bank's") \
    P(WINDOW_DECIDES, "no activate because of a window alone", !p->FAW && !p->AW32) \
    P(ALL_OPEN,       "all banks open") \
    P(RESET_AT_WORK,  "reset with a bank open and a command") \
    P(QUIET_OPEN,     "quiet with a bank open")
/* clang-format on */

COVERAGE_POINTS(BANK_TIMING_POINTS, struct bank_timing_params)

struct bank_timing_stimulus {
    unsigned left, often, turn, closes; /* cycles of this phase; chances in 16 */
    unsigned quiet;                     /* cycles without a command, to come */
    /* The masks that decide on the next cycles, by the cycles until they do. */
    uint64_t read_ok[2], write_ok[2], precharge_ok[2], activate_ok[2];
};

static unsigned group_of_bank(const struct bank_timing_params *p, unsigned bank) {
    return p->LOW_GROUPS ? bank % p->GROUPS : bank / (p->BANKS / p->GROUPS);
}

static unsigned pick_bit(struct rng *rng, uint64_t marks) {
    unsigned which = rng_below(rng, (uint32_t)__builtin_popcountll(marks));
    while (which--) {
        marks &= marks - 1;
    }
    return (unsigned)__builtin_ctzll(marks);
}

/* Banks in which a command of a kind is legal in this cycle, by the rules of dram/banks.h. */
struct legal_now {
    uint64_t read, write, close, open;
};

static struct legal_now legal_commands(const struct bank_timing *s) {
    const struct dram_banks *b = &s->banks;
    struct legal_now legal = {0};
    for (unsigned bank = 0; bank < s->params.BANKS; bank++) {
        const unsigned group = group_of_bank(&s->params, bank);
        const uint64_t bit = UINT64_C(1) << bank;
        bool column = b->column_at <= s->cycle, row = banks_row_cycle(b, bank) <= s->cycle;
        if (!(b->open & bit)) {
            legal.open |= row ? bit : 0;
            continue;
        }
        legal.close |= row ? bit : 0;
        legal.read |= column && banks_column_cycle(b, bank, group, false) <= s->cycle ? bit : 0;
        legal.write |= column && banks_column_cycle(b, bank, group, true) <= s->cycle ? bit : 0;
    }
    return legal;
}

static void bank_timing_early_inputs(void *self, const struct lockstep_now *now, void *input) {
    static const unsigned often[] = {1, 8, 15, 16};
    struct bank_timing_stimulus *st = self;
    struct bank_timing_in *in = input;
    const struct legal_now legal = legal_commands(now->state);
    if (st->left-- == 0) {
        st->left = rng_below(now->rng, 400);
        st->often = often[rng_below(now->rng, 4)];
        st->turn = rng_below(now->rng, 17);
        st->closes = rng_below(now->rng, 12);
        st->quiet = rng_chance(now->rng, 1, 12) ? 700 : 0;
    }
    in->rst = rng_chance(now->rng, 1, 3000);
    in->cmd_valid = false;
    in->cmd_write = rng_chance(now->rng, st->turn, 16);
    if (!st->quiet) {
        const unsigned banks = ((const struct bank_timing_params *)now->params)->BANKS;
        in->cmd_bank_oh = rng_chance(now->rng, 1, 2)
                              ? 0
                              : rng_next(now->rng) & ((UINT64_C(1) << (banks - 1)) * 2 - 1);
    }
    if (st->quiet) {
        st->quiet--;
        return;
    }
    if (!rng_chance(now->rng, st->often, 16)) {
        return;
    }
    uint64_t columns = in->cmd_write ? legal.write : legal.read, banks = columns;
    in->cmd_kind = DRAM_QUEUE_COLUMN;
    if (legal.close && rng_chance(now->rng, st->closes, 64)) {
        in->cmd_kind = DRAM_QUEUE_PRECHARGE;
        banks = legal.close;
    } else if (legal.open && (!columns || rng_chance(now->rng, 1, 2))) {
        in->cmd_kind = DRAM_QUEUE_ACTIVATE;
        banks = legal.open;
    }
    in->cmd_valid = banks != 0;
    if (banks) {
        in->cmd_bank_oh = UINT64_C(1) << pick_bit(now->rng, banks);
    }
}

static void bank_timing_count_points(void *self, const struct lockstep_now *now, const void *input,
                                     const void *output, uint64_t *counts) {
    const struct bank_timing_params *p = now->params;
    const struct bank_timing *s = now->state;
    const struct dram_banks *b = &s->banks;
    const struct bank_timing_in *in = input;
    const unsigned bank = in->cmd_bank_oh ? (unsigned)__builtin_ctzll(in->cmd_bank_oh) : 0;
    const struct dram_bank *at = &b->bank[bank];
    (void)self;
    (void)output;
    counts[RESET_AT_WORK] += in->rst && b->open && in->cmd_valid;
    if (in->rst) {
        return;
    }
    bool column = in->cmd_valid && in->cmd_kind == DRAM_QUEUE_COLUMN,
         row = in->cmd_valid && !column, opens = row && in->cmd_kind == DRAM_QUEUE_ACTIVATE;
    bool first = b->row_at[bank] == s->cycle;
    counts[FIRST_READ] += column && !in->cmd_write && at->read_at == s->cycle;
    counts[FIRST_WRITE] += column && in->cmd_write && at->write_at == s->cycle;
    counts[FIRST_COLUMN] += column && b->group_column_at[group_of_bank(p, bank)] == s->cycle;
    counts[TURN_TO_WRITE] += column && in->cmd_write && b->write_at == s->cycle;
    counts[TURN_TO_READ] += column && !in->cmd_write && b->read_at == s->cycle;
    counts[FIRST_CLOSE] += row && !opens && first && at->write_at < s->cycle;
    counts[FIRST_OPEN] += opens && first;
    counts[FIRST_OTHER] += opens && b->activate_at == s->cycle && at->activate_at < s->cycle;
    const uint64_t last =
        b->activates ? b->activated[(b->activates - 1) % DRAM_ACTIVATES_KEPT] : s->cycle;
    counts[WINDOW_DECIDES] +=
        b->activate_at > s->cycle && b->activates > 4 && last + p->RRD <= s->cycle;
    counts[ALL_OPEN] += b->open == (~UINT64_C(0) >> (64 - p->BANKS));
    counts[QUIET_OPEN] += b->open && bank_timing_quiet(s, in);
}

const struct stimulus block_stimulus = {
    .size = sizeof(struct bank_timing_stimulus),
    .points = points,
    .early = bank_timing_early_inputs,
    .cover = bank_timing_count_points,
    .unreachable = point_unreachable,
};
