/* SPDX-License-Identifier: Apache-2.0
 *
 * PolyBench's matrix-vector, rank-k and orthogonalisation programs, counted from their records
 * without a machine: order and lines of the accesses, sets that they meet in, shapes of launches.
 */
#include <stdio.h>
#include <string.h>

#include "base/unit_tests.h"
#include "workloads/host.h"
#include "workloads/rodinia_records.h"
#include "workloads/workload.h"

#define LINE 128u
#define SETS 32u /* of an L1 of 16 KB, 4 ways */
#define LENGTH(a) (sizeof(a) / sizeof *(a))

static struct program open_matrix_program(const char *name, enum workload_size size) {
    struct program p;
    const struct workload *w = workload_find(name);
    assert_non_null(w);
    assert_null(workload_open(w, &p, size, 1));
    return p;
}

/* Different values of (address / unit) % modulus among the active lanes. */
static unsigned different_values(const struct warp_op *op, unsigned unit, uint64_t modulus) {
    uint64_t address[WARP_SIZE], seen[WARP_SIZE];
    unsigned count = 0;
    warp_op_addresses(op, address);
    for (uint32_t m = op->active; m; m &= m - 1) {
        uint64_t value = address[__builtin_ctz(m)] / unit % modulus;
        unsigned i = 0;
        while (i < count && seen[i] != value) {
            i++;
        }
        seen[i] = value;
        count += i == count;
    }
    return count;
}

/* The first accesses of warp 0 of CTA 0: L(oad) or S(tore) and the lines it touches, or b where all
 * lanes name one element. *sets: of the first access to 32 lines. */
static void first_accesses(struct program *p, int launch, char *text, size_t size, unsigned *sets) {
    struct cta_trace *t = cta_trace_create();
    struct warp_cursor c;
    struct warp_op op;
    const struct launch *l;
    for (int i = 0; i <= launch; i++) {
        assert_true(p->next_launch(p->self, &l));
    }
    assert_true(p->run_cta(p->self, 0, t));
    warp_cursor_open(&c, &t->warp[0], l->code);
    for (size_t used = 0; used + 8 < size && warp_cursor_next(&c, &op);) {
        if (insn_is_memory(op.insn)) {
            unsigned lines = different_values(&op, LINE, UINT64_MAX);
            char kind = op.insn->op == OP_LOAD ? 'L' : 'S';
            if (lines == WARP_SIZE && !*sets) {
                *sets = different_values(&op, LINE, SETS);
            }
            used += (size_t)(different_values(&op, 4, UINT64_MAX) == 1
                                 ? sprintf(text + used, "%cb ", kind)
                                 : sprintf(text + used, "%c%u ", kind, lines));
        }
    }
    cta_trace_destroy(t);
}

TEST(accesses_come_in_the_order_of_the_original) {
    static const struct {
        const char *name;
        int launch;
        unsigned sets; /* in which 32 lines meet: 1 of rows of 8 KB, 2 of 2 KB, 4 of 1 KB */
        const char *order;
    } cases[] = {
        {"atax", 0, 1, "L1 Lb L32 S1 Lb L32 S1 "},
        {"atax", 1, 0, "L1 L1 Lb S1 L1 Lb S1 "},
        {"bicg", 0, 0, "S1 Lb L1 S1 Lb L1 S1 "},
        {"bicg", 1, 1, "S1 Lb L32 S1 Lb L32 S1 "},
        {"mvt", 0, 1, "L1 Lb L32 S1 Lb L32 S1 "},
        {"mvt", 1, 0, "L1 L1 Lb S1 L1 Lb S1 "},
        {"gesummv", 0, 1, "Lb L32 L1 S1 Lb L32 L1 S1 Lb L32 "},
        {"syrk", 0, 4, "L1 S1 Lb L32 S1 Lb L32 S1 "},
        {"syr2k", 0, 4, "L1 S1 Lb L32 Lb L32 S1 Lb L32 "},
        {"gramschm", 0, 0, "Lb Lb Lb Lb "},
        {"gramschm", 1, 2, "L32 Lb S32 "},
        {"gramschm", 2, 0, "S1 L1 Lb S1 L1 Lb S1 "},
    };
    for (unsigned i = 0; i < LENGTH(cases); i++) {
        struct program p = open_matrix_program(cases[i].name, SIZE_PAPER_MRPB);
        char text[64] = "";
        unsigned sets = 0;
        first_accesses(&p, cases[i].launch, text, sizeof text, &sets);
        assert_memory_equal(text, cases[i].order, strlen(cases[i].order));
        assert_int_equal(sets, cases[i].sets);
        workload_close(workload_find(cases[i].name), &p);
    }
}

