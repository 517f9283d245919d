/* SPDX-License-Identifier: Apache-2.0
 *
 * Rodinia hotspot: the temperature of a chip after two steps, a 5-point stencil over temperatures
 * and powers. CTAs of 16 x 16 threads; a warp is two rows of 16 cells.
 *
 * hotspot takes both steps in one launch: a CTA loads 16 x 16 cells into shared memory, and a ring
 * of them is lost in each step, so that 12 x 12 are stored and each cell is loaded 1.78 times.
 *
 * hotspot-unshared does without shared memory: each cell reads its neighbours in place, and each
 * step is a launch, since a step must be complete everywhere before the next begins. (Two steps in
 * a launch serve to use the shared memory again, and would need scratch memory here.) The results
 * are the same to the bit.
 *
 * MeDiC, OWL and DAWS give no input, so theirs is the suite's, which is MRPB's as well.
 */
#include "workloads/rodinia/hotspot.h"

#include "workloads/common/lines.h"
#include "workloads/workloads.h"

#define SIDE HOTSPOT_SIDE
#define STEPS HOTSPOT_STEPS
#define TILE HOTSPOT_TILE
#define WARPS (SIDE * SIDE / WARP_SIZE)

/* Cells a side of the chip, a power of two. */
static const unsigned sizes[] = {
    [SIZE_TINY] = 128,        [SIZE_SMALL] = 512,     [SIZE_PAPER_MRPB] = 512,
    [SIZE_PAPER_MEDIC] = 512, [SIZE_PAPER_OWL] = 512, [SIZE_PAPER_DAWS] = 512};

/* --- The host side. --- */

/* 16 x 16 x 0.5 mm of silicon, whose steps are short enough for 3 MW a square metre. */
static struct hotspot_chip chip_of(unsigned n) {
    const float side = 0.016f / (float)n, thickness = 0.0005f, conductivity = 100.0f;
    const float capacity = 0.5f * 1.75e6f * thickness * side * side;
    const float step = 0.001f / (3.0e6f / (0.5f * thickness * 1.75e6f));
    const float sideways = 1.0f / (2.0f * conductivity * thickness); /* a cell is a square */
    return (struct hotspot_chip){.step_by_capacity = step / capacity,
                                 .x_inverse = 1.0f / sideways,
                                 .y_inverse = 1.0f / sideways,
                                 .z_inverse = 1.0f / (thickness / (conductivity * side * side))};
}

static void fill(const struct hotspot *k, float *temperature, float *power) {
    uint64_t state = k->seed;
    for (unsigned i = 0; i < k->n * k->n; i++) {
        temperature[i] = 320.0f + 20.0f * host_uniform(&state);
        power[i] = 0.01f * host_uniform(&state);
    }
}

static bool open_either(void *self, enum workload_size size, uint64_t seed) {
    struct hotspot *k = self;
    const unsigned n = sizes[size];
    k->n = n;
    k->seed = seed;
    k->chip = chip_of(n);
    if (!HOST_ALLOC(&k->host.memory, {&k->temperature[0], n * n, sizeof(float)},
                    {&k->temperature[1], n * n, sizeof(float)},
                    {&k->power, n * n, sizeof(float)})) {
        return false;
    }
    fill(k, k->temperature[0].data, k->power.data);
    return true;
}

static bool hotspot_open(void *self, enum workload_size size, uint64_t seed) {
    struct hotspot *k = self;
    if (!open_either(self, size, seed)) {
        return false;
    }
    const struct host_launch all_steps = hotspot_tiled(k);
    host_add_launch(&k->host, &all_steps);
    return true;
}

static bool direct_step(void *self, unsigned step, struct host_launch *out) {
    struct hotspot *k = self;
    k->from = step % 2;
    *out = hotspot_direct(k);
    return step < STEPS;
}

