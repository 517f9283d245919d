/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/energy.h"

#include <assert.h>
#include <string.h>

/* Units of the counts: events, or the data that they move. */
enum counted { EVENTS, FLITS, DRAM_BYTES };

#define L1_WRITE_STAYS (ENERGY_L1_WRITE_HIT_PJ - ENERGY_L1_WRITE_MISS_PJ)
#define ATOMIC_HIT (ENERGY_L2_READ_HIT_PJ + ENERGY_L2_WRITE_HIT_PJ)
#define ATOMIC_MISS (ENERGY_L2_READ_MISS_PJ + ENERGY_L2_WRITE_HIT_PJ)

#define NO_COUNTER SIZE_MAX /* of prefetches, where the L1s have none */

/* The table of events, with their place and energy. */
static const struct term {
    enum energy_part part;
    const char *counter;
    int pj;
    enum counted counted;
} terms[] = {
    {ENERGY_L1, "l1.read_hits", ENERGY_L1_READ_HIT_PJ, EVENTS},
    {ENERGY_L1, "l1.read_pending_hits", ENERGY_L1_READ_HIT_PJ, EVENTS},
    {ENERGY_L1, "l1.read_misses", ENERGY_L1_READ_MISS_PJ, EVENTS},
    {ENERGY_L1, "l1.prefetch_issued", ENERGY_L1_READ_MISS_PJ, EVENTS},
    {ENERGY_L1, "l1.global_write_accesses", ENERGY_L1_WRITE_MISS_PJ, EVENTS},
    {ENERGY_L1, "l1.local_write_accesses", ENERGY_L1_WRITE_MISS_PJ, EVENTS},
    {ENERGY_L1, "l1.write_hits", L1_WRITE_STAYS, EVENTS}, /* a subset of the accesses */
    {ENERGY_L1, "l1.write_pending_hits", L1_WRITE_STAYS, EVENTS},
    {ENERGY_L1, "l1.writebacks", ENERGY_L1_READ_HIT_PJ, EVENTS}, /* a line is read */
    {ENERGY_L1, "texture.hits", ENERGY_TEXTURE_HIT_PJ, EVENTS},
    {ENERGY_L1, "texture.pending_hits", ENERGY_TEXTURE_HIT_PJ, EVENTS},
    {ENERGY_L1, "texture.misses", ENERGY_TEXTURE_MISS_PJ, EVENTS},
    {ENERGY_L1, "constant.accesses", ENERGY_CONSTANT_HIT_PJ, EVENTS},
    {ENERGY_L1, "constant.misses", ENERGY_CONSTANT_MISS_PJ - ENERGY_CONSTANT_HIT_PJ, EVENTS},
    {ENERGY_NOC, "noc.request_flits", ENERGY_NOC_PJ, FLITS},
    {ENERGY_NOC, "noc.reply_flits", ENERGY_NOC_PJ, FLITS},
    {ENERGY_L2, "l2.read_hits", ENERGY_L2_READ_HIT_PJ, EVENTS},
    {ENERGY_L2, "l2.read_pending_hits", ENERGY_L2_READ_HIT_PJ, EVENTS},
    {ENERGY_L2, "l2.read_misses", ENERGY_L2_READ_MISS_PJ, EVENTS},
    {ENERGY_L2, "l2.l1_prefetch_hits", ENERGY_L2_READ_HIT_PJ, EVENTS},
    {ENERGY_L2, "l2.l1_prefetch_pending_hits", ENERGY_L2_READ_HIT_PJ, EVENTS},
    {ENERGY_L2, "l2.l1_prefetch_misses", ENERGY_L2_READ_MISS_PJ, EVENTS},
    {ENERGY_L2, "l2.write_hits", ENERGY_L2_WRITE_HIT_PJ, EVENTS},
    {ENERGY_L2, "l2.write_pending_hits", ENERGY_L2_WRITE_HIT_PJ, EVENTS},
    {ENERGY_L2, "l2.write_misses", ENERGY_L2_WRITE_MISS_PJ, EVENTS},
    {ENERGY_L2, "l2.l1_writeback_hits", ENERGY_L2_WRITE_HIT_PJ, EVENTS},
    {ENERGY_L2, "l2.l1_writeback_pending_hits", ENERGY_L2_WRITE_HIT_PJ, EVENTS},
    {ENERGY_L2, "l2.l1_writeback_misses", ENERGY_L2_WRITE_MISS_PJ, EVENTS},
    {ENERGY_L2, "l2.atomic_hits", ATOMIC_HIT, EVENTS},
    {ENERGY_L2, "l2.atomic_pending_hits", ATOMIC_HIT, EVENTS},
    {ENERGY_L2, "l2.atomic_misses", ATOMIC_MISS, EVENTS},
    {ENERGY_DRAM, "dram.read_bytes", ENERGY_DRAM_READ_PJ, DRAM_BYTES},
    {ENERGY_DRAM, "dram.write_bytes", ENERGY_DRAM_WRITE_PJ, DRAM_BYTES},
    {ENERGY_DRAM, "dram.precharges", ENERGY_DRAM_PRECHARGE_PJ, EVENTS},
    {ENERGY_CORE, "core.integer_lanes", ENERGY_INTEGER_PJ, EVENTS},
    {ENERGY_CORE, "core.float_lanes", ENERGY_FLOAT_PJ, EVENTS},
    {ENERGY_CORE, "core.thread_instructions", ENERGY_PIPELINE_PJ, EVENTS},
    {ENERGY_CORE, "core.warp_instructions", ENERGY_REGISTERS_PJ, EVENTS},
    {ENERGY_CORE, "core.warp_instructions", ENERGY_ISSUE_PJ, EVENTS},
    {ENERGY_CORE, "shared.bank_cycles", ENERGY_SHARED_PJ, EVENTS},
};
_Static_assert(sizeof terms / sizeof *terms == ENERGY_TERMS, "terms");

