/* SPDX-License-Identifier: Apache-2.0
 * Sections in the names are those of Jia, Shaw, Martonosi, HPCA 2014. */
#include "common/bench.h"
#include "contract/block_test.h"
#include "l1/mrpb.h"

/* --- one behaviour a test --- */

static const struct mrpb_params *params_of(const struct bench *b) {
    return (const struct mrpb_params *)b->pair.ports.params;
}

static struct mrpb_in *in_of(struct bench *b) {
    return b->pair.in;
}

static const struct mrpb_out *out_of(const struct bench *b) {
    return b->pair.c_out;
}

enum { READ = 0, WRITE = 1 };

/* Drives a request in this cycle; true if it enters at the edge. The edge is still to come. */
static bool drive(struct bench *b, unsigned queue, bool write, unsigned tag) {
    struct mrpb_in *in = in_of(b);
    in->enq_valid = true;
    in->enq_queue = (uint8_t)queue;
    in->enq_write = write;
    in->enq_data[0] = tag;
    bench_comb(b);
    return out_of(b)->enq_ready;
}

/* A request enters in this cycle. */
static void enter(struct bench *b, unsigned queue, bool write, unsigned tag) {
    assert_true(drive(b, queue, write, tag));
    bench_edge(b);
}

static void assert_no_offer(struct bench *b) {
    bench_comb(b);
    assert_false(out_of(b)->deq_valid);
}

static void assert_offer(struct bench *b, unsigned queue, bool write, unsigned tag) {
    if (!b->settled) {
        bench_comb(b);
    }
    assert_true(out_of(b)->deq_valid);
    assert_int_equal(out_of(b)->deq_queue, queue);
    assert_int_equal(out_of(b)->deq_write, write);
    assert_int_equal(out_of(b)->deq_data[0], tag);
}

/* The offer is as said, and is taken at this edge. */
static void take(struct bench *b, unsigned queue, bool write, unsigned tag) {
    assert_offer(b, queue, write, tag);
    in_of(b)->deq_ready = true;
    bench_edge(b);
}

/* Until every read that has entered can be selected. */
static void ripen(struct bench *b) {
    bench_idle(b, params_of(b)->LATENCY);
}

/* The outbound buffer holds a read of queue 0 with tag 99, everything else is empty. */
static void occupy_buffer(struct bench *b) {
    enter(b, 0, READ, 99);
    ripen(b);
    assert_offer(b, 0, READ, 99);
}

static void test_3_1_a_read_reaches_the_cache_latency_cycles_after_it_entered(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        enter(b, 1, READ, 42);
        for (unsigned cycle = 1; cycle < params_of(b)->LATENCY; cycle++) {
            assert_no_offer(b);
            bench_edge(b);
        }
        take(b, 1, READ, 42);
        assert_no_offer(b);
    }
}

static void test_3_1_a_full_queue_stalls_the_memory_stage(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        const struct mrpb_params *p = params_of(b);
        unsigned entered = 0;
        for (unsigned cycle = 0; cycle < 2 * (p->DEPTH + p->LATENCY); cycle++) {
            entered += drive(b, 1, READ, entered);
            bench_edge(b);
        }
        assert_int_equal(entered, p->DEPTH + 1); /* one stands in the outbound buffer */
        assert_true(drive(b, 0, READ, 0));       /* other queues take reads */
        assert_false(drive(b, 1, READ, 0));
        assert_false(drive(b, 1, WRITE, 0));
    }
}

static void test_3_2_reads_of_a_queue_keep_their_order(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        const struct mrpb_params *p = params_of(b);
        for (unsigned round = 0; round < 3; round++) { /* the pointers wrap */
            for (unsigned i = 0; i < p->DEPTH; i++) {
                enter(b, p->QUEUES - 1, READ, 10 * round + i);
            }
            ripen(b);
            for (unsigned i = 0; i < p->DEPTH; i++) {
                take(b, p->QUEUES - 1, READ, 10 * round + i);
            }
        }
    }
}

static void test_3_3_fixed_order_drains_the_lowest_queue_first(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        const struct mrpb_params *p = params_of(b);
        occupy_buffer(b);
        for (unsigned queue = p->QUEUES; queue-- > 0;) {
            enter(b, queue, READ, queue);
        }
        ripen(b);
        take(b, 0, READ, 99);
        for (unsigned queue = 0; queue < p->QUEUES; queue++) {
            take(b, queue, READ, queue);
        }
        assert_no_offer(b);
    }
}

