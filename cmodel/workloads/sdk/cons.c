/* SPDX-License-Identifier: Apache-2.0
 *
 * CUDA SDK convolutionSeparable: an image filtered with 17 taps along its rows, then along its
 * columns. A block loads its tile and one block's width more at either end into shared memory, then
 * computes 8 pixels a thread; the coefficients come from constant memory.
 *
 * A warp is 16 x 2 threads in both launches: every global access is two half lines, in two rows of
 * the image. Along the rows the next access of the same warp takes the other halves; along the
 * columns they belong to the next block, and a warp walks down 80 rows whose pitch is a large
 * multiple of a line. Loads are unrolled and do not wait for each other.
 *
 * The suite's picture of 3072 x 3072, and one iteration: the suite's own program runs 16, of which
 * each does the same again.
 */
#include "workloads/host.h"
#include "workloads/workloads.h"

#define RADIUS 8
#define TAPS (2 * RADIUS + 1)
#define STEPS 8 /* pixels a thread computes */
#define LANES 16
#define ROW_THREADS 4    /* block[1] along the rows */
#define COLUMN_THREADS 8 /* the same along the columns */
#define ROW_PITCH ((STEPS + 2) * LANES)
#define COLUMN_PITCH ((STEPS + 2) * COLUMN_THREADS + 1)

/* Multiples of a block's pixels in both launches: 128 x 64. */
static const struct size {
    unsigned width, height;
} sizes[] = {
    [SIZE_TINY] = {384, 192},
    [SIZE_SMALL] = {1536, 1536},
    [SIZE_PAPER_MEDIC] = {3072, 3072},
    [SIZE_PAPER_OWL] = {3072, 3072},
};

struct cons {
    struct host host;
    struct size size;
    uint64_t seed;
    struct buffer source, between, result, coefficient;
};

enum {
    R_INDEX,
    R_ADDRESS,
    R_SHARED,
    R_PREDICATE,
    R_HALO,
    R_COEFFICIENT,
    R_PIXEL,
    R_SUM,
    R_TILE_1,
    R_TILE_2,
    R_TILE_3,
    R_TILE_4,
    R_TILE_5,
    R_TILE_6,
    R_TILE_7,
    R_TILE_8
};

#define PREPARE_INSNS 8 /* PREPARE, addresses apart */
#define LOAD_TILE(I, i) I(LOAD, LOAD_##i, SPACE_GLOBAL, 4, R_TILE_##i, R_ADDRESS)
#define PUT_TILE(I, i) I(STORE, PUT_##i, SPACE_SHARED, 4, R_TILE_##i, R_SHARED)
#define EIGHT(I, WHAT) \
    WHAT(I, 1) \
    WHAT(I, 2) WHAT(I, 3) WHAT(I, 4) WHAT(I, 5) WHAT(I, 6) WHAT(I, 7) WHAT(I, 8)
