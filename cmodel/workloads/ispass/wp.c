/* SPDX-License-Identifier: Apache-2.0
 *
 * ISPASS wp: the microphysics of a weather model (WRF's WSM5: vapour, cloud water, cloud ice, rain,
 * snow), a thread a column of 28 levels, in one launch of 9 x 8 CTAs of 8 x 8 threads.
 *
 * A warp is 4 rows of 8 columns: each access to the grid is 4 lines of which 32 bytes are used, and
 * the neighbouring CTA uses the next 32. One loop over the levels leaves 21 values a level for the
 * next, in local memory, a line a warp each: 147 KB a CTA go through the L1 from loop to loop.
 * Columns differ in how many substeps their rain and ice fall in.
 *
 * Known of the original: the shape of the launch, 28 levels, the arrays and their order, the loops
 * and their values in local memory; falling water goes from level to level in registers, and the
 * slopes are computed a second time in the loop of the microphysics. Constructed here: the
 * equations in their details (wp_physics.h), the order of accesses within a loop, the weather:
 * layers of air with clouds of some 10 columns in them, moist below and icy above. Left out is the
 * melting of snow in each substep. All values are loaded, where the original leaves out those that
 * a condition makes needless. 144 registers, because OWL says that six warps fit on its cores of
 * 32 Ki registers.
 */
#include <stdlib.h>

#include "workloads/ispass/wp.h"
#include "workloads/ispass/wp_physics.h"
#include "workloads/workloads.h"

/* CTAs in both directions. */
static const unsigned sizes[][2] = {
    [SIZE_TINY] = {3, 2},
    [SIZE_SMALL] = {9, 8},
    [SIZE_PAPER_OWL] = {9, 8},
};

/* All arrays of a grid, on the host. */
struct weather {
    float *volume[WP_VOLUMES], *area[WP_AREAS];
};

/* --- Inputs. --- */

#define CLOUDS 24

struct cloud {
    float x, y, radius, water;
};

/* A thicker grid needs more clouds: they are as dense everywhere. */
static float cloudiness(const struct cloud *cloud, float x, float y) {
    float sum = 0.0f;
    for (unsigned i = 0; i < CLOUDS; i++) {
        const float dx = x - cloud[i].x, dy = y - cloud[i].y;
        const float far = (dx * dx + dy * dy) / (cloud[i].radius * cloud[i].radius);
        sum += cloud[i].water * wp_max(1.0f - far, 0.0f);
    }
    return wp_min(sum, 1.0f);
}

/* A bump over heights, in metres. */
static float layer(float height, float middle, float half) {
    const float far = (height - middle) / half;
    return wp_max(1.0f - far * far, 0.0f);
}

/* Advection leaves some cells slightly below zero. */
static float advected(float q, uint64_t *state) {
    return q > 0.0f ? q : host_uniform(state) < 0.03f ? -1e-9f * host_uniform(state) : 0.0f;
}

/* @cold: from 0 in the warm south to 1 in the north, where snow reaches the ground. */
static void generate_cell(struct weather *w, size_t at, float height, float delz, float cloud,
                          float cold, uint64_t *state) {
    const float noise = host_uniform(state) - 0.5f;
    const float p = 1e5f * wp_exp(-height / 8000.0f);
    const float t = wp_max(296.0f - 28.0f * cold - 0.0065f * height + noise + 1.5f * cloud, 210.0f);
    const float rh = wp_min(0.55f + 0.5f * cloud + 0.1f * noise, 1.02f);
    w->volume[WP_P][at] = p;
    w->volume[WP_PII][at] = wp_pow(p / 1e5f, 0.2857f);
    w->volume[WP_TH][at] = t / w->volume[WP_PII][at];
    w->volume[WP_DEN][at] = p / (WP_AIR_GAS * t);
    w->volume[WP_DELZ][at] = delz;
    w->volume[WP_Q][at] = rh * wp_saturate(t, p, 0.0f).water;
    w->volume[WP_QC][at] = advected(1.5e-3f * cloud * layer(height, 2500.0f, 2500.0f), state);
    w->volume[WP_QI][at] = advected(2e-4f * cloud * layer(height, 9000.0f, 3500.0f), state);
    w->volume[WP_QR][at] =
        advected(t > WP_FREEZING ? 2e-3f * cloud * layer(height, 1000.0f, 3000.0f) : 0.0f, state);
    w->volume[WP_QS][at] =
        advected(1e-3f * cloud * layer(height, 5000.0f * (1.0f - cold), 3000.0f), state);
}

