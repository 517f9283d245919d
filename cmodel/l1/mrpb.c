/* SPDX-License-Identifier: Apache-2.0 */
#include "l1/mrpb.h"

#include <stdlib.h>
#include <string.h>

/* Every array has room for MRPB_QUEUES_MAX queues: without enq_valid, enq_queue may have any value
 * that fits its port. */
enum { FIRST_LIMIT = 16 };

/* Stays out of the way of the other cycles' registers. */
#define RARE __attribute__((noinline))

static uint64_t mrpb_queue_bit(unsigned queue) {
    return UINT64_C(1) << queue;
}

static bool make_memory(struct mrpb *s) {
    unsigned depth = s->params.DEPTH;
    if (depth) {
        s->memory = calloc((size_t)s->params.QUEUES * depth * s->stride, sizeof *s->memory);
        if (!s->memory) {
            return false;
        }
    }
    for (unsigned i = 0; i < MRPB_QUEUES_MAX; i++) {
        struct mrpb_queue *q = &s->queue[i];
        q->limit = depth ? depth : FIRST_LIMIT;
        if (i >= s->params.QUEUES) {
            continue;
        }
        q->entries = depth ? s->memory + (size_t)i * depth * s->stride
                           : calloc((size_t)FIRST_LIMIT * s->stride, sizeof *q->entries);
        if (!q->entries) {
            return false;
        }
    }
    return true;
}

RARE static void reset_mrpb(struct mrpb *s) {
    for (unsigned i = 0; i < MRPB_QUEUES_MAX; i++) {
        struct mrpb_queue *q = &s->queue[i];
        q->head = q->tail = q->stored = q->ripe = 0;
    }
    s->ready = s->coming = s->refused_read = s->refused_write = s->chosen = 0;
    s->top = 0;
    memset(s->level + 1, 0, (s->levels - 1) * sizeof *s->level);
    s->longest_last = s->level[0];
    s->prefer = s->longest ? s->level[0] : 0;
    s->delay_valid = 0;
    s->delay_in = s->delay_out = 0;
    s->picks = 0;
    s->offered = s->bypass = s->picked_last = s->picked_write = s->freeing = false;
    s->hold = s->write_entered = false;
    s->writes = s->waiting = 0;
}

bool mrpb_init(struct mrpb *s, const struct mrpb_params *params) {
    memset(s, 0, sizeof *s);
    s->params = *params;
    s->words = (params->DATA_BITS + 63) / 64;
    s->stride = s->words + !params->FLUSH; /* without flush the last one says: a write */
    s->pipe = mrpb_pipe(params);
    s->delay_last = 1u << (params->LATENCY - s->pipe - 2);
    s->greedy = params->DRAIN >= MRPB_DRAIN_GREEDY_FIXED;
    unsigned basic = s->greedy ? params->DRAIN - MRPB_DRAIN_GREEDY_FIXED : params->DRAIN;
    s->longest = basic == MRPB_DRAIN_LONGEST;
    s->round_robin = basic == MRPB_DRAIN_ROUND_ROBIN;
    s->levels = 1 + (params->DEPTH ? params->DEPTH : FIRST_LIMIT);
    s->level = calloc(s->levels, sizeof *s->level);
    if (!s->level || !make_memory(s)) {
        mrpb_destroy(s);
        return false;
    }
    s->level[0] = ~UINT64_C(0) >> (64 - params->QUEUES);
    reset_mrpb(s);
    return true;
}

void mrpb_destroy(struct mrpb *s) {
    for (unsigned i = 0; i < MRPB_QUEUES_MAX && !s->params.DEPTH; i++) {
        free(s->queue[i].entries);
    }
    free(s->memory);
    free(s->level);
    memset(s, 0, sizeof *s);
}

/* The one place of a cycle loop that allocates: without bound, what is in flight is limited only by
 * what the warps issue, and room for all of that in each queue would be a waste of memory.
 *
 * Twice the room for a queue whose places are all taken; an entry has just entered it. If there is
 * no memory for that, the queue is full. */
RARE static void grow_mrpb_queue(struct mrpb *s, struct mrpb_queue *q) {
    uint32_t limit = 2 * q->limit, levels = limit + 1;
    size_t word = s->stride * sizeof *q->entries, older = (q->limit - q->head) * word;
    uint64_t *entries = malloc(limit * word);
    uint64_t *level = levels > s->levels ? realloc(s->level, levels * sizeof *s->level) : s->level;
    if (level && levels > s->levels) {
        memset(level + s->levels, 0, (levels - s->levels) * sizeof *level);
        s->levels = levels;
        s->level = level;
    }
    if (!entries || !level) {
        free(entries);
        return;
    }
    memcpy(entries, q->entries + (size_t)q->head * s->stride, older);
    memcpy((char *)entries + older, q->entries, q->limit * word - older);
    free(q->entries);
    q->entries = entries;
    /* Chosen entries stand behind the others and are not read again. */
    q->tail = q->tail > q->head ? q->tail - q->head : q->tail + q->limit - q->head;
    q->head = 0;
    q->limit = limit;
}

