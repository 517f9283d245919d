/* SPDX-License-Identifier: Apache-2.0
 *
 * Scoreboard: the cycle from which a warp's next instruction has its registers.
 */
#include "base/seeded.h"

#include <string.h>

#include "base/request.h"
#include "issue/scoreboard.h"

#define BIT(n) (UINT64_C(1) << (n))

/* The next instruction's registers as a mask of 0 .. 63. */
static void expect_mask(struct scoreboard *s, unsigned warp, uint64_t registers, uint64_t cycle) {
    struct scoreboard_needs needs = {0};
    for (; registers; registers &= registers - 1) {
        assert_true(needs.count < SCOREBOARD_NEEDS_MAX);
        needs.reg[needs.count++] = (uint8_t)__builtin_ctzll(registers);
    }
    scoreboard_expect(s, warp, &needs, cycle);
}

#define SCOREBOARD(s) \
    static struct scoreboard s; \
    scoreboard_init(&s)

TEST(a_new_warp_is_ready_at_once) {
    SCOREBOARD(s);
    scoreboard_advance(&s, 10);
    scoreboard_reset_warp(&s, 3);
    expect_mask(&s, 3, BIT(0) | BIT(63), 10);
    assert_true(s.ready == BIT(3) && s.blocked == 0);
}

TEST(a_result_is_read_from_its_cycle_on) {
    static struct scoreboard s;
    enum { NOW = 100, LATENCY = 13 };
    scoreboard_init(&s);
    scoreboard_advance(&s, NOW);
    scoreboard_write(&s, 1, 5, NOW + LATENCY);
    expect_mask(&s, 1, BIT(5) | BIT(6), NOW + 1);
    assert_true(s.ready == 0 && scoreboard_next(&s) == NOW + LATENCY);
    scoreboard_advance(&s, NOW + LATENCY - 1);
    assert_true(s.ready == 0);
    scoreboard_advance(&s, NOW + LATENCY);
    assert_true(s.ready == BIT(1) && scoreboard_next(&s) == NEVER);
}

TEST(the_latest_register_decides) {
    SCOREBOARD(s);
    scoreboard_advance(&s, 1);
    scoreboard_write(&s, 0, 1, 9);
    scoreboard_write(&s, 0, 2, 20);
    scoreboard_write(&s, 0, 3, 15);
    expect_mask(&s, 0, BIT(1) | BIT(2) | BIT(3), 2);
    scoreboard_advance(&s, 19);
    assert_true(s.ready == 0);
    scoreboard_advance(&s, 20);
    assert_true(s.ready == 1);
}

TEST(an_instruction_waits_for_the_next_cycle_though_its_registers_are_ready) {
    SCOREBOARD(s);
    scoreboard_advance(&s, 7);
    expect_mask(&s, 2, 0, 8);
    assert_true(s.ready == 0);
    scoreboard_advance(&s, 8);
    assert_true(s.ready == BIT(2));
}

TEST(a_pending_load_blocks_until_all_its_data_is_there) {
    SCOREBOARD(s);
    scoreboard_advance(&s, 5);
    scoreboard_load(&s, 4, 9);
    expect_mask(&s, 4, BIT(9), 6);
    assert_true(s.blocked == BIT(4) && s.ready == 0 && scoreboard_next(&s) == NEVER);
    scoreboard_data(&s, 4, 9, 50);
    scoreboard_data(&s, 4, 9, 30);
    assert_true(s.blocked == BIT(4));
    scoreboard_advance(&s, 40);
    scoreboard_release(&s, 4, 9, 40);
    assert_true(s.blocked == 0 && s.ready == 0 && scoreboard_next(&s) == 50);
    scoreboard_advance(&s, 50);
    assert_true(s.ready == BIT(4));
}

TEST(one_of_two_pending_registers_still_blocks) {
    SCOREBOARD(s);
    scoreboard_advance(&s, 5);
    scoreboard_load(&s, 0, 1);
    scoreboard_load(&s, 0, 2);
    expect_mask(&s, 0, BIT(1) | BIT(2), 6);
    scoreboard_release(&s, 0, 2, 6);
    assert_true(s.blocked == 1);
    scoreboard_advance(&s, 8);
    scoreboard_release(&s, 0, 1, 8);
    assert_true(s.blocked == 0 && s.ready == 1);
}

TEST(a_load_to_another_register_does_not_block) {
    SCOREBOARD(s);
    scoreboard_advance(&s, 5);
    scoreboard_load(&s, 0, 1);
    expect_mask(&s, 0, BIT(2), 5);
    assert_true(s.ready == 1 && s.blocked == 0);
}

