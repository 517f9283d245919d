/* SPDX-License-Identifier: Apache-2.0
 *
 * A type of 16 bits, its vector of two and their functions: cuda_fp16.h and cuda_bf16.h include it
 * with WARPMEM_NARROW (the type), _NARROW2 (its vector), _NARROW_RAW, _NARROW2_RAW, _NARROW_WORD
 * and _NARROW2_WORD (their names in functions' names) and _NARROW_S (the end of the runtime's
 * names).
 */
#define WARPMEM_NARROW_PASTE_(a, b, c) a##b##c
#define WARPMEM_NARROW_PASTE(a, b, c) WARPMEM_NARROW_PASTE_(a, b, c)
#define WARPMEM_NARROW_NAME(cost, name) \
    WARPMEM_NARROW_PASTE(__wm_##cost##_, name##_, WARPMEM_NARROW_S)
#define WARPMEM_NARROW_DECLARE(type, cost, name, parameters) \
    extern "C" WARPMEM_ON_BOTH type WARPMEM_NARROW_NAME(cost, name) parameters;

WARPMEM_NARROW_DECLARE(float, fadd1, to_float, (unsigned))
WARPMEM_NARROW_DECLARE(unsigned, fadd1, from_double, (double))
WARPMEM_NARROW_DECLARE(unsigned, fma2, complex_product, (unsigned, unsigned, unsigned))
#define WARPMEM_TO(name, type, bits, is_signed) \
    WARPMEM_NARROW_DECLARE(type, fadd1, to_##name##_rn, (unsigned)) \
    WARPMEM_NARROW_DECLARE(type, fadd1, to_##name##_rz, (unsigned)) \
    WARPMEM_NARROW_DECLARE(type, fadd1, to_##name##_ru, (unsigned)) \
    WARPMEM_NARROW_DECLARE(type, fadd1, to_##name##_rd, (unsigned))
#define WARPMEM_FROM(name, type) \
    WARPMEM_NARROW_DECLARE(unsigned, fadd1, from_##name##_rn, (type)) \
    WARPMEM_NARROW_DECLARE(unsigned, fadd1, from_##name##_rz, (type)) \
    WARPMEM_NARROW_DECLARE(unsigned, fadd1, from_##name##_ru, (type)) \
    WARPMEM_NARROW_DECLARE(unsigned, fadd1, from_##name##_rd, (type))
#define WARPMEM_OF_1(cost, cost2, name, name2, value) \
    WARPMEM_NARROW_DECLARE(unsigned, cost, name, (unsigned)) \
    WARPMEM_NARROW_DECLARE(unsigned, cost2, name2, (unsigned))
#define WARPMEM_OF_2(cost, cost2, name, name2, value) \
    WARPMEM_NARROW_DECLARE(unsigned, cost, name, (unsigned, unsigned)) \
    WARPMEM_NARROW_DECLARE(unsigned, cost2, name2, (unsigned, unsigned))
#define WARPMEM_OF_3(cost, cost2, name, name2, value) \
    WARPMEM_NARROW_DECLARE(unsigned, cost, name, (unsigned, unsigned, unsigned)) \
    WARPMEM_NARROW_DECLARE(unsigned, cost2, name2, (unsigned, unsigned, unsigned))
#define WARPMEM_COMPARED(name, relation) \
    WARPMEM_NARROW_DECLARE(bool, fadd1, __h##name, (unsigned, unsigned)) \
    WARPMEM_NARROW_DECLARE(bool, fadd1, __h##name##u, (unsigned, unsigned)) \
    WARPMEM_NARROW_DECLARE(unsigned, fadd1, __h##name##2, (unsigned, unsigned)) \
    WARPMEM_NARROW_DECLARE(unsigned, fadd1, __h##name##u2, (unsigned, unsigned)) \
    WARPMEM_NARROW_DECLARE(unsigned, fadd1, __h##name##2_mask, (unsigned, unsigned)) \
    WARPMEM_NARROW_DECLARE(unsigned, fadd1, __h##name##u2_mask, (unsigned, unsigned)) \
    WARPMEM_NARROW_DECLARE(bool, fadd1, __hb##name##2, (unsigned, unsigned)) \
    WARPMEM_NARROW_DECLARE(bool, fadd1, __hb##name##u2, (unsigned, unsigned))
#include "warpmem_narrow_list.h"
#undef WARPMEM_TO
#undef WARPMEM_FROM
#undef WARPMEM_OF_1
#undef WARPMEM_OF_2
#undef WARPMEM_OF_3
#undef WARPMEM_COMPARED

struct WARPMEM_NARROW_RAW {
    unsigned short x;
};
struct __align__(4) WARPMEM_NARROW2_RAW {
    unsigned short x, y;
};

struct __align__(2) WARPMEM_NARROW {
    unsigned short __x;
    WARPMEM_NARROW() = default;
    WARPMEM_MEMBER WARPMEM_NARROW(WARPMEM_NARROW_RAW raw) : __x(raw.x) {}
    /* From the other type of 16 bits. */
    typedef int __wm_is_narrow;
    template <class T, class = typename T::__wm_is_narrow>
    WARPMEM_MEMBER explicit WARPMEM_NARROW(T v) : WARPMEM_NARROW((float)v) {}
    WARPMEM_MEMBER operator WARPMEM_NARROW_RAW() const {
        return WARPMEM_NARROW_RAW{__x};
    }
    WARPMEM_MEMBER operator float() const {
        return WARPMEM_NARROW_NAME(fadd1, to_float)(__x);
    }
    WARPMEM_MEMBER operator bool() const {
        return (__x & 0x7fff) != 0;
    }
#define WARPMEM_NARROW_FROM(type, function) \
    WARPMEM_MEMBER WARPMEM_NARROW(type v) \
        : __x((unsigned short)WARPMEM_NARROW_NAME(fadd1, function)(v)) {} \
    WARPMEM_MEMBER WARPMEM_NARROW &operator=(type v) { \
        __x = (unsigned short)WARPMEM_NARROW_NAME(fadd1, function)(v); \
        return *this; \
    }
    WARPMEM_NARROW_FROM(float, from_float_rn)
    WARPMEM_NARROW_FROM(double, from_double)
    WARPMEM_NARROW_FROM(short, from_short_rn)
    WARPMEM_NARROW_FROM(unsigned short, from_ushort_rn)
    WARPMEM_NARROW_FROM(int, from_int_rn)
    WARPMEM_NARROW_FROM(unsigned, from_uint_rn)
    WARPMEM_NARROW_FROM(long, from_ll_rn)
    WARPMEM_NARROW_FROM(unsigned long, from_ull_rn)
    WARPMEM_NARROW_FROM(long long, from_ll_rn)
    WARPMEM_NARROW_FROM(unsigned long long, from_ull_rn)
#undef WARPMEM_NARROW_FROM
#define WARPMEM_NARROW_TO(type, function) \
    WARPMEM_MEMBER operator type() const { \
        return (type)WARPMEM_NARROW_NAME(fadd1, function)(__x); \
    }
    WARPMEM_NARROW_TO(signed char, to_short_rz)
    WARPMEM_NARROW_TO(unsigned char, to_ushort_rz)
    WARPMEM_NARROW_TO(char, to_short_rz)
    WARPMEM_NARROW_TO(short, to_short_rz)
    WARPMEM_NARROW_TO(unsigned short, to_ushort_rz)
    WARPMEM_NARROW_TO(int, to_int_rz)
    WARPMEM_NARROW_TO(unsigned, to_uint_rz)
    WARPMEM_NARROW_TO(long, to_ll_rz)
    WARPMEM_NARROW_TO(unsigned long, to_ull_rz)
    WARPMEM_NARROW_TO(long long, to_ll_rz)
    WARPMEM_NARROW_TO(unsigned long long, to_ull_rz)
#undef WARPMEM_NARROW_TO
};

struct __align__(4) WARPMEM_NARROW2 {
    WARPMEM_NARROW x, y;
    WARPMEM_NARROW2() = default;
    WARPMEM_MEMBER WARPMEM_NARROW2(const WARPMEM_NARROW &a, const WARPMEM_NARROW &b) : x(a), y(b) {}
    WARPMEM_MEMBER WARPMEM_NARROW2(WARPMEM_NARROW2_RAW raw)
        : x(WARPMEM_NARROW_RAW{raw.x}), y(WARPMEM_NARROW_RAW{raw.y}) {}
    WARPMEM_MEMBER operator WARPMEM_NARROW2_RAW() const {
        return WARPMEM_NARROW2_RAW{x.__x, y.__x};
    }
};

/* Bits, and two of them chosen as PTX's prmt does. */
#define WARPMEM_NARROW_OF(bits) __builtin_bit_cast(WARPMEM_NARROW, (unsigned short)(bits))
#define WARPMEM_NARROW2_OF(bits) __builtin_bit_cast(WARPMEM_NARROW2, (unsigned)(bits))
#define WARPMEM_NARROW_BITS(v) ((unsigned)__builtin_bit_cast(unsigned short, v))
#define WARPMEM_NARROW2_BITS(v) __builtin_bit_cast(unsigned, v)
#define WARPMEM_NARROW2_CHOSEN(a, b, by) WARPMEM_NARROW2_OF(__wm_int1___byte_perm(a, b, by))

#define WARPMEM_OF_1(cost, cost2, name, name2, value) \
    WARPMEM_BOTH WARPMEM_NARROW name(WARPMEM_NARROW a) { \
        return WARPMEM_NARROW_OF(WARPMEM_NARROW_NAME(cost, name)(WARPMEM_NARROW_BITS(a))); \
    } \
    WARPMEM_BOTH WARPMEM_NARROW2 name2(WARPMEM_NARROW2 a) { \
        return WARPMEM_NARROW2_OF(WARPMEM_NARROW_NAME(cost2, name2)(WARPMEM_NARROW2_BITS(a))); \
    }
#define WARPMEM_OF_2(cost, cost2, name, name2, value) \
    WARPMEM_BOTH WARPMEM_NARROW name(WARPMEM_NARROW a, WARPMEM_NARROW b) { \
        return WARPMEM_NARROW_OF( \
            WARPMEM_NARROW_NAME(cost, name)(WARPMEM_NARROW_BITS(a), WARPMEM_NARROW_BITS(b))); \
    } \
    WARPMEM_BOTH WARPMEM_NARROW2 name2(WARPMEM_NARROW2 a, WARPMEM_NARROW2 b) { \
        return WARPMEM_NARROW2_OF( \
            WARPMEM_NARROW_NAME(cost2, name2)(WARPMEM_NARROW2_BITS(a), WARPMEM_NARROW2_BITS(b))); \
    }
#define WARPMEM_OF_3(cost, cost2, name, name2, value) \
    WARPMEM_BOTH WARPMEM_NARROW name(WARPMEM_NARROW a, WARPMEM_NARROW b, WARPMEM_NARROW c) { \
        return WARPMEM_NARROW_OF(WARPMEM_NARROW_NAME(cost, name)( \
            WARPMEM_NARROW_BITS(a), WARPMEM_NARROW_BITS(b), WARPMEM_NARROW_BITS(c))); \
    } \
    WARPMEM_BOTH WARPMEM_NARROW2 name2(WARPMEM_NARROW2 a, WARPMEM_NARROW2 b, WARPMEM_NARROW2 c) { \
        return WARPMEM_NARROW2_OF(WARPMEM_NARROW_NAME(cost2, name2)( \
            WARPMEM_NARROW2_BITS(a), WARPMEM_NARROW2_BITS(b), WARPMEM_NARROW2_BITS(c))); \
    }
#define WARPMEM_NARROW_COMPARED(name) \
    WARPMEM_BOTH bool __h##name(WARPMEM_NARROW a, WARPMEM_NARROW b) { \
        return WARPMEM_NARROW_NAME(fadd1, __h##name)(WARPMEM_NARROW_BITS(a), \
                                                     WARPMEM_NARROW_BITS(b)); \
    } \
    WARPMEM_BOTH bool __hb##name##2(WARPMEM_NARROW2 a, WARPMEM_NARROW2 b) { \
        return WARPMEM_NARROW_NAME(fadd1, __hb##name##2)(WARPMEM_NARROW2_BITS(a), \
                                                         WARPMEM_NARROW2_BITS(b)); \
    } \
    WARPMEM_BOTH WARPMEM_NARROW2 __h##name##2(WARPMEM_NARROW2 a, WARPMEM_NARROW2 b) { \
        return WARPMEM_NARROW2_OF(WARPMEM_NARROW_NAME(fadd1, __h##name##2)( \
            WARPMEM_NARROW2_BITS(a), WARPMEM_NARROW2_BITS(b))); \
    } \
    WARPMEM_BOTH unsigned __h##name##2_mask(WARPMEM_NARROW2 a, WARPMEM_NARROW2 b) { \
        return WARPMEM_NARROW_NAME(fadd1, __h##name##2_mask)(WARPMEM_NARROW2_BITS(a), \
                                                             WARPMEM_NARROW2_BITS(b)); \
    }
#define WARPMEM_COMPARED(name, relation) \
    WARPMEM_NARROW_COMPARED(name) WARPMEM_NARROW_COMPARED(name##u)
#define WARPMEM_NARROW_CAST_TO(name, type, mode) \
    WARPMEM_BOTH type WARPMEM_NARROW_PASTE(__, WARPMEM_NARROW_WORD, \
                                           2##name##mode)(WARPMEM_NARROW a) { \
        return WARPMEM_NARROW_NAME(fadd1, to_##name##mode)(WARPMEM_NARROW_BITS(a)); \
    }
#define WARPMEM_TO(name, type, bits, is_signed) \
    WARPMEM_NARROW_CAST_TO(name, type, _rn) \
    WARPMEM_NARROW_CAST_TO(name, type, _rz) \
    WARPMEM_NARROW_CAST_TO(name, type, _ru) \
    WARPMEM_NARROW_CAST_TO(name, type, _rd)
#define WARPMEM_NARROW_CAST_FROM(name, type, mode) \
    WARPMEM_BOTH WARPMEM_NARROW WARPMEM_NARROW_PASTE(__##name##2, WARPMEM_NARROW_WORD, \
                                                     mode)(type v) { \
        return WARPMEM_NARROW_OF(WARPMEM_NARROW_NAME(fadd1, from_##name##mode)(v)); \
    }
#define WARPMEM_FROM(name, type) \
    WARPMEM_NARROW_CAST_FROM(name, type, _rn) \
    WARPMEM_NARROW_CAST_FROM(name, type, _rz) \
    WARPMEM_NARROW_CAST_FROM(name, type, _ru) \
    WARPMEM_NARROW_CAST_FROM(name, type, _rd)
#include "warpmem_narrow_list.h"
#undef WARPMEM_OF_1
#undef WARPMEM_OF_2
#undef WARPMEM_OF_3
#undef WARPMEM_NARROW_COMPARED
#undef WARPMEM_COMPARED
#undef WARPMEM_NARROW_CAST_TO
#undef WARPMEM_TO
#undef WARPMEM_NARROW_CAST_FROM
#undef WARPMEM_FROM

WARPMEM_BOTH WARPMEM_NARROW WARPMEM_NARROW_PASTE(__float2, WARPMEM_NARROW_WORD, )(float v) {
    return WARPMEM_NARROW(v);
}
WARPMEM_BOTH WARPMEM_NARROW WARPMEM_NARROW_PASTE(__double2, WARPMEM_NARROW_WORD, )(double v) {
    return WARPMEM_NARROW(v);
}
WARPMEM_BOTH float WARPMEM_NARROW_PASTE(__, WARPMEM_NARROW_WORD, 2float)(WARPMEM_NARROW a) {
    return a;
}
WARPMEM_BOTH signed char WARPMEM_NARROW_PASTE(__, WARPMEM_NARROW_WORD, 2char_rz)(WARPMEM_NARROW a) {
    const short v = WARPMEM_NARROW_NAME(fadd1, to_short_rz)(a.__x);
    return (signed char)(v < -128 ? -128 : v > 127 ? 127 : v);
}
WARPMEM_BOTH unsigned char WARPMEM_NARROW_PASTE(__, WARPMEM_NARROW_WORD,
                                                2uchar_rz)(WARPMEM_NARROW a) {
    const unsigned short v = WARPMEM_NARROW_NAME(fadd1, to_ushort_rz)(a.__x);
    return (unsigned char)(v > 255 ? 255 : v);
}
WARPMEM_BOTH short WARPMEM_NARROW_PASTE(__, WARPMEM_NARROW_WORD, _as_short)(WARPMEM_NARROW a) {
    return (short)a.__x;
}
WARPMEM_BOTH unsigned short WARPMEM_NARROW_PASTE(__, WARPMEM_NARROW_WORD,
                                                 _as_ushort)(WARPMEM_NARROW a) {
    return a.__x;
}
WARPMEM_BOTH WARPMEM_NARROW WARPMEM_NARROW_PASTE(__short_as_, WARPMEM_NARROW_WORD, )(short v) {
    return WARPMEM_NARROW_OF(v);
}
WARPMEM_BOTH WARPMEM_NARROW WARPMEM_NARROW_PASTE(__ushort_as_,
                                                 WARPMEM_NARROW_WORD, )(unsigned short v) {
    return WARPMEM_NARROW_OF(v);
}
WARPMEM_BOTH bool __hisnan(WARPMEM_NARROW a) {
    return __hneu(a, a);
}
WARPMEM_BOTH WARPMEM_NARROW2 __hisnan2(WARPMEM_NARROW2 a) {
    return __hneu2(a, a);
}
WARPMEM_BOTH int __hisinf(WARPMEM_NARROW a) {
    const float v = a;
    return v == __builtin_inff() ? 1 : v == -__builtin_inff() ? -1 : 0;
}
WARPMEM_BOTH WARPMEM_NARROW2 __hcmadd(WARPMEM_NARROW2 a, WARPMEM_NARROW2 b, WARPMEM_NARROW2 c) {
    return WARPMEM_NARROW2_OF(WARPMEM_NARROW_NAME(fma2, complex_product)(
        WARPMEM_NARROW2_BITS(a), WARPMEM_NARROW2_BITS(b), WARPMEM_NARROW2_BITS(c)));
}

/* Two as one word. */
WARPMEM_BOTH WARPMEM_NARROW2 WARPMEM_NARROW_PASTE(__halves2,
                                                  WARPMEM_NARROW2_WORD, )(WARPMEM_NARROW a,
                                                                          WARPMEM_NARROW b) {
    return WARPMEM_NARROW2_CHOSEN(WARPMEM_NARROW_BITS(a), WARPMEM_NARROW_BITS(b), 0x5410);
}
WARPMEM_BOTH WARPMEM_NARROW2 WARPMEM_NARROW_PASTE(make_, WARPMEM_NARROW2_WORD, )(WARPMEM_NARROW a,
                                                                                 WARPMEM_NARROW b) {
    return WARPMEM_NARROW2_CHOSEN(WARPMEM_NARROW_BITS(a), WARPMEM_NARROW_BITS(b), 0x5410);
}
WARPMEM_BOTH WARPMEM_NARROW2 WARPMEM_NARROW_PASTE(__, WARPMEM_NARROW_WORD,
                                                  WARPMEM_NARROW_2_WORD)(WARPMEM_NARROW a) {
    return WARPMEM_NARROW2_CHOSEN(WARPMEM_NARROW_BITS(a), 0, 0x1010);
}
WARPMEM_BOTH WARPMEM_NARROW WARPMEM_NARROW_PASTE(__low2, WARPMEM_NARROW_WORD, )(WARPMEM_NARROW2 a) {
    return a.x;
}
WARPMEM_BOTH WARPMEM_NARROW WARPMEM_NARROW_PASTE(__high2,
                                                 WARPMEM_NARROW_WORD, )(WARPMEM_NARROW2 a) {
    return WARPMEM_NARROW_OF(__wm_int1___byte_perm(WARPMEM_NARROW2_BITS(a), 0, 0x4432));
}
WARPMEM_BOTH float __low2float(WARPMEM_NARROW2 a) {
    return a.x;
}
WARPMEM_BOTH float __high2float(WARPMEM_NARROW2 a) {
    return WARPMEM_NARROW_NAME(fadd1, to_float)(WARPMEM_NARROW2_BITS(a) >> 16);
}
#define WARPMEM_NARROW_MOVED(name, by) \
    WARPMEM_BOTH WARPMEM_NARROW2 WARPMEM_NARROW_PASTE(name, \
                                                      WARPMEM_NARROW2_WORD, )(WARPMEM_NARROW2 a) { \
        return WARPMEM_NARROW2_CHOSEN(WARPMEM_NARROW2_BITS(a), 0, by); \
    }
WARPMEM_NARROW_MOVED(__low2, 0x1010)
WARPMEM_NARROW_MOVED(__high2, 0x3232)
WARPMEM_BOTH WARPMEM_NARROW2 __lowhigh2highlow(WARPMEM_NARROW2 a) {
    return WARPMEM_NARROW2_CHOSEN(WARPMEM_NARROW2_BITS(a), 0, 0x1032);
}
WARPMEM_BOTH WARPMEM_NARROW2 WARPMEM_NARROW_PASTE(__lows2,
                                                  WARPMEM_NARROW2_WORD, )(WARPMEM_NARROW2 a,
                                                                          WARPMEM_NARROW2 b) {
    return WARPMEM_NARROW2_CHOSEN(WARPMEM_NARROW2_BITS(a), WARPMEM_NARROW2_BITS(b), 0x5410);
}
WARPMEM_BOTH WARPMEM_NARROW2 WARPMEM_NARROW_PASTE(__highs2,
                                                  WARPMEM_NARROW2_WORD, )(WARPMEM_NARROW2 a,
                                                                          WARPMEM_NARROW2 b) {
    return WARPMEM_NARROW2_CHOSEN(WARPMEM_NARROW2_BITS(a), WARPMEM_NARROW2_BITS(b), 0x7632);
}
WARPMEM_BOTH WARPMEM_NARROW2 WARPMEM_NARROW_PASTE(__floats2, WARPMEM_NARROW2_WORD, _rn)(float a,
                                                                                        float b) {
    return WARPMEM_NARROW2_CHOSEN(WARPMEM_NARROW_NAME(fadd1, from_float_rn)(a),
                                  WARPMEM_NARROW_NAME(fadd1, from_float_rn)(b), 0x5410);
}
WARPMEM_BOTH WARPMEM_NARROW2 WARPMEM_NARROW_PASTE(__float22, WARPMEM_NARROW2_WORD, _rn)(float2 v) {
    return WARPMEM_NARROW2_CHOSEN(WARPMEM_NARROW_NAME(fadd1, from_float_rn)(v.x),
                                  WARPMEM_NARROW_NAME(fadd1, from_float_rn)(v.y), 0x5410);
}
WARPMEM_BOTH WARPMEM_NARROW2 WARPMEM_NARROW_PASTE(__float2, WARPMEM_NARROW2_WORD, _rn)(float v) {
    return WARPMEM_NARROW2_CHOSEN(WARPMEM_NARROW_NAME(fadd1, from_float_rn)(v), 0, 0x1010);
}
WARPMEM_BOTH float2 WARPMEM_NARROW_PASTE(__, WARPMEM_NARROW2_WORD, 2float2)(WARPMEM_NARROW2 a) {
    return make_float2(__low2float(a), __high2float(a));
}

#define WARPMEM_NARROW_OPERATORS(type, two, division) \
    WARPMEM_BOTH type operator+(const type &a, const type &b) { \
        return __hadd##two(a, b); \
    } \
    WARPMEM_BOTH type operator-(const type &a, const type &b) { \
        return __hsub##two(a, b); \
    } \
    WARPMEM_BOTH type operator*(const type &a, const type &b) { \
        return __hmul##two(a, b); \
    } \
    WARPMEM_BOTH type operator/(const type &a, const type &b) { \
        return division(a, b); \
    } \
    WARPMEM_BOTH type operator+(const type &a) { \
        return a; \
    } \
    WARPMEM_BOTH type operator-(const type &a) { \
        return __hneg##two(a); \
    } \
    WARPMEM_BOTH type &operator+=(type &a, const type &b) { \
        return a = __hadd##two(a, b); \
    } \
    WARPMEM_BOTH type &operator-=(type &a, const type &b) { \
        return a = __hsub##two(a, b); \
    } \
    WARPMEM_BOTH type &operator*=(type &a, const type &b) { \
        return a = __hmul##two(a, b); \
    } \
    WARPMEM_BOTH type &operator/=(type &a, const type &b) { \
        return a = division(a, b); \
    }
#define WARPMEM_NARROW_RELATIONS(type, b, two) \
    WARPMEM_BOTH bool operator==(const type &a, const type &c) { \
        return __h##b##eq##two(a, c); \
    } \
    WARPMEM_BOTH bool operator!=(const type &a, const type &c) { \
        return __h##b##neu##two(a, c); \
    } \
    WARPMEM_BOTH bool operator<(const type &a, const type &c) { \
        return __h##b##lt##two(a, c); \
    } \
    WARPMEM_BOTH bool operator>(const type &a, const type &c) { \
        return __h##b##gt##two(a, c); \
    } \
    WARPMEM_BOTH bool operator<=(const type &a, const type &c) { \
        return __h##b##le##two(a, c); \
    } \
    WARPMEM_BOTH bool operator>=(const type &a, const type &c) { \
        return __h##b##ge##two(a, c); \
    }
WARPMEM_NARROW_OPERATORS(WARPMEM_NARROW, , __hdiv)
WARPMEM_NARROW_OPERATORS(WARPMEM_NARROW2, 2, __h2div)
WARPMEM_NARROW_RELATIONS(WARPMEM_NARROW, , )
WARPMEM_NARROW_RELATIONS(WARPMEM_NARROW2, b, 2)
WARPMEM_BOTH WARPMEM_NARROW &operator++(WARPMEM_NARROW &a) {
    return a = __hadd(a, WARPMEM_NARROW(1));
}
WARPMEM_BOTH WARPMEM_NARROW &operator--(WARPMEM_NARROW &a) {
    return a = __hsub(a, WARPMEM_NARROW(1));
}

#ifdef __CUDA__
extern "C" {
__device__ unsigned WARPMEM_NARROW_PASTE(__wm_atomic_half_add_,
                                         WARPMEM_NARROW_S, )(WARPMEM_NARROW *, unsigned);
__device__ unsigned WARPMEM_NARROW_PASTE(__wm_atomic_add2_, WARPMEM_NARROW_S, )(WARPMEM_NARROW2 *,
                                                                                unsigned);
}
WARPMEM_SCOPES(WARPMEM_NARROW, atomicAdd, (WARPMEM_NARROW * p, WARPMEM_NARROW v),
               WARPMEM_NARROW_OF(WARPMEM_NARROW_PASTE(__wm_atomic_half_add_,
                                                      WARPMEM_NARROW_S, )(p,
                                                                          WARPMEM_NARROW_BITS(v))))
WARPMEM_SCOPES(WARPMEM_NARROW2, atomicAdd, (WARPMEM_NARROW2 * p, WARPMEM_NARROW2 v),
               WARPMEM_NARROW2_OF(WARPMEM_NARROW_PASTE(__wm_atomic_add2_, WARPMEM_NARROW_S, )(
                   p, WARPMEM_NARROW2_BITS(v))))
#endif

#undef WARPMEM_NARROW
#undef WARPMEM_NARROW2
#undef WARPMEM_NARROW_RAW
#undef WARPMEM_NARROW2_RAW
#undef WARPMEM_NARROW_WORD
#undef WARPMEM_NARROW2_WORD
#undef WARPMEM_NARROW_2_WORD
#undef WARPMEM_NARROW_S
#undef WARPMEM_NARROW_PASTE
#undef WARPMEM_NARROW_PASTE_
#undef WARPMEM_NARROW_NAME
#undef WARPMEM_NARROW_DECLARE
#undef WARPMEM_NARROW_OF
#undef WARPMEM_NARROW2_OF
#undef WARPMEM_NARROW_BITS
#undef WARPMEM_NARROW2_BITS
#undef WARPMEM_NARROW2_CHOSEN
#undef WARPMEM_NARROW_MOVED
#undef WARPMEM_NARROW_OPERATORS
#undef WARPMEM_NARROW_RELATIONS
