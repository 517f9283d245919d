/* SPDX-License-Identifier: Apache-2.0 */
#define _FILE_OFFSET_BITS 64
#include "trace/cta_spool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/wtr.h"

void cta_spool_begin(struct cta_spool *s, const unsigned grid[3], const unsigned block[3]) {
    memcpy(s->grid, grid, sizeof s->grid);
    s->wanted = grid[0] * grid[1] * grid[2];
    s->warps = (block[0] * block[1] * block[2] + WARP_SIZE - 1) / WARP_SIZE;
    s->bytes = 0;
    s->count = 0;
    s->ascending = true;
    rewind(s->file);
}

void cta_spool_free(struct cta_spool *s) {
    free(s->places);
    s->places = NULL;
    s->count = s->room = 0;
}

static bool spool_bytes(struct cta_spool *s, const void *bytes, size_t count) {
    errno = 0;
    s->bytes += count;
    return !count || fwrite(bytes, 1, count, s->file) == count ||
           text_lines_fail(s->lines, "the temporary file cannot be written: %s",
                           strerror(errno ? errno : EIO));
}

static bool keep_place(struct cta_spool *s, uint32_t cta) {
    if (s->count == s->room) {
        unsigned room = s->room ? 2 * s->room : 256;
        struct cta_place *places = realloc(s->places, room * sizeof *places);
        if (!places) {
            return text_lines_fail(s->lines, "out of memory");
        }
        s->places = places;
        s->room = room;
    }
    s->ascending = s->ascending && cta == s->count;
    s->places[s->count++] = (struct cta_place){cta, s->bytes};
    return true;
}

bool cta_spool_put(struct cta_spool *s, uint32_t cta, const struct cta_trace *t) {
    uint8_t sizes[CTA_WARPS_MAX * 4];
    if (s->count == s->wanted) {
        return text_lines_fail(s->lines, "more %ss than the grid has: must be %u", s->cta,
                               s->wanted);
    }
    for (unsigned i = 0; i < s->warps; i++) {
        wtr_put32(sizes + 4 * i, (uint32_t)t->warp[i].size);
    }
    bool good = keep_place(s, cta) && spool_bytes(s, sizes, 4 * s->warps);
    for (unsigned i = 0; good && i < s->warps; i++) {
        good = spool_bytes(s, t->warp[i].bytes, t->warp[i].size);
    }
    return good;
}

static int by_number(const void *a, const void *b) {
    uint32_t x = ((const struct cta_place *)a)->number;
    uint32_t y = ((const struct cta_place *)b)->number;
    return x < y ? -1 : x > y;
}

bool cta_spool_order(struct cta_spool *s) {
    const unsigned *grid = s->grid;
    if (!s->ascending) {
        qsort(s->places, s->count, sizeof *s->places, by_number);
    }
    for (unsigned i = 0; i < s->wanted; i++) {
        if (i < s->count && s->places[i].number == i) {
            continue;
        }
        bool twice = i && i < s->count && s->places[i].number == s->places[i - 1].number;
        unsigned n = twice ? s->places[i].number : i;
        return text_lines_fail(s->lines, "%s %u,%u,%u is there %s: must be once", s->cta,
                               n % grid[0], n / grid[0] % grid[1], n / grid[0] / grid[1],
                               twice ? "twice" : "never");
    }
    return !fseeko(s->file, 0, SEEK_SET) ||
           text_lines_fail(s->lines, "the temporary file cannot be read");
}

static bool read_spool(struct cta_spool *s, void *bytes, size_t count) {
    return !count || fread(bytes, 1, count, s->file) == count ||
           text_lines_fail(s->lines, "the temporary file cannot be read");
}

bool cta_spool_get(struct cta_spool *s, uint32_t cta, struct cta_trace *t) {
    uint8_t sizes[CTA_WARPS_MAX * 4];
    if (!s->ascending && fseeko(s->file, (off_t)s->places[cta].at, SEEK_SET)) {
        return text_lines_fail(s->lines, "the temporary file cannot be read");
    }
    if (!read_spool(s, sizes, 4 * s->warps)) {
        return false;
    }
    t->warp_count = s->warps;
    for (unsigned i = 0; i < s->warps; i++) {
        size_t bytes = wtr_get32(sizes + 4 * i);
        struct warp_stream *w = &t->warp[i];
        warp_stream_clear(w);
        uint8_t *to = warp_stream_extend(w, bytes);
        if (bytes && !to) {
            return text_lines_fail(s->lines, "out of memory");
        }
        if (!read_spool(s, to, bytes)) {
            return false;
        }
    }
    return true;
}
