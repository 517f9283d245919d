/* SPDX-License-Identifier: Apache-2.0 */
#include "dram/timing.h"

static unsigned larger_dram_time(unsigned a, unsigned b) {
    return a > b ? a : b;
}

void dram_timing_init(struct dram_timing *t, const struct config *config) {
    unsigned burst = config->dram.burst / config->dram.beats,
             burst_bytes = config->dram.bus_bytes * config->dram.burst;
    *t = (struct dram_timing){
        .burst_cycles = burst,
        .bursts = (config->l2.line_bytes + burst_bytes - 1) / burst_bytes,
        .by_sector = config->l2.sectors,
        .burst_shift = (unsigned)__builtin_ctz(burst_bytes),
        .rcd_read = config->dram.rcd,
        /* The write's data comes WL later than its command, so the command may come that much
         * sooner. */
        .rcd_write = config->dram.rcd_write ? config->dram.rcd_write
                     : config->dram.rcd > config->dram.wl + 1
                         ? config->dram.rcd - (config->dram.wl + 1)
                         : 1,
        /* Two bursts never overlap on the data bus, whatever CCD says. */
        .column = larger_dram_time(config->dram.ccd, burst),
        .column_group =
            larger_dram_time(larger_dram_time(config->dram.ccdl, config->dram.ccd), burst),
        /* The read's data must have left the bus, with two cycles to turn it round, when the
         * write's comes. */
        .read_to_write =
            larger_dram_time(config->dram.cl + burst + 2, config->dram.wl + 1) - config->dram.wl,
        .write_to_read = config->dram.wl + burst + config->dram.cdlr,
        .read_to_precharge =
            config->dram.bank_groups > 1 ? larger_dram_time(config->dram.rtpl, burst) : burst,
        .write_to_precharge = config->dram.wl + burst + config->dram.wr,
        .ras = config->dram.ras,
        .rp = config->dram.rp,
        .rc = config->dram.rc,
        .rrd = config->dram.rrd,
        .faw = config->dram.faw,
        .aw32 = config->dram.aw32,
        .refi = config->dram.refi,
        .rfc = config->dram.rfc,
        .cl = config->dram.cl,
        .wl = config->dram.wl,
    };
}
