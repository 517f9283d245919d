/* SPDX-License-Identifier: Apache-2.0
 *
 * A trace file, and files in memory: taken apart into blocks, changed, sealed again, read to the
 * end.
 */
#ifndef WARPMEM_TB_TRACE_WTR_BENCH_H
#define WARPMEM_TB_TRACE_WTR_BENCH_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "trace/wtr_reader.h"
#include "trace/wtr_writer.h"

struct bytes {
    uint8_t *at;
    size_t size;
};

static inline void bytes_add(struct bytes *b, const void *more, size_t size) {
    b->at = realloc(b->at, b->size + size + 1);
    memcpy(b->at + b->size, more, size);
    b->size += size;
}

/* A block with a right checksum, whatever it holds. @type 0 .. @raw: what its header says. */
static inline void bytes_add_block(struct bytes *b, uint32_t type, uint32_t sequence,
                                   const void *payload, size_t size, uint32_t raw) {
    size_t room = ZSTD_compressBound(size);
    uint8_t header[WTR_BLOCK_HEADER_BYTES], *packed = malloc(room);
    size_t stored = ZSTD_compress(packed, room, payload, size, 1);
    assert_false(ZSTD_isError(stored));
    wtr_put32(wtr_put32(wtr_put32(wtr_put32(header, type), raw), (uint32_t)stored), sequence);
    wtr_put64(header + WTR_SUMMED_BYTES, wtr_checksum(header, packed, stored));
    bytes_add(b, header, sizeof header);
    bytes_add(b, packed, stored);
    free(packed);
}

/* The n-th block of a good file: where it begins, its payload. */
struct block_view {
    uint32_t type;
    size_t at, end; /* in the file */
    uint8_t payload[WTR_BLOCK_MAX];
    size_t size;
};

static inline bool block_at(const struct bytes *file, unsigned n, struct block_view *v) {
    size_t at = WTR_HEADER_BYTES;
    for (;; n--) {
        if (at == file->size) {
            return false;
        }
        uint32_t stored = wtr_get32(file->at + at + 8);
        if (n == 0) {
            v->type = wtr_get32(file->at + at);
            v->at = at;
            v->end = at + WTR_BLOCK_HEADER_BYTES + stored;
            v->size = ZSTD_decompress(v->payload, sizeof v->payload,
                                      file->at + at + WTR_BLOCK_HEADER_BYTES, stored);
            assert_false(ZSTD_isError(v->size));
            return true;
        }
        at += WTR_BLOCK_HEADER_BYTES + stored;
    }
}

/* The file with another payload in its n-th block. */
static inline struct bytes with_block(const struct bytes *file, unsigned n, uint32_t type,
                                      const void *payload, size_t size) {
    struct block_view *v = malloc(sizeof *v);
    struct bytes changed = {0};
    assert_true(block_at(file, n, v));
    bytes_add(&changed, file->at, v->at);
    bytes_add_block(&changed, type, n, payload, size, (uint32_t)size);
    bytes_add(&changed, file->at + v->end, file->size - v->end);
    free(v);
    return changed;
}

static inline void save_bytes(const char *path, const struct bytes *b, size_t size) {
    FILE *f = fopen(path, "wb");
    assert_true(f && fwrite(b->at, 1, size, f) == size);
    assert_int_equal(fclose(f), 0);
}

static inline struct bytes load_bytes(const char *path) {
    struct bytes b = {0};
    uint8_t part[4096];
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    for (size_t n; (n = fread(part, 1, sizeof part, f));) {
        bytes_add(&b, part, n);
    }
    fclose(f);
    return b;
}

/* Reads all of it as a machine would; NULL: good. Else the message, in @error. */
static inline const char *read_whole_trace(const char *path, struct wtr_totals *totals,
                                           char error[1024]) {
    const struct launch *l;
    struct wtr_reader *r = wtr_reader_open(path, error, 1024);
    if (!r) {
        return error;
    }
    struct program p = wtr_reader_program(r);
    struct cta_trace *t = cta_trace_create();
    bool good = true;
    while (good && p.next_launch(p.self, &l)) {
        for (unsigned cta = 0; good && cta < launch_ctas(l); cta++) {
            good = p.run_cta(p.self, cta, t);
        }
    }
    *totals = *wtr_reader_totals(r);
    const char *wrong = wtr_reader_error(r);
    assert_true(good || wrong);
    if (wrong) {
        snprintf(error, 1024, "%s", wrong);
    }
    cta_trace_destroy(t);
    wtr_reader_close(r);
    return wrong ? error : NULL;
}