static void test_3_3_a_lower_queue_preempts_a_higher_one(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        unsigned last = params_of(b)->QUEUES - 1;
        occupy_buffer(b);
        enter(b, last, READ, 1);
        enter(b, last, READ, 2);
        ripen(b);
        take(b, 0, READ, 99);
        enter(b, 0, READ, 3);
        ripen(b);
        take(b, last, READ, 1); /* it stood in the buffer already */
        take(b, 0, READ, 3);
        take(b, last, READ, 2);
    }
}

static void test_3_3_flush_rule_1_a_full_queue_is_drained_before_lower_ones(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        const struct mrpb_params *p = params_of(b);
        unsigned last = p->QUEUES - 1;
        occupy_buffer(b);
        enter(b, 0, READ, 50);
        for (unsigned i = 0; i < p->DEPTH; i++) {
            enter(b, last, READ, i);
        }
        ripen(b);
        assert_false(drive(b, last, READ, 60));
        take(b, 0, READ, 99);                  /* selected at this edge: the full queue */
        assert_true(drive(b, last, READ, 60)); /* one item was drained, which makes its place */
        take(b, last, READ, 0);
        take(b, 0, READ, 50);
        take(b, last, READ, 1);
    }
}

static void test_3_3_flush_rule_1_needs_a_waiting_read(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        const struct mrpb_params *p = params_of(b);
        unsigned last = p->QUEUES - 1;
        occupy_buffer(b);
        enter(b, 0, READ, 50);
        for (unsigned i = 0; i < p->DEPTH; i++) {
            enter(b, last, READ, i);
        }
        ripen(b);
        assert_false(drive(b, last, READ, 60));
        in_of(b)->enq_valid = false;
        bench_comb(b);
        take(b, 0, READ, 99);
        take(b, 0, READ, 50);
        take(b, last, READ, 0);
    }
}

static void test_3_3_flush_rule_2_a_write_empties_its_queue_then_passes(void **state) {
    (void)state;
    for (unsigned stored = 1; stored <= MRPB_DEPTH_MAX; stored++) {
        FOR_EACH_SET(b) {
            const struct mrpb_params *p = params_of(b);
            unsigned last = p->QUEUES - 1;
            if (stored > p->DEPTH) {
                continue;
            }
            occupy_buffer(b);
            for (unsigned i = 0; i < stored; i++) {
                enter(b, last, READ, i);
            }
            enter(b, 0, READ, 50);
            ripen(b);
            for (unsigned i = 0; i < stored; i++) { /* one item a cycle */
                assert_false(drive(b, last, WRITE, 77));
                take(b, i == 0 ? 0 : last, READ, i == 0 ? 99 : i - 1);
            }
            assert_true(drive(b, last, WRITE, 77));
            take(b, last, READ, stored - 1);
            take(b, 0, READ, 50); /* selected at the edge at which the write entered */
            take(b, last, WRITE, 77);
            assert_no_offer(b);
        }
    }
}

static void test_3_3_flush_rule_2_waits_for_a_read_in_the_delay_line(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        const struct mrpb_params *p = params_of(b);
        enter(b, 1, READ, 1);
        for (unsigned cycle = 1; cycle < p->LATENCY; cycle++) {
            assert_false(drive(b, 1, WRITE, 2));
            bench_edge(b);
        }
        assert_true(drive(b, 1, WRITE, 2));
        take(b, 1, READ, 1);
        take(b, 1, WRITE, 2);
    }
}

static void test_3_3_a_write_to_an_empty_queue_passes_at_once(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        enter(b, 1, WRITE, 5);
        take(b, 1, WRITE, 5);
        assert_no_offer(b);
    }
}

static void test_3_3_a_later_read_does_not_overtake_the_write(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        const struct mrpb_params *p = params_of(b);
        enter(b, 0, WRITE, 5);
        enter(b, 0, READ, 6);
        for (unsigned cycle = 0; cycle < 2 * p->LATENCY; cycle++) {
            assert_offer(b, 0, WRITE, 5);
            bench_edge(b);
        }
        take(b, 0, WRITE, 5); /* selected at this edge: the read */
        take(b, 0, READ, 6);
        assert_no_offer(b);
    }
}

