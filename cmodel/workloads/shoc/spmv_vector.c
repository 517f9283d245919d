/* SPDX-License-Identifier: Apache-2.0
 *
 * SHOC SPMV, vector: out = matrix * vec, a warp a row. Lanes read neighbours of cols and val, 128
 * bytes that begin anywhere: one or two lines, none twice. vec goes through the texture cache. The
 * 32 partial sums are added in shared memory, in lock-step without barriers, so each step loads and
 * stores its operands.
 *
 * One launch of floats, with spmv-scalar's matrices. DAWS has this kernel in its section 7.2 only,
 * with the matrix of 8192 rows, which is small there.
 */
#include "workloads/common/lines.h"
#include "workloads/shoc/csr.h"
#include "workloads/workloads.h"

#define ROWS_A_CTA (CSR_BLOCK / WARP_SIZE)

enum {
    R_LANE,
    R_ROW,
    R_PREDICATE,
    R_ROW_ADDRESS,
    R_SUM,
    R_J,
    R_END,
    R_COL_ADDRESS,
    R_VAL_ADDRESS,
    R_COL,
    R_VAL,
    R_X,
    R_PARTIAL_ADDRESS,
    R_OTHER,
    R_OUT_ADDRESS
};

#define VECTOR(I) \
    I(ALU, LANE, OP_INT_ADD, R_LANE, REG_NONE) \
    I(ALU, WARP, OP_INT_ADD, R_ROW, REG_NONE) \
    I(ALU, ROW, OP_INT_MAD, R_ROW, R_ROW) \
    I(ALU, COMPARE_ROW, OP_INT_ADD, R_PREDICATE, R_ROW) \
    I(BRANCH, GUARD, R_PREDICATE) \
    I(ALU, ROW_ADDRESS, OP_INT_MAD, R_ROW_ADDRESS, R_ROW) \
    I(LOAD, LOAD_START, SPACE_GLOBAL, 4, R_J, R_ROW_ADDRESS) \
    I(LOAD, LOAD_END, SPACE_GLOBAL, 4, R_END, R_ROW_ADDRESS) \
    I(ALU, ZERO, OP_FP_ADD, R_SUM, REG_NONE) \
    I(ALU, FIRST, OP_INT_ADD, R_J, R_J, R_LANE) \
    I(ALU, COMPARE_EMPTY, OP_INT_ADD, R_PREDICATE, R_J, R_END) \
    I(BRANCH, SKIP_EMPTY, R_PREDICATE) \
    I(ALU, COL_ADDRESS, OP_INT_MAD, R_COL_ADDRESS, R_J) \
    I(ALU, VAL_ADDRESS, OP_INT_MAD, R_VAL_ADDRESS, R_J) \
    I(LOOP, EACH) \
    I(LOAD, LOAD_COL, SPACE_GLOBAL, 4, R_COL, R_COL_ADDRESS) \
    I(LOAD, LOAD_VAL, SPACE_GLOBAL, 4, R_VAL, R_VAL_ADDRESS) \
    I(LOAD, FETCH_X, SPACE_TEXTURE, 4, R_X, R_COL) \
    I(ALU, FMA, OP_FP_MAD, R_SUM, R_VAL, R_X, R_SUM) \
    I(ALU, NEXT_COL, OP_INT_ADD, R_COL_ADDRESS, R_COL_ADDRESS) \
    I(ALU, NEXT_VAL, OP_INT_ADD, R_VAL_ADDRESS, R_VAL_ADDRESS) \
    I(ALU, COMPARE, OP_INT_ADD, R_PREDICATE, R_COL_ADDRESS, R_END) \
    I(BRANCH, AGAIN, R_PREDICATE) \
    I(ALU, PARTIAL_ADDRESS, OP_INT_MAD, R_PARTIAL_ADDRESS, REG_NONE) \
    I(STORE, STORE_PARTIAL, SPACE_SHARED, 4, R_SUM, R_PARTIAL_ADDRESS) \
    I(ALU, COMPARE_LANE, OP_INT_ADD, R_PREDICATE, R_LANE) \
    I(BRANCH, ADD_BRANCH, R_PREDICATE) \
    I(LOAD, LOAD_OTHER, SPACE_SHARED, 4, R_OTHER, R_PARTIAL_ADDRESS) \
    I(LOAD, LOAD_OWN, SPACE_SHARED, 4, R_SUM, R_PARTIAL_ADDRESS) \
    I(ALU, ADD, OP_FP_ADD, R_SUM, R_SUM, R_OTHER) \
    I(STORE, STORE_OWN, SPACE_SHARED, 4, R_SUM, R_PARTIAL_ADDRESS) \
    I(ALU, COMPARE_FIRST, OP_INT_ADD, R_PREDICATE, R_LANE) \
    I(BRANCH, WRITE_BRANCH, R_PREDICATE) \
    I(ALU, OUT_ADDRESS, OP_INT_MAD, R_OUT_ADDRESS, R_ROW) \
    I(LOAD, LOAD_RESULT, SPACE_SHARED, 4, R_SUM, R_PARTIAL_ADDRESS) \
    I(STORE, STORE_OUT, SPACE_GLOBAL, 4, R_SUM, R_OUT_ADDRESS)
