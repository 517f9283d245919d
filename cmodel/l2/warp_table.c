/* SPDX-License-Identifier: Apache-2.0 */
#include "l2/warp_table.h"

#include <string.h>

#include "l2/warp_type.h"

#define GENERATIONS 4 /* of a slot's warps: as many as a request's bits can distinguish */
#define POINTS 5      /* percent points that the block counts in: 20ths */

/* A table of instructions (MeDiC 5, PC-Byp) has their number of entries and counter bits. Its
 * boundary stays where it is, as the paper speaks of a moving one for warps alone; an entry belongs
 * to no warp that another could follow. All else is as for warps. */
static struct warp_type_params params_of_pcs(const struct config *config,
                                             struct warp_type_params of_warps) {
    of_warps.WARPS = config->pcbyp.entries;
    of_warps.COUNTER_BITS = config->pcbyp.counter_bits;
    of_warps.MOVES = 0;
    of_warps.GENERATION_BITS = 0;
    return of_warps;
}

struct warp_type_params warp_table_params(const struct config *config, enum l2_types_of of,
                                          unsigned partitions) {
    struct warp_type_params params = {.WARPS = config->core.count * config->core.warps,
                                      .UPDATES = partitions * config->l2.banks,
                                      .LOOKUPS = partitions * config->l2.ports,
                                      .LANES = config->medic.lanes,
                                      .QUEUE = config->medic.update_queue,
                                      .COUNTER_BITS = config->medic.counter_bits,
                                      .PROFILE = config->medic.profile,
                                      .HIT_20THS = config->medic.mostly_hit / POINTS,
                                      .MISS_20THS = config->medic.mostly_miss / POINTS,
                                      .MOVES = config->medic.boundary, /* numbered alike */
                                      .WINDOW = config->medic.window,
                                      .FOLLOW = config->medic.types == MEDIC_TYPES_FOLLOW,
                                      .GENERATION_BITS =
                                          config->medic.at_warp == MEDIC_AT_WARP_CLEAR
                                              ? (unsigned)__builtin_ctz(GENERATIONS)
                                              : 0};
    return of == L2_TYPES_OF_INSTRUCTIONS ? params_of_pcs(config, params) : params;
}

/* A period ends at @at: the first L2 cycle at or after that. */
static void set_clear(struct warp_table *t, uint64_t at) {
    t->clear_at = at;
    t->clear_cycle = (at + t->l2_period - 1) / t->l2_period;
}

bool warp_table_init(struct warp_table *t, const struct config *config, enum l2_types_of of,
                     unsigned partitions, uint64_t core_period, uint64_t l2_period,
                     const char *where, const struct build *build) {
    struct warp_type_params params = warp_table_params(config, of, partitions);
    *t = (struct warp_table){.alarm = build->alarm,
                             .cycle = 1,
                             .generations = params.GENERATION_BITS ? GENERATIONS - 1 : 0,
                             .period = config->medic.period * core_period,
                             .l2_period = l2_period};
    set_clear(t, t->period);
    if (!block_make(build, &warp_type_block, &params, where, &t->cycle, &t->block)) {
        return false;
    }
    t->block.comb(t->block.self, &t->in, &t->out);
    return true;
}

void warp_table_destroy(struct warp_table *t) {
    block_unmake(&t->block);
}

/* The edge of cycle t->cycle. */
static void take_table_edge(struct warp_table *t) {
    t->in.clear = t->cycle == t->clear_cycle;
    if (t->in.clear) {
        set_clear(t, t->clear_at + t->period);
    }
    t->block.comb(t->block.self, &t->in, &t->out);
    if (!t->block.step(t->block.self, &t->in, &t->out)) {
        alarm_ring(t->alarm, ALARM_BLOCK_DIFFERS);
    }
    t->cycle++;
}

/* No partition writes to t->in in these cycles. */
static void take_quiet_edges(struct warp_table *t, uint64_t cycle) {
    while (t->cycle < cycle && !t->alarm->cause) {
        t->block.comb(t->block.self, &t->in, &t->out); /* the outputs that quiet() means */
        if (t->cycle != t->clear_cycle && t->block.quiet(t->block.self, &t->in)) {
            t->cycle = t->clear_cycle < cycle ? t->clear_cycle : cycle;
        } else {
            take_table_edge(t);
            t->in.clear = false;
        }
    }
}

void warp_table_settle(struct warp_table *t, uint64_t cycle) {
    take_quiet_edges(t, cycle);
    t->block.comb(t->block.self, &t->in, &t->out);
}

void warp_table_cycle(struct warp_table *t, uint64_t cycle) {
    if (t->cycle != cycle) {
        struct warp_type_in handed = t->in;
        memset(&t->in, 0, sizeof t->in);
        take_quiet_edges(t, cycle);
        t->in = handed;
    }
    take_table_edge(t);
    t->updates_lost += (unsigned)__builtin_popcountll(t->in.upd_valid & ~t->out.upd_ready);
    memset(&t->in, 0, sizeof t->in);
    t->pending = false;
    t->block.comb(t->block.self, &t->in, &t->out);
}