static void test_3_3_a_later_read_does_not_overtake_the_second_write(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        enter(b, 1, WRITE, 4);
        enter(b, 0, WRITE, 5);
        enter(b, 0, READ, 6);
        enter(b, 1, READ, 7);
        ripen(b);
        take(b, 1, WRITE, 4); /* selected at this edge: nothing, not even of the other warp */
        take(b, 0, WRITE, 5);
        take(b, 0, READ, 6);
        take(b, 1, READ, 7);
        assert_no_offer(b);
    }
}

static void test_3_3_a_write_does_not_overtake_the_read_of_its_warp_selected_before(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        enter(b, 0, WRITE, 4);
        enter(b, 1, READ, 5);
        ripen(b);
        assert_false(drive(b, 1, WRITE, 6)); /* the second slot is free, its queue is not empty */
        take(b, 0, WRITE, 4);                /* selected at this edge: the read of that queue */
        enter(b, 1, WRITE, 6);
        take(b, 1, READ, 5);
        take(b, 1, WRITE, 6);
        assert_no_offer(b);
    }
}

static void test_a_write_waits_behind_the_offered_read(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        occupy_buffer(b);
        enter(b, 0, WRITE, 5);
        assert_offer(b, 0, READ, 99);
        bench_edge(b);
        take(b, 0, READ, 99);
        take(b, 0, WRITE, 5);
        assert_no_offer(b);
    }
}

static void test_a_write_waits_behind_a_write(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        occupy_buffer(b);
        enter(b, 1, WRITE, 1);
        enter(b, 0, WRITE, 2);
        bench_idle(b, 3);
        take(b, 0, READ, 99);
        take(b, 1, WRITE, 1);
        take(b, 0, WRITE, 2);
        assert_no_offer(b);
    }
}

static void test_a_write_waits_for_the_second_write_slot(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        enter(b, 0, WRITE, 1);
        enter(b, 0, WRITE, 2);
        assert_false(drive(b, 1, WRITE, 3)); /* another queue, empty */
        bench_edge(b);
        assert_false(drive(b, 1, WRITE, 3)); /* the slot that frees at this edge is not free yet */
        take(b, 0, WRITE, 1);
        assert_true(drive(b, 1, WRITE, 3));
        take(b, 0, WRITE, 2);
        take(b, 1, WRITE, 3);
        assert_no_offer(b);
    }
}

static void test_reads_enter_while_writes_stand_in_both_slots(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        const struct mrpb_params *p = params_of(b);
        enter(b, 0, WRITE, 5);
        enter(b, 0, WRITE, 6);
        for (unsigned i = 0; i < p->DEPTH; i++) {
            enter(b, 0, READ, i);
        }
        assert_false(drive(b, 0, READ, 0));
        assert_true(drive(b, 1, READ, 0));
    }
}

static void test_3_4_a_read_refused_for_associativity_bypasses(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        occupy_buffer(b);
        enter(b, 0, READ, 1);
        ripen(b);
        assert_offer(b, 0, READ, 99);
        assert_false(out_of(b)->deq_bypass);
        in_of(b)->deq_assoc_stall = true;
        bench_edge(b);
        for (unsigned cycle = 0; cycle < 3; cycle++) { /* until it is taken */
            assert_offer(b, 0, READ, 99);
            assert_true(out_of(b)->deq_bypass);
            bench_edge(b);
        }
        take(b, 0, READ, 99);
        assert_offer(b, 0, READ, 1);
        assert_false(out_of(b)->deq_bypass);
    }
}

static void test_3_4_a_read_refused_for_another_cause_does_not_bypass(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        occupy_buffer(b);
        bench_idle(b, 3);
        assert_offer(b, 0, READ, 99);
        assert_false(out_of(b)->deq_bypass);
    }
}

static void test_3_4_a_stall_signal_without_refusal_means_nothing(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        in_of(b)->deq_assoc_stall = true; /* nothing is offered */
        bench_edge(b);
        occupy_buffer(b);
        assert_false(out_of(b)->deq_bypass);
        enter(b, 0, READ, 1);
        ripen(b);
        in_of(b)->deq_assoc_stall = true; /* taken all the same */
        take(b, 0, READ, 99);
        assert_offer(b, 0, READ, 1);
        assert_false(out_of(b)->deq_bypass);
    }
}

