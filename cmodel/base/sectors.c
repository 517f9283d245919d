/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sectors.h"

#include <assert.h>
#include <stdlib.h>

struct sectors *sectors_create(unsigned lines, unsigned mshrs) {
    struct sectors *s = calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    s->mshrs = mshrs;
    while (1u << s->bucket_bits < 2 * mshrs) {
        s->bucket_bits++;
    }
    const unsigned buckets = 1u << s->bucket_bits;
    s->valid = calloc(lines, sizeof *s->valid);
    s->dirty = calloc(lines, sizeof *s->dirty);
    s->fetches = calloc(lines, sizeof *s->fetches);
    s->fetch = calloc(mshrs, sizeof *s->fetch);
    s->bucket = calloc(buckets, sizeof *s->bucket);
    if (!s->valid || !s->dirty || !s->fetches || !s->fetch || !s->bucket) {
        sectors_destroy(s);
        return NULL;
    }
    for (unsigned i = 0; i < buckets; i++) {
        s->bucket[i] = (uint16_t)mshrs;
    }
    return s;
}

void sectors_destroy(struct sectors *s) {
    if (s) {
        free(s->valid);
        free(s->dirty);
        free(s->fetches);
        free(s->fetch);
        free(s->bucket);
        free(s);
    }
}

/* Multiply and take the top bits, so that each bit of the line changes each bit of the bucket. */
static uint16_t *bucket_of_sectors(const struct sectors *s, uint64_t line) {
    return &s->bucket[line * UINT64_C(0x9e3779b97f4a7c15) >> (64 - s->bucket_bits)];
}

int sectors_find_fetch(const struct sectors *s, uint64_t line, uint8_t wanted) {
    for (unsigned i = *bucket_of_sectors(s, line); i < s->mshrs; i = s->fetch[i].next) {
        if (s->fetch[i].line == line && !(wanted & ~s->fetch[i].sectors)) {
            return (int)i;
        }
    }
    return SECTORS_NO_MSHR;
}

bool sectors_are_fetched(const struct sectors *s, uint64_t line, uint8_t wanted) {
    for (unsigned i = *bucket_of_sectors(s, line); i < s->mshrs; i = s->fetch[i].next) {
        if (s->fetch[i].line == line && wanted & s->fetch[i].sectors) {
            return true;
        }
    }
    return false;
}

void sectors_begin_fetch(struct sectors *s, unsigned mshr, uint64_t line, uint8_t sectors) {
    uint16_t *bucket = bucket_of_sectors(s, line);
    assert(sectors && !s->fetch[mshr].sectors);
    s->fetch[mshr] = (struct sector_fetch){.line = line, .next = *bucket, .sectors = sectors};
    *bucket = (uint16_t)mshr;
}

uint8_t sectors_end_fetch(struct sectors *s, unsigned mshr) {
    struct sector_fetch *f = &s->fetch[mshr];
    uint16_t *from = bucket_of_sectors(s, f->line);
    uint8_t sectors = f->sectors;
    assert(sectors);
    while (*from != mshr) {
        from = &s->fetch[*from].next;
    }
    *from = f->next;
    f->sectors = 0;
    return sectors;
}
