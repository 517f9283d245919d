/* SPDX-License-Identifier: Apache-2.0 */
#include "issue/daws_classes.h"

#include <stddef.h>

void daws_classes_init(struct daws_classes *d, unsigned entries, unsigned loops, bool at_once) {
    *d = (struct daws_classes){.entries = entries, .loops = loops, .at_once = at_once};
}

void daws_classes_clear(struct daws_classes *d) {
    d->load_count = d->loop_count = 0;
    d->changed = 0;
    d->scanning = false;
}

static void begin_group_scan(struct daws_classes *d, unsigned loop) {
    d->changed &= ~(UINT32_C(1) << loop);
    d->scanning = true;
    d->scan_loop = loop;
    d->scan_at = 0;
    d->scan_seen = d->scan_diverged = 0;
}

/* One entry of the scan; behind the last one the numbers of groups count. */
static void scan_one_load(struct daws_classes *d) {
    const struct daws_classed_load *l = &d->load[d->scan_at];
    struct daws_classed_loop *loop = &d->loop[d->scan_loop];
    if (d->scan_at < d->load_count && l->loop == loop->pc) {
        d->scan_seen |= UINT64_C(1) << l->group;
        d->scan_diverged |= (uint64_t)l->diverged << l->group;
    }
    if (++d->scan_at == d->entries) {
        loop->diverged = (uint8_t)__builtin_popcountll(d->scan_diverged);
        loop->converged = (uint8_t)__builtin_popcountll(d->scan_seen & ~d->scan_diverged);
        d->scanning = false;
    }
}

static void finish_group_scans(struct daws_classes *d) {
    while (d->scanning || d->changed) {
        if (!d->scanning) {
            begin_group_scan(d, (unsigned)__builtin_ctz(d->changed));
        }
        scan_one_load(d);
    }
}

void daws_classes_run(struct daws_classes *d, uint64_t cycle) {
    for (; d->cycle < cycle && (d->scanning || d->changed); d->cycle++) {
        if (d->scanning) {
            scan_one_load(d);
        } else {
            begin_group_scan(d, (unsigned)__builtin_ctz(d->changed));
        }
    }
    d->cycle = cycle > d->cycle ? cycle : d->cycle;
}

/* Returns the loop's place; that of the first free one if it has none, d->loop_count. */
static unsigned find_classed_loop(const struct daws_classes *d, uint32_t pc) {
    unsigned i = 0;
    while (i < d->loop_count && d->loop[i].pc != pc) {
        i++;
    }
    return i;
}

/* Makes an entry for a load that has none. Returns it; NULL: refused. */
static struct daws_classed_load *add_daws_load(struct daws_classes *d, uint32_t loop, uint32_t pc) {
    unsigned i = find_classed_loop(d, loop);
    if (i == d->loops) {
        d->refused_loops++;
        return NULL;
    }
    if (d->load_count == d->entries) {
        d->refused_loads++;
        return NULL;
    }
    if (i == d->loop_count) {
        d->loop[d->loop_count++] = (struct daws_classed_loop){.pc = loop};
    }
    struct daws_classed_load *l = &d->load[d->load_count];
    *l = (struct daws_classed_load){.loop = loop, .pc = pc, .group = (uint8_t)d->load_count++};
    d->changed |= UINT32_C(1) << i;
    return l;
}

bool daws_classes_write(struct daws_classes *d, uint32_t loop, uint32_t pc, bool diverged,
                        unsigned group) {
    struct daws_classed_load *l = add_daws_load(d, loop, pc);
    if (!l) {
        return false;
    }
    l->diverged = diverged;
    l->group = (uint8_t)group;
    d->loop[find_classed_loop(d, loop)].positive = true;
    finish_group_scans(d);
    return true;
}

static struct daws_classed_load *find_classed_load(struct daws_classes *d, uint32_t loop,
                                                   uint32_t pc) {
    for (unsigned i = 0; i < d->load_count; i++) {
        if (d->load[i].loop == loop && d->load[i].pc == pc) {
            return &d->load[i];
        }
    }
    return NULL;
}

/* The loop's groups are to be counted anew. */
static void change_daws_loop(struct daws_classes *d, uint32_t loop) {
    unsigned i = find_classed_loop(d, loop);
    if (d->scanning && d->scan_loop == i) {
        d->scanning = false;
    }
    d->changed |= UINT32_C(1) << i;
    if (d->at_once) {
        finish_group_scans(d);
    }
}

void daws_classes_class(struct daws_classes *d, uint32_t loop, uint32_t pc, unsigned lanes,
                        unsigned accesses) {
    struct daws_classed_load *l = find_classed_load(d, loop, pc);
    bool was, fresh = !l;
    if (fresh && !(l = add_daws_load(d, loop, pc))) {
        return;
    }
    was = l->diverged;
    if (lanes > 2 && accesses > 2) {
        l->counter += l->counter < 7;
    } else if (lanes > 2) {
        l->counter -= l->counter > -8;
    }
    l->diverged = l->counter > 1;
    if (fresh || l->diverged != was) {
        change_daws_loop(d, loop);
    }
}

void daws_classes_pair(struct daws_classes *d, uint32_t loop, uint32_t a, uint32_t b) {
    const struct daws_classed_load *first = find_classed_load(d, loop, a),
                                   *second = find_classed_load(d, loop, b);
    if (!first || !second || first->group == second->group) {
        return;
    }
    uint8_t older = first->group < second->group ? first->group : second->group,
            younger = first->group < second->group ? second->group : first->group;
    for (unsigned i = 0; i < d->load_count; i++) {
        if (d->load[i].group == younger) {
            d->load[i].group = older;
        }
    }
    change_daws_loop(d, loop);
}

void daws_classes_positive(struct daws_classes *d, uint32_t loop, bool positive) {
    unsigned i = find_classed_loop(d, loop);
    if (i < d->loop_count) {
        d->loop[i].positive = positive;
    }
}

static unsigned predicted_lines(const struct daws_classed_loop *loop, unsigned lanes) {
    return lanes > 1 ? lanes * loop->diverged + 2u * loop->converged
                     : lanes * ((unsigned)loop->diverged + loop->converged);
}

struct daws_answer daws_classes_ask(const struct daws_classes *d, uint32_t pc, unsigned lanes,
                                    bool near) {
    struct daws_answer answer = {.known = false};
    for (unsigned i = 0; i < d->loop_count; i++) {
        const struct daws_classed_loop *loop = &d->loop[i];
        bool fits = near ? loop->pc >= pc && loop->pc >> DAWS_CODE_SHIFT == pc >> DAWS_CODE_SHIFT &&
                               (!answer.known || loop->pc < answer.loop)
                         : loop->pc == pc;
        if (fits && loop->positive) {
            answer = (struct daws_answer){
                .known = true, .loop = loop->pc, .lines = predicted_lines(loop, lanes)};
        }
    }
    return answer;
}