static void test_3_4_a_write_never_bypasses(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        enter(b, 0, WRITE, 1);
        for (unsigned cycle = 0; cycle < 3; cycle++) {
            assert_offer(b, 0, WRITE, 1);
            assert_false(out_of(b)->deq_bypass);
            in_of(b)->deq_assoc_stall = true;
            bench_edge(b);
        }
    }
}

static void test_3_5_in_steady_state_one_read_enters_and_one_leaves_each_cycle(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        const struct mrpb_params *p = params_of(b);
        for (unsigned cycle = 0; cycle < 10 * p->LATENCY; cycle++) {
            assert_true(drive(b, cycle % 2, READ, cycle));
            assert_int_equal(out_of(b)->deq_valid, cycle >= p->LATENCY);
            in_of(b)->deq_ready = true;
            bench_edge(b);
        }
    }
}

static void test_3_5_in_steady_state_one_write_enters_and_one_leaves_each_cycle(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        enter(b, 0, WRITE, 0);
        for (unsigned i = 1; i < 50; i++) {
            assert_true(drive(b, i % 2, WRITE, i));
            take(b, (i - 1) % 2, WRITE, i - 1);
        }
        in_of(b)->enq_valid = false;
        bench_comb(b);
        take(b, 1, WRITE, 49);
        assert_no_offer(b);
    }
}

/* Reads of one warp in turn with writes of another, from whatever state the cache leaves behind
 * when it takes nothing for a while. A queue that was full for that long may run empty once, until
 * the next read has ripened. */
static void test_3_5_reads_and_writes_of_two_warps_pass_one_each_cycle(void **state) {
    (void)state;
    for (unsigned stalled = 0; stalled < 12; stalled++) {
        FOR_EACH_SET(b) {
            unsigned latency = params_of(b)->LATENCY;
            unsigned entered = 0, left = 0;
            for (unsigned cycle = 0; cycle < 100; cycle++) {
                bool enters = drive(b, entered % 2, entered % 2 ? WRITE : READ, entered);
                if (cycle >= 3 * latency + stalled) {
                    assert_true(enters && out_of(b)->deq_valid);
                }
                in_of(b)->deq_ready = cycle < latency || cycle >= latency + stalled;
                left += out_of(b)->deq_valid && in_of(b)->deq_ready;
                entered += enters;
                bench_edge(b);
            }
            assert_true(left > 100 - 2 * latency - stalled);
        }
    }
}

/* The writes leave the reads a share, although one could enter each cycle. */
static void test_3_5_a_stream_of_writes_does_not_starve_the_reads(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        enter(b, 1, READ, 50);
        enter(b, 1, READ, 51);
        ripen(b);
        unsigned reads = 0;
        for (unsigned cycle = 0; cycle < 6; cycle++) {
            (void)drive(b, 0, WRITE, cycle);
            assert_true(out_of(b)->deq_valid);
            reads += !out_of(b)->deq_write;
            in_of(b)->deq_ready = true;
            bench_edge(b);
        }
        assert_int_equal(reads, 2);
    }
}

static void test_a_reset_empties_everything_and_lets_nothing_in(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        const struct mrpb_params *p = params_of(b);
        occupy_buffer(b);
        enter(b, 0, WRITE, 5);
        enter(b, 0, WRITE, 6);
        for (unsigned i = 0; i < p->DEPTH; i++) {
            enter(b, 1, READ, i);
        }
        in_of(b)->rst = true;
        (void)drive(b, 0, READ, 1);
        bench_edge(b);
        for (unsigned cycle = 0; cycle < 2 * p->LATENCY; cycle++) {
            assert_true(drive(b, 1, WRITE, 1)); /* empty queue, free slot */
            in_of(b)->enq_valid = false;
            assert_no_offer(b);
            bench_edge(b);
        }
    }
}

