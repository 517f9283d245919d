/* SPDX-License-Identifier: Apache-2.0
 *
 * PolyBench/GPU FDTD-2D: an electromagnetic wave on a grid, three launches a time step: ey from hz,
 * ex from hz, hz from both. Coalesced streams with a reuse of one row or one element; rows of ex
 * are one element longer than a power of two, so that warps straddle lines.
 *
 * The release takes 500 steps, 188 G thread instructions. MRPB scales its inputs to at most 3.7 G,
 * and MDB scales like it: 8 steps are the largest power of two. Inputs are closed formulas, single
 * precision.
 */
#include "workloads/polybench/stencil.h"
#include "workloads/workloads.h"

/* Rows keep their length in every size: hz and ey 8 KB, ex an element more. */
#define NY 2048
#define EX_ROW (NY + 1)
static const struct size {
    unsigned nx, steps; /* rows, a multiple of the block */
} sizes[] = {
    [SIZE_TINY] = {16, 2},
    [SIZE_SMALL] = {256, 4},
    [SIZE_PAPER_MRPB] = {2048, 8},
    [SIZE_PAPER_MDB] = {2048, 8},
};

enum { LAUNCHES = 3 }; /* a time step */

struct fdtd {
    struct host host;
    struct size size;
    unsigned step;
    struct buffer fict, ex, ey, hz;
};

enum { R_J, R_I, R_PREDICATE, R_ADDRESS, R_A, R_B, R_C, R_D, R_E, R_VALUE };

/* 22 arithmetic instructions, of which 2 in the branch of row 0 alone, 10 in the other. */
#define EY(I) \
    I(ALU, EY_J, OP_INT_MAD, R_J, REG_NONE) \
    I(ALU, EY_I, OP_INT_MAD, R_I, REG_NONE) \
    I(ALU, EY_INSIDE, OP_INT_ADD, R_PREDICATE, R_I, R_J) \
    I(BRANCH, EY_GUARD, R_PREDICATE) \
    I(ALU, EY_BASE, OP_INT_MAD, R_ADDRESS, R_I, R_J) \
    I(ALU, EY_MORE_BASE, OP_INT_ADD, R_ADDRESS, R_ADDRESS) \
    I(ALU, EY_IS_FIRST, OP_INT_ADD, R_PREDICATE, R_I) \
    I(BRANCH, EY_FIRST, R_PREDICATE) \
    I(ALU, EY_FICT_ADDRESS, OP_INT_ADD, R_A, REG_NONE) \
    I(LOAD, EY_LOAD_FICT, SPACE_GLOBAL, 4, R_VALUE, R_A) \
    I(STORE, EY_STORE_FICT, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS) \
    I(ALU, EY_ADDRESS, OP_INT_ADD, R_ADDRESS, R_ADDRESS) \
    I(LOAD, EY_LOAD_HZ, SPACE_GLOBAL, 4, R_A, R_ADDRESS) \
    I(LOAD, EY_LOAD_HZ_UP, SPACE_GLOBAL, 4, R_B, R_ADDRESS) \
    I(LOAD, EY_LOAD, SPACE_GLOBAL, 4, R_C, R_ADDRESS) \
    I(ALU, EY_SUB, OP_FP_ADD, R_VALUE, R_A, R_B) \
    I(ALU, EY_FMA, OP_FP_MAD, R_VALUE, R_VALUE, R_C) \
    I(STORE, EY_STORE, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS)
SIMT_CODE(fdtd_step1, EY, .registers = 12);
enum { EY_BASES = 4, EY_FICT = 2, EY_ADDRESSES = 8 };
enum { EY_BEFORE = 6 + EY_BASES, EY_ROW_0 = EY_FICT + 2, EY_ELSE = EY_ADDRESSES + 2 + 4 };

static const struct fdtd *row_major(const struct simt *s, const void *arguments, int64_t *i,
                                    int64_t *j) {
    *j = (int64_t)s->cta[0] * s->block[0]; /* of thread (0, 0) */
    *i = (int64_t)s->cta[1] * s->block[1];
    return arguments;
}

