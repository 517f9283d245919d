/* SPDX-License-Identifier: Apache-2.0
 *
 * Counters of each load instruction of global and local memory, and of each atomic: how often it
 * issued, with how many lanes and accesses, and the outcomes of these in the L1 (DAWS 4.1, 4.2,
 * figures 3 and 5). Launches of equal kernel name count together, as in gpu/kernels.h.
 *
 * A warp's accesses reach the L1 in the order of its instructions, through the MRPB too. So an
 * access belongs to the oldest load of its warp that the L1 has not taken completely, and a request
 * need not carry its instruction. Nothing in the machine depends on the counts.
 */
#ifndef WARPMEM_CORE_LOADS_H
#define WARPMEM_CORE_LOADS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/insn.h"

#define LOADS_WARPS_MAX 64
/* Loads of a warp that are tracked; the accesses of further ones count with the last. */
#define LOADS_WAITING 64
#define LOADS_NESTING 16 /* loops; deeper ones count as the one around them */

/* Outcomes of an access in the L1. own: the same warp slot had fetched the line, or is fetching it;
 * with l1.sectors the slot for which the line was taken, whichever slot fetched the sector. */
enum load_access {
    LOAD_HIT_OWN,
    LOAD_HIT_OTHER,   /* and all accesses with l1.perfect, which has no lines */
    LOAD_PENDING_OWN, /* the line is being fetched */
    LOAD_PENDING_OTHER,
    LOAD_MISS,
    LOAD_PAST, /* bypassed the L1: bypassing, uncached, or an atomic */
    LOAD_ACCESSES
};

/**
 * struct load_count - of one instruction.
 * @pc: in its kernel's code
 * @in_loop: it is in a loop; @loop: the pc of the innermost one, when it first issued
 * @op, @space, @width: as struct insn
 * @line: of the source file @file; 0 and NULL: unknown
 */
struct load_count {
    uint32_t pc, loop, line;
    bool in_loop;
    uint8_t op, space, width;
    char *file;
    uint64_t executions, lanes, accesses;
    uint64_t taken[LOAD_ACCESSES];
};

/* A kernel's loads, by pc. Zeroed: none. */
struct load_counts {
    struct load_count *row;
    unsigned count;
};

/* The running kernel's rows, and the row of each instruction of its code. */
struct load_counter {
    struct load_count *row;
    const struct insn *first;
    const uint32_t *row_of;
};

/* A core's warps: their loads that the L1 has not taken completely, and the loops they are in. */
struct core_loads {
    const struct load_counter *to;
    struct warp_loads {
        uint8_t head, count;
        uint32_t depth;
        struct waiting_load {
            uint32_t row, left;
        } load[LOADS_WAITING];
        uint32_t loop[LOADS_NESTING];
    } warp[LOADS_WARPS_MAX];
};

/** load_counts_add() - rows for the loads of the code that have none, and *row_of (insn_count
 * numbers), the row of each instruction. False: out of memory. */
bool load_counts_add(struct load_counts *c, const struct kernel_code *code, uint32_t *row_of);
void load_counts_free(struct load_counts *c);

/** core_loads_begin() - another warp comes into the slot. */
static inline void core_loads_begin(struct core_loads *c, unsigned warp) {
    c->warp[warp].head = c->warp[warp].count = c->warp[warp].depth = 0;
}

/** core_loads_marker() - the warp passes a loop marker. */
void core_loads_marker(struct core_loads *c, unsigned warp, const struct insn *marker);
/** core_loads_issued() - a load or an atomic of global or local memory has issued. */
void core_loads_issued(struct core_loads *c, unsigned warp, const struct insn *insn,
                       uint32_t active, unsigned accesses);

/** core_loads_taken() - the L1 has taken an access of one of them. */
static inline void core_loads_taken(struct core_loads *c, unsigned warp, enum load_access what) {
    struct warp_loads *w = &c->warp[warp];
    struct waiting_load *load = &w->load[w->head];
    c->to->row[load->row].taken[what]++;
    if (!--load->left) {
        w->head = (uint8_t)((w->head + 1) % LOADS_WAITING);
        w->count--;
    }
}

#endif