static void test_quiet_when_nothing_can_move(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        const struct mrpb_params *p = params_of(b);
        assert_true(bench_quiet(b)); /* empty */
        enter(b, 1, READ, 1);
        for (unsigned cycle = 1; cycle < p->LATENCY; cycle++) {
            assert_false(bench_quiet(b)); /* it ripens */
            bench_edge(b);
        }
        assert_true(bench_quiet(b)); /* offered and not taken */
        in_of(b)->deq_assoc_stall = true;
        assert_false(bench_quiet(b)); /* the bypass flag will rise */
        bench_edge(b);
        in_of(b)->deq_assoc_stall = true;
        assert_true(bench_quiet(b)); /* it has risen */
        in_of(b)->deq_ready = true;
        assert_false(bench_quiet(b));
    }
}

static void test_quiet_with_writes_that_are_not_taken(void **state) {
    (void)state;
    FOR_EACH_SET(b) {
        enter(b, 0, WRITE, 1);
        enter(b, 0, READ, 2);
        ripen(b);
        assert_true(bench_quiet(b)); /* the read may not be selected */
        (void)drive(b, 1, WRITE, 3);
        assert_false(bench_quiet(b)); /* it will enter the second slot */
        bench_edge(b);
        (void)drive(b, 1, WRITE, 4);
        assert_true(bench_quiet(b)); /* no slot is free */
        in_of(b)->deq_ready = true;
        assert_false(bench_quiet(b));
    }
}

/* --- random stimulus --- */

enum point {
    EVERYTHING_EMPTY,
    QUEUE_FULL,
    ALL_QUEUES_HOLD_ONE,
    HEAD_WRAPS,
    TAIL_WRAPS,
    IN_AND_OUT_SAME_QUEUE,
    IN_AND_OUT_OTHER_QUEUE,
    DELAY_LINE_FULL,
    LAST_QUEUE_BY_ORDER,
    FLUSH_OF_FULL_QUEUE,
    FLUSH_WAITS_FOR_DELAY_LINE,
    FLUSH_WAITS_FOR_BUFFER,
    WRITE_TO_EMPTY_QUEUE,
    WRITE_BEHIND_READ,
    WRITE_WITH_SELECTION,
    WRITE_WAITS_FOR_SLOT,
    WRITE_SLOTS_FULL,
    WRITE_SLOTS_OF_ONE_QUEUE,
    WRITE_IN_AND_OUT,
    SELECTION_AS_LAST_WRITE_LEAVES,
    WRITE_IN_AND_OUT_WITH_SELECTION,
    NO_SELECTION_AS_FIRST_WRITE_LEAVES,
    READ_BEHIND_WRITE,
    READ_BEHIND_SECOND_WRITE,
    BYPASS_SET,
    BYPASS_TAKEN,
    STALL_WITHOUT_BYPASS,
    STALLED_WRITE,
    STALL_AND_READY,
    RESET_AT_WORK,
    QUIET_EMPTY,
    QUIET_STALLED,
    REQUEST_WITHDRAWN,
    WRITE_FINDS_1,
    WRITE_FINDS_8 = WRITE_FINDS_1 + 7,
    POINTS
};

