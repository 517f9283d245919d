/* SPDX-License-Identifier: Apache-2.0
 *
 * Lockstep: a C block and its Verilog get the same inputs and are compared on every output in every
 * cycle, before the clock edge.
 *
 * A block's test supplies block_stimulus (cosim/block_test.h):
 *
 *     #define FIFO_POINTS(P)
 *         P(FULL, "queue full")
 *         P(WRAP, "pointer wraps", p->DEPTH == 1)            (not reached with one entry)
 *     COVERAGE_POINTS(FIFO_POINTS, struct fifo_params)
 *
 *     struct fifo_stimulus { unsigned burst; };
 *
 *     static void early(void *self, const struct lockstep_now *now, void *input) {
 *         struct fifo_stimulus *st = self;
 *         struct fifo_in *in = input;
 *         in->rst = rng_chance(now->rng, 1, 5000);
 *         in->enq_valid = rng_chance(now->rng, 1, 2);
 *         in->enq_data[0] = rng_next(now->rng);              (bits above the width are cut off)
 *     }
 *     static void late(void *self, const struct lockstep_now *now, const void *output,
 *                      void *input) {
 *         const struct fifo_out *out = output;
 *         ((struct fifo_in *)input)->deq_ready = out->deq_valid && rng_chance(now->rng, 1, 2);
 *     }
 *     static void cover(void *self, const struct lockstep_now *now, const void *input,
 *                       const void *output, uint64_t *counts) {
 *         const struct fifo_params *p = now->params;
 *         const struct fifo *s = now->state;
 *         counts[FULL] += s->count == p->DEPTH;
 *     }
 *     const struct stimulus block_stimulus = {
 *         .size = sizeof(struct fifo_stimulus), .points = points,
 *         .early = early, .late = late, .cover = cover, .unreachable = point_unreachable,
 *     };
 */
#ifndef WARPMEM_COSIM_LOCKSTEP_H
#define WARPMEM_COSIM_LOCKSTEP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/block.h"
#include "cosim/rng.h"
#include "cosim/rtl_block.h"

/** struct lockstep_now - the state that a stimulus may read. */
struct lockstep_now {
    const void *params; /* struct X_params */
    const void *state;  /* struct X: the C block, before this cycle's edge */
    struct rng *rng;    /* the only source of random numbers, so that a seed repeats a run */
    uint64_t cycle;     /* 0 is the first cycle after the power-on reset */
};

enum { LOCKSTEP_POINTS_MAX = 80 };

/**
 * COVERAGE_POINTS() - a stimulus' coverage points: enum point, points[] and point_unreachable().
 * @LIST:   a macro of rows P(NAME, "text") or P(NAME, "text", condition). A point cannot be reached
 *          with parameters @p for which the condition is true
 * @PARAMS: type of *p
 */
#define COVERAGE_POINTS(LIST, PARAMS) \
    enum point { LIST(COVERAGE_NAME) POINTS }; \
    _Static_assert((int)POINTS <= (int)LOCKSTEP_POINTS_MAX, "too many coverage points"); \
    static const char *const points[] = {LIST(COVERAGE_TEXT) NULL}; \
    static bool point_unreachable(const void *params, unsigned point) { \
        const PARAMS *p = params; \
        (void)p; \
        switch (point) { \
            LIST(COVERAGE_CASE) \
        default: return false; \
        } \
    }
#define COVERAGE_NAME(name, ...) name,
#define COVERAGE_TEXT(name, text, ...) text,
#define COVERAGE_CASE(name, text, ...) \
    case name: return (const bool[1]){__VA_ARGS__}[0];

/**
 * struct stimulus - drives a block at random and counts the coverage points that it reaches.
 * @size:   bytes of the stimulus' own state (self); zeroed before a run
 * @points: names of the functional coverage points, NULL-terminated; a run fails while one is zero
 * @start:  once before the first cycle; may be NULL
 * @early:  set every input that is not late; *in holds the last cycle's inputs. Values must be
 *          legal: the harness cuts off bits above a port's width, but does not check values, such
 *          as a queue number with QUEUES = 5. The harness randomly prolongs and repeats a reset
 * @late:   set the late inputs after seeing the outputs; NULL if the block has none, or if random
 *          values are enough
 * @cover:  add 1 to the count of each point reached in this cycle, all inputs final; may be NULL
 * @unreachable: true if this point is impossible with these parameters; its count must then stay
 *               zero. May be NULL
 *
 * Not called in the power-on reset and in cycles in which the harness holds the inputs of a quiet
 * block.
 */
struct stimulus {
    size_t size;
    const char *const *points;
    void (*start)(void *self, const struct lockstep_now *now);
    void (*early)(void *self, const struct lockstep_now *now, void *in);
    void (*late)(void *self, const struct lockstep_now *now, const void *out, void *in);
    void (*cover)(void *self, const struct lockstep_now *now, const void *in, const void *out,
                  uint64_t *counts);
    bool (*unreachable)(const void *params, unsigned point);
};

/**
 * struct lockstep_options - one run.
 * @cycles:     minimum; 0: LOCKSTEP_CYCLES. The run continues, up to 16 times as long, until every
 *              point is covered
 * @exact:      stop after @cycles; a point at zero does not fail the run
 * @all_points: the passing line has the counts of all points, not only of the rarest
 * @replay:     a recorded stimulus (cosim/record.h) instead of the random one; NULL: random
 * @record:     write the stimulus of this run to this file; NULL: none
 * @wave, @rtl_wave: FST files to write, of the ports of both sides and of the inside of the
 *                   Verilog; NULL: none
 * @wave_from, @wave_to: cycles [from, to) that the FST files show; to 0: to the end
 * @mismatch_dir: folder for the last 16 cycles, NULL: build/mismatch
 * @coverage:   Verilator coverage file to write; NULL: none
 * @out:        the passing line and reports; NULL: stdout
 */
struct lockstep_options {
    uint64_t seed, cycles;
    bool exact, all_points;
    const char *replay, *record;
    const char *wave, *rtl_wave;
    uint64_t wave_from, wave_to;
    const char *mismatch_dir;
    const char *coverage;
    FILE *out;
};

enum lockstep_status {
    LOCKSTEP_PASS,
    LOCKSTEP_MISMATCH,  /* an output differs */
    LOCKSTEP_LATE,      /* an output depends on a late input, in C or Verilog */
    LOCKSTEP_QUIET,     /* a quiet block changed, in C or Verilog */
    LOCKSTEP_UNCOVERED, /* a coverage point stayed at zero, or an unreachable one did not */
    LOCKSTEP_NOTHING,   /* nothing was compared */
    LOCKSTEP_ERROR,     /* a file, memory: one line is written */
};

struct lockstep_result {
    enum lockstep_status status;
    uint64_t cycles;   /* compared cycles */
    uint64_t compared; /* outputs compared, summed over cycles */
    uint64_t held;     /* those of them that held the inputs of a quiet block */
    uint64_t counts[LOCKSTEP_POINTS_MAX];
};

#define LOCKSTEP_CYCLES UINT64_C(1000000)
#define LOCKSTEP_SEED UINT64_C(0x5eed0001)

/**
 * lockstep_run() - run a C block against a Verilated one with these parameters and report. stimulus
 * may be NULL when options->replay is set.
 */
struct lockstep_result lockstep_run(const struct rtl_block *rtl, const struct stimulus *stimulus,
                                    const struct lockstep_options *options);

#endif
