/* SPDX-License-Identifier: Apache-2.0
 *
 * Machines by chance that config_check() accepts: small ones, everything full most of the time, few
 * lines, odd numbers; and any, every key over its whole range, its ends most of all. Each key gets
 * a value of its row, and with it the keys that config_check() then names in its message: a new key
 * needs nothing here.
 */
#ifndef WARPMEM_TB_RANDOM_MACHINE_H
#define WARPMEM_TB_RANDOM_MACHINE_H

#include <stdio.h>
#include <string.h>

#include "config/derived.h"
#include "config/keys.h"
#include "config/preset.h"
#include "cosim/rng.h"
#include "dram/random_map.h"

/* A test's machines: the distribution of their numbers, and bounds for the time that they take. */
struct machine_draws {
    unsigned (*number)(struct rng *rng, unsigned key);
    uint64_t lines; /* of all caches together */
    unsigned slow;  /* cycles of the fastest clock in one of the slowest */
    unsigned burst; /* DRAM cycles between bursts, times the bursts of a line */
    bool ideal;     /* may have no L1, or caches that always hit */
};

static inline unsigned one_of(struct rng *rng, unsigned least, unsigned most) {
    return least + rng_below(rng, most - least + 1);
}

/* --- numbers --- */

static inline unsigned within_row(const struct config_key *key, uint64_t value) {
    return value < key->min ? key->min : value > key->max ? key->max : (unsigned)value;
}

/* The ends, powers of two, and anything, small numbers as often as large ones. */
static inline unsigned any_number(struct rng *rng, unsigned i) {
    const struct config_key *key = config_key_at(i);
    unsigned kind = rng_below(rng, 8), least = key->min ? key->min : 1,
             low = 31 - (unsigned)__builtin_clz(least),
             high = 31 - (unsigned)__builtin_clz(key->max ? key->max : 1);
    uint64_t value = UINT64_C(1) << one_of(rng, low, high);
    value += kind < 5 ? rng_below(rng, (unsigned)value) : 0;
    return kind == 5 ? key->min : kind == 6 ? key->max : within_row(key, value);
}

enum { RANDOM_SHARED_BYTES = 1024 }; /* of a CTA of a random kernel */

/* Small machines have these numbers, or 0. */
static const struct {
    const char *key;
    unsigned least, most;
} small_numbers[] = {
    {"core.count", 1, 5}, /* time: every counter of each is compared */
    {"l2.partitions", 1, 6},
    {"core.warps", 8, 48}, /* so that many wait for one thing, and CTAs have several */
    {"core.threads", 256, 1536},
    {"core.cta_threads", 33, 1024},
    {"core.registers", 4096, 32768},
    {"core.shared_bytes", RANDOM_SHARED_BYTES, 16 * RANDOM_SHARED_BYTES},
    {"dram.refi", 1, 500}, /* near ones would be shorter than a refresh */
};

/* Near the least one of the row; a multiple of it; or one of up to eight bits. Times are shorter,
 * for a test's time. */
static inline unsigned small_number(struct rng *rng, unsigned i) {
    const struct config_key *key = config_key_at(i);
    char text[CONFIG_KEY_TEXT];
    config_key_text(i, text);
    for (size_t n = 0; n < sizeof small_numbers / sizeof *small_numbers; n++) {
        if (!strcmp(text, small_numbers[n].key)) {
            return one_of(rng, small_numbers[n].least, small_numbers[n].most);
        }
    }
    unsigned kind = rng_below(rng, 4), bits = rng_below(rng, strstr(key->unit, "cycles") ? 7 : 9);
    return within_row(key, key->power_of_two          ? key->min << rng_below(rng, 6)
                           : kind < 2                 ? key->min + rng_below(rng, 4)
                           : kind < 3 && key->min > 1 ? key->min * one_of(rng, 1, 8)
                                                      : key->min + rng_below(rng, 1u << bits));
}

/* Two digits, or config_check() would refuse nearly every four of them. */
static inline unsigned any_khz(struct rng *rng, const struct config_key *key) {
    uint64_t khz = one_of(rng, 1, rng_chance(rng, 1, 2) ? 9 : 99);
    for (unsigned digits = rng_below(rng, 7); digits; digits--) {
        khz *= 10;
    }
    return within_row(key, khz);
}

/* --- keys --- */

/* A map of the machine's cores and partitions somewhere on a mesh. */
static inline void draw_nodes(struct rng *rng, struct config *c) {
    unsigned cores = c->core.count, partitions = c->l2.partitions, at = 0;
    unsigned columns = one_of(rng, 1, 5), nodes = cores + partitions + rng_below(rng, 4);
    nodes = (nodes + columns - 1) / columns * columns;
    strcpy(c->noc.nodes, "-");
    if (2 * nodes >= CONFIG_TEXT || rng_chance(rng, 1, 2)) {
        return;
    }
    for (unsigned node = 0; node < nodes; node++) {
        unsigned place = rng_below(rng, nodes - node);
        if (node && node % columns == 0) {
            c->noc.nodes[at++] = '/';
        }
        c->noc.nodes[at++] = place < cores ? 'c' : place < cores + partitions ? 'p' : '.';
        cores -= place < cores;
        partitions -= c->noc.nodes[at - 1] == 'p';
    }
    c->noc.nodes[at] = '\0';
}

