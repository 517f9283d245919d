/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA SDK histogram256: how often each byte occurs. A warp has a table of 256 counters in shared
 * memory, so a block of six has 6 KB. Lanes that meet in a counter take turns without atomics: each
 * writes its count with its number in the upper five bits, reads what is there, and tries again if
 * another lane's write has won (sdk/histogram.h has the rest). Global accesses are whole lines of
 * input, a word a thread. 64 MB as in the suite; no paper names it.
 */
#include "workloads/sdk/histogram.h"
#include "workloads/workloads.h"

#define BINS 256
#define WARPS 6
#define BLOCK (WARPS * WARP_SIZE)
#define CTAS 240
#define TABLES (WARPS * BINS)
#define ZERO_WORDS (TABLES / BLOCK) /* a thread */
#define TAG_SHIFT 27
#define COUNT_BITS ((UINT32_C(1) << TAG_SHIFT) - 1)
#define PREPARE_INSNS 4 /* PREPARE: the warp's table and the lane's tag */

static const unsigned sizes[] = {
    [SIZE_TINY] = 256 << 10, [SIZE_SMALL] = 8 << 20, [SIZE_PAPER] = 64 << 20};

enum { R_BASE, R_TAG, R_I, R_PREDICATE, R_ADDRESS, R_WORD, R_BYTE, R_COUNT, R_SEEN, R_SUM };

#define HISTOGRAM(I) \
    I(ALU, PREPARE, OP_INT_ADD, R_BASE, R_BASE) \
    I(ALU, TAG, OP_INT_ADD, R_TAG, R_BASE) \
    I(ALU, ZERO, OP_INT_ADD, R_COUNT, REG_NONE) \
    I(STORE, PUT_ZERO, SPACE_SHARED, 4, R_COUNT, R_BASE) \
    I(BARRIER, CLEARED) \
    I(ALU, FIRST, OP_INT_MAD, R_I, REG_NONE) \
    I(ALU, FIRST_COMPARE, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, GUARD, R_PREDICATE) \
    I(LOOP, WORDS) \
    I(ALU, WORD_ADDRESS, OP_INT_MAD, R_ADDRESS, R_I) \
    I(LOAD, LOAD_WORD, SPACE_GLOBAL, 4, R_WORD, R_ADDRESS) \
    I(ALU, SHIFT, OP_INT_ADD, R_BYTE, R_WORD) \
    I(ALU, AND, OP_INT_ADD, R_BYTE, R_BYTE) \
    I(ALU, COUNT_ADDRESS, OP_INT_MAD, R_ADDRESS, R_BYTE, R_BASE) \
    I(LOOP, TURNS) \
    I(LOAD, GET_COUNT, SPACE_SHARED, 4, R_COUNT, R_ADDRESS) \
    I(ALU, UNTAG, OP_INT_ADD, R_COUNT, R_COUNT) \
    I(ALU, INCREMENT, OP_INT_ADD, R_COUNT, R_COUNT) \
    I(ALU, ADD_TAG, OP_INT_ADD, R_COUNT, R_COUNT, R_TAG) \
    I(STORE, PUT_COUNT, SPACE_SHARED, 4, R_COUNT, R_ADDRESS) \
    I(LOAD, GET_AGAIN, SPACE_SHARED, 4, R_SEEN, R_ADDRESS) \
    I(ALU, LOST, OP_INT_ADD, R_PREDICATE, R_SEEN, R_COUNT) \
    I(BRANCH, TRY_AGAIN, R_PREDICATE) \
    I(ALU, NEXT, OP_INT_ADD, R_I, R_I) \
    I(ALU, COMPARE, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, AGAIN, R_PREDICATE) \
    I(BARRIER, COUNTED) \
    I(ALU, FIRST_BIN, OP_INT_ADD, R_I, REG_NONE) \
    I(LOOP, BINS_LOOP) \
    I(ALU, SUM_ZERO, OP_INT_ADD, R_SUM, REG_NONE) \
    I(ALU, BIN_ADDRESS, OP_INT_MAD, R_ADDRESS, R_I) \
    I(LOAD, GET_PART, SPACE_SHARED, 4, R_COUNT, R_ADDRESS) \
    I(ALU, UNTAG_PART, OP_INT_ADD, R_COUNT, R_COUNT) \
    I(ALU, ADD_PART, OP_INT_ADD, R_SUM, R_SUM, R_COUNT) \
    I(ALU, PARTIAL_ADDRESS, OP_INT_MAD, R_ADDRESS, R_I) \
    I(STORE, STORE_PARTIAL, SPACE_GLOBAL, 4, R_SUM, R_ADDRESS) \
    I(ALU, NEXT_BIN, OP_INT_ADD, R_I, R_I) \
    I(ALU, BINS_COMPARE, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, BINS_AGAIN, R_PREDICATE)
SIMT_CODE(histogram256, HISTOGRAM, .registers = 14, .shared_bytes = TABLES * 4);

/* do { count = table[bin] & COUNT_BITS; count = (count + 1) | tag; table[bin] = count; }
 * while (table[bin] != count); */
static void count_byte(struct simt *s, const struct buffer *tables, const int32_t *bin) {
    uint32_t count[SIMT_THREADS], seen[SIMT_THREADS];
    struct simt_mask lost;

    SIMT_LOOP(s, TURNS) {
        simt_load(s, GET_COUNT, count, tables, element_lane(bin));
        simt_alus(s, UNTAG, INCREMENT);
        SIMT_ALU(s, ADD_TAG, t) {
            count[t] = ((count[t] & COUNT_BITS) + 1) | t % WARP_SIZE << TAG_SHIFT;
        }
        simt_store(s, PUT_COUNT, count, tables, element_lane(bin));
        simt_load(s, GET_AGAIN, seen, tables, element_lane(bin));
        simt_alu(s, LOST);
        SIMT_WHERE(s, lost, t, seen[t] != count[t]);
        simt_while(s, TRY_AGAIN, &lost);
    }
}

