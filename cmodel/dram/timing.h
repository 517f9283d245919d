/* SPDX-License-Identifier: Apache-2.0
 *
 * DRAM timing: the minimum command cycles between two commands, derived once from the
 * configuration. The derived parts follow the simulator of the papers' authors, which defines RCD,
 * RTW and the others in the same way.
 */
#ifndef WARPMEM_DRAM_TIMING_H
#define WARPMEM_DRAM_TIMING_H

#include "config/config.h"

struct dram_timing {
    unsigned burst_cycles;         /* command cycles that a burst holds the data bus */
    unsigned bursts;               /* bursts, so column commands, a line */
    unsigned burst_shift;          /* log2 of a burst's bytes */
    bool by_sector;                /* a fetch of the L2 reads its own bytes, not a line */
    unsigned rcd_read, rcd_write;  /* activate to column command */
    unsigned column, column_group; /* column to column command: any bank, same bank group */
    unsigned read_to_write, write_to_read;
    unsigned read_to_precharge, write_to_precharge;
    unsigned ras, rp, rc, rrd;
    unsigned faw, aw32; /* windows of at most 4, 32 activates; 0: none */
    unsigned refi, rfc; /* 0: no refresh */
    unsigned cl, wl;
};

/** dram_timing_init() - derive from the configuration. */
void dram_timing_init(struct dram_timing *t, const struct config *config);

/** dram_timing_bursts() - bursts, so column commands, of a write of @bytes. */
static inline unsigned dram_timing_bursts(const struct dram_timing *t, unsigned bytes) {
    return bytes ? (bytes - 1 + (1u << t->burst_shift)) >> t->burst_shift : 1;
}

#endif
