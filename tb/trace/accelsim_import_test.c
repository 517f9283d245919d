/* SPDX-License-Identifier: Apache-2.0
 * Text traces that a generator wrote, imported: exactly the records that they were written from. */
#include <stdio.h>

#include "base/unit_tests.h"
#include "cosim/rng.h"
#include "trace/accelsim_writer.h"
#include "trace/import_bench.h"

enum { INSNS = 48, CTAS_X = 3, CTAS_Y = 2, CTAS = CTAS_X * CTAS_Y, THREADS = 80, RECORDS = 40 };

/* A kernel of random instructions, and random records of it. */
struct random_kernel {
    struct insn insns[INSNS];
    struct kernel_code code;
    struct launch launch;
    struct cta_trace *cta[CTAS];
};

static void random_import_insn(struct rng *rng, struct insn *i, unsigned number) {
    static const uint8_t plain[] = {
        OP_INT_ADD, OP_INT_MAD, OP_INT_MUL, OP_INT_MAX, OP_FP_ADD, OP_FP_MAX, OP_FP_MUL,  OP_FP_MAD,
        OP_DP_ADD,  OP_DP_MAX,  OP_DP_MUL,  OP_DP_MAD,  OP_SFU,    OP_BRANCH, OP_BARRIER, OP_FENCE};
    static const uint8_t spaces[] = {SPACE_GLOBAL, SPACE_SHARED, SPACE_TEXTURE, SPACE_CONSTANT};
    *i = (struct insn){.pc = 16 * number, .dst = REG_NONE};
    memset(i->src, REG_NONE, sizeof i->src);
    unsigned sources = rng_below(rng, INSN_SOURCES_MAX + 1), first = rng_below(rng, 251);
    for (unsigned s = 0; s < sources; s++) {
        i->src[s] = (uint8_t)(first + s);
    }
    if (number % 2) {
        i->op = plain[rng_below(rng, sizeof plain)];
    } else {
        i->op = (uint8_t)(OP_LOAD + rng_below(rng, 3));
        i->space = spaces[rng_below(rng, i->op == OP_LOAD ? 4 : i->op == OP_STORE ? 2 : 1)];
        i->width = (uint8_t)(i->op == OP_ATOMIC ? 4 << rng_below(rng, 2) : 1 << rng_below(rng, 5));
    }
    if ((i->op < OP_BRANCH || i->op == OP_LOAD || i->op == OP_ATOMIC) && rng_chance(rng, 3, 4)) {
        i->dst = (uint8_t)rng_below(rng, 255);
    }
}

static void random_import_addresses(struct rng *rng, const struct insn *i, uint64_t *address) {
    uint64_t base = i->space == SPACE_SHARED ? rng_below(rng, 1 << 14)
                                             : UINT64_C(0x7f5a00000000) + rng_below(rng, 1 << 30);
    int64_t stride = (int64_t)rng_below(rng, 512) - (i->space == SPACE_SHARED ? 0 : 256);
    bool regular = rng_chance(rng, 1, 2);
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        address[lane] = regular ? base + lane * (uint64_t)stride : base + rng_below(rng, 1 << 20);
    }
}

static void random_import_warp(struct rng *rng, const struct random_kernel *k,
                               struct warp_stream *s) {
    uint64_t address[WARP_SIZE];
    warp_stream_clear(s);
    for (unsigned r = rng_below(rng, RECORDS); r; r--) {
        unsigned index = rng_below(rng, INSNS);
        uint32_t runs = UINT32_MAX >> rng_below(rng, 32) << rng_below(rng, 16);
        uint32_t active = rng_chance(rng, 1, 2)   ? UINT32_MAX
                          : rng_chance(rng, 1, 2) ? runs
                                                  : (uint32_t)rng_next(rng);
        active += !active;
        random_import_addresses(rng, &k->insns[index], address);
        assert_true(insn_is_memory(&k->insns[index])
                        ? warp_stream_put_memory(s, index, active, address)
                        : warp_stream_put(s, index, active));
    }
}

