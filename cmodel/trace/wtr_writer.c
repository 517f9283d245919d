/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/wtr_writer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "trace/wtr_source.h"

#define LEVEL 3

struct wtr_writer {
    FILE *file;
    ZSTD_CCtx *zstd;
    uint8_t *raw, *stored; /* the block that is being filled, and its compressed form */
    size_t used, stored_room;
    uint32_t sequence;
    /* The code of the CODE blocks so far: the same code is written once. */
    struct kernel_code *codes;
    unsigned code_count, code_room;
    size_t code_bytes;
    struct launch launch;
    unsigned next_cta, ctas;
    struct wtr_totals current, all;
    uint64_t launches, copies;
    struct wtr_origin origin;
    bool began; /* the origin has been written */
    char error[320];
};

__attribute__((format(printf, 2, 3))) static bool fail_writer(struct wtr_writer *w,
                                                              const char *format, ...) {
    va_list args;
    if (!*w->error) {
        va_start(args, format);
        vsnprintf(w->error, sizeof w->error, format, args);
        va_end(args);
    }
    return false;
}

static bool write_bytes(struct wtr_writer *w, const void *bytes, size_t count) {
    errno = 0;
    return fwrite(bytes, 1, count, w->file) == count ||
           fail_writer(w, "cannot be written: %s", strerror(errno ? errno : EIO));
}

/* Writes the bytes in raw as a block. */
static bool flush_block(struct wtr_writer *w, enum wtr_block type) {
    uint8_t header[WTR_BLOCK_HEADER_BYTES];
    size_t stored = ZSTD_compressCCtx(w->zstd, w->stored, w->stored_room, w->raw, w->used, LEVEL);
    if (ZSTD_isError(stored)) {
        return fail_writer(w, "cannot be compressed: %s", ZSTD_getErrorName(stored));
    }
    uint8_t *at = wtr_put32(header, type);
    at = wtr_put32(at, (uint32_t)w->used);
    at = wtr_put32(at, (uint32_t)stored);
    at = wtr_put32(at, w->sequence++);
    wtr_put64(at, wtr_checksum(header, w->stored, stored));
    w->used = 0;
    return write_bytes(w, header, sizeof header) && write_bytes(w, w->stored, stored);
}

static void append_bytes(struct wtr_writer *w, const void *bytes, size_t count) {
    memcpy(w->raw + w->used, bytes, count);
    w->used += count;
}

static void append_name(struct wtr_writer *w, const char *name) {
    size_t length = strlen(name);
    wtr_put16(w->raw + w->used, (uint16_t)length);
    w->used += 2;
    append_bytes(w, name, length);
}

static bool good_name(struct wtr_writer *w, const char *name) {
    size_t length = strlen(name);
    return (length <= WTR_NAME_MAX && wtr_printable((const uint8_t *)name, length)) ||
           fail_writer(w, "the name %.60s: must be at most %d printable characters", name,
                       WTR_NAME_MAX);
}

/* The header and the origin, in front of the first block. */
static bool write_origin_block(struct wtr_writer *w) {
    uint8_t header[WTR_HEADER_BYTES] = WTR_MAGIC;
    wtr_put32(header + WTR_MAGIC_BYTES, WTR_VERSION);
    w->began = true;
    if (!write_bytes(w, header, sizeof header)) {
        return false;
    }
    append_name(w, w->origin.workload);
    append_name(w, w->origin.size);
    wtr_put64(w->raw + w->used, w->origin.seed);
    w->used += 8;
    return flush_block(w, WTR_ORIGIN);
}

bool wtr_write_origin(struct wtr_writer *w, const struct wtr_origin *origin) {
    if (w->began) {
        return fail_writer(w, "the origin comes behind a launch: must come first");
    }
    w->origin = *origin;
    return good_name(w, origin->workload) && good_name(w, origin->size);
}

struct wtr_writer *wtr_writer_create(FILE *file, const struct wtr_origin *origin) {
    struct wtr_writer *w = calloc(1, sizeof *w);
    if (!w) {
        return NULL;
    }
    w->file = file;
    w->zstd = ZSTD_createCCtx();
    w->stored_room = ZSTD_compressBound(WTR_BLOCK_MAX);
    w->raw = malloc(WTR_BLOCK_MAX);
    w->stored = malloc(w->stored_room);
    if (!w->zstd || !w->raw || !w->stored) {
        wtr_writer_destroy(w);
        return NULL;
    }
    wtr_write_origin(w, origin);
    return w;
}

void wtr_writer_destroy(struct wtr_writer *w) {
    if (!w) {
        return;
    }
    for (unsigned i = 0; i < w->code_count; i++) {
        free((char *)w->codes[i].name);
        free((struct insn *)w->codes[i].insns);
    }
    free(w->codes);
    ZSTD_freeCCtx(w->zstd);
    free(w->raw);
    free(w->stored);
    free(w);
}

