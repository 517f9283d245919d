/* SPDX-License-Identifier: Apache-2.0
 *
 * Short tests of a block, cycle by cycle, on both sides: inputs go to the C block and the Verilog,
 * the test looks at the C outputs, and both are compared before every edge.
 *
 *     SET_TEST(a_word_passes) {           once for each parameter set, b
 *         struct fifo_in *in = b->pair.in;
 *         in->enq_valid = true;             inputs are zero unless set in this very cycle
 *         bench_comb(b);                    outputs are there now
 *         in->deq_ready = true;             late inputs may be set before or after
 *         bench_edge(b);
 *     }
 */
#ifndef WARPMEM_COMMON_BENCH_H
#define WARPMEM_COMMON_BENCH_H

#include <string.h>
#include <sys/resource.h>

#include "base/unit_tests.h"
#include "cosim/pair.h"

/**
 * struct bench - a block with one of its parameter sets, fresh from reset.
 * @pair:  both sides
 * @set:   which of rtl_blocks() it is
 * @cycle: cycles since the reset
 */
struct bench {
    struct pair pair;
    unsigned set;
    uint64_t cycle;
    bool settled; /* bench_comb was called in this cycle */
};

#define FOR_EACH_SET(b) for (struct bench bench_, *b = bench_first(&bench_); b; b = bench_next(b))

/** SET_TEST() - a test that runs with each set: its body is a function of @b. */
#define SET_TEST(name) \
    static void name##_with(struct bench *b); \
    TEST(name) { \
        FOR_EACH_SET(b) { \
            name##_with(b); \
        } \
    } \
    static void name##_with(struct bench *b)

static inline struct bench *bench_open(struct bench *b, unsigned set) {
    unsigned count;
    const struct rtl_block *const *all = rtl_blocks(&count);
    if (set >= count) {
        return NULL;
    }
    memset(b, 0, sizeof *b);
    b->set = set;
    assert_true(pair_init(&b->pair, all[set], LOCKSTEP_SEED + set));
    return b;
}

static inline struct bench *bench_first(struct bench *b) {
    return bench_open(b, 0);
}

static inline struct bench *bench_next(struct bench *b) {
    pair_destroy(&b->pair);
    return bench_open(b, b->set + 1);
}

/** bench_comb() - the outputs of this cycle. */
static inline void bench_comb(struct bench *b) {
    ports_cut(&b->pair.ports, b->pair.in, false);
    pair_comb(&b->pair);
    b->settled = true;
}

/** bench_edge() - compare, and take the clock edge. All inputs are zero afterwards. */
static inline void bench_edge(struct bench *b) {
    if (!b->settled) {
        bench_comb(b);
    }
    ports_cut(&b->pair.ports, b->pair.in, false);
    if (pair_settle(&b->pair, b->cycle) != LOCKSTEP_PASS) {
        pair_report(&b->pair, stderr, b->cycle, b->pair.rtl->set->name, "", "", NULL);
        fail_msg("set %s: C and Verilog differ in cycle %u", b->pair.rtl->set->name,
                 (unsigned)b->cycle);
    }
    pair_edge(&b->pair, b->cycle);
    memset(b->pair.in, 0, b->pair.block->in_size);
    b->cycle++;
    b->settled = false;
}

/** bench_idle() - cycles with all inputs zero. */
static inline void bench_idle(struct bench *b, unsigned cycles) {
    while (cycles--) {
        bench_edge(b);
    }
}

/** bench_quiet() - is the C block quiet with the inputs as they are? */
static inline bool bench_quiet(const struct bench *b) {
    return b->pair.block->quiet(b->pair.state, b->pair.in);
}

/* The program gets so many bytes of addresses, what it has included. Return: how many it had. */
static inline rlim_t limit_memory(rlim_t bytes) {
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_AS, &limit), 0);
    rlim_t before = limit.rlim_cur;
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    return before;
}

#endif
