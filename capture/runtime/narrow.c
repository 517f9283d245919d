/* SPDX-License-Identifier: Apache-2.0
 *
 * Half precision and bfloat16: values of 16 bits, one or two in a word.
 */
#define _GNU_SOURCE
#include <math.h>
#include <string.h>

#include "runtime/listed.h"
#include "runtime/whole.h"

enum rounding_mode { ROUND_rn, ROUND_rz, ROUND_ru, ROUND_rd };

/* A format: bits of the fraction, the least exponent of normal numbers, the bits of infinity. */
struct narrow_format {
    int fraction, least;
    unsigned infinity;
};
static const struct narrow_format format_h = {10, -14, 0x7c00}, format_b = {7, -126, 0x7f80};

static double widened(unsigned bits, struct narrow_format f) {
    const unsigned one = 1U << f.fraction, exponent = (bits & 0x7fff) / one,
                   rest = bits & (one - 1);
    const double magnitude = (bits & 0x7fff) >= f.infinity ? (rest ? NAN : HUGE_VAL)
                             : exponent
                                 ? ldexp(one + rest, f.least + (int)exponent - 1 - f.fraction)
                                 : ldexp(rest, f.least - f.fraction);
    return bits & 0x8000 ? -magnitude : magnitude;
}

static unsigned narrowed_magnitude(double v, struct narrow_format f, bool nearest, bool up) {
    int exponent;
    frexp(v, &exponent);
    exponent = v == 0 || exponent - 1 < f.least ? f.least : exponent - 1;
    const double scaled = ldexp(v, f.fraction - exponent);
    const unsigned whole = (unsigned)scaled;
    const double rest = scaled - whole;
    const unsigned rounded =
        whole + (nearest ? rest > 0.5 || (rest == 0.5 && whole % 2) : up && rest > 0);
    /* A carry out of the fraction goes into the exponent. */
    const double bits = rounded + (exponent - f.least) * ldexp(1, f.fraction);
    return bits < f.infinity ? (unsigned)bits : nearest || up ? f.infinity : f.infinity - 1;
}

static unsigned narrowed(double v, struct narrow_format f, enum rounding_mode mode) {
    const bool negative = signbit(v), up = negative ? mode == ROUND_rd : mode == ROUND_ru;
    if (v != v) {
        return 0x7fff;
    }
    return (negative ? 0x8000U : 0) |
           (isinf(v) ? f.infinity : narrowed_magnitude(fabs(v), f, mode == ROUND_rn, up));
}

/* A sum whose last bit tells whether something is missing, so that a second rounding is right. */
static double sum_of(double x, double y) {
    const double sum = x + y, of_y = sum - x, missing = (x - (sum - of_y)) + (y - of_y);
    uint64_t bits;
    if (!isfinite(sum) || missing == 0) {
        return sum;
    }
    memcpy(&bits, &sum, sizeof bits);
    if (!(bits & 1)) {
        bits += (missing > 0) == (sum > 0) ? 1 : -UINT64_C(1);
    }
    double odd;
    memcpy(&odd, &bits, sizeof odd);
    return odd;
}

static double saturated(double v) {
    return v > 0 ? (v < 1 ? v : 1) : 0;
}

static double not_below_0(double v) {
    return v < 0 ? 0 : v;
}

/* An integer as a double with an odd last bit where it has more bits. */
static double from_unsigned(uint64_t v) {
    return v >> 53 ? sum_of((double)(v >> 32) * 4294967296.0, (double)(v & UINT32_MAX)) : (double)v;
}

static double from_signed(int64_t v) {
    return v < 0 ? -from_unsigned(0 - (uint64_t)v) : from_unsigned((uint64_t)v);
}

#define VALUE_OF(v) \
    _Generic((v), float \
             : (double)(v), unsigned long long \
             : from_unsigned((uint64_t)(v)), default \
             : from_signed((int64_t)(v)))