static bool same_code(const struct kernel_code *a, const struct kernel_code *b) {
    if (a->insn_count != b->insn_count || a->registers != b->registers ||
        a->shared_bytes != b->shared_bytes || strcmp(a->name, b->name)) {
        return false;
    }
    for (unsigned i = 0; i < a->insn_count; i++) {
        uint8_t x[WTR_INSN_BYTES], y[WTR_INSN_BYTES];
        wtr_put_insn(x, &a->insns[i]);
        wtr_put_insn(y, &b->insns[i]);
        if (memcmp(x, y, sizeof x)) {
            return false;
        }
    }
    return true;
}

static bool good_code(struct wtr_writer *w, const struct kernel_code *c) {
    uint8_t bytes[WTR_INSN_BYTES];
    struct insn insn;
    if (!good_name(w, c->name)) {
        return false;
    }
    if (!c->insn_count || c->insn_count > WARP_STREAM_INSNS_MAX) {
        return fail_writer(w, "kernel %.100s: %u instructions: must be 1..%d", c->name,
                           c->insn_count, WARP_STREAM_INSNS_MAX);
    }
    if (c->registers > WTR_REGISTERS_MAX || c->shared_bytes > WTR_SHARED_MAX) {
        return fail_writer(
            w, "kernel %.100s: %u registers, %u shared bytes: must be at most %u, %u", c->name,
            c->registers, c->shared_bytes, WTR_REGISTERS_MAX, WTR_SHARED_MAX);
    }
    for (unsigned i = 0; i < c->insn_count; i++) {
        wtr_put_insn(bytes, &c->insns[i]);
        const char *wrong = wtr_get_insn(bytes, &insn);
        if (wrong) {
            return fail_writer(w, "kernel %.100s, pc 0x%" PRIx32 ": %s", c->name, c->insns[i].pc,
                               wrong);
        }
    }
    return true;
}

static bool keep_code(struct wtr_writer *w, const struct kernel_code *c) {
    if (w->code_count == w->code_room) {
        unsigned room = w->code_room ? w->code_room * 2 : 8;
        struct kernel_code *codes = realloc(w->codes, room * sizeof *codes);
        if (!codes) {
            return fail_writer(w, "out of memory");
        }
        w->codes = codes;
        w->code_room = room;
    }
    size_t bytes = c->insn_count * sizeof *c->insns;
    w->code_bytes += bytes + strlen(c->name) + sizeof *c;
    if (w->code_bytes > WTR_CODE_BYTES_MAX) {
        return fail_writer(w, "the kernels' code takes more than %u bytes: must be at most that",
                           WTR_CODE_BYTES_MAX);
    }
    struct kernel_code copy = *c;
    struct insn *insns = malloc(bytes);
    copy.name = strdup(c->name);
    copy.insns = insns;
    copy.source = NULL; /* it is the caller's */
    if (!copy.name || !insns) {
        free(insns);
        free((char *)copy.name);
        return fail_writer(w, "out of memory");
    }
    memcpy(insns, c->insns, bytes);
    w->codes[w->code_count++] = copy;
    return true;
}

static bool write_source(struct wtr_writer *w, const struct kernel_code *c) {
    char wrong[WTR_SOURCE_WRONG];
    w->used = wtr_put_source(w->raw, c->source, c->insn_count, wrong);
    return w->used ? flush_block(w, WTR_SOURCE)
                   : fail_writer(w, "kernel %.100s: %s", c->name, wrong);
}

static bool write_code(struct wtr_writer *w, const struct kernel_code *c) {
    if (!good_code(w, c) || !keep_code(w, c)) {
        return false;
    }
    wtr_put32(w->raw, c->insn_count);
    wtr_put32(w->raw + 4, c->registers);
    wtr_put32(w->raw + 8, c->shared_bytes);
    w->used = 12;
    append_name(w, c->name);
    for (unsigned i = 0; i < c->insn_count; i++) {
        wtr_put_insn(w->raw + w->used, &c->insns[i]);
        w->used += WTR_INSN_BYTES;
    }
    return flush_block(w, WTR_CODE) && (!c->source || write_source(w, c));
}

/* Begins the file, or ends the launch before, if there is one. */
static bool finish_written_launch(struct wtr_writer *w) {
    if (*w->error || (!w->began && !write_origin_block(w))) {
        return false;
    }
    if (w->next_cta < w->ctas) {
        return fail_writer(w, "kernel %.100s: %u of %u CTAs are there: must be all",
                           w->launch.code->name, w->next_cta, w->ctas);
    }
    if (!w->ctas) {
        return true;
    }
    if (w->used && !flush_block(w, WTR_CTAS)) {
        return false;
    }
    w->used = (size_t)(wtr_put_totals(w->raw, &w->current) - w->raw);
    wtr_totals_add(&w->all, &w->current);
    w->current = (struct wtr_totals){0};
    w->ctas = w->next_cta = 0;
    return flush_block(w, WTR_DONE);
}

