/* SPDX-License-Identifier: Apache-2.0
 *
 * Energy of the GPU, from event counts and a constant for each kind of event.
 *
 * All constants come from one source and one machine: GPUWattch (J. Leng et al., ISCA 2013), the
 * source of MeDiC's energies (5), with its GTX480, 40 nm, 700 MHz, from GPGPU-Sim 3.2.2:
 * github, gpgpu-sim/gpgpu-sim_distribution, commit 24f29469, src/gpuwattch and
 * configs/GTX480/gpuwattch_gtx480.xml; the factors for operations are in src/gpgpu-sim/shader.cc.
 * Its program gives the energy of one event as the power of a sample with many of them, less that
 * of one without, times the sample's time: McPAT's estimate of a circuit times a factor fitted to
 * measured power. docs/energy.md has each figure and its limits.
 *
 * So a constant includes everything that accompanied its event in the measured chip, leakage too,
 * and its parts are less certain than the sum. Machines of other processes have other watts:
 * compare schemes. An event costs the same for any line size. Two groups cost nothing: those
 * without an event in GPUWattch (fills and evictions of the L2 and fills of the L1, which are part
 * of their misses; bypasses), and those that are not modelled here (instruction-cache misses,
 * operands that are no registers).
 */
#ifndef WARPMEM_GPU_ENERGY_H
#define WARPMEM_GPU_ENERGY_H

#include "base/stats.h"
#include "config/config.h"

/* Per access of the L1, with the coalescer's part. A pending hit is a hit. */
#define ENERGY_L1_READ_HIT_PJ 2935
#define ENERGY_L1_READ_MISS_PJ 2225
#define ENERGY_L1_WRITE_HIT_PJ 220
/* Chosen: every write that goes on to the L2 is one; in a GTX480's L1 all writes do. */
#define ENERGY_L1_WRITE_MISS_PJ 2604
#define ENERGY_TEXTURE_HIT_PJ 1353
#define ENERGY_TEXTURE_MISS_PJ 2225
#define ENERGY_CONSTANT_HIT_PJ 1467
#define ENERGY_CONSTANT_MISS_PJ 1113
/* Chosen: a flit of another size in proportion. */
#define ENERGY_NOC_BYTES 32
#define ENERGY_NOC_PJ 1939
/* Per access of the L2; a read miss reads the tags alone. Chosen: an atomic, which GPUWattch counts
 * as a read, is one and then a write hit. */
#define ENERGY_L2_READ_HIT_PJ 2805
#define ENERGY_L2_READ_MISS_PJ 102
#define ENERGY_L2_WRITE_HIT_PJ 13851
#define ENERGY_L2_WRITE_MISS_PJ 15024
/* Per read or write command, burst 8 over 64 bits, with the controller. */
#define ENERGY_DRAM_BYTES 64
#define ENERGY_DRAM_READ_PJ 26948
#define ENERGY_DRAM_WRITE_PJ 15865
/* Per row: its activation has no energy of its own. */
#define ENERGY_DRAM_PRECHARGE_PJ 4232

/* Per lane: 25 times 2.69 pJ; 1.8 times 29.58 pJ, a multiplication's. Chosen: all floating point is
 * that (an addition 30 pJ, a square root 1,209), all integers are additions (a 32-bit
 * multiplication 193). A lane that is off costs nothing; in GPUWattch half. */
#define ENERGY_INTEGER_PJ 67
#define ENERGY_FLOAT_PJ 53
/* Pipeline registers: 18,187 nJ for 500 cycles of 15 cores with 64 thread instructions each. */
#define ENERGY_PIPELINE_PJ 38
/* Per warp instruction, inactive lanes included: 32 times 7.27 pJ a read, 5.99 a write. Chosen: two
 * reads and a write. */
#define ENERGY_REGISTERS_PJ 657
/* Decoded and scheduled, 58.5 pJ, and half an instruction fetch of 63.4 pJ: one is of two. */
#define ENERGY_ISSUE_PJ 90
/* Per cycle in which a shared-memory instruction occupies the banks. */
#define ENERGY_SHARED_PJ 2119

/* Constant power: "CONST_DYNAMICN", 11 W, of the chip, clocks and the controllers' idle power.
 * Chosen: of 15 cores, others in proportion. And "idle_core_power", 1.59 W, of a core without
 * work. */
#define ENERGY_CONSTANT_MW 11000
#define ENERGY_CONSTANT_CORES 15
#define ENERGY_IDLE_CORE_MW 1590

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

enum { ENERGY_TERMS = 40 };

struct energy {
    const struct stats *stats; /* NULL: not registered, nothing is counted */
    size_t counter[ENERGY_TERMS], idle_counter;
    unsigned cores, core_khz, flit_bytes;
    uint64_t pj[ENERGY_PARTS];
};

/** energy_register_stats() - after every counter that it reads. Return: false: out of memory. */
bool energy_register_stats(struct energy *e, const struct config *c, struct stats *s);

/** energy_count() - compute the energies from the current counters, after @cycles core cycles. */
void energy_count(struct energy *e, uint64_t cycles);

#endif
