/* SPDX-License-Identifier: Apache-2.0
 *
 * A cube falls into six tetrahedra, one for each order (a, b, c) of the axes, of the points with
 * x_a >= x_b >= x_c. Its faces: x_a = 1 (to the next cube along a, whose tetrahedron (b, c, a) has
 * the same face), x_c = 0 (to the cube before along c, (c, a, b)), x_a = x_b (to (b, a, c) of the
 * same cube) and x_b = x_c (to (a, c, b)).
 */
#include "workloads/rodinia/cfd_mesh.h"

#include <stdlib.h>

#include "workloads/host.h"

#define TETRAHEDRA 6
#define WINDOW 384 /* elements that change places: 64 cubes */

static const unsigned axes[TETRAHEDRA][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                             {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

static unsigned tetrahedron(unsigned a, unsigned b) {
    unsigned i = 0;
    while (axes[i][0] != a || axes[i][1] != b) {
        i++;
    }
    return i;
}

struct face {
    int64_t neighbour; /* before the shuffle; negative: none */
    float normal[3];
};

/* Face @number of a cube's tetrahedron. */
static struct face face_at(const struct cfd_mesh *m, const unsigned cube[3], const unsigned *axis,
                           unsigned number) {
    const unsigned a = axis[0], b = axis[1], c = axis[2];
    unsigned there[3] = {cube[0], cube[1], cube[2]}, t = 0;
    struct face f = {0};
    switch (number) {
    case 0:
        f.normal[a] = 0.5f;
        t = tetrahedron(b, c);
        there[a]++;
        break;
    case 1:
        f.normal[b] = 0.5f;
        f.normal[a] = -0.5f;
        t = tetrahedron(b, a);
        break;
    case 2:
        f.normal[c] = 0.5f;
        f.normal[b] = -0.5f;
        t = tetrahedron(a, c);
        break;
    default:
        f.normal[c] = -0.5f;
        t = tetrahedron(c, a);
        there[c]--; /* wraps below zero */
        break;
    }
    for (unsigned d = 0; d < 3; d++) {
        if (there[d] >= m->cubes[d]) {
            f.neighbour = d == 2 && number == 3 ? CFD_WALL : CFD_FAR_FIELD;
            return f;
        }
    }
    const int64_t at = ((int64_t)there[2] * m->cubes[1] + there[1]) * m->cubes[0] + there[0];
    f.neighbour = at * TETRAHEDRA + t;
    return f;
}

/* @place: where an element goes. */
static void shuffle(const struct cfd_mesh *m, uint64_t *state, int32_t *place) {
    for (unsigned i = 0; i < m->elements; i++) {
        place[i] = (int32_t)i;
    }
    for (unsigned first = 0; first < m->elements; first += WINDOW) {
        const unsigned left = m->elements - first, count = left < WINDOW ? left : WINDOW;
        for (unsigned i = count - 1; i > 0; i--) {
            const unsigned j = (unsigned)(host_random(state) % (i + 1));
            const int32_t moved = place[first + i];
            place[first + i] = place[first + j];
            place[first + j] = moved;
        }
    }
}

int cfd_mesh_fill(const struct cfd_mesh *m, uint64_t seed, int32_t *neighbour, float *normal,
                  float *volume) {
    const size_t n = m->elements;
    int32_t *place = malloc(n * sizeof *place);
    if (!place) {
        return -1;
    }
    shuffle(m, &seed, place);
    for (unsigned i = 0; i < n; i++) {
        const unsigned number = i / TETRAHEDRA;
        const unsigned cube[3] = {number % m->cubes[0], number / m->cubes[0] % m->cubes[1],
                                  number / m->cubes[0] / m->cubes[1]};
        const unsigned turn = (unsigned)(host_random(&seed) % CFD_FACES);
        const size_t at = (size_t)place[i];
        volume[at] = (0.9f + 0.2f * host_uniform(&seed)) / TETRAHEDRA;
        for (unsigned f = 0; f < CFD_FACES; f++) {
            const struct face face = face_at(m, cube, axes[i % TETRAHEDRA], (f + turn) % CFD_FACES);
            neighbour[at + f * n] =
                face.neighbour < 0 ? (int32_t)face.neighbour : place[face.neighbour];
            for (unsigned d = 0; d < 3; d++) {
                normal[at + (f + CFD_FACES * d) * n] = face.normal[d];
            }
        }
    }
    free(place);
    return 0;
}
