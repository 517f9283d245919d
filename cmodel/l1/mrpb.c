/* SPDX-License-Identifier: Apache-2.0 */
#include "l1/mrpb.h"

#include <stdlib.h>
#include <string.h>

/* Every array has room for MRPB_QUEUES_MAX queues: without enq_valid, enq_queue may be anything
 * that fits its port. */
enum { STAGES_A_WORD = 8, FIRST_LIMIT = 16 };

static uint64_t bit_of(unsigned queue) {
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

static void reset(struct mrpb *s) {
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
    reset(s);
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

/* Twice the room for a queue whose places are all taken; an entry has just entered it. If there is
 * no memory for that, the queue is full. */
static void grow(struct mrpb *s, struct mrpb_queue *q) {
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
    /* Those that were chosen stand behind the others, and nobody reads them again. */
    q->tail = q->tail > q->head ? q->tail - q->head : q->tail + q->limit - q->head;
    q->head = 0;
    q->limit = limit;
}

static void copy(uint64_t *to, const uint64_t *from, unsigned words) {
    to[0] = from[0]; /* mostly the only one */
    for (unsigned i = 1; i < words; i++) {
        to[i] = from[i];
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
    out->deq_write = s->offered && r->write;
    out->deq_bypass = s->bypass;
    out->deq_queue = r->queue;
    if (s->offered) {
        copy(out->deq_data, r->data, s->words);
    }
}

/* The queue that rules 1 to 3 name; one has a selectable entry. */
static unsigned choose(struct mrpb *s) {
    uint64_t flush = s->ready & ((s->refused_read & ~s->coming) | s->refused_write);
    if (flush) {
        return (unsigned)__builtin_ctzll(flush);
    }
    uint64_t from = s->ready & s->chosen;
    from = from ? from : s->ready & s->prefer;
    from = from ? from : s->ready;
    unsigned queue = (unsigned)__builtin_ctzll(from);
    if (s->greedy) {
        s->chosen = bit_of(queue);
    }
    if (s->round_robin) {
        s->prefer = ~(bit_of(queue) | (bit_of(queue) - 1));
    }
    return queue;
}

/* Chooses a request, which joins those that will be read. */
static void pick(struct mrpb *s) {
    bool write = s->waiting > 0;
    s->hold = write && s->ready;
    s->picked_last = write || s->ready;
    s->picked_write = write;
    if (!s->picked_last) {
        return;
    }
    struct mrpb_request *r = &s->picked[(s->first + s->offered + s->picks) % (MRPB_PICKS_MAX + 1)];
    s->picks++;
    if (write) {
        *r = s->write[s->write_at];
        s->write_at = s->write_at + 1 < MRPB_WRITES_MAX ? s->write_at + 1 : 0;
        s->waiting--;
        return;
    }
    unsigned queue = choose(s);
    struct mrpb_queue *q = &s->queue[queue];
    const uint64_t *entry = q->entries + (size_t)q->head * s->stride;
    copy(r->data, entry, s->words);
    r->queue = s->picked_queue = (uint8_t)queue;
    r->write = !s->params.FLUSH && entry[s->words];
    q->head = q->head + 1 == q->limit ? 0 : q->head + 1;
    s->coming |= bit_of(queue);
    if (--q->ripe == 0) {
        s->ready &= ~bit_of(queue);
    }
}

/* Was the choice an entry of this queue? */
static bool chose(const struct mrpb *s, unsigned queue) {
    return s->picked_last && !s->picked_write && s->picked_queue == queue;
}

/* Longest first: sees the entry that the last cycle chose. Return: what the next cycle prefers. */
static uint64_t look_at_lengths(struct mrpb *s) {
    uint64_t prefer = s->longest_last;
    s->longest_last = s->level[s->top];
    if (s->picked_last && !s->picked_write) {
        s->level[s->queue[s->picked_queue].ripe + 1] &= ~bit_of(s->picked_queue);
        s->top -= s->level[s->top] == 0;
    }
    return prefer;
}

static void ripen(struct mrpb *s, unsigned queue) {
    uint32_t length = ++s->queue[queue].ripe;
    s->ready |= bit_of(queue);
    if (s->longest) {
        length += chose(s, queue);
        s->level[length] |= bit_of(queue);
        s->top = length > s->top ? length : s->top;
    }
}

/* The delay line moves on; a request entered the queue, or none did. */
static void delay(struct mrpb *s, bool enters, uint8_t queue) {
    if (s->delay_valid & s->delay_last) {
        unsigned stage = s->params.LATENCY - s->pipe - 2;
        ripen(s, s->delay_queue[stage / STAGES_A_WORD] >> stage % STAGES_A_WORD * 8 & 0xff);
    }
    s->delay_valid = (s->delay_valid & ~s->delay_last) << 1 | enters;
    s->delay_queue[1] = s->delay_queue[1] << 8 | s->delay_queue[0] >> 56;
    s->delay_queue[0] = s->delay_queue[0] << 8 | queue;
}

static void enter_queue(struct mrpb *s, const struct mrpb_in *in) {
    struct mrpb_queue *q = &s->queue[in->enq_queue];
    uint64_t *entry = q->entries + (size_t)q->tail * s->stride;
    copy(entry, in->enq_data, s->words);
    if (!s->params.FLUSH) {
        entry[s->words] = in->enq_write;
    }
    q->tail = q->tail + 1 == q->limit ? 0 : q->tail + 1;
    if (++q->stored == q->limit && !s->params.DEPTH) {
        grow(s, q);
    }
}

static void enter_write(struct mrpb *s, const struct mrpb_in *in) {
    struct mrpb_request *r = &s->write[(s->write_at + s->waiting) % MRPB_WRITES_MAX];
    copy(r->data, in->enq_data, s->words);
    r->queue = in->enq_queue;
    r->write = true;
    s->writes++;
}

/* For rules 1 and 2 in the next cycle. */
static void note_refusal(struct mrpb *s, const struct mrpb_in *in) {
    if (!in->enq_write) {
        bool freed = s->freeing && s->freed_queue == in->enq_queue;
        s->refused_read = freed ? 0 : bit_of(in->enq_queue);
    } else if (s->queue[in->enq_queue].stored) {
        s->refused_write = bit_of(in->enq_queue);
    }
}

/* Reads the request that was chosen first: it stands at the outbound buffer from the next cycle. */
static void read_first(struct mrpb *s) {
    const struct mrpb_request *r = &s->picked[s->first];
    bool entry = !(s->params.FLUSH && r->write);
    s->offered = true;
    s->picks--;
    s->writes -= !entry;
    s->freeing = entry;
    s->freed_queue = r->queue;
}

/* A refusal for which a read bypasses. */
static bool stall(const struct mrpb *s, const struct mrpb_in *in) {
    return s->params.BYPASS == MRPB_BYPASS_ASSOCIATIVITY ? in->deq_assoc_stall
           : s->params.BYPASS == MRPB_BYPASS_ALL         ? in->deq_stall
                                                         : false;
}

void mrpb_step(struct mrpb *s, const struct mrpb_in *in, const struct mrpb_out *out) {
    if (in->rst) {
        reset(s);
        return;
    }
    bool enters = in->enq_valid && out->enq_ready;
    bool enters_write = enters && in->enq_write && s->params.FLUSH;
    bool enters_queue = enters && !enters_write;

    /* Chosen early enough to be read now: PIPE - 1 cycles ago. */
    unsigned readable = s->picks - (s->pipe == 3 && s->picked_last);
    if (s->offered) {
        s->bypass = !in->deq_ready && (s->bypass || (stall(s, in) && !out->deq_write));
        s->offered = !in->deq_ready;
        s->first = (s->first + in->deq_ready) % (MRPB_PICKS_MAX + 1);
    }
    uint64_t prefer = s->longest ? look_at_lengths(s) : 0;
    if (s->picks < s->pipe) {
        pick(s);
        readable += s->pipe == 1 && s->picked_last;
    } else {
        s->hold = s->picked_last = s->picked_write = false;
    }
    if (s->longest) {
        s->prefer = prefer;
    }
    if (s->delay_valid | enters_queue) {
        delay(s, enters_queue, in->enq_queue);
    }
    s->waiting += s->write_entered;
    s->write_entered = enters_write;

    s->refused_read = s->refused_write = 0;
    if (in->enq_valid && !enters && s->params.FLUSH) {
        note_refusal(s, in);
    }
    if (s->freeing) {
        s->queue[s->freed_queue].stored--;
        if (!chose(s, s->freed_queue)) {
            s->coming &= ~bit_of(s->freed_queue);
        }
        s->freeing = false;
    }
    if (!s->offered && readable) {
        read_first(s);
    }
    if (enters_queue) {
        enter_queue(s, in);
    } else if (enters_write) {
        enter_write(s, in);
    }
}

bool mrpb_quiet(const struct mrpb *s, const struct mrpb_in *in) {
    bool ready = in->enq_valid && enq_ready(s, in);
    if (in->rst || s->delay_valid || ready || s->picked_last || s->freeing || s->write_entered ||
        s->hold) {
        return false;
    }
    if (s->picks < s->pipe && (s->ready || s->waiting)) {
        return false;
    }
    /* What the next cycle will know of this refusal is what this one knows of the last. */
    bool refused = in->enq_valid && s->params.FLUSH;
    bool write = in->enq_write && s->queue[in->enq_queue].stored;
    if (s->refused_read != (refused && !in->enq_write ? bit_of(in->enq_queue) : 0) ||
        s->refused_write != (refused && write ? bit_of(in->enq_queue) : 0)) {
        return false;
    }
    if (s->longest && (s->longest_last != s->level[s->top] || s->prefer != s->longest_last)) {
        return false;
    }
    if (!s->offered) {
        return s->picks == 0;
    }
    return !in->deq_ready && (s->bypass || !stall(s, in) || s->picked[s->first].write);
}