static const char *const points[POINTS + 1] = {
    [EVERYTHING_EMPTY] = "everything empty",
    [QUEUE_FULL] = "a queue full",
    [ALL_QUEUES_HOLD_ONE] = "every queue holds one",
    [HEAD_WRAPS] = "head wraps",
    [TAIL_WRAPS] = "tail wraps",
    [IN_AND_OUT_SAME_QUEUE] = "in and out of one queue",
    [IN_AND_OUT_OTHER_QUEUE] = "in and out of two queues",
    [DELAY_LINE_FULL] = "delay line full",
    [LAST_QUEUE_BY_ORDER] = "last queue in order",
    [FLUSH_OF_FULL_QUEUE] = "rule 1 against order",
    [FLUSH_WAITS_FOR_DELAY_LINE] = "flush finds nothing selectable",
    [FLUSH_WAITS_FOR_BUFFER] = "flush finds buffer occupied",
    [WRITE_TO_EMPTY_QUEUE] = "write to empty queue",
    [WRITE_BEHIND_READ] = "write behind read",
    [WRITE_WITH_SELECTION] = "write enters with a selection",
    [WRITE_WAITS_FOR_SLOT] = "write waits for slot",
    [WRITE_SLOTS_FULL] = "both write slots full",
    [WRITE_SLOTS_OF_ONE_QUEUE] = "two writes of one queue",
    [WRITE_IN_AND_OUT] = "write enters while one leaves",
    [SELECTION_AS_LAST_WRITE_LEAVES] = "selection as last write leaves",
    [WRITE_IN_AND_OUT_WITH_SELECTION] = "write in, write out, selection",
    [NO_SELECTION_AS_FIRST_WRITE_LEAVES] = "second write stops selection",
    [READ_BEHIND_WRITE] = "read waits behind write of its queue",
    [READ_BEHIND_SECOND_WRITE] = "read waits behind second write",
    [BYPASS_SET] = "bypass set",
    [BYPASS_TAKEN] = "bypass taken",
    [STALL_WITHOUT_BYPASS] = "refused without bypass",
    [STALLED_WRITE] = "write refused for associativity",
    [STALL_AND_READY] = "taken with stall",
    [RESET_AT_WORK] = "reset at work",
    [QUIET_EMPTY] = "quiet empty",
    [QUIET_STALLED] = "quiet stalled",
    [REQUEST_WITHDRAWN] = "request withdrawn",
    [WRITE_FINDS_1] = "write finds 1",
    [WRITE_FINDS_1 + 1] = "write finds 2",
    [WRITE_FINDS_1 + 2] = "write finds 3",
    [WRITE_FINDS_1 + 3] = "write finds 4",
    [WRITE_FINDS_1 + 4] = "write finds 5",
    [WRITE_FINDS_1 + 5] = "write finds 6",
    [WRITE_FINDS_1 + 6] = "write finds 7",
    [WRITE_FINDS_8] = "write finds 8",
};

static bool unreachable(const void *params, unsigned point) {
    const struct mrpb_params *p = params;
    return point >= WRITE_FINDS_1 && point - WRITE_FINDS_1 >= p->DEPTH;
}

/* Phases with traffic of their own, so that rare states come often in some of them. */
struct mrpb_stimulus {
    unsigned left;         /* cycles of this phase */
    unsigned base, span;   /* queues that requests go to */
    unsigned busy, writes; /* in 16 */
    unsigned ready, stall; /* in 16 */
    unsigned patience;     /* in 16: keeps asking */
    bool waiting;          /* a request was refused in the last cycle */
    bool withdrawn;        /* and is not there any more */
};

static void new_phase(struct mrpb_stimulus *st, const struct mrpb_params *p, struct rng *rng) {
    static const unsigned often[] = {0, 1, 4, 8, 12, 15, 16, 16};
    st->left = 1 + rng_below(rng, rng_chance(rng, 1, 4) ? 400 : 60);
    st->span = rng_chance(rng, 1, 2) ? p->QUEUES : 1 + rng_below(rng, 3);
    st->span = st->span > p->QUEUES ? p->QUEUES : st->span;
    st->base = rng_below(rng, p->QUEUES - st->span + 1);
    st->busy = often[rng_below(rng, 8)];
    st->writes = (unsigned[]){0, 0, 1, 2, 6, 16}[rng_below(rng, 6)];
    st->ready = often[rng_below(rng, 8)];
    st->stall = often[rng_below(rng, 8)];
    st->patience = rng_chance(rng, 1, 4) ? 8 : 16;
}

static void early(void *self, const struct lockstep_now *now, void *input) {
    struct mrpb_stimulus *st = self;
    const struct mrpb_params *p = now->params;
    struct mrpb_in *in = input;
    if (st->left-- == 0) {
        new_phase(st, p, now->rng);
    }
    in->rst = rng_chance(now->rng, 1, 3000);
    st->withdrawn = st->waiting && !rng_chance(now->rng, st->patience, 16);
    if (st->waiting && !st->withdrawn) {
        return;
    }
    in->enq_valid = rng_chance(now->rng, st->busy, 16);
    in->enq_queue = (uint8_t)(st->base + rng_below(now->rng, st->span));
    in->enq_write = rng_chance(now->rng, st->writes, 16);
    for (unsigned i = 0; i < MRPB_DATA_WORDS; i++) {
        in->enq_data[i] = rng_next(now->rng);
    }
}

