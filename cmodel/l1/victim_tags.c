/* SPDX-License-Identifier: Apache-2.0 */
#include "l1/victim_tags.h"

#include <string.h>

bool victim_tags_init(struct victim_tags *s, const struct victim_tags_params *p) {
    memset(s, 0, sizeof *s);
    s->p = *p;
    return true;
}

void victim_tags_destroy(struct victim_tags *s) {
    (void)s;
}

void victim_tags_comb(const struct victim_tags *s, const struct victim_tags_in *in,
                      struct victim_tags_out *out) {
    (void)in;
    out->hit_valid = s->hit;
    out->hit_warp = s->hit_warp;
}

static struct victim_set *victim_set_of(struct victim_tags *s, unsigned warp, uint32_t line) {
    return &s->set[warp][line & (s->p.SETS - 1)];
}

/* Looks the line up. */
static bool find_lost_line(const struct victim_tags *s, struct victim_set *set, uint32_t line) {
    unsigned match = 0;
    for (unsigned way = 0; way < s->p.WAYS; way++) {
        match |= (unsigned)(set->line[way] == line) << way;
    }
    match &= set->valid;
    if (s->p.FREES) {
        set->valid &= (uint16_t)~match;
    }
    return match;
}

static void keep_evicted_line(const struct victim_tags *s, struct victim_set *set, uint32_t line) {
    set->line[set->next] = line;
    set->valid |= (uint16_t)(1u << set->next);
    set->next = set->next + 1u < s->p.WAYS ? (uint8_t)(set->next + 1) : 0;
}

void victim_tags_step(struct victim_tags *s, const struct victim_tags_in *in,
                      const struct victim_tags_out *out) {
    (void)out;
    if (in->rst) {
        const struct victim_tags_params p = s->p;
        victim_tags_init(s, &p);
        return;
    }
    s->hit = in->look_valid &&
             find_lost_line(s, victim_set_of(s, in->look_warp, in->look_line), in->look_line);
    s->hit_warp = s->hit ? in->look_warp : s->hit_warp;
    if (in->evict_valid) {
        keep_evicted_line(s, victim_set_of(s, in->evict_warp, in->evict_line), in->evict_line);
    }
    for (unsigned i = 0; in->clear_valid && i < s->p.SETS; i++) {
        s->set[in->clear_warp][i].valid = 0;
    }
}

bool victim_tags_quiet(const struct victim_tags *s, const struct victim_tags_in *in) {
    return !in->rst && !in->evict_valid && !in->look_valid && !in->clear_valid && !s->hit;
}
