/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/aligner_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/wtr.h"

bool aligner_fail(struct aligner *a, const char *format, ...) {
    if (!*a->error) {
        va_list args;
        va_start(args, format);
        vsnprintf(a->error, sizeof a->error, format, args);
        va_end(args);
    }
    return false;
}

const char *aligner_error(const struct aligner *a) {
    return a->error;
}

static unsigned deepest_loop(const struct block_order *o) {
    unsigned deepest = 0;
    for (uint32_t l = 0; l < o->loop_count; l++) {
        unsigned depth = 0;
        for (uint32_t at = l; at != LOOP_NONE; at = o->loops[at].parent) {
            depth++;
        }
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest;
}

struct aligner *aligner_create(const struct code_layout *l, enum aligner_rule rule) {
    struct aligner *a = calloc(1, sizeof *a);
    if (!a) {
        return NULL;
    }
    a->layout = l;
    a->rule = rule;
    a->loop_depth = deepest_loop(l->order);
    a->open_loops = calloc((size_t)CTA_WARPS_MAX * (a->loop_depth + 1), sizeof *a->open_loops);
    if (!a->open_loops) {
        free(a);
        return NULL;
    }
    return a;
}

void aligner_destroy(struct aligner *a) {
    if (a) {
        free(a->open_loops);
        free(a);
    }
}

void aligner_begin_cta(struct aligner *a, unsigned threads, struct cta_trace *out) {
    a->warps = (threads + WARP_SIZE - 1) / WARP_SIZE;
    a->out = out;
    *a->error = '\0';
    out->warp_count = a->warps;
    for (unsigned w = 0; w < a->warps; w++) {
        struct aligned_warp *warp = &a->warp[w];
        unsigned lanes = threads - w * WARP_SIZE;
        warp->present = lanes < WARP_SIZE ? (1u << lanes) - 1 : UINT32_MAX;
        warp->open = a->open_loops + (size_t)w * (a->loop_depth + 1);
        warp->open_count = 0;
        memset(warp->from, 0xff, sizeof warp->from);
        aligner_begin_stack(warp);
        warp_stream_clear(&out->warp[w]);
    }
}

static bool put_plain(struct aligned_piece *p, uint32_t index, uint32_t lanes) {
    return warp_stream_put(p->out, index, lanes) || aligner_fail(p->a, "out of memory");
}

static bool close_loop(struct aligned_piece *p) {
    const struct open_loop *l = &p->warp->open[--p->warp->open_count];
    return put_plain(p, p->a->layout->loop_marker[l->loop] + 2, l->entered);
}

/* Opens @loop and what is around it, from outside to inside. */
static bool open_loops(struct aligned_piece *p, uint32_t loop, uint32_t lanes) {
    const struct block_order *o = p->a->layout->order;
    uint32_t nest = 0;
    const uint32_t outer =
        p->warp->open_count ? p->warp->open[p->warp->open_count - 1].loop : LOOP_NONE;
    for (uint32_t l = loop; l != outer; l = o->loops[l].parent) {
        nest++;
    }
    for (uint32_t left = nest; left-- > 0;) {
        uint32_t l = loop;
        for (uint32_t up = 0; up < left; up++) {
            l = o->loops[l].parent;
        }
        const uint32_t marker = p->a->layout->loop_marker[l];
        p->warp->open[p->warp->open_count++] = (struct open_loop){l, lanes};
        if (!put_plain(p, marker, lanes) || !put_plain(p, marker + 1, lanes)) {
            return false;
        }
    }
    return true;
}

static bool put_loop_markers(struct aligned_piece *p, uint32_t block, uint32_t lanes) {
    const struct block_order *o = p->a->layout->order;
    struct aligned_warp *w = p->warp;
    const uint32_t loop = o->loop[block];
    while (w->open_count && !block_loop_has(o, w->open[w->open_count - 1].loop, block)) {
        if (!close_loop(p)) {
            return false;
        }
    }
    if (loop == LOOP_NONE) {
        return true;
    }
    if (!w->open_count || w->open[w->open_count - 1].loop != loop) {
        return open_loops(p, loop, lanes);
    }
    if (o->loops[loop].head == block) {
        w->open[w->open_count - 1].entered |= lanes;
        return put_plain(p, p->a->layout->loop_marker[loop] + 1, lanes);
    }
    return true;
}

/* A memory instruction. @left: lanes of a generic access whose space no instruction had so far. */
static bool put_item(struct aligned_piece *p, const struct layout_item *item, uint32_t lanes,
                     uint32_t *left) {
    uint64_t address[WARP_SIZE];
    uint32_t taken = 0;
    for (uint32_t m = lanes; m; m &= m - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(m);
        const uint64_t word = p->at[lane][1 + item->access];
        if (!item->generic || word >> RECORDER_KIND_SHIFT == item->space) {
            taken |= 1u << lane;
            address[lane] = (word & RECORDER_ADDRESS_MAX) + item->offset;
        }
    }
    *left &= ~taken;
    return !taken || warp_stream_put_memory(p->out, item->index, taken, address) ||
           aligner_fail(p->a, "out of memory");
}

static bool same_access(const struct layout_item *a, const struct layout_item *b) {
    return a->generic && b->generic && a->access == b->access && a->offset == b->offset;
}

static bool put_block(struct aligned_piece *p, const struct layout_block *block, uint32_t lanes) {
    const struct layout_item *item = &p->a->layout->items[block->first];
    uint32_t left = lanes;
    for (uint32_t i = 0; i < block->count; i++, item++) {
        if (item->access == ACCESS_NONE) {
            if (!put_plain(p, item->index, lanes)) {
                return false;
            }
            continue;
        }
        left = i && same_access(item - 1, item) ? left : lanes;
        if (!put_item(p, item, lanes, &left)) {
            return false;
        }
        if (left && (i + 1 == block->count || !same_access(item, item + 1))) {
            return aligner_fail(p->a,
                                "thread %u accesses a space that its instruction (line %u) cannot",
                                p->number * WARP_SIZE + (unsigned)__builtin_ctz(left),
                                p->a->layout->lines[item->index].line);
        }
    }
    return true;
}

/* --- Lanes. --- */

/* Reads the lane's next block: behind @from there must be one of its successors, with all of its
 * addresses. */
static bool read_next_block(struct aligned_piece *p, unsigned lane) {
    const struct code_layout *l = p->a->layout;
    const struct block_graph *g = &l->table->graph;
    const uint32_t from = p->warp->from[lane];
    const uint64_t *at = p->at[lane];
    const size_t left = (size_t)(p->end[lane] - at);
    const uint64_t block = *at & RECORDER_ADDRESS_MAX;
    bool good = *at >> RECORDER_KIND_SHIFT == RECORDER_BLOCK && block < g->count &&
                left > l->blocks[block].accesses;
    for (uint32_t i = 1; good && i <= l->blocks[block].accesses; i++) {
        good = at[i] >> RECORDER_KIND_SHIFT < SPACE_COUNT;
    }
    if (good && from == BLOCK_NONE) {
        good = block == 0;
    } else if (good) {
        uint32_t e = g->first[from];
        while (e < g->first[from + 1] && g->target[e] != block) {
            e++;
        }
        good = e < g->first[from + 1];
    }
    if (!good) {
        return aligner_fail(p->a, "the blocks and addresses of thread %u are none of this code",
                            p->number * WARP_SIZE + lane);
    }
    p->next[lane] = (uint32_t)block;
    return true;
}

/* The lane has executed @block. */
static bool advance_lane(struct aligned_piece *p, unsigned lane, uint32_t block) {
    const struct code_layout *l = p->a->layout;
    const struct block_graph *g = &l->table->graph;
    const bool last = g->first[block] == g->first[block + 1];
    const bool barrier = l->blocks[block].barrier != BLOCK_NONE;
    p->warp->from[lane] = block;
    p->at[lane] += 1 + l->blocks[block].accesses;
    const bool more = p->at[lane] != p->end[lane];
    if (more && !barrier && !last) {
        return read_next_block(p, lane);
    }
    if (more || (!barrier && !last)) {
        return aligner_fail(p->a, "the blocks of thread %u %s", p->number * WARP_SIZE + lane,
                            more ? "go on behind their end" : "break off");
    }
    p->ready &= ~(1u << lane);
    if (barrier) {
        p->waiting |= 1u << lane;
    } else {
        p->warp->present &= ~(1u << lane);
    }
    return true;
}

bool aligner_execute(struct aligned_piece *p, uint32_t block, uint32_t lanes) {
    if (!put_loop_markers(p, block, lanes) || !put_block(p, &p->a->layout->blocks[block], lanes)) {
        return false;
    }
    if (p->out->size > WTR_CTA_BYTES_MAX) {
        return aligner_fail(p->a, "more than %u bytes of records in a warp: at most that",
                            WTR_CTA_BYTES_MAX);
    }
    for (uint32_t m = lanes; m; m &= m - 1) {
        if (!advance_lane(p, (unsigned)__builtin_ctz(m), block)) {
            return false;
        }
    }
    return true;
}

/* --- ALIGN_SMALLEST. --- */

static bool run_smallest(struct aligned_piece *p) {
    const struct block_order *o = p->a->layout->order;
    uint32_t key[WARP_SIZE];
    uint32_t fresh = p->ready;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        key[lane] = UINT32_MAX;
    }
    while (p->ready) {
        for (uint32_t m = fresh; m; m &= m - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(m);
            key[lane] = p->ready >> lane & 1
                            ? block_order_key(o, p->warp->from[lane], p->next[lane])
                            : UINT32_MAX;
        }
        uint32_t smallest = UINT32_MAX, lanes = 0;
        for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
            smallest = key[lane] < smallest ? key[lane] : smallest;
        }
        for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
            lanes |= (uint32_t)(key[lane] == smallest) << lane;
        }
        lanes &= p->ready;
        fresh = lanes;
        if (lanes && !aligner_execute(p, p->next[__builtin_ctz(lanes)], lanes)) {
            return false;
        }
    }
    return true;
}

