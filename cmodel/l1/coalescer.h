/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WARPMEM_L1_COALESCER_H
#define WARPMEM_L1_COALESCER_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/warp_stream.h"

/* One access of a warp instruction to one 128-byte line. */
struct line_access {
    uint64_t line;  /* byte address / 128 */
    uint32_t words; /* 4-byte words touched, one bit each */
    bool narrow;    /* a lane touches less than a word: words that are touched need not be whole */
};

/** line_access_sectors() - 32-byte sectors touched, one bit each. */
static inline uint8_t line_access_sectors(const struct line_access *a) {
    return (uint8_t)(((a->words & 0xff) != 0) | ((a->words & 0xff00) != 0) << 1 |
                     ((a->words & 0xff0000) != 0) << 2 | ((a->words & 0xff000000) != 0) << 3);
}

/** line_access_full() - every byte of the line is touched: a write of it needs no fetch. */
static inline bool line_access_full(const struct line_access *a) {
    return a->words == UINT32_MAX && !a->narrow;
}

#define COALESCER_ACCESSES_MAX (2 * WARP_SIZE) /* an unaligned lane touches two lines */

/**
 * coalesce() - the accesses of one global or local memory instruction: each line that an active
 * lane touches once, in the order of the first lane that touches it (Fermi's rule for cached
 * accesses). Return: their number, 1 .. COALESCER_ACCESSES_MAX.
 */
unsigned coalesce(const struct warp_op *op, struct line_access *accesses);

/**
 * segment_bytes() - bytes that the memory system moves for the sectors of a line when it does not
 * move the line: the smallest aligned segment of 32, 64 or 128 bytes that holds them all.
 */
unsigned segment_bytes(uint8_t sectors);

/**
 * bank_conflict_cycles() - cycles that a shared-memory instruction occupies the banks: the most
 * distinct 4-byte words in one bank. Lanes that read the same word share it.
 */
unsigned bank_conflict_cycles(const struct warp_op *op, unsigned banks);

#endif
