/* SPDX-License-Identifier: Apache-2.0
 *
 * The intra-loop repetition detector of Detected-DAWS (MICRO 2013, 5.2.2): which static loads
 * access the same line in the same trip. A set-associative array of lines with LRU, each with the
 * load and the warp that put it there. An access of a sampling warp that finds its line makes a
 * pair with that load, if it is another one; else it puts its line there. A warp's lines are
 * cleared when it begins the next trip. Lines of one warp do not meet those of another: several
 * loops can be sampled at once.
 */
#ifndef WARPMEM_ISSUE_DAWS_REPETITION_H
#define WARPMEM_ISSUE_DAWS_REPETITION_H

#include <stdbool.h>
#include <stdint.h>

#define DAWS_REPETITION_MAX 256 /* entries */

struct daws_repetition_entry {
    bool valid;
    uint8_t warp;
    uint32_t pc;
    uint64_t line;
    uint64_t used; /* when last, for LRU */
};

struct daws_repetition {
    unsigned sets, ways;
    uint64_t clock;
    struct daws_repetition_entry entry[DAWS_REPETITION_MAX]; /* [set][way] */
};

/** daws_repetition_init() - empty. @entries / @ways: a power of two. */
void daws_repetition_init(struct daws_repetition *r, unsigned entries, unsigned ways);
/** daws_repetition_probe() - an access of load @pc. Return: another load has accessed the line in
 * this trip, *other. */
bool daws_repetition_probe(struct daws_repetition *r, unsigned warp, uint64_t line, uint32_t pc,
                           uint32_t *other);
/** daws_repetition_clear() - the warp begins a trip, or has ended. */
void daws_repetition_clear(struct daws_repetition *r, unsigned warp);

#endif
