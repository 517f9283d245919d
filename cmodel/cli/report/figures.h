/* SPDX-License-Identifier: Apache-2.0
 *
 * Figures: values computed from counters by a formula. The formula is data, so the computation and
 * the text of `warpmem list stats` cannot differ.
 */
#ifndef WARPMEM_CLI_REPORT_FIGURES_H
#define WARPMEM_CLI_REPORT_FIGURES_H

#include "base/stats.h"
#include "config/config.h"

#define FIGURE_COUNTERS 10

enum figure_kind {
    FIGURE_RATIO,       /* above / below */
    FIGURE_PER_KILO,    /* above x 1000 / below */
    FIGURE_PER_CYCLE,   /* above / core cycles */
    FIGURE_BUS,         /* above / (DRAM cycles x channels) */
    FIGURE_L2,          /* above / (L2 cycles x banks of all partitions) */
    FIGURE_L2_BUSY,     /* the same, each of above taking l2.bank_interval */
    FIGURE_NOC_REQUEST, /* above / (NoC cycles x ports into the partitions) */
    FIGURE_NOC_REPLY,   /* above / (NoC cycles x ports out of the partitions) */
    FIGURE_RATE,        /* above, in bytes / time, in 10^9 bytes a second */
    FIGURE_POWER,       /* above, in pJ / time, in watts */
    FIGURE_PER_JOULE,   /* above / core cycles / below, in pJ, a joule */
};

struct figure {
    const char *name, *unit, *meaning;
    enum figure_kind kind;
    const char *above[FIGURE_COUNTERS], *below[FIGURE_COUNTERS]; /* counters to add */
};

/** figure_at() - the i-th; NULL past the end. figure_find() - by name; NULL: there is none. */
const struct figure *figure_at(unsigned i);
const struct figure *figure_find(const char *name);

/** figure_formula() - "l1.read_hits / (l1.read_hits + ...)". Return: buf. */
const char *figure_formula(const struct figure *f, char *buf, size_t size);

/* A figure on one machine: its counters' indices in the registry. */
struct figure_ref {
    const struct figure *figure;
    size_t above[FIGURE_COUNTERS], below[FIGURE_COUNTERS];
    unsigned above_count, below_count;
};

/** figure_resolve() - find the counters. False: the machine lacks one of them. */
bool figure_resolve(struct figure_ref *r, const struct figure *f, const struct stats *s);

/**
 * figure_value() - in millionths, rounded to nearest, the same everywhere.
 * @values: one of each counter, in the order of the registry: whole counts or differences
 * @cycles: core cycles in which they were counted
 * Return: false: the divisor is 0.
 */
bool figure_value(const struct figure_ref *r, const uint64_t *values, uint64_t cycles,
                  const struct config *c, uint64_t *millionths);

/** figure_ratio() - a / b in millionths, rounded to nearest; 0 if b is 0. @a below 2^64 / 10. */
uint64_t figure_ratio(uint64_t a, uint64_t b);

#endif
