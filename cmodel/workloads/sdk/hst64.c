/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA SDK histogram64: how often each value of a byte's upper six bits occurs in random bytes. A
 * block of 64 threads has a counter of one byte a thread and bin, 4 KB, and a thread loads at most
 * 15 words of 16 bytes, so that none overflows; in the end a thread adds up the counters of a bin
 * (sdk/histogram.h has the rest). Threads are permuted within a bin, so that a warp finds its
 * counters of one bin in different banks.
 *
 * hst-64 keeps the counters in shared memory: what is left are whole lines of input.
 *
 * hst-global keeps them in a global table of 4 KB a block, and the sums of the second launch in a
 * global scratch, the rest unchanged, barriers too: the data-cache version. MDB takes its
 * histogram from a study of software- against hardware-managed caches, which derives data-cache
 * versions from those with shared memory and keeps their tiling; this one is derived mechanically.
 * MDB does not give the number of bins. It is 64 here, because each thread has its own counters:
 * they need neither atomics nor loads that bypass the L1, as the other histogram's tagged counters
 * do when another lane has changed them. A warp changes about 20 of its table's 32 lines a byte and
 * comes back to them with the next, and eight blocks need 32 KB: an L1 of 16 KB serves some of it,
 * and more with fewer warps at once. MDB has its histogram in the class of high contention; here an
 * L1 of 8 MB gains 22 % (docs/mdb_machine.md).
 *
 * 64 MB as in the suite, for either.
 */
#include "workloads/sdk/histogram.h"
#include "workloads/workloads.h"

#define BLOCK 64
#define BINS 64
#define WORDS_A_THREAD 15 /* of 16 bytes: 240 fit a counter */
#define TABLE (BINS * BLOCK)
#define ZERO_WORDS (TABLE / 4 / BLOCK) /* a thread */
#define SLOT_INSNS 6                   /* SLOT: a thread's place in a bin */

static const unsigned sizes[] = {
    [SIZE_TINY] = 128 << 10, [SIZE_SMALL] = 16 << 20, [SIZE_PAPER] = 64 << 20};
static const unsigned global_sizes[] = {
    [SIZE_TINY] = 64 << 10, [SIZE_SMALL] = 2 << 20, [SIZE_PAPER_MDB] = 64 << 20};

struct word {
    uint32_t part[4];
};

enum { R_SLOT, R_I, R_ZERO, R_PREDICATE, R_ADDRESS, R_WORD, R_BYTE, R_COUNT, R_SUM, R_PART };