static void random_kernel(struct rng *rng, struct random_kernel *k, const char *name) {
    for (unsigned i = 0; i < INSNS; i++) {
        random_import_insn(rng, &k->insns[i], i);
    }
    k->code = (struct kernel_code){.name = name,
                                   .insns = k->insns,
                                   .insn_count = INSNS,
                                   .registers = 20,
                                   .shared_bytes = 1024};
    k->launch = (struct launch){&k->code, {CTAS_X, CTAS_Y, 1}, {THREADS / 4, 4, 1}};
    for (unsigned cta = 0; cta < CTAS; cta++) {
        k->cta[cta] = cta_trace_create();
        k->cta[cta]->warp_count = launch_warps(&k->launch);
        for (unsigned w = 0; w < k->cta[cta]->warp_count; w++) {
            random_import_warp(rng, k, &k->cta[cta]->warp[w]);
        }
    }
    warp_stream_put(&k->cta[0]->warp[0], 1, 1); /* a kernel has one instruction at least */
}

static void free_kernel(struct random_kernel *k) {
    for (unsigned cta = 0; cta < CTAS; cta++) {
        cta_trace_destroy(k->cta[cta]);
    }
}

/* Writes its text; @first: the thread block that comes first. */
static void save_kernel(const struct import_bench *b, const char *file,
                        const struct random_kernel *k, const struct accelsim_style *style, bool xz,
                        unsigned first) {
    char *text, path[256];
    size_t size;
    FILE *f = open_memstream(&text, &size);
    accelsim_write_head(f, &k->launch, style);
    for (unsigned i = 0; i < CTAS; i++) {
        unsigned cta = (first + i * 5) % CTAS; /* 5 and 6 have no common divisor */
        accelsim_write_cta(f, style, &k->launch, first == CTAS ? i : cta,
                           k->cta[first == CTAS ? i : cta]);
    }
    fclose(f);
    assert_true(accelsim_save(bench_path(b, file, path), text, size, xz));
    free(text);
}

/* One record as the importer has it against what it was written from. */
static void same_op(const struct warp_op *got, const struct warp_op *want) {
    uint64_t a[WARP_SIZE], b[WARP_SIZE];
    assert_int_equal(got->active, want->active);
    assert_int_equal(got->insn->op, want->insn->op);
    assert_int_equal(got->insn->pc, want->insn->pc);
    assert_int_equal(got->insn->dst, want->insn->dst);
    assert_memory_equal(got->insn->src, want->insn->src, sizeof got->insn->src);
    assert_int_equal(got->form != ADDRESS_NONE, want->form != ADDRESS_NONE);
    if (want->form == ADDRESS_NONE) {
        return;
    }
    assert_int_equal(got->insn->space, want->insn->space);
    assert_int_equal(got->insn->width, want->insn->width);
    warp_op_addresses(got, a);
    warp_op_addresses(want, b);
    for (uint32_t m = want->active; m; m &= m - 1) {
        assert_true(a[__builtin_ctz(m)] == b[__builtin_ctz(m)]);
    }
}

static unsigned same_warp(const struct warp_stream *got, const struct kernel_code *got_code,
                          const struct warp_stream *want, const struct kernel_code *want_code) {
    struct warp_cursor g, w;
    struct warp_op got_op, want_op;
    unsigned compared = 0;
    warp_cursor_open(&g, got, got_code);
    warp_cursor_open(&w, want, want_code);
    while (warp_cursor_next(&w, &want_op)) {
        assert_true(warp_cursor_next(&g, &got_op));
        same_op(&got_op, &want_op);
        compared++;
    }
    assert_false(warp_cursor_next(&g, &got_op));
    return compared;
}

