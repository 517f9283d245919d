/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/daws_repetition.h"

void daws_repetition_init(struct daws_repetition *r, unsigned entries, unsigned ways) {
    *r = (struct daws_repetition){.sets = entries / ways, .ways = ways};
}

bool daws_repetition_probe(struct daws_repetition *r, unsigned warp, uint64_t line, uint32_t pc,
                           uint32_t *other) {
    struct daws_repetition_entry *set = &r->entry[(line & (r->sets - 1)) * r->ways], *victim = set;
    r->clock++;
    for (unsigned way = 0; way < r->ways; way++) {
        struct daws_repetition_entry *e = &set[way];
        if (e->valid && e->warp == warp && e->line == line) {
            *other = e->pc;
            e->used = r->clock;
            return e->pc != pc;
        }
        if (victim->valid && (!e->valid || e->used < victim->used)) {
            victim = e;
        }
    }
    *victim = (struct daws_repetition_entry){
        .valid = true, .warp = (uint8_t)warp, .pc = pc, .line = line, .used = r->clock};
    return false;
}

void daws_repetition_clear(struct daws_repetition *r, unsigned warp) {
    for (unsigned i = 0; i < r->sets * r->ways; i++) {
        r->entry[i].valid &= r->entry[i].warp != warp;
    }
}
