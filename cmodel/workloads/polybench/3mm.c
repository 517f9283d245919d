/* SPDX-License-Identifier: Apache-2.0
 *
 * PolyBench/GPU 3mm: E += A B, F += C D, then G += E F, a launch each. As 2mm: coalesced lines of
 * the right matrix, one element of the left matrix a warp, a store of the warp's line in every
 * step. E, F and G start at zero. The release's 512 is 3.2 G thread instructions: the paper's.
 */
#include <stdlib.h>

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
enum { PRODUCTS = 3 };

struct three_mm {
    struct host host;
    struct matrix matrix[MATRICES]; /* in the order of allocation */
    struct product product[PRODUCTS];
};

static void kernel_1(struct simt *s, const void *arguments) {
    multiply_kernel(s, &((const struct three_mm *)arguments)->product[0]);
}

static void kernel_2(struct simt *s, const void *arguments) {
    multiply_kernel(s, &((const struct three_mm *)arguments)->product[1]);
}

static void kernel_3(struct simt *s, const void *arguments) {
    multiply_kernel(s, &((const struct three_mm *)arguments)->product[2]);
}

static const char *three_mm_open(struct program *p, enum workload_size size, uint64_t seed) {
    (void)seed;
    struct three_mm *w = host_open(p, sizeof *w);
    if (!w) {
        return "out of memory";
    }
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
    for (unsigned i = 0; i < MATRICES; i++) {
        if (!matrix_open(&w->host, &m[i])) {
            host_close(p);
            return "out of memory";
        }
    }
    static simt_kernel *const kernels[PRODUCTS] = {kernel_1, kernel_2, kernel_3};
    for (unsigned i = 0; i < PRODUCTS; i++) {
        struct host_launch launch = multiply_launch(multiply_code(), w->product[i].z, kernels[i]);
        host_add_launch(&w->host, &launch);
    }
    return NULL;
}

static const char *three_mm_check(const struct program *p) {
    struct three_mm *w = p->self;
    float *plain[MATRICES];
    const char *error = NULL;
    for (unsigned i = 0; i < MATRICES; i++) {
        plain[i] = matrix_copy(&w->matrix[i]);
        error = plain[i] ? error : "out of memory";
    }
    if (!error) {
        multiply_plain(plain[E], plain[A], plain[B], &w->product[0], 1);
        multiply_plain(plain[F], plain[C], plain[D], &w->product[1], 1);
        multiply_plain(plain[G], plain[E], plain[F], &w->product[2], 1);
    }
    for (unsigned i = 0; i < MATRICES; i++) {
        if (!error && i >= E) {
            error = host_compare(&w->host, w->matrix[i].name, &w->matrix[i].data, plain[i]);
        }
        free(plain[i]);
    }
    return error;
}

static void three_mm_expect(const struct program *p, unsigned line_bytes,
                            struct workload_expectation *e) {
    const struct three_mm *w = p->self;
    *e = (struct workload_expectation){0};
    for (unsigned i = 0; i < PRODUCTS; i++) {
        multiply_expect_plain(e, &w->product[i], line_bytes);
    }
}

const struct workload workload_3mm = {
    .name = "3mm",
    .suite = "polybench",
    .about = "G = (A B) (C D): coalesced and broadcast loads, a store in every step",
    .size_text = {[SIZE_TINY] = "64^3 three times",
                  [SIZE_SMALL] = "64 rows of E and G, 64 steps of F, else 512",
                  [SIZE_PAPER_MRPB] = "512^3 three times"},
    .open = three_mm_open,
    .check = three_mm_check,
    .expect = three_mm_expect,
    .close = host_close,
};