static bool hotspot_unshared_open(void *self, enum workload_size size, uint64_t seed) {
    struct hotspot *k = self;
    if (!open_either(self, size, seed)) {
        return false;
    }
    host_set_step(&k->host, direct_step);
    return true;
}

static float plain_cell(const struct hotspot_chip *c, const float *t, float p, unsigned n,
                        unsigned x, unsigned y) {
    const size_t at = (size_t)y * n + x;
    const float here = t[at];
    const float vertical = t[y + 1 < n ? at + n : at] + t[y > 0 ? at - n : at];
    const float horizontal = t[x + 1 < n ? at + 1 : at] + t[x > 0 ? at - 1 : at];
    double flow = p + (vertical - 2.0 * here) * c->y_inverse;
    flow += (horizontal - 2.0 * here) * c->x_inverse;
    flow += (HOTSPOT_AMBIENT - here) * c->z_inverse;
    return (float)(here + c->step_by_capacity * flow);
}

static const struct workload_result tiled_results[] = {
    FLOATS("temperature", hotspot, temperature[1]), {0}};
static const struct workload_result unshared_results[] = {
    FLOATS("temperature", hotspot, temperature[STEPS % 2]), {0}};

static bool hotspot_plain(void *self, void *const expected[]) {
    struct hotspot *k = self;
    const unsigned n = k->n;
    float *power = host_array(&k->host, n * n, sizeof *power);
    float *t[2] = {expected[0], host_array(&k->host, n * n, sizeof *power)}; /* the last is t[0] */
    if (!power || !t[1]) {
        return false;
    }
    fill(k, t[STEPS % 2], power);
    for (unsigned left = STEPS; left > 0; left--) {
        for (unsigned i = 0; i < n * n; i++) {
            t[(left - 1) % 2][i] = plain_cell(&k->chip, t[left % 2], power[i], n, i % n, i / n);
        }
    }
    return true;
}

/* --- What must have been counted. --- */

/* Cells from @first to @last of a CTA's row that are on the chip. */
struct span {
    unsigned first, count;
};

static struct span span_of(unsigned cta, int first, int last, unsigned n) {
    int low = (int)cta * TILE - STEPS + first, high = (int)cta * TILE - STEPS + last;
    low = low > 0 ? low : 0;
    high = high < (int)n - 1 ? high : (int)n - 1;
    return (struct span){(unsigned)low, high >= low ? (unsigned)(high - low + 1) : 0};
}

static void add(struct workload_expectation *e, uint64_t instructions, uint64_t lanes) {
    e->warp_instructions += lanes ? instructions : 0;
    e->thread_instructions += instructions * lanes;
}

/* Lanes of the rows 2 w and 2 w + 1 that are @ring cells from the tile's edge or more. */
static unsigned lanes_in(unsigned cta_x, unsigned cta_y, unsigned w, int ring, unsigned n) {
    const int first = (int)(2 * w) > ring ? (int)(2 * w) : ring;
    const int end = SIDE - 1 - ring, last = (int)(2 * w + 1) < end ? (int)(2 * w + 1) : end;
    return first > last ? 0
                        : span_of(cta_y, first, last, n).count *
                              span_of(cta_x, ring, SIDE - 1 - ring, n).count;
}

static void expect_tile_warp(unsigned n, unsigned cta_x, unsigned cta_y, unsigned w,
                             unsigned line_bytes, struct workload_expectation *e) {
    const struct span all = span_of(cta_x, 0, SIDE - 1, n);
    const struct span kept = span_of(cta_x, STEPS, SIDE - 1 - STEPS, n);
    const unsigned in = lanes_in(cta_x, cta_y, w, 0, n);
    const unsigned out = lanes_in(cta_x, cta_y, w, STEPS, n);
    add(e, 33 + 1 + 56, WARP_SIZE);
    add(e, 4, in);
    for (int i = 0; i < STEPS; i++) { /* the last is stored, the others copied behind a barrier */
        add(e, 6 + 1 + 2 + (i == STEPS - 1 ? 1 : 2), WARP_SIZE);
        add(e, 3 + 6 + HOTSPOT_HEAT_INSNS + 1 + 2, lanes_in(cta_x, cta_y, w, i + 1, n));
    }
    /* A row of the chip is whole lines. */
    e->global_read_accesses +=
        in ? 2 * (in / all.count) * lines_of_run(all.first, all.count, 4, line_bytes) : 0;
    e->global_write_accesses +=
        out ? out / kept.count * lines_of_run(kept.first, kept.count, 4, line_bytes) : 0;
}

