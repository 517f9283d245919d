/* SPDX-License-Identifier: Apache-2.0
 *
 * LonestarGPU bh in plain C: the bodies, and a simulation of them, by recursion. The tree is the
 * one octree in which no two bodies share an octant, whatever the order of insertion: sums
 * over children in the order of octants, and so masses, forces and the bodies' ways, are the same
 * bit for bit. Only the numbers of cells depend on the order.
 */
#ifndef WARPMEM_WORKLOADS_LONESTAR_BH_PLAIN_H
#define WARPMEM_WORKLOADS_LONESTAR_BH_PLAIN_H

#include "workloads/lonestar/bh.h"

/* Children as on the device, but cells are numbered from k->bodies on. */
struct bh_cell {
    int32_t child[8];
    int32_t count, start;
    float mass, pos[3];
};

struct bh_plain {
    int32_t bodies;
    float *pos[3], *vel[3], *acc[3];
    float mass; /* of each body */
    struct bh_cell *cell;
    int32_t cells, max_depth;
    float radius;
    int32_t *sort; /* bodies in the order of the tree */
};

/** bh_generate() - bodies of a Plummer model: pos and vel, in p->bodies elements. */
void bh_generate(struct bh_plain *p, uint64_t seed);
/** bh_plain_open() - bodies at rest in the origin. Return: false when out of memory;
 * bh_plain_close() is due in either case. */
bool bh_plain_open(struct bh_plain *p, int32_t bodies);
void bh_plain_close(struct bh_plain *p);
/** bh_plain_step() - the @step-th step, from 0. The tree is that of the places before. */
void bh_plain_step(struct bh_plain *p, unsigned step);

#endif