static unsigned same_launch(struct program *p, const struct random_kernel *k,
                            struct cta_trace *trace) {
    const struct launch *l;
    unsigned compared = 0;
    assert_true(p->next_launch(p->self, &l));
    assert_string_equal(l->code->name, k->code.name);
    assert_int_equal(l->code->registers, k->code.registers);
    assert_int_equal(l->code->shared_bytes, k->code.shared_bytes);
    assert_memory_equal(l->grid, k->launch.grid, sizeof l->grid);
    assert_memory_equal(l->block, k->launch.block, sizeof l->block);
    for (unsigned cta = 0; cta < CTAS; cta++) {
        assert_true(p->run_cta(p->self, cta, trace));
        assert_int_equal(trace->warp_count, k->cta[cta]->warp_count);
        for (unsigned w = 0; w < trace->warp_count; w++) {
            compared += same_warp(&trace->warp[w], l->code, &k->cta[cta]->warp[w], &k->code);
        }
    }
    return compared;
}

/* Two kernels, a copy before each, through the text and back. */
static unsigned round_trip(struct rng *rng, const struct accelsim_style *style, bool xz,
                           unsigned first) {
    struct random_kernel one, two;
    struct import_bench b;
    const char *second = xz ? "kernel-2.traceg.xz" : "kernel-2.traceg";
    random_kernel(rng, &one, "_Z3onePf");
    random_kernel(rng, &two, "two");
    import_bench_open(&b);
    save_kernel(&b, xz ? "kernel-1.traceg.xz" : "kernel-1.traceg", &one, style, xz, first);
    save_kernel(&b, second, &two, style, xz, first);
    bench_list(&b,
               /* With a byte order mark, and calls that Accel-Sim skips. */
               "\xef\xbb\xbfMemcpyHtoD,0x00007f5a00000000,4096\ncudaMalloc,0x7f5a00000000,4096\n"
               "./kernel-1.traceg%s\n\ncudaEventRecord,\n"
               "MemcpyHtoD,0x00007f5a00001000,16\nMemcpyDtoH,1,2\n%s\n",
               xz ? ".xz" : "", second);
    assert_int_equal(bench_import(&b), IMPORT_GOOD);
    assert_int_equal(b.notes.copies, 2);
    assert_int_equal(b.notes.unknown_count + b.notes.other_unknown, 0);
    assert_int_equal(b.notes.same_pc, 0);
    struct wtr_reader *r = bench_reader(&b);
    struct program p = wtr_reader_program(r);
    struct cta_trace *trace = cta_trace_create();
    const struct launch *l;
    unsigned compared = same_launch(&p, &one, trace) + same_launch(&p, &two, trace);
    assert_false(p.next_launch(p.self, &l));
    assert_null(wtr_reader_error(r));
    cta_trace_destroy(trace);
    wtr_reader_close(r);
    bench_close(&b);
    free_kernel(&one);
    free_kernel(&two);
    return compared;
}

TEST(what_was_written_comes_back) {
    struct rng rng;
    unsigned compared = 0, files = 0;
    rng_seed(&rng, 7);
    for (unsigned version = 3; version <= 5; version++) {
        for (unsigned mode = ACCELSIM_LIST; mode <= ACCELSIM_DELTA; mode++) {
            for (unsigned variant = 0; variant < 4; variant++) {
                struct accelsim_style style = {version, (enum accelsim_mode)mode,
                                               version == 5 && variant % 2};
                compared += round_trip(&rng, &style, variant >= 2,
                                       variant % 2 ? rng_below(&rng, CTAS) : CTAS);
                files += 2;
            }
        }
    }
    assert_int_equal(files, 72);
    assert_true(compared > 10000);
    print_message("%u files, %u records\n", files, compared);
}

/* The importer's blocks are written while later ones are read: more of them than fit in memory
 * buffers. */
TEST(thread_blocks_may_come_in_any_order) {
    struct rng rng;
    rng_seed(&rng, 11);
    for (unsigned first = 0; first < CTAS; first++) {
        struct accelsim_style style = {4, ACCELSIM_STRIDE, false};
        assert_true(round_trip(&rng, &style, false, first) > 0);
    }
}
