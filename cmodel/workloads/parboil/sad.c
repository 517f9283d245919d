/* SPDX-License-Identifier: Apache-2.0
 *
 * Parboil sad, the optimised version: sums of absolute differences for the motion estimation of
 * H.264, of each block of 4 x 4 pixels at 33 x 33 positions in the frame before. The first launch
 * has a CTA a block: its 16 pixels are in shared memory, the frame before is a texture, and the
 * CTA's 1089 sums go from shared memory to 2192 bytes of their own. The second and the third
 * launch add the sums of neighbouring blocks for the larger block sizes: they read and write
 * 9 MB in order and compute next to nothing. The first launch of sad-base is sad_base.c's. OWL does
 * not name its version.
 *
 * The frames are made, because the suite's are not at hand: smooth random brightness, of which the
 * middle has moved one way and the rest another, and a little noise. A frame before that ends is
 * clamped at its edge, by the texture unit. Registers are assumed. The seven places between 1089
 * and 1096 are padding, which the program copies although it is never written in shared memory.
 */
#include "workloads/parboil/sad.h"

#include <stdlib.h>
#include <string.h>

#include "workloads/common/lines.h"
#include "workloads/workloads.h"

#define GRAIN 8 /* pixels between two random values */
#define PATTERN_SIDE 32

static const struct {
    unsigned width, height;
} sizes[] = {
    [SIZE_TINY] = {48, 48},
    [SIZE_SMALL] = {176, 144},
    [SIZE_PAPER_OWL] = {176, 144},
};

/* The block sizes: where they begin, and how many 4 x 4 blocks wide and high they are. */
static const struct {
    unsigned begin, wide, high;
} shapes[] = {
    {SAD_16X16, 4, 4}, {SAD_16X8, 4, 2}, {SAD_8X16, 2, 4}, {SAD_8X8, 2, 2},
    {SAD_8X4, 2, 1},   {SAD_4X8, 1, 2},  {SAD_4X4, 1, 1},
};
#define SHAPES (sizeof shapes / sizeof *shapes)

/* Random values a grain apart, those between interpolated; the pattern repeats far away. */
static int brightness(const uint8_t *pattern, int x, int y) {
    const int period = GRAIN * PATTERN_SIDE;
    x = (x + period) % period;
    y = (y + period) % period;
    const int dx = x % GRAIN, dy = y % GRAIN, left = x / GRAIN, top = y / GRAIN;
    const int right = (left + 1) % PATTERN_SIDE, bottom = (top + 1) % PATTERN_SIDE;
    const int upper = pattern[top * PATTERN_SIDE + left] * (GRAIN - dx) +
                      pattern[top * PATTERN_SIDE + right] * dx;
    const int lower = pattern[bottom * PATTERN_SIDE + left] * (GRAIN - dx) +
                      pattern[bottom * PATTERN_SIDE + right] * dx;
    return (upper * (GRAIN - dy) + lower * dy) / (GRAIN * GRAIN);
}

static void generate(struct sad *k, uint64_t seed) {
    uint8_t pattern[PATTERN_SIDE * PATTERN_SIDE];
    uint16_t *frame = k->frame.data, *reference = k->reference.data;
    for (unsigned i = 0; i < sizeof pattern; i++) {
        pattern[i] = (uint8_t)(4 + host_random(&seed) % 248);
    }
    for (unsigned y = 0; y < k->height; y++) {
        for (unsigned x = 0; x < k->width; x++) {
            const bool middle = x >= k->width / 4 && x < k->width * 3 / 4 && y >= k->height / 4 &&
                                y < k->height * 3 / 4;
            const int dx = middle ? SAD_MIDDLE_X : SAD_REST_X;
            const int dy = middle ? SAD_MIDDLE_Y : SAD_REST_Y;
            const int noise = (int)(host_random(&seed) % 3) - 1;
            reference[texture_at(&k->texture, x, y)] =
                (uint16_t)brightness(pattern, (int)x, (int)y);
            frame[y * k->width + x] =
                (uint16_t)(brightness(pattern, (int)x + dx, (int)y + dy) + noise);
        }
    }
}

