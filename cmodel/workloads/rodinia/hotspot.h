/* SPDX-License-Identifier: Apache-2.0
 *
 * The program's state, shared by the host side of hotspot and its kernels.
 */
#ifndef WARPMEM_WORKLOADS_RODINIA_HOTSPOT_H
#define WARPMEM_WORKLOADS_RODINIA_HOTSPOT_H

#include "workloads/host.h"

#define HOTSPOT_SIDE 16 /* threads of a CTA a side */
#define HOTSPOT_STEPS 2
#define HOTSPOT_TILE \
    (HOTSPOT_SIDE - 2 * HOTSPOT_STEPS) /* cells that a CTA of tiled stores a side */
#define HOTSPOT_HEAT_INSNS 19          /* arithmetic of a cell's step */
#define HOTSPOT_AMBIENT 80.0f

/* A cell's constants: seconds a step by its heat capacity, inverse thermal resistances. */
struct hotspot_chip {
    float step_by_capacity, x_inverse, y_inverse, z_inverse;
};

struct hotspot {
    struct host host;
    unsigned n; /* cells a side, a multiple of HOTSPOT_SIDE */
    uint64_t seed;
    struct hotspot_chip chip;
    struct buffer temperature[2], power;
    unsigned from; /* temperature[from] is read by the current launch */
};

/** hotspot_tiled() - all steps in one launch, in shared memory. */
struct host_launch hotspot_tiled(const struct hotspot *k);
/** hotspot_direct() - a step, without shared memory. */
struct host_launch hotspot_direct(const struct hotspot *k);

/** hotspot_tiles() - CTAs of hotspot_tiled() a side. */
static inline unsigned hotspot_tiles(unsigned n) {
    return (n + HOTSPOT_TILE - 1) / HOTSPOT_TILE;
}

#endif