bool wtr_write_launch(struct wtr_writer *w, const struct launch *l) {
    if (!finish_written_launch(w)) {
        return false;
    }
    uint64_t threads = (uint64_t)l->block[0] * l->block[1];
    uint64_t ctas = (uint64_t)l->grid[0] * l->grid[1];
    threads = threads > WTR_CTAS_MAX ? threads : threads * l->block[2];
    ctas = ctas > WTR_CTAS_MAX ? ctas : ctas * l->grid[2];
    if (!threads || threads > CTA_WARPS_MAX * WARP_SIZE || !ctas || ctas > WTR_CTAS_MAX) {
        return fail_writer(
            w, "kernel %.100s: %" PRIu64 " CTAs of %" PRIu64 " threads: must be 1..%u of 1..%u",
            l->code->name, ctas, threads, WTR_CTAS_MAX, CTA_WARPS_MAX * WARP_SIZE);
    }
    unsigned code = 0;
    while (code < w->code_count && !same_code(&w->codes[code], l->code)) {
        code++;
    }
    if (code == w->code_count && !write_code(w, l->code)) {
        return false;
    }
    uint8_t *at = wtr_put32(w->raw, code);
    for (unsigned i = 0; i < 3; i++) {
        at = wtr_put32(at, l->grid[i]);
    }
    for (unsigned i = 0; i < 3; i++) {
        at = wtr_put32(at, l->block[i]);
    }
    w->used = (size_t)(at - w->raw);
    w->launch = *l;
    w->launch.code = &w->codes[code]; /* the caller's may go; the array moves at a launch only */
    w->ctas = (unsigned)ctas;
    w->next_cta = 0;
    w->launches++;
    return flush_block(w, WTR_LAUNCH);
}

static bool write_records(struct wtr_writer *w, const uint8_t *bytes, size_t count) {
    while (count) {
        size_t room = WTR_BLOCK_MAX - w->used, part = count < room ? count : room;
        append_bytes(w, bytes, part);
        bytes += part;
        count -= part;
        if (w->used == WTR_BLOCK_MAX && !flush_block(w, WTR_CTAS)) {
            return false;
        }
    }
    return true;
}

bool wtr_write_cta(struct wtr_writer *w, const struct cta_trace *t) {
    struct warp_stream_counts counts = {0};
    uint8_t sizes[CTA_WARPS_MAX * 4];
    uint64_t bytes = 0;
    size_t offset;
    if (*w->error) {
        return false;
    }
    if (w->next_cta >= w->ctas || t->warp_count != launch_warps(&w->launch)) {
        return fail_writer(w, "a CTA that its launch has no place for");
    }
    for (unsigned i = 0; i < t->warp_count; i++) {
        const char *wrong = warp_stream_check(&t->warp[i], w->launch.code, &counts, &offset);
        if (wrong) {
            return fail_writer(w, "CTA %u, warp %u, byte %zu of its records: %s", w->next_cta, i,
                               offset, wrong);
        }
        wtr_put32(sizes + 4 * i, (uint32_t)t->warp[i].size);
        bytes += t->warp[i].size;
    }
    if (bytes > WTR_CTA_BYTES_MAX) {
        return fail_writer(
            w, "CTA %u of kernel %.100s: %" PRIu64 " bytes of records: must be at most %u",
            w->next_cta, w->launch.code->name, bytes, WTR_CTA_BYTES_MAX);
    }
    bool good = write_records(w, sizes, 4 * t->warp_count);
    for (unsigned i = 0; good && i < t->warp_count; i++) {
        good = write_records(w, t->warp[i].bytes, t->warp[i].size);
    }
    wtr_totals_add(&w->current,
                   &(struct wtr_totals){1, counts.warp_instructions, counts.thread_instructions,
                                        counts.memory_instructions, bytes});
    w->next_cta++;
    return good;
}

bool wtr_write_copy(struct wtr_writer *w, uint64_t address, uint64_t bytes) {
    if (!finish_written_launch(w)) {
        return false;
    }
    w->used = (size_t)(wtr_put64(wtr_put64(w->raw, address), bytes) - w->raw);
    w->copies++;
    return flush_block(w, WTR_COPY);
}

bool wtr_writer_finish(struct wtr_writer *w) {
    if (!finish_written_launch(w)) {
        return false;
    }
    uint8_t *at = wtr_put64(wtr_put64(w->raw, w->launches), w->copies);
    w->used = (size_t)(wtr_put_totals(at, &w->all) - w->raw);
    return flush_block(w, WTR_END);
}

const struct wtr_totals *wtr_writer_totals(const struct wtr_writer *w) {
    return &w->all;
}

const char *wtr_writer_error(const struct wtr_writer *w) {
    return *w->error ? w->error : NULL;
}
