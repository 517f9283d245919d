/* SPDX-License-Identifier: Apache-2.0
 *
 * Dynamic energy of the memory system, from event counts and a constant for each kind of event.
 *
 * The constants are those of one published table for one process, 28 nm (Kepler and Maxwell), so
 * that their ratios hold: "DNA sequences alignment in multi-GPUs: acceleration and energy payoff",
 * BMC Bioinformatics 2018, doi 10.1186/s12859-018-2389-6, table 7. They say what moving data costs,
 * not what clocks, control and leakage do, and the machines modelled here are of other processes:
 * compare schemes with it, not watts. Left out: shared memory, registers, writes through an L1
 * (they are counted where they end), and how far a flit goes in a mesh.
 */
#ifndef WARPMEM_GPU_ENERGY_H
#define WARPMEM_GPU_ENERGY_H

#include "base/stats.h"
#include "config/config.h"

/* Table 7: "256-bit access to on-chip 8 KB SRAM", 50 pJ. Chosen: a larger cache is made of such
 * arrays, and the way to them is counted as wire. */
#define ENERGY_SRAM_BYTES 32
#define ENERGY_SRAM_PJ 50
/* Table 7: "transition (millimetre traversed per bit)", 0.2 pJ: 8 bits over 10 mm, the middle
 * one of the table's three distances. */
#define ENERGY_NOC_PJ_PER_BYTE 16
/* Table 7: "DRAM read/write (for an entire cache line)", 16,000 pJ. Chosen: of 128 bytes. */
#define ENERGY_DRAM_LINE_BYTES 128
#define ENERGY_DRAM_LINE_PJ 16000

enum energy_part { ENERGY_L1, ENERGY_NOC, ENERGY_L2, ENERGY_DRAM, ENERGY_TOTAL, ENERGY_PARTS };

enum { ENERGY_TERMS = 30 };

struct energy {
    const struct stats *stats; /* NULL: not registered, nothing is counted */
    size_t counter[ENERGY_TERMS];
    uint64_t bytes[ENERGY_TERMS]; /* that an event moves */
    uint64_t pj[ENERGY_PARTS];
};

/** energy_register_stats() - after every counter that it reads. Return: false: out of memory. */
bool energy_register_stats(struct energy *e, const struct config *c, struct stats *s);

/** energy_count() - from the counters as they are now. */
void energy_count(struct energy *e);

#endif