static void generate(const struct wp *k, struct weather *w) {
    uint64_t state = k->seed;
    struct cloud cloud[CLOUDS];
    for (unsigned i = 0; i < CLOUDS; i++) {
        cloud[i].x = host_uniform(&state) * (float)k->ni;
        cloud[i].y = host_uniform(&state) * (float)k->nj;
        cloud[i].radius = 3.0f + 6.0f * host_uniform(&state);
        cloud[i].water = 0.3f + 0.7f * host_uniform(&state);
    }
    for (unsigned j = 0; j < k->nj; j++) {
        float height = 0.0f, delz = 60.0f; /* layers grow upwards */
        for (unsigned level = 0; level < WP_LEVELS; level++) {
            for (unsigned i = 0; i < k->ni; i++) {
                generate_cell(w, i + k->ni * (level + (size_t)WP_LEVELS * j), height, delz,
                              cloudiness(cloud, (float)i, (float)j), (float)j / (float)k->nj,
                              &state);
            }
            height += delz;
            delz = wp_min(delz * 1.15f, 900.0f);
        }
    }
}

/* --- Plain C: a column at a time. --- */

/* A column's values that are not in the arrays; substeps: of rain and snow, of ice. */
struct column {
    float t[WP_LEVELS], heat[WP_LEVELS], evaporation[WP_LEVELS], speed[3][WP_LEVELS];
    struct wp_saturation saturation[WP_LEVELS];
    struct wp_slopes slopes[WP_LEVELS];
    float ice_number[WP_LEVELS];
    int substeps[2];
};

/* Kind @q falls; return: what leaves the lowest level. */
static float sediment(const struct weather *w, enum wp_volume v, size_t first, size_t stride,
                      const float *speed, int substeps) {
    float out[WP_LEVELS + 1] = {0}, ground = 0.0f;
    const float *den = w->volume[WP_DEN], *delz = w->volume[WP_DELZ];
    for (int n = 0; n < substeps; n++) {
        for (int level = WP_LEVELS - 1; level >= 0; level--) {
            const size_t at = first + (size_t)level * stride;
            float *q = &w->volume[v][at];
            out[level] = wp_flux(den[at], *q, speed[level], (float)substeps);
            *q = wp_fall(*q, out[level], out[level + 1],
                         level == WP_LEVELS - 1 ? 1.0f : delz[at + stride], delz[at], den[at]);
        }
        ground += out[0];
    }
    return ground;
}

static void prepare(const struct weather *w, size_t first, size_t stride, struct column *c) {
    float fastest = 0.0f;
    for (unsigned level = 0; level < WP_LEVELS; level++) {
        const size_t at = first + level * stride;
        for (unsigned v = WP_QC; v <= WP_QS; v++) {
            if (w->volume[v][at] < 0.0f) {
                w->volume[v][at] = 0.0f;
            }
        }
        c->t[level] = w->volume[WP_TH][at] * w->volume[WP_PII][at];
        c->heat[level] = wp_cell_heat(w->volume[WP_Q][at]);
        c->evaporation[level] = wp_evaporation_heat(c->t[level]);
        c->saturation[level] = wp_saturate(c->t[level], w->volume[WP_P][at], w->volume[WP_Q][at]);
        c->slopes[level] = wp_slopes_of(w->volume[WP_QR][at], w->volume[WP_QS][at],
                                        w->volume[WP_DEN][at], c->t[level], w->volume[WP_DELZ][at]);
        c->speed[0][level] = c->slopes[level].rain_speed;
        c->speed[1][level] = c->slopes[level].snow_speed;
        fastest = wp_max(fastest, wp_max(c->speed[0][level], c->speed[1][level]));
    }
    c->substeps[0] = wp_substeps(fastest);
}

