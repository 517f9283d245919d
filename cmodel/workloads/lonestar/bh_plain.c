/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/lonestar/bh_plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool bh_plain_open(struct bh_plain *p, int32_t bodies) {
    const size_t n = (size_t)bodies;
    *p = (struct bh_plain){.bodies = bodies, .mass = 1.0f / (float)bodies, .max_depth = 1};
    bool good = true;
    for (unsigned axis = 0; axis < 3; axis++) {
        p->pos[axis] = calloc(n, sizeof(float));
        p->vel[axis] = calloc(n, sizeof(float));
        p->acc[axis] = calloc(n, sizeof(float));
        good = good && p->pos[axis] && p->vel[axis] && p->acc[axis];
    }
    p->cell = calloc(n, sizeof *p->cell);
    p->sort = calloc(n, sizeof *p->sort);
    return good && p->cell && p->sort;
}

void bh_plain_close(struct bh_plain *p) {
    for (unsigned axis = 0; axis < 3; axis++) {
        free(p->pos[axis]);
        free(p->vel[axis]);
        free(p->acc[axis]);
    }
    free(p->cell);
    free(p->sort);
}

/* --- The bodies: by what IEEE 754 rounds in one way, so that they are the same everywhere. --- */

static double uniform(uint64_t *seed) {
    return (double)(host_random(seed) >> 11) / 9007199254740992.0;
}

/* By Newton, of 0 < x <= 1; from above it falls until rounding stops it. */
static double cube_root(double x) {
    double root = 1, next = (2 + x) / 3;
    while (next < root) {
        root = next;
        next = (2 * root + x / (root * root)) / 3;
    }
    return root;
}

/* A vector of @length in any direction. */
static void direct(uint64_t *seed, double length, double v[3]) {
    double square;
    do {
        square = 0;
        for (unsigned axis = 0; axis < 3; axis++) {
            v[axis] = uniform(seed) * 2 - 1;
            square += v[axis] * v[axis];
        }
    } while (square > 1 || square == 0);
    for (unsigned axis = 0; axis < 3; axis++) {
        v[axis] *= length / sqrt(square);
    }
}

/* Aarseth, Henon and Wielen's way: the radius in which a share of the mass lies, and a part of the
 * escape velocity by rejection; in the units in which the energy is -1/4. */
void bh_generate(struct bh_plain *p, uint64_t seed) {
    const double scale = 3 * 3.14159265358979323846 / 16;
    for (int32_t i = 0; i < p->bodies; i++) {
        double share, radius, part, limit, v[3];
        do {
            share = uniform(&seed) * 0.999;
        } while (share == 0);
        const double root = cube_root(share);
        radius = 1 / sqrt(1 / (root * root) - 1);
        direct(&seed, radius * scale, v);
        for (unsigned axis = 0; axis < 3; axis++) {
            p->pos[axis][i] = (float)v[axis];
        }
        do {
            part = uniform(&seed);
            limit = 1 - part * part;
            limit = part * part * limit * limit * limit * sqrt(limit);
        } while (uniform(&seed) * 0.1 > limit);
        direct(&seed, part * sqrt(2 / sqrt(1 + radius * radius)) * sqrt(1 / scale), v);
        for (unsigned axis = 0; axis < 3; axis++) {
            p->vel[axis][i] = (float)v[axis];
        }
    }
}

/* --- The tree. --- */

static float place(const struct bh_plain *p, int32_t node, unsigned axis) {
    return node < p->bodies ? p->pos[axis][node] : p->cell[node - p->bodies].pos[axis];
}

static float mass(const struct bh_plain *p, int32_t node) {
    return node < p->bodies ? p->mass : p->cell[node - p->bodies].mass;
}

static unsigned octant(const struct bh_plain *p, int32_t body, const float centre[3]) {
    return (unsigned)(centre[0] < p->pos[0][body]) | (unsigned)(centre[1] < p->pos[1][body]) << 1 |
           (unsigned)(centre[2] < p->pos[2][body]) << 2;
}

/* A cell of the @count bodies in sort from @start on, two or more; they come in the order of the
 * tree. Return: its number. */
