/* SPDX-License-Identifier: Apache-2.0
 *
 * PolyBench/GPU 2mm: C += A B, then E += C D, a launch each. Coalesced lines of the right matrix,
 * which the 8 warps of a CTA share while they keep step, one element of the left matrix a warp, and
 * a store of the warp's line in every step.
 *
 * C and E start at zero. The paper's input is the release's, scaled; the release's 2048 would be
 * 137 G thread instructions, 512 is the largest power of two below the paper's 3.7 G.
 */
#include "workloads/polybench/matrix_multiply.h"
#include "workloads/workloads.h"

/* A is ni x nk, B nk x nj, D nj x nl. The small one has 1/8 of the rows of the result, which
 * leaves 128 CTAs, and all strides. */
static const struct size {
    unsigned ni, nj, nk, nl;
} sizes[] = {
    [SIZE_TINY] = {64, 64, 64, 64},
    [SIZE_SMALL] = {64, 512, 512, 512},
    [SIZE_PAPER_MRPB] = {512, 512, 512, 512},
};

enum { A, B, C, D, E, MATRICES };

static bool two_mm_open(void *self, enum workload_size size, uint64_t seed) {
    (void)seed;
    struct products *w = self;
    const struct size *n = &sizes[size];
    struct matrix *m = w->matrix;
    m[A] = (struct matrix){"A", n->ni, n->nk, .divisor = n->ni};
    m[B] = (struct matrix){"B", n->nk, n->nj, .shift = 1, .divisor = n->nj};
    m[C] = (struct matrix){"C", n->ni, n->nj, .divisor = 0};
    m[D] = (struct matrix){"D", n->nj, n->nl, .shift = 2, .divisor = n->nk};
    m[E] = (struct matrix){"E", n->ni, n->nl, .divisor = 0};
    w->product[0] = (struct product){&m[A], &m[B], &m[C]};
    w->product[1] = (struct product){&m[C], &m[D], &m[E]};
    w->matrices = MATRICES;
    w->count = 2;
    return products_open(w);
}

static const struct workload_result results[] = {
    FLOATS("A", products, matrix[A].data), FLOATS("B", products, matrix[B].data),
    FLOATS("C", products, matrix[C].data), FLOATS("D", products, matrix[D].data),
    FLOATS("E", products, matrix[E].data), {0}};

const struct workload workload_2mm = {
    .name = "2mm",
    .suite = "polybench",
    .about = "C = A B, E = C D: coalesced and broadcast loads, a store in every step",
    .size_text = {[SIZE_TINY] = "64^3 twice",
                  [SIZE_SMALL] = "64 rows of results, else 512",
                  [SIZE_PAPER_MRPB] = "512^3 twice (release: 2048^3)"},
    .bytes = sizeof(struct products),
    .open = two_mm_open,
    .results = results,
    .plain = products_plain,
    .expect = products_expect,
};
