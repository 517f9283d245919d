/* SPDX-License-Identifier: Apache-2.0 */
#include "l2/bank_sectors.h"

static unsigned place_of(const struct l2_bank *b, unsigned set, int way) {
    return set * b->tags.ways + (unsigned)way;
}

static unsigned mask_of_sectors(unsigned bytes) {
    return (1u << bytes / SECTOR_BYTES) - 1;
}

/* Line size of the cache that sent it. */
static unsigned line_bytes_of(const struct config *c, const struct request *r) {
    return r->unit == UNIT_TEXTURE    ? c->texture.line_bytes
           : r->unit == UNIT_CONSTANT ? c->constant.line_bytes
                                      : c->l1.line_bytes;
}

uint8_t l2_sectors_of(const struct l2_bank *b, const struct request *r) {
    unsigned line = line_bytes_of(b->config, r), lines = b->config->l2.line_bytes / line;
    bool whole = request_reads(r) && r->bytes == line;
    unsigned sectors = whole ? mask_of_sectors(line) : r->sectors;
    return (uint8_t)(sectors << (r->line % lines) * (line / SECTOR_BYTES));
}

void l2_sectors_count(struct l2_bank *b, unsigned kind, uint8_t wanted, uint8_t missing,
                      uint8_t on_way) {
    uint64_t *counts = b->stats.sectors[kind];
    counts[L2_HIT] += sectors_count(wanted & (uint8_t)~missing);
    counts[L2_PENDING_HIT] += sectors_count(on_way);
    counts[L2_MISS] += sectors_count(missing & (uint8_t)~on_way);
}

uint8_t l2_sectors_missing(const struct l2_bank *b, const struct request *r, unsigned set,
                           int way) {
    return (uint8_t)(l2_sectors_of(b, r) & ~b->sectors->valid[place_of(b, set, way)]);
}

void l2_sectors_begin_line(struct l2_bank *b, unsigned set, int way) {
    unsigned place = place_of(b, set, way);
    b->sectors->valid[place] = b->sectors->dirty[place] = b->sectors->fetches[place] = 0;
    b->sectors->written[place] = 0;
}

void l2_sectors_fetch(struct l2_bank *b, const struct request *r, struct request *read,
                      unsigned set, int way, unsigned mshr, bool has_line) {
    uint64_t line = r->local >> b->local_shift;
    if (!has_line) {
        l2_sectors_begin_line(b, set, way);
    }
    uint8_t missing = l2_sectors_missing(b, r, set, way);
    uint8_t fetched = sectors_begin_fetch(b->sectors, mshr, line, missing);
    b->stats.sector_joins += fetched != missing;
    if (b->sectors->fetches[place_of(b, set, way)]++ == 0 && has_line) {
        tag_hold(&b->tags, set, way);
    }
    read->bytes = (uint16_t)sectors_bytes(fetched);
}

void l2_sectors_fetch_all(struct l2_bank *b, uint64_t line, unsigned set, int way, unsigned mshr) {
    l2_sectors_begin_line(b, set, way);
    sectors_begin_fetch(b->sectors, mshr, line, (uint8_t)mask_of_sectors(b->config->l2.line_bytes));
    b->sectors->fetches[place_of(b, set, way)] = 1;
}

void l2_sectors_fill_all(struct l2_bank *b, unsigned set, int way) {
    l2_sectors_begin_line(b, set, way);
    b->sectors->valid[place_of(b, set, way)] = (uint8_t)mask_of_sectors(b->config->l2.line_bytes);
}

void l2_sectors_write(struct l2_bank *b, const struct request *r, unsigned set, int way) {
    unsigned place = place_of(b, set, way);
    uint8_t sectors = l2_sectors_of(b, r);
    b->sectors->dirty[place] |= b->through ? 0 : sectors;
    if (r->full) {
        b->sectors->valid[place] |= sectors;
    } else if (b->masks && r->kind == REQUEST_WRITE) {
        const unsigned line = line_bytes_of(b->config, r), lines = b->config->l2.line_bytes / line;
        b->sectors->written[place] |= (uint64_t)r->words << (r->line % lines) * (line / 4);
        b->sectors->valid[place] |= sectors_all_words(sectors, b->sectors->written[place]);
    }
}

unsigned l2_sectors_dirty_bytes(const struct l2_bank *b, unsigned set, int way) {
    return sectors_bytes(b->sectors->dirty[place_of(b, set, way)]);
}

void l2_sectors_clean(struct l2_bank *b, unsigned set, int way) {
    b->sectors->dirty[place_of(b, set, way)] = 0;
}

bool l2_sectors_arrive(struct l2_bank *b, unsigned set, int way, unsigned mshr) {
    unsigned place = place_of(b, set, way);
    b->sectors->valid[place] |= sectors_end_fetch(b->sectors, mshr);
    return --b->sectors->fetches[place] == 0;
}
