/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/matrix.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "kernel/insn.h"
#include "runtime/capture.h"
#include "runtime/meeting.h"

/* Numbers of include/warpmem_matrix.h. */
enum matrix_type {
    MATRIX_HALF,
    MATRIX_BFLOAT,
    MATRIX_TF32,
    MATRIX_SIGNED,
    MATRIX_UNSIGNED,
    MATRIX_DOUBLE
};

typedef int words4 __attribute__((vector_size(16)));

/* A lane's operands. @k: columns of A; A has 16 rows, of doubles 8, B has 8 columns. */
static struct operands {
    unsigned type, type_of_b, k;
    bool half_sums, saturates;
    uint32_t a[4], b[2];
    union {
        uint32_t word[4];
        int32_t whole[4];
        float real[4];
        uint16_t half[4];
        double wide[2];
    } sum;
} given[WARP_SIZE], made[WARP_SIZE];

static unsigned bits_of(unsigned type) {
    static const unsigned bits[] = {16, 16, 32, 8, 8, 64};
    return bits[type];
}

/* A number of 16 bits. */
static double value_of_narrow(uint32_t code, bool half) {
    const int fraction_bits = half ? 10 : 7, least = half ? -14 : -126;
    const unsigned most = 0x7fffU >> fraction_bits, exponent = code >> fraction_bits & most,
                   fraction = code & ((1U << fraction_bits) - 1);
    double value;
    if (exponent == most) {
        value = fraction ? NAN : INFINITY;
    } else {
        const unsigned whole = exponent ? fraction | 1U << fraction_bits : fraction;
        value = ldexp(whole, least - fraction_bits + (exponent ? (int)exponent - 1 : 0));
    }
    return code >> 15 & 1 ? -value : value;
}

static uint16_t half_of_value(double x) {
    const uint16_t sign = signbit(x) ? 0x8000 : 0;
    const double magnitude = fabs(x);
    int exponent;
    if (x != x) {
        return 0x7fff;
    }
    if (magnitude >= 65520) { /* half-way from the largest number to what would be the next */
        return sign | 0x7c00;
    }
    frexp(magnitude, &exponent);
    exponent = magnitude == 0 || exponent < -13 ? -13 : exponent;
    const double whole = rint(ldexp(magnitude, 11 - exponent)); /* of the last bit's unit */
    return (uint16_t)(sign | (unsigned)((exponent + 13) * 1024 + (int)whole));
}

/* An element of a lane's registers, from bit @at on. */
static double element_of(const uint32_t *words, unsigned element, unsigned type) {
    const unsigned bits = bits_of(type), at = element * bits;
    if (type == MATRIX_DOUBLE) {
        double x;
        memcpy(&x, words, sizeof x);
        return x;
    }
    const uint32_t word = words[at / 32] >> at % 32;
    float real;
    switch (type) {
    case MATRIX_TF32: {
        const uint32_t cut = word & ~UINT32_C(0x1fff); /* the hardware does not read the rest */
        memcpy(&real, &cut, sizeof real);
        return (double)real;
    }
    case MATRIX_SIGNED: return (int8_t)word;
    case MATRIX_UNSIGNED: return (uint8_t)word;
    default: return value_of_narrow(word & 0xffff, type == MATRIX_HALF);
    }
}

/* A register has neighbours in k; four lanes stand beside each other, eight rows below. */
static double element_of_a(unsigned row, unsigned k, unsigned type) {
    const unsigned each = type == MATRIX_DOUBLE ? 1 : 32 / bits_of(type);
    const unsigned lane = row % 8 * 4 + k / each % 4, reg = row / 8 + k / (4 * each) * 2;
    return element_of(given[lane].a, reg * each + k % each, type);
}

static double element_of_b(unsigned k, unsigned column, unsigned type) {
    const unsigned each = type == MATRIX_DOUBLE ? 1 : 32 / bits_of(type);
    const unsigned lane = column * 4 + k / each % 4, reg = k / (4 * each);
    return element_of(given[lane].b, reg * each + k % each, type);
}

