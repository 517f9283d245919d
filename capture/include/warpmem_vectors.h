/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector types: int2, float4, ..., and make_int2(), ...
 */
#ifndef WARPMEM_VECTORS_H
#define WARPMEM_VECTORS_H

#define WARPMEM_VECTORS(type, name, two, four) \
    struct name##1 { \
        type x; \
    }; \
    struct __attribute__((aligned(two))) name##2 { \
        type x, y; \
    }; \
    struct name##3 { \
        type x, y, z; \
    }; \
    struct __attribute__((aligned(four))) name##4 { \
        type x, y, z, w; \
    }; \
    WARPMEM_BOTH name##1 make_##name##1(type x) { \
        return name##1 {x}; \
    } \
    WARPMEM_BOTH name##2 make_##name##2(type x, type y) { \
        return name##2 {x, y}; \
    } \
    WARPMEM_BOTH name##3 make_##name##3(type x, type y, type z) { \
        return name##3 {x, y, z}; \
    } \
    WARPMEM_BOTH name##4 make_##name##4(type x, type y, type z, type w) { \
        return name##4 {x, y, z, w}; \
    }

WARPMEM_VECTORS(signed char, char, 2, 4)
WARPMEM_VECTORS(unsigned char, uchar, 2, 4)
WARPMEM_VECTORS(short, short, 4, 8)
WARPMEM_VECTORS(unsigned short, ushort, 4, 8)
WARPMEM_VECTORS(int, int, 8, 16)
WARPMEM_VECTORS(unsigned, uint, 8, 16)
WARPMEM_VECTORS(long, long, 16, 16)
WARPMEM_VECTORS(unsigned long, ulong, 16, 16)
WARPMEM_VECTORS(long long, longlong, 16, 16)
WARPMEM_VECTORS(unsigned long long, ulonglong, 16, 16)
WARPMEM_VECTORS(float, float, 8, 16)
WARPMEM_VECTORS(double, double, 16, 16)
#undef WARPMEM_VECTORS

#endif
