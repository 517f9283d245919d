/* SPDX-License-Identifier: Apache-2.0
 *
 * SHOC SPMV, scalar: out = matrix * vec, a thread a row. Each lane walks its own row: the loads of
 * cols and val touch a line a lane, which the same lane uses for 32 iterations, 64 lines that a
 * warp wants to keep. vec goes through the texture cache.
 *
 * One launch of floats, as in a variant of the suite's program that is cut for simulation; SHOC
 * runs it 100 times to measure. DAWS names the matrix of its section 7.2 only, of 8192 rows, which
 * is small here. For the others its size is that variant's, 16384 rows: with it a run has more than
 * the 14 million thread instructions that the paper names as the least, with 8192 rows it has not.
 */
#include "workloads/common/lines.h"
#include "workloads/shoc/csr.h"
#include "workloads/workloads.h"

enum {
    R_ROW,
    R_PREDICATE,
    R_ROW_ADDRESS,
    R_SUM,
    R_START,
    R_END,
    R_COL_ADDRESS,
    R_VAL_ADDRESS,
    R_COL,
    R_VAL,
    R_X,
    R_OUT_ADDRESS
};

#define SCALAR(I) \
    I(ALU, ROW, OP_INT_MAD, R_ROW, REG_NONE) \
    I(ALU, COMPARE_ROW, OP_INT_ADD, R_PREDICATE, R_ROW) \
    I(BRANCH, GUARD, R_PREDICATE) \
    I(ALU, ROW_ADDRESS, OP_INT_MAD, R_ROW_ADDRESS, R_ROW) \
    I(LOAD, LOAD_START, SPACE_GLOBAL, 4, R_START, R_ROW_ADDRESS) \
    I(LOAD, LOAD_END, SPACE_GLOBAL, 4, R_END, R_ROW_ADDRESS) \
    I(ALU, ZERO, OP_FP_ADD, R_SUM, REG_NONE) \
    I(ALU, COMPARE_EMPTY, OP_INT_ADD, R_PREDICATE, R_START, R_END) \
    I(BRANCH, SKIP_EMPTY, R_PREDICATE) \
    I(ALU, COL_ADDRESS, OP_INT_MAD, R_COL_ADDRESS, R_START) \
    I(ALU, VAL_ADDRESS, OP_INT_MAD, R_VAL_ADDRESS, R_START) \
    I(LOOP, EACH) \
    I(LOAD, LOAD_COL, SPACE_GLOBAL, 4, R_COL, R_COL_ADDRESS) \
    I(LOAD, LOAD_VAL, SPACE_GLOBAL, 4, R_VAL, R_VAL_ADDRESS) \
    I(LOAD, FETCH_X, SPACE_TEXTURE, 4, R_X, R_COL) \
    I(ALU, FMA, OP_FP_MAD, R_SUM, R_VAL, R_X, R_SUM) \
    I(ALU, NEXT_COL, OP_INT_ADD, R_COL_ADDRESS, R_COL_ADDRESS) \
    I(ALU, NEXT_VAL, OP_INT_ADD, R_VAL_ADDRESS, R_VAL_ADDRESS) \
    I(ALU, COMPARE, OP_INT_ADD, R_PREDICATE, R_COL_ADDRESS, R_END) \
    I(BRANCH, AGAIN, R_PREDICATE) \
    I(ALU, OUT_ADDRESS, OP_INT_MAD, R_OUT_ADDRESS, R_ROW) \
    I(STORE, STORE_OUT, SPACE_GLOBAL, 4, R_SUM, R_OUT_ADDRESS)
SIMT_CODE(spmv_scalar, SCALAR, .registers = 14);