/* A result further ahead than the ring reaches (division takes hundreds of cycles). */
TEST(a_result_beyond_the_ring_is_not_early) {
    static struct scoreboard s;
    static const unsigned latency[] = {SCOREBOARD_RING - 1, SCOREBOARD_RING, SCOREBOARD_RING + 1,
                                       330, 1024};
    for (unsigned i = 0; i < sizeof latency / sizeof *latency; i++) {
        enum { NOW = 1000 };
        uint64_t cycle = NOW;
        scoreboard_init(&s);
        scoreboard_advance(&s, NOW);
        scoreboard_write(&s, 7, 0, NOW + latency[i]);
        expect_mask(&s, 7, BIT(0), NOW + 1);
        while (!s.ready) {
            assert_true(scoreboard_next(&s) > cycle && scoreboard_next(&s) <= NOW + latency[i]);
            cycle = scoreboard_next(&s);
            scoreboard_advance(&s, cycle);
        }
        assert_true(cycle == NOW + latency[i]);
    }
}

/* The header gives @cycle no bound: "at the earliest it issues in @cycle". */
TEST(a_first_cycle_beyond_the_ring_is_not_early) {
    static struct scoreboard s;
    static const unsigned ahead[] = {SCOREBOARD_RING - 1, SCOREBOARD_RING, SCOREBOARD_RING + 36};
    for (unsigned i = 0; i < sizeof ahead / sizeof *ahead; i++) {
        scoreboard_init(&s);
        scoreboard_advance(&s, 1);
        expect_mask(&s, 0, 0, 1 + ahead[i]);
        for (uint64_t cycle = 2; cycle <= 1 + ahead[i]; cycle++) {
            scoreboard_advance(&s, cycle);
            assert_int_equal(s.ready, cycle == 1 + ahead[i]);
        }
    }
}

TEST(a_core_that_slept_for_long_finds_all_due_warps_ready) {
    SCOREBOARD(s);
    scoreboard_advance(&s, 1);
    for (unsigned w = 0; w < SCOREBOARD_WARPS_MAX; w++) {
        scoreboard_write(&s, w, w, 2 + 5 * w);
        expect_mask(&s, w, BIT(w), 2);
    }
    scoreboard_advance(&s, 2 + 5 * 40);
    for (unsigned w = 0; w < SCOREBOARD_WARPS_MAX; w++) {
        assert_int_equal(s.ready >> w & 1, w <= 40);
    }
}

/* A core that has slept gets a CTA: the scoreboard learns of the cycle only at the next advance. */
TEST(a_warp_that_starts_after_a_sleep_is_ready_in_its_first_cycle) {
    static struct scoreboard s;
    static const unsigned slept[] = {1, 2, 63, 64, 65, 127, 128, 100000};
    for (unsigned i = 0; i < sizeof slept / sizeof *slept; i++) {
        scoreboard_init(&s);
        scoreboard_advance(&s, 500);
        scoreboard_reset_warp(&s, 11);
        expect_mask(&s, 11, BIT(1), 500 + slept[i]);
        assert_true(s.ready == 0);
        scoreboard_advance(&s, 500 + slept[i]);
        assert_true(s.ready == BIT(11));
    }
}

TEST(a_forgotten_warp_is_neither_ready_nor_blocked) {
    SCOREBOARD(s);
    scoreboard_advance(&s, 1);
    expect_mask(&s, 0, 0, 1);
    scoreboard_load(&s, 1, 0);
    expect_mask(&s, 1, BIT(0), 1);
    scoreboard_forget(&s, 0);
    scoreboard_forget(&s, 1);
    assert_true(s.ready == 0 && s.blocked == 0);
    scoreboard_release(&s, 1, 0, 5);
    assert_true(s.ready == 0 && s.blocked == 0);
}

/* The reference: for each warp what it needs and when each register can be read; asked anew every
 * cycle. */
enum { WARPS = 8 };

struct naive_warp {
    bool waits;
    uint64_t needed, pending, first, ready_at[REG_COUNT];
};

static bool naive_blocked(const struct naive_warp *w) {
    return w->waits && w->needed & w->pending;
}

static uint64_t naive_ready_at(const struct naive_warp *w) {
    uint64_t at = w->first;
    for (unsigned r = 0; r < 64; r++) {
        if (w->needed >> r & 1 && w->ready_at[r] > at) {
            at = w->ready_at[r];
        }
    }
    return at;
}

static void compare_with_naive(const struct scoreboard *s, const struct naive_warp *naive,
                               uint64_t cycle) {
    uint64_t ready = 0, blocked = 0, next = NEVER;
    for (unsigned w = 0; w < WARPS; w++) {
        if (naive_blocked(&naive[w])) {
            blocked |= BIT(w);
        } else if (naive[w].waits && naive_ready_at(&naive[w]) <= cycle) {
            ready |= BIT(w);
        } else if (naive[w].waits) {
            uint64_t at = naive_ready_at(&naive[w]);
            next = at < next ? at : next;
        }
    }
    assert_true(s->ready == ready);
    assert_true(s->blocked == blocked);
    /* It may look too early at what lies beyond the ring, and at a warp that went away; never too
     * late. */
    assert_true(scoreboard_next(s) > cycle && scoreboard_next(s) <= next);
}

