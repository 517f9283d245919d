/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector addition: c = a + b, a thread an element. Coalesced and without reuse: the machine's
 * bandwidth.
 */
#include <stdlib.h>

#include "workloads/host.h"
#include "workloads/workloads.h"

#define BLOCK 256

/* Elements, multiples of BLOCK. */
static const unsigned sizes[] = {
    [SIZE_TINY] = 1 << 14,
    [SIZE_SMALL] = 1 << 18,
    [SIZE_PAPER] = 1 << 20,
};

struct vecadd {
    struct host host;
    unsigned n;
    uint64_t seed;
    struct buffer a, b, c;
};

enum { R_ID, R_A_ADDRESS, R_A, R_B_ADDRESS, R_B, R_C_ADDRESS, R_C };

#define VECADD(I) \
    I(ALU, ID, OP_INT_MAD, R_ID, REG_NONE) \
    I(ALU, A_ADDRESS, OP_INT_MAD, R_A_ADDRESS, R_ID) \
    I(ALU, B_ADDRESS, OP_INT_MAD, R_B_ADDRESS, R_ID) \
    I(LOAD, LOAD_A, SPACE_GLOBAL, 4, R_A, R_A_ADDRESS) \
    I(LOAD, LOAD_B, SPACE_GLOBAL, 4, R_B, R_B_ADDRESS) \
    I(ALU, C_ADDRESS, OP_INT_MAD, R_C_ADDRESS, R_ID) \
    I(ALU, ADD, OP_FP_ADD, R_C, R_A, R_B) \
    I(STORE, STORE_C, SPACE_GLOBAL, 4, R_C, R_C_ADDRESS)
SIMT_CODE(vecadd, VECADD, .registers = 10);

/* c[id] = a[id] + b[id]; */
static void kernel(struct simt *s, const void *arguments) {
    const struct vecadd *k = arguments;
    const int64_t id = (int64_t)s->cta[0] * s->block[0]; /* of thread 0 */
    float a[SIMT_THREADS], b[SIMT_THREADS], c[SIMT_THREADS];

    simt_alus(s, ID, B_ADDRESS);
    simt_load(s, LOAD_A, a, &k->a, element_x(id, 1));
    simt_load(s, LOAD_B, b, &k->b, element_x(id, 1));
    simt_alu(s, C_ADDRESS);
    SIMT_ALU(s, ADD, t) {
        c[t] = a[t] + b[t];
    }
    simt_store(s, STORE_C, c, &k->c, element_x(id, 1));
}

static const char *vecadd_open(struct program *p, enum workload_size size, uint64_t seed) {
    struct vecadd *k = host_open(p, sizeof *k);
    if (!k) {
        return "out of memory";
    }
    struct device_memory *m = &k->host.memory;
    k->n = sizes[size];
    k->seed = seed;
    if (!device_memory_alloc(m, &k->a, k->n, sizeof(float)) ||
        !device_memory_alloc(m, &k->b, k->n, sizeof(float)) ||
        !device_memory_alloc(m, &k->c, k->n, sizeof(float))) {
        host_close(p);
        return "out of memory";
    }
    float *a = k->a.data, *b = k->b.data;
    for (unsigned i = 0; i < k->n; i++) {
        a[i] = host_uniform(&seed);
        b[i] = host_uniform(&seed);
    }
    host_add_launch(&k->host, &(struct host_launch){
                                  .launch = {&vecadd_code, {k->n / BLOCK, 1, 1}, {BLOCK, 1, 1}},
                                  .kernel = kernel});
    return NULL;
}

static const char *vecadd_check(const struct program *p) {
    struct vecadd *k = p->self;
    float *c = calloc(k->n, sizeof *c);
    if (!c) {
        return "out of memory";
    }
    uint64_t state = k->seed;
    for (unsigned i = 0; i < k->n; i++) {
        c[i] = host_uniform(&state);
        c[i] += host_uniform(&state);
    }
    const char *error = host_compare(&k->host, "c", &k->c, c);
    free(c);
    return error;
}

static void vecadd_expect(const struct program *p, unsigned line_bytes,
                          struct workload_expectation *e) {
    const struct vecadd *k = p->self;
    const uint64_t warps = k->n / WARP_SIZE;
    /* 8 instructions, of which 2 load and 1 stores. */
    e->warp_instructions = warps * 8;
    e->thread_instructions = e->warp_instructions * WARP_SIZE;
    e->global_read_accesses = warps * 2 * host_row_lines(line_bytes);
    e->global_write_accesses = warps * host_row_lines(line_bytes);
}

const struct workload workload_vecadd = {
    .name = "vecadd",
    .suite = "sdk",
    .about = "c = a + b: coalesced, no reuse",
    .size_text = {[SIZE_TINY] = "16 Ki threads",
                  [SIZE_SMALL] = "256 Ki threads",
                  [SIZE_PAPER] = "1 Mi threads"},
    .open = vecadd_open,
    .check = vecadd_check,
    .expect = vecadd_expect,
    .close = host_close,
};
