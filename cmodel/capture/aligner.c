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

bool aligner_grow(struct aligner *a, void *list, unsigned count, unsigned *room, size_t size) {
    if (count < *room) {
        return true;
    }
    const unsigned more = *room ? 2 * *room : 8;
    void *grown = realloc(*(void **)list, more * size);
    if (!grown) {
        return aligner_fail(a, "out of memory");
    }
    *(void **)list = grown;
    *room = more;
    return true;
}

struct aligner *aligner_create(const struct code_layout *l, enum aligner_rule rule) {
    struct aligner *a = calloc(1, sizeof *a);
    if (a) {
        a->layout = l;
        a->rule = rule;
        a->has_functions = l->table->function_block < l->table->graph.count;
    }
    return a;
}

void aligner_destroy(struct aligner *a) {
    for (unsigned w = 0; a && w < CTA_WARPS_MAX; w++) {
        free(a->warp[w].open);
        free(a->warp[w].entry);
        for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
            free(a->warp[w].calls[lane].block);
        }
    }
    free(a);
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
        warp->open_count = 0;
        memset(warp->from, 0xff, sizeof warp->from);
        for (unsigned lane = 0; a->has_functions && lane < WARP_SIZE; lane++) {
            warp->calls[lane].depth = 0;
        }
        if (a->rule == ALIGN_STACK && !aligner_begin_stack(a, warp)) {
            return; /* the next step says why */
        }
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

/* The innermost loop that is open, unless it is around the call of the function that runs. */
static struct open_loop *last_open_loop(const struct aligned_warp *w, uint32_t depth) {
    struct open_loop *last = w->open_count ? &w->open[w->open_count - 1] : NULL;
    return last && last->depth >= depth ? last : NULL;
}

/* Opens @loop and what is around it, from outside to inside. */
static bool open_loops(struct aligned_piece *p, uint32_t loop, uint32_t lanes, uint32_t depth) {
    const struct block_order *o = p->a->layout->order;
    struct aligned_warp *w = p->warp;
    uint32_t nest = 0;
    const struct open_loop *last = last_open_loop(w, depth);
    const uint32_t outer = last ? last->loop : LOOP_NONE;
    for (uint32_t l = loop; l != outer; l = o->loops[l].parent) {
        nest++;
    }
    for (uint32_t left = nest; left-- > 0;) {
        uint32_t l = loop;
        for (uint32_t up = 0; up < left; up++) {
            l = o->loops[l].parent;
        }
        const uint32_t marker = p->a->layout->loop_marker[l];
        if (!aligner_grow(p->a, &w->open, w->open_count, &w->open_room, sizeof *w->open)) {
            return false;
        }
        w->open[w->open_count++] = (struct open_loop){l, lanes, depth};
        if (!put_plain(p, marker, lanes) || !put_plain(p, marker + 1, lanes)) {
            return false;
        }
    }
    return true;
}