/* Sizes in KB, about as large as the shared memory. */
static inline void draw_carveout(struct rng *rng, struct config *c) {
    unsigned size = rng_below(rng, 3), at = 0;
    strcpy(c->core.carveout, "-");
    for (unsigned sizes = rng_below(rng, 5); sizes; sizes--) {
        at += (unsigned)snprintf(c->core.carveout + at, sizeof c->core.carveout - at, "%s%u",
                                 at ? "/" : "", size);
        size += one_of(rng, 1, c->core.shared_bytes / 2048 + 1);
    }
}

/** draw_key() - give a key a value of its row. */
static inline void draw_key(struct rng *rng, struct config *c, unsigned i,
                            const struct machine_draws *d) {
    const struct config_key *key = config_key_at(i);
    char text[CONFIG_KEY_TEXT];
    config_key_text(i, text);
    if (!strcmp(text, "noc.nodes")) {
        draw_nodes(rng, c);
    } else if (!strcmp(text, "core.carveout")) {
        draw_carveout(rng, c);
    } else if (!strcmp(text, "dram.address_map")) {
        random_address_map(rng, c);
    } else if (key->kind == CONFIG_CHOICE) {
        assert_true(config_value_put(c, i, key->words[rng_below(rng, key->max + 1)]));
    } else if (key->kind == CONFIG_NUMBER) {
        bool clock = !strcmp(config_key_section(i), "clock");
        bool off = !key->min && rng_chance(rng, 1, 3); /* by 0, in many rows */
        snprintf(text, sizeof text, "%u", clock ? any_khz(rng, key) : off ? 0 : d->number(rng, i));
        assert_true(config_value_put(c, i, text));
    }
}

/** is_affordable() - is the machine within the bounds? */
static inline bool is_affordable(const struct config *c, const struct machine_draws *d) {
    unsigned khz[] = {c->clock.core, c->clock.noc, c->clock.l2, c->clock.dram}, fast = 0,
             slow = ~0u, bursts = c->l2.line_bytes / (c->dram.bus_bytes * c->dram.burst);
    for (unsigned i = 0; i < 4; i++) {
        fast = khz[i] > fast ? khz[i] : fast;
        slow = khz[i] < slow ? khz[i] : slow;
    }
    uint64_t l1 = (uint64_t)c->l1.sets * c->l1.ways + c->texture.sets * c->texture.ways +
                  c->constant.sets * c->constant.ways;
    return (d->ideal || (c->l1.cache && !c->l1.perfect && !c->l2.perfect)) &&
           fast / slow <= d->slow && bursts * c->dram.ccdl <= d->burst &&
           c->core.count * l1 + config_l2_bytes(c) / c->l2.line_bytes <= d->lines;
}

/* One of the keys that a message of config_check() names; CONFIG_KEYS: it names none. */
static inline unsigned key_of_message(struct rng *rng, const char *text) {
    static const char of_keys[] = "abcdefghijklmnopqrstuvwxyz0123456789_.";
    unsigned key = CONFIG_KEYS, keys = 0;
    while (*text) {
        char section[CONFIG_KEY_TEXT], name[CONFIG_KEY_TEXT];
        size_t length = strspn(text, of_keys);
        int found = -1;
        if (sscanf(text, "%95[a-z0-9_].%95[a-z0-9_]", section, name) == 2) {
            found = config_key_find(section, name);
        }
        if (found >= 0 && rng_below(rng, ++keys) == 0) {
            key = (unsigned)found;
        }
        text += length + !!text[length];
    }
    return key;
}

/** draw_legal_key() - the key gets a value, and keys that config_check() then complains about get
 * others, until the machine is legal. It stays as it is if it does not become so, or is not within
 * the bounds. */
static inline void draw_legal_key(struct rng *rng, struct config *c, unsigned key,
                                  const struct machine_draws *d) {
    enum { TRIES = 8 };
    struct config other = *c;
    struct config_error e;
    draw_key(rng, &other, key, d);
    for (unsigned tries = 0; !config_check(&other, &e); tries++) {
        key = key_of_message(rng, e.text);
        assert_true(key < CONFIG_KEYS && !strchr(e.text, '\n'));
        if (tries == TRIES) {
            return;
        }
        draw_key(rng, &other, key, d);
    }
    *c = is_affordable(&other, d) ? other : *c;
}

/** random_machine() - a small one. */
static inline struct config random_machine(struct rng *rng) {
    const struct machine_draws small = {small_number, 1 << 14, 5, 256, rng_chance(rng, 1, 6)};
    unsigned order[CONFIG_KEYS];
    struct config c = base_preset();
    c.core.count = 1; /* or other keys could hold it at the preset's, whose time is too long */
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        unsigned at = rng_below(rng, i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    for (unsigned i = 0; i < CONFIG_KEYS; i++) {
        draw_legal_key(rng, &c, order[i], &small);
    }
    return c;
}

/** any_machine() - any within the bounds. */
static inline struct config any_machine(struct rng *rng, const struct machine_draws *d) {
    enum { TRIES = 2 * CONFIG_KEYS };
    struct config c = random_machine(rng);
    for (unsigned n = 0; n < TRIES; n++) {
        draw_legal_key(rng, &c, rng_below(rng, CONFIG_KEYS), d);
    }
    return c;
}

#endif
