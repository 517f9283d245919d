/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/wtr_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/wtr_block.h"
#include "trace/wtr_source.h"

/* CTAs that a machine holds at the same time; 80 cores with a matrix product need half of it. */
#define RESIDENT_BYTES_MAX (UINT64_C(4) << 30)

struct wtr_reader {
    struct wtr_blocks blocks;
    struct wtr_origin origin;
    struct kernel_code **codes; /* each where it is: launches point there */
    unsigned code_count, code_room;
    size_t code_bytes;
    struct launch launch;
    unsigned ctas, next_cta; /* of the launch; 0 ctas: none */
    size_t taken;            /* bytes of the CTAS block that are used up */
    uint64_t launches, copies, stored;
    struct wtr_totals current, all;
    uint64_t resident; /* bytes copied into streams */
    uint64_t only;     /* number of the only launch that the program has; 0: it has all */
    bool ended;
    void (*tell_copy)(void *user, uint64_t address, uint64_t bytes);
    void *tell_user;
};

/* Position in the payload of the current block. */
struct field {
    struct wtr_blocks *blocks;
    const uint8_t *at, *end;
};

static struct field payload_field(struct wtr_reader *r) {
    struct wtr_blocks *b = &r->blocks;
    return (struct field){b, b->raw, b->raw + b->raw_bytes};
}

#define WRONG(r, ...) wtr_blocks_fail(&(r)->blocks, (r)->blocks.block_at, __VA_ARGS__)

static bool check_bytes_left(struct field *f, size_t bytes, const char *what) {
    return (size_t)(f->end - f->at) >= bytes ||
           wtr_blocks_fail(f->blocks, f->blocks->block_at,
                           "the block is too short: must have %zu bytes of %s", bytes, what);
}

static bool take_name(struct field *f, char *to, const char *what) {
    if (!check_bytes_left(f, 2, what)) {
        return false;
    }
    size_t length = wtr_get16(f->at);
    if (length > WTR_NAME_MAX) {
        return wtr_blocks_fail(f->blocks, f->blocks->block_at, "%s of %zu bytes: at most %d", what,
                               length, WTR_NAME_MAX);
    }
    f->at += 2;
    if (!check_bytes_left(f, length, what)) {
        return false;
    }
    if (!wtr_printable(f->at, length)) {
        return wtr_blocks_fail(f->blocks, f->blocks->block_at,
                               "%s has other bytes: must be printable ASCII", what);
    }
    memcpy(to, f->at, length);
    to[length] = '\0';
    f->at += length;
    return true;
}

static bool check_block_bytes(struct wtr_reader *r, size_t bytes) {
    return r->blocks.raw_bytes == bytes ||
           WRONG(r, "a block of type %" PRIu32 " has %" PRIu32 " bytes: must be %zu",
                 r->blocks.type, r->blocks.raw_bytes, bytes);
}

static bool read_origin(struct wtr_reader *r) {
    if (!wtr_blocks_next(&r->blocks) || !wtr_blocks_load(&r->blocks)) {
        return false;
    }
    if (r->blocks.type != WTR_ORIGIN) {
        return WRONG(r, "block type %" PRIu32 ": the first must be %d (ORIGIN)", r->blocks.type,
                     WTR_ORIGIN);
    }
    struct field f = payload_field(r);
    if (!take_name(&f, r->origin.workload, "the workload's name") ||
        !take_name(&f, r->origin.size, "the size's name") || !check_bytes_left(&f, 8, "the seed")) {
        return false;
    }
    r->origin.seed = wtr_get64(f.at);
    return r->origin.seed < UINT64_C(1) << 53 ||
           WRONG(r, "seed %" PRIu64 ": must be below 2^53", r->origin.seed);
}

struct wtr_reader *wtr_reader_open(const char *path, char *error, size_t size) {
    struct wtr_reader *r = calloc(1, sizeof *r);
    snprintf(error, size, "out of memory");
    if (r && wtr_blocks_open(&r->blocks, path) && read_origin(r)) {
        return r;
    }
    if (r && r->blocks.error) {
        snprintf(error, size, "%s", r->blocks.error);
    }
    wtr_reader_close(r);
    return NULL;
}

