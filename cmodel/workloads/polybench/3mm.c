/* SPDX-License-Identifier: Apache-2.0
 *
 * PolyBench/GPU 3mm: E += A B, F += C D, then G += E F, a launch each. As 2mm: coalesced lines of
 * the right matrix, one element of the left matrix a warp, a store of the warp's line in every
 * step. E, F and G start at zero. The release's 512 is 3.2 G thread instructions: the paper's.
 */
#include "workloads/polybench/matrix_multiply.h"
#include "workloads/workloads.h"

/* A is ni x nk, B nk x nj, C nj x nm, D nm x nl. The small one has 1/8 of the work of each launch:
 * of the rows of E and G, of the steps of F. All rows that warps read along keep their stride. */
static const struct size {
    unsigned ni, nj, nk, nl, nm;
} sizes[] = {
    [SIZE_TINY] = {64, 64, 64, 64, 64},
    [SIZE_SMALL] = {64, 512, 512, 512, 64},
    [SIZE_PAPER_MRPB] = {512, 512, 512, 512, 512},
};

enum { A, B, C, D, E, F, G, MATRICES };

static bool three_mm_open(void *self, enum workload_size size, uint64_t seed) {
    (void)seed;
    struct products *w = self;
    const struct size *n = &sizes[size];
    struct matrix *m = w->matrix;
    m[A] = (struct matrix){"A", n->ni, n->nk, .divisor = n->ni};
    m[B] = (struct matrix){"B", n->nk, n->nj, .shift = 1, .divisor = n->nj};
    m[C] = (struct matrix){"C", n->nj, n->nm, .shift = 3, .divisor = n->nl};
    m[D] = (struct matrix){"D", n->nm, n->nl, .shift = 2, .divisor = n->nk};
    m[E] = (struct matrix){"E", n->ni, n->nj, .divisor = 0};
    m[F] = (struct matrix){"F", n->nj, n->nl, .divisor = 0};
    m[G] = (struct matrix){"G", n->ni, n->nl, .divisor = 0};
    w->product[0] = (struct product){&m[A], &m[B], &m[E]};
    w->product[1] = (struct product){&m[C], &m[D], &m[F]};
    w->product[2] = (struct product){&m[E], &m[F], &m[G]};
    w->matrices = MATRICES;
    w->count = 3;
    return products_open(w);
}

static const struct workload_result results[] = {
    FLOATS("A", products, matrix[A].data), FLOATS("B", products, matrix[B].data),
    FLOATS("C", products, matrix[C].data), FLOATS("D", products, matrix[D].data),
    FLOATS("E", products, matrix[E].data), FLOATS("F", products, matrix[F].data),
    FLOATS("G", products, matrix[G].data), {0}};

const struct workload workload_3mm = {
    .name = "3mm",
    .suite = "polybench",
    .about = "G = (A B) (C D): coalesced and broadcast loads, a store in every step",
    .size_text = {[SIZE_TINY] = "64^3 three times",
                  [SIZE_SMALL] = "64 rows of E and G, 64 steps of F, else 512",
                  [SIZE_PAPER_MRPB] = "512^3 three times"},
    .bytes = sizeof(struct products),
    .open = three_mm_open,
    .results = results,
    .plain = products_plain,
    .expect = products_expect,
};