static void late(void *self, const struct lockstep_now *now, const void *output, void *input) {
    struct mrpb_stimulus *st = self;
    const struct mrpb_out *out = output;
    struct mrpb_in *in = input;
    in->deq_ready = rng_chance(now->rng, st->ready, 16);
    in->deq_assoc_stall = rng_chance(now->rng, st->stall, 16);
    st->waiting = in->enq_valid && !out->enq_ready;
}

static void cover(void *self, const struct lockstep_now *now, const void *input, const void *output,
                  uint64_t *counts) {
    const struct mrpb_params *p = now->params;
    const struct mrpb *s = now->state;
    const struct mrpb_in *in = input;
    const struct mrpb_out *out = output;
    const struct mrpb_stimulus *st = self;
    bool refused = out->deq_valid && !in->deq_ready;
    bool taken = out->deq_valid && in->deq_ready;
    bool waits = in->enq_valid && !out->enq_ready;
    bool enters = in->enq_valid && out->enq_ready;
    unsigned writes_stay = s->writes - (taken && out->deq_write);
    bool room = writes_stay == 0 && (!s->read_valid || in->deq_ready);
    bool ripe = s->nonempty >> in->enq_queue & 1;
    bool selects = room && s->nonempty;
    unsigned lowest = s->nonempty ? (unsigned)__builtin_ctzll(s->nonempty) : 0;
    unsigned pick = waits && ripe ? in->enq_queue : lowest;
    unsigned stages = p->LATENCY - 2;
    unsigned total = 0, least = ~0u, most = 0;

    if (in->rst) {
        counts[RESET_AT_WORK] += out->deq_valid && s->nonempty && s->delay_valid && enters;
        return;
    }
    for (unsigned queue = 0; queue < p->QUEUES; queue++) {
        unsigned count = s->count[queue];
        total += count;
        least = count < least ? count : least;
        most = count > most ? count : most;
    }
    counts[EVERYTHING_EMPTY] += total == 0 && !out->deq_valid;
    counts[QUEUE_FULL] += most == p->DEPTH;
    counts[ALL_QUEUES_HOLD_ONE] += least >= 1;
    counts[DELAY_LINE_FULL] += s->delay_valid == (1u << stages) - 1;

    bool read_enters = enters && !in->enq_write;
    unsigned tail = (s->head[in->enq_queue] + s->count[in->enq_queue]) % p->DEPTH;
    counts[HEAD_WRAPS] += selects && s->head[pick] == p->DEPTH - 1;
    counts[TAIL_WRAPS] += read_enters && tail == p->DEPTH - 1;
    counts[IN_AND_OUT_SAME_QUEUE] += selects && read_enters && pick == in->enq_queue;
    counts[IN_AND_OUT_OTHER_QUEUE] += selects && read_enters && pick != in->enq_queue;
    counts[LAST_QUEUE_BY_ORDER] += selects && lowest == p->QUEUES - 1 && !waits;

    counts[FLUSH_OF_FULL_QUEUE] += waits && !in->enq_write && selects && ripe && pick > lowest;
    counts[FLUSH_WAITS_FOR_DELAY_LINE] += waits && selects && !ripe;
    counts[FLUSH_WAITS_FOR_BUFFER] += waits && ripe && !room;
    if (waits && in->enq_write && selects && ripe) {
        unsigned found = s->count[in->enq_queue];
        counts[WRITE_FINDS_1 + (found > 8 ? 8 : found) - 1]++;
    }

    bool write_enters = enters && in->enq_write;
    bool write_leaves = taken && out->deq_write;
    bool full = s->writes == MRPB_WRITE_SLOTS;
    counts[WRITE_TO_EMPTY_QUEUE] += write_enters;
    counts[WRITE_WITH_SELECTION] += write_enters && selects;
    counts[WRITE_BEHIND_READ] += s->writes > 0 && s->read_valid && taken;
    counts[WRITE_WAITS_FOR_SLOT] += waits && in->enq_write && full && s->count[in->enq_queue] == 0;
    counts[WRITE_SLOTS_FULL] += full;
    counts[WRITE_SLOTS_OF_ONE_QUEUE] += full && s->write_queue[0] == s->write_queue[1];
    counts[WRITE_IN_AND_OUT] += write_enters && write_leaves;
    counts[SELECTION_AS_LAST_WRITE_LEAVES] += write_leaves && selects;
    counts[WRITE_IN_AND_OUT_WITH_SELECTION] += write_enters && write_leaves && selects;
    counts[NO_SELECTION_AS_FIRST_WRITE_LEAVES] += write_leaves && full && s->nonempty;
    counts[READ_BEHIND_WRITE] +=
        s->writes > 0 && !s->read_valid && s->selectable[s->write_queue[0]] > 0;
    counts[READ_BEHIND_SECOND_WRITE] +=
        full && !s->read_valid && s->selectable[s->write_queue[1]] > 0;

    counts[BYPASS_SET] += refused && s->read_valid && in->deq_assoc_stall && !s->read_bypass;
    counts[BYPASS_TAKEN] += taken && out->deq_bypass;
    counts[STALL_WITHOUT_BYPASS] += refused && s->read_valid && !in->deq_assoc_stall;
    counts[STALLED_WRITE] += refused && out->deq_write && in->deq_assoc_stall;
    counts[STALL_AND_READY] += taken && !out->deq_write && in->deq_assoc_stall && selects;
    counts[REQUEST_WITHDRAWN] += st->withdrawn;

    bool quiet = mrpb_quiet(s, in);
    counts[QUIET_EMPTY] += quiet && !out->deq_valid;
    counts[QUIET_STALLED] += quiet && out->deq_valid;
}

