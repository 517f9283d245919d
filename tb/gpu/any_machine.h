/* SPDX-License-Identifier: Apache-2.0
 *
 * Any machine that config_check() accepts: every key over its whole range, its ends most of all.
 * Nothing here knows a rule between keys: each key in turn gets some value of its range, and keeps
 * it where config_check() says so.
 */
#ifndef WARPMEM_TB_ANY_MACHINE_H
#define WARPMEM_TB_ANY_MACHINE_H

#include <string.h>

#include "config/derived.h"
#include "config/keys.h"
#include "gpu/random_machine.h"

/* Limits of the machines of a test, set by the cost of building them, not by legality. */
struct any_bounds {
    uint64_t lines; /* of all caches together */
    unsigned slow;  /* at most so many cycles of the fastest clock in one of the slowest */
};

/* The ends, powers of two, and anything, small numbers as often as large ones. */
static inline unsigned any_number(struct rng *rng, const struct config_key *key) {
    unsigned kind = rng_below(rng, 8), least = key->min ? key->min : 1,
             low = 31 - (unsigned)__builtin_clz(least),
             high = 31 - (unsigned)__builtin_clz(key->max ? key->max : 1);
    uint64_t value = UINT64_C(1) << one_of(rng, low, high);
    if (kind == 0) {
        return key->min;
    }
    if (kind == 1) {
        return key->max;
    }
    value += kind < 5 ? rng_below(rng, (unsigned)value) : 0;
    return value < key->min ? key->min : value > key->max ? key->max : (unsigned)value;
}

/* Two digits, or config_check() would refuse nearly every four of them. */
static inline unsigned any_khz(struct rng *rng, const struct config_key *key) {
    uint64_t khz = one_of(rng, 1, rng_chance(rng, 1, 2) ? 9 : 99);
    for (unsigned digits = rng_below(rng, 7); digits; digits--) {
        khz *= 10;
    }
    return khz < key->min ? key->min : khz > key->max ? key->max : (unsigned)khz;
}

static inline bool any_key(struct rng *rng, struct config *c, unsigned i) {
    const struct config_key *key = config_key_at(i);
    char text[CONFIG_KEY_TEXT];
    if (key->kind == CONFIG_WORD) { /* noc.nodes: with it what must go with it */
        strcpy(c->noc.nodes, "-");
        c->noc.topology = NOC_CROSSBAR;
        if (rng_chance(rng, 2, 3)) {
            c->core.count = one_of(rng, 1, 12);
            c->l2.partitions = one_of(rng, 1, 12);
            put_random_mesh(rng, c);
        }
        return true;
    }
    if (key->kind == CONFIG_CHOICE) {
        snprintf(text, sizeof text, "%s", key->words[rng_below(rng, key->max + 1)]);
    } else {
        snprintf(text, sizeof text, "%u",
                 strcmp(config_key_section(i), "clock") ? any_number(rng, key) : any_khz(rng, key));
    }
    return config_value_put(c, i, text);
}

static inline bool any_affordable(const struct config *c, const struct any_bounds *b) {
    unsigned khz[] = {c->clock.core, c->clock.noc, c->clock.l2, c->clock.dram}, fast = 0,
             slow = ~0u;
    for (unsigned i = 0; i < 4; i++) {
        fast = khz[i] > fast ? khz[i] : fast;
        slow = khz[i] < slow ? khz[i] : slow;
    }
    uint64_t l1 = (uint64_t)c->l1.sets * c->l1.ways + c->texture.sets * c->texture.ways +
                  c->constant.sets * c->constant.ways;
    return fast / slow <= b->slow &&
           c->core.count * l1 + config_l2_bytes(c) / c->l2.line_bytes <= b->lines;
}

/** any_machine() - legal, within the bounds.*/
static inline struct config any_machine(struct rng *rng, const struct any_bounds *bounds) {
    enum { TRIES = 4 * CONFIG_KEYS };
    struct config c = random_machine(rng);
    struct config_error e;
    for (unsigned n = 0; n < TRIES; n++) {
        struct config other = c;
        assert_true(any_key(rng, &other, rng_below(rng, CONFIG_KEYS)));
        if (config_check(&other, &e)) {
            c = any_affordable(&other, bounds) ? other : c;
        } else {
            assert_true(e.text[0] && !strchr(e.text, '\n'));
        }
    }
    assert_legal(&c);
    return c;
}

#endif
