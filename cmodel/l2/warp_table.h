/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of warp types in the machine: the block l2/warp_type, what the partitions hand to it in
 * an L2 cycle, and its clock.
 */
#ifndef WARPMEM_L2_WARP_TABLE_H
#define WARPMEM_L2_WARP_TABLE_H

#include "base/alarm.h"
#include "base/block.h"
#include "config/config.h"
#include "l2/policy.h"
#include "l2/warp_type_ports.h"

/**
 * struct warp_table - one for all partitions, or one a partition (medic.table).
 *
 * While partitions are evaluated for an L2 cycle they read @out and write @in, each its own ports,
 * so their order decides nothing. After the last of them warp_table_cycle() takes the clock edge.
 * Cycles in which nobody hands anything to it are made up for later: nobody looks at its outputs
 * then.
 */
struct warp_table {
    struct block_instance block;
    struct warp_type_in in;   /* of the L2 cycle at hand */
    struct warp_type_out out; /* of that cycle: they depend on the block's state alone */
    bool pending;             /* somebody has written to @in */
    struct alarm *alarm;      /* rung when the block in lockstep differs */
    uint64_t cycle;           /* L2 cycle whose edge is the next to be taken */
    uint64_t clear_cycle;     /* the next in which a period ends */
    /* In time units: from period to period, when the next one ends, an L2 cycle. */
    uint64_t period, clear_at, l2_period;
    uint32_t generations;  /* mask: what of a warp's generation the block sees; 0: nothing */
    uint64_t updates_lost; /* accesses that found their port's queue full */
};

/** warp_table_params() - of a table for @partitions of them. */
struct warp_type_params warp_table_params(const struct config *config, enum l2_types_of of,
                                          unsigned partitions);

/**
 * warp_table_init() - @where: names it in reports. @core_period, @l2_period: time units a cycle.
 * False: refused.
 */
bool warp_table_init(struct warp_table *t, const struct config *config, enum l2_types_of of,
                     unsigned partitions, uint64_t core_period, uint64_t l2_period,
                     const char *where, const struct build *build);
void warp_table_destroy(struct warp_table *t);

/** warp_table_update() - an access of a bank: in the L2 cycle at hand. */
static inline void warp_table_update(struct warp_table *t, unsigned port, unsigned warp,
                                     unsigned generation, bool hit) {
    uint64_t bit = UINT64_C(1) << port;
    t->in.upd_valid |= bit;
    t->in.upd_warp[port] = (uint16_t)warp;
    t->in.upd_generation[port] = (uint8_t)(generation & t->generations);
    t->in.upd_hit |= hit ? bit : 0;
    t->pending = true;
}

/** warp_table_look() - a request whose type is wanted in the next cycle. */
static inline void warp_table_look(struct warp_table *t, unsigned port, unsigned warp,
                                   unsigned generation) {
    t->in.look_valid |= UINT64_C(1) << port;
    t->in.look_warp[port] = (uint16_t)warp;
    t->in.look_generation[port] = (uint8_t)(generation & t->generations);
    t->pending = true;
}

/** warp_table_bypassed() - a request that came from this port bypasses. */
static inline void warp_table_bypassed(struct warp_table *t, unsigned port) {
    t->in.bypassed |= UINT64_C(1) << port;
    t->pending = true;
}

/** warp_table_cycle() - after all partitions, where @t is pending: the edge of L2 cycle @cycle. */
void warp_table_cycle(struct warp_table *t, uint64_t cycle);

/** warp_table_settle() - the edges of all L2 cycles up to, not including, @cycle. */
void warp_table_settle(struct warp_table *t, uint64_t cycle);

#endif