/* ey[i][j] = i == 0 ? fict[t] : ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]); */
static void step_1(struct simt *s, const void *arguments) {
    int64_t i, j;
    const struct fdtd *k = row_major(s, arguments, &i, &j);
    const int64_t at = i * NY + j;
    float a[SIMT_THREADS], b[SIMT_THREADS], c[SIMT_THREADS];
    struct simt_mask first;

    simt_alus(s, EY_J, EY_BASE);
    simt_work(s, EY_MORE_BASE, EY_BASES - 1);
    simt_alu(s, EY_IS_FIRST);
    SIMT_WHERE(s, first, t, i + s->y[t] == 0);
    SIMT_IF(s, EY_FIRST, &first) {
        simt_work(s, EY_FICT_ADDRESS, EY_FICT);
        simt_load(s, EY_LOAD_FICT, c, &k->fict, element_at(k->step));
        simt_store(s, EY_STORE_FICT, c, &k->ey, element_xy(at, 1, NY));
    }
    SIMT_ELSE(s) {
        simt_work(s, EY_ADDRESS, EY_ADDRESSES);
        simt_load(s, EY_LOAD_HZ, a, &k->hz, element_xy(at, 1, NY));
        simt_load(s, EY_LOAD_HZ_UP, b, &k->hz, element_xy(at - NY, 1, NY));
        simt_load(s, EY_LOAD, c, &k->ey, element_xy(at, 1, NY));
        simt_alu(s, EY_SUB);
        SIMT_ALU(s, EY_FMA, t) {
            c[t] -= 0.5f * (a[t] - b[t]);
        }
        simt_store(s, EY_STORE, c, &k->ey, element_xy(at, 1, NY));
    }
}

/* 24 arithmetic instructions, 12 in front of the branch. */
#define EX(I) \
    I(ALU, EX_J, OP_INT_MAD, R_J, REG_NONE) \
    I(ALU, EX_I, OP_INT_MAD, R_I, REG_NONE) \
    I(ALU, EX_INSIDE, OP_INT_ADD, R_PREDICATE, R_I, R_J) \
    I(BRANCH, EX_GUARD, R_PREDICATE) \
    I(ALU, EX_BASE, OP_INT_MAD, R_ADDRESS, R_I, R_J) \
    I(ALU, EX_MORE_BASE, OP_INT_ADD, R_ADDRESS, R_ADDRESS) \
    I(ALU, EX_IS_BEHIND, OP_INT_ADD, R_PREDICATE, R_J) \
    I(BRANCH, EX_BEHIND, R_PREDICATE) \
    I(ALU, EX_ADDRESS, OP_INT_ADD, R_ADDRESS, R_ADDRESS) \
    I(LOAD, EX_LOAD_HZ, SPACE_GLOBAL, 4, R_A, R_ADDRESS) \
    I(LOAD, EX_LOAD_HZ_LEFT, SPACE_GLOBAL, 4, R_B, R_ADDRESS) \
    I(LOAD, EX_LOAD, SPACE_GLOBAL, 4, R_C, R_ADDRESS) \
    I(ALU, EX_SUB, OP_FP_ADD, R_VALUE, R_A, R_B) \
    I(ALU, EX_FMA, OP_FP_MAD, R_VALUE, R_VALUE, R_C) \
    I(STORE, EX_STORE, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS)
SIMT_CODE(fdtd_step2, EX, .registers = 12);
enum { EX_BASES = 6, EX_ADDRESSES = 10 };
enum { EX_BEFORE = 6 + EX_BASES, EX_BODY = EX_ADDRESSES + 2 + 4 };

/* if (j > 0) ex[i][j] -= 0.5 * (hz[i][j] - hz[i][j - 1]); */
static void step_2(struct simt *s, const void *arguments) {
    int64_t i, j;
    const struct fdtd *k = row_major(s, arguments, &i, &j);
    const int64_t at = i * NY + j, ex = i * EX_ROW + j;
    float a[SIMT_THREADS], b[SIMT_THREADS], c[SIMT_THREADS];
    struct simt_mask behind;

    simt_alus(s, EX_J, EX_BASE);
    simt_work(s, EX_MORE_BASE, EX_BASES - 1);
    simt_alu(s, EX_IS_BEHIND);
    SIMT_WHERE(s, behind, t, j + s->x[t] > 0);
    SIMT_IF(s, EX_BEHIND, &behind) {
        simt_work(s, EX_ADDRESS, EX_ADDRESSES);
        simt_load(s, EX_LOAD_HZ, a, &k->hz, element_xy(at, 1, NY));
        simt_load(s, EX_LOAD_HZ_LEFT, b, &k->hz, element_xy(at - 1, 1, NY));
        simt_load(s, EX_LOAD, c, &k->ex, element_xy(ex, 1, EX_ROW));
        simt_alu(s, EX_SUB);
        SIMT_ALU(s, EX_FMA, t) {
            c[t] -= 0.5f * (a[t] - b[t]);
        }
        simt_store(s, EX_STORE, c, &k->ex, element_xy(ex, 1, EX_ROW));
    }
}

