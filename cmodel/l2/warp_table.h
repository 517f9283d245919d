/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of warp types in the machine: the block l2/warp_type, its inputs from the partitions in
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
 * struct warp_table - one for all partitions, or one for each partition (medic.table).
 *
 * While partitions are evaluated for an L2 cycle they read @out and write @in, each its own ports,
 * so their order has no effect. After the last of them warp_table_cycle() takes the clock edge. The
 * table catches up later on cycles without inputs, because its outputs are not read then.
 */
struct warp_table {
    struct block_instance block;
    struct warp_type_in in;   /* of the L2 cycle at hand */
    struct warp_type_out out; /* of that cycle: they depend on the block's state alone */
    bool pending;             /* @in was written */
    struct alarm *alarm;      /* rung when the block in lockstep differs */
    uint64_t cycle;           /* L2 cycle whose edge comes next */
    uint64_t clear_cycle;     /* the next in which a period ends */
    /* In time units: from period to period, when the next one ends, an L2 cycle. */
    uint64_t period, clear_at, l2_period;
    uint32_t generations;  /* mask: bits of a warp's generation for the block; 0: none */
    uint64_t updates_lost; /* accesses that found their port's queue full */
};

/** warp_table_params() - of a table for @partitions of them. */
struct warp_type_params warp_table_params(const struct config *config, enum l2_types_of of,
                                          unsigned partitions);

/**
 * warp_table_init() - @where: its name in reports. @core_period, @l2_period: time units a cycle.
 * False: refused.
 */
bool warp_table_init(struct warp_table *t, const struct config *config, enum l2_types_of of,
                     unsigned partitions, uint64_t core_period, uint64_t l2_period,
                     const char *where, const struct build *build);
void warp_table_destroy(struct warp_table *t);

/** warp_table_update() - count an access of a bank in the current L2 cycle. */
static inline void warp_table_update(struct warp_table *t, unsigned port, unsigned warp,
                                     unsigned generation, bool hit) {
    uint64_t bit = UINT64_C(1) << port;
    t->in.upd_valid |= bit;
    t->in.upd_warp[port] = (uint16_t)warp;
    t->in.upd_generation[port] = (uint8_t)(generation & t->generations);
    t->in.upd_hit |= hit ? bit : 0;
    t->pending = true;
}

/** warp_table_look() - ask for the type of a request, which comes in the next cycle. */
static inline void warp_table_look(struct warp_table *t, unsigned port, unsigned warp,
                                   unsigned generation) {
    t->in.look_valid |= UINT64_C(1) << port;
    t->in.look_warp[port] = (uint16_t)warp;
    t->in.look_generation[port] = (uint8_t)(generation & t->generations);
    t->pending = true;
}

/** warp_table_bypassed() - count a request of this port that bypasses. */
static inline void warp_table_bypassed(struct warp_table *t, unsigned port) {
    t->in.bypassed |= UINT64_C(1) << port;
    t->pending = true;
}

/** warp_table_cycle() - take the edge of L2 cycle @cycle: after all partitions, if @t is
 * pending. */
void warp_table_cycle(struct warp_table *t, uint64_t cycle);

/** warp_table_settle() - take the edges of all L2 cycles before @cycle. */
void warp_table_settle(struct warp_table *t, uint64_t cycle);

#endif
