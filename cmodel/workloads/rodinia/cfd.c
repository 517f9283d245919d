/* SPDX-License-Identifier: Apache-2.0
 *
 * Rodinia cfd (euler3d): a time step of a flow around a body, on an unstructured mesh of
 * tetrahedra. Arrays of a value an element, streamed, and in the flux kernel five gathers a face
 * from the neighbour's elements: the same pattern of lines five times.
 *
 * The suite's meshes are not public: the mesh is cubes of six tetrahedra, shuffled locally, with
 * the number of elements of the smallest one (97,046, which the suite rounds to 97,152 too).
 * The time step is one out of the middle of the run: its flow is the far field's, disturbed, so
 * that all fluxes differ, and the three launches that begin a run are left out. The suite takes
 * 2000 steps; OWL stops a program after 1 G instructions.
 */
#include <string.h>

#include "workloads/rodinia/cfd.h"
#include "workloads/workloads.h"

#define BLOCK 192
#define STAGES 3 /* Runge-Kutta */
#define LAUNCHES (1 + 2 * STAGES)
#define MACH 1.2f

/* Elements, six a cube, are a multiple of BLOCK, so that no element is padding. */
static const struct size {
    unsigned cubes[3];
} sizes[] = {
    [SIZE_TINY] = {{8, 8, 7}},
    [SIZE_SMALL] = {{23, 22, 32}},
    [SIZE_PAPER_OWL] = {{23, 22, 32}},
};

/* --- The kernels. --- */

/* ST4 step_factors[i] = 0.5 / (sqrt(areas[i]) * (speed + sound)). */
#define FACTOR(I) \
    I(ALU, FACTOR_I, OP_INT_MAD, CFD_I, REG_NONE) \
    I(ALU, FACTOR_ADDRESS, OP_INT_MAD, CFD_A, CFD_I) \
    I(LOAD, FACTOR_V0, SPACE_GLOBAL, 4, CFD_V0, CFD_A) \
    I(LOAD, FACTOR_V1, SPACE_GLOBAL, 4, CFD_V1, CFD_A) \
    I(LOAD, FACTOR_V2, SPACE_GLOBAL, 4, CFD_V2, CFD_A) \
    I(LOAD, FACTOR_V3, SPACE_GLOBAL, 4, CFD_V3, CFD_A) \
    I(LOAD, FACTOR_V4, SPACE_GLOBAL, 4, CFD_V4, CFD_A) \
    I(ALU, FACTOR_ADDRESSES, OP_INT_ADD, CFD_A, CFD_A) \
    I(ALU, FACTOR_VELOCITY, OP_FP_DIV, CFD_T, CFD_V1, CFD_V0) \
    I(ALU, FACTOR_SQUARE, OP_FP_MAD, CFD_T, CFD_T, CFD_V2, CFD_V3) \
    I(ALU, FACTOR_PRESSURE, OP_FP_MAD, CFD_T, CFD_T, CFD_V4, CFD_V0) \
    I(ALU, FACTOR_ROOT, OP_SFU, CFD_T, CFD_T) \
    I(LOAD, FACTOR_AREA, SPACE_GLOBAL, 4, CFD_X, CFD_A) \
    I(ALU, FACTOR_RESULT, OP_FP_MUL, CFD_T, CFD_T, CFD_X) \
    I(STORE, FACTOR_STORE, SPACE_GLOBAL, 4, CFD_T, CFD_A)
SIMT_CODE(cfd_step_factor, FACTOR, .registers = 20);

static int64_t first_element(const struct simt *s) {
    return (int64_t)s->cta[0] * s->block[0];
}

static void kernel_factor(struct simt *s, const void *arguments) {
    const struct cfd *k = arguments;
    const int64_t i = first_element(s), n = k->mesh.elements;
    float v[CFD_VARIABLES][SIMT_THREADS], area[SIMT_THREADS], factor[SIMT_THREADS];

    simt_alus(s, FACTOR_I, FACTOR_ADDRESS);
    for (unsigned m = 0; m < CFD_VARIABLES; m++) {
        simt_load(s, FACTOR_V0 + m, v[m], &k->variables, element_x(i + m * n, 1));
    }
    simt_work(s, FACTOR_ADDRESSES, 6);
    simt_work(s, FACTOR_VELOCITY, 3);
    simt_work(s, FACTOR_SQUARE, 4);
    simt_work(s, FACTOR_PRESSURE, 6);
    simt_work(s, FACTOR_ROOT, 3);
    simt_load(s, FACTOR_AREA, area, &k->areas, element_x(i, 1));
    simt_work(s, FACTOR_RESULT, 14);
    SIMT_EACH(s, t) {
        factor[t] =
            cfd_step_factor((float[]){v[0][t], v[1][t], v[2][t], v[3][t], v[4][t]}, area[t]);
    }
    simt_store(s, FACTOR_STORE, factor, &k->step_factors, element_x(i, 1));
}
enum { FACTOR_INSNS = 2 + 5 + 6 + 3 + 4 + 6 + 3 + 1 + 14 + 1 };

