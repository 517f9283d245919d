/* SPDX-License-Identifier: Apache-2.0
 *
 * PolyBench/GPU covar: the covariance of each pair of columns, as three launches: means, data less
 * means, products (polybench/column_pairs.h).
 *
 * The second launch has a quarter of the rows: its grid is too short in the suite, by 32 for 8. The
 * release's 2048 observations are 34 G thread instructions, and 3 GB of records, since all CTAs run
 * at once: the size for MRPB and MDB, which scale where they must, has 128, with all variables, and
 * so the 8 CTAs and the strides.
 */
#include "workloads/polybench/column_pairs.h"
#include "workloads/workloads.h"

static const struct pairs_size sizes[] = {
    [SIZE_TINY] = {256, 8},
    [SIZE_SMALL] = {1024, 16},
    [SIZE_PAPER_MRPB] = {2048, 128},
    [SIZE_PAPER_MDB] = {2048, 128},
};

enum { R_J, R_I, R_PREDICATE, R_ADDRESS, R_MEAN_ADDRESS, R_DATA, R_MEAN };

#define REDUCE(I) \
    I(ALU, J, OP_INT_MAD, R_J, REG_NONE) \
    I(ALU, I_, OP_INT_MAD, R_I, REG_NONE) \
    I(ALU, INSIDE, OP_INT_ADD, R_PREDICATE, R_I, R_J) \
    I(BRANCH, GUARD, R_PREDICATE) \
    I(ALU, ADDRESS, OP_INT_MAD, R_ADDRESS, R_I, R_J) \
    I(ALU, MEAN_ADDRESS, OP_INT_MAD, R_MEAN_ADDRESS, R_J) \
    I(LOAD, LOAD_DATA, SPACE_GLOBAL, 4, R_DATA, R_ADDRESS) \
    I(LOAD, LOAD_MEAN, SPACE_GLOBAL, 4, R_MEAN, R_MEAN_ADDRESS) \
    I(ALU, SUB, OP_FP_ADD, R_DATA, R_DATA, R_MEAN) \
    I(STORE, STORE_DATA, SPACE_GLOBAL, 4, R_DATA, R_ADDRESS)
SIMT_CODE(covar_reduce, REDUCE, .registers = 10);

enum { REDUCE_ALL = 10 };

/* data[i][j] -= mean[j]; */
static void reduce(struct simt *s, const void *arguments) {
    const struct column_pairs *k = arguments;
    const int64_t j = (int64_t)s->cta[0] * s->block[0] + 1; /* of thread (0, 0) */
    const int64_t i = (int64_t)s->cta[1] * s->block[1] + 1;
    const struct element at = element_xy(i * PAIRS_STRIDE + j, 1, PAIRS_STRIDE);
    float data[SIMT_THREADS], mean[SIMT_THREADS];

    simt_alus(s, J, MEAN_ADDRESS); /* both inside, always */
    simt_load(s, LOAD_DATA, data, &k->data, at);
    simt_load(s, LOAD_MEAN, mean, &k->mean, element_xy(j, 1, 0));
    SIMT_ALU(s, SUB, t) {
        data[t] -= mean[t];
    }
    simt_store(s, STORE_DATA, data, &k->data, at);
}

/* CTAs of 8 rows: one for each 32 rows. */
static unsigned reduce_grid(const struct column_pairs *k) {
    return (k->size.observations + 31) / 32;
}

static bool covar_open(void *self, enum workload_size size, uint64_t seed) {
    (void)seed;
    struct column_pairs *k = self;
    if (!pairs_open(k, &sizes[size], false)) {
        return false;
    }
    struct host_launch launches[] = {
        pairs_mean(k), pairs_launch_reduce(k, &covar_reduce_code, reduce, reduce_grid(k)),
        pairs_products(k, true)};
    for (unsigned i = 0; i < sizeof launches / sizeof *launches; i++) {
        host_add_launch(&k->host, &launches[i]);
    }
    return true;
}

static const struct workload_result results[] = {FLOATS("mean", column_pairs, mean),
                                                 FLOATS("data", column_pairs, data),
                                                 FLOATS("symmat", column_pairs, symmat),
                                                 {0}};

static bool covar_plain(void *self, void *const expected[]) {
    const struct column_pairs *k = self;
    struct pairs_plain c = {.mean = expected[0], .data = expected[1], .symmat = expected[2]};
    pairs_plain_start(k, &c);
    for (unsigned i = 1; i <= 8 * reduce_grid(k); i++) {
        for (unsigned j = 1; j <= k->size.variables; j++) {
            c.data[(size_t)i * PAIRS_STRIDE + j] -= c.mean[j];
        }
    }
    pairs_plain_products(k, &c, true);
    return true;
}

static void covar_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct column_pairs *k = self;
    const unsigned rows = 8 * reduce_grid(k);
    const uint64_t reducing = (uint64_t)rows * k->size.variables / WARP_SIZE; /* warps */
    pairs_expect_mean(k, line_bytes, e);
    e->warp_instructions += reducing * REDUCE_ALL;
    e->thread_instructions += reducing * REDUCE_ALL * WARP_SIZE;
    for (unsigned i = 1; i <= rows; i++) {
        uint64_t lines = pairs_row_lines(k, i, line_bytes);
        e->global_read_accesses += lines + pairs_row_lines(k, 0, line_bytes);
        e->global_write_accesses += lines;
    }
    pairs_expect_products(k, true, line_bytes, e);
}

const struct workload workload_covar = {
    .name = "covar",
    .suite = "polybench",
    .about = "covariance of columns: coalesced loads, a store to 32 lines in every step",
    .size_text = {[SIZE_TINY] = "256 variables, 8 observations",
                  [SIZE_SMALL] = "1024 variables, 16 observations",
                  [SIZE_PAPER_MRPB] = "2048 variables, 128 observations (release: 2048)",
                  [SIZE_PAPER_MDB] = "2048 variables, 128 observations (release: 2048)"},
    .bytes = sizeof(struct column_pairs),
    .open = covar_open,
    .results = results,
    .plain = covar_plain,
    .expect = covar_expect,
};