TEST(launches_have_the_shape_of_the_original) {
    static const struct {
        const char *name;
        unsigned launches, last_grid[2], block[2];
    } cases[] = {
        {"atax", 2, {2048 / 256, 1}, {256, 1}},          {"bicg", 2, {2048 / 256, 1}, {256, 1}},
        {"mvt", 2, {2048 / 256, 1}, {256, 1}},           {"gesummv", 1, {2048 / 256, 1}, {256, 1}},
        {"syrk", 1, {256 / 32, 256 / 8}, {32, 8}},       {"syr2k", 1, {256 / 32, 256 / 8}, {32, 8}},
        {"gramschm", 3 * 512, {512 / 256, 1}, {256, 1}},
    };
    for (unsigned i = 0; i < LENGTH(cases); i++) {
        struct program p = open_matrix_program(cases[i].name, SIZE_PAPER_MRPB);
        const struct launch *l;
        unsigned launches = 0;
        struct launch last = {0};
        while (p.next_launch(p.self, &l)) {
            launches++;
            last = *l;
        }
        assert_int_equal(launches, cases[i].launches);
        for (unsigned d = 0; d < 2; d++) {
            assert_int_equal(last.grid[d], cases[i].last_grid[d]);
            assert_int_equal(last.block[d], cases[i].block[d]);
        }
        workload_close(workload_find(cases[i].name), &p);
    }
}

/* Worked out by hand from the sizes of the papers and lines of 128 bytes: warps times (before and
 * behind the loop + a step times steps). */
TEST(matrix_formulas_give_the_figures_worked_out_by_hand) {
    static const struct {
        const char *name;
        struct workload_expectation e;
    } cases[] = {
        /* 64 warps, 2048 steps, two launches: 8 + 8 instructions; 33 + 2 reads, 1 + 1 writes. */
        {"bicg", {2098176, 67141632, 4587520, 262272}},
        {"mvt", {2098048, 67137536, 4587648, 262144}},
        /* 64 warps, 2048 steps: 12 + 15; 1 + 68; 1 + 2. */
        {"gesummv", {1966848, 62939136, 8912960, 262208}},
        /* 2048 warps, 256 steps: 10 + 9; 1 + 33; 1 + 1. */
        {"syrk", {4739072, 151650304, 17303552, 526336}},
        /* 12 + 16; 1 + 66; 1 + 1. */
        {"syr2k", {8413184, 269221888, 34605056, 526336}},
    };
    for (unsigned i = 0; i < LENGTH(cases); i++) {
        const struct workload *w = workload_find(cases[i].name);
        struct program p = open_matrix_program(cases[i].name, SIZE_PAPER_MRPB);
        struct workload_expectation e;
        workload_expect(w, &p, LINE, &e);
        assert_memory_equal(&e, &cases[i].e, sizeof e);
        workload_close(w, &p);
    }
}

TEST(any_matrix_launch_left_out_fails_the_check) {
    static const struct {
        const char *name;
        int launches;
    } cases[] = {{"bicg", 2}, {"mvt", 2}, {"gramschm", 6}};
    for (unsigned i = 0; i < LENGTH(cases); i++) {
        for (int skipped = 0; skipped < cases[i].launches; skipped++) {
            expect_left_out_seen(cases[i].name, skipped);
        }
    }
}

TEST(a_wrong_bit_in_a_matrix_result_fails_the_check) {
    static const struct {
        const char *name;
        unsigned block; /* of the result, in the order of allocation */
        const char *says;
    } results[] = {
        {"bicg", 2, "s[17] is "},     {"bicg", 4, "q[17] is "},     {"mvt", 1, "x1[17] is "},
        {"mvt", 2, "x2[17] is "},     {"gesummv", 3, "y[17] is "},  {"gesummv", 4, "tmp[17] is "},
        {"syrk", 1, "C[17] is "},     {"syr2k", 2, "C[17] is "},    {"gramschm", 0, "A[17] is "},
        {"gramschm", 1, "R[17] is "}, {"gramschm", 2, "Q[17] is "},
    };
    for (unsigned i = 0; i < LENGTH(results); i++) {
        expect_wrong_bit_seen(results[i].name, results[i].block, 4 * 17, results[i].says);
    }
}
