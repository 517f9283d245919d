/* SPDX-License-Identifier: Apache-2.0
 * Trace files: what is written comes back. */
#include <stdio.h>

#include "base/unit_tests.h"
#include "trace/wtr_bench.h"

FILE_TEST(a_file_gives_back_what_was_written) {
    const struct launch *l;
    const struct kernel_code *first = NULL;
    struct wtr_reader *r = wtr_reader_open(b->path, b->error, sizeof b->error);
    assert_non_null(r);
    assert_string_equal(wtr_reader_origin(r)->workload, "some");
    assert_string_equal(wtr_reader_origin(r)->size, "tiny");
    assert_int_equal(wtr_reader_origin(r)->seed, 9);
    struct program p = wtr_reader_program(r);
    struct cta_trace *got = cta_trace_create(), *want = cta_trace_create();
    for (unsigned i = 0; i < LAUNCHES; i++) {
        assert_true(p.next_launch(p.self, &l));
        assert_string_equal(l->code->name, launches[i].code->name);
        assert_int_equal(l->code->insn_count, launches[i].code->insn_count);
        assert_memory_equal(l->code->insns, insns, l->code->insn_count * sizeof *insns);
        assert_int_equal(l->code->registers, 20);
        assert_int_equal(l->code->shared_bytes, 512);
        assert_memory_equal(l->grid, launches[i].grid, 2 * sizeof l->grid);
        first = i ? first : l->code;
        assert_int_equal(l->code == first, i != 1); /* the same code is one */
        for (unsigned cta = 0; cta < launch_ctas(l); cta++) {
            fill_cta(l, cta, want);
            assert_true(p.run_cta(p.self, cta, got));
            assert_int_equal(got->warp_count, want->warp_count);
            for (unsigned w = 0; w < got->warp_count; w++) {
                assert_int_equal(got->warp[w].size, want->warp[w].size);
                assert_memory_equal(got->warp[w].bytes, want->warp[w].bytes, want->warp[w].size);
            }
        }
    }
    assert_false(p.next_launch(p.self, &l));
    assert_null(wtr_reader_error(r));
    assert_memory_equal(wtr_reader_totals(r), &b->totals, sizeof b->totals);
    assert_int_equal(b->totals.ctas, 3 + 2 + 1);
    assert_int_equal(b->totals.warp_instructions, (3 * 2 + 2 + 2) * 3);
    assert_int_equal(b->totals.thread_instructions, (3 * 2 + 2 + 2) * (32 + 32 + 8));
    assert_int_equal(b->totals.memory_instructions, (3 * 2 + 2 + 2) * 2);
    cta_trace_destroy(got);
    cta_trace_destroy(want);
    wtr_reader_close(r);
}

FILE_TEST(items_need_no_records) {
    struct wtr_item item;
    unsigned kinds[3] = {0};
    struct wtr_reader *r = wtr_reader_open(b->path, b->error, sizeof b->error);
    while (wtr_reader_item(r, &item)) {
        if (item.kind == WTR_ITEM_LAUNCH) {
            assert_int_equal(item.totals.ctas, launch_ctas(&launches[kinds[item.kind]]));
            assert_true(item.stored_bytes > 2 * WTR_BLOCK_HEADER_BYTES);
        } else if (item.kind == WTR_ITEM_COPY) {
            assert_true(item.address == 0x1000 && item.bytes == 64);
        } else {
            assert_memory_equal(&item.totals, &b->totals, sizeof b->totals);
            assert_int_equal(item.launches, LAUNCHES);
        }
        kinds[item.kind]++;
    }
    assert_null(wtr_reader_error(r));
    assert_true(kinds[0] == LAUNCHES && kinds[1] == 1 && kinds[2] == 1);
    wtr_reader_close(r);
}

