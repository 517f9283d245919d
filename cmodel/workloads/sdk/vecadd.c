/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector addition: c = a + b, a thread an element. Coalesced and without reuse: the machine's
 * bandwidth.
 */
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

static bool vecadd_open(void *self, enum workload_size size, uint64_t seed) {
    struct vecadd *k = self;
    k->n = sizes[size];
    k->seed = seed;
    if (!HOST_ALLOC(&k->host.memory, {&k->a, k->n, sizeof(float)}, {&k->b, k->n, sizeof(float)},
                    {&k->c, k->n, sizeof(float)})) {
        return false;
    }
    float *a = k->a.data, *b = k->b.data;
    for (unsigned i = 0; i < k->n; i++) {
        a[i] = host_uniform(&seed);
        b[i] = host_uniform(&seed);
    }
    HOST_ADD_LAUNCH(&k->host, {&vecadd_code, {k->n / BLOCK, 1, 1}, {BLOCK, 1, 1}}, kernel);
    return true;
}

static const struct workload_result results[] = {FLOATS("c", vecadd, c), {0}};

static bool vecadd_plain(void *self, void *const expected[]) {
    struct vecadd *k = self;
    float *c = expected[0];
    uint64_t state = k->seed;
    for (unsigned i = 0; i < k->n; i++) {
        c[i] = host_uniform(&state);
        c[i] += host_uniform(&state);
    }
    return true;
}

static void vecadd_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct vecadd *k = self;
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
    .bytes = sizeof(struct vecadd),
    .open = vecadd_open,
    .results = results,
    .plain = vecadd_plain,
    .expect = vecadd_expect,
};
