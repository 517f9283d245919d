/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/energy.h"

#include <assert.h>

enum moved {
    MOVED_L1_LINE,
    MOVED_L2_LINE,
    MOVED_TEXTURE_LINE,
    MOVED_CONSTANT_LINE,
    MOVED_FLIT,
    MOVED_SECTOR,
    MOVED_SECTOR_TWICE,
    MOVED_BYTE
};

/* Which event moves how much where. */
static const struct term {
    enum energy_part part;
    const char *counter;
    enum moved moved;
} terms[] = {
    {ENERGY_L1, "l1.read_hits", MOVED_L1_LINE},
    {ENERGY_L1, "l1.read_pending_hits", MOVED_L1_LINE}, /* read when they are woken */
    {ENERGY_L1, "l1.read_misses", MOVED_L1_LINE},
    {ENERGY_L1, "l1.fills", MOVED_L1_LINE},
    {ENERGY_L1, "l1.write_hits", MOVED_SECTOR},
    {ENERGY_L1, "l1.write_pending_hits", MOVED_SECTOR},
    {ENERGY_L1, "l1.write_misses", MOVED_SECTOR},
    {ENERGY_L1, "l1.writebacks", MOVED_L1_LINE},
    {ENERGY_L1, "texture.accesses", MOVED_TEXTURE_LINE},
    {ENERGY_L1, "texture.misses", MOVED_TEXTURE_LINE}, /* the fills */
    {ENERGY_L1, "constant.accesses", MOVED_SECTOR},
    {ENERGY_L1, "constant.misses", MOVED_CONSTANT_LINE},
    {ENERGY_NOC, "noc.request_flits", MOVED_FLIT},
    {ENERGY_NOC, "noc.reply_flits", MOVED_FLIT},
    {ENERGY_L2, "l2.read_hits", MOVED_L2_LINE},
    {ENERGY_L2, "l2.read_pending_hits", MOVED_L2_LINE},
    {ENERGY_L2, "l2.read_misses", MOVED_L2_LINE},
    {ENERGY_L2, "l2.write_hits", MOVED_SECTOR},
    {ENERGY_L2, "l2.write_pending_hits", MOVED_SECTOR},
    {ENERGY_L2, "l2.write_misses", MOVED_SECTOR},
    {ENERGY_L2, "l2.atomic_hits", MOVED_SECTOR_TWICE},
    {ENERGY_L2, "l2.atomic_pending_hits", MOVED_SECTOR_TWICE},
    {ENERGY_L2, "l2.atomic_misses", MOVED_SECTOR_TWICE},
    {ENERGY_L2, "l2.l1_writeback_hits", MOVED_L1_LINE},
    {ENERGY_L2, "l2.l1_writeback_pending_hits", MOVED_L1_LINE},
    {ENERGY_L2, "l2.l1_writeback_misses", MOVED_L1_LINE},
    {ENERGY_L2, "l2.fetches", MOVED_L2_LINE}, /* the fills */
    {ENERGY_L2, "l2.writebacks", MOVED_L2_LINE},
    {ENERGY_DRAM, "dram.read_bytes", MOVED_BYTE},
    {ENERGY_DRAM, "dram.write_bytes", MOVED_BYTE},
};
_Static_assert(sizeof terms / sizeof *terms == ENERGY_TERMS, "terms");

/* What an event costs in a core. */
static const struct {
    const char *counter;
    unsigned pj;
} core_terms[] = {
    {"core.integer_lanes", ENERGY_INTEGER_PJ},         {"core.float_lanes", ENERGY_FLOAT_PJ},
    {"core.thread_instructions", ENERGY_REGISTERS_PJ}, {"core.warp_instructions", ENERGY_ISSUE_PJ},
    {"shared.instructions", ENERGY_SHARED_PJ},
};
_Static_assert(sizeof core_terms / sizeof *core_terms == ENERGY_CORE_TERMS, "terms");

static uint64_t moved_bytes(enum moved moved, const struct config *c) {
    switch (moved) {
    case MOVED_L1_LINE: return c->l1.line_bytes;
    case MOVED_L2_LINE: return c->l2.line_bytes;
    case MOVED_TEXTURE_LINE: return c->texture.line_bytes;
    case MOVED_CONSTANT_LINE: return c->constant.line_bytes;
    case MOVED_FLIT: return c->noc.flit_bytes;
    case MOVED_SECTOR: return ENERGY_SRAM_BYTES;
    case MOVED_SECTOR_TWICE: return 2 * ENERGY_SRAM_BYTES;
    case MOVED_BYTE: break;
    }
    return 1;
}