/* A header; most have one word. */
static inline void copy_header(uint64_t *to, const uint64_t *from, unsigned words) {
    to[0] = from[0];
    if (__builtin_expect(words > 1, 0)) {
        memcpy(to + 1, from + 1, (words - 1) * sizeof *to);
    }
}

static bool enq_ready(const struct mrpb *s, const struct mrpb_in *in) {
    const struct mrpb_queue *q = &s->queue[in->enq_queue];
    return in->enq_write && s->params.FLUSH ? q->stored == 0 && s->writes < s->pipe + 2 && !s->hold
                                            : q->stored < q->limit;
}

void mrpb_comb(const struct mrpb *s, const struct mrpb_in *in, struct mrpb_out *out) {
    const struct mrpb_request *r = &s->picked[s->first];
    out->enq_ready = enq_ready(s, in);
    out->deq_valid = s->offered;
    if (!s->offered) {
        out->deq_write = out->deq_bypass = false;
        out->deq_queue = 0;
        return;
    }
    out->deq_write = r->write;
    out->deq_bypass = s->bypass;
    out->deq_queue = r->queue;
    memcpy(out->deq_data, r->data, sizeof r->data);
}

/* The queue that rules 1 to 3 name; one has a selectable entry. */
static unsigned choose_queue(struct mrpb *s) {
    uint64_t flush = s->ready & ((s->refused_read & ~s->coming) | s->refused_write);
    if (flush) {
        return (unsigned)__builtin_ctzll(flush);
    }
    uint64_t from = s->ready & s->chosen;
    from = from ? from : s->ready & s->prefer;
    from = from ? from : s->ready;
    unsigned queue = (unsigned)__builtin_ctzll(from);
    if (s->greedy) {
        s->chosen = mrpb_queue_bit(queue);
    }
    if (s->round_robin) {
        s->prefer = ~(mrpb_queue_bit(queue) | (mrpb_queue_bit(queue) - 1));
    }
    return queue;
}

/* The place behind those that were chosen; one more is. */
static inline struct mrpb_request *next_picked(struct mrpb *s) {
    s->picked_last = true;
    return &s->picked[(s->first + s->offered + s->picks++) % (MRPB_PICKS_MAX + 1)];
}

static inline void pick_write(struct mrpb *s) {
    *next_picked(s) = s->write[s->write_at];
    s->write_at = s->write_at + 1 < MRPB_WRITES_MAX ? s->write_at + 1 : 0;
    s->waiting--;
    s->picked_write = true;
    s->hold = s->ready;
}

static inline void pick_entry(struct mrpb *s) {
    struct mrpb_request *r = next_picked(s);
    unsigned queue = choose_queue(s);
    struct mrpb_queue *q = &s->queue[queue];
    const uint64_t *entry = q->entries + (size_t)q->head * s->stride;
    copy_header(r->data, entry, s->words);
    r->queue = s->picked_queue = (uint8_t)queue;
    r->write = !s->params.FLUSH && entry[s->words];
    q->head = q->head + 1 == q->limit ? 0 : q->head + 1;
    s->coming |= mrpb_queue_bit(queue);
    if (--q->ripe == 0) {
        s->ready &= ~mrpb_queue_bit(queue);
    }
}

/* Was the choice an entry of this queue? */
static bool chose_queue(const struct mrpb *s, unsigned queue) {
    return s->picked_last && !s->picked_write && s->picked_queue == queue;
}

/* Longest first: sees the entry that the last cycle chose. Return: preferred queues. */
static uint64_t look_at_lengths(struct mrpb *s) {
    uint64_t prefer = s->longest_last;
    s->longest_last = s->level[s->top];
    if (s->picked_last && !s->picked_write) {
        s->level[s->queue[s->picked_queue].ripe + 1] &= ~mrpb_queue_bit(s->picked_queue);
        s->top -= s->level[s->top] == 0;
    }
    return prefer;
}

static void ripen_entry(struct mrpb *s, unsigned queue) {
    uint32_t length = ++s->queue[queue].ripe;
    s->ready |= mrpb_queue_bit(queue);
    if (s->longest) {
        length += chose_queue(s, queue);
        s->level[length] |= mrpb_queue_bit(queue);
        s->top = length > s->top ? length : s->top;
    }
}

/* The delay line moves on. */
static inline void step_delay_line(struct mrpb *s) {
    uint32_t valid = s->delay_valid;
    if (valid & s->delay_last) {
        ripen_entry(s, s->delay_queue[s->delay_out++ % MRPB_STAGES_MAX]);
    }
    s->delay_valid = (valid & ~s->delay_last) << 1;
}