/* A machine that leaves a launch early goes on with the next. */
FILE_TEST(a_launch_may_be_left_early) {
    const struct launch *l;
    struct wtr_reader *r = wtr_reader_open(b->path, b->error, sizeof b->error);
    struct program p = wtr_reader_program(r);
    struct cta_trace *t = cta_trace_create();
    assert_true(p.next_launch(p.self, &l) && p.run_cta(p.self, 0, t));
    assert_true(p.next_launch(p.self, &l));
    assert_string_equal(l->code->name, "other");
    assert_true(p.run_cta(p.self, 0, t) && p.run_cta(p.self, 1, t));
    assert_true(p.next_launch(p.self, &l) && !p.next_launch(p.self, &l));
    assert_null(wtr_reader_error(r));
    cta_trace_destroy(t);
    wtr_reader_close(r);
}

FILE_TEST(one_launch_is_a_program_of_its_own) {
    const struct launch *l;
    struct wtr_reader *r = wtr_reader_open(b->path, b->error, sizeof b->error);
    wtr_reader_only(r, 2);
    struct program p = wtr_reader_program(r);
    struct cta_trace *t = cta_trace_create();
    assert_true(p.next_launch(p.self, &l));
    assert_string_equal(l->code->name, "other");
    for (unsigned cta = 0; cta < launch_ctas(l); cta++) {
        assert_true(p.run_cta(p.self, cta, t));
    }
    assert_false(p.next_launch(p.self, &l));
    assert_null(wtr_reader_error(r));
    assert_int_equal(wtr_reader_totals(r)->ctas, launch_ctas(&launches[1]));
    wtr_reader_close(r);
    r = wtr_reader_open(b->path, b->error, sizeof b->error);
    wtr_reader_only(r, LAUNCHES + 1);
    p = wtr_reader_program(r);
    assert_false(p.next_launch(p.self, &l));
    char want[64];
    snprintf(want, sizeof want, ": launch %d: must be 1..%d,", LAUNCHES + 1, LAUNCHES);
    assert_non_null(strstr(wtr_reader_error(r), want));
    cta_trace_destroy(t);
    wtr_reader_close(r);
}

/* A warp whose records are longer than a block, of a CTA that tells it from the others. */
static void fill_long(const struct launch *l, unsigned cta, struct cta_trace *t) {
    t->warp_count = launch_warps(l);
    for (unsigned w = 0; w < t->warp_count; w++) {
        warp_stream_clear(&t->warp[w]);
        for (unsigned i = 0; i < WTR_BLOCK_MAX / 8; i++) {
            assert_true(warp_stream_put_affine(&t->warp[w], 1, ALL >> i % 7, 4 * i + cta, 4));
        }
    }
}

FILE_TEST(records_go_on_over_blocks) {
    struct wtr_origin origin = {"long", "-", 0};
    struct cta_trace *got = cta_trace_create(), *want = cta_trace_create();
    const struct launch *l;
    FILE *f = fopen(b->path, "wb");
    struct wtr_writer *w = wtr_writer_create(f, &origin);
    assert_true(wtr_write_launch(w, &launches[0]));
    for (unsigned cta = 0; cta < launch_ctas(&launches[0]); cta++) {
        fill_long(&launches[0], cta, want);
        assert_true(want->warp[0].size > WTR_BLOCK_MAX);
        assert_true(wtr_write_cta(w, want));
    }
    assert_true(wtr_writer_finish(w));
    wtr_writer_destroy(w);
    fclose(f);
    struct wtr_reader *r = wtr_reader_open(b->path, b->error, sizeof b->error);
    struct program p = wtr_reader_program(r);
    assert_true(p.next_launch(p.self, &l));
    for (unsigned cta = 0; cta < launch_ctas(l); cta++) {
        fill_long(l, cta, want);
        assert_true(p.run_cta(p.self, cta, got));
        for (unsigned i = 0; i < want->warp_count; i++) {
            assert_int_equal(got->warp[i].size, want->warp[i].size);
            assert_memory_equal(got->warp[i].bytes, want->warp[i].bytes, want->warp[i].size);
        }
    }
    assert_false(p.next_launch(p.self, &l));
    assert_null(wtr_reader_error(r));
    wtr_reader_close(r);
    cta_trace_destroy(got);
    cta_trace_destroy(want);
}

