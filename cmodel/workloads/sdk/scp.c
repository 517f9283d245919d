/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA SDK scalarProd: the scalar products of pairs of vectors. 128 blocks of 256 threads take the
 * pairs in turn, and a block keeps 1024 sums, 4 a thread, which it then adds up by halves. Each
 * element is read once, in whole lines: bandwidth and nothing else. 256 pairs of 4096 elements as
 * in the suite: 16 KB a vector, so no two blocks share a DRAM row (OWL's table 4: 0 %).
 *
 * scp keeps the sums in shared memory.
 *
 * scp-global keeps them in a global scratch of 4 KB a block, the rest unchanged, barriers too. MDB
 * runs the data-cache version of a study, which derives such versions from those with shared memory
 * and keeps their tiling; this one is derived mechanically. MeDiC and OWL name no version and run
 * the suite's here.
 */
#include "workloads/host.h"
#include "workloads/common/lines.h"
#include "workloads/workloads.h"

#define CTAS 128
#define BLOCK 256
#define WARPS (BLOCK / WARP_SIZE)
#define LOG2_SUMS 10
#define SUMS (1 << LOG2_SUMS) /* a block */

static const struct size {
    unsigned vectors, elements; /* multiples of CTAS and of SUMS */
} sizes[] = {
    [SIZE_TINY] = {256, 1024},      [SIZE_SMALL] = {256, 4096},
    [SIZE_PAPER_MDB] = {256, 4096}, [SIZE_PAPER_MEDIC] = {256, 4096},
    [SIZE_PAPER_OWL] = {256, 4096},
};

struct scp {
    struct host host;
    struct size size;
    uint64_t seed;
    struct buffer a, b, c;
    struct buffer scratch; /* scp-global only: SUMS a block */
};

enum { R_VECTOR, R_PREDICATE, R_SLOT, R_A_ADDRESS, R_B_ADDRESS, R_A, R_B, R_SUM, R_STRIDE };

/* @space: where the sums are. */
#define SCALAR_PRODUCT(I, space) \
    I(ALU, FIRST_VECTOR, OP_INT_ADD, R_VECTOR, REG_NONE) \
    I(LOOP, VECTORS) \
    I(ALU, FIRST_SLOT, OP_INT_MAD, R_SLOT, R_VECTOR) \
    I(LOOP, SLOTS) \
    I(ALU, CLEAR, OP_INT_ADD, R_SUM, REG_NONE) \
    I(ALU, A_ADDRESS, OP_INT_MAD, R_A_ADDRESS, R_VECTOR, R_SLOT) \
    I(ALU, B_ADDRESS, OP_INT_MAD, R_B_ADDRESS, R_VECTOR, R_SLOT) \
    I(LOOP, PAIRS) \
    I(LOAD, LOAD_A, SPACE_GLOBAL, 4, R_A, R_A_ADDRESS) \
    I(LOAD, LOAD_B, SPACE_GLOBAL, 4, R_B, R_B_ADDRESS) \
    I(ALU, FMA, OP_FP_MAD, R_SUM, R_A, R_B, R_SUM) \
    I(ALU, NEXT_A, OP_INT_ADD, R_A_ADDRESS, R_A_ADDRESS) \
    I(ALU, NEXT_B, OP_INT_ADD, R_B_ADDRESS, R_B_ADDRESS) \
    I(ALU, PAIRS_COMPARE, OP_INT_ADD, R_PREDICATE, R_A_ADDRESS) \
    I(BRANCH, PAIRS_AGAIN, R_PREDICATE) \
    I(STORE, PUT_SUM, space, 4, R_SUM, R_SLOT) \
    I(ALU, NEXT_SLOT, OP_INT_ADD, R_SLOT, R_SLOT) \
    I(ALU, SLOTS_COMPARE, OP_INT_ADD, R_PREDICATE, R_SLOT) \
    I(BRANCH, SLOTS_AGAIN, R_PREDICATE) \
    I(ALU, FIRST_STRIDE, OP_INT_ADD, R_STRIDE, REG_NONE) \
    I(LOOP, STRIDES) \
    I(BARRIER, STRIDE_READY) \
    I(ALU, HALF_SLOT, OP_INT_ADD, R_SLOT, REG_NONE) \
    I(ALU, HALF_COMPARE, OP_INT_ADD, R_PREDICATE, R_SLOT, R_STRIDE) \
    I(BRANCH, HALF_GUARD, R_PREDICATE) \
    I(LOOP, HALF) \
    I(ALU, THERE_ADDRESS, OP_INT_ADD, R_A_ADDRESS, R_SLOT, R_STRIDE) \
    I(LOAD, GET_HERE, space, 4, R_A, R_SLOT) \
    I(LOAD, GET_THERE, space, 4, R_B, R_A_ADDRESS) \
    I(ALU, ADD, OP_FP_ADD, R_SUM, R_A, R_B) \
    I(STORE, PUT_HALF, space, 4, R_SUM, R_SLOT) \
    I(ALU, HALF_NEXT, OP_INT_ADD, R_SLOT, R_SLOT) \
    I(ALU, HALF_AGAIN_COMPARE, OP_INT_ADD, R_PREDICATE, R_SLOT, R_STRIDE) \
    I(BRANCH, HALF_AGAIN, R_PREDICATE) \
    I(ALU, NEXT_STRIDE, OP_INT_ADD, R_STRIDE, R_STRIDE) \
    I(ALU, STRIDES_COMPARE, OP_INT_ADD, R_PREDICATE, R_STRIDE) \
    I(BRANCH, STRIDES_AGAIN, R_PREDICATE) \
    I(ALU, IS_FIRST, OP_INT_ADD, R_PREDICATE, REG_NONE) \
    I(BRANCH, IF_FIRST, R_PREDICATE) \
    I(ALU, C_ADDRESS, OP_INT_MAD, R_A_ADDRESS, R_VECTOR) \
    I(LOAD, GET_RESULT, space, 4, R_SUM, R_A_ADDRESS) \
    I(STORE, STORE_C, SPACE_GLOBAL, 4, R_SUM, R_A_ADDRESS) \
    I(ALU, NEXT_VECTOR, OP_INT_ADD, R_VECTOR, R_VECTOR) \
    I(ALU, VECTORS_COMPARE, OP_INT_ADD, R_PREDICATE, R_VECTOR) \
    I(BRANCH, VECTORS_AGAIN, R_PREDICATE)
#define SHARED_CODE(I) SCALAR_PRODUCT(I, SPACE_SHARED)
SIMT_CODE(scalar_product, SHARED_CODE, .registers = 18, .shared_bytes = SUMS * 4);

static const struct insn global_insns[] = {SCALAR_PRODUCT(INSN_ROW, SPACE_GLOBAL)};
static const struct kernel_code scalar_product_global_code = {.name = "scalar_product_global",
                                                              .insns = global_insns,
                                                              .insn_count = sizeof global_insns /
                                                                            sizeof *global_insns,
                                                              .registers = 18};

/* The block's sums: elements from base on. */
struct sums {
    struct buffer buffer;
    int64_t base;
};

/* @first: element of the vectors. */
static void multiply(struct simt *s, const struct scp *k, const struct sums *sums, int64_t first) {
    float a[SIMT_THREADS], b[SIMT_THREADS], sum[SIMT_THREADS];

    SIMT_FOR(s, SLOTS, i, SUMS / BLOCK) {
        const int64_t slot = i * BLOCK; /* of thread 0 */
        SIMT_ALU(s, CLEAR, t) {
            sum[t] = 0.0f;
        }
        simt_alus(s, A_ADDRESS, B_ADDRESS);
        SIMT_FOR(s, PAIRS, j, k->size.elements / SUMS) {
            const struct element e = element_x(first + slot + (int64_t)j * SUMS, 1);
            simt_load(s, LOAD_A, a, &k->a, e);
            simt_load(s, LOAD_B, b, &k->b, e);
            SIMT_ALU(s, FMA, t) {
                sum[t] += a[t] * b[t];
            }
            simt_alus(s, NEXT_A, PAIRS_AGAIN);
        }
        simt_store(s, PUT_SUM, sum, &sums->buffer, element_x(sums->base + slot, 1));
        simt_alus(s, NEXT_SLOT, SLOTS_AGAIN);
    }
}

/* for (slot = thread; slot < stride; slot += BLOCK) sum[slot] += sum[stride + slot]; */
static void halve(struct simt *s, const struct sums *sums, unsigned stride) {
    float here[SIMT_THREADS], there[SIMT_THREADS];
    struct simt_mask lanes;
    unsigned first = 0; /* slot of thread 0 */

    simt_alus(s, HALF_SLOT, HALF_COMPARE);
    SIMT_WHERE(s, lanes, t, t < stride);
    SIMT_IF(s, HALF_GUARD, &lanes) {
        SIMT_LOOP(s, HALF) {
            simt_alu(s, THERE_ADDRESS);
            simt_load(s, GET_HERE, here, &sums->buffer, element_x(sums->base + first, 1));
            simt_load(s, GET_THERE, there, &sums->buffer,
                      element_x(sums->base + first + stride, 1));
            SIMT_ALU(s, ADD, t) {
                here[t] += there[t];
            }
            simt_store(s, PUT_HALF, here, &sums->buffer, element_x(sums->base + first, 1));
            simt_alus(s, HALF_NEXT, HALF_AGAIN_COMPARE);
            first += BLOCK;
            SIMT_WHERE(s, lanes, t, first + t < stride);
            simt_while(s, HALF_AGAIN, &lanes);
        }
    }
}

static void kernel(struct simt *s, const void *arguments) {
    const struct scp *k = arguments;
    const struct sums sums = {k->scratch.data ? k->scratch : simt_shared(s, 0, SUMS, 4),
                              k->scratch.data ? (int64_t)s->cta[0] * SUMS : 0};
    float sum[SIMT_THREADS];
    struct simt_mask first;

    simt_alu(s, FIRST_VECTOR);
    SIMT_FOR(s, VECTORS, i, k->size.vectors / CTAS) {
        const unsigned vector = s->cta[0] + i * CTAS;
        simt_alu(s, FIRST_SLOT);
        multiply(s, k, &sums, (int64_t)vector * k->size.elements);
        simt_alu(s, FIRST_STRIDE);
        SIMT_FOR(s, STRIDES, j, LOG2_SUMS) {
            simt_barrier(s, STRIDE_READY);
            halve(s, &sums, SUMS / 2 >> j);
            simt_alus(s, NEXT_STRIDE, STRIDES_AGAIN);
        }
        simt_alu(s, IS_FIRST);
        SIMT_WHERE(s, first, t, t == 0);
        SIMT_IF(s, IF_FIRST, &first) {
            simt_alu(s, C_ADDRESS);
            simt_load(s, GET_RESULT, sum, &sums.buffer, element_at(sums.base));
            simt_store(s, STORE_C, sum, &k->c, element_at(vector));
        }
        simt_alus(s, NEXT_VECTOR, VECTORS_AGAIN);
    }
}

static bool open_variant(struct scp *k, enum workload_size size, uint64_t seed,
                         const struct kernel_code *code) {
    k->size = sizes[size];
    k->seed = seed;
    const uint64_t elements = (uint64_t)k->size.vectors * k->size.elements;
    if (!HOST_ALLOC(&k->host.memory, {&k->a, elements, 4}, {&k->b, elements, 4},
                    {&k->c, k->size.vectors, 4}) ||
        (!code->shared_bytes &&
         !device_memory_alloc(&k->host.memory, &k->scratch, CTAS * SUMS, 4))) {
        return false;
    }
    float *a = k->a.data, *b = k->b.data;
    for (uint64_t i = 0; i < elements; i++) {
        a[i] = host_uniform(&seed);
        b[i] = host_uniform(&seed);
    }
    HOST_ADD_LAUNCH(&k->host, {code, {CTAS, 1, 1}, {BLOCK, 1, 1}}, kernel);
    return true;
}

static bool scp_open(void *self, enum workload_size size, uint64_t seed) {
    return open_variant(self, size, seed, &scalar_product_code);
}

static bool scp_global_open(void *self, enum workload_size size, uint64_t seed) {
    return open_variant(self, size, seed, &scalar_product_global_code);
}

/* The product of the next @elements pairs: sums of every SUMS-th, then of the upper and the lower
 * half. */
static float plain_product(unsigned elements, uint64_t *state) {
    float sum[SUMS] = {0};
    for (unsigned i = 0; i < elements; i++) {
        const float a = host_uniform(state), b = host_uniform(state);
        sum[i % SUMS] += a * b;
    }
    for (unsigned half = SUMS / 2; half > 0; half /= 2) {
        for (unsigned i = 0; i < half; i++) {
            sum[i] += sum[i + half];
        }
    }
    return sum[0];
}

static const struct workload_result results[] = {FLOATS("c", scp, c), {0}};

static bool scp_plain(void *self, void *const expected[]) {
    struct scp *k = self;
    float *c = expected[0];
    uint64_t state = k->seed;
    for (unsigned i = 0; i < k->size.vectors; i++) {
        c[i] = plain_product(k->size.elements, &state);
    }
    return true;
}

static void add(struct workload_expectation *e, uint64_t instructions, uint64_t warps,
                uint64_t threads) {
    e->warp_instructions += instructions * warps;
    e->thread_instructions += instructions * threads;
}

/* The sums of a vector in global memory: put, added up, taken. */
static void add_scratch(unsigned line_bytes, struct workload_expectation *e) {
    e->global_write_accesses += SUMS / WARP_SIZE * host_row_lines(line_bytes);
    for (unsigned stride = SUMS / 2; stride > 0; stride /= 2) {
        const unsigned lanes = stride < WARP_SIZE ? stride : WARP_SIZE;
        const uint64_t warps = stride / lanes, here = lines_of_run(0, lanes, 4, line_bytes);
        e->global_read_accesses += warps * (here + lines_of_run(stride, lanes, 4, line_bytes));
        e->global_write_accesses += warps * here;
    }
    e->global_read_accesses++;
}

static void scp_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct scp *k = self;
    const unsigned trips = k->size.elements / SUMS;
    add(e, 1, CTAS * WARPS, CTAS * BLOCK);
    for (unsigned i = 0; i < k->size.vectors; i++) {
        add(e, 1 + SUMS / BLOCK * (3 + trips * 7 + 4) + 1 + LOG2_SUMS * 7 + 2 + 3, WARPS, BLOCK);
        for (unsigned stride = SUMS / 2; stride > 0; stride /= 2) {
            add(e, 8, (stride + WARP_SIZE - 1) / WARP_SIZE, stride);
        }
        add(e, 3, 1, 1);
        e->global_read_accesses +=
            k->size.elements / WARP_SIZE * UINT64_C(2) * host_row_lines(line_bytes);
        e->global_write_accesses++;
        if (k->scratch.data) {
            add_scratch(line_bytes, e);
        }
    }
}

const struct workload workload_scp = {
    .name = "scp",
    .suite = "sdk",
    .about = "scalar products of pairs of vectors: coalesced, each element once",
    .size_text = {[SIZE_TINY] = "256 pairs of 1024",
                  [SIZE_SMALL] = "256 pairs of 4096",
                  [SIZE_PAPER_MEDIC] = "256 pairs of 4096",
                  [SIZE_PAPER_OWL] = "256 pairs of 4096"},
    .bytes = sizeof(struct scp),
    .open = scp_open,
    .results = results,
    .plain = scp_plain,
    .expect = scp_expect,
};

const struct workload workload_scp_global = {
    .name = "scp-global",
    .suite = "sdk",
    .about = "scp with a block's sums in a global scratch, through the data cache",
    .size_text = {[SIZE_TINY] = "256 pairs of 1024",
                  [SIZE_SMALL] = "256 pairs of 4096",
                  [SIZE_PAPER_MDB] = "256 pairs of 4096"},
    .bytes = sizeof(struct scp),
    .open = scp_global_open,
    .results = results,
    .plain = scp_plain,
    .expect = scp_expect,
};
