/* SPDX-License-Identifier: Apache-2.0
 *
 * Sectors of a sectored cache: which of a line's 32-byte sectors are valid and which are dirty,
 * beside its tags, and which of them each MSHR fetches. A line may have several fetches under way,
 * each for sectors that the others do not fetch where that can be.
 *
 * An access whose missing sectors one MSHR fetches all waits there. One whose sectors are fetched
 * by several MSHRs, or by one in part, fetches all that it misses by an MSHR of its own, as an MSHR
 * tells its accesses of one fill (chosen; nothing public says how GPUs do it).
 */
#ifndef WARPMEM_BASE_SECTORS_H
#define WARPMEM_BASE_SECTORS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/request.h"

#define SECTORS_NO_MSHR (-1)

struct sector_fetch {
    uint64_t line;
    uint16_t next; /* MSHR of the same bucket; that number of MSHRs: none */
    uint8_t sectors;
};

struct sectors {
    uint8_t *valid, *dirty;     /* [set * ways + way] a bit a sector */
    uint8_t *fetches;           /* [set * ways + way] MSHRs that fetch sectors of it */
    struct sector_fetch *fetch; /* [MSHR] */
    uint16_t *bucket;           /* newest MSHR of the lines that hash here */
    unsigned bucket_bits, mshrs;
};

/** sectors_create() - of a cache of @lines with @mshrs. NULL: out of memory. */
struct sectors *sectors_create(unsigned lines, unsigned mshrs);
void sectors_destroy(struct sectors *s);

/** sectors_count() - number of sectors in a mask. */
static inline unsigned sectors_count(uint8_t sectors) {
    return (unsigned)__builtin_popcount(sectors);
}

/** sectors_bytes() - their data. */
static inline unsigned sectors_bytes(uint8_t sectors) {
    return sectors_count(sectors) * SECTOR_BYTES;
}

/** sectors_find_fetch() - the MSHR that fetches all of @wanted, the newest one of several, or
 * SECTORS_NO_MSHR. */
int sectors_find_fetch(const struct sectors *s, uint64_t line, uint8_t wanted);
/** sectors_are_fetched() - does an MSHR fetch any of @wanted? */
bool sectors_are_fetched(const struct sectors *s, uint64_t line, uint8_t wanted);
/** sectors_begin_fetch() - the MSHR, which was free, fetches these. */
void sectors_begin_fetch(struct sectors *s, unsigned mshr, uint64_t line, uint8_t sectors);
/** sectors_end_fetch() - they have come. Return: which. */
uint8_t sectors_end_fetch(struct sectors *s, unsigned mshr);

#endif
