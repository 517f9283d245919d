/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests of the MARS programs: one of a kernel's loads, over all its warps.
 */
#ifndef WARPMEM_TB_WORKLOADS_MARS_RECORDS_H
#define WARPMEM_TB_WORKLOADS_MARS_RECORDS_H

#include "workloads/mars/mars.h"

#include "workloads/rodinia_records.h"

#define LINES_MAX 4096

/* The @n-th instruction, from 0, that does @op in @space with @width bytes a lane, of launches of
 * @kernel; of the @call-th such launch, from 0. */
struct probe {
    const char *kernel;
    unsigned op, space, width, n, call;
    /* Counted. */
    unsigned ops, lanes, lines, warps;
    unsigned distinct; /* lines of a warp over all its ops, summed over the warps */
    /* Private. */
    struct place last;
    unsigned seen; /* launches of the kernel */
    uint64_t line[LINES_MAX];
    unsigned line_count;
};

static inline bool probe_is(struct probe *p, const struct place *at) {
    const struct insn *i = at->what->code->insns;
    unsigned n = p->n;
    if (strcmp(at->what->code->name, p->kernel) != 0) {
        return false;
    }
    if (p->seen == 0 || p->last.launch != at->launch) {
        p->seen++;
        p->last = (struct place){.launch = at->launch, .warp = UINT32_MAX};
    }
    if (p->seen != p->call + 1 || at->op->insn->op != p->op || at->op->insn->space != p->space ||
        at->op->insn->width != p->width) {
        return false;
    }
    for (; i < at->op->insn; i++) {
        n -= i->op == p->op && i->space == p->space && i->width == p->width;
    }
    return n == 0;
}

static inline void probe_record(struct probe *p, const struct place *at) {
    uint64_t address[WARP_SIZE];
    if (!probe_is(p, at)) {
        return;
    }
    if (p->last.cta != at->cta || p->last.warp != at->warp) {
        p->warps++;
        p->line_count = 0;
        p->last = (struct place){.launch = at->launch, .cta = at->cta, .warp = at->warp};
    }
    p->ops++;
    p->lanes += record_lanes(at);
    p->lines += record_lines(at);
    warp_op_addresses(at->op, address);
    for (uint32_t m = at->op->active; m; m &= m - 1) {
        const uint64_t line = address[__builtin_ctz(m)] / LINE_BYTES;
        unsigned i = 0;
        while (i < p->line_count && p->line[i] != line) {
            i++;
        }
        assert_true(i < LINES_MAX);
        p->line[i] = line;
        p->distinct += i == p->line_count;
        p->line_count += i == p->line_count;
    }
}

struct probes {
    struct probe *probe;
    unsigned count;
};

static inline void probe_all(void *self, const struct place *at) {
    const struct probes *all = self;
    for (unsigned i = 0; i < all->count; i++) {
        probe_record(&all->probe[i], at);
    }
}

/* Opens and runs a program, with probes. Return: its launches. */
static inline unsigned probe_run(const char *name, enum workload_size size, struct program *p,
                                 struct probe *probe, unsigned count) {
    struct probes all = {probe, count};
    records_open(name, p, size);
    return records_run(p, (struct run_order){.skipped = -1}, probe_all, &all);
}

static inline void is_near(double value, double expected, double tolerance, const char *what) {
    print_message("%s: %.2f, expected %.2f\n", what, value, expected);
    assert_true(value > expected - tolerance && value < expected + tolerance);
}

static inline double ratio_of(unsigned a, unsigned b) {
    return b ? (double)a / b : 0;
}

#endif
