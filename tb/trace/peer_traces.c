/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that other simulators are compared on, as text traces that they read too:
 * FOLDER/NAME/kernelslist.g. 256 threads a block, 4-byte data, arrays 256-byte aligned.
 *
 * ATAX kernel 1, thread t: for j: tmp[t] += A[t * 2048 + j] * x[j]
 * ATAX kernel 2, thread t: for j: y[t] += A[j * 2048 + t] * tmp[j]
 * vecadd,        thread t: c[t] = a[t] + b[t]
 */
#include <stdarg.h>
#include <sys/stat.h>

#include "trace/accelsim_writer.h"

#define BLOCK 256
#define N 2048 /* of the matrix */
#define VECTOR (1 << 20)
#define ARRAYS UINT64_C(0x10000000) /* the first one's address */
#define ALL UINT32_MAX
#define NO REG_NONE

#define ALU(number, operation, to, ...) \
    { .op = (operation), .dst = (to), .src = {__VA_ARGS__}, .pc = 16 * (number) }
#define LOAD(number, to, address) \
    { \
        .op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .dst = (to), \
        .src = {(address), NO, NO, NO}, .pc = 16 * (number) \
    }
#define STORE(number, address, value) \
    { \
        .op = OP_STORE, .space = SPACE_GLOBAL, .width = 4, .dst = NO, \
        .src = {(address), (value), NO, NO}, .pc = 16 * (number) \
    }

/* R2: the sum's address, R4: A's, R6: the vector's, R9, R10, R11: their values, R0: j. */
static const struct insn atax[] = {
    LOAD(0, 9, 4),
    LOAD(1, 10, 6),
    LOAD(2, 11, 2),
    ALU(3, OP_FP_MAD, 11, 9, 10, 11, NO),
    STORE(4, 2, 11),
    ALU(5, OP_INT_ADD, 0, 0, NO, NO, NO),
    ALU(6, OP_INT_ADD, NO, 0, NO, NO, NO), /* a compare: its predicate is not in traces */
    ALU(7, OP_BRANCH, NO, NO, NO, NO, NO),
    ALU(8, OP_BRANCH, NO, NO, NO, NO, NO), /* EXIT */
};
static const struct insn vecadd[] = {
    ALU(0, OP_INT_ADD, 0, NO, NO, NO, NO), /* the thread's number */
    ALU(1, OP_INT_MAD, 2, 0, NO, NO, NO),  /* address of a */
    ALU(2, OP_INT_MAD, 4, 0, NO, NO, NO),  /* of b */
    LOAD(3, 9, 2),
    LOAD(4, 10, 4),
    ALU(5, OP_FP_ADD, 9, 9, 10, NO, NO),
    STORE(6, 6, 9),
    ALU(7, OP_BRANCH, NO, NO, NO, NO, NO), /* EXIT */
};

struct peer {
    const char *name;
    const struct insn *insns;
    unsigned insn_count, ctas, trips; /* trips 0: vecadd */
    bool by_row;                      /* A[t * N + j], else A[j * N + t] */
};

static const struct peer peers[] = {
    {"atax1", atax, 9, N / BLOCK, N, true},
    {"atax1_i256", atax, 9, N / BLOCK, 256, true},
    {"atax2_i512", atax, 9, N / BLOCK, 512, false},
    {"vecadd_1m", vecadd, 8, VECTOR / BLOCK, 0, false},
};

static bool atax_warp(const struct peer *p, unsigned thread, struct warp_stream *s) {
    const uint64_t a = ARRAYS, vector = a + 4 * N * N, sum = vector + 4 * N;
    bool good = true;
    for (unsigned j = 0; good && j < p->trips; j++) {
        good =
            (p->by_row ? warp_stream_put_affine(s, 0, ALL, a + 4 * (thread * N + j), 4 * N)
                       : warp_stream_put_affine(s, 0, ALL, a + 4 * (j * N + thread), 4)) &&
            warp_stream_put_affine(s, 1, ALL, vector + 4 * j, 0) &&
            warp_stream_put_affine(s, 2, ALL, sum + 4 * thread, 4) && warp_stream_put(s, 3, ALL) &&
            warp_stream_put_affine(s, 4, ALL, sum + 4 * thread, 4) && warp_stream_put(s, 5, ALL) &&
            warp_stream_put(s, 6, ALL) && warp_stream_put(s, 7, ALL);
    }
    return good && warp_stream_put(s, 8, ALL);
}

static bool vecadd_warp(unsigned thread, struct warp_stream *s) {
    const uint64_t a = ARRAYS + 4 * thread, array = 4 * VECTOR;
    return warp_stream_put(s, 0, ALL) && warp_stream_put(s, 1, ALL) && warp_stream_put(s, 2, ALL) &&
           warp_stream_put_affine(s, 3, ALL, a, 4) &&
           warp_stream_put_affine(s, 4, ALL, a + array, 4) && warp_stream_put(s, 5, ALL) &&
           warp_stream_put_affine(s, 6, ALL, a + 2 * array, 4) && warp_stream_put(s, 7, ALL);
}

static bool write_kernel(FILE *f, const struct peer *p) {
    const struct accelsim_style style = {4, ACCELSIM_STRIDE, false};
    struct kernel_code code = {
        .name = p->name, .insns = p->insns, .insn_count = p->insn_count, .registers = 16};
    struct launch launch = {&code, {p->ctas, 1, 1}, {BLOCK, 1, 1}};
    struct cta_trace *t = cta_trace_create();
    bool good = t;
    accelsim_write_head(f, &launch, &style);
    for (unsigned cta = 0; good && cta < p->ctas; cta++) {
        t->warp_count = launch_warps(&launch);
        for (unsigned w = 0; good && w < t->warp_count; w++) {
            unsigned thread = cta * BLOCK + w * WARP_SIZE;
            warp_stream_clear(&t->warp[w]);
            good = p->trips ? atax_warp(p, thread, &t->warp[w]) : vecadd_warp(thread, &t->warp[w]);
        }
        accelsim_write_cta(f, &style, &launch, cta, t);
    }
    cta_trace_destroy(t);
    return good;
}

static FILE *create_trace_file(const char *folder, const char *name, const char *file) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/%s", folder, name, file);
    FILE *f = fopen(path, "w");
    if (!f) {
        perror(path);
    }
    return f;
}

static bool write_peer(const char *folder, const struct peer *p) {
    FILE *list = create_trace_file(folder, p->name, "kernelslist.g");
    FILE *kernel = list ? create_trace_file(folder, p->name, "kernel-1.traceg") : NULL;
    if (!kernel) {
        return false;
    }
    fprintf(list, "MemcpyHtoD,0x%016" PRIx64 ",%u\nkernel-1.traceg\n", ARRAYS,
            p->trips ? 4 * N * N : 8 * VECTOR);
    bool good = write_kernel(kernel, p) && !ferror(kernel);
    good = !fclose(kernel) && good;
    return !fclose(list) && good;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    for (size_t i = 0; i < sizeof peers / sizeof *peers; i++) {
        if (!write_peer(argv[1], &peers[i])) {
            fprintf(stderr, "%s: %s cannot be written\n", argv[0], peers[i].name);
            return 1;
        }
    }
    return 0;
}