static void hotspot_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct hotspot *k = self;
    const unsigned ctas = hotspot_tiles(k->n);
    for (unsigned i = 0; i < ctas * ctas * WARPS; i++) {
        expect_tile_warp(k->n, i / WARPS % ctas, i / WARPS / ctas, i % WARPS, line_bytes, e);
    }
}

/* Lines of @count cells from @x on in the different ones of two rows; a row is whole lines. */
static uint64_t row_lines(unsigned row, unsigned other, unsigned x, unsigned count,
                          unsigned line_bytes) {
    return (row == other ? 1 : 2) * lines_of_run(x, count, 4, line_bytes);
}

static void hotspot_unshared_expect(const void *self, unsigned line_bytes,
                                    struct workload_expectation *e) {
    const struct hotspot *k = self;
    const unsigned n = k->n;
    uint64_t warps = 0, reads = 0, writes = 0;
    for (unsigned y = 0; y < n; y += 2) {
        for (unsigned x = 0; x < n; x += SIDE) {
            const uint64_t own = row_lines(y, y + 1, x, SIDE, line_bytes);
            const bool left = x == 0, right = x + SIDE == n;
            warps++;
            reads += 2 * own; /* temperature and power */
            reads += row_lines(y + 1, y + 2 < n ? y + 2 : y + 1, x, SIDE, line_bytes);
            reads += row_lines(y > 0 ? y - 1 : y, y, x, SIDE, line_bytes);
            reads += row_lines(y, y + 1, x + 1, right ? SIDE - 1 : SIDE, line_bytes);
            reads += left ? row_lines(y, y + 1, x, SIDE - 1, line_bytes)
                          : row_lines(y, y + 1, x - 1, SIDE, line_bytes);
            writes += own;
        }
    }
    e->warp_instructions = STEPS * warps * (4 + 6 + 2 + 8 + 6 + HOTSPOT_HEAT_INSNS + 1);
    e->thread_instructions = e->warp_instructions * WARP_SIZE;
    e->global_read_accesses = STEPS * reads;
    e->global_write_accesses = STEPS * writes;
}

#define SIZE_TEXT \
    [SIZE_TINY] = "128 x 128, 2 steps", [SIZE_SMALL] = "512 x 512, 2 steps", \
    [SIZE_PAPER_MRPB] = "512 x 512, 2 steps"

const struct workload workload_hotspot = {
    .name = "hotspot",
    .suite = "rodinia",
    .about = "temperature of a chip: overlapping tiles in shared memory, two steps a launch",
    .size_text =
        {SIZE_TEXT, [SIZE_PAPER_MEDIC] = "512 x 512, 2 steps",
         [SIZE_PAPER_OWL] = "512 x 512, 2 steps", [SIZE_PAPER_DAWS] = "512 x 512, 2 steps"},
    .bytes = sizeof(struct hotspot),
    .open = hotspot_open,
    .results = tiled_results,
    .plain = hotspot_plain,
    .expect = hotspot_expect,
};

const struct workload workload_hotspot_unshared = {
    .name = "hotspot-unshared",
    .suite = "rodinia",
    .about = "the same without shared memory: five points read in place, a step a launch",
    .size_text = {SIZE_TEXT},
    .bytes = sizeof(struct hotspot),
    .open = hotspot_unshared_open,
    .results = unshared_results,
    .plain = hotspot_plain,
    .expect = hotspot_unshared_expect,
};
