/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/daws_sampling.h"

#include <stddef.h>

void daws_sampling_init(struct daws_sampling *s, unsigned loops, unsigned bits) {
    *s = (struct daws_sampling){.loops = loops, .most = (1 << (bits - 1)) - 1};
}

static struct daws_sampled_loop *find_sampled_loop(struct daws_sampling *s, uint32_t pc) {
    for (unsigned i = 0; i < s->count; i++) {
        if (s->loop[i].pc == pc) {
            return &s->loop[i];
        }
    }
    return NULL;
}

void daws_sampling_enter(struct daws_sampling *s, uint32_t pc, unsigned warp, unsigned lanes) {
    struct daws_sampled_loop *l = find_sampled_loop(s, pc);
    if (lanes < 2 || (l && l->sampled) || (lanes == 2 && !(l && l->before))) {
        return;
    }
    if (!l && s->count == s->loops) {
        s->refused++;
        return;
    }
    if (!l) {
        l = &s->loop[s->count++];
        *l = (struct daws_sampled_loop){.pc = pc};
    }
    l->sampled = l->before = true;
    l->warp = (uint8_t)warp;
}

void daws_sampling_leave(struct daws_sampling *s, uint32_t pc, unsigned warp) {
    struct daws_sampled_loop *l = find_sampled_loop(s, pc);
    if (l && l->warp == warp) {
        l->sampled = false;
    }
}

void daws_sampling_exit(struct daws_sampling *s, unsigned warp) {
    for (unsigned i = 0; i < s->count; i++) {
        s->loop[i].sampled &= s->loop[i].warp != warp;
    }
}

bool daws_sampling_samples(const struct daws_sampling *s, uint32_t pc, unsigned warp) {
    for (unsigned i = 0; i < s->count; i++) {
        if (s->loop[i].pc == pc) {
            return s->loop[i].sampled && s->loop[i].warp == warp;
        }
    }
    return false;
}

void daws_sampling_feed(struct daws_sampling *s, uint32_t pc, bool local) {
    struct daws_sampled_loop *l = find_sampled_loop(s, pc);
    if (l && local) {
        l->counter += l->counter < s->most;
    } else if (l) {
        l->counter -= l->counter > -s->most - 1;
    }
}

bool daws_sampling_positive(const struct daws_sampling *s, uint32_t pc) {
    for (unsigned i = 0; i < s->count; i++) {
        if (s->loop[i].pc == pc) {
            return s->loop[i].counter > 0;
        }
    }
    return false;
}
