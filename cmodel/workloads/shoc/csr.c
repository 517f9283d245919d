/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/shoc/csr.h"

/* The generator of drand48(): 48 bits of state, X' = (a X + c) mod 2^48, and its seeding by
 * srand48(), as POSIX defines them. */
#define DRAND48_A UINT64_C(0x5deece66d)
#define DRAND48_C UINT64_C(0xb)
#define DRAND48_MASK ((UINT64_C(1) << 48) - 1)
#define SHOC_SEED ((UINT64_C(8675309) << 16 | 0x330e) & DRAND48_MASK)

void csr_generate(uint32_t n, int32_t *rows, int32_t *cols) {
    const uint32_t nonzeros = csr_nonzeros(n);
    const double probability = (double)nonzeros / ((double)n * n);
    /* drand48() <= probability, of the state itself. */
    const uint64_t limit = (uint64_t)(probability * (double)(UINT64_C(1) << 48));
    uint64_t state = SHOC_SEED, places_left = (uint64_t)n * n;
    uint32_t taken = 0;
    for (uint32_t i = 0; i < n; i++) {
        rows[i] = (int32_t)taken;
        for (uint32_t j = 0; j < n && taken < nonzeros; j++, places_left--) {
            state = (DRAND48_A * state + DRAND48_C) & DRAND48_MASK;
            if (state <= limit || places_left <= nonzeros - taken) {
                cols[taken++] = (int32_t)j;
            }
        }
    }
    rows[n] = (int32_t)taken;
}

bool csr_open(struct csr_program *k, unsigned rows, uint64_t seed, const struct kernel_code *code,
              simt_kernel *kernel, unsigned ctas) {
    k->n = rows;
    const uint32_t nonzeros = csr_nonzeros(k->n);
    if (!HOST_ALLOC(&k->host.memory, {&k->val, nonzeros, 4}, {&k->cols, nonzeros, 4},
                    {&k->rows, (uint64_t)k->n + 1, 4}, {&k->vec, k->n, 4}, {&k->out, k->n, 4})) {
        return false;
    }
    float *val = k->val.data, *vec = k->vec.data;
    csr_generate(k->n, k->rows.data, k->cols.data);
    for (uint32_t i = 0; i < nonzeros; i++) {
        val[i] = 10 * host_uniform(&seed);
    }
    for (uint32_t i = 0; i < k->n; i++) {
        vec[i] = 10 * host_uniform(&seed);
    }
    HOST_ADD_LAUNCH(&k->host, {code, {k->n / CSR_BLOCK * ctas, 1, 1}, {CSR_BLOCK, 1, 1}}, kernel);
    return true;
}