void matrix_multiply(unsigned lane) {
    const struct operands *own = &given[lane];
    struct operands *to = &made[lane];
    *to = *own;
    for (unsigned i = 0; i < (own->type == MATRIX_DOUBLE ? 2 : 4); i++) {
        const unsigned row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
        double sum = 0;
        for (unsigned k = 0; k < own->k; k++) {
            sum += element_of_a(row, k, own->type) * element_of_b(k, column, own->type_of_b);
        }
        if (own->type == MATRIX_DOUBLE) {
            to->sum.wide[i] = own->sum.wide[i] + sum;
        } else if (own->type == MATRIX_SIGNED || own->type == MATRIX_UNSIGNED) {
            const int64_t whole = own->sum.whole[i] + (int64_t)sum;
            const int64_t clamped = whole < INT32_MIN   ? INT32_MIN
                                    : whole > INT32_MAX ? INT32_MAX
                                                        : whole;
            to->sum.word[i] = (uint32_t)(own->saturates ? clamped : whole);
        } else if (own->half_sums) {
            to->sum.half[i] = half_of_value(value_of_narrow(own->sum.half[i], true) + sum);
        } else {
            to->sum.real[i] = (float)((double)own->sum.real[i] + sum);
        }
    }
}

/* @code: the type of A; from bit 4 on that of B; from bit 8 on k; bit 16: sums of half precision;
 * bit 17: integers saturate. */
#define MULTIPLY(unit) \
    words4 __wm_meet_matrix_##unit(unsigned code, unsigned a0, unsigned a1, unsigned a2, \
                                   unsigned a3, unsigned b0, unsigned b1, words4 c); \
    words4 __wm_meet_matrix_##unit(unsigned code, unsigned a0, unsigned a1, unsigned a2, \
                                   unsigned a3, unsigned b0, unsigned b1, words4 c) { \
        const unsigned lane = launch_lane(); \
        struct operands *o = &given[lane]; \
        *o = (struct operands){.type = code & 15, \
                               .type_of_b = code >> 4 & 15, \
                               .k = code >> 8 & 255, \
                               .half_sums = code >> 16 & 1, \
                               .saturates = code >> 17 & 1, \
                               .a = {a0, a1, a2, a3}, \
                               .b = {b0, b1}}; \
        memcpy(&o->sum, &c, sizeof o->sum); \
        meeting_of_matrices(false); \
        memcpy(&c, &made[lane].sum, sizeof c); \
        return c; \
    }
MULTIPLY(real)
MULTIPLY(integer)
MULTIPLY(double)

/* ldmatrix: lanes 8 i to 8 i + 7 have loaded the rows of matrix i, of eight halves each. Section
 * 9.7.13.4.15. */
static struct rows {
    uint16_t half[8];
    unsigned matrices;
    bool turned;
} loaded[WARP_SIZE];
static uint32_t registers[WARP_SIZE][4];

void matrix_distribute(unsigned lane) {
    const struct rows *own = &loaded[lane];
    for (unsigned i = 0; i < 4; i++) {
        const struct rows *of = &loaded[8 * i];
        const unsigned line = lane / 4, at = lane % 4 * 2;
        const uint32_t low = own->turned ? of[at].half[line] : of[line].half[at],
                       high = own->turned ? of[at + 1].half[line] : of[line].half[at + 1];
        registers[lane][i] = i < own->matrices ? high << 16 | low : 0;
    }
}

/* @how: the number of matrices; bit 3: their columns instead of rows. */
words4 __wm_same_rows(words4 row, unsigned how);
words4 __wm_same_rows(words4 row, unsigned how) {
    const unsigned lane = launch_lane();
    memcpy(loaded[lane].half, &row, sizeof row);
    loaded[lane].matrices = how & 7;
    loaded[lane].turned = how >> 3;
    meeting_of_matrices(true);
    memcpy(&row, registers[lane], sizeof row);
    return row;
}
