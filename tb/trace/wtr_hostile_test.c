/* SPDX-License-Identifier: Apache-2.0
 * Trace files that are cut, changed or made to harm: refused in one line with the place. */
#include <stdio.h>
#include <sys/resource.h>

#include "base/unit_tests.h"
#include "cosim/rng.h"
#include "trace/wtr_bench.h"

/* Every length but the whole. */
FILE_TEST(a_truncated_file_is_refused) {
    struct wtr_totals t;
    for (size_t size = 0; size < b->good.size; size++) {
        char place[64];
        save_bytes(b->path, &b->good, size);
        assert_non_null(read_items_of_trace(b->path, b->error));
        assert_non_null(read_whole_trace(b->path, &t, b->error));
        snprintf(place, sizeof place, ": byte %zu: ", size < WTR_MAGIC_BYTES ? 0 : size);
        if (!strstr(b->error, place)) {
            fail_msg("%zu bytes: %s", size, b->error);
        }
    }
    save_bytes(b->path, &b->good, b->good.size);
    assert_null(read_whole_trace(b->path, &t, b->error));
    bytes_add(&b->good, "", 1);
    save_bytes(b->path, &b->good, b->good.size);
    assert_true(strstr(read_whole_trace(b->path, &t, b->error), "bytes behind the END block"));
}

/* Every byte, three ways. */
FILE_TEST(a_changed_byte_is_noticed) {
    static const uint8_t flips[] = {0x01, 0x80, 0xff};
    struct wtr_totals t;
    for (size_t at = 0; at < b->good.size; at++) {
        for (unsigned i = 0; i < sizeof flips; i++) {
            b->good.at[at] ^= flips[i];
            save_bytes(b->path, &b->good, b->good.size);
            if (!read_whole_trace(b->path, &t, b->error) || !strstr(b->error, ": byte ")) {
                fail_msg("byte %zu ^ 0x%02x: %s", at, flips[i], b->error);
            }
            read_items_of_trace(b->path, b->error); /* passes over records: may be good */
            b->good.at[at] ^= flips[i];
        }
    }
}

/* One block replaced, the checksum right. */
static void refuse_block(struct file_bench *b, unsigned n, uint32_t type, const void *payload,
                         size_t size, const char *what) {
    struct block_view *v = malloc(sizeof *v);
    struct wtr_totals t;
    char place[64];
    struct bytes changed = with_block(&b->good, n, type, payload, size);
    save_bytes(b->path, &changed, changed.size);
    const char *error = read_whole_trace(b->path, &t, b->error);
    assert_true(block_at(&b->good, n, v));
    snprintf(place, sizeof place, ": byte %zu: ", v->at);
    if (!error || !strstr(error, what) || (n < B_END && type != WTR_END && !strstr(error, place))) {
        fail_msg("block %u: %s; wanted %s%s", n, error ? error : "good", place, what);
    }
    free(changed.at);
    free(v);
}

/* The n-th block with 32 bits at @offset replaced; @extra bytes of zeros behind it, or fewer. */
static void refuse_number(struct file_bench *b, unsigned n, size_t offset, uint32_t value,
                          int extra, const char *what) {
    struct block_view *v = calloc(1, sizeof *v);
    assert_true(block_at(&b->good, n, v));
    wtr_put32(v->payload + offset, value);
    memset(v->payload + v->size, 0, 64);
    refuse_block(b, n, v->type, v->payload, (size_t)((long)v->size + extra), what);
    free(v);
}

/* CODE: 12 bytes of numbers, the name's length and "kernel", then 12 bytes an instruction. */
enum { INSN_0 = 12 + 2 + 6, OP = 4, SPACE = 5, WIDTH = 6, DST = 7 };

static void refuse_insn(struct file_bench *b, unsigned insn, unsigned field, uint8_t value,
                        const char *what) {
    struct block_view *v = malloc(sizeof *v);
    assert_true(block_at(&b->good, B_CODE, v));
    v->payload[INSN_0 + WTR_INSN_BYTES * insn + field] = value;
    refuse_block(b, B_CODE, WTR_CODE, v->payload, v->size, what);
    free(v);
}

