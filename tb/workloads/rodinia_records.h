/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests that look at a workload's records without a machine.
 */
#ifndef WARPMEM_TB_WORKLOADS_RODINIA_RECORDS_H
#define WARPMEM_TB_WORKLOADS_RODINIA_RECORDS_H

#include <stdlib.h>
#include <string.h>

#include "base/unit_tests.h"
#include "workloads/host.h"
#include "workloads/workload.h"

#define LINE_BYTES 128

/* A record, and where it comes from. */
struct place {
    unsigned launch, cta, warp;
    const struct launch *what;
    const struct warp_op *op;
};

typedef void visit(void *self, const struct place *at);

/* The launch that records_run() leaves out, and its order of the CTAs. */
struct run_order {
    int skipped; /* launch, -1: none */
    bool descending;
};

static inline void records_open(const char *name, struct program *p, enum workload_size size) {
    const char *error = workload_open(workload_find(name), p, size, 1);
    if (error) {
        fail_msg("%s: %s", name, error);
    }
}

/* Return: launches. */
static inline unsigned records_run(struct program *p, struct run_order order, visit *v,
                                   void *self) {
    struct cta_trace *t = cta_trace_create();
    struct place at = {0};
    for (; p->next_launch(p->self, &at.what); at.launch++) {
        const unsigned ctas = launch_ctas(at.what);
        for (unsigned i = 0; i < ctas && (int)at.launch != order.skipped; i++) {
            at.cta = order.descending ? ctas - 1 - i : i;
            assert_true(p->run_cta(p->self, at.cta, t));
            assert_int_equal(t->warp_count, launch_warps(at.what));
            for (at.warp = 0; v && at.warp < t->warp_count; at.warp++) {
                struct warp_cursor c;
                struct warp_op op;
                at.op = &op;
                warp_cursor_open(&c, &t->warp[at.warp], at.what->code);
                while (warp_cursor_next(&c, &op)) {
                    v(self, &at);
                }
            }
        }
    }
    assert_false(p->next_launch(p->self, &at.what)); /* the end stays the end */
    cta_trace_destroy(t);
    return at.launch;
}

static inline unsigned record_lanes(const struct place *at) {
    return (unsigned)__builtin_popcount(at->op->active);
}

/* True: the record is of the @n-th load or store (@op) of @space in the kernel's code, from 0. */
static inline bool record_is(const struct place *at, unsigned op, unsigned space, unsigned n) {
    const struct insn *i = at->what->code->insns;
    if (at->op->insn->op != op || at->op->insn->space != space) {
        return false;
    }
    for (; i < at->op->insn; i++) {
        n -= i->op == op && i->space == space;
    }
    return n == 0;
}

static inline bool record_is_arithmetic(const struct place *at) {
    return at->op->insn->op < OP_ARITHMETIC_COUNT;
}

/* Different lines of LINE_BYTES; elements are aligned. */
static inline unsigned record_lines(const struct place *at) {
    uint64_t address[WARP_SIZE], line[WARP_SIZE];
    unsigned count = 0;
    warp_op_addresses(at->op, address);
    for (uint32_t m = at->op->active; m; m &= m - 1) {
        const uint64_t l = address[__builtin_ctz(m)] / LINE_BYTES;
        unsigned i = 0;
        while (i < count && line[i] != l) {
            i++;
        }
        line[i] = l;
        count += i == count;
    }
    return count;
}

/* After a run, a flipped bit in block @block (in the order of allocation) must be seen. */
static inline void expect_wrong_bit_seen(const char *name, unsigned block, unsigned byte,
                                         const char *says) {
    struct program p;
    records_open(name, &p, SIZE_TINY);
    records_run(&p, (struct run_order){.skipped = -1}, NULL, NULL);
    assert_null(workload_check(workload_find(name), &p));
    struct host *h = p.self;
    ((uint8_t *)h->memory.block[block])[byte] ^= 1;
    const char *error = workload_check(workload_find(name), &p);
    assert_non_null(error);
    assert_memory_equal(error, says, strlen(says));
    workload_close(workload_find(name), &p);
}

static inline void expect_left_out_seen(const char *name, int launch) {
    struct program p;
    records_open(name, &p, SIZE_TINY);
    records_run(&p, (struct run_order){.skipped = launch}, NULL, NULL);
    assert_non_null(workload_check(workload_find(name), &p));
    workload_close(workload_find(name), &p);
}

/* A sum over all records in which order matters within a warp only. */
struct digest {
    uint64_t warp, sum;
    struct place last;
};

static inline void digest_record(void *self, const struct place *at) {
    struct digest *d = self;
    uint64_t address[WARP_SIZE] = {0};
    if (d->last.launch != at->launch || d->last.cta != at->cta || d->last.warp != at->warp) {
        d->sum += d->warp;
        d->warp = (at->launch * UINT64_C(1000003) + at->cta) * 64 + at->warp;
        d->last = *at;
    }
    d->warp = (d->warp ^ at->op->insn->pc) * UINT64_C(0x100000001b3) + at->op->active;
    if (insn_is_memory(at->op->insn)) {
        warp_op_addresses(at->op, address);
        for (uint32_t m = at->op->active; m; m &= m - 1) {
            d->warp = (d->warp ^ address[__builtin_ctz(m)]) * UINT64_C(0x100000001b3);
        }
    }
}

/* A CTA's records must not depend on which other CTAs of its launch have run before. */
static inline void expect_any_order(const char *name) {
    struct digest d[2] = {0};
    for (unsigned i = 0; i < 2; i++) {
        struct program p;
        records_open(name, &p, SIZE_TINY);
        records_run(&p, (struct run_order){-1, i == 1}, digest_record, &d[i]);
        assert_null(workload_check(workload_find(name), &p));
        workload_close(workload_find(name), &p);
        d[i].sum += d[i].warp;
    }
    assert_true(d[0].sum == d[1].sum && d[0].sum != 0);
}

#endif
