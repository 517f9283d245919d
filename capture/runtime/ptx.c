/* SPDX-License-Identifier: Apache-2.0
 *
 * PTX instructions of inline assembly that no function of CUDA's stands for. Values are those of
 * NVIDIA's PTX ISA manual, release 8.4, sections 9.7.1 to 9.7.7; of special registers section 10.
 */
#include <math.h>
#include <string.h>

#include "runtime/capture.h"
#include "runtime/listed.h"
#include "include/warpmem_attributes.h"

/* bfe: @length bits from @from on; behind the highest bit, copies of the sign or 0. */
static uint64_t field_of(uint64_t a, unsigned from, unsigned length, unsigned width,
                         bool is_signed) {
    from &= 255;
    length &= 255;
    const unsigned last = from + length - 1 < width - 1 ? from + length - 1 : width - 1;
    const bool sign = is_signed && length && a >> last & 1;
    uint64_t field = 0;
    for (unsigned i = 0; i < width; i++) {
        const bool inside = i < length && from + i < width;
        field |= (inside ? a >> (from + i) & 1 : (uint64_t)sign) << i;
    }
    return field;
}

/* bfi: @b with the low bits of @a at @from. */
static uint64_t with_field(uint64_t a, uint64_t b, unsigned from, unsigned length, unsigned width) {
    from &= 255;
    length &= 255;
    for (unsigned i = 0; i < length && from + i < width; i++) {
        const uint64_t bit = UINT64_C(1) << (from + i);
        b = a >> i & 1 ? b | bit : b & ~bit;
    }
    return b;
}

/* bfind: its place, or with @shift how far it is from the top. */
static unsigned highest_one(uint64_t a, unsigned width, int shift) {
    const unsigned at = a ? 63 - (unsigned)__builtin_clzll(a) : UINT32_MAX;
    return a && shift ? width - 1 - at : at;
}

static unsigned looked_up(unsigned a, unsigned b, unsigned c, unsigned table) {
    unsigned result = 0;
    for (unsigned i = 0; i < 8; i++) {
        if (table >> i & 1) {
            result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
        }
    }
    return result;
}

/* prmt's modes: which of the eight bytes of @b and @a is byte @i of the result. */
enum permutation { FORWARD_4, BACKWARD_4, REPLICATE_8, CLAMP_LEFT, CLAMP_RIGHT, REPLICATE_16 };

static unsigned permuted(unsigned a, unsigned b, unsigned c, unsigned mode) {
    const uint64_t bytes = (uint64_t)b << 32 | a;
    const unsigned s = c & 3;
    unsigned result = 0;
    for (unsigned i = 0; i < 4; i++) {
        const unsigned from[] = {[FORWARD_4] = s + i,
                                 [BACKWARD_4] = (s - i) & 7,
                                 [REPLICATE_8] = s,
                                 [CLAMP_LEFT] = i > s ? i : s,
                                 [CLAMP_RIGHT] = i < s ? i : s,
                                 [REPLICATE_16] = (s & 1) * 2 + (i & 1)};
        result |= (unsigned)(bytes >> 8 * from[mode] & 255) << 8 * i;
    }
    return result;
}

static int part_from(uint32_t word, unsigned at, unsigned bits, bool is_signed) {
    const uint32_t part = word << (32 - at - bits);
    return is_signed ? (int)part >> (32 - bits) : (int)(part >> (32 - bits));
}

/* dp4a, dp2a: @is_signed 1: the parts of @a; 2: of @b. */
static unsigned dotted(unsigned a, unsigned b, unsigned c, unsigned count, unsigned from,
                       unsigned is_signed) {
    for (unsigned i = 0; i < count; i++) {
        c += (unsigned)part_from(a, 32 / count * i, 32 / count, is_signed & 1) *
             (unsigned)part_from(b, from + 8 * i, 8, is_signed & 2);
    }
    return c;
}

static int clamped_32(int64_t x) {
    return (int)(x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : x);
}

static unsigned distance_of_bytes(unsigned a, unsigned b, bool is_signed) {
    unsigned sum = 0;
    for (unsigned i = 0; i < 32; i += 8) {
        const int difference = part_from(a, i, 8, is_signed) - part_from(b, i, 8, is_signed);
        sum += (unsigned)(difference < 0 ? -difference : difference);
    }
    return sum;
}

/* The scalar video instructions. @how, from bit 0 on: 3 operation, 2 second operation, 1 clamps, 1
 * saturates, 1 each: @a, @b and the result are signed; 3 bits each: part of @a, of @b. */
enum video_operation {
    VIDEO_ADD,
    VIDEO_SUB,
    VIDEO_ABSDIFF,
    VIDEO_MIN,
    VIDEO_MAX,
    VIDEO_SHL,
    VIDEO_SHR
};
enum video_second { VIDEO_NONE, VIDEO_THEN_ADD, VIDEO_THEN_MIN, VIDEO_THEN_MAX };

