/* SPDX-License-Identifier: Apache-2.0
 *
 * The CTAs of one launch in a temporary file: they come in any order while the launch's code is
 * still incomplete, and leave in ascending order. Memory is 16 bytes a CTA.
 */
#ifndef WARPMEM_TRACE_CTA_SPOOL_H
#define WARPMEM_TRACE_CTA_SPOOL_H

#include <stdio.h>

#include "kernel/launch.h"
#include "trace/text_lines.h"

struct cta_place {
    uint32_t number;
    uint64_t at; /* in the file */
};

/**
 * struct cta_spool - the CTAs. The caller sets, and zeroes the rest:
 * @file: open for reading and writing; its content is overwritten
 * @lines: gets the messages
 * @cta: the input's word for a CTA, in messages
 */
struct cta_spool {
    FILE *file;
    struct text_lines *lines;
    const char *cta;
    /* Private. */
    unsigned grid[3], warps, wanted;
    uint64_t bytes;
    struct cta_place *places;
    unsigned count, room;
    bool ascending;
};

/** cta_spool_begin() - begin a launch; CTAs of the launch before are dropped. */
void cta_spool_begin(struct cta_spool *s, const unsigned grid[3], const unsigned block[3]);
void cta_spool_free(struct cta_spool *s);

/* Each returns false with a message in the lines. */

/** cta_spool_put() - keep a CTA. @cta: its number, x fastest */
bool cta_spool_put(struct cta_spool *s, uint32_t cta, const struct cta_trace *t);
/** cta_spool_order() - all CTAs have come: sort them. Each CTA of the grid must be there once. */
bool cta_spool_order(struct cta_spool *s);
/** cta_spool_get() - the CTA of this number; called in ascending order. */
bool cta_spool_get(struct cta_spool *s, uint32_t cta, struct cta_trace *t);

#endif
