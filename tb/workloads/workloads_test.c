/* SPDX-License-Identifier: Apache-2.0
 *
 * Every built-in workload without a machine: its results, its counts against closed formulas, its
 * instruction tables. `make unit-long` runs the small sizes too; with the argument "paper" those of
 * the papers.
 */
#include <stdlib.h>
#include <string.h>

#include "base/unit_tests.h"
#include "base/long_test.h"
#include "workloads/host.h"
#include "workloads/rodinia_records.h"
#include "workloads/workload.h"

/* Sizes of an L1 line: each that a machine may have. */
static const unsigned line_sizes[] = {32, 64, 128};
enum { LINE_SIZES = sizeof line_sizes / sizeof *line_sizes };

#define EACH_WORKLOAD(w) \
    for (unsigned w##_i = 0; w##_i == 0 || workload_at(w##_i); w##_i++) \
        for (const struct workload *w = workload_at(w##_i), *w##_once = w; w##_once; \
             w##_once = NULL)

/* Lines that the active lanes touch. */
static unsigned lines_of_lanes(const struct warp_op *op, unsigned line_bytes) {
    uint64_t address[WARP_SIZE], line[2 * WARP_SIZE];
    unsigned count = 0;
    warp_op_addresses(op, address);
    for (uint32_t m = op->active; m; m &= m - 1) {
        uint64_t first = address[__builtin_ctz(m)], last = first + op->insn->width - 1;
        for (uint64_t l = first / line_bytes; l <= last / line_bytes; l++) {
            unsigned i = 0;
            while (i < count && line[i] != l) {
                i++;
            }
            line[i] = l;
            count += i == count;
        }
    }
    return count;
}

static void count_op(const struct warp_op *op, unsigned line_bytes,
                     struct workload_expectation *e) {
    e->warp_instructions++;
    e->thread_instructions += (unsigned)__builtin_popcount(op->active);
    if ((op->insn->op == OP_LOAD || op->insn->op == OP_STORE) && op->insn->space == SPACE_GLOBAL) {
        *(op->insn->op == OP_LOAD ? &e->global_read_accesses : &e->global_write_accesses) +=
            lines_of_lanes(op, line_bytes);
    }
}

/* @self: expectations, one for each of line_sizes. */
static void count_expected_record(void *self, const struct place *at) {
    struct workload_expectation *e = self;
    for (unsigned i = 0; i < LINE_SIZES && !insn_is_marker(at->op->insn); i++) {
        count_op(at->op, line_sizes[i], &e[i]);
    }
}

static void run_counted(const struct workload *w, enum workload_size size) {
    struct program p;
    struct workload_expectation counted[LINE_SIZES] = {0}, expected;
    const struct workload_expectation *last = &counted[LINE_SIZES - 1];
    records_open(w->name, &p, size);
    records_run(&p, (struct run_order){.skipped = -1}, count_expected_record, counted);
    for (unsigned i = 0; i < LINE_SIZES; i++) {
        workload_expect(w, &p, line_sizes[i], &expected);
        assert_true(workload_meets(counted[i].warp_instructions, expected.warp_instructions));
        assert_true(workload_meets(counted[i].thread_instructions, expected.thread_instructions));
        assert_true(workload_meets(counted[i].global_read_accesses, expected.global_read_accesses));
        assert_true(
            workload_meets(counted[i].global_write_accesses, expected.global_write_accesses));
        assert_true(counted[i].global_read_accesses > 0 && counted[i].global_write_accesses > 0);
    }
    const char *error = workload_check(w, &p);
    if (error) {
        fail_msg("%s: %s", w->name, error);
    }
    print_message("%-8s %-32s %9llu warp instructions %9llu accesses\n", w->name,
                  w->size_text[size], (unsigned long long)last->warp_instructions,
                  (unsigned long long)(last->global_read_accesses + last->global_write_accesses));
    workload_close(w, &p);
}

TEST(tiny_runs_give_the_results_and_counts) {
    EACH_WORKLOAD(w) {
        run_counted(w, SIZE_TINY);
    }
}

TEST(small_runs_give_the_results_and_counts) {
    if (!is_long_test()) {
        skip();
    }
    EACH_WORKLOAD(w) {
        run_counted(w, SIZE_SMALL);
    }
}

TEST_ON_REQUEST(paper_runs_give_the_results_and_counts, "paper") {
    EACH_WORKLOAD(w) {
        for (unsigned i = SIZE_PAPER; i < SIZE_COUNT; i++) {
            if (w->size_text[i]) {
                run_counted(w, (enum workload_size)i);
            }
        }
    }
}

/* Worked out by hand. Per warp, before the loop and in it: atax 7 + 8 instructions, gemm 10 + 9;
 * vecadd 8. */
TEST(the_formulas_give_the_figures_worked_out_by_hand) {
    static const struct {
        const char *name;
        enum workload_size size;
        unsigned line_bytes;
        struct workload_expectation e;
    } cases[] = {
        /* 64 warps and 2048 iterations in each of two launches. */
        {"atax", SIZE_PAPER_MRPB, 128, {2098048, 67137536, 4587648, 262144}},
        /* 16 and 8 warps, 256 and 512 iterations. */
        {"atax", SIZE_TINY, 128, {65704, 2102528, 143384, 8192}},
        /* Two lines in the place of one: 16 of tmp, 8 of y and 8 * 512 of A more. */
        {"atax", SIZE_TINY, 64, {65704, 2102528, 147504, 16384}},
        {"gemm", SIZE_PAPER_MRPB, 128, {37830656, 1210580992, 8396800, 4202496}},
        {"vecadd", SIZE_PAPER, 128, {262144, 8388608, 65536, 32768}},
        {"vecadd", SIZE_PAPER, 32, {262144, 8388608, 262144, 131072}},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct workload *w = workload_find(cases[i].name);
        struct program p;
        struct workload_expectation e;
        records_open(w->name, &p, cases[i].size);
        workload_expect(w, &p, cases[i].line_bytes, &e);
        assert_memory_equal(&e, &cases[i].e, sizeof e);
        workload_close(w, &p);
    }
}

/* --- The checks are checked. --- */

TEST(a_launch_left_out_fails_the_check) {
    EACH_WORKLOAD(w) {
        for (int skipped = 0; skipped < (strcmp(w->name, "atax") == 0 ? 2 : 1); skipped++) {
            expect_left_out_seen(w->name, skipped);
        }
    }
}

TEST(a_wrong_bit_in_a_result_fails_the_check) {
    static const struct {
        const char *name;
        unsigned block; /* of the result, in the order of allocation */
        const char *says;
    } results[] = {{"atax", 2, "y[17] is "},
                   {"atax", 3, "tmp[17] is "},
                   {"gemm", 2, "C[17] is "},
                   {"vecadd", 2, "c[17] is "}};
    for (unsigned i = 0; i < sizeof results / sizeof results[0]; i++) {
        expect_wrong_bit_seen(results[i].name, results[i].block, 4 * 17, results[i].says);
    }
}

/* --- Records and results belong to the workload, not to whoever runs it. --- */

/* Two programs side by side, the traces of the one kept by CTA, those of the other overwritten. */
TEST(records_do_not_depend_on_who_takes_them) {
    EACH_WORKLOAD(w) {
        struct program p, q;
        struct cta_trace *reused = cta_trace_create();
        const struct launch *l, *m;
        records_open(w->name, &p, SIZE_TINY);
        records_open(w->name, &q, SIZE_TINY);
        while (p.next_launch(p.self, &l)) {
            assert_true(q.next_launch(q.self, &m));
            unsigned ctas = launch_ctas(l);
            struct cta_trace **kept = calloc(ctas, sizeof(struct cta_trace *));
            for (unsigned cta = 0; cta < ctas; cta++) {
                kept[cta] = cta_trace_create();
                assert_true(p.run_cta(p.self, cta, kept[cta]));
            }
            for (unsigned cta = 0; cta < ctas; cta++) {
                assert_true(q.run_cta(q.self, cta, reused));
                assert_int_equal(kept[cta]->warp_count, reused->warp_count);
                for (unsigned i = 0; i < reused->warp_count; i++) {
                    assert_int_equal(kept[cta]->warp[i].size, reused->warp[i].size);
                    assert_memory_equal(kept[cta]->warp[i].bytes, reused->warp[i].bytes,
                                        reused->warp[i].size);
                }
                cta_trace_destroy(kept[cta]);
            }
            free(kept);
        }
        assert_null(workload_check(w, &p));
        assert_null(workload_check(w, &q));
        workload_close(w, &p);
        workload_close(w, &q);
        cta_trace_destroy(reused);
    }
}

TEST(the_seed_decides_the_inputs) {
    const struct workload *w = workload_find("vecadd");
    struct program p, q, r;
    assert_null(workload_open(w, &p, SIZE_TINY, 1));
    assert_null(workload_open(w, &q, SIZE_TINY, 1));
    assert_null(workload_open(w, &r, SIZE_TINY, 2));
    struct host *hp = p.self, *hq = q.self, *hr = r.self;
    assert_memory_equal(hp->memory.block[0], hq->memory.block[0], 4 << 14);
    assert_memory_not_equal(hp->memory.block[0], hr->memory.block[0], 4 << 14);
    workload_close(w, &p);
    workload_close(w, &q);
    workload_close(w, &r);
}

/* --- The tables. --- */

static void check_kernel_table(const struct kernel_code *code) {
    bool written[REG_COUNT] = {false};
    assert_true(code->insn_count > 0 && code->insn_count <= WARP_STREAM_INSNS_MAX);
    for (unsigned i = 0; i < code->insn_count; i++) {
        const struct insn *in = &code->insns[i];
        assert_true(in->op < OP_COUNT && in->space < SPACE_COUNT);
        assert_true(in->dst == REG_NONE || in->dst < code->registers);
        if (in->dst != REG_NONE) {
            written[in->dst] = true;
        }
        if (insn_is_memory(in)) {
            assert_true(in->width && in->width <= 16 && !(in->width & (in->width - 1)));
            assert_true(in->op == OP_ATOMIC || (in->op == OP_LOAD) == (in->dst != REG_NONE));
            assert_true(in->src[0] != REG_NONE);
        }
        for (unsigned j = 0; j < i && !insn_is_marker(in); j++) {
            assert_true(insn_is_marker(&code->insns[j]) || code->insns[j].pc < in->pc);
        }
    }
    for (unsigned i = 0; i < code->insn_count; i++) {
        for (unsigned j = 0; j < 3; j++) {
            unsigned source = code->insns[i].src[j];
            assert_true(source == REG_NONE || (source < REG_COUNT && written[source]));
        }
    }
}

TEST(instruction_tables_are_sound) {
    EACH_WORKLOAD(w) {
        struct program p;
        const struct launch *l;
        records_open(w->name, &p, SIZE_TINY);
        while (p.next_launch(p.self, &l)) {
            check_kernel_table(l->code);
            assert_true(launch_warps(l) >= 1 && launch_warps(l) <= CTA_WARPS_MAX);
        }
        workload_close(w, &p);
    }
}

TEST(the_list_finds_by_name) {
    assert_non_null(workload_at(0));
    EACH_WORKLOAD(w) {
        assert_ptr_equal(workload_find(w->name), w);
        assert_true(w->suite && w->about && w->size_text[SIZE_TINY] && w->size_text[SIZE_SMALL]);
        unsigned papers = 0;
        for (unsigned i = SIZE_PAPER; i < SIZE_COUNT; i++) {
            papers += w->size_text[i] != NULL;
        }
        assert_true(papers > 0);
    }
    assert_null(workload_find("nosuch"));
    assert_null(workload_at(1000));
}

TEST(paper_means_the_one_input_that_the_papers_have) {
    struct workload w = {0};
    assert_int_equal(workload_paper_size(&w), SIZE_COUNT);
    w.size_text[SIZE_PAPER_OWL] = "N = 4";
    assert_int_equal(workload_paper_size(&w), SIZE_PAPER_OWL);
    w.size_text[SIZE_PAPER_MEDIC] = "N = 4";
    assert_int_equal(workload_paper_size(&w), SIZE_PAPER_MEDIC); /* the same: the first */
    w.size_text[SIZE_PAPER_DAWS] = "N = 5";
    assert_int_equal(workload_paper_size(&w), SIZE_COUNT);
    w.size_text[SIZE_PAPER] = "N = 6";
    assert_int_equal(workload_paper_size(&w), SIZE_PAPER);
}
