/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of the aligner that both rules of reconvergence use.
 */
#ifndef WARPMEM_CAPTURE_ALIGNER_INTERNAL_H
#define WARPMEM_CAPTURE_ALIGNER_INTERNAL_H

#include "capture/aligner.h"

/* Lanes that continue together; see capture/aligner_stack.c. */
struct stack_entry {
    uint32_t block, meet, lanes;
};

struct open_loop {
    uint32_t loop, entered;
    uint32_t depth; /* of the calls around it */
};

/* The blocks whose calls a lane has not returned from, the outermost first. */
struct lane_calls {
    uint32_t *block, depth, room;
};

/* A warp between two pieces. */
struct aligned_warp {
    uint32_t present;         /* lanes that have not ended */
    uint32_t from[WARP_SIZE]; /* the previous block; BLOCK_NONE: none yet */
    struct open_loop *open;
    unsigned open_count, open_room;
    struct stack_entry *entry;
    unsigned entries, entry_room;
    struct lane_calls calls[WARP_SIZE];
};

struct aligner {
    const struct code_layout *layout;
    enum aligner_rule rule;
    unsigned warps;
    struct aligned_warp warp[CTA_WARPS_MAX];
    bool has_functions;
    struct cta_trace *out;
    char error[200];
};

/* The piece that is being aligned. */
struct aligned_piece {
    struct aligner *a;
    struct aligned_warp *warp;
    struct warp_stream *out;
    unsigned number; /* of the warp */
    const uint64_t *at[WARP_SIZE], *end[WARP_SIZE];
    uint32_t next[WARP_SIZE]; /* next block of a lane */
    uint32_t ready;           /* lanes with a next block in this piece */
    uint32_t waiting;         /* lanes that have reached a barrier */
};

/** aligner_fail() - keep the message unless one is kept already. Return: false. */
__attribute__((format(printf, 2, 3))) bool aligner_fail(struct aligner *a, const char *format, ...);

/**
 * aligner_execute() - @lanes, which are ready, execute @block: write its records, and move the
 * lanes to their next blocks.
 */
bool aligner_execute(struct aligned_piece *p, uint32_t block, uint32_t lanes);

/** aligner_grow() - room for another element of a list. False: out of memory. */
bool aligner_grow(struct aligner *a, void *list, unsigned count, unsigned *room, size_t size);

/** aligner_run_stack() - align the whole piece by ALIGN_STACK. */
bool aligner_run_stack(struct aligned_piece *p);
/** aligner_begin_stack() - begin a warp. False: out of memory. */
bool aligner_begin_stack(struct aligner *a, struct aligned_warp *w);

#endif