static bool put_loop_markers(struct aligned_piece *p, uint32_t block, uint32_t lanes) {
    const struct block_order *o = p->a->layout->order;
    struct aligned_warp *w = p->warp;
    const uint32_t loop = o->loop[block],
                   depth = p->a->has_functions ? w->calls[__builtin_ctz(lanes)].depth : 0;
    struct open_loop *last;
    while ((last = last_open_loop(w, depth)) &&
           (last->depth > depth || !block_loop_has(o, last->loop, block))) {
        if (!close_loop(p)) {
            return false;
        }
    }
    if (loop == LOOP_NONE) {
        return true;
    }
    if (!last || last->loop != loop) {
        return open_loops(p, loop, lanes, depth);
    }
    if (o->loops[loop].head == block) {
        last->entered |= lanes;
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

/* A block that no lane takes. A GPU issues its instructions all the same, and the predicate of each
 * lane is false; an access that no lane makes has no record. */
static bool put_predicated_off(struct aligned_piece *p, const struct layout_block *block) {
    const struct layout_item *item = &p->a->layout->items[block->first];
    for (uint32_t i = 0; i < block->count; i++, item++) {
        const struct insn *insn = &p->a->layout->code.insns[item->index];
        if (insn_may_be_predicated_off(insn) && !put_plain(p, item->index, 0)) {
            return false;
        }
    }
    return true;
}

/* The blocks that @block chooses, of whose @lanes none goes to it. */
static bool put_unchosen(struct aligned_piece *p, uint32_t block, uint32_t lanes) {
    const struct kernel_table *t = p->a->layout->table;
    for (uint32_t e = t->graph.first[block]; e < t->graph.first[block + 1]; e++) {
        const uint32_t next = t->graph.target[e];
        uint32_t taken = 0;
        for (uint32_t m = lanes; m; m &= m - 1) {
            taken |= p->next[__builtin_ctz(m)] == next;
        }
        if (!taken && t->blocks[next].predicated &&
            !put_predicated_off(p, &p->a->layout->blocks[next])) {
            return false;
        }
    }
    return true;
}

/* --- Lanes. --- */

static bool has_edge(const struct block_graph *g, uint32_t from, uint64_t to) {
    uint32_t e = g->first[from];
    while (e < g->first[from + 1] && g->target[e] != to) {
        e++;
    }
    return e < g->first[from + 1];
}

/* Reads the lane's next block: behind @from there must be one of its successors, or if the lane
 * calls, the entry of a function; with all of its addresses. */
static bool read_next_block(struct aligned_piece *p, unsigned lane, bool calls) {
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
    if (good) {
        good = from == BLOCK_NONE ? block == 0
               : calls            ? l->table->blocks[block].entry
                                  : has_edge(g, from, block);
    }
    if (!good) {
        return aligner_fail(p->a, "the blocks and addresses of thread %u are none of this code",
                            p->number * WARP_SIZE + lane);
    }
    p->next[lane] = (uint32_t)block;
    return true;
}

/* The lane calls a function, whose entry is its next block. */
static bool enter_function(struct aligned_piece *p, unsigned lane, uint32_t block) {
    struct lane_calls *c = &p->warp->calls[lane];
    if (!aligner_grow(p->a, &c->block, c->depth, &c->room, sizeof *c->block)) {
        return false;
    }
    c->block[c->depth++] = block;
    return read_next_block(p, lane, true);
}

/* The lane continues behind its last call. */
static bool leave_function(struct aligned_piece *p, unsigned lane) {
    struct lane_calls *c = &p->warp->calls[lane];
    p->warp->from[lane] = c->block[--c->depth];
    return read_next_block(p, lane, false);
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
        return p->a->has_functions && l->table->blocks[block].calls
                   ? enter_function(p, lane, block)
                   : read_next_block(p, lane, false);
    }
    if (more && last && p->a->has_functions && p->warp->calls[lane].depth) {
        return leave_function(p, lane);
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
        return aligner_fail(p->a,
                            "more than %u bytes of records in a warp: its loops are too long, or "
                            "it waits for another CTA or for the host",
                            WTR_CTA_BYTES_MAX);
    }
    for (uint32_t m = lanes; m; m &= m - 1) {
        if (!advance_lane(p, (unsigned)__builtin_ctz(m), block)) {
            return false;
        }
    }
    return !p->a->layout->blocks[block].chooses || put_unchosen(p, block, lanes);
}

/* --- ALIGN_SMALLEST. --- */

/* Below 0: @a goes before @b. Inside a call a lane stands at the call, and there at its place in
 * the function: lanes of one call finish it before lanes behind it continue. */
static int compare_places(const struct aligned_piece *p, unsigned a, unsigned b) {
    const struct block_order *o = p->a->layout->order;
    const struct lane_calls *calls = p->warp->calls;
    for (uint32_t i = 0;; i++) {
        const bool in_a = i < calls[a].depth, in_b = i < calls[b].depth;
        const uint32_t at_a = in_a ? o->number[calls[a].block[i]]
                                   : block_order_key(o, p->warp->from[a], p->next[a]),
                       at_b = in_b ? o->number[calls[b].block[i]]
                                   : block_order_key(o, p->warp->from[b], p->next[b]);
        if (at_a != at_b) {
            return at_a < at_b ? -1 : 1;
        }
        if (!in_a || !in_b) {
            return (int)in_b - (int)in_a;
        }
    }
}

static bool has_same_calls(const struct lane_calls *a, const struct lane_calls *b) {
    return a->depth == b->depth &&
           (!a->depth || !memcmp(a->block, b->block, a->depth * sizeof *a->block));
}

/* The lanes with the calls of the lane that goes first. */
static uint32_t first_lanes(const struct aligned_piece *p) {
    unsigned first = (unsigned)__builtin_ctz(p->ready);
    uint32_t lanes = 0;
    for (uint32_t m = p->ready; m; m &= m - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(m);
        first = compare_places(p, lane, first) < 0 ? lane : first;
    }
    for (uint32_t m = p->ready; m; m &= m - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(m);
        lanes |= (uint32_t)has_same_calls(&p->warp->calls[lane], &p->warp->calls[first]) << lane;
    }
    return lanes;
}

/* Runs ready lanes, those of @group, until none is left, or one calls or returns. */
static bool run_smallest(struct aligned_piece *p, uint32_t group) {
    const struct block_order *o = p->a->layout->order;
    const struct kernel_table *t = p->a->layout->table;
    uint32_t key[WARP_SIZE];
    uint32_t fresh = p->ready & group;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        key[lane] = UINT32_MAX;
    }
    while (p->ready & group) {
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
        const uint32_t block = lanes ? p->next[__builtin_ctz(lanes)] : 0;
        if (lanes && !aligner_execute(p, block, lanes)) {
            return false;
        }
        if (p->a->has_functions &&
            (t->blocks[block].calls || t->graph.first[block] == t->graph.first[block + 1])) {
            return true;
        }
    }
    return true;
}

static bool run_smallest_calls(struct aligned_piece *p) {
    while (p->ready) {
        if (!run_smallest(p, first_lanes(p))) {
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
        if (!read_next_block(p, lane, false)) {
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
    if (!(a->rule == ALIGN_STACK ? aligner_run_stack(&p)
          : a->has_functions     ? run_smallest_calls(&p)
                                 : run_smallest(&p, UINT32_MAX))) {
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
            aligner_fail(
                a, "%" PRIu64 " bytes of records in a CTA, which has too much work: at most %u",
                bytes, WTR_CTA_BYTES_MAX));
}