/* for (bin = thread; bin < BINS; bin += BLOCK) the sum of the warps' counters */
static void add_up(struct simt *s, const struct histogram *k, const struct buffer *tables) {
    const int64_t own = (int64_t)s->cta[0] * BINS;
    uint32_t count[SIMT_THREADS], sum[SIMT_THREADS];
    struct simt_mask left;
    unsigned bin = 0; /* of thread 0 */

    simt_alu(s, FIRST_BIN);
    SIMT_LOOP(s, BINS_LOOP) {
        SIMT_ALU(s, SUM_ZERO, t) {
            sum[t] = 0;
        }
        simt_alu(s, BIN_ADDRESS);
        for (unsigned w = 0; w < WARPS; w++) {
            simt_load(s, GET_PART, count, tables, element_x(w * BINS + bin, 1));
            simt_alu(s, UNTAG_PART);
            SIMT_ALU(s, ADD_PART, t) {
                sum[t] += count[t] & COUNT_BITS;
            }
        }
        simt_alu(s, PARTIAL_ADDRESS);
        simt_store(s, STORE_PARTIAL, sum, &k->partial, element_x(own + bin, 1));
        simt_alus(s, NEXT_BIN, BINS_COMPARE);
        bin += BLOCK;
        SIMT_WHERE(s, left, t, bin + t < BINS);
        simt_while(s, BINS_AGAIN, &left);
    }
}

static void kernel(struct simt *s, const void *arguments) {
    const struct histogram *k = arguments;
    const struct buffer tables = simt_shared(s, 0, TABLES, 4);
    const uint32_t zero[SIMT_THREADS] = {0};
    uint32_t word[SIMT_THREADS];
    int32_t bin[SIMT_THREADS];
    struct simt_mask lanes;

    simt_work(s, PREPARE, PREPARE_INSNS);
    simt_alus(s, TAG, ZERO);
    for (unsigned i = 0; i < ZERO_WORDS; i++) {
        simt_store(s, PUT_ZERO, zero, &tables, element_x(i * BLOCK, 1));
    }
    simt_barrier(s, CLEARED);
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
                    bin[t] = (int32_t)(t / WARP_SIZE * BINS + (word[t] >> j * 8 & 0xff));
                }
                count_byte(s, &tables, bin);
            }
            simt_alus(s, NEXT, COMPARE);
            i += CTAS * BLOCK;
            SIMT_WHERE(s, lanes, t, i + t < k->data.count);
            simt_while(s, AGAIN, &lanes);
        }
    }
    simt_barrier(s, COUNTED);
    add_up(s, k, &tables);
}

static bool hst_256_open(void *self, enum workload_size size, uint64_t seed) {
    static const struct histogram_form form = {.bins = BINS,
                                               .word = 4,
                                               .block = BLOCK,
                                               .ctas = CTAS,
                                               .code = &histogram256_code,
                                               .kernel = kernel};
    return histogram_open(self, &form, sizes[size], seed);
}

/* A bin that m lanes of a warp want is theirs in m turns, with m, m - 1, .. 1 of them left. */
static void expect_turns(const uint8_t *data, unsigned byte, struct workload_expectation *e) {
    uint8_t wanted[BINS] = {0};
    unsigned turns = 0, lanes = 0;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        const unsigned m = ++wanted[data[4 * lane + byte]];
        turns = m > turns ? m : turns;
        lanes += m;
    }
    e->warp_instructions += turns * 8;
    e->thread_instructions += lanes * 8;
}

static void hst_256_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct histogram *k = self;
    const uint8_t *data = k->data.data;
    const uint64_t words = k->bytes / 4 / WARP_SIZE;         /* of a warp */
    const uint64_t sums = CTAS * (uint64_t)BINS / WARP_SIZE; /* the same */
    uint64_t instructions = CTAS * WARPS * (PREPARE_INSNS + 2 + ZERO_WORDS + 1 + 3 + 1 + 1);
    instructions += words * (2 + 4 * 3 + 3) + sums * (2 + WARPS * 3 + 2 + 3);
    *e = (struct workload_expectation){.warp_instructions = instructions,
                                       .thread_instructions = instructions * WARP_SIZE};
    for (unsigned i = 0; i < k->bytes; i += 4 * WARP_SIZE) {
        for (unsigned byte = 0; byte < 4; byte++) {
            expect_turns(data + i, byte, e);
        }
    }
    e->global_read_accesses = words * host_row_lines(line_bytes);
    e->global_write_accesses = sums * host_row_lines(line_bytes);
    histogram_expect_merge(k, line_bytes, e);
}

const struct workload workload_hst_256 = {
    .name = "hst-256",
    .suite = "sdk",
    .about = "histogram of 256 bins, a table a warp in shared memory, whose lanes take turns",
    .size_text = {[SIZE_TINY] = "256 KB", [SIZE_SMALL] = "8 MB", [SIZE_PAPER] = "64 MB"},
    .bytes = sizeof(struct histogram),
    .open = hst_256_open,
    .results = histogram_results,
    .plain = histogram_plain,
    .expect = hst_256_expect,
};