/* @space: of the counters. */
#define HISTOGRAM(I, space) \
    I(ALU, SLOT, OP_INT_ADD, R_SLOT, R_SLOT) \
    I(ALU, ZERO, OP_INT_ADD, R_ZERO, REG_NONE) \
    I(ALU, ZERO_ADDRESS, OP_INT_MAD, R_ADDRESS, R_SLOT) \
    I(STORE, PUT_ZERO, space, 4, R_ZERO, R_ADDRESS) \
    I(BARRIER, CLEARED) \
    I(ALU, FIRST, OP_INT_MAD, R_I, REG_NONE) \
    I(ALU, FIRST_COMPARE, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, GUARD, R_PREDICATE) \
    I(LOOP, WORDS) \
    I(ALU, WORD_ADDRESS, OP_INT_MAD, R_ADDRESS, R_I) \
    I(LOAD, LOAD_WORD, SPACE_GLOBAL, 16, R_WORD, R_ADDRESS) \
    I(ALU, SHIFT, OP_INT_ADD, R_BYTE, R_WORD) \
    I(ALU, AND, OP_INT_ADD, R_BYTE, R_BYTE) \
    I(ALU, COUNT_ADDRESS, OP_INT_MAD, R_ADDRESS, R_BYTE, R_SLOT) \
    I(LOAD, GET_COUNT, space, 1, R_COUNT, R_ADDRESS) \
    I(ALU, INCREMENT, OP_INT_ADD, R_COUNT, R_COUNT) \
    I(STORE, PUT_COUNT, space, 1, R_COUNT, R_ADDRESS) \
    I(ALU, NEXT, OP_INT_ADD, R_I, R_I) \
    I(ALU, COMPARE, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, AGAIN, R_PREDICATE) \
    I(BARRIER, COUNTED) \
    I(ALU, SUM_ZERO, OP_INT_ADD, R_SUM, REG_NONE) \
    I(ALU, SUM_FIRST, OP_INT_ADD, R_I, REG_NONE) \
    I(ALU, SUM_ADDRESS, OP_INT_MAD, R_ADDRESS, R_I) \
    I(LOOP, SUMS) \
    I(LOAD, GET_PART_0, space, 1, R_PART, R_ADDRESS) \
    I(LOAD, GET_PART_1, space, 1, R_PART + 1, R_ADDRESS) \
    I(LOAD, GET_PART_2, space, 1, R_PART + 2, R_ADDRESS) \
    I(LOAD, GET_PART_3, space, 1, R_PART + 3, R_ADDRESS) \
    I(ALU, ADD_PART_0, OP_INT_ADD, R_SUM, R_SUM, R_PART) \
    I(ALU, ADD_PART_1, OP_INT_ADD, R_SUM, R_SUM, R_PART + 1) \
    I(ALU, ADD_PART_2, OP_INT_ADD, R_SUM, R_SUM, R_PART + 2) \
    I(ALU, ADD_PART_3, OP_INT_ADD, R_SUM, R_SUM, R_PART + 3) \
    I(ALU, SUM_NEXT, OP_INT_ADD, R_ADDRESS, R_ADDRESS) \
    I(ALU, SUM_WRAP, OP_INT_ADD, R_ADDRESS, R_ADDRESS) \
    I(ALU, SUM_COUNT, OP_INT_ADD, R_I, R_I) \
    I(ALU, SUM_COMPARE, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, SUM_AGAIN, R_PREDICATE) \
    I(ALU, PARTIAL_ADDRESS, OP_INT_MAD, R_ADDRESS, REG_NONE) \
    I(STORE, STORE_PARTIAL, SPACE_GLOBAL, 4, R_SUM, R_ADDRESS)
#define SHARED_CODE(I) HISTOGRAM(I, SPACE_SHARED)
SIMT_CODE(histogram64, SHARED_CODE, .registers = 14, .shared_bytes = TABLE);

static const struct insn global_insns[] = {HISTOGRAM(INSN_ROW, SPACE_GLOBAL)};
static const struct kernel_code histogram64_global_code = {.name = "histogram64_global",
                                                           .insns = global_insns,
                                                           .insn_count = sizeof global_insns /
                                                                         sizeof *global_insns,
                                                           .registers = 14};

/* A block's counters: bytes from element base on; and as words, to clear them. */
struct table {
    struct buffer bytes, words;
    int64_t base;
};

static struct table table_of(struct simt *s, const struct histogram *k) {
    if (!k->form->table_bytes) {
        return (struct table){simt_shared(s, 0, TABLE, 1), simt_shared(s, 0, TABLE / 4, 4), 0};
    }
    struct buffer words = k->table;
    words.width = 4;
    words.count /= 4;
    return (struct table){k->table, words, (int64_t)s->cta[0] * TABLE};
}

/* Threads 0, 16, 32, 48 are the bytes of a bin's first word, and so on. */
static unsigned slot_of(unsigned thread) {
    return thread % 16 * 4 + thread / 16;
}

