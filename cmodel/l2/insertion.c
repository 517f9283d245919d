/* SPDX-License-Identifier: Apache-2.0 */
#include "l2/insertion.h"

#include <stdlib.h>
#include <string.h>

#include "base/request.h"

enum { CLASS_LOW, CLASS_HIGH, ORDER }; /* the words of a set */

#define NIBBLE_1 UINT64_C(0x1111111111111111)
#define NIBBLE_8 UINT64_C(0x8888888888888888)
#define NIBBLES_IN_ORDER UINT64_C(0xfedcba9876543210)

static uint8_t *order_of_set(uint64_t *set) {
    return (uint8_t *)(set + ORDER);
}

static void reset_insertion(struct insertion *s) {
    memset(s->sets, 0, (size_t)s->params.SETS * s->stride * sizeof *s->sets);
    for (unsigned set = 0; set < s->params.SETS; set++) {
        uint64_t *state = s->sets + (size_t)set * s->stride;
        if (s->nibbles) {
            state[ORDER] = NIBBLES_IN_ORDER;
            continue;
        }
        for (unsigned way = 0; way < s->params.WAYS; way++) {
            order_of_set(state)[way] = (uint8_t)way;
        }
    }
    s->current = s->sets;
}

bool insertion_init(struct insertion *s, const struct insertion_params *params) {
    *s = (struct insertion){.params = *params, .nibbles = params->WAYS <= 16};
    s->stride = ORDER + (s->nibbles ? 1 : (params->WAYS + 7) / 8);
    s->sets = malloc((size_t)params->SETS * s->stride * sizeof *s->sets);
    if (!s->sets) {
        return false;
    }
    reset_insertion(s);
    return true;
}

void insertion_destroy(struct insertion *s) {
    free(s->sets);
    memset(s, 0, sizeof *s);
}

/* The first way of the order that is one of these, of which there is one. */
static unsigned least_recent(const struct insertion *s, uint64_t among) {
    if (!s->nibbles) {
        const uint8_t *way = order_of_set(s->current);
        while (!(among >> *way & 1)) {
            way++;
        }
        return *way;
    }
    uint64_t order = s->current[ORDER];
    while (!(among >> (order & 15) & 1)) {
        order >>= 4;
    }
    return (unsigned)(order & 15);
}

void insertion_comb(const struct insertion *s, const struct insertion_in *in,
                    struct insertion_out *out) {
    uint64_t among = ~in->held & (UINT64_MAX >> (64 - s->params.WAYS));
    out->victim_valid = in->free || among;
    if (in->free) {
        out->victim = (uint8_t)__builtin_ctzll(in->free);
    } else if (among) {
        uint64_t low = among & ~s->current[CLASS_HIGH];
        among = low ? low : among;
        low = among & ~s->current[CLASS_LOW];
        among = low ? low : among;
        out->victim = (uint8_t)least_recent(s, among);
    }
}

/* The way goes: the nibble that holds it does, and those above it move down. Nibbles above WAYS
 * hold ways that do not exist, in their order. Then it comes back above @place others. */
static uint64_t move_nibble(uint64_t order, unsigned way, unsigned ways, unsigned place) {
    uint64_t differ = order ^ way * NIBBLE_1;
    /* The lowest zero nibble has its top bit set here, and none below it has. */
    unsigned at = (unsigned)__builtin_ctzll((differ - NIBBLE_1) & ~differ & NIBBLE_8) - 3;
    unsigned top = 4 * (ways - 1), to = 4 * place;
    uint64_t above = UINT64_MAX << at, beyond = UINT64_MAX << top << 4;
    uint64_t moves = above & ~beyond;
    uint64_t others = (order & ~moves) | (order >> 4 & moves & ~(UINT64_C(15) << top));
    uint64_t rises = UINT64_MAX << to & ~beyond;
    return (others & ~rises) | (others << 4 & rises & ~(UINT64_C(15) << to)) | (uint64_t)way << to;
}

/* The way gets this place: so many others are less recently used. */
static void move_way(struct insertion *s, unsigned way, unsigned place) {
    if (s->nibbles) {
        s->current[ORDER] = move_nibble(s->current[ORDER], way, s->params.WAYS, place);
        return;
    }
    uint8_t *order = order_of_set(s->current);
    uint8_t *at = memchr(order, (int)way, s->params.WAYS);
    memmove(at, at + 1, (size_t)(order + s->params.WAYS - 1 - at));
    memmove(order + place + 1, order + place, s->params.WAYS - 1 - place);
    order[place] = (uint8_t)way;
}

/* Where a new line of the class enters the LRU order with PLACE = 1. */
static unsigned place_of_class(const struct insertion *s, unsigned class) {
    switch (class) {
    case L2_CLASS_MISS: return 0;
    case L2_CLASS_BALANCED: return s->params.WAYS / 2;
    default: return s->params.WAYS - 1;
    }
}

static unsigned class_of_way(const uint64_t *set, unsigned way) {
    return (unsigned)((set[CLASS_HIGH] >> way & 1) << 1 | (set[CLASS_LOW] >> way & 1));
}

void insertion_step(struct insertion *s, const struct insertion_in *in,
                    const struct insertion_out *out) {
    (void)out;
    if (in->rst) {
        reset_insertion(s);
        return;
    }
    if (in->insert || in->touch) {
        uint64_t *set = s->current, bit = UINT64_C(1) << in->way;
        bool placed = s->params.PLACE && in->insert;
        move_way(s, in->way, placed ? place_of_class(s, in->line_class) : s->params.WAYS - 1);
        if (!s->params.PLACE &&
            (in->insert || (s->params.RAISE && in->line_class > class_of_way(set, in->way)))) {
            set[CLASS_LOW] = (set[CLASS_LOW] & ~bit) | (in->line_class & 1 ? bit : 0);
            set[CLASS_HIGH] = (set[CLASS_HIGH] & ~bit) | (in->line_class & 2 ? bit : 0);
        }
    }
    if (in->read) {
        s->current = s->sets + (size_t)in->set * s->stride;
    }
}

bool insertion_quiet(const struct insertion *s, const struct insertion_in *in) {
    return !in->rst && !in->insert && !in->touch &&
           (!in->read || s->current == s->sets + (size_t)in->set * s->stride);
}

unsigned insertion_way_at(const struct insertion *s, unsigned set, unsigned place) {
    uint64_t *state = s->sets + (size_t)set * s->stride;
    return s->nibbles ? state[ORDER] >> 4 * place & 15 : order_of_set(state)[place];
}

unsigned insertion_class(const struct insertion *s, unsigned set, unsigned way) {
    return class_of_way(s->sets + (size_t)set * s->stride, way);
}
