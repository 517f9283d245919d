/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads of warps through a partition: their requests come one a cycle, and a DRAM answers each a
 * constant time after it has come there.
 */
#ifndef WARPMEM_TB_WARP_LOADS_H
#define WARPMEM_TB_WARP_LOADS_H

#include "l2/partition_bench.h"

#define DRAM_CYCLES 150 /* from a read's arrival to its answer */

enum { LOADS_MAX = 512, LOAD_FLIGHT = 128 };

/* Reads, by identity. */
struct warp_loads {
    struct bench b;
    uint64_t asked_at[LOADS_MAX], answered_at[LOADS_MAX];
    unsigned asked, answered;
    struct {
        struct request r;
        uint64_t at;
    } flight[LOAD_FLIGHT]; /* in the DRAM, oldest first */
    unsigned flying;
};

/* A partition with one port and one bank, so that every request stands behind the one before. */
static inline struct config one_bank(void) {
    struct config c = partition_config();
    c.l2.ports = c.l2.banks = 1;
    c.l2.write = L2_WRITE_THROUGH;
    c.l2.mshrs = 64;
    c.l2.sets = 64;
    c.l2.index = INDEX_MODULO;
    c.l2.bypass_at = L2_BYPASS_AT_ARBITER;
    c.medic.boundary = MEDIC_BOUNDARY_FIXED;
    return c;
}

static inline void open_loads(struct warp_loads *l, const struct config *c) {
    *l = (struct warp_loads){.b.config = *c};
    open_partition_bench(&l->b, 1);
}

static inline void dram_takes_from_ring(struct warp_loads *l, struct ring *way) {
    if (dram_seen_on(&l->b, way)) {
        struct request r = dram_take_from(&l->b, way);
        if (r.kind == REQUEST_READ) {
            assert_true(l->flying < LOAD_FLIGHT);
            l->flight[l->flying].at = l->b.now + DRAM_CYCLES;
            l->flight[l->flying++].r = r;
        }
    }
}

static inline void loads_tick(struct warp_loads *l) {
    tick_l2(&l->b);
    if (l->b.config.dram.queues == DRAM_QUEUES_TWO) {
        dram_takes_from_ring(l, &l->b.to_dram_high);
    }
    dram_takes_from_ring(l, &l->b.to_dram);
    if (l->flying && l->flight->at <= l->b.now) {
        dram_answer(&l->b, &l->flight->r);
        memmove(l->flight, l->flight + 1, --l->flying * sizeof *l->flight);
    }
    if (answer_seen(&l->b)) {
        l->answered_at[answer_seen(&l->b)->line] = l->b.now;
        l->answered++;
        take_answer(&l->b);
    }
}

/* After a reset the table empties its counters, a word of each lane a cycle, and may lose
 * accesses. */
static inline void wait_for_counters(struct warp_loads *l, uint64_t reset) {
    const struct config *c = &l->b.config;
    while (l->b.now <= reset + c->core.count * c->core.warps / c->medic.lanes) {
        loads_tick(l);
    }
}

/* A read of a warp comes to a port; then a cycle goes by. Return: its identity. */
static inline unsigned load_one(struct warp_loads *l, unsigned port, unsigned warp,
                                uint64_t local) {
    unsigned id = l->asked++;
    assert_true(id < LOADS_MAX);
    struct request r = {.line = id,
                        .local = local,
                        .kind = REQUEST_READ,
                        .bytes = (uint16_t)l->b.config.l2.line_bytes,
                        .sectors = 15,
                        .warp = (uint16_t)warp,
                        .born = l->b.now};
    l->asked_at[id] = l->b.now;
    ask_port(&l->b, port, &r);
    loads_tick(l);
    return id;
}

/* Until all is answered, and the table of warp types has seen it. */
static inline void finish_loads(struct warp_loads *l) {
    for (unsigned patience = 0; l->answered < l->asked; patience++) {
        assert_true(patience < 100000);
        loads_tick(l);
    }
    for (unsigned i = 0; i < 20; i++) {
        loads_tick(l);
    }
}

/* Cycles for which a warp with these requests stalls: until the last is answered. */
static inline uint64_t stall_of(const struct warp_loads *l, unsigned first, unsigned count) {
    uint64_t last = 0;
    for (unsigned i = first; i < first + count; i++) {
        last = l->answered_at[i] > last ? l->answered_at[i] : last;
    }
    return last - l->asked_at[first];
}

/* One request of a warp, alone. Return: has it bypassed? */
static inline bool load_bypasses(struct warp_loads *l, unsigned warp, uint64_t local) {
    uint64_t before = partition_totals(&l->b).bypasses[REQUEST_READ];
    load_one(l, 0, warp, local);
    finish_loads(l);
    return partition_totals(&l->b).bypasses[REQUEST_READ] != before;
}

#endif
