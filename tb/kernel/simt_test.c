/* SPDX-License-Identifier: Apache-2.0
 *
 * Control flow: which lanes take part in which instruction.
 */
#include <stdlib.h>
#include <string.h>

#include "base/unit_tests.h"
#include "cosim/rng.h"
#include "kernel/simt.h"
#include "kernel/trace_text.h"

/* In hexadecimal in the texts below:  0 BEFORE  1 BRANCH  2 THEN  3 ELSE  4 AFTER  5..7 OUTER  8..a
 * LOOP  b BODY ... */
enum {
    BEFORE,
    BRANCH,
    THEN,
    ELSE,
    AFTER,
    INSN_LOOP_NAMES(OUTER),
    INSN_LOOP_NAMES(LOOP),
    BODY,
    LEAVE,
    STAY,
    AGAIN,
    INSN_COUNT
};

static const struct insn insns[] = {
    INSN_ALU(BEFORE, OP_INT_ADD, 0, REG_NONE),
    INSN_BRANCH(BRANCH, 0),
    INSN_ALU(THEN, OP_INT_ADD, 0, 0),
    INSN_ALU(ELSE, OP_INT_ADD, 0, 0),
    INSN_ALU(AFTER, OP_INT_ADD, 0, 0),
    INSN_LOOP(OUTER),
    INSN_LOOP(LOOP),
    INSN_ALU(BODY, OP_INT_ADD, 0, 0),
    INSN_BRANCH(LEAVE, 0),
    INSN_ALU(STAY, OP_INT_ADD, 0, 0),
    INSN_BRANCH(AGAIN, 0),
};
static const struct kernel_code code = {
    .name = "test", .insns = insns, .insn_count = INSN_COUNT, .registers = 8, .shared_bytes = 0};

struct bench {
    struct simt *simt;
    struct cta_trace *trace;
    struct trace_text text;
};

static int setup_simt_bench(void **state) {
    struct bench *b = calloc(1, sizeof *b);
    b->simt = simt_create();
    b->trace = cta_trace_create();
    *state = b;
    return 0;
}

static int teardown_simt_bench(void **state) {
    FREED struct bench *b = *state;
    simt_destroy(b->simt);
    cta_trace_destroy(b->trace);
    return 0;
}

#define BENCH_TEST(name) TEST_OF(name, NULL, NULL, struct bench *b)

static void run_simt_kernel(struct bench *b, simt_kernel *kernel, unsigned threads,
                            const void *arguments) {
    const struct launch l = {&code, {1, 1, 1}, {threads, 1, 1}};
    assert_true(simt_run(b->simt, &l, 0, b->trace, kernel, arguments));
    assert_int_equal(b->trace->warp_count, (threads + WARP_SIZE - 1) / WARP_SIZE);
}

static const char *trace_of_warp(struct bench *b, unsigned w) {
    return trace_text(&b->text, &b->trace->warp[w], &code);
}

/* The first @arguments threads take the first branch. */
static void if_else(struct simt *s, const void *arguments) {
    const unsigned *first = arguments;
    struct simt_mask mask;
    simt_alu(s, BEFORE);
    SIMT_WHERE(s, mask, t, t < *first);
    SIMT_IF(s, BRANCH, &mask) {
        simt_alu(s, THEN);
    }
    SIMT_ELSE(s) {
        simt_alu(s, ELSE);
    }
    simt_alu(s, AFTER);
}

BENCH_TEST(a_divergent_if_runs_both_branches_and_meets_again) {
    run_simt_kernel(b, if_else, 32, &(unsigned){8});
    assert_string_equal(trace_of_warp(b, 0),
                        "0:ffffffff 1:ffffffff 2:000000ff 3:ffffff00 4:ffffffff");
}

BENCH_TEST(a_branch_without_lanes_records_nothing) {
    run_simt_kernel(b, if_else, 96, &(unsigned){32 + 4});
    assert_string_equal(trace_of_warp(b, 0), "0:ffffffff 1:ffffffff 2:ffffffff 4:ffffffff");
    assert_string_equal(trace_of_warp(b, 1),
                        "0:ffffffff 1:ffffffff 2:0000000f 3:fffffff0 4:ffffffff");
    assert_string_equal(trace_of_warp(b, 2), "0:ffffffff 1:ffffffff 3:ffffffff 4:ffffffff");
    run_simt_kernel(b, if_else, 32, &(unsigned){0});
    assert_string_equal(trace_of_warp(b, 0), "0:ffffffff 1:ffffffff 3:ffffffff 4:ffffffff");
    run_simt_kernel(b, if_else, 32, &(unsigned){32});
    assert_string_equal(trace_of_warp(b, 0), "0:ffffffff 1:ffffffff 2:ffffffff 4:ffffffff");
}