/* Part 0: the word; 1 and 2: its halves; 3 to 6: its bytes. */
static int64_t video_part(unsigned word, unsigned part, bool is_signed) {
    const unsigned bits = part ? part < 3 ? 16 : 8 : 32,
                   at = part ? (part < 3 ? part - 1 : part - 3) * bits : 0;
    const int value = part_from(word, at, bits, is_signed);
    return is_signed ? value : (int64_t)(uint32_t)value;
}

static int64_t video_first(unsigned operation, int64_t x, int64_t y, bool clamps) {
    const uint64_t by = (uint64_t)y & UINT32_MAX, shift = clamps ? (by > 32 ? 32 : by) : by & 31;
    switch (operation) {
    case VIDEO_ADD: return x + y;
    case VIDEO_SUB: return x - y;
    case VIDEO_ABSDIFF: return x < y ? y - x : x - y;
    case VIDEO_MIN: return x < y ? x : y;
    case VIDEO_MAX: return x < y ? y : x;
    case VIDEO_SHL: return (int64_t)((uint64_t)x << shift);
    default: return x >> shift;
    }
}

static int64_t video_word(int64_t x, bool is_signed) {
    return is_signed ? (int64_t)(int32_t)(uint32_t)x : (int64_t)(uint32_t)x;
}

static unsigned video(unsigned a, unsigned b, unsigned c, unsigned how) {
    const bool result_signed = how >> 9 & 1;
    int64_t x = video_first(how & 7, video_part(a, how >> 10 & 7, how >> 7 & 1),
                            video_part(b, how >> 13 & 7, how >> 8 & 1), how >> 5 & 1);
    if (how >> 6 & 1) {
        const int64_t least = result_signed ? INT32_MIN : 0,
                      most = result_signed ? INT32_MAX : (int64_t)UINT32_MAX;
        x = x < least ? least : x > most ? most : x;
    }
    x = video_word(x, result_signed);
    const int64_t z = video_word(c, result_signed);
    switch (how >> 3 & 3) {
    case VIDEO_THEN_ADD: return (unsigned)x + c;
    case VIDEO_THEN_MIN: return (unsigned)(x < z ? x : z);
    case VIDEO_THEN_MAX: return (unsigned)(x < z ? z : x);
    default: return (unsigned)x;
    }
}

/* The special function unit gives the upper half of a double. */
static double high_half(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= ~(uint64_t)UINT32_MAX;
    memcpy(&x, &bits, sizeof bits);
    return x;
}

/* cvt.rna.tf32: ten bits of the fraction, rounded to nearest, ties away from 0. */
static unsigned rounded_to_tf32(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return x - x == 0 ? (bits + 0x1000) & ~UINT32_C(0x1fff) : bits;
}

/* CC.CF. Threads run one after another between two meetings; no value of it lives across one. */
static bool carry;

static uint64_t cut(uint64_t x, unsigned width) {
    return width == 64 ? x : x & UINT32_MAX;
}

static uint64_t carried(uint64_t a, uint64_t b, unsigned width, int flags) {
    const unsigned __int128 sum =
        (unsigned __int128)cut(a, width) + cut(b, width) + (flags & 1 && carry);
    carry = flags & 2 ? sum >> width & 1 : carry;
    return cut((uint64_t)sum, width);
}

static uint64_t borrowed(uint64_t a, uint64_t b, unsigned width, int flags) {
    const unsigned __int128 rest =
        (unsigned __int128)cut(a, width) - cut(b, width) - (flags & 1 && carry);
    carry = flags & 2 ? rest >> width & 1 : carry;
    return cut((uint64_t)rest, width);
}

#define WARPMEM_CARRY(cost, type, name, parameters, value) \
    WARPMEM_FUNCTION(cost, type, name, parameters, (type)(value))
#include "include/warpmem_ptx_list.h"

/* %globaltimer, in nanoseconds: a step of a GPU's, a microsecond, at each reading. */
unsigned long long __wm_clock_global(void);
unsigned long long __wm_clock_global(void) {
    return 1000 * (unsigned long long)++device_clock;
}

/* Special registers. CTAs take the multiprocessors in turns. */
unsigned __wm_sreg_of_ptx(unsigned number);
unsigned __wm_sreg_of_ptx(unsigned number) {
    const struct size3 t = running.thread, b = running.block;
    const unsigned threads = b.x * b.y * b.z, own = t.x + b.x * (t.y + b.y * t.z), lane = own % 32,
                   below = (1U << lane) - 1;
    const unsigned values[] = {lane,
                               own / 32,
                               (threads + 31) / 32,
                               launch_cta() % WARPMEM_CORES,
                               WARPMEM_CORES,
                               1U << lane,
                               below | 1U << lane,
                               below,
                               ~below,
                               ~below & ~(1U << lane)};
    return values[number];
}
