/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's functions of integers.
 */
#include "runtime/listed.h"

static uint64_t pair_of(unsigned high, unsigned low) {
    return (uint64_t)high << 32 | low;
}

/* The low 24 bits, as a signed number. */
static int low_24(int x) {
    return (int)((unsigned)x << 8) >> 8;
}

static uint32_t turned_32(uint32_t x) {
    uint32_t turned = 0;
    for (unsigned i = 0; i < 32; i++) {
        turned |= (x >> i & 1) << (31 - i);
    }
    return turned;
}

/* PTX's prmt: a nibble chooses a byte of eight; its highest bit chooses copies of its sign. */
static unsigned chosen_bytes(uint64_t bytes, unsigned s) {
    unsigned chosen = 0;
    for (unsigned i = 0; i < 4; i++) {
        const unsigned nibble = s >> 4 * i & 15, byte = bytes >> 8 * (nibble & 7) & 255;
        chosen |= (nibble & 8 ? (byte & 128 ? 255 : 0) : byte) << 8 * i;
    }
    return chosen;
}

/* PTX's fns: the place of the @offset-th 1 from @base on, upwards or downwards; offset 0: @base. */
static unsigned nth_set_bit(unsigned mask, unsigned base, int offset) {
    const int step = offset < 0 ? -1 : 1;
    unsigned left = offset ? (offset < 0 ? 0U - (unsigned)offset : (unsigned)offset) : 1;
    for (int i = (int)base; i >= 0 && i < 32; i += step) {
        left -= mask >> i & 1;
        if (!left) {
            return (unsigned)i;
        }
        if (!offset) {
            break;
        }
    }
    return UINT32_MAX;
}

static int part_of(uint32_t word, unsigned at, unsigned bits, bool is_signed) {
    const uint32_t part = word << (32 - at - bits);
    return is_signed ? (int)part >> (32 - bits) : (int)(part >> (32 - bits));
}

/* @z and @count products of parts of @x with bytes of @y from bit @from on. */
static int dot(uint32_t x, uint32_t y, uint32_t z, unsigned count, unsigned from, bool is_signed) {
    for (unsigned i = 0; i < count; i++) {
        z += (uint32_t)part_of(x, 32 / count * i, 32 / count, is_signed) *
             (uint32_t)part_of(y, from + 8 * i, 8, is_signed);
    }
    return (int)z;
}

#include "include/warpmem_integer_list.h"
