/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of what a workload's accesses look like: those of one warp, with what a machine would
 * make of them (lines, sets, bank conflicts), and the shapes of a program's launches. A test
 * includes <cmocka.h> and what that needs first.
 */
#ifndef WARPMEM_TB_WORKLOADS_ACCESS_RECORD_H
#define WARPMEM_TB_WORKLOADS_ACCESS_RECORD_H

#include <stdlib.h>
#include <string.h>

#include "workloads/workload.h"

#define LINE 128
#define BANKS 32
#define ACCESSES_MAX 16384

/* One load or store of a warp. */
struct access {
    unsigned lanes, lines;
    unsigned ways;               /* words that meet in one bank at most; 1: without conflict */
    unsigned sets;               /* of an L1 of 32, without a hashed index */
    uint64_t address[WARP_SIZE]; /* of the active lanes, lowest first */
};

struct warp_record {
    unsigned arithmetic, barriers;
    /* By kind of access and space, in program order. */
    unsigned count[2][SPACE_COUNT];
    struct access *access[2][SPACE_COUNT];
};
enum { LOADS, STORES };

static inline unsigned distinct_values(const uint64_t *value, unsigned count, uint64_t unit,
                                       uint64_t period) {
    uint64_t seen[WARP_SIZE];
    unsigned found = 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t v = value[i] / unit % period;
        unsigned j = 0;
        while (j < found && seen[j] != v) {
            j++;
        }
        seen[j] = v;
        found += j == found;
    }
    return found;
}

static inline unsigned bank_ways(const uint64_t *address, unsigned count) {
    unsigned worst = 0;
    for (unsigned bank = 0; bank < BANKS; bank++) {
        uint64_t in[WARP_SIZE];
        unsigned n = 0;
        for (unsigned i = 0; i < count; i++) {
            if (address[i] / 4 % BANKS == bank) {
                in[n++] = address[i];
            }
        }
        n = distinct_values(in, n, 4, UINT64_MAX);
        worst = n > worst ? n : worst;
    }
    return worst;
}

static inline void record_access(struct warp_record *r, const struct warp_op *op) {
    const unsigned kind = op->insn->op == OP_LOAD ? LOADS : STORES, space = op->insn->space;
    uint64_t all[WARP_SIZE];
    struct access a = {0};
    warp_op_addresses(op, all);
    for (uint32_t m = op->active; m; m &= m - 1) {
        a.address[a.lanes++] = all[__builtin_ctz(m)];
    }
    a.lines = distinct_values(a.address, a.lanes, LINE, UINT64_MAX);
    a.sets = distinct_values(a.address, a.lanes, LINE, 32);
    a.ways = bank_ways(a.address, a.lanes);
    if (!r->access[kind][space]) {
        r->access[kind][space] = calloc(ACCESSES_MAX, sizeof(struct access));
    }
    assert_true(r->count[kind][space] < ACCESSES_MAX);
    r->access[kind][space][r->count[kind][space]++] = a;
}

/* One warp of one CTA. CTAs of launches before are not run: no address depends on their results. */
static inline struct warp_record record_warp(const char *name, enum workload_size size,
                                             unsigned launch, unsigned cta, unsigned warp) {
    const struct workload *w = workload_find(name);
    struct warp_record r = {0};
    struct cta_trace *t = cta_trace_create();
    struct program p;
    const struct launch *l;
    struct warp_cursor c;
    struct warp_op op;
    assert_null(workload_open(w, &p, size, 1));
    for (unsigned i = 0; i <= launch; i++) {
        assert_true(p.next_launch(p.self, &l));
    }
    assert_true(p.run_cta(p.self, cta, t));
    warp_cursor_open(&c, &t->warp[warp], l->code);
    while (warp_cursor_next(&c, &op)) {
        if (insn_is_memory(op.insn)) {
            record_access(&r, &op);
        }
        r.barriers += op.insn->op == OP_BARRIER;
        r.arithmetic += op.insn->op < OP_ARITHMETIC_COUNT;
    }
    cta_trace_destroy(t);
    workload_close(w, &p);
    return r;
}

static inline void forget_record(struct warp_record *r) {
    for (unsigned i = 0; i < 2 * SPACE_COUNT; i++) {
        free(r->access[i / SPACE_COUNT][i % SPACE_COUNT]);
    }
}

/* Lines that the accesses touch together, of a warp whose lines lie within 64 Ki. */
static inline unsigned footprint_of_accesses(const struct access *a, unsigned count) {
    static bool touched[65536];
    unsigned lines = 0;
    memset(touched, 0, sizeof touched);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned j = 0; j < a[i].lanes; j++) {
            bool *t = &touched[a[i].address[j] / LINE % 65536];
            lines += !*t;
            *t = true;
        }
    }
    return lines;
}

struct shape {
    unsigned grid[3], block[3];
};

/* The launches of a program, none of which is run. Return: how many. */
static inline unsigned launch_shapes(const char *name, enum workload_size size, struct shape *out,
                                     unsigned max) {
    const struct workload *w = workload_find(name);
    struct program p;
    const struct launch *l;
    unsigned count = 0;
    assert_null(workload_open(w, &p, size, 1));
    while (p.next_launch(p.self, &l)) {
        assert_true(count < max);
        memcpy(out[count].grid, l->grid, sizeof l->grid);
        memcpy(out[count++].block, l->block, sizeof l->block);
    }
    workload_close(w, &p);
    return count;
}

static inline void is_shape(const struct shape *s, unsigned gx, unsigned gy, unsigned bx,
                            unsigned by) {
    const struct shape expected = {{gx, gy, 1}, {bx, by, 1}};
    assert_memory_equal(s, &expected, sizeof expected);
}

#endif
