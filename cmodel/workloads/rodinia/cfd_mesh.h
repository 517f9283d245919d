/* SPDX-License-Identifier: Apache-2.0
 *
 * The mesh of cfd: tetrahedra, of which each knows its four neighbours.
 */
#ifndef WARPMEM_WORKLOADS_RODINIA_CFD_MESH_H
#define WARPMEM_WORKLOADS_RODINIA_CFD_MESH_H

#include <stdint.h>

#define CFD_FACES 4
#define CFD_WALL (-1)
#define CFD_FAR_FIELD (-2)

struct cfd_mesh {
    unsigned cubes[3];
    unsigned elements; /* six a cube */
};

/**
 * cfd_mesh_fill() - elements numbered cube by cube, then shuffled within windows, as a generator
 * of meshes leaves them; the order of an element's faces is random too. Below is a wall, the other
 * sides are open.
 * @neighbour: of face f of element i at [i + f * elements]: an element, CFD_WALL or CFD_FAR_FIELD
 * @normal: component d of its outward normal, which is as long as the face is large, at
 *          [i + (f + 4 * d) * elements]
 * @volume: a value an element
 * Return: 0, or -1 when out of memory.
 */
int cfd_mesh_fill(const struct cfd_mesh *m, uint64_t seed, int32_t *neighbour, float *normal,
                  float *volume);

#endif