void wtr_reader_close(struct wtr_reader *r) {
    if (!r) {
        return;
    }
    for (unsigned i = 0; i < r->code_count; i++) {
        free((char *)r->codes[i]->name);
        free((struct insn *)r->codes[i]->insns);
        wtr_free_source(r->codes[i]->source);
        free(r->codes[i]);
    }
    free(r->codes);
    wtr_blocks_close(&r->blocks);
    free(r);
}

const struct wtr_origin *wtr_reader_origin(const struct wtr_reader *r) {
    return &r->origin;
}

const struct wtr_totals *wtr_reader_totals(const struct wtr_reader *r) {
    return r->only ? &r->current : &r->all;
}

const char *wtr_reader_error(const struct wtr_reader *r) {
    return r->blocks.error;
}

void wtr_reader_place(const struct wtr_reader *r, uint64_t *at, uint64_t *size) {
    *at = r->blocks.size ? r->blocks.at : 0;
    *size = r->blocks.size;
}

static bool read_insns(struct wtr_reader *r, struct field *f, struct insn *insns, unsigned count) {
    for (unsigned i = 0; i < count; i++, f->at += WTR_INSN_BYTES) {
        const char *wrong = wtr_get_insn(f->at, &insns[i]);
        if (wrong) {
            return WRONG(r, "kernel %.100s, instruction %u: %s", r->codes[r->code_count]->name, i,
                         wrong);
        }
    }
    return true;
}

/* Reads the numbers in front of a code's name and instructions. */
static bool check_code(struct wtr_reader *r, const struct kernel_code *c) {
    if (!c->insn_count || c->insn_count > WARP_STREAM_INSNS_MAX) {
        return WRONG(r, "%u instructions: must be 1..%d", c->insn_count, WARP_STREAM_INSNS_MAX);
    }
    if (c->registers > WTR_REGISTERS_MAX || c->shared_bytes > WTR_SHARED_MAX) {
        return WRONG(r, "%u registers, %u shared bytes: at most %u, %u", c->registers,
                     c->shared_bytes, WTR_REGISTERS_MAX, WTR_SHARED_MAX);
    }
    return true;
}

static bool room_for_code(struct wtr_reader *r) {
    if (r->code_count == r->code_room) {
        unsigned room = r->code_room ? 2 * r->code_room : 8;
        struct kernel_code **codes = realloc(r->codes, room * sizeof *codes);
        if (!codes) {
            return WRONG(r, "out of memory");
        }
        r->codes = codes;
        r->code_room = room;
    }
    return true;
}

static bool read_code(struct wtr_reader *r) {
    struct field f = payload_field(r);
    char name[WTR_NAME_MAX + 1];
    if (!check_bytes_left(&f, 12, "numbers")) {
        return false;
    }
    struct kernel_code code = {.insn_count = wtr_get32(f.at),
                               .registers = wtr_get32(f.at + 4),
                               .shared_bytes = wtr_get32(f.at + 8)};
    f.at += 12;
    if (!check_code(r, &code) || !take_name(&f, name, "the kernel's name") || !room_for_code(r)) {
        return false;
    }
    if ((size_t)(f.end - f.at) != (size_t)code.insn_count * WTR_INSN_BYTES) {
        return WRONG(r, "%td bytes of instructions: must be %d for each of %u", f.end - f.at,
                     WTR_INSN_BYTES, code.insn_count);
    }
    size_t bytes = code.insn_count * sizeof *code.insns;
    r->code_bytes += bytes + strlen(name) + sizeof code;
    if (r->code_bytes > WTR_CODE_BYTES_MAX) {
        return WRONG(r, "more than %u bytes of code: at most that", WTR_CODE_BYTES_MAX);
    }
    struct kernel_code *kept = malloc(sizeof *kept);
    struct insn *insns = malloc(bytes);
    char *kept_name = strdup(name);
    if (!kept || !insns || !kept_name) {
        free(kept);
        free(insns);
        free(kept_name);
        return WRONG(r, "out of memory");
    }
    code.name = kept_name;
    code.insns = insns;
    *kept = code;
    r->codes[r->code_count] = kept;
    bool good = read_insns(r, &f, insns, code.insn_count);
    r->code_count++;
    return good;
}