static void change(const struct weather *w, size_t at, unsigned level, struct column *c) {
    struct wp_cell cell = {c->t[level],          w->volume[WP_Q][at],  w->volume[WP_QC][at],
                           w->volume[WP_QI][at], w->volume[WP_QR][at], w->volume[WP_QS][at]};
    const struct wp_slopes now =
        wp_slopes_of(cell.qr, cell.qs, w->volume[WP_DEN][at], cell.t, 1.0f);
    wp_microphysics(&cell, &(struct wp_air){.p = w->volume[WP_P][at],
                                            .den = w->volume[WP_DEN][at],
                                            .heat = c->heat[level],
                                            .evaporation = c->evaporation[level],
                                            .saturation = c->saturation[level],
                                            .rain = now.rain,
                                            .snow = now.snow,
                                            .density_factor = c->slopes[level].density_factor,
                                            .snow_factor = c->slopes[level].snow_factor,
                                            .ice_number = c->ice_number[level]});
    w->volume[WP_TH][at] = cell.t / w->volume[WP_PII][at];
    w->volume[WP_Q][at] = cell.q;
    w->volume[WP_QC][at] = cell.qc;
    w->volume[WP_QI][at] = cell.qi;
    w->volume[WP_QR][at] = cell.qr;
    w->volume[WP_QS][at] = cell.qs;
}

static void one_column(const struct wp *k, const struct weather *w, unsigned i, unsigned j,
                       struct column *c) {
    const size_t first = i + k->ni * (size_t)WP_LEVELS * j, stride = k->ni, at = i + k->ni * j;
    float fastest = 0.0f;
    prepare(w, first, stride, c);
    const float rain = sediment(w, WP_QR, first, stride, c->speed[0], c->substeps[0]);
    const float snow = sediment(w, WP_QS, first, stride, c->speed[1], c->substeps[0]);
    for (unsigned level = 0; level < WP_LEVELS; level++) {
        const size_t cell = first + level * stride;
        const float den = w->volume[WP_DEN][cell], qi = w->volume[WP_QI][cell];
        c->ice_number[level] = wp_ice_number(qi, den);
        c->speed[2][level] = wp_ice_speed(qi, den, c->ice_number[level], w->volume[WP_DELZ][cell]);
        fastest = wp_max(fastest, c->speed[2][level]);
    }
    c->substeps[1] = wp_substeps(fastest);
    const float ice = sediment(w, WP_QI, first, stride, c->speed[2], c->substeps[1]);
    for (unsigned level = 0; level < WP_LEVELS; level++) {
        change(w, first + level * stride, level, c);
    }
    const struct wp_ground g = wp_ground_of(rain, snow + ice, w->volume[WP_DELZ][first]);
    w->area[WP_RAIN][at] += g.rain;
    w->area[WP_SNOW][at] += g.snow;
    w->area[WP_RAINNCV][at] = g.rain;
    w->area[WP_SNOWNCV][at] = g.snow;
    w->area[WP_SR][at] = g.ratio;
}

static void weather_free(struct weather *w) {
    for (unsigned v = 0; v < WP_VOLUMES; v++) {
        free(w->volume[v]);
    }
    for (unsigned a = 0; a < WP_AREAS; a++) {
        free(w->area[a]);
    }
}