/* The same by its items, as `info` reads. */
static inline const char *read_items_of_trace(const char *path, char error[1024]) {
    struct wtr_item item;
    struct wtr_reader *r = wtr_reader_open(path, error, 1024);
    if (!r) {
        return error;
    }
    while (wtr_reader_item(r, &item)) {}
    const char *wrong = wtr_reader_error(r);
    if (wrong) {
        snprintf(error, 1024, "%s", wrong);
    }
    wtr_reader_close(r);
    return wrong ? error : NULL;
}

/* The file that tests begin with. */
#define ALL UINT32_MAX

static const struct insn insns[] = {
    {.op = OP_FP_MAD, .dst = 1, .src = {2, 3, 1, REG_NONE}, .pc = 0},
    {.op = OP_LOAD,
     .space = SPACE_GLOBAL,
     .width = 4,
     .dst = 254,
     .src = {0, REG_NONE, REG_NONE, REG_NONE},
     .pc = 8},
    {.op = OP_STORE,
     .space = SPACE_SHARED,
     .width = 8,
     .dst = REG_NONE,
     .src = {0, 1, REG_NONE, REG_NONE},
     .pc = 16},
    {.op = OP_LOOP_BEGIN,
     .dst = REG_NONE,
     .src = {REG_NONE, REG_NONE, REG_NONE, REG_NONE},
     .pc = 24},
};
static const struct kernel_code code = {
    .name = "kernel", .insns = insns, .insn_count = 4, .registers = 20, .shared_bytes = 512};
static const struct kernel_code other = {
    .name = "other", .insns = insns, .insn_count = 3, .registers = 20, .shared_bytes = 512};
static const struct launch launches[] = {
    {&code, {3, 1, 1}, {64, 1, 1}},
    {&other, {1, 1, 2}, {8, 2, 2}},
    {&code, {1, 1, 1}, {64, 1, 1}}, /* no further CODE block */
};
enum { LAUNCHES = 3 };

/* The blocks of the file below. */
enum {
    B_ORIGIN,
    B_COPY,
    B_CODE,
    B_LAUNCH,
    B_CTAS,
    B_DONE,
    B_CODE_2,
    B_LAUNCH_2,
    B_CTAS_2,
    B_DONE_2,
    B_LAUNCH_3,
    B_CTAS_3,
    B_DONE_3,
    B_END,
    BLOCKS
};

static inline void fill_cta(const struct launch *l, unsigned cta, struct cta_trace *t) {
    uint64_t address[WARP_SIZE];
    t->warp_count = launch_warps(l);
    for (unsigned w = 0; w < t->warp_count; w++) {
        struct warp_stream *s = &t->warp[w];
        warp_stream_clear(s);
        for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
            address[lane] = 1000 + lane * lane * 4 + cta;
        }
        assert_true(warp_stream_put(s, 0, ALL) &&
                    warp_stream_put_affine(s, 1, ALL, 4096 * cta, 4) &&
                    warp_stream_put_memory(s, 2, 0xff00, address));
    }
}

struct file_bench {
    char path[64], error[1024];
    struct bytes good;
    struct wtr_totals totals;
};

static inline void write_trace_file(const char *path, struct wtr_totals *totals) {
    struct wtr_origin origin = {"some", "tiny", 9};
    FILE *f = fopen(path, "wb");
    struct wtr_writer *w = wtr_writer_create(f, &origin);
    struct cta_trace *t = cta_trace_create();
    assert_true(wtr_write_copy(w, 0x1000, 64));
    for (unsigned i = 0; i < LAUNCHES; i++) {
        assert_true(wtr_write_launch(w, &launches[i]));
        for (unsigned cta = 0; cta < launch_ctas(&launches[i]); cta++) {
            fill_cta(&launches[i], cta, t);
            assert_true(wtr_write_cta(w, t));
        }
    }
    assert_true(wtr_writer_finish(w));
    assert_null(wtr_writer_error(w));
    *totals = *wtr_writer_totals(w);
    cta_trace_destroy(t);
    wtr_writer_destroy(w);
    assert_int_equal(fclose(f), 0);
}

static inline int setup_file_bench(void **state) {
    struct file_bench *b = calloc(1, sizeof *b);
    snprintf(b->path, sizeof b->path, "/tmp/warpmem_wtr_XXXXXX");
    close(mkstemp(b->path));
    write_trace_file(b->path, &b->totals);
    b->good = load_bytes(b->path);
    *state = b;
    return 0;
}

static inline int teardown_file_bench(void **state) {
    FREED struct file_bench *b = *state;
    remove(b->path);
    free(b->good.at);
    return 0;
}

#define FILE_TEST(name) TEST_OF(name, setup_file_bench, teardown_file_bench, struct file_bench *b)

#endif