static size_t counter_of(const struct stats *s, const char *name) {
    size_t index = NO_COUNTER;
    bool known = stats_find(s, name, &index) || strstr(name, "prefetch");
    assert(known && "a counter that the energy is computed from");
    (void)known;
    return index;
}

bool energy_register_stats(struct energy *e, const struct config *c, struct stats *s) {
#define SOURCE "GPUWattch, its GTX480"
    static const struct stat_desc descs[ENERGY_PARTS] = {
        [ENERGY_L1] =
            {"energy.l1", "pJ",
             "2,935 a read hit and a write-back, 2,225 a read miss and a prefetch, 220 a write "
             "that stays, 2,604 another; 1,353 and 2,225 a hit and a miss of the texture cache, "
             "1,467 and 1,113 of the constant cache",
             SOURCE, STAT_SUM},
        [ENERGY_NOC] = {"energy.noc", "pJ", "1,939 for 32 bytes of flits", SOURCE, STAT_SUM},
        [ENERGY_L2] = {"energy.l2", "pJ",
                       "2,805 a read hit, 102 a read miss, 13,851 a write hit, 15,024 a write "
                       "miss; an atomic is a read and a write hit",
                       SOURCE, STAT_SUM},
        [ENERGY_DRAM] = {"energy.dram", "pJ",
                         "26,948 for 64 bytes read, 15,865 for 64 written, 4,232 a precharge",
                         SOURCE, STAT_SUM},
        [ENERGY_TOTAL] = {"energy.total", "pJ", "of the memory system: the sum of the four", SOURCE,
                          STAT_SUM},
        [ENERGY_CORE] = {"energy.core", "pJ",
                         "of the cores: 67 an integer operation of a lane, 53 another; 38 a thread "
                         "instruction; 747 a warp instruction; 2,119 a cycle of shared memory",
                         SOURCE, STAT_SUM},
        [ENERGY_STATIC] = {"energy.static", "pJ",
                           "11 W for 15 cores of the machine, and 1.59 W a core without a warp",
                           SOURCE, STAT_SUM},
        [ENERGY_GPU_TOTAL] = {"energy.gpu_total", "pJ",
                              "energy.total + energy.core + energy.static", "MeDiC 6.2", STAT_SUM},
    };
#undef SOURCE
    for (unsigned i = 0; i < ENERGY_TERMS; i++) {
        e->counter[i] = counter_of(s, terms[i].counter);
    }
    e->idle_counter = counter_of(s, "core.no_warp_cycles");
    e->cores = c->core.count;
    e->core_khz = c->clock.core;
    e->flit_bytes = c->noc.flit_bytes;
    for (unsigned i = 0; i < ENERGY_PARTS; i++) {
        if (!stats_register(s, &descs[i], &e->pj[i])) {
            return false;
        }
    }
    e->stats = s;
    return true;
}

/* The product first: a division loses less than a pJ. */
static int64_t term_pj(const struct energy *e, unsigned i) {
    if (e->counter[i] == NO_COUNTER) {
        return 0;
    }
    int64_t product = (int64_t)stats_value(e->stats, e->counter[i]) * terms[i].pj;
    switch (terms[i].counted) {
    case EVENTS: break;
    case FLITS: return product * e->flit_bytes / ENERGY_NOC_BYTES;
    case DRAM_BYTES: return product / ENERGY_DRAM_BYTES;
    }
    return product;
}

/* mW over kHz are 10^-6 J a cycle. */
static uint64_t static_pj(const struct energy *e, uint64_t cycles) {
    unsigned __int128 mw_cycles = (unsigned __int128)cycles * e->cores * ENERGY_CONSTANT_MW +
                                  (unsigned __int128)stats_value(e->stats, e->idle_counter) *
                                      ENERGY_IDLE_CORE_MW * ENERGY_CONSTANT_CORES;
    return (uint64_t)(mw_cycles * 1000000 / ENERGY_CONSTANT_CORES / e->core_khz);
}

void energy_count(struct energy *e, uint64_t cycles) {
    int64_t pj[ENERGY_PARTS] = {0};
    if (!e->stats) {
        return;
    }
    for (unsigned i = 0; i < ENERGY_TERMS; i++) {
        pj[terms[i].part] += term_pj(e, i);
    }
    for (unsigned part = 0; part < ENERGY_PARTS; part++) {
        e->pj[part] = (uint64_t)pj[part];
    }
    e->pj[ENERGY_TOTAL] =
        e->pj[ENERGY_L1] + e->pj[ENERGY_NOC] + e->pj[ENERGY_L2] + e->pj[ENERGY_DRAM];
    e->pj[ENERGY_STATIC] = static_pj(e, cycles);
    e->pj[ENERGY_GPU_TOTAL] = e->pj[ENERGY_TOTAL] + e->pj[ENERGY_CORE] + e->pj[ENERGY_STATIC];
}