static bool read_source_block(struct wtr_reader *r) {
    char wrong[WTR_SOURCE_WRONG];
    struct kernel_code *code = r->codes[r->code_count - 1];
    r->code_bytes += sizeof *code->source + code->insn_count * sizeof *code->source->lines +
                     2 * r->blocks.raw_bytes;
    if (r->code_bytes > WTR_CODE_BYTES_MAX) {
        return WRONG(r, "more than %u bytes of code: at most that", WTR_CODE_BYTES_MAX);
    }
    code->source = wtr_get_source(r->blocks.raw, r->blocks.raw_bytes, code->insn_count, wrong);
    return code->source || WRONG(r, "%s", wrong);
}

/* Returns the product of three, or 0 if it is 0 or more than @most. */
static unsigned bounded_product(const unsigned n[3], unsigned most) {
    uint64_t p = (uint64_t)n[0] * n[1];
    if (!p || p > most || !n[2]) {
        return 0;
    }
    p *= n[2];
    return p > most ? 0 : (unsigned)p;
}

static bool read_launch(struct wtr_reader *r) {
    const uint8_t *at = r->blocks.raw;
    if (!check_block_bytes(r, WTR_LAUNCH_BYTES)) {
        return false;
    }
    uint32_t code = wtr_get32(at);
    if (code >= r->code_count) {
        return WRONG(r, "launch of code %" PRIu32 ": must be below %u, the number of CODE blocks",
                     code, r->code_count);
    }
    r->launch = (struct launch){.code = r->codes[code]};
    for (unsigned i = 0; i < 3; i++) {
        r->launch.grid[i] = wtr_get32(at + 4 + 4 * i);
        r->launch.block[i] = wtr_get32(at + 16 + 4 * i);
    }
    r->ctas = bounded_product(r->launch.grid, WTR_CTAS_MAX);
    if (!r->ctas || !bounded_product(r->launch.block, CTA_WARPS_MAX * WARP_SIZE)) {
        r->ctas = 0;
        return WRONG(
            r, "grid %u x %u x %u, block %u x %u x %u: must be 1..%u CTAs of 1..%u threads",
            r->launch.grid[0], r->launch.grid[1], r->launch.grid[2], r->launch.block[0],
            r->launch.block[1], r->launch.block[2], WTR_CTAS_MAX, CTA_WARPS_MAX * WARP_SIZE);
    }
    r->next_cta = 0;
    r->current = (struct wtr_totals){0};
    r->taken = 0;
    r->stored = 0;
    r->launches++;
    return true;
}

static bool same_totals(struct wtr_reader *r, const struct wtr_totals *file,
                        const struct wtr_totals *counted) {
    static const char *const names[] = {"CTAs", "warp instructions", "thread instructions",
                                        "memory instructions", "bytes of records"};
    const uint64_t says[] = {file->ctas, file->warp_instructions, file->thread_instructions,
                             file->memory_instructions, file->record_bytes};
    const uint64_t are[] = {counted->ctas, counted->warp_instructions, counted->thread_instructions,
                            counted->memory_instructions, counted->record_bytes};
    for (unsigned i = 0; i < 5; i++) {
        if (says[i] != are[i]) {
            return WRONG(r, "total of %" PRIu64 " %s: must be %" PRIu64, says[i], names[i], are[i]);
        }
    }
    return true;
}

/* Skips the rest of a launch, then reads its DONE block. */
static bool finish_read_launch(struct wtr_reader *r) {
    struct wtr_blocks *b = &r->blocks;
    bool skipped = r->next_cta < r->ctas;
    if (!skipped && b->type == WTR_CTAS && b->loaded && r->taken < b->raw_bytes) {
        return WRONG(r, "%zu bytes behind the records of the last CTA: must be none",
                     b->raw_bytes - r->taken);
    }
    do {
        if (!wtr_blocks_next(b)) {
            return false;
        }
        r->stored += WTR_BLOCK_HEADER_BYTES + b->stored_bytes;
        if (b->type == WTR_CTAS && (!skipped || !wtr_blocks_skip(b))) {
            return WRONG(r, "records behind those of the last CTA: must be none");
        }
    } while (b->type == WTR_CTAS);
    if (b->type != WTR_DONE) {
        return WRONG(r, "block type %" PRIu32 ": must be %d (DONE) behind a launch's CTAs", b->type,
                     WTR_DONE);
    }
    if (!wtr_blocks_load(b) || !check_block_bytes(r, WTR_DONE_BYTES)) {
        return false;
    }
    struct wtr_totals totals = wtr_get_totals(b->raw);
    if (!skipped && !same_totals(r, &totals, &r->current)) {
        return false;
    }
    if (totals.ctas != r->ctas) {
        return WRONG(r, "total of %" PRIu64 " CTAs: must be %u", totals.ctas, r->ctas);
    }
    r->ctas = 0;
    r->current = totals;
    wtr_totals_add(&r->all, &totals);
    return true;
}

