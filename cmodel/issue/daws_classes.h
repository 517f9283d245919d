/* SPDX-License-Identifier: Apache-2.0
 *
 * The static load classification table of DAWS (MICRO 2013, 4.2, 5.1, 5.1.1): each load of a loop
 * with locality, whether it is diverged, and the group of loads that access the same lines in a
 * trip (its repetition ID). A profile writes it, or what loads do fills it (5.2.2).
 *
 * Nothing sums the entries when a warp asks: for each loop the number of groups with a diverged
 * load and without one is kept. After each change a scan of the loop counts them anew, one entry a
 * cycle, and another change meanwhile makes it scan again.
 *
 * A loop or load is named by 24 bits: the number of its kernel's code and its PC / 8. A full table
 * refuses what comes, and counts it; nothing is evicted, because a class is needed as long as its
 * code runs.
 */
#ifndef WARPMEM_ISSUE_DAWS_CLASSES_H
#define WARPMEM_ISSUE_DAWS_CLASSES_H

#include <stdbool.h>
#include <stdint.h>

#include "issue/daws_loads.h"

#define DAWS_CLASSES_MAX 64
#define DAWS_CLASSED_LOOPS_MAX 16
/**
 * struct daws_classed_load - an entry.
 * @counter: divergence counter, signed, 4 bits, saturating (5.2.2)
 * @group: entry whose group it is: its own number, or that of an older entry
 */
struct daws_classed_load {
    uint32_t loop, pc;
    int8_t counter;
    bool diverged;
    uint8_t group;
};

/** struct daws_classed_loop - a loop with an entry, and its groups as the last scan found them. */
struct daws_classed_loop {
    uint32_t pc;
    bool positive; /* predictions are made for it */
    uint8_t diverged, converged;
};

/* @lines is a prediction where known; @loop: for which. */
struct daws_answer {
    bool known;
    uint32_t loop;
    unsigned lines;
};

struct daws_classes {
    unsigned entries, loops; /* room */
    bool at_once;            /* a scan takes no time */
    uint64_t cycle;
    struct daws_classed_load load[DAWS_CLASSES_MAX];
    struct daws_classed_loop loop[DAWS_CLASSED_LOOPS_MAX];
    unsigned load_count, loop_count;
    uint32_t changed; /* loops to scan, a bit each */
    bool scanning;
    unsigned scan_loop, scan_at;
    uint64_t scan_seen, scan_diverged;     /* groups */
    uint64_t refused_loads, refused_loops; /* each once for each time that it came */
};

/** daws_classes_init() - an empty table. @at_once: changes count in their own cycle. */
void daws_classes_init(struct daws_classes *d, unsigned entries, unsigned loops, bool at_once);

/** daws_classes_clear() - forget all entries, as a launch does before its profile is written. */
void daws_classes_clear(struct daws_classes *d);

/** daws_classes_run() - the table as it is in @cycle; nothing has happened up to then. */
void daws_classes_run(struct daws_classes *d, uint64_t cycle);

/** daws_classes_scans() - something changes in the next cycle. */
static inline bool daws_classes_scans(const struct daws_classes *d) {
    return d->scanning || d->changed;
}

/**
 * daws_classes_write() - an entry of a profile: complete in the same cycle, and its loop positive.
 * @group: loads of one loop with one number are one group
 * Return: false: refused, the table is full.
 */
bool daws_classes_write(struct daws_classes *d, uint32_t loop, uint32_t pc, bool diverged,
                        unsigned group);

/**
 * daws_classes_class() - a load of a sampling warp has issued with so many active lanes and made so
 * many accesses (5.2.2). If its loop has locality it gets an entry; with more than two lanes its
 * divergence counter moves: up if it made more than two accesses, else down. Above 1 it is
 * diverged.
 */
void daws_classes_class(struct daws_classes *d, uint32_t loop, uint32_t pc, unsigned lanes,
                        unsigned accesses);
/** daws_classes_pair() - two loads of the loop have accessed the same line in a trip: they are one
 * group from now on, the older one's; where both have an entry. */
void daws_classes_pair(struct daws_classes *d, uint32_t loop, uint32_t a, uint32_t b);
/** daws_classes_positive() - whether predictions are made for the loop, where it has entries. */
void daws_classes_positive(struct daws_classes *d, uint32_t loop, bool positive);

/**
 * daws_classes_ask() - what a warp with @lanes active ones is predicted to access in a trip of the
 * loop @pc (5.1.1): a line a lane for each diverged group, two for another; with one lane, one.
 * @near: @pc is that of a load outside loops: the loop is the next one in program order (5.1.2), or
 *        begins with the load itself.
 */
struct daws_answer daws_classes_ask(const struct daws_classes *d, uint32_t pc, unsigned lanes,
                                    bool near);

#endif
