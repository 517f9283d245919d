/* SPDX-License-Identifier: Apache-2.0
 *
 * Sectors of a sectored cache, beside its tags: which of a line's 32-byte sectors are valid, which
 * are dirty, and which of them each MSHR fetches. A line may have several fetches under way. Where
 * possible they fetch different sectors.
 *
 * An access waits at an MSHR that fetches all of its missing sectors. If several MSHRs fetch them,
 * or one fetches only a part, the access fetches all its missing sectors by its own MSHR, because
 * the requests of an MSHR are woken by one fill (chosen; no public source describes GPUs here).
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

/** sectors_bytes() - size of their data. */
static inline unsigned sectors_bytes(uint8_t sectors) {
    return sectors_count(sectors) * SECTOR_BYTES;
}

/** sectors_find_fetch() - the newest MSHR that fetches all of @wanted, or SECTORS_NO_MSHR. */
int sectors_find_fetch(const struct sectors *s, uint64_t line, uint8_t wanted);
/** sectors_are_fetched() - true if an MSHR fetches any of @wanted. */
bool sectors_are_fetched(const struct sectors *s, uint64_t line, uint8_t wanted);
/** sectors_begin_fetch() - the free MSHR begins to fetch these sectors. */
void sectors_begin_fetch(struct sectors *s, unsigned mshr, uint64_t line, uint8_t sectors);
/** sectors_end_fetch() - the MSHR's sectors have arrived. Return: the sectors. */
uint8_t sectors_end_fetch(struct sectors *s, unsigned mshr);

#endif
