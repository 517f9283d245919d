/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomics that a kernel calls. Threads run one after another, so that each name's _block and
 * _system forms are the same.
 */
#ifndef WARPMEM_ATOMICS_H
#define WARPMEM_ATOMICS_H

#define WARPMEM_SCOPES(type, name, parameters, value) \
    WARPMEM_DEVICE type name parameters { \
        return value; \
    } \
    WARPMEM_DEVICE type name##_block parameters { \
        return value; \
    } \
    WARPMEM_DEVICE type name##_system parameters { \
        return value; \
    }
#define WARPMEM_ATOMIC(type, name, operation) \
    WARPMEM_SCOPES(type, name, (type * p, type v), operation(p, v, __ATOMIC_RELAXED))
#define WARPMEM_CAS(type) \
    WARPMEM_DEVICE type __wm_cas(type *p, type expected, type v) { \
        __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
        return expected; \
    } \
    WARPMEM_SCOPES(type, atomicCAS, (type * p, type expected, type v), __wm_cas(p, expected, v))
#define WARPMEM_ATOMIC_INTEGER(type) \
    WARPMEM_ATOMIC(type, atomicAdd, __atomic_fetch_add) \
    WARPMEM_ATOMIC(type, atomicSub, __atomic_fetch_sub) \
    WARPMEM_ATOMIC(type, atomicAnd, __atomic_fetch_and) \
    WARPMEM_ATOMIC(type, atomicOr, __atomic_fetch_or) \
    WARPMEM_ATOMIC(type, atomicXor, __atomic_fetch_xor) \
    WARPMEM_ATOMIC(type, atomicMin, __atomic_fetch_min) \
    WARPMEM_ATOMIC(type, atomicMax, __atomic_fetch_max) \
    WARPMEM_ATOMIC(type, atomicExch, __atomic_exchange_n) \
    WARPMEM_CAS(type)
WARPMEM_ATOMIC_INTEGER(int)
WARPMEM_ATOMIC_INTEGER(unsigned)
WARPMEM_ATOMIC_INTEGER(unsigned long long)
WARPMEM_ATOMIC(long long, atomicMin, __atomic_fetch_min)
WARPMEM_ATOMIC(long long, atomicMax, __atomic_fetch_max)
WARPMEM_ATOMIC(long long, atomicAnd, __atomic_fetch_and)
WARPMEM_ATOMIC(long long, atomicOr, __atomic_fetch_or)
WARPMEM_ATOMIC(long long, atomicXor, __atomic_fetch_xor)
WARPMEM_CAS(unsigned short)
extern "C" {
__device__ unsigned __wm_atomic_inc(unsigned *, unsigned);
__device__ unsigned __wm_atomic_dec(unsigned *, unsigned);
}
WARPMEM_SCOPES(unsigned, atomicInc, (unsigned *p, unsigned v), __wm_atomic_inc(p, v))
WARPMEM_SCOPES(unsigned, atomicDec, (unsigned *p, unsigned v), __wm_atomic_dec(p, v))
WARPMEM_SCOPES(float, atomicAdd, (float *p, float v), __nvvm_atom_add_gen_f(p, v))
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
WARPMEM_SCOPES(double, atomicAdd, (double *p, double v), __nvvm_atom_add_gen_d(p, v))
#endif
WARPMEM_SCOPES(float, atomicExch, (float *p, float v),
               __int_as_float(atomicExch((int *)p, __float_as_int(v))))
/* Each element is one atomic. */
WARPMEM_SCOPES(float2, atomicAdd, (float2 * p, float2 v),
               make_float2(atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y)))
WARPMEM_SCOPES(float4, atomicAdd, (float4 * p, float4 v),
               make_float4(atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y), atomicAdd(&p->z, v.z),
                           atomicAdd(&p->w, v.w)))

#endif