static bool open_with(struct sad *k, enum workload_size size, uint64_t seed,
                      void (*add_first)(struct sad *k)) {
    k->width = sizes[size].width;
    k->height = sizes[size].height;
    k->macro_width = k->width / SAD_MACROBLOCK;
    k->macro_height = k->height / SAD_MACROBLOCK;
    k->texture = texture_of(k->width, k->height, 2);
    const uint64_t sads = (uint64_t)SAD_BLOCKS * SAD_PADDED * k->macro_width * k->macro_height;
    if (!HOST_ALLOC(&k->host.memory, {&k->frame, k->width * k->height, 2},
                    {&k->reference, k->texture.width * k->texture.height, 2}, {&k->sad, sads, 2})) {
        return false;
    }
    k->sad4 = k->sad8 = k->sad;
    k->sad4.width = 4;
    k->sad4.count = sads / 2;
    k->sad8.width = 8;
    k->sad8.count = sads / 4;
    generate(k, seed);
    add_first(k);
    sad_add_larger(k);
    return true;
}

static bool sad_open(void *self, enum workload_size size, uint64_t seed) {
    return open_with(self, size, seed, sad_add_calc);
}

static bool sad_base_open(void *self, enum workload_size size, uint64_t seed) {
    return open_with(self, size, seed, sad_add_base);
}

static int clamped(int x, unsigned count) {
    return x < 0 ? 0 : x >= (int)count ? (int)count - 1 : x;
}

/* The pixels of a rectangle at one position. */
static unsigned sum_of(const struct sad *k, unsigned x0, unsigned y0, unsigned wide, unsigned high,
                       unsigned position) {
    const uint16_t *frame = k->frame.data, *reference = k->reference.data;
    const int dx = (int)(position % SAD_SIDE) - SAD_RANGE;
    const int dy = (int)(position / SAD_SIDE) - SAD_RANGE;
    unsigned sum = 0;
    for (unsigned y = y0; y < y0 + high; y++) {
        for (unsigned x = x0; x < x0 + wide; x++) {
            const int at = texture_at(&k->texture, (unsigned)clamped((int)x + dx, k->width),
                                      (unsigned)clamped((int)y + dy, k->height));
            sum += (unsigned)abs(frame[y * k->width + x] - reference[at]);
        }
    }
    return sum;
}

static const struct workload_result results[] = {INTEGERS("sad", sad, sad), {0}};

static bool sad_plain(void *self, void *const expected[]) {
    const struct sad *k = self;
    uint16_t *out = expected[0];
    memcpy(out, k->sad.data, k->sad.count * sizeof *out); /* the padding */
    for (unsigned i = 0; i < SHAPES; i++) {
        const unsigned wide = SAD_BLOCK * shapes[i].wide, high = SAD_BLOCK * shapes[i].high;
        for (unsigned macro = 0; macro < k->macro_width * k->macro_height; macro++) {
            for (unsigned y = 0; y < SAD_MACROBLOCK; y += high) {
                for (unsigned x = 0; x < SAD_MACROBLOCK; x += wide, out += SAD_PADDED) {
                    const unsigned left = macro % k->macro_width * SAD_MACROBLOCK + x;
                    const unsigned top = macro / k->macro_width * SAD_MACROBLOCK + y;
                    for (unsigned at = 0; at < SAD_POSITIONS; at++) {
                        out[at] = (uint16_t)sum_of(k, left, top, wide, high, at);
                    }
                }
            }
        }
    }
    return true;
}

static void instructions(struct workload_expectation *e, uint64_t times, uint64_t warps,
                         uint64_t threads) {
    e->warp_instructions += times * warps;
    e->thread_instructions += times * threads;
}

/* A CTA of sad_calc: a warp of 32 and one of 29 threads. The last thread has half the positions. */
static void expect_calc(const struct sad *k, unsigned x, unsigned y, unsigned line_bytes,
                        struct workload_expectation *e) {
    const unsigned trips = SAD_A_THREAD / 3;
    const unsigned short_trips = SAD_POSITIONS % SAD_A_THREAD / 3;
    struct line_set pixels = {.count = 0};
    instructions(e, SAD_HEAD_INSNS + SAD_TAIL_INSNS, 2, SAD_THREADS);
    instructions(e, SAD_LOAD_INSNS, 1, SAD_BLOCK * SAD_BLOCK);
    instructions(e, short_trips * SAD_TRIPLE_INSNS, 2, SAD_THREADS);
    instructions(e, (trips - short_trips) * SAD_TRIPLE_INSNS, 2, SAD_THREADS - 1);
    for (unsigned row = 0; row < SAD_BLOCK; row++) {
        line_set_add(&pixels, ((SAD_BLOCK * y + row) * k->width + SAD_BLOCK * x) / 4, 8,
                     line_bytes);
    }
    e->global_read_accesses += pixels.count;
    const unsigned block = sad_block_4x4(k, x, y);
    for (unsigned q = 0; q < SAD_QUADS; q += WARP_SIZE) {
        const unsigned lanes = SAD_QUADS - q < WARP_SIZE ? SAD_QUADS - q : WARP_SIZE;
        instructions(e, SAD_COPY_INSNS, 1, lanes);
        e->global_write_accesses +=
            lines_of_run((uint64_t)block * SAD_QUADS + q, lanes, 8, line_bytes);
    }
}

