/* SPDX-License-Identifier: Apache-2.0
 *
 * The shared part of Rodinia cfd's files: its arrays, and the arithmetic of a flow and of the
 * fluxes through the faces of an element.
 */
#ifndef WARPMEM_WORKLOADS_RODINIA_CFD_H
#define WARPMEM_WORKLOADS_RODINIA_CFD_H

#include <math.h>

#include "workloads/host.h"
#include "workloads/rodinia/cfd_mesh.h"

#define CFD_VARIABLES 5 /* density, momentum in x, y, z, energy */
#define CFD_CONSTANTS (CFD_VARIABLES + 12)
#define CFD_GAMMA 1.4f

struct cfd {
    struct host host;
    struct cfd_mesh mesh;
    uint64_t seed;
    unsigned stage;
    struct buffer areas, neighbours, normals, variables, old_variables, fluxes, step_factors;
    /* In constant memory: the far field's variables, and the flux in x, y, z of the last four. */
    struct buffer far;
};

/* The registers of all its kernels. */
enum {
    CFD_I,
    CFD_A,
    CFD_P,
    CFD_NB,
    CFD_T,
    CFD_X,
    CFD_Y,
    CFD_Z,
    CFD_V0,
    CFD_V1,
    CFD_V2,
    CFD_V3,
    CFD_V4,
    CFD_F0,
    CFD_F1,
    CFD_F2,
    CFD_F3,
    CFD_F4,
    CFD_N0,
    CFD_N1,
    CFD_N2,
    CFD_N3,
    CFD_N4
};

extern const struct kernel_code *const cfd_flux_kernel;
simt_kernel cfd_flux;

/* Instructions of a warp of the flux kernel: around the faces, on each face, on a face with lanes
 * in the interior, on one with lanes outside, with lanes at a wall, with lanes outside that are not
 * at a wall. */
enum {
    CFD_FLUX_INSNS = 2 + 5 + 30 + 4 + 12 + 2 + 5 + 5,
    CFD_FACE_INSNS = 7,
    CFD_INTERIOR_INSNS = 5 + 75,
    CFD_OUTSIDE_INSNS = 2,
    CFD_WALL_INSNS = 3,
    CFD_FAR_INSNS = 2 + 17 + 15
};

/* --- The flow of an element, and what passes a face. --- */

struct cfd_flow {
    float v[CFD_VARIABLES];
    float velocity[3], speed, pressure, sound;
    float flux[CFD_VARIABLES][3]; /* of each variable, in x, y, z; of the density the momentum */
};

static inline struct cfd_flow cfd_flow(const float v[CFD_VARIABLES]) {
    struct cfd_flow f = {.v = {v[0], v[1], v[2], v[3], v[4]}};
    float square = 0.0f;
    for (unsigned d = 0; d < 3; d++) {
        f.velocity[d] = v[1 + d] / v[0];
        square += f.velocity[d] * f.velocity[d];
    }
    f.speed = sqrtf(square);
    f.pressure = (CFD_GAMMA - 1.0f) * (v[4] - 0.5f * v[0] * square);
    f.sound = sqrtf(CFD_GAMMA * f.pressure / v[0]);
    for (unsigned d = 0; d < 3; d++) {
        f.flux[0][d] = v[1 + d];
        for (unsigned i = 0; i < 3; i++) {
            f.flux[1 + i][d] = f.velocity[i] * v[1 + d] + (i == d ? f.pressure : 0.0f);
        }
        f.flux[4][d] = f.velocity[d] * (v[4] + f.pressure);
    }
    return f;
}

/* To another element. */
static inline void cfd_interior_face(const struct cfd_flow *here, const float v[CFD_VARIABLES],
                                     const float normal[3], float flux[CFD_VARIABLES]) {
    const struct cfd_flow there = cfd_flow(v);
    const float length =
        sqrtf(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    const float smooth =
        -length * 0.2f * 0.5f * (here->speed + there.speed + here->sound + there.sound);
    for (unsigned m = 0; m < CFD_VARIABLES; m++) {
        flux[m] += smooth * (here->v[m] - there.v[m]);
        for (unsigned d = 0; d < 3; d++) {
            flux[m] += 0.5f * normal[d] * (there.flux[m][d] + here->flux[m][d]);
        }
    }
}

static inline void cfd_wall_face(const struct cfd_flow *here, const float normal[3],
                                 float flux[CFD_VARIABLES]) {
    for (unsigned d = 0; d < 3; d++) {
        flux[1 + d] += normal[d] * here->pressure;
    }
}

/* @far: as in constant memory. */
static inline void cfd_far_face(const struct cfd_flow *here, const float *far,
                                const float normal[3], float flux[CFD_VARIABLES]) {
    for (unsigned d = 0; d < 3; d++) {
        const float factor = 0.5f * normal[d];
        flux[0] += factor * (far[1 + d] + here->flux[0][d]);
        for (unsigned m = 1; m < CFD_VARIABLES; m++) {
            flux[m] += factor * (far[CFD_VARIABLES + 3 * (m - 1) + d] + here->flux[m][d]);
        }
    }
}

static inline float cfd_step_factor(const float v[CFD_VARIABLES], float area) {
    const struct cfd_flow f = cfd_flow(v);
    return 0.5f / (sqrtf(area) * (f.speed + f.sound));
}

#endif