static const struct stimulus stimulus = {
    .size = sizeof(struct mrpb_stimulus),
    .points = points,
    .early = early,
    .late = late,
    .cover = cover,
    .unreachable = unreachable,
};

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_3_1_a_read_reaches_the_cache_latency_cycles_after_it_entered),
        cmocka_unit_test(test_3_1_a_full_queue_stalls_the_memory_stage),
        cmocka_unit_test(test_3_2_reads_of_a_queue_keep_their_order),
        cmocka_unit_test(test_3_3_fixed_order_drains_the_lowest_queue_first),
        cmocka_unit_test(test_3_3_a_lower_queue_preempts_a_higher_one),
        cmocka_unit_test(test_3_3_flush_rule_1_a_full_queue_is_drained_before_lower_ones),
        cmocka_unit_test(test_3_3_flush_rule_1_needs_a_waiting_read),
        cmocka_unit_test(test_3_3_flush_rule_2_a_write_empties_its_queue_then_passes),
        cmocka_unit_test(test_3_3_flush_rule_2_waits_for_a_read_in_the_delay_line),
        cmocka_unit_test(test_3_3_a_write_to_an_empty_queue_passes_at_once),
        cmocka_unit_test(test_3_3_a_later_read_does_not_overtake_the_write),
        cmocka_unit_test(test_3_3_a_later_read_does_not_overtake_the_second_write),
        cmocka_unit_test(test_3_3_a_write_does_not_overtake_the_read_of_its_warp_selected_before),
        cmocka_unit_test(test_a_write_waits_behind_the_offered_read),
        cmocka_unit_test(test_a_write_waits_behind_a_write),
        cmocka_unit_test(test_a_write_waits_for_the_second_write_slot),
        cmocka_unit_test(test_reads_enter_while_writes_stand_in_both_slots),
        cmocka_unit_test(test_3_4_a_read_refused_for_associativity_bypasses),
        cmocka_unit_test(test_3_4_a_read_refused_for_another_cause_does_not_bypass),
        cmocka_unit_test(test_3_4_a_stall_signal_without_refusal_means_nothing),
        cmocka_unit_test(test_3_4_a_write_never_bypasses),
        cmocka_unit_test(test_3_5_in_steady_state_one_read_enters_and_one_leaves_each_cycle),
        cmocka_unit_test(test_3_5_in_steady_state_one_write_enters_and_one_leaves_each_cycle),
        cmocka_unit_test(test_3_5_reads_and_writes_of_two_warps_pass_one_each_cycle),
        cmocka_unit_test(test_3_5_a_stream_of_writes_does_not_starve_the_reads),
        cmocka_unit_test(test_a_reset_empties_everything_and_lets_nothing_in),
        cmocka_unit_test(test_quiet_when_nothing_can_move),
        cmocka_unit_test(test_quiet_with_writes_that_are_not_taken),
    };
    return block_test_main(argc, argv, &stimulus, tests, sizeof tests / sizeof *tests);
}