SIMT_CODE(spmv_vector, VECTOR, .registers = 16, .shared_bytes = CSR_BLOCK * 4);

/* for (j = rows[row] + lane; j < rows[row + 1]; j += 32) sum += val[j] * vec[cols[j]]; */
static void sum_lanes(struct simt *s, const struct csr_program *k, int32_t *j, const int32_t *end,
                      float *sum) {
    int32_t col[CSR_BLOCK];
    float val[CSR_BLOCK], x[CSR_BLOCK];
    struct simt_mask left;

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
                j[t] += WARP_SIZE;
            }
            simt_alus(s, NEXT_VAL, COMPARE);
            SIMT_WHERE(s, left, t, j[t] < end[t]);
            simt_while(s, AGAIN, &left);
        }
    }
}

/* for (half = 16; half; half /= 2) if (lane < half) partial[t] += partial[t + half]; */
static void add_lanes(struct simt *s, float *sum) {
    struct buffer partial = simt_shared(s, 0, CSR_BLOCK, 4);
    float other[CSR_BLOCK];
    struct simt_mask low;

    simt_alu(s, PARTIAL_ADDRESS);
    simt_store(s, STORE_PARTIAL, sum, &partial, element_x(0, 1));
    for (unsigned half = WARP_SIZE / 2; half; half /= 2) {
        simt_alu(s, COMPARE_LANE);
        SIMT_WHERE(s, low, t, t % WARP_SIZE < half);
        SIMT_IF(s, ADD_BRANCH, &low) {
            simt_load(s, LOAD_OTHER, other, &partial, element_x(half, 1));
            simt_load(s, LOAD_OWN, sum, &partial, element_x(0, 1));
            SIMT_ALU(s, ADD, t) {
                sum[t] += other[t];
            }
            simt_store(s, STORE_OWN, sum, &partial, element_x(0, 1));
        }
    }
}

static void kernel(struct simt *s, const void *arguments) {
    const struct csr_program *k = arguments;
    int32_t row[CSR_BLOCK], next[CSR_BLOCK], j[CSR_BLOCK], end[CSR_BLOCK];
    float sum[CSR_BLOCK];
    struct simt_mask inside, first;

    SIMT_EACH(s, t) {
        row[t] = (int32_t)(s->cta[0] * ROWS_A_CTA + t / WARP_SIZE);
        next[t] = row[t] + 1;
    }
    simt_alus(s, LANE, COMPARE_ROW);
    SIMT_WHERE(s, inside, t, row[t] < (int32_t)k->n);
    SIMT_IF(s, GUARD, &inside) {
        simt_alu(s, ROW_ADDRESS);
        simt_load(s, LOAD_START, j, &k->rows, element_lane(row));
        simt_load(s, LOAD_END, end, &k->rows, element_lane(next));
        SIMT_ALU(s, ZERO, t) {
            sum[t] = 0;
        }
        SIMT_ALU(s, FIRST, t) {
            j[t] += (int32_t)(t % WARP_SIZE);
        }
        simt_alu(s, COMPARE_EMPTY);
        sum_lanes(s, k, j, end, sum);
        add_lanes(s, sum);
        simt_alu(s, COMPARE_FIRST);
        SIMT_WHERE(s, first, t, t % WARP_SIZE == 0);
        SIMT_IF(s, WRITE_BRANCH, &first) {
            struct buffer partial = simt_shared(s, 0, CSR_BLOCK, 4);
            simt_alu(s, OUT_ADDRESS);
            simt_load(s, LOAD_RESULT, sum, &partial, element_x(0, 1));
            simt_store(s, STORE_OUT, sum, &k->out, element_lane(row));
        }
    }
}

