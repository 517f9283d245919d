/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/registers.h"

#include <stdlib.h>
#include <string.h>

#define NEVER UINT32_MAX

/* Places in the final code: instruction n reads in place 2 n and writes in 2 n + 1; a block without
 * instructions takes two places too. */
struct lifetime {
    uint32_t value;
    uint32_t first, last; /* places: NEVER, 0 if there is none */
    uint32_t first_set;   /* NEVER: no instruction sets it */
    uint32_t in;          /* block of the first place */
    bool read;
    uint32_t read_at, read_in; /* place and block of the last read; NEVER: none since it was set */
};

struct places {
    const struct kernel_table *t;
    const struct block_order *o;
    uint32_t *block_first;            /* place of each block */
    uint32_t *loop_first, *loop_last; /* of each loop */
    struct lifetime *life;
    uint32_t count;  /* of places */
    int64_t *change; /* 32-bit registers that get a value at a place, less those that lose one */
};

static void place_blocks(struct places *p) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < p->o->count; i++) {
        uint32_t b = p->o->sequence[i], loop = p->o->loop[b];
        uint32_t size = p->t->blocks[b].count ? 2 * p->t->blocks[b].count : 2;
        p->block_first[b] = at;
        at += size;
        for (; loop != LOOP_NONE; loop = p->o->loops[loop].parent) {
            if (p->o->loops[loop].head == b) {
                p->loop_first[loop] = p->block_first[b];
            }
            p->loop_last[loop] = at - 1;
        }
    }
    p->count = at;
}

static void meet_value(struct places *p, uint32_t value, uint32_t block, uint32_t at, bool set) {
    if (value == VALUE_NONE) {
        return;
    }
    struct lifetime *l = &p->life[value];
    if (at < l->first) {
        l->first = at;
        l->in = block;
    }
    l->last = at > l->last ? at : l->last;
    if (!set) {
        l->read = true;
        l->read_at = at;
        l->read_in = block;
        return;
    }
    l->first_set = at < l->first_set ? at : l->first_set;
    /* Between its last read and the next time that it is set the value needs no register: sums of a
     * loop are elsewhere in the middle of an iteration. */
    if (l->read_at != NEVER && l->read_in == block) {
        p->change[l->read_at + 1] -= p->t->value_words[value];
        p->change[at] += p->t->value_words[value];
    }
    l->read_at = NEVER;
}

/* A loop that reads what is set outside it reads it again in the next iteration. */
static void stretch_over_loops(struct places *p, uint32_t value, uint32_t block, uint32_t *last) {
    if (value == VALUE_NONE) {
        return;
    }
    const struct lifetime *l = &p->life[value];
    for (uint32_t loop = p->o->loop[block]; loop != LOOP_NONE; loop = p->o->loops[loop].parent) {
        if (p->loop_first[loop] <= l->first && l->last <= p->loop_last[loop]) {
            break;
        }
        last[value] = p->loop_last[loop] > last[value] ? p->loop_last[loop] : last[value];
    }
}

static void visit_insns(struct places *p, uint32_t *last) {
    for (uint32_t b = 0; b < p->o->count; b++) {
        for (uint32_t n = 0; n < p->t->blocks[b].count; n++) {
            const struct table_insn *i = &p->t->insns[p->t->blocks[b].first + n];
            for (unsigned s = 0; s < INSN_SOURCES_MAX; s++) {
                if (last) {
                    stretch_over_loops(p, i->src[s], b, last);
                } else {
                    meet_value(p, i->src[s], b, p->block_first[b] + 2 * n, false);
                }
            }
            if (!last) {
                meet_value(p, i->dst, b, p->block_first[b] + 2 * n + 1, true);
            }
        }
    }
}

/* A value that is read before it is set comes from the iteration before. */
static void stretch_over_iterations(struct places *p, struct lifetime *l) {
    if (l->first >= l->first_set) {
        return;
    }
    uint32_t loop = p->o->loop[l->in];
    while (loop != LOOP_NONE && p->loop_last[loop] < l->last) {
        loop = p->o->loops[loop].parent;
    }
    if (loop != LOOP_NONE && l->first_set != NEVER) {
        l->first = p->loop_first[loop];
        l->last = p->loop_last[loop];
    }
}

static int compare_lifetimes(const void *a, const void *b) {
    const struct lifetime *x = a, *y = b;
    if (x->first != y->first) {
        return x->first < y->first ? -1 : 1;
    }
    return x->value < y->value ? -1 : 1;
}

/* Lifetimes come in the order of their begin. Nothing waits for a value that no instruction reads,
 * as the first of four that one store writes: in a register it would delay the next value there. */
static void scan_lifetimes(struct places *p, uint8_t *registers) {
    uint32_t free_at[REG_COUNT] = {0}; /* first place at which the register is free */
    for (uint32_t i = 0; i < p->t->value_count; i++) {
        const struct lifetime *l = &p->life[i];
        if (l->first == NEVER) {
            break;
        }
        if (!l->read) {
            continue;
        }
        unsigned chosen = REG_COUNT, soonest = 0;
        for (unsigned r = REG_COUNT; r-- > 0;) {
            chosen = free_at[r] <= l->first ? r : chosen;
            soonest = free_at[r] <= free_at[soonest] ? r : soonest;
        }
        chosen = chosen == REG_COUNT ? soonest : chosen;
        free_at[chosen] = l->last + 1;
        registers[l->value] = (uint8_t)chosen;
        p->change[l->first] += p->t->value_words[l->value];
        p->change[l->last + 1] -= p->t->value_words[l->value];
    }
}

static unsigned most_at_once(const struct places *p) {
    int64_t now = 0, most = 1;
    for (uint32_t at = 0; at < p->count; at++) {
        now += p->change[at];
        most = now > most ? now : most;
    }
    return most < REG_COUNT ? (unsigned)most : REG_COUNT; /* more would be in memory */
}

bool registers_assign(const struct kernel_table *t, const struct block_order *order,
                      uint8_t *registers, unsigned *most) {
    const size_t blocks = order->count, values = t->value_count;
    uint32_t *memory = calloc(blocks + 2 * (size_t)order->loop_count + values + 1, sizeof *memory);
    struct places p = {.t = t, .o = order, .life = calloc(values + 1, sizeof *p.life)};
    p.change = calloc(2 * ((size_t)t->insn_count + t->graph.count) + 2, sizeof *p.change);
    if (!memory || !p.life || !p.change) {
        free(memory);
        free(p.life);
        free(p.change);
        return false;
    }
    p.block_first = memory;
    p.loop_first = memory + blocks;
    p.loop_last = p.loop_first + order->loop_count;
    uint32_t *last = p.loop_last + order->loop_count;
    for (uint32_t v = 0; v < values; v++) {
        p.life[v] =
            (struct lifetime){.value = v, .first = NEVER, .first_set = NEVER, .read_at = NEVER};
    }
    memset(registers, REG_NONE, values);
    place_blocks(&p);
    visit_insns(&p, NULL);
    visit_insns(&p, last);
    for (uint32_t v = 0; v < values; v++) {
        p.life[v].last = last[v] > p.life[v].last ? last[v] : p.life[v].last;
        stretch_over_iterations(&p, &p.life[v]);
    }
    qsort(p.life, values, sizeof *p.life, compare_lifetimes);
    scan_lifetimes(&p, registers);
    *most = most_at_once(&p);
    free(memory);
    free(p.life);
    free(p.change);
    return true;
}
