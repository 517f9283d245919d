/* SPDX-License-Identifier: Apache-2.0
 *
 * How often each byte occurs, in one table of 256 counters that all threads change with atomics in
 * global memory: 1 KB, at most 8 lines a warp, so that all the atomics of the machine meet in a few
 * places of the L2. The blocks and the loads of the input are those of hst-256 (sdk/hst256.c). A
 * launch before clears the counters.
 *
 * A construction: neither the CUDA SDK nor a paper has it. It complements the histograms with a
 * table a thread or a warp by one that leaves the work to the hardware.
 */
#include "workloads/sdk/histogram.h"

#include <string.h>

#include "workloads/workloads.h"

#define BINS 256
#define BLOCK 192
#define CTAS 240

static const unsigned sizes[] = {
    [SIZE_TINY] = 64 << 10, [SIZE_SMALL] = 1 << 20, [SIZE_PAPER] = 64 << 20};

struct hst_atomic {
    struct host host;
    unsigned bytes;
    uint64_t seed;
    struct buffer data, result;
};

enum { R_ONE, R_I, R_PREDICATE, R_ADDRESS, R_WORD, R_BYTE };

#define HISTOGRAM(I) \
    I(ALU, ONE, OP_INT_ADD, R_ONE, REG_NONE) \
    I(ALU, FIRST, OP_INT_MAD, R_I, REG_NONE) \
    I(ALU, FIRST_COMPARE, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, GUARD, R_PREDICATE) \
    I(LOOP, WORDS) \
    I(ALU, WORD_ADDRESS, OP_INT_MAD, R_ADDRESS, R_I) \
    I(LOAD, LOAD_WORD, SPACE_GLOBAL, 4, R_WORD, R_ADDRESS) \
    I(ALU, SHIFT, OP_INT_ADD, R_BYTE, R_WORD) \
    I(ALU, AND, OP_INT_ADD, R_BYTE, R_BYTE) \
    I(ALU, COUNT_ADDRESS, OP_INT_MAD, R_ADDRESS, R_BYTE) \
    I(ATOMIC, COUNT, REG_NONE, R_ADDRESS, R_ONE) \
    I(ALU, NEXT, OP_INT_ADD, R_I, R_I) \
    I(ALU, COMPARE, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, AGAIN, R_PREDICATE)
SIMT_CODE(histogram_atomic, HISTOGRAM, .registers = 8);

#define CLEAR(I) \
    I(ALU, CLEAR_ZERO, OP_INT_ADD, R_ONE, REG_NONE) \
    I(ALU, CLEAR_ADDRESS, OP_INT_MAD, R_ADDRESS, REG_NONE) \
    I(STORE, CLEAR_STORE, SPACE_GLOBAL, 4, R_ONE, R_ADDRESS)
SIMT_CODE(histogram_clear, CLEAR, .registers = 4);

static void clear(struct simt *s, const void *arguments) {
    const struct hst_atomic *k = arguments;
    const int32_t zero[SIMT_THREADS] = {0};
    simt_alus(s, CLEAR_ZERO, CLEAR_ADDRESS);
    simt_store(s, CLEAR_STORE, zero, &k->result, element_x(0, 1));
}

static void kernel(struct simt *s, const void *arguments) {
    const struct hst_atomic *k = arguments;
    uint32_t word[SIMT_THREADS];
    int32_t one[SIMT_THREADS], bin[SIMT_THREADS];
    struct simt_mask lanes;

    SIMT_ALU(s, ONE, t) {
        one[t] = 1;
    }
    unsigned i = s->cta[0] * BLOCK; /* of thread 0 */
    simt_alus(s, FIRST, FIRST_COMPARE);
    SIMT_WHERE(s, lanes, t, i + t < k->data.count);
    SIMT_IF(s, GUARD, &lanes) {
        SIMT_LOOP(s, WORDS) {
            simt_alu(s, WORD_ADDRESS);
            simt_load(s, LOAD_WORD, word, &k->data, element_x(i, 1));
            for (unsigned j = 0; j < sizeof *word; j++) {
                simt_alus(s, SHIFT, AND);
                SIMT_ALU(s, COUNT_ADDRESS, t) {
                    bin[t] = (int32_t)(word[t] >> j * 8 & 0xff);
                }
                simt_atomic(s, COUNT, SIMT_ADD, NULL, one, NULL, &k->result, element_lane(bin));
            }
            simt_alus(s, NEXT, COMPARE);
            i += CTAS * BLOCK;
            SIMT_WHERE(s, lanes, t, i + t < k->data.count);
            simt_while(s, AGAIN, &lanes);
        }
    }
}

static bool hst_atomic_open(void *self, enum workload_size size, uint64_t seed) {
    struct hst_atomic *k = self;
    k->bytes = sizes[size];
    k->seed = seed;
    if (!HOST_ALLOC(&k->host.memory, {&k->data, k->bytes / 4, 4}, {&k->result, BINS, 4})) {
        return false;
    }
    histogram_fill(k->data.data, k->bytes, seed);
    memset(k->result.data, 0xff, BINS * 4); /* what was there before */
    HOST_ADD_LAUNCH(&k->host, {&histogram_clear_code, {1, 1, 1}, {BINS, 1, 1}}, clear);
    HOST_ADD_LAUNCH(&k->host, {&histogram_atomic_code, {CTAS, 1, 1}, {BLOCK, 1, 1}}, kernel);
    return true;
}

static const struct workload_result results[] = {
    INTEGERS("result", hst_atomic, result), INTEGERS("data", hst_atomic, data), {0}};

static bool hst_atomic_plain(void *self, void *const expected[]) {
    const struct hst_atomic *k = self;
    uint32_t *result = expected[0];
    uint8_t *data = expected[1];
    histogram_fill(data, k->bytes, k->seed);
    for (unsigned i = 0; i < k->bytes; i++) {
        result[data[i]]++;
    }
    return true;
}

static void hst_atomic_expect(const void *self, unsigned line_bytes,
                              struct workload_expectation *e) {
    const struct hst_atomic *k = self;
    const uint64_t words = k->bytes / 4 / WARP_SIZE; /* of a warp */
    *e = (struct workload_expectation){.warp_instructions = BINS / WARP_SIZE * 3 +
                                                            CTAS * BLOCK / WARP_SIZE * 4 +
                                                            words * (2 + 4 * 4 + 3)};
    e->thread_instructions = e->warp_instructions * WARP_SIZE;
    e->global_read_accesses = words * host_row_lines(line_bytes);
    e->global_write_accesses = BINS / WARP_SIZE * host_row_lines(line_bytes);
}

const struct workload workload_hst_atomic = {
    .name = "hst-atomic",
    .suite = "sdk",
    .about = "histogram of 256 bins in one table, with atomics in global memory",
    .size_text = {[SIZE_TINY] = "64 KB", [SIZE_SMALL] = "1 MB", [SIZE_PAPER] = "64 MB"},
    .bytes = sizeof(struct hst_atomic),
    .open = hst_atomic_open,
    .results = results,
    .plain = hst_atomic_plain,
    .expect = hst_atomic_expect,
};