/* A function's @value for one, and for the two of a word. */
#define LANE(s, name, value) \
    static unsigned value_of_##name##_##s(unsigned a, unsigned b, unsigned c) { \
        const double x = widened(a, format_##s), y = widened(b, format_##s), \
                     z = widened(c, format_##s); \
        (void)x, (void)y, (void)z; \
        return narrowed(value, format_##s, ROUND_rn); \
    }
#define BOTH_LANES(lane, a, b, c) \
    (lane((a)&0xffff, (b)&0xffff, (c)&0xffff) | lane((a) >> 16, (b) >> 16, (c) >> 16) << 16)
#define OF(s, cost, cost2, name, name2, parameters, b, c, value) \
    LANE(s, name, value) \
    WARPMEM_FUNCTION(cost, unsigned, name##_##s, parameters, value_of_##name##_##s(a, b, c)) \
    WARPMEM_FUNCTION(cost2, unsigned, name2##_##s, parameters, \
                     BOTH_LANES(value_of_##name##_##s, a, b, c))
#define WARPMEM_OF_1(cost, cost2, name, name2, value) \
    OF(h, cost, cost2, name, name2, (unsigned a), 0U, 0U, value) \
    OF(b, cost, cost2, name, name2, (unsigned a), 0U, 0U, value)
#define WARPMEM_OF_2(cost, cost2, name, name2, value) \
    OF(h, cost, cost2, name, name2, (unsigned a, unsigned b), b, 0U, value) \
    OF(b, cost, cost2, name, name2, (unsigned a, unsigned b), b, 0U, value)
#define WARPMEM_OF_3(cost, cost2, name, name2, value) \
    OF(h, cost, cost2, name, name2, (unsigned a, unsigned b, unsigned c), b, c, value) \
    OF(b, cost, cost2, name, name2, (unsigned a, unsigned b, unsigned c), b, c, value)

/* A comparison: of one, of two as 1 or 0 and as masks, and whether both are true. */
#define RELATION(s, name, one, relation) \
    static unsigned is_##name##_##s(unsigned a, unsigned b) { \
        const double x = widened(a, format_##s), y = widened(b, format_##s); \
        return relation; \
    } \
    WARPMEM_FUNCTION(fadd1, bool, __h##name##_##s, (unsigned a, unsigned b), \
                     is_##name##_##s(a, b)) \
    static unsigned which_##name##_##s(unsigned a, unsigned b) { \
        return is_##name##_##s(a & 0xffff, b & 0xffff) | is_##name##_##s(a >> 16, b >> 16) << 16; \
    } \
    WARPMEM_FUNCTION(fadd1, unsigned, __h##name##2_##s, (unsigned a, unsigned b), \
                     which_##name##_##s(a, b) * (one)) \
    WARPMEM_FUNCTION(fadd1, unsigned, __h##name##2_mask_##s, (unsigned a, unsigned b), \
                     which_##name##_##s(a, b) * 0xffffU) \
    WARPMEM_FUNCTION(fadd1, bool, __hb##name##2_##s, (unsigned a, unsigned b), \
                     which_##name##_##s(a, b) == 0x10001U)
#define WARPMEM_COMPARED(name, relation) \
    RELATION(h, name, 0x3c00U, relation) \
    RELATION(b, name, 0x3f80U, relation) \
    RELATION(h, name##u, 0x3c00U, (relation) || x != x || y != y) \
    RELATION(b, name##u, 0x3f80U, (relation) || x != x || y != y)

#define TO_BY(s, name, type, bits, is_signed, mode, round) \
    WARPMEM_FUNCTION(fadd1, type, to_##name##_##mode##_##s, (unsigned a), \
                     (type)whole_of(round(widened(a, format_##s)), bits, is_signed, (bits) > 32))
#define TO_IN(s, name, type, bits, is_signed) \
    TO_BY(s, name, type, bits, is_signed, rn, rint) \
    TO_BY(s, name, type, bits, is_signed, rz, trunc) \
    TO_BY(s, name, type, bits, is_signed, ru, ceil) \
    TO_BY(s, name, type, bits, is_signed, rd, floor)
#define WARPMEM_TO(name, type, bits, is_signed) \
    TO_IN(h, name, type, bits, is_signed) TO_IN(b, name, type, bits, is_signed)
#define FROM_BY(s, name, type, mode) \
    WARPMEM_FUNCTION(fadd1, unsigned, from_##name##_##mode##_##s, (type v), \
                     narrowed(VALUE_OF(v), format_##s, ROUND_##mode))
#define FROM_IN(s, name, type) \
    FROM_BY(s, name, type, rn) \
    FROM_BY(s, name, type, rz) \
    FROM_BY(s, name, type, ru) \
    FROM_BY(s, name, type, rd)
#define WARPMEM_FROM(name, type) FROM_IN(h, name, type) FROM_IN(b, name, type)
#include "include/warpmem_narrow_list.h"

/* The others; and a b + c of complex numbers, in two multiply-adds. */
#define OTHERS(s) \
    WARPMEM_FUNCTION(fadd1, float, to_float_##s, (unsigned a), \
                     (float)widened(a & 0xffff, format_##s)) \
    WARPMEM_FUNCTION(fadd1, unsigned, from_double_##s, (double v), \
                     narrowed(v, format_##s, ROUND_rn)) \
    WARPMEM_FUNCTION(fma2, unsigned, complex_product_##s, (unsigned a, unsigned b, unsigned c), \
                     __wm_fma1___hfma2_##s(a >> 16 | (a & 0xffff0000U), \
                                           (b << 16 | b >> 16) ^ 0x8000U, \
                                           __wm_fma1___hfma2_##s((a & 0xffff) | a << 16, b, c))) \
    unsigned __wm_atomic_half_add_##s(uint16_t *p, unsigned v); \
    unsigned __wm_atomic_half_add_##s(uint16_t *p, unsigned v) { \
        const unsigned old = *p; \
        *p = (uint16_t)__wm_fadd1___hadd_##s(old, v); \
        return old; \
    } \
    unsigned __wm_atomic_add2_##s(unsigned *p, unsigned v); \
    unsigned __wm_atomic_add2_##s(unsigned *p, unsigned v) { \
        const unsigned old = *p; \
        *p = __wm_fadd1___hadd2_##s(old, v); \
        return old; \
    }
OTHERS(h)
OTHERS(b)
