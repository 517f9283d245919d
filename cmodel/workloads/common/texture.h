/* SPDX-License-Identifier: Apache-2.0
 *
 * Two-dimensional textures, as NVIDIA's hardware has kept them since Fermi ("block linear"): groups
 * of 64 bytes by 8 rows, up to 16 of which form the column of a block; blocks follow row by row.
 * So texels that are near each other in both directions share lines and are near in memory. A group
 * has two columns of 32 bytes, one after the other, row by row, so a line of 128 bytes is 32 bytes
 * by 4 rows. The order within 64 bytes differs between chips and has no effect here.
 */
#ifndef WARPMEM_WORKLOADS_COMMON_TEXTURE_H
#define WARPMEM_WORKLOADS_COMMON_TEXTURE_H

#include <stdint.h>

#define TEXTURE_COLUMN_BYTES 32
#define TEXTURE_GROUP_BYTES 64 /* side by side */
#define TEXTURE_GROUP_ROWS 8
#define TEXTURE_BLOCK_GROUPS 16 /* at most */

struct texture {
    unsigned bytes;         /* a texel */
    unsigned width, height; /* texels, whole blocks */
    unsigned block_rows;
};

static inline unsigned texture_round_up(unsigned x, unsigned unit) {
    return (x + unit - 1) / unit * unit;
}

/** texture_of() - of at least @width x @height texels of @bytes each, a power of two up to 16. A
 * block is not higher than it takes. */
static inline struct texture texture_of(unsigned width, unsigned height, unsigned bytes) {
    struct texture t = {.bytes = bytes, .block_rows = TEXTURE_GROUP_ROWS};
    while (t.block_rows < height && t.block_rows < TEXTURE_GROUP_ROWS * TEXTURE_BLOCK_GROUPS) {
        t.block_rows *= 2;
    }
    t.width = texture_round_up(width, TEXTURE_GROUP_BYTES / bytes);
    t.height = texture_round_up(height, t.block_rows);
    return t;
}

/** texture_at() - index of texel (x, y) in the buffer, of width * height texels. */
static inline int32_t texture_at(const struct texture *t, unsigned x, unsigned y) {
    const unsigned byte = x * t->bytes;
    const unsigned block = y / t->block_rows * (t->width * t->bytes / TEXTURE_GROUP_BYTES) +
                           byte / TEXTURE_GROUP_BYTES;
    const unsigned group =
        block * (t->block_rows / TEXTURE_GROUP_ROWS) + y % t->block_rows / TEXTURE_GROUP_ROWS;
    const unsigned column = group * (TEXTURE_GROUP_BYTES / TEXTURE_COLUMN_BYTES) +
                            byte % TEXTURE_GROUP_BYTES / TEXTURE_COLUMN_BYTES;
    const unsigned row = column * TEXTURE_GROUP_ROWS + y % TEXTURE_GROUP_ROWS;
    return (int32_t)((row * TEXTURE_COLUMN_BYTES + byte % TEXTURE_COLUMN_BYTES) / t->bytes);
}

#endif