/* --- A piece. --- */

static bool open_piece(struct aligned_piece *p, const struct thread_stream *threads) {
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        const bool present = p->warp->present >> lane & 1;
        if (!present) {
            continue;
        }
        p->at[lane] = threads[lane].words;
        p->end[lane] = threads[lane].count ? p->at[lane] + threads[lane].count : p->at[lane];
        if (p->at[lane] == p->end[lane]) {
            return aligner_fail(p->a, "the blocks of thread %u break off",
                                p->number * WARP_SIZE + lane);
        }
        if (!read_next_block(p, lane)) {
            return false;
        }
        p->ready |= 1u << lane;
    }
    return true;
}

bool aligner_run(struct aligner *a, unsigned warp, const struct thread_stream *threads) {
    struct aligned_piece p = {
        .a = a, .warp = &a->warp[warp], .out = &a->out->warp[warp], .number = warp};
    if (*a->error || !open_piece(&p, threads)) {
        return false;
    }
    if (!(a->rule == ALIGN_STACK ? aligner_run_stack(&p) : run_smallest(&p))) {
        return false;
    }
    if (p.waiting) {
        const uint32_t block = p.warp->from[__builtin_ctz(p.waiting)];
        return put_plain(&p, a->layout->blocks[block].barrier, p.waiting);
    }
    while (p.warp->open_count) {
        if (!close_loop(&p)) {
            return false;
        }
    }
    return true;
}

bool aligner_end_cta(struct aligner *a) {
    uint64_t bytes = 0;
    for (unsigned w = 0; w < a->warps; w++) {
        if (a->warp[w].present) {
            return aligner_fail(a, "thread %u has not ended",
                                w * WARP_SIZE + (unsigned)__builtin_ctz(a->warp[w].present));
        }
        bytes += a->out->warp[w].size;
    }
    return !*a->error &&
           (bytes <= WTR_CTA_BYTES_MAX ||
            aligner_fail(a, "%" PRIu64 " bytes of records in a CTA: must be at most %u", bytes,
                         WTR_CTA_BYTES_MAX));
}
