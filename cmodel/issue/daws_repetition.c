/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/daws_repetition.h"

#include <string.h>

bool daws_repetition_init(struct daws_repetition *s, const struct daws_repetition_params *p) {
    memset(s, 0, sizeof *s);
    s->p = *p;
    return true;
}

void daws_repetition_destroy(struct daws_repetition *s) {
    (void)s;
}

void daws_repetition_comb(const struct daws_repetition *s, const struct daws_repetition_in *in,
                          struct daws_repetition_out *out) {
    (void)in;
    out->pair_valid = s->pair[0].valid;
    out->pair_a = s->pair[0].a;
    out->pair_b = s->pair[0].b;
}

static struct daws_repetition_pair probe_repetition(struct daws_repetition *s,
                                                    const struct daws_repetition_in *in) {
    const struct daws_repetition_pair none = {0, 0, 0};
    struct daws_repetition_entry *set = s->entry[in->probe_line & (s->p.SETS - 1)], *victim = set;
    s->probes++;
    for (unsigned way = 0; way < s->p.WAYS; way++) {
        struct daws_repetition_entry *e = &set[way];
        if (e->valid && e->warp == in->probe_warp && e->line == in->probe_line) {
            e->used = s->probes;
            return e->pc != in->probe_pc ? (struct daws_repetition_pair){1, in->probe_pc, e->pc}
                                         : none;
        }
        if (victim->valid && (!e->valid || e->used < victim->used)) {
            victim = e;
        }
    }
    *victim = (struct daws_repetition_entry){.valid = true,
                                             .warp = in->probe_warp,
                                             .line = in->probe_line,
                                             .pc = in->probe_pc,
                                             .used = s->probes};
    return none;
}

/* MAJORITY: the pair of a load, with its last access. */
static struct daws_repetition_pair count_vote(struct daws_repetition *s,
                                              struct daws_repetition_pair p,
                                              const struct daws_repetition_in *in) {
    if (p.valid) {
        s->votes += s->votes < DAWS_REPETITION_VOTES_MAX;
    } else {
        s->votes -= s->votes > -DAWS_REPETITION_VOTES_MAX - 1;
    }
    s->other = p.valid ? p.b : s->other;
    const struct daws_repetition_pair none = {0, 0, 0}, most = {1, in->probe_pc, s->other};
    const bool shows = in->probe_last && s->votes > 0;
    s->votes = in->probe_last ? 0 : s->votes;
    return shows ? most : none;
}

static void clear_repetition(struct daws_repetition *s, unsigned warp) {
    for (unsigned set = 0; set < s->p.SETS; set++) {
        for (unsigned way = 0; way < s->p.WAYS; way++) {
            s->entry[set][way].valid &= s->entry[set][way].warp != warp;
        }
    }
}

void daws_repetition_step(struct daws_repetition *s, const struct daws_repetition_in *in,
                          const struct daws_repetition_out *out) {
    struct daws_repetition_pair *last = &s->pair[DAWS_REPETITION_LATENCY - 1];
    (void)out;
    if (in->rst) {
        const struct daws_repetition_params p = s->p;
        daws_repetition_init(s, &p);
        return;
    }
    if (in->clear_valid) {
        clear_repetition(s, in->clear_warp);
    }
    memmove(s->pair, s->pair + 1, sizeof s->pair - sizeof *s->pair);
    *last = in->probe_valid ? probe_repetition(s, in) : (struct daws_repetition_pair){0, 0, 0};
    if (s->p.MAJORITY && in->probe_valid) {
        *last = count_vote(s, *last, in);
    }
}

bool daws_repetition_quiet(const struct daws_repetition *s, const struct daws_repetition_in *in) {
    bool shows = false;
    for (unsigned i = 0; i < DAWS_REPETITION_LATENCY; i++) {
        shows |= s->pair[i].valid;
    }
    return !in->rst && !in->probe_valid && !in->clear_valid && !shows;
}