static void count_word(struct simt *s, const struct table *table, const struct word *word) {
    int32_t at[SIMT_THREADS];
    uint8_t count[SIMT_THREADS];
    const struct element e = {.base = table->base, .scale = 1, .lane = at};

    for (unsigned i = 0; i < sizeof *word; i++) {
        simt_alus(s, SHIFT, AND);
        SIMT_ALU(s, COUNT_ADDRESS, t) {
            const uint32_t byte = word[t].part[i / 4] >> i % 4 * 8 & 0xff;
            at[t] = (int32_t)(byte / (256 / BINS) * BLOCK + slot_of(t));
        }
        simt_load(s, GET_COUNT, count, &table->bytes, e);
        SIMT_ALU(s, INCREMENT, t) {
            count[t]++;
        }
        simt_store(s, PUT_COUNT, count, &table->bytes, e);
    }
}

/* A thread adds up a bin, four counters a step, and begins at a bank of its own. */
static void add_up(struct simt *s, const struct histogram *k, const struct table *table) {
    int32_t at[SIMT_THREADS];
    uint8_t count[4][SIMT_THREADS];
    uint32_t sum[SIMT_THREADS] = {0};

    simt_alus(s, SUM_ZERO, SUM_ADDRESS);
    SIMT_FOR(s, SUMS, i, BLOCK / 4) {
        for (unsigned j = 0; j < 4; j++) {
            SIMT_EACH(s, t) {
                at[t] = (int32_t)(t * BLOCK + (t % 16 + i) * 4 % BLOCK + j);
            }
            simt_load(s, GET_PART_0 + j, count[j], &table->bytes,
                      (struct element){.base = table->base, .scale = 1, .lane = at});
        }
        for (unsigned j = 0; j < 4; j++) {
            SIMT_ALU(s, ADD_PART_0 + j, t) {
                sum[t] += count[j][t];
            }
        }
        simt_alus(s, SUM_NEXT, SUM_AGAIN);
    }
    simt_alu(s, PARTIAL_ADDRESS);
    simt_store(s, STORE_PARTIAL, sum, &k->partial, element_x((int64_t)s->cta[0] * BINS, 1));
}

static void kernel(struct simt *s, const void *arguments) {
    const struct histogram *k = arguments;
    const struct table table = table_of(s, k);
    const unsigned threads = k->ctas * BLOCK, first = s->cta[0] * BLOCK; /* of thread 0 */
    const uint32_t zero[SIMT_THREADS] = {0};
    struct word word[SIMT_THREADS];
    struct simt_mask lanes;

    simt_work(s, SLOT, SLOT_INSNS);
    simt_alus(s, ZERO, ZERO_ADDRESS);
    for (unsigned i = 0; i < ZERO_WORDS; i++) {
        simt_store(s, PUT_ZERO, zero, &table.words, element_x(table.base / 4 + i * BLOCK, 1));
    }
    simt_barrier(s, CLEARED);
    simt_alus(s, FIRST, FIRST_COMPARE);
    SIMT_WHERE(s, lanes, t, first + t < k->data.count);
    SIMT_IF(s, GUARD, &lanes) {
        unsigned i = first;
        SIMT_LOOP(s, WORDS) {
            simt_alu(s, WORD_ADDRESS);
            simt_load(s, LOAD_WORD, word, &k->data, element_x(i, 1));
            count_word(s, &table, word);
            simt_alus(s, NEXT, COMPARE);
            i += threads;
            SIMT_WHERE(s, lanes, t, i + t < k->data.count);
            simt_while(s, AGAIN, &lanes);
        }
    }
    simt_barrier(s, COUNTED);
    add_up(s, k, &table);
}

static const struct histogram_form shared_form = {.bins = BINS,
                                                  .word = sizeof(struct word),
                                                  .block = BLOCK,
                                                  .bytes_a_cta =
                                                      BLOCK * WORDS_A_THREAD * sizeof(struct word),
                                                  .code = &histogram64_code,
                                                  .kernel = kernel};
static const struct histogram_form global_form = {.bins = BINS,
                                                  .word = sizeof(struct word),
                                                  .block = BLOCK,
                                                  .bytes_a_cta =
                                                      BLOCK * WORDS_A_THREAD * sizeof(struct word),
                                                  .code = &histogram64_global_code,
                                                  .kernel = kernel,
                                                  .table_bytes = TABLE};