/* 26 arithmetic instructions. */
#define HZ(I) \
    I(ALU, HZ_J, OP_INT_MAD, R_J, REG_NONE) \
    I(ALU, HZ_I, OP_INT_MAD, R_I, REG_NONE) \
    I(ALU, HZ_INSIDE, OP_INT_ADD, R_PREDICATE, R_I, R_J) \
    I(BRANCH, HZ_GUARD, R_PREDICATE) \
    I(ALU, HZ_BASE, OP_INT_MAD, R_ADDRESS, R_I, R_J) \
    I(ALU, HZ_ADDRESS, OP_INT_ADD, R_ADDRESS, R_ADDRESS) \
    I(LOAD, HZ_LOAD_EX, SPACE_GLOBAL, 4, R_A, R_ADDRESS) \
    I(LOAD, HZ_LOAD_EX_RIGHT, SPACE_GLOBAL, 4, R_B, R_ADDRESS) \
    I(LOAD, HZ_LOAD_EY_DOWN, SPACE_GLOBAL, 4, R_C, R_ADDRESS) \
    I(LOAD, HZ_LOAD_EY, SPACE_GLOBAL, 4, R_D, R_ADDRESS) \
    I(LOAD, HZ_LOAD, SPACE_GLOBAL, 4, R_E, R_ADDRESS) \
    I(ALU, HZ_SUB_EX, OP_FP_ADD, R_VALUE, R_A, R_B) \
    I(ALU, HZ_ADD_EY, OP_FP_ADD, R_VALUE, R_VALUE, R_C) \
    I(ALU, HZ_SUB_EY, OP_FP_ADD, R_VALUE, R_VALUE, R_D) \
    I(ALU, HZ_FMA, OP_FP_MAD, R_VALUE, R_VALUE, R_E) \
    I(STORE, HZ_STORE, SPACE_GLOBAL, 4, R_VALUE, R_ADDRESS)
SIMT_CODE(fdtd_step3, HZ, .registers = 18);
enum { HZ_ADDRESSES = 17, HZ_ALL = 5 + HZ_ADDRESSES + 4 + 6 };

/* hz[i][j] -= 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]); */
static void step_3(struct simt *s, const void *arguments) {
    int64_t i, j;
    const struct fdtd *k = row_major(s, arguments, &i, &j);
    const int64_t at = i * NY + j, ex = i * EX_ROW + j;
    float a[SIMT_THREADS], b[SIMT_THREADS], c[SIMT_THREADS], d[SIMT_THREADS], e[SIMT_THREADS];

    simt_alus(s, HZ_J, HZ_BASE);
    simt_work(s, HZ_ADDRESS, HZ_ADDRESSES);
    simt_load(s, HZ_LOAD_EX, a, &k->ex, element_xy(ex, 1, EX_ROW));
    simt_load(s, HZ_LOAD_EX_RIGHT, b, &k->ex, element_xy(ex + 1, 1, EX_ROW));
    simt_load(s, HZ_LOAD_EY_DOWN, c, &k->ey, element_xy(at + NY, 1, NY));
    simt_load(s, HZ_LOAD_EY, d, &k->ey, element_xy(at, 1, NY));
    simt_load(s, HZ_LOAD, e, &k->hz, element_xy(at, 1, NY));
    simt_alus(s, HZ_SUB_EX, HZ_SUB_EY);
    SIMT_ALU(s, HZ_FMA, t) {
        e[t] -= 0.7f * (b[t] - a[t] + c[t] - d[t]);
    }
    simt_store(s, HZ_STORE, e, &k->hz, element_xy(at, 1, NY));
}

static bool next(void *self, unsigned step, struct host_launch *out) {
    static const struct {
        const struct kernel_code *code;
        simt_kernel *kernel;
    } parts[LAUNCHES] = {
        {&fdtd_step1_code, step_1}, {&fdtd_step2_code, step_2}, {&fdtd_step3_code, step_3}};
    struct fdtd *k = self;
    k->step = step / LAUNCHES;
    const unsigned part = step % LAUNCHES;
    *out = stencil_launch(parts[part].code, k->size.nx, NY, parts[part].kernel);
    return k->step < k->size.steps;
}

static void fill(const struct size *n, float *fict, float *ex, float *ey, float *hz) {
    for (unsigned t = 0; t < n->steps; t++) {
        fict[t] = (float)t;
    }
    for (unsigned i = 0; i < n->nx; i++) {
        const float x = (float)i, nx = (float)n->nx;
        for (unsigned j = 0; j < NY; j++) {
            const float y = (float)j;
            ex[(size_t)i * EX_ROW + j] = (x * (y + 1) + 1) / nx;
            ey[(size_t)i * NY + j] = ((x - 1) * (y + 2) + 2) / nx;
            hz[(size_t)i * NY + j] = ((x - 9) * (y + 4) + 3) / nx;
        }
    }
}