/* The larger sizes: each block of the smaller is read once, each of their own written once, in
 * 18 trips of a warp, of which the last has one lane. */
static void expect_larger(const struct sad *k, unsigned line_bytes,
                          struct workload_expectation *e) {
    const unsigned macros = k->macro_width * k->macro_height;
    for (unsigned block = 0; block < SAD_BLOCKS * macros; block++) {
        const bool read =
            block >= SAD_4X4 * macros || (block >= SAD_8X8 * macros && block < SAD_8X4 * macros);
        const bool written = block < SAD_4X4 * macros;
        for (unsigned w = 0; w < SAD_WORDS_USED; w += WARP_SIZE) {
            const unsigned lanes = SAD_WORDS_USED - w < WARP_SIZE ? SAD_WORDS_USED - w : WARP_SIZE;
            const uint64_t lines =
                lines_of_run((uint64_t)block * SAD_WORDS + w, lanes, 4, line_bytes);
            e->global_read_accesses += read ? lines : 0;
            e->global_write_accesses += written ? lines : 0;
        }
    }
    /* Four warps a macroblock in the second launch, one in the third. */
    instructions(e, 5 * macros * SAD_LARGER_HEAD_INSNS, 1, WARP_SIZE);
    instructions(e, 5 * macros * SAD_LARGER_INSNS, SAD_WORDS_USED / WARP_SIZE + 1, SAD_WORDS_USED);
}

static void sad_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct sad *k = self;
    for (unsigned y = 0; y < k->height / SAD_BLOCK; y++) {
        for (unsigned x = 0; x < k->width / SAD_BLOCK; x++) {
            expect_calc(k, x, y, line_bytes, e);
        }
    }
    expect_larger(k, line_bytes, e);
}

/* A CTA of sad_calc_base: a pixel is one access, a warp's sums of a trip are 36 bytes apart. */
static void expect_base(const struct sad *k, unsigned x, unsigned y, unsigned line_bytes,
                        struct workload_expectation *e) {
    const uint64_t out = (uint64_t)sad_block_4x4(k, x, y) * SAD_PADDED;
    instructions(e, SAD_BASE_HEAD_INSNS, 2, SAD_THREADS);
    for (unsigned first = 0; first < SAD_THREADS; first += WARP_SIZE) {
        for (unsigned i = 0; i < SAD_A_THREAD; i++) {
            struct line_set sums = {.count = 0};
            unsigned lanes = 0;
            for (unsigned t = first; t < first + WARP_SIZE; t++) {
                const unsigned position = SAD_A_THREAD * t + i;
                if (position < SAD_POSITIONS) {
                    line_set_add(&sums, out + position, 2, line_bytes);
                    lanes++;
                }
            }
            instructions(e, SAD_BASE_INSNS, 1, lanes);
            e->global_read_accesses += SAD_BLOCK * SAD_BLOCK;
            e->global_write_accesses += sums.count;
        }
    }
}

static void sad_base_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct sad *k = self;
    for (unsigned y = 0; y < k->height / SAD_BLOCK; y++) {
        for (unsigned x = 0; x < k->width / SAD_BLOCK; x++) {
            expect_base(k, x, y, line_bytes, e);
        }
    }
    expect_larger(k, line_bytes, e);
}

const struct workload workload_sad = {
    .name = "sad",
    .suite = "parboil",
    .about = "sums of absolute differences: textures and shared memory, then 9 MB streamed",
    .size_text = {[SIZE_TINY] = "48 x 48 pixels",
                  [SIZE_SMALL] = "176 x 144 pixels",
                  [SIZE_PAPER_OWL] = "176 x 144 pixels"},
    .bytes = sizeof(struct sad),
    .open = sad_open,
    .results = results,
    .plain = sad_plain,
    .expect = sad_expect,
};

const struct workload workload_sad_base = {
    .name = "sad-base",
    .suite = "parboil",
    .about = "sums of absolute differences, unshared: a pixel a load, stores 36 bytes apart",
    .size_text = {[SIZE_TINY] = "48 x 48 pixels",
                  [SIZE_SMALL] = "176 x 144 pixels",
                  [SIZE_PAPER_OWL] = "176 x 144 pixels"},
    .bytes = sizeof(struct sad),
    .open = sad_base_open,
    .results = results,
    .plain = sad_plain,
    .expect = sad_base_expect,
};
