/* SPDX-License-Identifier: Apache-2.0 */
#include "l1/mrpb.h"

#include <stdlib.h>
#include <string.h>

/* Every array has room for MRPB_QUEUES_MAX queues: without enq_valid, enq_queue may be anything
 * that fits its port. */
enum { STAGES_A_WORD = 8 };

bool mrpb_init(struct mrpb *s, const struct mrpb_params *params) {
    memset(s, 0, sizeof *s);
    s->params = *params;
    s->words = (params->DATA_BITS + 63) / 64;
    s->delay_last = 1u << (params->LATENCY - 3);
    s->entries = calloc((size_t)params->QUEUES * params->DEPTH * s->words, sizeof *s->entries);
    s->head = calloc(3 * MRPB_QUEUES_MAX, sizeof *s->head);
    if (!s->entries || !s->head) {
        mrpb_destroy(s);
        return false;
    }
    s->count = s->head + MRPB_QUEUES_MAX;
    s->selectable = s->count + MRPB_QUEUES_MAX;
    return true;
}

void mrpb_destroy(struct mrpb *s) {
    free(s->entries);
    free(s->head);
    memset(s, 0, sizeof *s);
}

static void copy(uint64_t *to, const uint64_t *from, unsigned words) {
    for (unsigned i = 0; i < words; i++) {
        to[i] = from[i];
    }
}

static uint64_t *entry(const struct mrpb *s, unsigned queue, unsigned slot) {
    return &s->entries[(size_t)(queue * s->params.DEPTH + slot) * s->words];
}

static bool enq_ready(const struct mrpb *s, const struct mrpb_in *in) {
    unsigned stored = s->count[in->enq_queue];
    return in->enq_write ? stored == 0 && s->writes < MRPB_WRITE_SLOTS : stored < s->params.DEPTH;
}

void mrpb_comb(const struct mrpb *s, const struct mrpb_in *in, struct mrpb_out *out) {
    out->enq_ready = enq_ready(s, in);
    out->deq_valid = s->read_valid || s->writes > 0;
    out->deq_write = !s->read_valid && s->writes > 0;
    out->deq_bypass = s->read_valid && s->read_bypass;
    out->deq_queue = s->read_valid ? s->read_queue : s->write_queue[0];
    if (out->deq_valid) {
        copy(out->deq_data, s->read_valid ? s->read_data : s->write_data[0], s->words);
    }
}

static void reset(struct mrpb *s) {
    memset(s->head, 0, 3 * MRPB_QUEUES_MAX * sizeof *s->head);
    s->nonempty = 0;
    s->delay_valid = 0;
    s->read_valid = s->read_bypass = false;
    s->writes = 0;
}

/* Moves the oldest entry of a queue, which must be selectable, to the outbound buffer. */
static void select_entry(struct mrpb *s, unsigned queue) {
    unsigned slot = s->head[queue];
    copy(s->read_data, entry(s, queue, slot), s->words);
    s->read_queue = (uint8_t)queue;
    s->read_valid = true;
    s->head[queue] = slot + 1 == s->params.DEPTH ? 0 : (uint8_t)(slot + 1);
    s->count[queue]--;
    if (--s->selectable[queue] == 0) {
        s->nonempty &= ~(UINT64_C(1) << queue);
    }
}

void mrpb_step(struct mrpb *s, const struct mrpb_in *in, const struct mrpb_out *out) {
    if (in->rst) {
        reset(s);
        return;
    }
    bool enters = in->enq_valid && out->enq_ready;
    bool enters_queue = enters && !in->enq_write;

    /* The tail as it is before the selection: head and count change together there, so it does not
     * move. */
    unsigned tail = 0;
    if (enters_queue) {
        tail = s->head[in->enq_queue] + s->count[in->enq_queue];
        tail -= tail >= s->params.DEPTH ? s->params.DEPTH : 0;
    }

    if (s->read_valid) {
        s->read_bypass = !in->deq_ready && (s->read_bypass || in->deq_assoc_stall);
        s->read_valid = !in->deq_ready;
    } else if (s->writes > 0 && in->deq_ready) {
        s->writes--;
        s->write_queue[0] = s->write_queue[1];
        copy(s->write_data[0], s->write_data[1], s->words);
    }
    /* A write that enters at this edge is not counted yet: the selected read goes before it. */
    if (!s->read_valid && s->writes == 0 && s->nonempty) {
        bool flush = in->enq_valid && !out->enq_ready && (s->nonempty >> in->enq_queue & 1);
        select_entry(s, flush ? in->enq_queue : (unsigned)__builtin_ctzll(s->nonempty));
    }

    if (s->delay_valid & s->delay_last) {
        unsigned stage = s->params.LATENCY - 3;
        uint8_t queue =
            (uint8_t)(s->delay_queue[stage / STAGES_A_WORD] >> stage % STAGES_A_WORD * 8);
        s->selectable[queue]++;
        s->nonempty |= UINT64_C(1) << queue;
    }
    if (s->delay_valid | enters_queue) {
        s->delay_valid = (s->delay_valid & ~s->delay_last) << 1 | enters_queue;
        s->delay_queue[1] = s->delay_queue[1] << 8 | s->delay_queue[0] >> 56;
        s->delay_queue[0] = s->delay_queue[0] << 8 | in->enq_queue;
    }

    if (enters_queue) {
        copy(entry(s, in->enq_queue, tail), in->enq_data, s->words);
        s->count[in->enq_queue]++;
    } else if (enters) {
        copy(s->write_data[s->writes], in->enq_data, s->words);
        s->write_queue[s->writes++] = in->enq_queue;
    }
}

bool mrpb_quiet(const struct mrpb *s, const struct mrpb_in *in) {
    if (in->rst || s->delay_valid || (in->enq_valid && enq_ready(s, in))) {
        return false;
    }
    if (s->read_valid) {
        return !in->deq_ready && (s->read_bypass || !in->deq_assoc_stall);
    }
    return s->writes > 0 ? !in->deq_ready : s->nonempty == 0;
}