BENCH_TEST(the_last_warp_may_have_fewer_threads) {
    run_simt_kernel(b, if_else, 32 + 11, &(unsigned){32 + 3});
    assert_string_equal(trace_of_warp(b, 0), "0:ffffffff 1:ffffffff 2:ffffffff 4:ffffffff");
    assert_string_equal(trace_of_warp(b, 1),
                        "0:000007ff 1:000007ff 2:00000007 3:000007f8 4:000007ff");
    run_simt_kernel(b, if_else, 1, &(unsigned){1});
    assert_string_equal(trace_of_warp(b, 0), "0:00000001 1:00000001 2:00000001 4:00000001");
}

static void nested_ifs_kernel(struct simt *s, const void *arguments) {
    (void)arguments;
    struct simt_mask low, even;
    SIMT_WHERE(s, low, t, t < 16);
    SIMT_WHERE(s, even, t, t % 2 == 0);
    SIMT_IF(s, BRANCH, &low) {
        SIMT_IF(s, BRANCH, &even) {
            simt_alu(s, THEN);
        }
        SIMT_ELSE(s) {
            simt_alu(s, ELSE);
        }
        simt_alu(s, BODY);
    }
    SIMT_ELSE(s) {
        SIMT_IF(s, BRANCH, &low) { /* nobody */
            simt_alu(s, THEN);
        }
        simt_alu(s, STAY);
    }
    simt_alu(s, AFTER);
}

BENCH_TEST(ifs_nest) {
    run_simt_kernel(b, nested_ifs_kernel, 32, NULL);
    assert_string_equal(trace_of_warp(b, 0),
                        "1:ffffffff 1:0000ffff 2:00005555 3:0000aaaa b:0000ffff "
                        "1:ffff0000 d:ffff0000 4:ffffffff");
}

/* Thread t iterates t % 4 + 1 times. */
static void bottom_tested(struct simt *s, const void *arguments) {
    (void)arguments;
    unsigned i[SIMT_THREADS];
    struct simt_mask again;
    SIMT_EACH(s, t) {
        i[t] = 0;
    }
    SIMT_LOOP(s, LOOP) {
        SIMT_ALU(s, BODY, t) {
            i[t]++;
        }
        SIMT_WHERE(s, again, t, i[t] <= t % 4);
        simt_while(s, AGAIN, &again);
    }
    simt_alu(s, AFTER);
}

BENCH_TEST(a_loop_goes_on_until_its_last_lane_leaves) {
    run_simt_kernel(b, bottom_tested, 32, NULL);
    assert_string_equal(trace_of_warp(b, 0), "8:ffffffff "
                                             "9:ffffffff b:ffffffff e:ffffffff "
                                             "9:eeeeeeee b:eeeeeeee e:eeeeeeee "
                                             "9:cccccccc b:cccccccc e:cccccccc "
                                             "9:88888888 b:88888888 e:88888888 "
                                             "a:ffffffff 4:ffffffff");
}

/* Warp w iterates w times. */
static void top_tested(struct simt *s, const void *arguments) {
    (void)arguments;
    unsigned i = 0;
    struct simt_mask more;
    SIMT_LOOP(s, LOOP) {
        SIMT_WHERE(s, more, t, i < t / WARP_SIZE);
        simt_while(s, LEAVE, &more);
        simt_alu(s, BODY);
        i++;
    }
    simt_alu(s, AFTER);
}

BENCH_TEST(warps_leave_a_loop_one_by_one) {
    run_simt_kernel(b, top_tested, 96, NULL);
    assert_string_equal(trace_of_warp(b, 0),
                        "8:ffffffff 9:ffffffff c:ffffffff a:ffffffff 4:ffffffff");
    assert_string_equal(trace_of_warp(b, 1), "8:ffffffff 9:ffffffff c:ffffffff b:ffffffff "
                                             "9:ffffffff c:ffffffff a:ffffffff 4:ffffffff");
    assert_string_equal(trace_of_warp(b, 2), "8:ffffffff 9:ffffffff c:ffffffff b:ffffffff "
                                             "9:ffffffff c:ffffffff b:ffffffff "
                                             "9:ffffffff c:ffffffff a:ffffffff 4:ffffffff");
}

