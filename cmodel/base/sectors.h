/* SPDX-License-Identifier: Apache-2.0
 *
 * Sectors of a sectored cache, beside its tags: which of a line's 32-byte sectors are valid, which
 * are dirty, and which of them each MSHR fetches. A line may have several fetches under way. Where
 * possible they fetch different sectors.
 *
 * No sector is fetched twice at a time. An access whose missing sectors other MSHRs fetch in part
 * takes an MSHR for the rest; one whose missing sectors several MSHRs fetch joins the newest of
 * them. Such an MSHR also awaits what the older ones bring, and its requests are woken when all of
 * it has arrived (chosen; no public source describes GPUs here. Their DRAM reads no sector twice:
 * dram__sectors_read of a Quadro GV100 equals the L2's read misses).
 */
#ifndef WARPMEM_BASE_SECTORS_H
#define WARPMEM_BASE_SECTORS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/request.h"

#define SECTORS_NO_MSHR (-1)

struct sector_fetch {
    uint64_t line;
    uint16_t next;   /* MSHR of the same bucket; that number of MSHRs: none */
    uint8_t sectors; /* that it fetches; 0: they have arrived */
    uint8_t awaited; /* sectors of older fetches that its requests need too */
};

struct sectors {
    uint8_t *valid, *dirty; /* [set * ways + way] a bit a sector */
    uint64_t *written;      /* [set * ways + way] words of sectors that are not valid, a bit each */
    uint8_t *fetches;       /* [set * ways + way] MSHRs that fetch sectors of it */
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

/** sectors_all_words() - those of @sectors whose words are all in @words, a bit a 4-byte word. */
uint8_t sectors_all_words(uint8_t sectors, uint64_t words);

/** sectors_bytes() - size of their data. */
static inline unsigned sectors_bytes(uint8_t sectors) {
    return sectors_count(sectors) * SECTOR_BYTES;
}

/** sectors_on_way() - those of @wanted that any MSHR fetches. */
uint8_t sectors_on_way(const struct sectors *s, uint64_t line, uint8_t wanted);
/** sectors_find_newest() - the newest MSHR that fetches any of @wanted, or SECTORS_NO_MSHR. @wanted
 * 0: of the line, also one that only awaits others. */
int sectors_find_newest(const struct sectors *s, uint64_t line, uint8_t wanted);
/** sectors_join() - the requests of this MSHR need @wanted, which are on their way. */
void sectors_join(struct sectors *s, unsigned mshr, uint8_t wanted);
/** sectors_begin_fetch() - the free MSHR begins to fetch those of @wanted that no other fetches,
 * one at least, and awaits the others. Return: the sectors that it fetches. */
uint8_t sectors_begin_fetch(struct sectors *s, unsigned mshr, uint64_t line, uint8_t wanted);
/** sectors_end_fetch() - the MSHR's sectors have arrived. Return: the sectors. */
uint8_t sectors_end_fetch(struct sectors *s, unsigned mshr);
/** sectors_take_complete() - after sectors_end_fetch(): the oldest MSHR of the line that has all it
 * awaits, which is forgotten; or SECTORS_NO_MSHR. */
int sectors_take_complete(struct sectors *s, uint64_t line);

#endif
