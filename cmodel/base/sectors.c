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
    s->written = calloc(lines, sizeof *s->written);
    s->fetches = calloc(lines, sizeof *s->fetches);
    s->fetch = calloc(mshrs, sizeof *s->fetch);
    s->bucket = calloc(buckets, sizeof *s->bucket);
    if (!s->valid || !s->dirty || !s->written || !s->fetches || !s->fetch || !s->bucket) {
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
        free(s->written);
        free(s->fetches);
        free(s->fetch);
        free(s->bucket);
        free(s);
    }
}

uint8_t sectors_all_words(uint8_t sectors, uint64_t words) {
    uint8_t whole = 0;
    for (unsigned i = 0; sectors >> i; i++) {
        whole |= (uint8_t)((words >> 8 * i & 0xff) == 0xff ? 1u << i : 0);
    }
    return sectors & whole;
}

/* Multiply and take the top bits, so that each bit of the line changes each bit of the bucket. */
static uint16_t *bucket_of_sectors(const struct sectors *s, uint64_t line) {
    return &s->bucket[line * UINT64_C(0x9e3779b97f4a7c15) >> (64 - s->bucket_bits)];
}

int sectors_find_newest(const struct sectors *s, uint64_t line, uint8_t wanted) {
    for (unsigned i = *bucket_of_sectors(s, line); i < s->mshrs; i = s->fetch[i].next) {
        if (s->fetch[i].line == line && (!wanted || wanted & s->fetch[i].sectors)) {
            return (int)i;
        }
    }
    return SECTORS_NO_MSHR;
}

uint8_t sectors_on_way(const struct sectors *s, uint64_t line, uint8_t wanted) {
    uint8_t fetched = 0;
    for (unsigned i = *bucket_of_sectors(s, line); i < s->mshrs; i = s->fetch[i].next) {
        fetched |= s->fetch[i].line == line ? s->fetch[i].sectors : 0;
    }
    return wanted & fetched;
}

void sectors_join(struct sectors *s, unsigned mshr, uint8_t wanted) {
    s->fetch[mshr].awaited |= wanted & (uint8_t)~s->fetch[mshr].sectors;
}

uint8_t sectors_begin_fetch(struct sectors *s, unsigned mshr, uint64_t line, uint8_t wanted) {
    uint16_t *bucket = bucket_of_sectors(s, line);
    const uint8_t others = sectors_on_way(s, line, wanted);
    assert(wanted & ~others);
    s->fetch[mshr] = (struct sector_fetch){
        .line = line, .next = *bucket, .sectors = wanted & (uint8_t)~others, .awaited = others};
    *bucket = (uint16_t)mshr;
    return s->fetch[mshr].sectors;
}

uint8_t sectors_end_fetch(struct sectors *s, unsigned mshr) {
    const uint8_t sectors = s->fetch[mshr].sectors;
    assert(sectors);
    s->fetch[mshr].sectors = 0;
    return sectors;
}

int sectors_take_complete(struct sectors *s, uint64_t line) {
    const uint8_t on_way = sectors_on_way(s, line, UINT8_MAX);
    uint16_t *oldest = NULL;
    for (uint16_t *i = bucket_of_sectors(s, line); *i < s->mshrs; i = &s->fetch[*i].next) {
        const struct sector_fetch *f = &s->fetch[*i];
        oldest = f->line == line && !f->sectors && !(f->awaited & on_way) ? i : oldest;
    }
    if (!oldest) {
        return SECTORS_NO_MSHR;
    }
    const int mshr = *oldest;
    *oldest = s->fetch[mshr].next;
    return mshr;
}