static const unsigned sizes[] = {
    [SIZE_TINY] = 2048,
    [SIZE_SMALL] = 8192,
    [SIZE_PAPER_DAWS] = 8192,
};

static bool vector_open(void *self, enum workload_size size, uint64_t seed) {
    return csr_open(self, sizes[size], seed, &spmv_vector_code, kernel, CSR_BLOCK / ROWS_A_CTA);
}

/* The sum of a row in 32 parts, which are added in pairs as a tree. */
static float row_sum(const struct csr_program *k, uint32_t row) {
    const int32_t *rows = k->rows.data, *cols = k->cols.data;
    const float *val = k->val.data, *vec = k->vec.data;
    float part[WARP_SIZE] = {0};
    for (int32_t j = rows[row]; j < rows[row + 1]; j++) {
        part[(j - rows[row]) % WARP_SIZE] += val[j] * vec[cols[j]];
    }
    for (unsigned parts = WARP_SIZE; parts > 1; parts /= 2) {
        for (unsigned i = 0; i < parts / 2; i++) {
            part[i] += part[i + parts / 2];
        }
    }
    return part[0];
}

static const struct workload_result results[] = {FLOATS("out", csr_program, out), {0}};

static bool vector_plain(void *self, void *const expected[]) {
    struct csr_program *k = self;
    float *out = expected[0];
    for (uint32_t i = 0; i < k->n; i++) {
        out[i] = row_sum(k, i);
    }
    return true;
}

/* All lanes: 12 before the loop, 2 of the partial sums, 2 a step and 2 at the end. A step has 4
 * more of half the lanes of the one before, 31 in all; lane 0 has 3 more at the end. */
static void vector_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct csr_program *k = self;
    const int32_t *rows = k->rows.data;
    const uint64_t warps = k->n, all = 12 + 2 + 5 * 2 + 2;
    *e = (struct workload_expectation){
        .warp_instructions = warps * (all + 5 * 4 + 3),
        .thread_instructions = warps * (all * WARP_SIZE + 31 * 4 + 3),
        .global_read_accesses = warps * 2,
        .global_write_accesses = warps,
    };
    for (uint32_t i = 0; i < k->n; i++) {
        const uint64_t length = (uint64_t)(rows[i + 1] - rows[i]);
        const uint64_t trips = (length + WARP_SIZE - 1) / WARP_SIZE;
        e->warp_instructions += 8 * trips + (length ? 2 : 0);
        e->thread_instructions += 8 * length + 2 * (length < WARP_SIZE ? length : WARP_SIZE);
        for (uint64_t done = 0; done < length; done += WARP_SIZE) {
            const uint64_t lanes = length - done < WARP_SIZE ? length - done : WARP_SIZE;
            e->global_read_accesses +=
                2 * lines_of_run((uint64_t)rows[i] + done, lanes, 4, line_bytes);
        }
    }
}

const struct workload workload_spmv_vector = {
    .name = "spmv-vector",
    .suite = "shoc",
    .about = "sparse matrix times vector, a warp a row: coalesced, nothing reused but the vector",
    .size_text = {[SIZE_TINY] = "2048 rows of 20",
                  [SIZE_SMALL] = "8192 rows of 82",
                  [SIZE_PAPER_DAWS] = "8192 rows of 82"},
    .bytes = sizeof(struct csr_program),
    .open = vector_open,
    .results = results,
    .plain = vector_plain,
    .expect = vector_expect,
};