static bool read_end(struct wtr_reader *r) {
    const uint8_t *at = r->blocks.raw;
    if (!check_block_bytes(r, WTR_END_BYTES)) {
        return false;
    }
    struct wtr_totals totals = wtr_get_totals(at + 16);
    if (wtr_get64(at) != r->launches || wtr_get64(at + 8) != r->copies) {
        return WRONG(
            r, "totals of %" PRIu64 " launches, %" PRIu64 " copies: must be %" PRIu64 ", %" PRIu64,
            wtr_get64(at), wtr_get64(at + 8), r->launches, r->copies);
    }
    r->ended = true;
    return same_totals(r, &totals, &r->all) && wtr_blocks_at_end(&r->blocks);
}

/* Reads the next block that is an item, and the CODE and SOURCE blocks on the way. */
static bool next_item(struct wtr_reader *r) {
    struct wtr_blocks *b = &r->blocks;
    do {
        const uint32_t before = b->type;
        if (!wtr_blocks_next(b) || !wtr_blocks_load(b)) {
            return false;
        }
        switch (b->type) {
        case WTR_CODE:
            if (!read_code(r)) {
                return false;
            }
            break;
        case WTR_SOURCE:
            if (before != WTR_CODE) {
                return WRONG(r, "a block of type %d (SOURCE): must follow one of type %d (CODE)",
                             WTR_SOURCE, WTR_CODE);
            }
            if (!read_source_block(r)) {
                return false;
            }
            break;
        case WTR_LAUNCH: return read_launch(r);
        case WTR_END: return read_end(r);
        case WTR_COPY: r->copies++; return check_block_bytes(r, WTR_COPY_BYTES);
        default:
            return WRONG(r,
                         "block type %" PRIu32 ": must be CODE, SOURCE, LAUNCH, COPY or END here",
                         b->type);
        }
    } while (true);
}

static bool next_launch(void *self, const struct launch **launch) {
    struct wtr_reader *r = self;
    if (r->blocks.error || r->ended || (r->ctas && !finish_read_launch(r))) {
        return false;
    }
    if (r->only && r->launches == r->only) {
        r->ended = true;
        return false;
    }
    for (;;) {
        if (!next_item(r)) {
            return false;
        }
        if (r->blocks.type != WTR_COPY) {
            if (r->ended && r->only) {
                return WRONG(r, "launch %" PRIu64 ": must be 1..%" PRIu64 ", as many as there are",
                             r->only, r->launches);
            }
            if (r->launches >= r->only) {
                break;
            }
            if (!finish_read_launch(r)) {
                return false;
            }
            continue;
        }
        if (r->tell_copy) {
            r->tell_copy(r->tell_user, wtr_get64(r->blocks.raw), wtr_get64(r->blocks.raw + 8));
        }
    }
    *launch = &r->launch;
    return !r->ended;
}

/* Makes the current block one of this launch's CTAS blocks that has bytes left. */
static bool more_records(struct wtr_reader *r) {
    struct wtr_blocks *b = &r->blocks;
    while (b->type != WTR_CTAS || r->taken == b->raw_bytes) {
        if (!wtr_blocks_next(b)) {
            return false;
        }
        if (b->type != WTR_CTAS) {
            return WRONG(r, "block type %" PRIu32 ": must be %d (CTAS), CTA %u of %u comes now",
                         b->type, WTR_CTAS, r->next_cta, r->ctas);
        }
        if (!wtr_blocks_load(b)) {
            return false;
        }
        r->stored += WTR_BLOCK_HEADER_BYTES + b->stored_bytes;
        r->taken = 0;
    }
    return true;
}

/* Returns up to @most contiguous bytes; 0: an error. */
static size_t take_record_bytes(struct wtr_reader *r, size_t most, const uint8_t **bytes) {
    if (!more_records(r)) {
        return 0;
    }
    size_t there = r->blocks.raw_bytes - r->taken;
    there = there < most ? there : most;
    *bytes = r->blocks.raw + r->taken;
    r->taken += there;
    return there;
}