FILE_TEST(wrong_contents_are_refused_though_the_checksum_is_right) {
    refuse_number(b, B_ORIGIN, 0, 0xffff, 0, "at most 4095");
    refuse_number(b, B_ORIGIN, 0, 200, 0, "too short");
    refuse_number(b, B_ORIGIN, 2, 0x0a0a0a0a, 0, "printable");
    refuse_number(b, B_ORIGIN, 16, UINT32_MAX, 0, "below 2^53");
    refuse_number(b, B_ORIGIN, 0, 4, -20, "too short");
    refuse_number(b, B_COPY, 0, 0, 1, "must be 16");
    refuse_number(b, B_CODE, 0, 0, 0, "1..65536");
    refuse_number(b, B_CODE, 0, 65537, 0, "1..65536");
    refuse_number(b, B_CODE, 0, 3, 0, "for each of 3");
    refuse_number(b, B_CODE, 0, 65536, 0, "for each of 65536");
    refuse_number(b, B_CODE, 4, 65536, 0, "at most 65535");
    refuse_number(b, B_CODE, 8, UINT32_MAX, 0, "268435456");
    refuse_number(b, B_CODE, 0, 4, 1, "for each of 4");
    refuse_number(b, B_CODE, 14, 0x80808080, 0, "printable");
    refuse_insn(b, 0, OP, 17, "operation that does not exist");
    refuse_insn(b, 0, SPACE, 1, "must be 0");
    refuse_insn(b, 0, WIDTH, 4, "must be 0");
    refuse_insn(b, 1, SPACE, 5, "must be 0..4");
    refuse_insn(b, 1, WIDTH, 0, "1, 2, 4, 8 or 16");
    refuse_insn(b, 1, WIDTH, 3, "1, 2, 4, 8 or 16");
    refuse_insn(b, 1, WIDTH, 32, "1, 2, 4, 8 or 16");
    refuse_insn(b, 2, SPACE, 4, "read-only");
    refuse_insn(b, 2, SPACE, 0x80, "must be one");
    refuse_insn(b, 1, SPACE, 0x82, "must be one");
    refuse_insn(b, 2, DST, 7, "must be 255");
    refuse_insn(b, 2, OP, 34, "must be global");
    refuse_number(b, B_LAUNCH, 0, 1, 0, "must be below 1");
    refuse_number(b, B_LAUNCH, 4, 0, 0, "1..2147483647 CTAs");
    refuse_number(b, B_LAUNCH, 4, UINT32_MAX, 0, "1..2147483647 CTAs");
    refuse_number(b, B_LAUNCH, 16, 1025, 0, "1..1024 threads");
    refuse_number(b, B_LAUNCH, 20, UINT32_MAX, 0, "1..1024 threads");
    refuse_number(b, B_LAUNCH, 0, 0, 4, "must be 28");
    refuse_number(b, B_CTAS, 0, UINT32_MAX, 0, "at most 67108864");
    refuse_number(b, B_CTAS, 8, 0x00080303, 0, "lacks");
    refuse_number(b, B_CTAS, 8, 0x00040303, 0, "lacks"); /* it has four */
    /* Without the first warp's records, the second's begin where they begin: they are the same;
     * what follows is taken for the next CTA's sizes. */
    refuse_number(b, B_CTAS, 0, 0, 0, "CTA 1 has");
    refuse_number(b, B_CTAS, 8, 0x01010101, 0, "memory instruction");
    refuse_number(b, B_DONE, 0, 4, 0, "4 CTAs: must be 3");
    refuse_number(b, B_DONE, 8, 1, 0, "warp instructions: must be 18");
    refuse_number(b, B_DONE, 16, 1, 0, "thread instructions: must be 432");
    refuse_number(b, B_DONE, 24, 1, 0, "memory instructions: must be 12");
    refuse_number(b, B_DONE, 32, 1, 0, "bytes of records: must be");
    refuse_number(b, B_END, 0, 2, 0, "must be 3, 1");
    refuse_number(b, B_END, 8, 2, 0, "must be 3, 1");
    refuse_number(b, B_END, 16, 2, 0, "must be 6");
}