/* for (j = rows[row]; j < rows[row + 1]; j++) sum += val[j] * vec[cols[j]]; */
static void kernel(struct simt *s, const void *arguments) {
    const struct csr_program *k = arguments;
    const int64_t row = (int64_t)s->cta[0] * CSR_BLOCK; /* of thread 0 */
    int32_t j[CSR_BLOCK], end[CSR_BLOCK], col[CSR_BLOCK];
    float val[CSR_BLOCK], x[CSR_BLOCK], sum[CSR_BLOCK];
    struct simt_mask inside, left;

    simt_alus(s, ROW, COMPARE_ROW);
    SIMT_WHERE(s, inside, t, row + t < k->n);
    SIMT_IF(s, GUARD, &inside) {
        simt_alu(s, ROW_ADDRESS);
        simt_load(s, LOAD_START, j, &k->rows, element_x(row, 1));
        simt_load(s, LOAD_END, end, &k->rows, element_x(row + 1, 1));
        SIMT_ALU(s, ZERO, t) {
            sum[t] = 0;
        }
        simt_alu(s, COMPARE_EMPTY);
        SIMT_WHERE(s, left, t, j[t] < end[t]);
        SIMT_IF(s, SKIP_EMPTY, &left) {
            simt_alus(s, COL_ADDRESS, VAL_ADDRESS);
            SIMT_LOOP(s, EACH) {
                simt_load(s, LOAD_COL, col, &k->cols, element_lane(j));
                simt_load(s, LOAD_VAL, val, &k->val, element_lane(j));
                simt_load(s, FETCH_X, x, &k->vec, element_lane(col));
                SIMT_ALU(s, FMA, t) {
                    sum[t] += val[t] * x[t];
                }
                SIMT_ALU(s, NEXT_COL, t) {
                    j[t]++;
                }
                simt_alus(s, NEXT_VAL, COMPARE);
                SIMT_WHERE(s, left, t, j[t] < end[t]);
                simt_while(s, AGAIN, &left);
            }
        }
        simt_alu(s, OUT_ADDRESS);
        simt_store(s, STORE_OUT, sum, &k->out, element_x(row, 1));
    }
}

static const unsigned sizes[] = {
    [SIZE_TINY] = 2048,
    [SIZE_SMALL] = 8192,
    [SIZE_PAPER_DAWS] = 16384,
};

static bool scalar_open(void *self, enum workload_size size, uint64_t seed) {
    return csr_open(self, sizes[size], seed, &spmv_scalar_code, kernel, 1);
}

static const struct workload_result results[] = {FLOATS("out", csr_program, out), {0}};

static bool scalar_plain(void *self, void *const expected[]) {
    struct csr_program *k = self;
    float *out = expected[0];
    const int32_t *rows = k->rows.data, *cols = k->cols.data;
    const float *val = k->val.data, *vec = k->vec.data;
    for (uint32_t i = 0; i < k->n; i++) {
        for (int32_t j = rows[i]; j < rows[i + 1]; j++) {
            out[i] += val[j] * vec[cols[j]];
        }
    }
    return true;
}

/* 11 instructions of all lanes; 2 more and 8 an iteration of those whose row is not empty. */
static void expect_warp(const struct csr_program *k, uint32_t first, unsigned line_bytes,
                        struct workload_expectation *e) {
    const int32_t *rows = (const int32_t *)k->rows.data + first;
    int32_t longest = 0;
    for (unsigned i = 0; i < WARP_SIZE; i++) {
        const int32_t length = rows[i + 1] - rows[i];
        longest = length > longest ? length : longest;
        e->thread_instructions += 11 + 8 * (uint64_t)length + (length ? 2 : 0);
    }
    e->warp_instructions += 11 + 8 * (uint64_t)longest + (longest ? 2 : 0);
    for (int32_t trip = 0; trip < longest; trip++) {
        struct line_set lines = {.count = 0};
        for (unsigned i = 0; i < WARP_SIZE; i++) {
            if (rows[i] + trip < rows[i + 1]) {
                line_set_add(&lines, (uint64_t)(rows[i] + trip), 4, line_bytes);
            }
        }
        e->global_read_accesses += 2 * lines.count;
    }
}

static void scalar_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct csr_program *k = self;
    const uint64_t warps = k->n / WARP_SIZE, lines = host_row_lines(line_bytes);
    *e = (struct workload_expectation){
        /* The end is one element further than the start: a line more. */
        .global_read_accesses = warps * (lines + lines + 1),
        .global_write_accesses = warps * lines,
    };
    for (uint32_t first = 0; first < k->n; first += WARP_SIZE) {
        expect_warp(k, first, line_bytes, e);
    }
}

const struct workload workload_spmv_scalar = {
    .name = "spmv-scalar",
    .suite = "shoc",
    .about = "sparse matrix times vector, a thread a row: 64 lines that each warp reuses",
    .size_text = {[SIZE_TINY] = "2048 rows of 20",
                  [SIZE_SMALL] = "8192 rows of 82",
                  [SIZE_PAPER_DAWS] = "16384 rows of 164"},
    .bytes = sizeof(struct csr_program),
    .open = scalar_open,
    .results = results,
    .plain = scalar_plain,
    .expect = scalar_expect,
};
