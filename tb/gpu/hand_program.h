/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs written by hand: a table of instructions, launches, and a function that writes each
 * warp's records.
 */
#ifndef WARPMEM_TB_HAND_PROGRAM_H
#define WARPMEM_TB_HAND_PROGRAM_H

#include "base/unit_tests.h"
#include "kernel/launch.h"

#define ALL_LANES 0xffffffffu
#define NO_REGS \
    { REG_NONE, REG_NONE, REG_NONE, REG_NONE }
#define HAND_SOURCES(a, b, c, d, ...) (a), (b), (c), (d)
/* Up to four registers; the rest are none. */
#define SOURCES(...) \
    { HAND_SOURCES(__VA_ARGS__, REG_NONE, REG_NONE, REG_NONE, REG_NONE) }

/* Entries of an instruction table; the program counter is given by hand_open(). */
#define ALU(d, ...) \
    { .op = OP_INT_ADD, .dst = (d), .src = SOURCES(__VA_ARGS__) }
#define LOAD(d, ...) \
    { .op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .dst = (d), .src = SOURCES(__VA_ARGS__) }
#define STORE(...) \
    { \
        .op = OP_STORE, .space = SPACE_GLOBAL, .width = 4, .dst = REG_NONE, \
        .src = SOURCES(__VA_ARGS__) \
    }
#define SIMPLE(o) \
    { .op = (o), .dst = REG_NONE, .src = NO_REGS }
#define NO REG_NONE

enum { HAND_INSNS_MAX = 256, HAND_LAUNCHES_MAX = 8 };

/** WARP_WRITER() - a function that writes the records of one warp: @warp of @cta of @launch, each a
 * number from 0, to @s. It may use @user. */
#define WARP_WRITER(name) \
    static void name(void *user WRITER_MAY_USE, unsigned launch WRITER_MAY_USE, \
                     unsigned cta WRITER_MAY_USE, unsigned warp WRITER_MAY_USE, \
                     struct warp_stream *s WRITER_MAY_USE)
#define WRITER_MAY_USE __attribute__((unused))

struct hand_program {
    struct program program;
    struct insn insns[HAND_INSNS_MAX];
    struct kernel_code code;
    struct launch launch[HAND_LAUNCHES_MAX];
    unsigned launches, next;
    /* Writes the records of one warp; launch: its number, from 0. */
    void (*warp)(void *user, unsigned launch, unsigned cta, unsigned warp, struct warp_stream *s);
    void *user;
    unsigned ctas_run; /* in the current launch */
};

static inline bool hand_next(void *self, const struct launch **launch) {
    struct hand_program *p = self;
    if (p->next == p->launches) {
        return false;
    }
    *launch = &p->launch[p->next++];
    p->ctas_run = 0;
    return true;
}

static inline bool hand_run_cta(void *self, unsigned cta, struct cta_trace *out) {
    struct hand_program *p = self;
    assert_int_equal(cta, p->ctas_run++); /* the machine promises ascending order */
    out->warp_count = launch_warps(&p->launch[p->next - 1]);
    for (unsigned w = 0; w < out->warp_count; w++) {
        warp_stream_clear(&out->warp[w]);
        p->warp(p->user, p->next - 1, cta, w, &out->warp[w]);
    }
    return true;
}

/** hand_open() - one launch of @ctas CTAs of @threads threads; more can be added with
 * hand_launch(). */
static inline void hand_open(struct hand_program *p, const struct insn *insns, unsigned count,
                             unsigned ctas, unsigned threads) {
    assert_true(count <= HAND_INSNS_MAX);
    *p = (struct hand_program){0};
    for (unsigned i = 0; i < count; i++) {
        p->insns[i] = insns[i];
        p->insns[i].pc = 8 * i;
    }
    p->code = (struct kernel_code){
        .name = "by_hand", .insns = p->insns, .insn_count = count, .registers = 16};
    p->program = (struct program){p, hand_next, hand_run_cta};
    p->launch[p->launches++] = (struct launch){&p->code, {ctas, 1, 1}, {threads, 1, 1}};
}

static inline void hand_launch(struct hand_program *p, unsigned ctas, unsigned threads) {
    assert_true(p->launches < HAND_LAUNCHES_MAX);
    p->launch[p->launches++] = (struct launch){&p->code, {ctas, 1, 1}, {threads, 1, 1}};
}

static inline void put_insn(struct warp_stream *s, unsigned index) {
    assert_true(warp_stream_put(s, index, ALL_LANES));
}

/** put_whole_line() - a load or store of one whole line. */
static inline void put_whole_line(struct warp_stream *s, unsigned index, uint64_t line) {
    assert_true(warp_stream_put_affine(s, index, ALL_LANES, line * 128, 4));
}

/** put_lines() - lane i touches line first + i. */
static inline void put_lines(struct warp_stream *s, unsigned index, uint64_t first,
                             uint32_t lanes) {
    assert_true(warp_stream_put_affine(s, index, lanes, first * 128, 128));
}

#endif