FILE_TEST(blocks_in_a_wrong_order_are_refused) {
    static const uint8_t zeros[64];
    refuse_block(b, B_ORIGIN, WTR_COPY, zeros, WTR_COPY_BYTES, "must be 1 (ORIGIN)");
    refuse_block(b, B_COPY, WTR_ORIGIN, zeros, 20, "CODE, SOURCE, LAUNCH, COPY or END");
    refuse_block(b, B_COPY, WTR_CTAS, zeros, 20, "CODE, SOURCE, LAUNCH, COPY or END");
    refuse_block(b, B_COPY, WTR_DONE, zeros, 40, "CODE, SOURCE, LAUNCH, COPY or END");
    refuse_block(b, B_CTAS, WTR_COPY, zeros, WTR_COPY_BYTES, "CTA 0 of 3 comes now");
    refuse_block(b, B_DONE, WTR_COPY, zeros, WTR_COPY_BYTES, "must be 5 (DONE)");
    refuse_block(b, B_DONE, WTR_CTAS, zeros, 20, "records behind");
    refuse_block(b, B_COPY, WTR_END, zeros, WTR_END_BYTES, "bytes behind the END block");
    refuse_block(b, B_COPY, WTR_SOURCE, zeros, 20, "must follow one of type 2 (CODE)");
    refuse_block(b, B_COPY, 0, zeros, 1, "");
}

/* In place of the launch behind the code, which has as many instructions as the bench's. */
FILE_TEST(wrong_source_lines_are_refused) {
    static const struct {
        uint8_t at[16];
        size_t size;
        const char *what;
    } cases[] = {{{0}, 0, "0 source files: must be 1..256"},
                 {{0, 0}, 2, "0 source files: must be 1..256"},
                 {{1, 1}, 2, "257 source files: must be 1..256"},
                 {{1, 0}, 2, "must be 1 names and 6 bytes for each of"},
                 {{1, 0, 9, 0, 'a'}, 5, "must be 1 names and 6 bytes for each of"},
                 {{1, 0, 1, 0, 'a', 7}, 6, "must be 1 names and 6 bytes for each of"}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        refuse_block(b, B_LAUNCH, WTR_SOURCE, cases[i].at, cases[i].size, cases[i].what);
    }
    uint8_t lines[2 + 3 + 6 * sizeof insns / sizeof *insns] = {1, 0, 1, 0, '\n'};
    refuse_block(b, B_LAUNCH, WTR_SOURCE, lines, sizeof lines, "printable");
    lines[4] = 'a';
    lines[sizeof lines - 2] = 1;
    refuse_block(b, B_LAUNCH, WTR_SOURCE, lines, sizeof lines, "source file 1: must be below 1");
}

FILE_TEST(a_missing_block_is_noticed) {
    FREED struct block_view *v = malloc(sizeof *v);
    struct wtr_totals t;
    for (unsigned n = 0; n < B_END; n++) {
        struct bytes file = {0};
        char wanted[64];
        assert_true(block_at(&b->good, n, v));
        bytes_add(&file, b->good.at, v->at);
        bytes_add(&file, b->good.at + v->end, b->good.size - v->end);
        save_bytes(b->path, &file, file.size);
        snprintf(wanted, sizeof wanted, "block number %u: must be %u", n + 1, n);
        assert_true(strstr(read_whole_trace(b->path, &t, b->error), wanted));
        assert_true(strstr(read_items_of_trace(b->path, b->error), wanted));
        free(file.at);
    }
}

/* Those who pass over the records still see that the launch says two things. */
FILE_TEST(totals_are_compared_without_the_records) {
    FREED struct block_view *v = malloc(sizeof *v);
    assert_true(block_at(&b->good, B_DONE, v));
    wtr_put64(v->payload, 4);
    struct bytes changed = with_block(&b->good, B_DONE, WTR_DONE, v->payload, v->size);
    save_bytes(b->path, &changed, changed.size);
    assert_true(strstr(read_items_of_trace(b->path, b->error), "4 CTAs: must be 3"));
    free(changed.at);
}