static bool fdtd_open(void *self, enum workload_size size, uint64_t seed) {
    (void)seed;
    struct fdtd *k = self;
    const struct size *n = &sizes[size];
    k->size = *n;
    if (!HOST_ALLOC(&k->host.memory, {&k->fict, n->steps, sizeof(float)},
                    {&k->ex, (uint64_t)n->nx * EX_ROW, sizeof(float)},
                    {&k->ey, (uint64_t)(n->nx + 1) * NY, sizeof(float)},
                    {&k->hz, (uint64_t)n->nx * NY, sizeof(float)})) {
        return false;
    }
    fill(n, k->fict.data, k->ex.data, k->ey.data, k->hz.data);
    host_set_step(&k->host, next);
    return true;
}

/* One time step, in the natural order. */
static void plain_step(const struct size *n, float fict, float *ex, float *ey, float *hz) {
    const size_t count = (size_t)n->nx * NY;
    for (size_t e = 0; e < count; e++) {
        ey[e] = e < NY ? fict : ey[e] - 0.5f * (hz[e] - hz[e - NY]);
    }
    for (size_t e = 0; e < count; e++) {
        if (e % NY > 0) {
            ex[e + e / NY] -= 0.5f * (hz[e] - hz[e - 1]);
        }
    }
    for (size_t e = 0; e < count; e++) {
        const float *x = &ex[e + e / NY];
        hz[e] -= 0.7f * (x[1] - x[0] + ey[e + NY] - ey[e]);
    }
}

static const struct workload_result results[] = {FLOATS("ex", fdtd, ex),
                                                 FLOATS("ey", fdtd, ey),
                                                 FLOATS("hz", fdtd, hz),
                                                 FLOATS("fict", fdtd, fict),
                                                 {0}};

static bool fdtd_plain(void *self, void *const expected[]) {
    struct fdtd *k = self;
    float *ex = expected[0], *ey = expected[1], *hz = expected[2], *fict = expected[3];
    const struct size *n = &k->size;
    fill(n, fict, ex, ey, hz);
    for (unsigned t = 0; t < n->steps; t++) {
        plain_step(n, fict[t], ex, ey, hz);
    }
    return true;
}

static void fdtd_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct size *n = &((const struct fdtd *)self)->size;
    const uint64_t warps = NY / WARP_SIZE, rows = n->nx; /* of a row; of the grid */
    const uint64_t aligned = warps * host_row_lines(line_bytes);
    const uint64_t below = warps * (EY_ROW_0 + (rows - 1) * EY_ELSE); /* of step_1's branches */
    e->warp_instructions = warps * rows * (EY_BEFORE + EX_BEFORE + EX_BODY + HZ_ALL) + below;
    e->thread_instructions = e->warp_instructions * WARP_SIZE - rows * EX_BODY; /* j = 0 */
    e->global_read_accesses = warps + 3 * (rows - 1) * aligned;                 /* step_1 */
    e->global_write_accesses = rows * aligned;
    for (unsigned i = 0; i < rows; i++) {
        const uint64_t ex = (uint64_t)i * EX_ROW;
        const uint64_t behind = stencil_row_lines(ex, 1, NY - 1, 0, line_bytes);
        e->global_read_accesses += aligned + stencil_row_lines(0, 1, NY - 1, -1, line_bytes) +
                                   behind + 3 * aligned +
                                   stencil_row_lines(ex, 0, NY - 1, 0, line_bytes) +
                                   stencil_row_lines(ex, 0, NY - 1, 1, line_bytes);
        e->global_write_accesses += behind + aligned;
    }
    e->warp_instructions *= n->steps;
    e->thread_instructions *= n->steps;
    e->global_read_accesses *= n->steps;
    e->global_write_accesses *= n->steps;
}

const struct workload workload_fdtd = {
    .name = "fdtd",
    .suite = "polybench",
    .about = "waves on a grid: three launches a step, coalesced streams",
    .size_text = {[SIZE_TINY] = "16 rows of 2048, 2 steps",
                  [SIZE_SMALL] = "256 rows of 2048, 4 steps",
                  [SIZE_PAPER_MRPB] = "2048 x 2048, 8 steps (release: 500)",
                  [SIZE_PAPER_MDB] = "2048 x 2048, 8 steps (release: 500)"},
    .bytes = sizeof(struct fdtd),
    .open = fdtd_open,
    .results = results,
    .plain = fdtd_plain,
    .expect = fdtd_expect,
};
