/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of 8 bits: E4M3 without infinities, whose largest number is 448, and E5M2, whose largest
 * is 57344. Source: CUDA Math API 12.4, FP8 intrinsics; Micikevicius et al., "FP8 formats for deep
 * learning", 2022.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Numbers of include/cuda_fp8.h. */
enum { FP8_E4M3, FP8_E5M2 };

struct format {
    int fraction_bits, least; /* least: the smallest normal number's exponent */
    unsigned most, infinity;  /* codes: the largest number, and what an overflow becomes */
};
static const struct format formats[] = {
    [FP8_E4M3] = {3, -6, 0x7e, 0x7f}, [FP8_E5M2] = {2, -14, 0x7b, 0x7c}};

static double value_of_code(unsigned code, const struct format *f) {
    const int exponent = (int)(code >> f->fraction_bits),
              fraction = (int)(code & ((1U << f->fraction_bits) - 1));
    return exponent ? ldexp(fraction + (1 << f->fraction_bits),
                            exponent - 1 + f->least - f->fraction_bits)
                    : ldexp(fraction, f->least - f->fraction_bits);
}

/* Rounded to nearest, ties to even. @how: the format; from bit 1 on: overflows become the largest
 * number. */
unsigned __wm_int16_fp8_code(double x, int how);
unsigned __wm_int16_fp8_code(double x, int how) {
    const struct format *f = &formats[how & 1];
    const unsigned sign = signbit(x) ? 0x80 : 0;
    const double magnitude = fabs(x);
    int exponent;
    if (x != x) {
        return 0x7f;
    }
    if (magnitude > 1e9) {
        return sign | (how & 2 ? f->most : f->infinity);
    }
    frexp(magnitude, &exponent);
    exponent = magnitude == 0 || exponent - 1 < f->least ? f->least + 1 : exponent;
    const double whole = rint(ldexp(magnitude, f->fraction_bits + 1 - exponent));
    const unsigned code = (unsigned)(((exponent - 1 - f->least) << f->fraction_bits) + (int)whole);
    return sign | (code <= f->most ? code : how & 2 ? f->most : f->infinity);
}

/* Each is a number of half precision: its code. */
unsigned __wm_int6_fp8_half(unsigned code, int format);
unsigned __wm_int6_fp8_half(unsigned code, int format) {
    const unsigned sign = (code & 0x80) << 8, magnitude = code & 0x7f;
    if (format == FP8_E5M2) {
        return magnitude > 0x7c ? 0x7fff : sign | magnitude << 8;
    }
    if (magnitude == 0x7f) {
        return 0x7fff;
    }
    const double value = value_of_code(magnitude, &formats[FP8_E4M3]);
    int exponent;
    frexp(value, &exponent);
    return magnitude ? sign | (unsigned)((exponent + 13) * 1024 + (int)ldexp(value, 11 - exponent))
                     : sign;
}
