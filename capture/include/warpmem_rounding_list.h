/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA's arithmetic and casts with a rounding mode in the name. WARPMEM_ROUNDED(cost, type, name,
 * parameters, value) stands for four functions, name_rn, _rz, _ru and _rd; _NEAREST for name_rn
 * alone; _WHOLE for casts to integers of a value that is rounded to one. _IN: a parameter's type.
 */
/* clang-format off */
#define WARPMEM_ARITHMETIC(f, type) \
    WARPMEM_ROUNDED(fadd1, type, __##f##add, (WARPMEM_IN(type) x, WARPMEM_IN(type) y), x + y) \
    WARPMEM_ROUNDED(fadd1, type, __##f##sub, (WARPMEM_IN(type) x, WARPMEM_IN(type) y), x - y) \
    WARPMEM_ROUNDED(fmul1, type, __##f##mul, (WARPMEM_IN(type) x, WARPMEM_IN(type) y), x * y) \
    WARPMEM_ROUNDED(fdiv1, type, __##f##div, (WARPMEM_IN(type) x, WARPMEM_IN(type) y), x / y) \
    WARPMEM_ROUNDED(fdiv1, type, __##f##rcp, (WARPMEM_IN(type) x), 1 / x) \
    WARPMEM_ROUNDED(sfu1, type, __##f##sqrt, (WARPMEM_IN(type) x), ROOT_##f(x))
WARPMEM_ARITHMETIC(f, float)
WARPMEM_ARITHMETIC(d, double)
#undef WARPMEM_ARITHMETIC
WARPMEM_ROUNDED(fma1, float, __fmaf, (WARPMEM_IN(float) x, WARPMEM_IN(float) y, WARPMEM_IN(float) z), fmaf(x, y, z))
WARPMEM_ROUNDED(fma1, float, __fmaf_ieee, (WARPMEM_IN(float) x, WARPMEM_IN(float) y, WARPMEM_IN(float) z), fmaf(x, y, z))
WARPMEM_ROUNDED(fma1, double, __fma, (WARPMEM_IN(double) x, WARPMEM_IN(double) y, WARPMEM_IN(double) z), fma(x, y, z))
WARPMEM_NEAREST(sfu1, float, __frsqrt, (WARPMEM_IN(float) x), (float)(1 / sqrt((double)x)))
WARPMEM_ROUNDED(fadd1, float, __double2float, (WARPMEM_IN(double) x), (float)x)
#define WARPMEM_FROM_INTEGER(name, type) \
    WARPMEM_ROUNDED(fadd1, float, __##name##2float, (WARPMEM_IN(type) x), (float)x)
WARPMEM_FROM_INTEGER(int, int)
WARPMEM_FROM_INTEGER(uint, unsigned)
WARPMEM_FROM_INTEGER(ll, long long)
WARPMEM_FROM_INTEGER(ull, unsigned long long)
#undef WARPMEM_FROM_INTEGER
WARPMEM_NEAREST(fadd1, double, __int2double, (WARPMEM_IN(int) x), (double)x)
WARPMEM_NEAREST(fadd1, double, __uint2double, (WARPMEM_IN(unsigned) x), (double)x)
WARPMEM_ROUNDED(fadd1, double, __ll2double, (WARPMEM_IN(long long) x), (double)x)
WARPMEM_ROUNDED(fadd1, double, __ull2double, (WARPMEM_IN(unsigned long long) x), (double)x)
#define WARPMEM_TO_INTEGER(from, cost) \
    WARPMEM_WHOLE(cost, int, __##from##2int, from, whole_of(x, 32, true, sizeof x > 4)) \
    WARPMEM_WHOLE(cost, unsigned, __##from##2uint, from, whole_of(x, 32, false, sizeof x > 4)) \
    WARPMEM_WHOLE(cost, long long, __##from##2ll, from, whole_of(x, 64, true, true)) \
    WARPMEM_WHOLE(cost, unsigned long long, __##from##2ull, from, whole_of(x, 64, false, true))
WARPMEM_TO_INTEGER(float, fadd1)
WARPMEM_TO_INTEGER(double, dadd1)
#undef WARPMEM_TO_INTEGER
