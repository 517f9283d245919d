/* SPDX-License-Identifier: Apache-2.0
 *
 * PolyBench/GPU 2mm: C += A B, then E += C D, a launch each. Coalesced lines of the right matrix,
 * which the 8 warps of a CTA share while they keep step, one element of the left matrix a warp, and
 * a store of the warp's line in every step.
 *
 * C and E start at zero. The paper's input is the release's, scaled; the release's 2048 would be
 * 137 G thread instructions, 512 is the largest power of two below the paper's 3.7 G.
 */
#include <stdlib.h>

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

struct two_mm {
    struct host host;
    struct matrix matrix[MATRICES]; /* in the order of allocation */
    struct product product[2];
};

static void kernel_1(struct simt *s, const void *arguments) {
    multiply_kernel(s, &((const struct two_mm *)arguments)->product[0]);
}

static void kernel_2(struct simt *s, const void *arguments) {
    multiply_kernel(s, &((const struct two_mm *)arguments)->product[1]);
}

static const char *two_mm_open(struct program *p, enum workload_size size, uint64_t seed) {
    (void)seed;
    struct two_mm *w = host_open(p, sizeof *w);
    if (!w) {
        return "out of memory";
    }
    const struct size *n = &sizes[size];
    struct matrix *m = w->matrix;
    m[A] = (struct matrix){"A", n->ni, n->nk, .divisor = n->ni};
    m[B] = (struct matrix){"B", n->nk, n->nj, .shift = 1, .divisor = n->nj};
    m[C] = (struct matrix){"C", n->ni, n->nj, .divisor = 0};
    m[D] = (struct matrix){"D", n->nj, n->nl, .shift = 2, .divisor = n->nk};
    m[E] = (struct matrix){"E", n->ni, n->nl, .divisor = 0};
    w->product[0] = (struct product){&m[A], &m[B], &m[C]};
    w->product[1] = (struct product){&m[C], &m[D], &m[E]};
    for (unsigned i = 0; i < MATRICES; i++) {
        if (!matrix_open(&w->host, &m[i])) {
            host_close(p);
            return "out of memory";
        }
    }
    struct host_launch launches[] = {multiply_launch(multiply_code(), &m[C], kernel_1),
                                     multiply_launch(multiply_code(), &m[E], kernel_2)};
    host_add_launch(&w->host, &launches[0]);
    host_add_launch(&w->host, &launches[1]);
    return NULL;
}

static const char *two_mm_check(const struct program *p) {
    struct two_mm *w = p->self;
    float *plain[MATRICES];
    const char *error = NULL;
    for (unsigned i = 0; i < MATRICES; i++) {
        plain[i] = matrix_copy(&w->matrix[i]);
        error = plain[i] ? error : "out of memory";
    }
    if (!error) {
        multiply_plain(plain[C], plain[A], plain[B], &w->product[0], 1);
        multiply_plain(plain[E], plain[C], plain[D], &w->product[1], 1);
    }
    for (unsigned i = 0; i < MATRICES; i++) {
        if (!error && (i == C || i == E)) {
            error = host_compare(&w->host, w->matrix[i].name, &w->matrix[i].data, plain[i]);
        }
        free(plain[i]);
    }
    return error;
}

static void two_mm_expect(const struct program *p, unsigned line_bytes,
                          struct workload_expectation *e) {
    const struct two_mm *w = p->self;
    *e = (struct workload_expectation){0};
    multiply_expect_plain(e, &w->product[0], line_bytes);
    multiply_expect_plain(e, &w->product[1], line_bytes);
}

const struct workload workload_2mm = {
    .name = "2mm",
    .suite = "polybench",
    .about = "C = A B, E = C D: coalesced and broadcast loads, a store in every step",
    .size_text = {[SIZE_TINY] = "64^3 twice",
                  [SIZE_SMALL] = "64 rows of results, else 512",
                  [SIZE_PAPER_MRPB] = "512^3 twice (release: 2048^3)"},
    .open = two_mm_open,
    .check = two_mm_check,
    .expect = two_mm_expect,
    .close = host_close,
};
