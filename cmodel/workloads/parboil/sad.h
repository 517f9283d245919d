/* SPDX-License-Identifier: Apache-2.0
 *
 * Parboil sad, for its kernels (sad_kernels.c) and its host side (sad.c): where each SAD lies.
 */
#ifndef WARPMEM_WORKLOADS_PARBOIL_SAD_H
#define WARPMEM_WORKLOADS_PARBOIL_SAD_H

#include "workloads/host.h"
#include "workloads/common/texture.h"

#define SAD_RANGE 16                 /* pixels in each direction */
#define SAD_SIDE (2 * SAD_RANGE + 1) /* positions in each direction */
#define SAD_POSITIONS (SAD_SIDE * SAD_SIDE)
#define SAD_PADDED 1096            /* places of a block, of two bytes */
#define SAD_WORDS (SAD_PADDED / 2) /* the same, in words of two SADs */
#define SAD_WORDS_USED ((SAD_POSITIONS + 1) / 2)
#define SAD_QUADS (SAD_PADDED / 4) /* the same, in words of four SADs */
#define SAD_A_THREAD 18            /* positions */
#define SAD_THREADS ((SAD_POSITIONS + SAD_A_THREAD - 1) / SAD_A_THREAD)
#define SAD_BLOCK 4 /* pixels, side of the smallest blocks */
#define SAD_MACROBLOCK 16

/* The motion since the frame before, in the middle and around it: pixels. */
#define SAD_MIDDLE_X -6
#define SAD_MIDDLE_Y 5
#define SAD_REST_X 3
#define SAD_REST_Y -2

/* The first block of each size, in blocks a macroblock; sizes in pixels, x by y. */
enum {
    SAD_16X16 = 0,
    SAD_16X8 = 1,
    SAD_8X16 = 3,
    SAD_8X8 = 5,
    SAD_8X4 = 9,
    SAD_4X8 = 17,
    SAD_4X4 = 25,
    SAD_BLOCKS = 41,
};

struct sad {
    struct host host;
    unsigned width, height;             /* pixels */
    unsigned macro_width, macro_height; /* macroblocks */
    struct texture texture;             /* the reference's tiles */
    struct buffer frame;                /* the current frame, row by row, two bytes a pixel */
    struct buffer reference;            /* texture */
    struct buffer sad;                  /* of each block of each size, position by position */
    struct buffer sad4, sad8;           /* the same array, in elements of 4 and 8 bytes */
};

/** sad_block() - number of the first block of macroblock @macro of a size. */
static inline unsigned sad_block(const struct sad *k, unsigned size, unsigned a_macro,
                                 unsigned macro) {
    return size * k->macro_width * k->macro_height + a_macro * macro;
}

/** sad_block_4x4() - number of the block at column @x and row @y of the frame, in blocks. */
static inline unsigned sad_block_4x4(const struct sad *k, unsigned x, unsigned y) {
    const unsigned macro = y / SAD_BLOCK * k->macro_width + x / SAD_BLOCK;
    return sad_block(k, SAD_4X4, 16, macro) + SAD_BLOCK * (y % SAD_BLOCK) + x % SAD_BLOCK;
}

/** sad_texel() - where pixel (x, y) of the reference is, clamped as the texture unit does. */
static inline int32_t sad_texel(const struct sad *k, int x, int y) {
    const int right = (int)k->width - 1, bottom = (int)k->height - 1;
    x = x < 0 ? 0 : x > right ? right : x;
    y = y < 0 ? 0 : y > bottom ? bottom : y;
    return texture_at(&k->texture, (unsigned)x, (unsigned)y);
}

/* Launches, of a program whose members are set: the first one, or that of the simple version; and
 * the two of the larger blocks. */
void sad_add_calc(struct sad *k);
void sad_add_base(struct sad *k);
void sad_add_larger(struct sad *k);

/* Instructions, as the kernels' lists add up: of sad_calc before the loop (those of the threads
 * that load a pixel apart), a trip, behind it, a trip of the copy; of the simple version before the
 * loop and a trip; of the larger blocks' kernels the same. */
enum {
    SAD_HEAD_INSNS = 8 + 1 + 1,
    SAD_LOAD_INSNS = 4,
    SAD_TRIPLE_INSNS = 6 + SAD_BLOCK * (2 + 6 + 2 + SAD_BLOCK * 7 + 3) + 6,
    SAD_TAIL_INSNS = 3,
    SAD_COPY_INSNS = 7,
    SAD_BASE_HEAD_INSNS = 5,
    SAD_BASE_INSNS = 4 + SAD_BLOCK * (3 + SAD_BLOCK * 4 + 3) + 5,
    SAD_LARGER_HEAD_INSNS = 5,
    SAD_LARGER_INSNS = 4 + 5 + 5 + 6,
};

#endif