/* The inputs anew. Return: false when out of memory. */
static bool weather_create(const struct wp *k, struct weather *w) {
    bool good = true;
    for (unsigned v = 0; v < WP_VOLUMES; v++) {
        w->volume[v] = calloc((size_t)k->ni * k->nj * WP_LEVELS, sizeof(float));
        good = good && w->volume[v];
    }
    for (unsigned a = 0; a < WP_AREAS; a++) {
        w->area[a] = calloc((size_t)k->ni * k->nj, sizeof(float));
        good = good && w->area[a];
    }
    if (good) {
        generate(k, w);
    }
    return good;
}

/* --- The workload. --- */

static bool wp_open(void *self, enum workload_size size, uint64_t seed) {
    struct wp *k = self;
    struct weather w;
    bool good = true;
    k->ni = sizes[size][0] * WP_SIDE;
    k->nj = sizes[size][1] * WP_SIDE;
    k->seed = seed;
    for (unsigned v = 0; v < WP_VOLUMES; v++) {
        good = good && device_memory_alloc(&k->host.memory, &k->volume[v],
                                           (uint64_t)k->ni * k->nj * WP_LEVELS, sizeof(float));
        w.volume[v] = k->volume[v].data;
    }
    for (unsigned a = 0; a < WP_AREAS; a++) {
        good = good && device_memory_alloc(&k->host.memory, &k->area[a], (uint64_t)k->ni * k->nj,
                                           sizeof(float));
        w.area[a] = k->area[a].data;
    }
    if (!good) {
        return false;
    }
    generate(k, &w);
    HOST_ADD_LAUNCH(&k->host,
                    {&wp_kernel_code, {sizes[size][0], sizes[size][1], 1}, {WP_SIDE, WP_SIDE, 1}},
                    wp_kernel);
    return true;
}

static const struct workload_result results[] = {
    FLOATS("th", wp, volume[0]),    FLOATS("pii", wp, volume[1]),
    FLOATS("q", wp, volume[2]),     FLOATS("qc", wp, volume[3]),
    FLOATS("qi", wp, volume[4]),    FLOATS("qr", wp, volume[5]),
    FLOATS("qs", wp, volume[6]),    FLOATS("den", wp, volume[7]),
    FLOATS("p", wp, volume[8]),     FLOATS("delz", wp, volume[9]),
    FLOATS("rain", wp, area[0]),    FLOATS("rainncv", wp, area[1]),
    FLOATS("sr", wp, area[2]),      FLOATS("snow", wp, area[3]),
    FLOATS("snowncv", wp, area[4]), {0}};

static bool wp_plain(void *self, void *const expected[]) {
    struct wp *k = self;
    struct weather w;
    for (unsigned v = 0; v < WP_VOLUMES; v++) {
        w.volume[v] = expected[v];
    }
    for (unsigned a = 0; a < WP_AREAS; a++) {
        w.area[a] = expected[WP_VOLUMES + a];
    }
    generate(k, &w);
    for (unsigned at = 0; at < k->ni * k->nj; at++) {
        struct column c;
        one_column(k, &w, at % k->ni, at / k->ni, &c);
    }
    return true;
}

/* --- What must have been counted. --- */

/* Lanes of a warp that do something, and the rows of the grid they are in. A row is 8 floats in one
 * line, whatever its length, and those of a 3-D array lie far apart: rows are lines. */
struct active {
    unsigned lanes, rows;
};

static void count_lane(struct active *a, unsigned *last_row, unsigned row, bool does) {
    if (does) {
        a->lanes++;
        a->rows += row + 1 != *last_row;
        *last_row = row + 1;
    }
}

static void add(struct workload_expectation *e, unsigned instructions, struct active a,
                unsigned reads, unsigned writes) {
    e->warp_instructions += a.lanes ? instructions : 0;
    e->thread_instructions += (uint64_t)instructions * a.lanes;
    e->global_read_accesses += (uint64_t)reads * a.rows;
    e->global_write_accesses += (uint64_t)writes * a.rows;
}

