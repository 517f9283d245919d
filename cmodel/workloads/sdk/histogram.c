/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/sdk/histogram.h"

#include <string.h>

#include "workloads/common/lines.h"

#define MERGE_BLOCK 256
#define MERGE_WARPS (MERGE_BLOCK / WARP_SIZE)
#define LOG2_MERGE_BLOCK 8

enum { R_BIN, R_I, R_PREDICATE, R_ADDRESS, R_VALUE, R_THERE, R_SUM, R_STRIDE };

/* @space: where the sums of the block's threads are added up. */
#define MERGE(I, space) \
    I(ALU, BIN, OP_INT_ADD, R_BIN, REG_NONE) \
    I(ALU, CLEAR, OP_INT_ADD, R_SUM, REG_NONE) \
    I(ALU, FIRST, OP_INT_ADD, R_I, REG_NONE) \
    I(ALU, FIRST_COMPARE, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, GUARD, R_PREDICATE) \
    I(LOOP, PARTIALS) \
    I(ALU, PARTIAL_ADDRESS, OP_INT_MAD, R_ADDRESS, R_I, R_BIN) \
    I(LOAD, LOAD_PARTIAL, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(ALU, ADD_PARTIAL, OP_INT_ADD, R_SUM, R_SUM, R_VALUE) \
    I(ALU, NEXT, OP_INT_ADD, R_I, R_I) \
    I(ALU, COMPARE, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, AGAIN, R_PREDICATE) \
    I(ALU, SUM_ADDRESS, OP_INT_MAD, R_ADDRESS, REG_NONE) \
    I(STORE, PUT_SUM, space, 4, R_SUM, R_ADDRESS) \
    I(ALU, FIRST_STRIDE, OP_INT_ADD, R_STRIDE, REG_NONE) \
    I(LOOP, STRIDES) \
    I(BARRIER, STRIDE_READY) \
    I(ALU, HALF_COMPARE, OP_INT_ADD, R_PREDICATE, R_STRIDE) \
    I(BRANCH, HALF, R_PREDICATE) \
    I(LOAD, GET_HERE, space, 4, R_SUM, R_ADDRESS) \
    I(ALU, THERE, OP_INT_MAD, R_THERE, R_STRIDE, R_ADDRESS) \
    I(LOAD, GET_THERE, space, 4, R_VALUE, R_THERE) \
    I(ALU, ADD_THERE, OP_INT_ADD, R_SUM, R_SUM, R_VALUE) \
    I(STORE, PUT_HALF, space, 4, R_SUM, R_ADDRESS) \
    I(ALU, NEXT_STRIDE, OP_INT_ADD, R_STRIDE, R_STRIDE) \
    I(ALU, STRIDES_COMPARE, OP_INT_ADD, R_PREDICATE, R_STRIDE) \
    I(BRANCH, STRIDES_AGAIN, R_PREDICATE) \
    I(ALU, IS_FIRST, OP_INT_ADD, R_PREDICATE, REG_NONE) \
    I(BRANCH, IF_FIRST, R_PREDICATE) \
    I(LOAD, GET_RESULT, space, 4, R_SUM, R_ADDRESS) \
    I(ALU, RESULT_ADDRESS, OP_INT_MAD, R_ADDRESS, R_BIN) \
    I(STORE, STORE_RESULT, SPACE_GLOBAL, 4, R_SUM, R_ADDRESS)
#define SHARED_CODE(I) MERGE(I, SPACE_SHARED)
SIMT_CODE(histogram_merge, SHARED_CODE, .registers = 12, .shared_bytes = MERGE_BLOCK * 4);

static const struct insn global_insns[] = {MERGE(INSN_ROW, SPACE_GLOBAL)};
static const struct kernel_code histogram_merge_global_code = {.name = "histogram_merge_global",
                                                               .insns = global_insns,
                                                               .insn_count = sizeof global_insns /
                                                                             sizeof *global_insns,
                                                               .registers = 12};

static void merge(struct simt *s, const void *arguments) {
    const struct histogram *k = arguments;
    const unsigned bin = s->cta[0];
    const bool global = k->form->table_bytes != 0;
    const struct buffer sums = global ? k->scratch : simt_shared(s, 0, MERGE_BLOCK, 4);
    const int64_t own = global ? (int64_t)bin * MERGE_BLOCK : 0; /* of the sums */
    uint32_t value[SIMT_THREADS], sum[SIMT_THREADS] = {0};
    struct simt_mask lanes;
    unsigned i = 0; /* of thread 0 */

    simt_alus(s, BIN, FIRST_COMPARE);
    SIMT_WHERE(s, lanes, t, t < k->ctas);
    SIMT_IF(s, GUARD, &lanes) {
        SIMT_LOOP(s, PARTIALS) {
            simt_alu(s, PARTIAL_ADDRESS);
            simt_load(s, LOAD_PARTIAL, value, &k->partial,
                      element_x(bin + (int64_t)i * k->form->bins, k->form->bins));
            SIMT_ALU(s, ADD_PARTIAL, t) {
                sum[t] += value[t];
            }
            simt_alus(s, NEXT, COMPARE);
            i += MERGE_BLOCK;
            SIMT_WHERE(s, lanes, t, i + t < k->ctas);
            simt_while(s, AGAIN, &lanes);
        }
    }
    simt_alu(s, SUM_ADDRESS);
    simt_store(s, PUT_SUM, sum, &sums, element_x(own, 1));
    simt_alu(s, FIRST_STRIDE);
    SIMT_FOR(s, STRIDES, j, LOG2_MERGE_BLOCK) {
        const unsigned stride = MERGE_BLOCK / 2 >> j;
        simt_barrier(s, STRIDE_READY);
        simt_alu(s, HALF_COMPARE);
        SIMT_WHERE(s, lanes, t, t < stride);
        SIMT_IF(s, HALF, &lanes) {
            simt_load(s, GET_HERE, sum, &sums, element_x(own, 1));
            simt_alu(s, THERE);
            simt_load(s, GET_THERE, value, &sums, element_x(own + stride, 1));
            SIMT_ALU(s, ADD_THERE, t) {
                sum[t] += value[t];
            }
            simt_store(s, PUT_HALF, sum, &sums, element_x(own, 1));
        }
        simt_alus(s, NEXT_STRIDE, STRIDES_AGAIN);
    }
    simt_alu(s, IS_FIRST);
    SIMT_WHERE(s, lanes, t, t == 0);
    SIMT_IF(s, IF_FIRST, &lanes) {
        simt_load(s, GET_RESULT, sum, &sums, element_at(own));
        simt_alu(s, RESULT_ADDRESS);
        simt_store(s, STORE_RESULT, sum, &k->result, element_at(bin));
    }
}

void histogram_fill(uint8_t *data, unsigned bytes, uint64_t seed) {
    for (unsigned i = 0; i < bytes; i += sizeof(uint64_t)) {
        const uint64_t eight = host_random(&seed);
        memcpy(&data[i], &eight, sizeof eight);
    }
}

bool histogram_open(struct histogram *k, const struct histogram_form *form, unsigned bytes,
                    uint64_t seed) {
    struct device_memory *m = &k->host.memory;
    k->form = form;
    k->bytes = bytes;
    k->seed = seed;
    k->ctas = form->ctas ? form->ctas : (bytes + form->bytes_a_cta - 1) / form->bytes_a_cta;
    const uint64_t table = (uint64_t)k->ctas * form->table_bytes;
    if (!HOST_ALLOC(m, {&k->data, bytes / form->word, form->word},
                    {&k->partial, (uint64_t)k->ctas * form->bins, 4},
                    {&k->result, form->bins, 4}) ||
        (table &&
         !HOST_ALLOC(m, {&k->table, table, 1}, {&k->scratch, form->bins * MERGE_BLOCK, 4}))) {
        return false;
    }
    histogram_fill(k->data.data, bytes, seed);
    HOST_ADD_LAUNCH(&k->host, {form->code, {k->ctas, 1, 1}, {form->block, 1, 1}}, form->kernel);
    HOST_ADD_LAUNCH(&k->host,
                    {table ? &histogram_merge_global_code : &histogram_merge_code,
                     {form->bins, 1, 1},
                     {MERGE_BLOCK, 1, 1}},
                    merge);
    return true;
}

/* Words are dealt to the threads of all CTAs in turn. */
const struct workload_result histogram_results[] = {INTEGERS("partial", histogram, partial),
                                                    INTEGERS("result", histogram, result),
                                                    INTEGERS("data", histogram, data),
                                                    {0}};

bool histogram_plain(void *self, void *const expected[]) {
    const struct histogram *k = self;
    const unsigned bins = k->form->bins, threads = k->ctas * k->form->block;
    uint32_t *partial = expected[0], *result = expected[1];
    uint8_t *data = expected[2];
    histogram_fill(data, k->bytes, k->seed);
    for (unsigned i = 0; i < k->bytes; i++) {
        const unsigned cta = i / k->form->word % threads / k->form->block;
        const unsigned bin = data[i] * bins / 256;
        partial[(size_t)cta * bins + bin]++;
        result[bin]++;
    }
    return true;
}

unsigned histogram_trips(const struct histogram *k, unsigned thread) {
    const unsigned words = k->bytes / k->form->word, threads = k->ctas * k->form->block;
    return words <= thread ? 0 : (words - thread - 1) / threads + 1;
}

static void add(struct workload_expectation *e, uint64_t instructions, uint64_t threads) {
    e->warp_instructions += instructions * ((threads + WARP_SIZE - 1) / WARP_SIZE);
    e->thread_instructions += instructions * threads;
}

/* The sums of a bin in global memory. */
static void add_scratch(unsigned line_bytes, struct workload_expectation *e) {
    e->global_write_accesses += MERGE_WARPS * host_row_lines(line_bytes);
    for (unsigned stride = MERGE_BLOCK / 2; stride > 0; stride /= 2) {
        const unsigned lanes = stride < WARP_SIZE ? stride : WARP_SIZE;
        const uint64_t warps = stride / lanes, here = lines_of_run(0, lanes, 4, line_bytes);
        e->global_read_accesses += warps * (here + lines_of_run(stride, lanes, 4, line_bytes));
        e->global_write_accesses += warps * here;
    }
    e->global_read_accesses++;
}

void histogram_expect_merge(const struct histogram *k, unsigned line_bytes,
                            struct workload_expectation *e) {
    for (unsigned bin = 0; bin < k->form->bins; bin++) {
        add(e, 5 + 3 + LOG2_MERGE_BLOCK * (3 + 3) + 2, MERGE_BLOCK);
        for (unsigned i = 0; i < k->ctas; i += MERGE_BLOCK) {
            const unsigned threads = k->ctas - i < MERGE_BLOCK ? k->ctas - i : MERGE_BLOCK;
            add(e, 6, threads);
            e->global_read_accesses += threads; /* a partial histogram is two lines or more */
        }
        for (unsigned stride = MERGE_BLOCK / 2; stride > 0; stride /= 2) {
            add(e, 5, stride);
        }
        add(e, 3, 1);
        e->global_write_accesses++;
        if (k->form->table_bytes) {
            add_scratch(line_bytes, e);
        }
    }
}
