/* SPDX-License-Identifier: Apache-2.0 */
#include "common/fifo.h"

#include <stdlib.h>
#include <string.h>

bool fifo_init(struct fifo *s, const struct fifo_params *params) {
    memset(s, 0, sizeof *s);
    s->params = *params;
    s->chunks = (params->DATA_BITS + 63) / 64;
    s->words = calloc((size_t)params->DEPTH * s->chunks, sizeof *s->words);
    return s->words != NULL;
}

void fifo_destroy(struct fifo *s) {
    free(s->words);
    memset(s, 0, sizeof *s);
}

void fifo_comb(const struct fifo *s, const struct fifo_in *in, struct fifo_out *out) {
    (void)in;
    out->enq_ready = s->count < s->params.DEPTH;
    out->deq_valid = s->offered;
    out->count = (uint16_t)s->count;
    if (s->offered) {
        memcpy(out->deq_data, &s->words[s->head * s->chunks], s->chunks * sizeof *s->words);
    }
}

void fifo_step(struct fifo *s, const struct fifo_in *in, const struct fifo_out *out) {
    if (in->rst) {
        s->head = s->count = 0;
        s->offered = false;
        return;
    }
    bool enters = in->enq_valid && out->enq_ready;
    unsigned tail = (s->head + s->count) % s->params.DEPTH;
    if (s->offered && in->deq_ready) {
        s->head = s->head + 1 == s->params.DEPTH ? 0 : s->head + 1;
        s->count--;
    }
    /* Words inside were written at earlier edges; one that enters now is read at the next. */
    s->offered = s->count > 0;
    if (enters) {
        memcpy(&s->words[tail * s->chunks], in->enq_data, s->chunks * sizeof *s->words);
        s->count++;
    }
}

bool fifo_quiet(const struct fifo *s, const struct fifo_in *in) {
    if (in->rst || (in->enq_valid && s->count < s->params.DEPTH)) {
        return false;
    }
    return s->offered ? !in->deq_ready : s->count == 0;
}