/* Stores of the first loop: of arrays @w before, the 4 rows from @j on and 8 columns from @i on. */
static void expect_clamp(const struct wp *k, const struct weather *w, unsigned i, unsigned j,
                         struct workload_expectation *e) {
    for (unsigned n = 0; n < WP_LEVELS * 4; n++) {
        struct active a = {0, 0};
        unsigned last = 0;
        for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
            const unsigned row = lane / WP_SIDE;
            const size_t at = i + lane % WP_SIDE + k->ni * (n / 4 + (size_t)WP_LEVELS * (j + row));
            count_lane(&a, &last, row, w->volume[WP_QC + n % 4][at] < 0.0f);
        }
        add(e, 1, a, 0, 1);
    }
}

/* Lines of a 2-D array that a warp's rows are in. */
static unsigned area_lines(const struct wp *k, unsigned i, unsigned j, unsigned line_bytes) {
    unsigned lines = 1;
    for (unsigned row = 1; row < WARP_SIZE / WP_SIDE; row++) {
        const unsigned at = i + k->ni * (j + row);
        lines += at * 4 / line_bytes != (at - k->ni) * 4 / line_bytes;
    }
    return lines;
}

static void expect_warp(const struct wp *k, const struct weather *w, unsigned i, unsigned j,
                        unsigned line_bytes, struct workload_expectation *e) {
    const struct active all = {WARP_SIZE, WARP_SIZE / WP_SIDE};
    struct column c[WARP_SIZE];
    expect_clamp(k, w, i, j, e);
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        one_column(k, w, i + lane % WP_SIDE, j + lane / WP_SIDE, &c[lane]);
    }
    /* 7 before; loops of 20, 11, 64, 86, 40, 375, 11 instructions a level, of which load 4, 2,
     * 2, 4, 3, 7, 1 and store 0, 0, 0, 0, 0, 5, 1; 47 between and behind, with a load and,
     * of 2-D arrays, 2 loads and 5 stores. */
    add(e, 7 + WP_LEVELS * 607 + 47, all, WP_LEVELS * 23 + 1, WP_LEVELS * 6);
    e->global_read_accesses += 2 * area_lines(k, i, j, line_bytes);
    e->global_write_accesses += 5 * area_lines(k, i, j, line_bytes);
    for (int n = 0; n < WP_SUBSTEPS; n++) {
        struct active a[2] = {{0, 0}, {0, 0}};
        unsigned last[2] = {0, 0};
        for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
            for (unsigned kind = 0; kind < 2; kind++) {
                count_lane(&a[kind], &last[kind], lane / WP_SIDE, n < c[lane].substeps[kind]);
            }
        }
        /* A level of rain and snow, of ice. */
        add(e, WP_LEVELS * 42 + 4, a[0], 4 * WP_LEVELS, 2 * WP_LEVELS);
        add(e, WP_LEVELS * 27 + 4, a[1], 3 * WP_LEVELS, WP_LEVELS);
    }
}

static void wp_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct wp *k = self;
    struct weather w;
    if (weather_create(k, &w)) {
        for (unsigned j = 0; j < k->nj; j += WARP_SIZE / WP_SIDE) {
            for (unsigned i = 0; i < k->ni; i += WP_SIDE) {
                expect_warp(k, &w, i, j, line_bytes, e);
            }
        }
    } else {
        *e = WORKLOAD_ALL_UNKNOWN;
    }
    weather_free(&w);
}

const struct workload workload_wp = {
    .name = "wp",
    .suite = "ispass",
    .about = "weather: a quarter of each line, and local memory from loop to loop",
    .size_text = {[SIZE_TINY] = "24 x 16 columns of 28 levels",
                  [SIZE_SMALL] = "72 x 64 columns of 28 levels",
                  [SIZE_PAPER_OWL] = "72 x 64 columns of 28 levels"},
    .bytes = sizeof(struct wp),
    .open = wp_open,
    .results = results,
    .plain = wp_plain,
    .expect = wp_expect,
};