FILE_TEST(what_cannot_be_read_back_is_not_written) {
    static const struct insn bad_insn = {.op = OP_LOAD, .width = 3, .dst = REG_NONE};
    static const struct kernel_code none = {.name = "none",
                                            .insns = insns,
                                            .insn_count = 0,
                                            .registers = 1,
                                            .shared_bytes = 0},
                                    wide = {.name = "wide",
                                            .insns = &bad_insn,
                                            .insn_count = 1,
                                            .registers = 1,
                                            .shared_bytes = 0},
                                    name = {.name = "two\nlines",
                                            .insns = insns,
                                            .insn_count = 1,
                                            .registers = 1,
                                            .shared_bytes = 0};
    static const struct {
        struct launch launch;
        const char *what;
    } bad[] = {
        {{&none, {1, 1, 1}, {1, 1, 1}}, "1..65536"},
        {{&wide, {1, 1, 1}, {1, 1, 1}}, "1, 2, 4, 8 or 16"},
        {{&name, {1, 1, 1}, {1, 1, 1}}, "printable"},
        {{&code, {1, 0, 1}, {1, 1, 1}}, "1..2147483647"},
        {{&code, {65536, 65536, 65536}, {1, 1, 1}}, "1..2147483647"},
        {{&code, {1, 1, 1}, {1025, 1, 1}}, "1..1024"},
        {{&code, {1, 1, 1}, {64, 1, 1}}, "0 of 1 CTAs"}, /* none follows */
    };
    struct wtr_origin origin = {"x", "-", 0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        FILE *f = fopen(b->path, "wb");
        struct wtr_writer *w = wtr_writer_create(f, &origin);
        bool good = wtr_write_launch(w, &bad[i].launch);
        assert_false(good && wtr_writer_finish(w));
        assert_true(strstr(wtr_writer_error(w), bad[i].what));
        assert_false(wtr_write_copy(w, 0, 0)); /* the first error stays */
        wtr_writer_destroy(w);
        fclose(f);
    }
}

/* A launch of 3 CTAs with two warps. */
FILE_TEST(a_cta_that_has_no_place_or_no_sense_is_not_written) {
    struct wtr_origin origin = {"x", "-", 0};
    struct cta_trace *t = cta_trace_create();
    enum { ONE_MORE, WARP_MISSING, BYTE_MISSING, WRONG };
    for (unsigned i = 0; i < WRONG; i++) {
        FILE *f = fopen(b->path, "wb");
        struct wtr_writer *w = wtr_writer_create(f, &origin);
        assert_true(wtr_write_launch(w, &launches[0]));
        fill_cta(&launches[0], 0, t);
        for (unsigned cta = 0; i == ONE_MORE && cta < launch_ctas(&launches[0]); cta++) {
            assert_true(wtr_write_cta(w, t));
        }
        t->warp_count -= i == WARP_MISSING;
        t->warp[1].size -= i == BYTE_MISSING;
        assert_false(wtr_write_cta(w, t));
        assert_non_null(strstr(wtr_writer_error(w),
                               i == BYTE_MISSING ? "CTA 0, warp 1, byte " : "no place for"));
        fill_cta(&launches[0], 0, t);
        assert_false(wtr_write_cta(w, t)); /* the first error stays */
        assert_false(wtr_writer_finish(w));
        wtr_writer_destroy(w);
        fclose(f);
    }
    cta_trace_destroy(t);
}

TEST(a_full_disk_is_an_error) {
    struct wtr_origin origin = {"x", "-", 0};
    FILE *f = fopen("/dev/full", "wb");
    setvbuf(f, NULL, _IONBF, 0);
    struct wtr_writer *w = wtr_writer_create(f, &origin);
    assert_false(wtr_writer_finish(w));
    assert_string_equal(wtr_writer_error(w), "cannot be written: No space left on device");
    wtr_writer_destroy(w);
    fclose(f);
}