/* variables[i] = old[i] + step_factors[i] / (STAGES - stage) * fluxes[i], of each variable. */
#define STEP_OF(I, m) \
    I(LOAD, STEP_OLD_##m, SPACE_GLOBAL, 4, CFD_V##m, CFD_A) \
    I(LOAD, STEP_FLUX_##m, SPACE_GLOBAL, 4, CFD_F##m, CFD_A) \
    I(ALU, STEP_ADDRESS_##m, OP_INT_ADD, CFD_A, CFD_A) \
    I(ALU, STEP_ADD_##m, OP_FP_MAD, CFD_V##m, CFD_T, CFD_F##m, CFD_V##m) \
    I(STORE, STEP_STORE_##m, SPACE_GLOBAL, 4, CFD_V##m, CFD_A)
#define STEP(I) \
    I(ALU, STEP_I, OP_INT_MAD, CFD_I, REG_NONE) \
    I(ALU, STEP_ADDRESS, OP_INT_MAD, CFD_A, CFD_I) \
    I(LOAD, STEP_FACTOR, SPACE_GLOBAL, 4, CFD_T, CFD_A) \
    I(ALU, STEP_DIVIDE, OP_FP_DIV, CFD_T, CFD_T) \
    STEP_OF(I, 0) \
    STEP_OF(I, 4) \
    STEP_OF(I, 1) \
    STEP_OF(I, 2) \
    STEP_OF(I, 3)
SIMT_CODE(cfd_time_step, STEP, .registers = 26);
enum { STEP_INSNS = 4 + CFD_VARIABLES * (2 + 6 + 1 + 1) };

static void kernel_step(struct simt *s, const void *arguments) {
    const struct cfd *k = arguments;
    static const unsigned order[CFD_VARIABLES] = {0, 4, 1, 2, 3};
    const int64_t i = first_element(s), n = k->mesh.elements;
    float factor[SIMT_THREADS], old[SIMT_THREADS], flux[SIMT_THREADS];

    simt_alus(s, STEP_I, STEP_ADDRESS);
    simt_load(s, STEP_FACTOR, factor, &k->step_factors, element_x(i, 1));
    SIMT_ALU(s, STEP_DIVIDE, t) {
        factor[t] /= (float)(STAGES - k->stage);
    }
    for (unsigned m = 0; m < CFD_VARIABLES; m++) {
        const unsigned first = STEP_OLD_0 + m * (STEP_OLD_4 - STEP_OLD_0);
        const struct element at = element_x(i + order[m] * n, 1);
        simt_load(s, first, old, &k->old_variables, at);
        simt_load(s, first + 1, flux, &k->fluxes, at);
        simt_work(s, first + 2, 6);
        SIMT_ALU(s, first + 3, t) {
            old[t] += factor[t] * flux[t];
        }
        simt_store(s, first + 4, old, &k->variables, at);
    }
}

/* --- The host. --- */

static bool next(void *self, unsigned number, struct host_launch *out) {
    struct cfd *k = self;
    const unsigned grid = k->mesh.elements / BLOCK;
    if (number == LAUNCHES) {
        return false;
    }
    if (number == 0) {
        memcpy(k->old_variables.data, k->variables.data, k->variables.count * sizeof(float));
        *out = (struct host_launch){.launch = {.code = &cfd_step_factor_code},
                                    .kernel = kernel_factor};
    } else if (number % 2) {
        *out = (struct host_launch){.launch = {.code = cfd_flux_kernel}, .kernel = cfd_flux};
    } else {
        k->stage = number / 2 - 1;
        *out = (struct host_launch){.launch = {.code = &cfd_time_step_code}, .kernel = kernel_step};
    }
    const struct launch shape = {out->launch.code, {grid, 1, 1}, {BLOCK, 1, 1}};
    out->launch = shape;
    return true;
}

/* The far field: a flow along x. */
static void far_field(float far[CFD_CONSTANTS]) {
    const float density = 1.4f, pressure = 1.0f;
    const float speed = MACH * sqrtf(CFD_GAMMA * pressure / density);
    const float v[CFD_VARIABLES] = {density, density * speed, 0.0f, 0.0f,
                                    density * (0.5f * speed * speed) +
                                        pressure / (CFD_GAMMA - 1.0f)};
    const struct cfd_flow f = cfd_flow(v);
    memcpy(far, v, sizeof v);
    memcpy(far + CFD_VARIABLES, f.flux[1], 12 * sizeof(float));
}

/* The far field, every variable of every element up to 5 % away from it. */
static void disturbed_flow(const struct cfd *k, float *variables) {
    uint64_t state = k->seed ^ 0x5eed;
    float far[CFD_CONSTANTS];
    far_field(far);
    for (unsigned m = 0; m < CFD_VARIABLES; m++) {
        for (unsigned i = 0; i < k->mesh.elements; i++) {
            const float away = 0.1f * (host_uniform(&state) - 0.5f);
            variables[(size_t)m * k->mesh.elements + i] =
                far[m] != 0.0f ? far[m] * (1.0f + away) : away;
        }
    }
}

static bool cfd_open(void *self, enum workload_size size, uint64_t seed) {
    struct cfd *k = self;
    const unsigned *cubes = sizes[size].cubes;
    const uint64_t n = 6 * (uint64_t)cubes[0] * cubes[1] * cubes[2];
    k->mesh = (struct cfd_mesh){{cubes[0], cubes[1], cubes[2]}, (unsigned)n};
    k->seed = seed;
    if (!HOST_ALLOC(&k->host.memory, {&k->areas, n, 4}, {&k->neighbours, CFD_FACES * n, 4},
                    {&k->normals, 3 * CFD_FACES * n, 4}, {&k->variables, CFD_VARIABLES * n, 4},
                    {&k->old_variables, CFD_VARIABLES * n, 4}, {&k->fluxes, CFD_VARIABLES * n, 4},
                    {&k->step_factors, n, 4}, {&k->far, CFD_CONSTANTS, 4}) ||
        cfd_mesh_fill(&k->mesh, seed, k->neighbours.data, k->normals.data, k->areas.data) != 0) {
        return false;
    }
    disturbed_flow(k, k->variables.data);
    far_field(k->far.data);
    host_set_step(&k->host, next);
    return true;
}

/* --- Plain C, an element after another. --- */

static void element_flux(const struct cfd *k, const float *variables, const float *far, size_t i,
                         float *fluxes) {
    const int32_t *neighbours = k->neighbours.data;
    const float *normals = k->normals.data;
    const size_t n = k->mesh.elements;
    float v[CFD_VARIABLES], flux[CFD_VARIABLES] = {0};
    for (unsigned m = 0; m < CFD_VARIABLES; m++) {
        v[m] = variables[i + m * n];
    }
    const struct cfd_flow here = cfd_flow(v);
    for (size_t f = 0; f < CFD_FACES; f++) {
        const int32_t nb = neighbours[i + f * n];
        const float normal[3] = {normals[i + f * n], normals[i + (f + 4) * n],
                                 normals[i + (f + 8) * n]};
        if (nb >= 0) {
            for (unsigned m = 0; m < CFD_VARIABLES; m++) {
                v[m] = variables[(size_t)nb + m * n];
            }
            cfd_interior_face(&here, v, normal, flux);
        } else if (nb == CFD_WALL) {
            cfd_wall_face(&here, normal, flux);
        } else {
            cfd_far_face(&here, far, normal, flux);
        }
    }
    for (unsigned m = 0; m < CFD_VARIABLES; m++) {
        fluxes[i + m * n] = flux[m];
    }
}

/* @old and @v hold the flow at the begin of the step. */
static void time_step(const struct cfd *k, const float *old, float *v, float *fluxes,
                      float *factors) {
    const float *areas = k->areas.data;
    const size_t n = k->mesh.elements;
    float far[CFD_CONSTANTS];
    far_field(far);
    for (size_t i = 0; i < n; i++) {
        factors[i] = cfd_step_factor(
            (float[]){v[i], v[i + n], v[i + 2 * n], v[i + 3 * n], v[i + 4 * n]}, areas[i]);
    }
    for (unsigned stage = 0; stage < STAGES; stage++) {
        for (size_t i = 0; i < n; i++) {
            element_flux(k, v, far, i, fluxes);
        }
        for (size_t i = 0; i < CFD_VARIABLES * n; i++) {
            v[i] = old[i] + factors[i % n] / (float)(STAGES - stage) * fluxes[i];
        }
    }
}

static const struct workload_result results[] = {FLOATS("step_factors", cfd, step_factors),
                                                 FLOATS("fluxes", cfd, fluxes),
                                                 FLOATS("variables", cfd, variables),
                                                 FLOATS("old_variables", cfd, old_variables),
                                                 {0}};

static bool cfd_plain(void *self, void *const expected[]) {
    const struct cfd *k = self;
    float *factors = expected[0], *fluxes = expected[1], *v = expected[2], *old = expected[3];
    disturbed_flow(k, old);
    memcpy(v, old, k->variables.count * sizeof *v);
    time_step(k, old, v, fluxes, factors);
    return true;
}

/* Adds what a warp's face costs, by who its neighbours are. The arrays of all variables begin at a
 * line. */
static void expect_face(const int32_t nb[WARP_SIZE], unsigned line_bytes,
                        struct workload_expectation *e) {
    int32_t line[WARP_SIZE];
    unsigned interior = 0, wall = 0, far = 0, lines = 0;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        wall += nb[lane] == CFD_WALL;
        far += nb[lane] == CFD_FAR_FIELD;
        if (nb[lane] >= 0) {
            unsigned i = 0;
            interior++;
            line[lines] = nb[lane] / (int32_t)(line_bytes / 4);
            while (line[i] != line[lines]) {
                i++;
            }
            lines += i == lines;
        }
    }
    e->warp_instructions += CFD_FACE_INSNS + (interior ? CFD_INTERIOR_INSNS : 0) +
                            (wall + far ? CFD_OUTSIDE_INSNS : 0) + (wall ? CFD_WALL_INSNS : 0) +
                            (far ? CFD_FAR_INSNS : 0);
    e->thread_instructions += WARP_SIZE * CFD_FACE_INSNS + interior * CFD_INTERIOR_INSNS +
                              (wall + far) * CFD_OUTSIDE_INSNS + wall * CFD_WALL_INSNS +
                              far * CFD_FAR_INSNS;
    e->global_read_accesses += CFD_VARIABLES * lines;
}

static void cfd_expect(const void *self, unsigned line_bytes, struct workload_expectation *e) {
    const struct cfd *k = self;
    const int32_t *neighbours = k->neighbours.data;
    const uint64_t n = k->mesh.elements, warps = n / WARP_SIZE;
    const uint64_t straight = FACTOR_INSNS + STAGES * (CFD_FLUX_INSNS + STEP_INSNS);
    const uint64_t row = host_row_lines(line_bytes);
    for (uint64_t first = 0; first < CFD_FACES * n; first += WARP_SIZE) {
        expect_face(neighbours + first, line_bytes, e);
    }
    e->warp_instructions = STAGES * e->warp_instructions + warps * straight;
    e->thread_instructions = STAGES * e->thread_instructions + n * straight;
    /* Loads along the arrays: 6 of a step factor, 5 and 4 a face of a flux, 11 of a stage. */
    e->global_read_accesses =
        STAGES * e->global_read_accesses + warps * row * (6 + STAGES * (5 + 4 * CFD_FACES + 11));
    e->global_write_accesses = warps * row * (1 + STAGES * (5 + 5));
}

const struct workload workload_cfd = {
    .name = "cfd",
    .suite = "rodinia",
    .about = "flow on an unstructured mesh: streams, and five gathers a face",
    .size_text = {[SIZE_TINY] = "2,688 elements, 1 time step",
                  [SIZE_SMALL] = "97,152 elements, 1 time step",
                  [SIZE_PAPER_OWL] = "97,152 elements, 1 time step (suite: 2000)"},
    .bytes = sizeof(struct cfd),
    .open = cfd_open,
    .results = results,
    .plain = cfd_plain,
    .expect = cfd_expect,
};
