/* SPDX-License-Identifier: Apache-2.0
 *
 * Complex numbers: float2 and double2, on host and device.
 */
#ifndef WARPMEM_CUCOMPLEX_H
#define WARPMEM_CUCOMPLEX_H

#include "warpmem_cuda.h"

/* @f: the suffix of the functions of floats. A quotient is computed with scaled operands. */
#define WARPMEM_COMPLEX(type, Name, real, f) \
    typedef type Name; \
    WARPMEM_BOTH Name make_##Name(real x, real y) { \
        return make_##type(x, y); \
    } \
    WARPMEM_BOTH real cuCreal##f(Name a) { \
        return a.x; \
    } \
    WARPMEM_BOTH real cuCimag##f(Name a) { \
        return a.y; \
    } \
    WARPMEM_BOTH Name cuConj##f(Name a) { \
        return make_##type(a.x, -a.y); \
    } \
    WARPMEM_BOTH Name cuCadd##f(Name a, Name b) { \
        return make_##type(a.x + b.x, a.y + b.y); \
    } \
    WARPMEM_BOTH Name cuCsub##f(Name a, Name b) { \
        return make_##type(a.x - b.x, a.y - b.y); \
    } \
    WARPMEM_BOTH Name cuCmul##f(Name a, Name b) { \
        return make_##type(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); \
    } \
    WARPMEM_BOTH Name cuCfma##f(Name a, Name b, Name c) { \
        return cuCadd##f(cuCmul##f(a, b), c); \
    } \
    WARPMEM_BOTH Name cuCdiv##f(Name a, Name b) { \
        const real scale = 1 / (fabs##f(b.x) + fabs##f(b.y)); \
        const Name p = make_##type(a.x * scale, a.y * scale), \
                   q = make_##type(b.x * scale, b.y * scale); \
        const real square = 1 / (q.x * q.x + q.y * q.y); \
        const Name product = cuCmul##f(p, cuConj##f(q)); \
        return make_##type(product.x * square, product.y * square); \
    } \
    WARPMEM_BOTH real cuCabs##f(Name a) { \
        return hypot##f(a.x, a.y); \
    }
WARPMEM_COMPLEX(float2, cuFloatComplex, float, f)
WARPMEM_COMPLEX(double2, cuDoubleComplex, double, )
#undef WARPMEM_COMPLEX
typedef cuFloatComplex cuComplex;
WARPMEM_BOTH cuComplex make_cuComplex(float x, float y) {
    return make_float2(x, y);
}
WARPMEM_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
    return make_double2(a.x, a.y);
}
WARPMEM_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
    return make_float2((float)a.x, (float)a.y);
}

#endif
