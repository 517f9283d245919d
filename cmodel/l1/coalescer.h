/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L1_COALESCER_H
#define WARPMEM_L1_COALESCER_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/warp_stream.h"

/* One access of a warp instruction to one line. */
struct line_access {
    uint64_t line;  /* byte address / line size */
    uint32_t words; /* 4-byte words touched, one bit each */
    bool narrow;    /* a lane touches less than a word: touched words need not be whole */
};

/** line_access_sectors() - 32-byte sectors touched, one bit each. */
static inline uint8_t line_access_sectors(const struct line_access *a) {
    return (uint8_t)(((a->words & 0xff) != 0) | ((a->words & 0xff00) != 0) << 1 |
                     ((a->words & 0xff0000) != 0) << 2 | ((a->words & 0xff000000) != 0) << 3);
}

/** line_words() - every word of a line of 32, 64 or 128 bytes, one bit each. */
static inline uint32_t line_words(unsigned line_bytes) {
    return UINT32_MAX >> (32 - line_bytes / 4);
}

/** line_access_full() - does the access touch every byte of the line? Then a write of it needs no
 * fetch. @all: the line's words. */
static inline bool line_access_full(const struct line_access *a, uint32_t all) {
    return a->words == all && !a->narrow;
}

/** line_access_sectors_full() - the same for each sector that is touched. */
static inline bool line_access_sectors_full(const struct line_access *a) {
    uint32_t some = a->words, all = a->words; /* of each byte, in its lowest bit */
    for (unsigned shift = 4; shift; shift /= 2) {
        some |= some >> shift;
        all &= all >> shift;
    }
    return !a->narrow && !((some ^ all) & 0x01010101);
}

/* Constants have the maximum: 16 bytes that are not aligned touch five words a lane. */
#define COALESCER_ACCESSES_MAX (5 * WARP_SIZE)

/**
 * coalesce_accesses() - the accesses of one memory instruction: each line that an active lane
 * touches once, in the order of the first lane that touches it (Fermi's rule for cached accesses;
 * also for an L1 that is off). @line_bytes: 32, 64 or 128. Return: their number, 1 .. 2 *
 * WARP_SIZE.
 */
unsigned coalesce_accesses(const struct warp_op *op, unsigned line_bytes,
                           struct line_access *accesses);

/**
 * coalesce_atomic() - the same for an atomic. @by_sector: lanes of half a warp share an access to a
 * 32-byte sector, and the L2 combines them (measured on a QV100); else lanes that touch the same
 * word get separate accesses, one after another, because the L2 changes a word once an access
 * (Fermi).
 */
unsigned coalesce_atomic(const struct warp_op *op, unsigned line_bytes, bool by_sector,
                         struct line_access *accesses);

/**
 * coalesce_parts() - the accesses of an instruction, an atomic or not: of the warp as above, or
 * with @parts 2 by the rule of compute capability 1.3: the lanes of each half of the warp by
 * themselves, in segments of 32 bytes for lanes of a byte, 64 for two bytes, else 128. Segments of
 * one line are separate accesses. Source: CUDA's programming guide of that time, appendix G.
 */
unsigned coalesce_parts(const struct warp_op *op, unsigned line_bytes, unsigned parts,
                        bool atomics_by_sector, struct line_access *accesses);

/**
 * coalesce_words() - the same for constant memory: an access for each distinct 4-byte word, because
 * the constant cache gives one word a cycle to all lanes. Return: 1 .. COALESCER_ACCESSES_MAX.
 */
unsigned coalesce_words(const struct warp_op *op, unsigned line_bytes,
                        struct line_access *accesses);

/**
 * segment_bytes() - bytes that the memory system moves for some sectors of a line: the smallest
 * aligned segment of 32, 64 or 128 bytes that holds them all.
 */
unsigned segment_bytes(uint8_t sectors);

#define SHARED_BANKS_MAX 64

struct bank_cycles {
    unsigned all;   /* for which a shared-memory instruction occupies the banks */
    unsigned least; /* that its words would take if they were spread over all banks */
};

/**
 * shared_bank_cycles() - the most distinct 4-byte words in one bank, beside the mean. Lanes that
 * read the same word share it; lanes of an atomic do not: each changes the word in a cycle of its
 * own. @banks: 1 .. SHARED_BANKS_MAX
 */
struct bank_cycles shared_bank_cycles(const struct warp_op *op, unsigned banks);

#endif
