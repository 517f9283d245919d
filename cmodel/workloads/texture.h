/* SPDX-License-Identifier: Apache-2.0
 *
 * Two-dimensional textures. The hardware keeps such an array in tiles, so that texels near each
 * other in both directions share a line; here a tile is a line of 128 bytes. How many of its texels
 * are side by side is not published; a tile is made as square as a power of two allows, and wider
 * rather than higher.
 */
#ifndef WARPMEM_WORKLOADS_TEXTURE_H
#define WARPMEM_WORKLOADS_TEXTURE_H

#include <stdint.h>

#define TEXTURE_TILE_BYTES 128

/* What is wide and high a multiple of the tile. */
struct texture {
    unsigned width, height;  /* texels */
    unsigned tile_x, tile_y; /* the same, of a tile */
};

static inline unsigned texture_round_up(unsigned x, unsigned unit) {
    return (x + unit - 1) / unit * unit;
}

/** texture_of() - tiles for at least @width x @height texels of @bytes each, a power of two. */
static inline struct texture texture_of(unsigned width, unsigned height, unsigned bytes) {
    struct texture t = {.tile_x = 1, .tile_y = 1};
    while (t.tile_x * t.tile_y * bytes < TEXTURE_TILE_BYTES) {
        *(t.tile_x > t.tile_y ? &t.tile_y : &t.tile_x) *= 2;
    }
    t.width = texture_round_up(width, t.tile_x);
    t.height = texture_round_up(height, t.tile_y);
    return t;
}

/** texture_at() - index of texel (x, y) in the buffer, of width * height texels. */
static inline int32_t texture_at(const struct texture *t, unsigned x, unsigned y) {
    const unsigned tile = y / t->tile_y * (t->width / t->tile_x) + x / t->tile_x;
    return (int32_t)((tile * t->tile_y + y % t->tile_y) * t->tile_x + x % t->tile_x);
}

#endif