static bool take_sizes(struct wtr_reader *r, unsigned warps, uint32_t *sizes) {
    uint8_t text[CTA_WARPS_MAX * 4];
    const uint8_t *part;
    uint64_t sum = 0;
    for (size_t got = 0, n; got < 4 * warps; got += n) {
        n = take_record_bytes(r, 4 * warps - got, &part);
        if (!n) {
            return false;
        }
        memcpy(text + got, part, n);
    }
    for (unsigned i = 0; i < warps; i++) {
        sizes[i] = wtr_get32(text + 4 * i);
        sum += sizes[i];
    }
    return sum <= WTR_CTA_BYTES_MAX ||
           WRONG(r, "CTA %u has %" PRIu64 " bytes of records: at most %u", r->next_cta, sum,
                 WTR_CTA_BYTES_MAX);
}

/* Memory grows as data arrives, independently of the size that the file claims. */
static bool take_stream(struct wtr_reader *r, struct warp_stream *s, size_t bytes) {
    const uint8_t *part;
    warp_stream_clear(s);
    while (s->size < bytes) {
        size_t had = s->capacity, n = take_record_bytes(r, bytes - s->size, &part);
        if (!n) {
            return false;
        }
        uint8_t *to = warp_stream_extend(s, n);
        if (!to) {
            return WRONG(r, "out of memory");
        }
        memcpy(to, part, n);
        r->resident += s->capacity - had;
        if (r->resident > RESIDENT_BYTES_MAX) {
            return WRONG(r,
                         "the CTAs that run together have more than %" PRIu64
                         " bytes of records: at most that",
                         RESIDENT_BYTES_MAX);
        }
    }
    return true;
}

static bool run_cta(void *self, unsigned cta, struct cta_trace *out) {
    struct wtr_reader *r = self;
    struct warp_stream_counts counts = {0};
    uint32_t sizes[CTA_WARPS_MAX];
    uint64_t bytes = 0;
    size_t offset;
    r->next_cta = cta;
    out->warp_count = launch_warps(&r->launch);
    if (r->blocks.error || !take_sizes(r, out->warp_count, sizes)) {
        return false;
    }
    for (unsigned i = 0; i < out->warp_count; i++) {
        if (!take_stream(r, &out->warp[i], sizes[i])) {
            return false;
        }
        const char *wrong = warp_stream_check(&out->warp[i], r->launch.code, &counts, &offset);
        if (wrong) {
            return WRONG(r, "CTA %u, warp %u, byte %zu of its records: %s", cta, i, offset, wrong);
        }
        bytes += sizes[i];
    }
    wtr_totals_add(&r->current,
                   &(struct wtr_totals){1, counts.warp_instructions, counts.thread_instructions,
                                        counts.memory_instructions, bytes});
    r->next_cta++;
    return true;
}

struct program wtr_reader_program(struct wtr_reader *r) {
    return (struct program){r, next_launch, run_cta};
}

void wtr_reader_only(struct wtr_reader *r, uint64_t number) {
    r->only = number;
}

void wtr_reader_tell_copies(struct wtr_reader *r,
                            void (*tell)(void *user, uint64_t address, uint64_t bytes),
                            void *user) {
    r->tell_copy = tell;
    r->tell_user = user;
}

bool wtr_reader_item(struct wtr_reader *r, struct wtr_item *item) {
    if (r->blocks.error || r->ended || !next_item(r)) {
        return false;
    }
    *item = (struct wtr_item){.kind = WTR_ITEM_COPY};
    if (r->blocks.type == WTR_COPY) {
        item->address = wtr_get64(r->blocks.raw);
        item->bytes = wtr_get64(r->blocks.raw + 8);
    } else if (r->ended) {
        item->kind = WTR_ITEM_END;
        item->totals = r->all;
        item->launches = r->launches;
        item->copies = r->copies;
    } else {
        if (!finish_read_launch(r)) {
            return false;
        }
        item->kind = WTR_ITEM_LAUNCH;
        item->launch = &r->launch;
        item->totals = r->current;
        item->stored_bytes = r->stored;
    }
    return true;
}