static void counted_loops_kernel(struct simt *s, const void *arguments) {
    const unsigned *n = arguments;
    SIMT_FOR(s, OUTER, i, *n) {
        SIMT_FOR(s, LOOP, j, i) {
            simt_alu(s, BODY);
        }
    }
    simt_alu(s, AFTER);
}

BENCH_TEST(counted_loops_nest_and_may_be_empty) {
    run_simt_kernel(b, counted_loops_kernel, 32, &(unsigned){0});
    assert_string_equal(trace_of_warp(b, 0), "5:ffffffff 7:ffffffff 4:ffffffff");
    run_simt_kernel(b, counted_loops_kernel, 32, &(unsigned){2});
    assert_string_equal(trace_of_warp(b, 0),
                        "5:ffffffff 6:ffffffff 8:ffffffff a:ffffffff "
                        "6:ffffffff 8:ffffffff 9:ffffffff b:ffffffff a:ffffffff "
                        "7:ffffffff 4:ffffffff");
}

TEST(markers_bear_the_pc_of_the_first_instruction_of_the_loop) {
    assert_int_equal(insns[LOOP].op, OP_LOOP_BEGIN);
    assert_int_equal(insns[LOOP_ITERATION].op, OP_LOOP_ITERATION);
    assert_int_equal(insns[LOOP_END].op, OP_LOOP_END);
    for (unsigned i = LOOP; i <= LOOP_END; i++) {
        assert_int_equal(insns[i].pc, insns[BODY].pc);
    }
    assert_true(insns[OUTER].pc < insns[LOOP].pc); /* DAWS tells outer from inner by it */
}

/* --- Random control flow against the same in plain C, one thread after another. --- */

struct choices {
    uint32_t seed;
    unsigned count[SIMT_THREADS][INSN_COUNT]; /* what plain C executed */
};

/* The decision of thread t at place p in iterations i, j: no state, so it does not depend on the
 * order of threads. */
static bool decide_for_thread(const struct choices *c, unsigned t, unsigned p, unsigned i,
                              unsigned j, unsigned percent) {
    uint64_t x = ((uint64_t)c->seed << 32 | t << 16 | p << 12 | (i & 63) << 6 | (j & 63));
    return rng_splitmix(&x) % 100 < percent;
}

/* The kernel's control flow for one thread. */
static void plain_thread(struct choices *c, unsigned t) {
    unsigned *count = c->count[t];
    count[BEFORE]++;
    for (unsigned i = 0;; i++) {
        count[OUTER_ITERATION]++;
        count[BRANCH]++;
        if (decide_for_thread(c, t, 0, i, 0, 50)) {
            count[THEN]++;
            for (unsigned j = 0;; j++) {
                count[LOOP_ITERATION]++;
                count[BODY]++;
                count[BRANCH]++;
                if (decide_for_thread(c, t, 1, i, j, 25)) {
                    count[BRANCH]++;
                    if (decide_for_thread(c, t, 2, i, j, 30)) {
                        break;
                    }
                    count[BRANCH]++;
                    if (decide_for_thread(c, t, 3, i, j, 10)) {
                        return;
                    }
                    count[BRANCH]++;
                    if (decide_for_thread(c, t, 4, i, j, 50)) {
                        continue;
                    }
                } else {
                    count[ELSE]++;
                }
                count[STAY]++;
                count[LEAVE]++;
                if (!decide_for_thread(c, t, 5, i, j, 70)) {
                    break;
                }
            }
        } else {
            count[ELSE]++;
        }
        count[AGAIN]++;
        if (!decide_for_thread(c, t, 6, i, 0, 80)) {
            break;
        }
    }
    count[AFTER]++;
}

