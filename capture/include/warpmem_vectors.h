/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector types: int2, float4, ..., and make_int2(), ...
 */
#ifndef WARPMEM_VECTORS_H
#define WARPMEM_VECTORS_H

#define WARPMEM_VECTORS(type, name, two, four) \
    typedef struct name##1 name##1; \
    typedef struct name##2 name##2; \
    typedef struct name##3 name##3; \
    typedef struct name##4 name##4; \
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
        const name##1 v = {x}; \
        return v; \
    } \
    WARPMEM_BOTH name##2 make_##name##2(type x, type y) { \
        const name##2 v = {x, y}; \
        return v; \
    } \
    WARPMEM_BOTH name##3 make_##name##3(type x, type y, type z) { \
        const name##3 v = {x, y, z}; \
        return v; \
    } \
    WARPMEM_BOTH name##4 make_##name##4(type x, type y, type z, type w) { \
        const name##4 v = {x, y, z, w}; \
        return v; \
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
