/* SPDX-License-Identifier: Apache-2.0
 *
 * Types of the warps, or of the instructions, whose requests come to a partition: its ports of a
 * table that counts their hits (l2/warp_table.h).
 */
#ifndef WARPMEM_L2_TYPES_H
#define WARPMEM_L2_TYPES_H

#include "base/request.h"
#include "l2/policy.h"
#include "l2/warp_table.h"

/* A request's type in the table. */
struct l2_type {
    enum l2_class l2_class; /* balanced while it is unknown */
    bool known;
};

struct l2_types_stats {
    uint64_t looked[L2_CLASS_ALL_HIT + 1]; /* requests with a known type, by class */
    uint64_t unknown;                      /* requests without */
};

/**
 * struct l2_types - of a partition.
 * @table: NULL: nothing has a type
 * @first_update, @first_lookup: its first ports of the table, one a bank and one a port
 */
struct l2_types {
    const struct config *config;
    enum l2_types_of of;
    struct warp_table *table;
    unsigned first_update, first_lookup;
    struct l2_types_stats stats;
};

/** l2_types_count() - does the table count requests of @kind (medic.counts)? No warp waits for a
 * prefetch. */
static inline bool l2_types_count(const struct l2_types *t, unsigned kind) {
    return t->config->medic.counts == MEDIC_COUNTS_ALL
               ? kind != REQUEST_PREFETCH
               : kind == REQUEST_READ || kind == REQUEST_ATOMIC;
}

/** l2_types_entry() - the request's entry of the table. The same slot of all cores has adjacent
 * entries: where the oldest warps issue first, the lanes of the table share their requests. */
static inline unsigned l2_types_entry(const struct l2_types *t, const struct request *r) {
    return t->of == L2_TYPES_OF_INSTRUCTIONS ? r->pc & (t->config->pcbyp.entries - 1)
                                             : r->warp * t->config->core.count + r->core;
}

/** l2_types_look() - a request has entered the block l2/bypass at @port. l2_types_find() - its
 * type, in the next cycle. */
static inline void l2_types_look(const struct l2_types *t, unsigned port, const struct request *r) {
    if (t->table) {
        warp_table_look(t->table, t->first_lookup + port, l2_types_entry(t, r), r->generation);
    }
}

static inline struct l2_type l2_types_find(struct l2_types *t, unsigned port) {
    struct l2_type type = {L2_CLASS_BALANCED, false};
    if (t->table) {
        unsigned at = t->first_lookup + port;
        type = (struct l2_type){(enum l2_class)t->table->out.look_class[at],
                                t->table->out.look_known >> at & 1};
        *(type.known ? &t->stats.looked[type.l2_class] : &t->stats.unknown) += 1;
    }
    return type;
}

/** l2_types_accessed() - @bank has taken a request. A write-back of an L1 belongs to the warps that
 * wrote the line, not to the one that evicts it, and no warp waits for it. */
static inline void l2_types_accessed(const struct l2_types *t, unsigned bank,
                                     const struct request *r, bool hit) {
    if (t->table && r->kind != REQUEST_WRITEBACK && l2_types_count(t, r->kind)) {
        warp_table_update(t->table, t->first_update + bank, l2_types_entry(t, r), r->generation,
                          hit);
    }
}

/** l2_types_bypassed() - a request that came from @port has gone to the DRAM without a bank. */
static inline void l2_types_bypassed(const struct l2_types *t, unsigned port,
                                     const struct request *r) {
    if (t->table && l2_types_count(t, r->kind)) {
        warp_table_bypassed(t->table, t->first_lookup + port);
    }
}

#endif