static void random_flow(struct simt *s, const void *arguments) {
    const struct choices *c = arguments;
    struct simt_mask m;
    unsigned i = 0, j;
    simt_alu(s, BEFORE);
    SIMT_LOOP(s, OUTER) {
        SIMT_WHERE(s, m, t, decide_for_thread(c, t, 0, i, 0, 50));
        SIMT_IF(s, BRANCH, &m) {
            simt_alu(s, THEN);
            j = 0;
            SIMT_LOOP(s, LOOP) {
                simt_alu(s, BODY);
                SIMT_WHERE(s, m, t, decide_for_thread(c, t, 1, i, j, 25));
                SIMT_IF(s, BRANCH, &m) {
                    SIMT_WHERE(s, m, t, decide_for_thread(c, t, 2, i, j, 30));
                    SIMT_IF(s, BRANCH, &m) {
                        simt_break(s);
                    }
                    SIMT_WHERE(s, m, t, decide_for_thread(c, t, 3, i, j, 10));
                    SIMT_IF(s, BRANCH, &m) {
                        simt_return(s);
                    }
                    SIMT_WHERE(s, m, t, decide_for_thread(c, t, 4, i, j, 50));
                    SIMT_IF(s, BRANCH, &m) {
                        simt_continue(s);
                    }
                }
                SIMT_ELSE(s) {
                    simt_alu(s, ELSE);
                }
                simt_alu(s, STAY);
                SIMT_WHERE(s, m, t, decide_for_thread(c, t, 5, i, j, 70));
                simt_while(s, LEAVE, &m);
                j++;
            }
        }
        SIMT_ELSE(s) {
            simt_alu(s, ELSE);
        }
        SIMT_WHERE(s, m, t, decide_for_thread(c, t, 6, i, 0, 80));
        simt_while(s, AGAIN, &m);
        i++;
    }
    simt_alu(s, AFTER);
}

/* The most often that a thread of warp w executed an instruction. */
static unsigned longest_thread(const struct choices *c, unsigned w, unsigned index) {
    unsigned most = 0;
    for (unsigned t = w * WARP_SIZE; t < (w + 1) * WARP_SIZE; t++) {
        most = c->count[t][index] > most ? c->count[t][index] : most;
    }
    return most;
}

BENCH_TEST(random_control_flow_equals_plain_c_thread_by_thread) {
    FREED struct choices *c = calloc(1, sizeof *c);
    unsigned total = 0, partial = 0, begins = 0, ends = 0;
    for (c->seed = 1; c->seed <= 200; c->seed++) {
        unsigned threads = 1 + c->seed * 37 % SIMT_THREADS;
        memset(c->count, 0, sizeof c->count);
        for (unsigned t = 0; t < threads; t++) {
            plain_thread(c, t);
        }
        run_simt_kernel(b, random_flow, threads, c);
        for (unsigned w = 0; w < b->trace->warp_count; w++) {
            struct warp_cursor cursor;
            struct warp_op op;
            warp_cursor_open(&cursor, &b->trace->warp[w], &code);
            /* Lanes that have run apart meet again: at the end of each iteration and behind the
             * loops. */
            int passes = (int)longest_thread(c, w, AGAIN), after = (int)longest_thread(c, w, AFTER);
            uint32_t before = 0;
            while (warp_cursor_next(&cursor, &op)) {
                unsigned i = (unsigned)(op.insn - insns);
                assert_true(op.active != 0);
                before = i == BEFORE ? op.active : before;
                partial += op.active != before;
                passes -= i == AGAIN;
                after -= i == AFTER;
                total++;
                begins += op.insn->op == OP_LOOP_BEGIN;
                ends += op.insn->op == OP_LOOP_END;
                for (uint32_t m = op.active; m; m &= m - 1) {
                    unsigned t = w * WARP_SIZE + (unsigned)__builtin_ctz(m);
                    assert_true(t < threads);
                    c->count[t][i]--;
                }
            }
            assert_int_equal(passes, 0);
            assert_int_equal(after, 0);
        }
        for (unsigned t = 0; t < threads; t++) {
            for (unsigned i = 0; i < INSN_COUNT; i++) {
                if (i != OUTER && i != OUTER_END && i != LOOP && i != LOOP_END) {
                    assert_int_equal(c->count[t][i], 0);
                }
            }
        }
    }
    assert_int_equal(begins, ends);
    assert_true(partial > total / 2 && begins > 10000);
    print_message("%u records, %u with a part of the lanes, %u loops\n", total, partial, begins);
}

TEST_GROUP(setup_simt_bench, teardown_simt_bench)