bool energy_register_stats(struct energy *e, const struct config *c, struct stats *s) {
#define SOURCE "10.1186/s12859-018-2389-6, table 7"
    static const struct stat_desc descs[ENERGY_PARTS] = {
        [ENERGY_L1] =
            {"energy.l1", "pJ",
             "50 for each 32 bytes of lines read, filled and written back in the L1, texture and "
             "constant caches; 50 for a write that ends in the L1 and for a constant",
             SOURCE, STAT_SUM},
        [ENERGY_NOC] = {"energy.noc", "pJ", "16 for each byte of a flit: 10 mm of wire", SOURCE,
                        STAT_SUM},
        [ENERGY_L2] =
            {"energy.l2", "pJ",
             "50 for each 32 bytes of lines read, filled and written back, by the L1s too; 50 for "
             "a write, 100 for an atomic",
             SOURCE, STAT_SUM},
        [ENERGY_DRAM] = {"energy.dram", "pJ", "16,000 for each 128 bytes read or written", SOURCE,
                         STAT_SUM},
        [ENERGY_TOTAL] = {"energy.total", "pJ",
                          "dynamic energy of data movement: the sum of the four", SOURCE, STAT_SUM},
        [ENERGY_CORE] =
            {"energy.core", "pJ",
             "dynamic energy of the cores: 28 an integer operation of a lane, 52 another; 6 a "
             "thread instruction for registers; 40 a warp instruction; 200 one of shared memory",
             "ISPASS 2013, Lucas; ISSCC 2014, Horowitz; " SOURCE, STAT_SUM},
        [ENERGY_STATIC] = {"energy.static", "pJ",
                           "5 W a core of the machine: what is spent whatever happens",
                           "ISPASS 2013, Lucas, table IV", STAT_SUM},
        [ENERGY_GPU_TOTAL] = {"energy.gpu_total", "pJ",
                              "energy.total + energy.core + energy.static", "MeDiC 6.2", STAT_SUM},
    };
#undef SOURCE
    for (unsigned i = 0; i < ENERGY_TERMS; i++) {
        bool known = stats_find(s, terms[i].counter, &e->counter[i]);
        assert(known && "a counter that the energy is computed from");
        e->bytes[i] = known ? moved_bytes(terms[i].moved, c) : 0;
    }
    for (unsigned i = 0; i < ENERGY_CORE_TERMS; i++) {
        bool known = stats_find(s, core_terms[i].counter, &e->core_counter[i]);
        assert(known && "a counter that the energy is computed from");
        (void)known;
    }
    e->cores = c->core.count;
    e->core_khz = c->clock.core;
    for (unsigned i = 0; i < ENERGY_PARTS; i++) {
        if (!stats_register(s, &descs[i], &e->pj[i])) {
            return false;
        }
    }
    e->stats = s;
    return true;
}

/* mW over kHz are 10^-6 J a cycle. */
static uint64_t static_pj(const struct energy *e, uint64_t cycles) {
    return (uint64_t)((unsigned __int128)cycles * e->cores * ENERGY_STATIC_MW_PER_CORE * 1000000 /
                      e->core_khz);
}

void energy_count(struct energy *e, uint64_t cycles) {
    uint64_t bytes[ENERGY_PARTS] = {0};
    if (!e->stats) {
        return;
    }
    for (unsigned i = 0; i < ENERGY_TERMS; i++) {
        bytes[terms[i].part] += stats_value(e->stats, e->counter[i]) * e->bytes[i];
    }
    e->pj[ENERGY_L1] = bytes[ENERGY_L1] / ENERGY_SRAM_BYTES * ENERGY_SRAM_PJ;
    e->pj[ENERGY_NOC] = bytes[ENERGY_NOC] * ENERGY_NOC_PJ_PER_BYTE;
    e->pj[ENERGY_L2] = bytes[ENERGY_L2] / ENERGY_SRAM_BYTES * ENERGY_SRAM_PJ;
    e->pj[ENERGY_DRAM] = bytes[ENERGY_DRAM] * (ENERGY_DRAM_LINE_PJ / ENERGY_DRAM_LINE_BYTES);
    e->pj[ENERGY_TOTAL] =
        e->pj[ENERGY_L1] + e->pj[ENERGY_NOC] + e->pj[ENERGY_L2] + e->pj[ENERGY_DRAM];
    e->pj[ENERGY_CORE] = 0;
    for (unsigned i = 0; i < ENERGY_CORE_TERMS; i++) {
        e->pj[ENERGY_CORE] += stats_value(e->stats, e->core_counter[i]) * core_terms[i].pj;
    }
    e->pj[ENERGY_STATIC] = static_pj(e, cycles);
    e->pj[ENERGY_GPU_TOTAL] = e->pj[ENERGY_TOTAL] + e->pj[ENERGY_CORE] + e->pj[ENERGY_STATIC];
}