#define HALO(I, end) \
    I(ALU, end##_ZERO, OP_INT_ADD, R_HALO, REG_NONE) \
    I(ALU, end##_COMPARE, OP_INT_ADD, R_PREDICATE, R_INDEX) \
    I(BRANCH, end##_GUARD, R_PREDICATE) \
    I(LOAD, end##_LOAD, SPACE_GLOBAL, 4, R_HALO, R_ADDRESS) \
    I(STORE, end##_PUT, SPACE_SHARED, 4, R_HALO, R_SHARED)

/* Both launches: only numbers differ. */
#define CONVOLVE(I) \
    I(ALU, PREPARE, OP_INT_MAD, R_INDEX, R_INDEX) \
    I(ALU, ADDRESS, OP_INT_MAD, R_ADDRESS, R_INDEX) \
    I(ALU, SHARED, OP_INT_MAD, R_SHARED, R_INDEX) \
    EIGHT(I, LOAD_TILE) \
    EIGHT(I, PUT_TILE) \
    HALO(I, BEFORE) \
    HALO(I, BEHIND) \
    I(BARRIER, LOADED) \
    I(ALU, RESULT_ADDRESS, OP_INT_MAD, R_ADDRESS, R_INDEX) \
    I(ALU, CLEAR, OP_INT_ADD, R_SUM, REG_NONE) \
    I(LOAD, LOAD_COEFFICIENT, SPACE_CONSTANT, 4, R_COEFFICIENT, R_INDEX) \
    I(LOAD, GET, SPACE_SHARED, 4, R_PIXEL, R_SHARED) \
    I(ALU, FMA, OP_FP_MAD, R_SUM, R_COEFFICIENT, R_PIXEL, R_SUM) \
    I(STORE, STORE_RESULT, SPACE_GLOBAL, 4, R_SUM, R_ADDRESS)
SIMT_CODE(convolution_rows, CONVOLVE, .registers = 20, .shared_bytes = ROW_THREADS * ROW_PITCH * 4);

static const struct kernel_code convolution_columns_code = {
    .name = "convolution_columns",
    .insns = convolution_rows_insns,
    .insn_count = sizeof convolution_rows_insns / sizeof *convolution_rows_insns,
    .registers = 20,
    .shared_bytes = LANES * COLUMN_PITCH * 4};

/* The differences between the launches. In elements: of thread 0's first load, from a step to the
 * next there; the same in shared memory; whether there are pixels before and behind the block's. */
struct pass {
    const struct buffer *from, *to;
    int64_t base, step;
    struct buffer tile;
    int64_t tile_x, tile_y, tile_step;
    bool before, behind;
};

static void put_halo(struct simt *s, const struct pass *p, unsigned first, unsigned step,
                     bool inside, int64_t pitch) {
    float pixel[SIMT_THREADS];
    struct simt_mask lanes;
    SIMT_ALU(s, first, t) {
        pixel[t] = 0.0f;
    }
    simt_alu(s, first + (BEFORE_COMPARE - BEFORE_ZERO));
    SIMT_WHERE(s, lanes, t, inside);
    SIMT_IF(s, first + (BEFORE_GUARD - BEFORE_ZERO), &lanes) {
        simt_load(s, first + (BEFORE_LOAD - BEFORE_ZERO), pixel, p->from,
                  element_xy(p->base + step * p->step, 1, pitch));
    }
    simt_store(s, first + (BEFORE_PUT - BEFORE_ZERO), pixel, &p->tile,
               element_xy(step * p->tile_step, p->tile_x, p->tile_y));
}

/* Step 0 is the halo before, 1 .. 8 the tile, 9 the halo behind. */
static void convolve(struct simt *s, const struct cons *k, const struct pass *p) {
    const int64_t pitch = k->size.width;
    float tile[STEPS][SIMT_THREADS], coefficient[SIMT_THREADS], pixel[SIMT_THREADS];

    simt_work(s, PREPARE, PREPARE_INSNS);
    simt_alus(s, ADDRESS, SHARED);
    for (unsigned i = 0; i < STEPS; i++) {
        simt_load(s, LOAD_1 + i, tile[i], p->from,
                  element_xy(p->base + (i + 1) * p->step, 1, pitch));
    }
    for (unsigned i = 0; i < STEPS; i++) {
        simt_store(s, PUT_1 + i, tile[i], &p->tile,
                   element_xy((i + 1) * p->tile_step, p->tile_x, p->tile_y));
    }
    put_halo(s, p, BEFORE_ZERO, 0, p->before, pitch);
    put_halo(s, p, BEHIND_ZERO, STEPS + 1, p->behind, pitch);
    simt_barrier(s, LOADED);
    simt_alu(s, RESULT_ADDRESS);
    for (unsigned i = 1; i <= STEPS; i++) {
        float sum[SIMT_THREADS];
        SIMT_ALU(s, CLEAR, t) {
            sum[t] = 0.0f;
        }
        for (int j = -RADIUS; j <= RADIUS; j++) {
            simt_load(s, LOAD_COEFFICIENT, coefficient, &k->coefficient, element_at(RADIUS - j));
            simt_load(s, GET, pixel, &p->tile,
                      element_xy(i * p->tile_step + j, p->tile_x, p->tile_y));
            SIMT_ALU(s, FMA, t) {
                sum[t] += coefficient[t] * pixel[t];
            }
        }
        simt_store(s, STORE_RESULT, sum, p->to, element_xy(p->base + i * p->step, 1, pitch));
    }
}

static void rows(struct simt *s, const void *arguments) {
    const struct cons *k = arguments;
    const int64_t x = ((int64_t)s->cta[0] * STEPS - 1) * LANES, y = s->cta[1] * ROW_THREADS;
    convolve(s, k,
             &(struct pass){.from = &k->source,
                            .to = &k->between,
                            .base = y * k->size.width + x,
                            .step = LANES,
                            .tile = simt_shared(s, 0, ROW_THREADS * ROW_PITCH, 4),
                            .tile_x = 1,
                            .tile_y = ROW_PITCH,
                            .tile_step = LANES,
                            .before = x >= 0,
                            .behind = k->size.width - x > (STEPS + 1) * LANES});
}

static void columns(struct simt *s, const void *arguments) {
    const struct cons *k = arguments;
    const int64_t x = s->cta[0] * LANES, y = ((int64_t)s->cta[1] * STEPS - 1) * COLUMN_THREADS;
    convolve(s, k,
             &(struct pass){.from = &k->between,
                            .to = &k->result,
                            .base = y * k->size.width + x,
                            .step = (int64_t)COLUMN_THREADS * k->size.width,
                            .tile = simt_shared(s, 0, LANES * COLUMN_PITCH, 4),
                            .tile_x = COLUMN_PITCH,
                            .tile_y = 1,
                            .tile_step = COLUMN_THREADS,
                            .before = y >= 0,
                            .behind = k->size.height - y > (STEPS + 1) * COLUMN_THREADS});
}

static struct host_launch rows_launch(const struct cons *k) {
    return (struct host_launch){
        .launch = {&convolution_rows_code,
                   {k->size.width / (STEPS * LANES), k->size.height / ROW_THREADS, 1},
                   {LANES, ROW_THREADS, 1}},
        .kernel = rows};
}

static struct host_launch columns_launch(const struct cons *k) {
    return (struct host_launch){
        .launch = {&convolution_columns_code,
                   {k->size.width / LANES, k->size.height / (STEPS * COLUMN_THREADS), 1},
                   {LANES, COLUMN_THREADS, 1}},
        .kernel = columns};
}

static void fill(const struct cons *k, float *coefficient, float *image) {
    uint64_t state = k->seed;
    for (unsigned i = 0; i < TAPS; i++) {
        coefficient[i] = (float)(host_random(&state) % 16);
    }
    for (unsigned i = 0; i < k->size.width * k->size.height; i++) {
        image[i] = (float)(host_random(&state) % 16);
    }
}

static bool cons_open(void *self, enum workload_size size, uint64_t seed) {
    struct cons *k = self;
    k->size = sizes[size];
    k->seed = seed;
    const uint64_t pixels = (uint64_t)k->size.width * k->size.height;
    if (!HOST_ALLOC(&k->host.memory, {&k->source, pixels, 4}, {&k->between, pixels, 4},
                    {&k->result, pixels, 4}, {&k->coefficient, TAPS, 4})) {
        return false;
    }
    fill(k, k->coefficient.data, k->source.data);
    const struct host_launch along_rows = rows_launch(k), along_columns = columns_launch(k);
    host_add_launch(&k->host, &along_rows);
    host_add_launch(&k->host, &along_columns);
    return true;
}

/* Pixel (x, y) of @from, filtered along the direction (dx, dy); outside the image it is black. */
static float filtered(const float *from, const struct size *size, const float *coefficient, int x,
                      int y, int dx, int dy) {
    float sum = 0.0f;
    for (int j = -RADIUS; j <= RADIUS; j++) {
        const int there_x = x + j * dx, there_y = y + j * dy;
        if (there_x >= 0 && there_x < (int)size->width && there_y >= 0 &&
            there_y < (int)size->height) {
            sum += coefficient[RADIUS - j] * from[(size_t)there_y * size->width + (size_t)there_x];
        }
    }
    return sum;
}

static void filter(float *to, const float *from, const struct size *size, const float *coefficient,
                   int dx, int dy) {
    for (unsigned y = 0; y < size->height; y++) {
        for (unsigned x = 0; x < size->width; x++) {
            to[(size_t)y * size->width + x] =
                filtered(from, size, coefficient, (int)x, (int)y, dx, dy);
        }
    }
}

static const struct workload_result results[] = {FLOATS("rows", cons, between),
                                                 FLOATS("result", cons, result),
                                                 FLOATS("source", cons, source),
                                                 FLOATS("coefficient", cons, coefficient),
                                                 {0}};

static bool cons_plain(void *self, void *const expected[]) {
    const struct cons *k = self;
    float *between = expected[0], *result = expected[1];
    float *source = expected[2], *coefficient = expected[3];
    fill(k, coefficient, source);
    filter(between, source, &k->size, coefficient, 1, 0);
    filter(result, between, &k->size, coefficient, 0, 1);
    return true;
}

/* @warps: a CTA; @across: CTAs that have no halo at one end, and as many at the other. */
static void expect_pass(const struct host_launch *l, unsigned across, unsigned line_bytes,
                        struct workload_expectation *e) {
    const uint64_t warps = launch_warps(&l->launch);
    const uint64_t all = launch_ctas(&l->launch) * warps, halos = 2 * all - 2 * across * warps;
    /* Two rows of 64 bytes. */
    const uint64_t lines = 2 * (LANES * 4 / (line_bytes < LANES * 4 ? line_bytes : LANES * 4));
    const uint64_t instructions =
        all * (PREPARE_INSNS + 2 + 2 * STEPS + 2 * 4 + 1 + 1 + STEPS * (1 + TAPS * 3 + 1)) + halos;
    e->warp_instructions += instructions;
    e->thread_instructions += instructions * WARP_SIZE;
    e->global_read_accesses += (all * STEPS + halos) * lines;
    e->global_write_accesses += all * STEPS * lines;
}

static void cons_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct cons *k = self;
    const struct host_launch along_rows = rows_launch(k), along_columns = columns_launch(k);
    expect_pass(&along_rows, along_rows.launch.grid[1], line_bytes, e);
    expect_pass(&along_columns, along_columns.launch.grid[0], line_bytes, e);
}

const struct workload workload_cons = {
    .name = "cons",
    .suite = "sdk",
    .about = "separable convolution of an image, rows then columns: half lines, small reuse",
    .size_text = {[SIZE_TINY] = "384 x 192 pixels",
                  [SIZE_SMALL] = "1536 x 1536 pixels",
                  [SIZE_PAPER_MEDIC] = "3072 x 3072 pixels, one iteration",
                  [SIZE_PAPER_OWL] = "3072 x 3072 pixels, one iteration"},
    .bytes = sizeof(struct cons),
    .open = cons_open,
    .results = results,
    .plain = cons_plain,
    .expect = cons_expect,
};