/* A header that says more than there is, or less. */
FILE_TEST(lying_headers_are_refused) {
    struct wtr_totals t;
    static uint8_t bomb[WTR_BLOCK_MAX + 1];
    static const struct {
        size_t size;
        uint32_t raw;
        const char *what;
    } lies[] = {
        {WTR_BLOCK_MAX + 1, WTR_BLOCK_MAX + 1, "at most 1048576"},
        {WTR_BLOCK_MAX + 1, WTR_BLOCK_MAX, "cannot be decompressed"},
        {100, 99, "cannot be decompressed"},
        {100, 101, "cannot be decompressed"},
        {100, UINT32_MAX, "at most 1048576"},
    };
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        struct bytes file = {0};
        bytes_add(&file, b->good.at, WTR_HEADER_BYTES);
        bytes_add_block(&file, WTR_ORIGIN, 0, bomb, lies[i].size, lies[i].raw);
        save_bytes(b->path, &file, file.size);
        const char *error = read_whole_trace(b->path, &t, b->error);
        if (!error || !strstr(error, lies[i].what)) {
            fail_msg("%zu: %s", i, error ? error : "good");
        }
        free(file.at);
    }
    struct bytes file = {0};
    bytes_add(&file, b->good.at, b->good.size);
    wtr_put32(file.at + WTR_HEADER_BYTES + 8, UINT32_MAX); /* compressed bytes */
    save_bytes(b->path, &file, file.size);
    assert_true(strstr(read_whole_trace(b->path, &t, b->error), "compressed bytes: at most"));
    free(file.at);
}

/* A few kilobytes that decompress to a CTA of 64 MiB and one byte. Memory stays small, because it
 * is refused before records arrive; a CTA of 64 MiB is allowed and takes what it has. */
FILE_TEST(a_bomb_does_not_explode) {
    FREED struct block_view *v = malloc(sizeof *v);
    struct wtr_totals t;
    struct rusage before, after;
    for (unsigned over = 0; over < 2; over++) {
        struct bytes file = {0};
        assert_true(block_at(&b->good, B_LAUNCH, v));
        bytes_add(&file, b->good.at, v->end);
        memset(v->payload, 0, sizeof v->payload);
        wtr_put32(v->payload, WTR_CTA_BYTES_MAX + over);
        for (unsigned i = 0; i <= WTR_CTA_BYTES_MAX / WTR_BLOCK_MAX; i++) {
            bytes_add_block(&file, WTR_CTAS, B_CTAS + i, v->payload, WTR_BLOCK_MAX, WTR_BLOCK_MAX);
            memset(v->payload, 0, 4);
        }
        assert_true(file.size < 64 << 10);
        save_bytes(b->path, &file, file.size);
        getrusage(RUSAGE_SELF, &before);
        const char *error = read_whole_trace(b->path, &t, b->error);
        getrusage(RUSAGE_SELF, &after);
        /* 64 MiB of records that all say "instruction 0" are good, and so are the two empty CTAs
         * behind them. */
        assert_true(error &&
                    strstr(error, over ? "at most 67108864" : "behind the records of the last"));
        long limit_kib = over ? 0 : (2 * WTR_CTA_BYTES_MAX) / 1024;
        assert_true(after.ru_maxrss - before.ru_maxrss <= limit_kib + (16 << 10));
        free(file.at);
        file.at = NULL;
    }
}

/* Random changes of the contents, checksums made right: whatever comes out, it is good or it is
 * refused. */
FILE_TEST(random_contents_never_crash) {
    FREED struct block_view *v = malloc(sizeof *v);
    struct wtr_totals t;
    struct rng rng;
    unsigned good = 0, refused = 0;
    rng_seed(&rng, 3);
    for (unsigned round = 0; round < 6000; round++) {
        unsigned n = rng_below(&rng, BLOCKS);
        memset(v->payload, 0, 4096);
        assert_true(block_at(&b->good, n, v));
        for (unsigned i = rng_below(&rng, 4); i < 4; i++) {
            unsigned at = rng_below(&rng, (unsigned)v->size);
            v->payload[at] =
                (uint8_t)(rng_chance(&rng, 1, 2) ? rng_next(&rng)
                                                 : v->payload[at] ^ 1u << rng_below(&rng, 8));
        }
        size_t size = rng_chance(&rng, 1, 8) ? rng_below(&rng, (unsigned)v->size + 64) : v->size;
        struct bytes changed = with_block(&b->good, n, v->type, v->payload, size);
        save_bytes(b->path, &changed, changed.size);
        read_items_of_trace(b->path, b->error);
        if (read_whole_trace(b->path, &t, b->error)) {
            assert_non_null(strstr(b->error, ": byte "));
            refused++;
        } else {
            good++;
        }
        free(changed.at);
    }
    assert_true(good > 100 && refused > 1000); /* both sides of the line were reached */
    print_message("%u good, %u refused\n", good, refused);
}
