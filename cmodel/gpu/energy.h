/* SPDX-License-Identifier: Apache-2.0
 *
 * Energy of the GPU, from event counts and a constant for each kind of event.
 *
 * Dynamic energy of the memory system: the constants are those of one published table for one
 * process, 28 nm (Kepler and Maxwell), so that their ratios hold: "DNA sequences alignment in
 * multi-GPUs: acceleration and energy payoff", BMC Bioinformatics 2018, doi
 * 10.1186/s12859-018-2389-6, table 7. They say what moving data costs, not what clocks, control and
 * leakage do, and the machines modelled here are of other processes: compare schemes with it, not
 * watts. Left out: writes through an L1 (they are counted where they end), and how far a flit goes
 * in a mesh.
 *
 * What else a GPU spends, so that a run that is faster spends less (MeDiC 6.2): the cores' dynamic
 * energy, and what the chip spends in each cycle whatever happens. Dynamic energies of other
 * processes are scaled to 28 nm by the ratio of the feature sizes; what is constant is not.
 * Left out: clock trees and pipeline registers, what DRAM chips spend without an access, address
 * generation, the coalescer, MSHRs and tags, and how energy depends on data, temperature and
 * voltage. So it is a lower bound: a GTX480, rated at 250 W, comes to 75 W at rest and somewhat
 * above it under load, and the static part weighs more than in a real one.
 */
#ifndef WARPMEM_GPU_ENERGY_H
#define WARPMEM_GPU_ENERGY_H

#include "base/stats.h"
#include "config/config.h"
#include "kernel/insn.h"

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

/* Lucas et al., "How a single chip causes massive power bills", ISPASS 2013, section III: an
 * integer and a floating-point operation of one lane measured on a GT240, 40 nm: 40 and 75 pJ, x
 * 28 / 40.
 * Chosen: every operation that is not integer, transcendental ones too, is one of the latter. */
#define ENERGY_INTEGER_PJ 28
#define ENERGY_FLOAT_PJ 52
/* Table 7: "local access to a register file", 2 pJ. Chosen: two reads and a write a thread
 * instruction. */
#define ENERGY_REGISTERS_PJ 6
/* Horowitz, "Computing's energy problem", ISSCC 2014: an instruction's 70 pJ at 45 nm are 6 of the
 * register file, 25 of the instruction cache, the rest control: 64 x 28 / 45, once a warp. */
#define ENERGY_ISSUE_PJ 40
/* Table 7 again: 32 words of 4 bytes. A bank conflict takes time, it reads no more words. */
#define ENERGY_SHARED_PJ (WARP_SIZE * 4 / ENERGY_SRAM_BYTES * ENERGY_SRAM_PJ)
/* Lucas et al., ISPASS 2013, table IV: 80 W static, measured, of a GTX580, which has 16 cores. Of
 * the whole chip: cores, L2 and the rest in the same ratio. */
#define ENERGY_STATIC_MW_PER_CORE 5000

enum energy_part {
    ENERGY_L1,
    ENERGY_NOC,
    ENERGY_L2,
    ENERGY_DRAM,
    ENERGY_TOTAL, /* of the memory system */
    ENERGY_CORE,
    ENERGY_STATIC,
    ENERGY_GPU_TOTAL,
    ENERGY_PARTS
};

enum { ENERGY_TERMS = 30, ENERGY_CORE_TERMS = 5 };

struct energy {
    const struct stats *stats; /* NULL: not registered, nothing is counted */
    size_t counter[ENERGY_TERMS];
    uint64_t bytes[ENERGY_TERMS]; /* that an event moves */
    size_t core_counter[ENERGY_CORE_TERMS];
    unsigned cores, core_khz;
    uint64_t pj[ENERGY_PARTS];
};

/** energy_register_stats() - after every counter that it reads. Return: false: out of memory. */
bool energy_register_stats(struct energy *e, const struct config *c, struct stats *s);

/** energy_count() - from the counters as they are now, after so many core cycles. */
void energy_count(struct energy *e, uint64_t cycles);

#endif