static bool hst_64_open(void *self, enum workload_size size, uint64_t seed) {
    return histogram_open(self, &shared_form, sizes[size], seed);
}

static bool hst_global_open(void *self, enum workload_size size, uint64_t seed) {
    return histogram_open(self, &global_form, global_sizes[size], seed);
}

/* Lines of the table that a warp touches with byte @i of its words, which begin at @data; its
 * first thread of the block is @thread. */
static unsigned table_lines(const uint8_t *data, unsigned i, unsigned thread, unsigned line_bytes) {
    uint64_t touched[2] = {0};
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        const unsigned bin = data[lane * sizeof(struct word) + i] / (256 / BINS);
        const unsigned line = (bin * BLOCK + slot_of(thread + lane)) / line_bytes;
        touched[line / 64] |= UINT64_C(1) << line % 64;
    }
    return (unsigned)(__builtin_popcountll(touched[0]) + __builtin_popcountll(touched[1]));
}

static void expect_table(const struct histogram *k, unsigned line_bytes,
                         struct workload_expectation *e) {
    const uint8_t *data = k->data.data;
    const uint64_t warps = k->ctas * (BLOCK / WARP_SIZE);
    uint64_t lines = 0;
    for (unsigned w = 0; w < k->bytes / sizeof(struct word); w += WARP_SIZE) {
        for (unsigned i = 0; i < sizeof(struct word); i++) {
            lines += table_lines(data + (size_t)w * sizeof(struct word), i, w % BLOCK, line_bytes);
        }
    }
    e->global_read_accesses += lines;
    e->global_write_accesses += lines;
    /* A bin is 64 bytes, of which a lane reads one. */
    const unsigned apart = line_bytes < BLOCK ? BLOCK : line_bytes;
    e->global_read_accesses += warps * BLOCK * (WARP_SIZE * BLOCK / apart);
    e->global_write_accesses += warps * ZERO_WORDS * host_row_lines(line_bytes);
}

static void hst_64_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct histogram *k = self;
    for (unsigned thread = 0; thread < k->ctas * BLOCK; thread += WARP_SIZE) {
        const unsigned trips = histogram_trips(k, thread);
        e->warp_instructions += SLOT_INSNS + 2 + ZERO_WORDS + 1 + 3 + 1 + 3 +
                                BLOCK / 4 * (4 * 2 + 5) + 2 +
                                trips * (2 + sizeof(struct word) * 6 + 3);
        e->global_read_accesses += trips * sizeof(struct word) / 4 * host_row_lines(line_bytes);
        e->global_write_accesses += host_row_lines(line_bytes);
    }
    e->thread_instructions = e->warp_instructions * WARP_SIZE;
    if (k->form->table_bytes) {
        expect_table(k, line_bytes, e);
    }
    histogram_expect_merge(k, line_bytes, e);
}

const struct workload workload_hst_64 = {
    .name = "hst-64",
    .suite = "sdk",
    .about = "histogram of 64 bins, a counter a thread in shared memory",
    .size_text = {[SIZE_TINY] = "128 KB", [SIZE_SMALL] = "16 MB", [SIZE_PAPER] = "64 MB"},
    .bytes = sizeof(struct histogram),
    .open = hst_64_open,
    .results = histogram_results,
    .plain = histogram_plain,
    .expect = hst_64_expect,
};

const struct workload workload_hst_global = {
    .name = "hst-global",
    .suite = "sdk",
    .about = "hst-64 with the counters in global memory: 4 KB a block through the data cache",
    .size_text = {[SIZE_TINY] = "64 KB", [SIZE_SMALL] = "2 MB", [SIZE_PAPER_MDB] = "64 MB"},
    .bytes = sizeof(struct histogram),
    .open = hst_global_open,
    .results = histogram_results,
    .plain = histogram_plain,
    .expect = hst_64_expect,
};