static int32_t build(struct bh_plain *p, int32_t start, int32_t count, const float centre[3],
                     float radius, int32_t depth) {
    const int32_t number = p->cells++;
    struct bh_cell *c = &p->cell[number];
    int32_t first[9] = {0}, next[8];
    int32_t *bodies = malloc((size_t)count * sizeof *bodies);
    if (!bodies) {
        abort();
    }
    memcpy(bodies, p->sort + start, (size_t)count * sizeof *bodies);
    for (int32_t i = 0; i < count; i++) {
        first[octant(p, bodies[i], centre) + 1]++;
    }
    for (unsigned o = 0; o < 8; o++) {
        first[o + 1] += first[o];
        next[o] = start + first[o];
    }
    for (int32_t i = 0; i < count; i++) {
        p->sort[next[octant(p, bodies[i], centre)]++] = bodies[i];
    }
    free(bodies);
    *c = (struct bh_cell){.count = count, .start = start};
    p->max_depth = depth > p->max_depth ? depth : p->max_depth;
    for (unsigned o = 0; o < 8; o++) {
        const int32_t in = first[o + 1] - first[o];
        c->child[o] = in ? p->sort[start + first[o]] : BH_EMPTY;
        if (in > 1) {
            float middle[3];
            for (unsigned axis = 0; axis < 3; axis++) {
                middle[axis] = centre[axis] + (o >> axis & 1 ? radius / 2 : -radius / 2);
            }
            c->child[o] = p->bodies + build(p, start + first[o], in, middle, radius / 2, depth + 1);
        }
    }
    for (unsigned o = 0; o < 8; o++) {
        if (c->child[o] >= 0) {
            const float m = mass(p, c->child[o]);
            c->mass += m;
            for (unsigned axis = 0; axis < 3; axis++) {
                c->pos[axis] += place(p, c->child[o], axis) * m;
            }
        }
    }
    const float inverse = 1 / c->mass;
    for (unsigned axis = 0; axis < 3; axis++) {
        c->pos[axis] *= inverse;
    }
    return number;
}

static void build_all(struct bh_plain *p) {
    float centre[3];
    p->radius = 0;
    for (unsigned axis = 0; axis < 3; axis++) {
        float low = p->pos[axis][0], high = low;
        for (int32_t i = 1; i < p->bodies; i++) {
            low = p->pos[axis][i] < low ? p->pos[axis][i] : low;
            high = p->pos[axis][i] > high ? p->pos[axis][i] : high;
        }
        centre[axis] = (low + high) * 0.5f;
        p->radius = (high - low) * 0.5f > p->radius ? (high - low) * 0.5f : p->radius;
    }
    for (int32_t i = 0; i < p->bodies; i++) {
        p->sort[i] = i;
    }
    p->cells = 0;
    build(p, 0, p->bodies, centre, p->radius, 1);
}

/* --- Forces. --- */

/* Up to 32 bodies that take the same way. */
struct group {
    const int32_t *body;
    int32_t count;
    float acc[WARP_SIZE][3];
};

static void pull(const struct bh_plain *p, struct group *g, int32_t node, float far) {
    float d[WARP_SIZE][3], square[WARP_SIZE];
    bool together = true;
    for (int32_t i = 0; i < g->count; i++) {
        for (unsigned axis = 0; axis < 3; axis++) {
            d[i][axis] = place(p, node, axis) - p->pos[axis][g->body[i]];
        }
        square[i] = d[i][2] * d[i][2] + BH_EPS_SQUARED;
        square[i] = d[i][1] * d[i][1] + square[i];
        square[i] = d[i][0] * d[i][0] + square[i];
        together = together && square[i] >= far + BH_EPS_SQUARED;
    }
    if (!together && node >= p->bodies) {
        for (unsigned o = 0; o < 8; o++) {
            if (p->cell[node - p->bodies].child[o] >= 0) {
                pull(p, g, p->cell[node - p->bodies].child[o], far / 4);
            }
        }
        return;
    }
    for (int32_t i = 0; i < g->count; i++) {
        const float r = 1 / sqrtf(square[i]);
        const float by = mass(p, node) * r * r * r;
        for (unsigned axis = 0; axis < 3; axis++) {
            g->acc[i][axis] += d[i][axis] * by;
        }
    }
}

static void pull_group(struct bh_plain *p, int32_t start, unsigned step) {
    struct group g = {.body = p->sort + start, .count = p->bodies - start};
    const float edge = 2 * p->radius;
    g.count = g.count < WARP_SIZE ? g.count : WARP_SIZE;
    for (unsigned o = 0; o < 8; o++) {
        if (p->cell[0].child[o] >= 0) {
            pull(p, &g, p->cell[0].child[o], edge * edge * BH_INVERSE_THETA_SQUARED);
        }
    }
    for (int32_t i = 0; i < g.count; i++) {
        for (unsigned axis = 0; axis < 3; axis++) {
            float *acc = &p->acc[axis][g.body[i]];
            if (step > 0) {
                p->vel[axis][g.body[i]] += (g.acc[i][axis] - *acc) * BH_HALF_DT;
            }
            *acc = g.acc[i][axis];
        }
    }
}

void bh_plain_step(struct bh_plain *p, unsigned step) {
    build_all(p);
    for (int32_t start = 0; start < p->bodies; start += WARP_SIZE) {
        pull_group(p, start, step);
    }
    for (unsigned axis = 0; axis < 3; axis++) {
        for (int32_t i = 0; i < p->bodies; i++) {
            const float half = p->acc[axis][i] * BH_HALF_DT;
            const float vel = p->vel[axis][i] + half;
            p->pos[axis][i] += vel * BH_DT;
            p->vel[axis][i] = vel + half;
        }
    }
}