static uint64_t some_registers(struct rng *rng) {
    uint64_t registers = 0;
    for (unsigned i = rng_below(rng, 4); i; i--) {
        registers |= BIT(rng_below(rng, 6) * 12 + 3);
    }
    return registers;
}

static void issue_insn(struct scoreboard *s, struct naive_warp *n, struct rng *rng, unsigned w,
                       uint64_t cycle) {
    unsigned dst = rng_below(rng, 6) * 12 + 3;
    scoreboard_forget(s, w);
    n->waits = false;
    if (n->needed >> dst & 1 &&
        !(n->pending >> dst & 1)) { /* a written register is among those of the instruction */
        if (rng_chance(rng, 1, 3)) {
            scoreboard_load(s, w, dst);
            n->pending |= BIT(dst);
            n->ready_at[dst] = 0;
        } else {
            n->ready_at[dst] = cycle + 1 + rng_below(rng, rng_chance(rng, 1, 4) ? 300 : 20);
            scoreboard_write(s, w, dst, n->ready_at[dst]);
        }
    }
    if (rng_chance(rng, 9, 10)) { /* else it is at a barrier */
        n->needed = some_registers(rng);
        n->first = cycle + 1;
        n->waits = true;
        expect_mask(s, w, n->needed, cycle + 1);
    }
}

static void answer_load(struct scoreboard *s, struct naive_warp *n, struct rng *rng, unsigned w,
                        uint64_t cycle) {
    unsigned reg = (unsigned)__builtin_ctzll(n->pending);
    uint64_t at = cycle + rng_below(rng, 5);
    n->ready_at[reg] = at > n->ready_at[reg] ? at : n->ready_at[reg];
    scoreboard_data(s, w, reg, at);
    if (rng_chance(rng, 1, 2)) {
        n->pending &= ~BIT(reg);
        scoreboard_release(s, w, reg, cycle);
    }
}

TEST(random_programs_agree_with_asking_every_cycle) {
    static struct scoreboard s;
    struct rng rng = seeded_rng(0);
    struct naive_warp naive[WARPS];
    uint64_t cycle = 1, last = 1, issued = 0, answered = 0, jumped = 0;
    memset(naive, 0, sizeof naive);
    scoreboard_init(&s);
    for (unsigned step = 0; step < 300000; step++) {
        scoreboard_advance(&s, cycle);
        compare_with_naive(&s, naive, cycle);
        for (unsigned w = 0; w < WARPS; w++) {
            if (!naive[w].waits && rng_chance(&rng, 1, 20)) { /* past its barrier, or a new warp */
                if (!naive[w].pending && rng_chance(&rng, 1, 4)) {
                    scoreboard_reset_warp(&s, w);
                    memset(&naive[w], 0, sizeof naive[w]);
                }
                naive[w].needed = some_registers(&rng);
                naive[w].first = cycle;
                naive[w].waits = true;
                expect_mask(&s, w, naive[w].needed, cycle);
            }
            if (naive[w].pending && rng_chance(&rng, 1, 8)) {
                answer_load(&s, &naive[w], &rng, w, cycle);
                answered++;
            }
            if (s.ready >> w & 1 && rng_chance(&rng, 1, 2)) {
                issue_insn(&s, &naive[w], &rng, w, cycle);
                issued++;
            }
        }
        compare_with_naive(&s, naive, cycle);
        last = cycle;
        /* Every cycle, or as a core that sleeps does: to the next cycle in which something is
         * ready. */
        uint64_t next = scoreboard_next(&s);
        cycle += rng_chance(&rng, 1, 30) ? 1 + rng_below(&rng, 200) : 1;
        cycle = rng_chance(&rng, 1, 10) && next != NEVER ? next : cycle;
        jumped += cycle - last > SCOREBOARD_RING;
    }
    assert_true(issued > 100000 && answered > 10000 && jumped > 1000);
}

/* scoreboard_forget() is for a warp that has just issued; this one for any. */
TEST(a_cancelled_warp_does_not_come_back_from_the_ring) {
    SCOREBOARD(s);
    scoreboard_advance(&s, 10);
    expect_mask(&s, 1, 0, 15);
    expect_mask(&s, 2, 0, 15);
    expect_mask(&s, 3, 0, 20);
    scoreboard_cancel(&s, 1);
    scoreboard_cancel(&s, 3);
    assert_true(scoreboard_next(&s) == 15);
    scoreboard_advance(&s, 15);
    assert_true(s.ready == BIT(2) && scoreboard_next(&s) == NEVER);
    scoreboard_cancel(&s, 2);
    scoreboard_advance(&s, 200);
    assert_true(s.ready == 0 && s.blocked == 0);
}