static inline void enter_queue(struct mrpb *s, const struct mrpb_in *in) {
    struct mrpb_queue *q = &s->queue[in->enq_queue];
    uint64_t *entry = q->entries + (size_t)q->tail * s->stride;
    copy_header(entry, in->enq_data, s->words);
    if (!s->params.FLUSH) {
        entry[s->words] = in->enq_write;
    }
    s->delay_valid |= 1;
    s->delay_queue[s->delay_in++ % MRPB_STAGES_MAX] = in->enq_queue;
    q->tail = q->tail + 1 == q->limit ? 0 : q->tail + 1;
    if (++q->stored == q->limit && !s->params.DEPTH) {
        grow_mrpb_queue(s, q);
    }
}

static void enter_write(struct mrpb *s, const struct mrpb_in *in) {
    struct mrpb_request *r = &s->write[(s->write_at + s->waiting) % MRPB_WRITES_MAX];
    copy_header(r->data, in->enq_data, s->words);
    r->queue = in->enq_queue;
    r->write = true;
    s->writes++;
    s->write_entered = true;
}

/* A request was refused: for rules 1 and 2 in the next cycle. */
static inline void note_refusal(struct mrpb *s, const struct mrpb_in *in) {
    unsigned queue = in->enq_queue;
    if (in->enq_write) {
        s->refused_write = s->queue[queue].stored ? mrpb_queue_bit(queue) : 0;
    } else if (!s->freeing || s->freed_queue != queue) {
        s->refused_read = mrpb_queue_bit(queue);
    }
}

/* Reads the request that was chosen first: it stands at the outbound buffer from the next cycle. */
static inline void read_first(struct mrpb *s) {
    const struct mrpb_request *r = &s->picked[s->first];
    bool entry = !(s->params.FLUSH && r->write);
    s->offered = true;
    s->picks--;
    s->writes -= !entry;
    s->freeing = entry;
    s->freed_queue = r->queue;
}

/* A refusal for which a read bypasses. */
static bool is_bypass_stall(const struct mrpb *s, const struct mrpb_in *in) {
    return s->params.BYPASS == MRPB_BYPASS_ASSOCIATIVITY ? in->deq_assoc_stall
           : s->params.BYPASS == MRPB_BYPASS_ALL         ? in->deq_stall
                                                         : false;
}

void mrpb_step(struct mrpb *s, const struct mrpb_in *in, const struct mrpb_out *out) {
    if (in->rst) {
        reset_mrpb(s);
        return;
    }
    /* Chosen early enough to be read now: PIPE - 1 cycles ago. */
    unsigned readable = s->picks;
    if (s->picked_last && s->pipe == 3) {
        readable--;
    }
    if (s->offered) {
        if (in->deq_ready) {
            s->offered = s->bypass = false;
            s->first = (s->first + 1) % (MRPB_PICKS_MAX + 1);
        } else if (!s->bypass) {
            s->bypass = is_bypass_stall(s, in) && !out->deq_write;
        }
    }
    uint64_t prefer = s->longest ? look_at_lengths(s) : 0;
    s->hold = s->picked_last = s->picked_write = false;
    if (s->picks < s->pipe) {
        if (s->waiting) {
            pick_write(s);
        } else if (s->ready) {
            pick_entry(s);
        }
        readable += s->pipe == 1 && s->picked_last;
    }
    if (s->longest) {
        s->prefer = prefer;
    }
    if (s->delay_valid) {
        step_delay_line(s);
    }
    if (s->write_entered) {
        s->waiting++;
        s->write_entered = false;
    }

    s->refused_read = s->refused_write = 0;
    if (in->enq_valid && !out->enq_ready && s->params.FLUSH) {
        note_refusal(s, in);
    }
    if (s->freeing) {
        s->queue[s->freed_queue].stored--;
        if (!chose_queue(s, s->freed_queue)) {
            s->coming &= ~mrpb_queue_bit(s->freed_queue);
        }
        s->freeing = false;
    }
    if (readable && !s->offered) {
        read_first(s);
    }
    if (in->enq_valid && out->enq_ready) {
        if (in->enq_write && s->params.FLUSH) {
            enter_write(s, in);
        } else {
            enter_queue(s, in);
        }
    }
}

bool mrpb_quiet(const struct mrpb *s, const struct mrpb_in *in) {
    if (s->delay_valid || s->picked_last || s->freeing || s->write_entered || s->hold || in->rst ||
        (in->enq_valid && enq_ready(s, in))) {
        return false;
    }
    if (s->picks < s->pipe && (s->ready || s->waiting)) {
        return false;
    }
    /* The next cycle will know as much of this refusal as this one knows of the last. */
    bool refused = in->enq_valid && s->params.FLUSH;
    bool write = in->enq_write && s->queue[in->enq_queue].stored;
    if (s->refused_read != (refused && !in->enq_write ? mrpb_queue_bit(in->enq_queue) : 0) ||
        s->refused_write != (refused && write ? mrpb_queue_bit(in->enq_queue) : 0)) {
        return false;
    }
    if (s->longest && (s->longest_last != s->level[s->top] || s->prefer != s->longest_last)) {
        return false;
    }
    if (!s->offered) {
        return s->picks == 0;
    }
    return !in->deq_ready && (s->bypass || !is_bypass_stall(s, in) || s->picked[s->first].write);
}
