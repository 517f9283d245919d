/* SPDX-License-Identifier: Apache-2.0
 * Trace files. A first byte of 0: the rest is the file. Else it is a list of blocks, of which the
 * file is made; the byte chooses the machine, too. */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "fuzz/promises.h"
#include "kernel/launch.h"
#include "trace/wtr.h"

enum { CODES_MAX = 8, INSNS_MAX = 512, RECORDS_MAX = 1 << 16, PAYLOAD_MAX = 1 << 16 };

/* The totals, from as much of the file as makes sense. */
struct sealed {
    FILE *file;
    uint32_t blocks;
    struct insn insns[CODES_MAX][INSNS_MAX];
    unsigned insn_count[CODES_MAX], codes;
    unsigned code, warps, ctas; /* of the launch */
    uint8_t records[RECORDS_MAX];
    size_t record_bytes;
    uint64_t launches, copies;
    struct wtr_totals all;
};

static void write_block(struct sealed *s, uint32_t type, const void *payload, size_t size) {
    uint8_t header[WTR_BLOCK_HEADER_BYTES], packed[PAYLOAD_MAX + PAYLOAD_MAX / 8];
    size_t stored = ZSTD_compress(packed, sizeof packed, payload, size, 1);
    fuzz_check(!ZSTD_isError(stored), "%s", ZSTD_getErrorName(stored));
    wtr_put32(wtr_put32(wtr_put32(wtr_put32(header, type), (uint32_t)size), (uint32_t)stored),
              s->blocks++);
    wtr_put64(header + WTR_SUMMED_BYTES, wtr_checksum(header, packed, stored));
    fwrite(header, 1, sizeof header, s->file);
    fwrite(packed, 1, stored, s->file);
}

static void note_code(struct sealed *s, const uint8_t *at, size_t size) {
    size_t name = size > 14 ? wtr_get16(at + 12) : 0, first = 14 + name;
    if (s->codes == CODES_MAX || size < first) {
        return;
    }
    unsigned count = 0;
    for (; count < INSNS_MAX && first + WTR_INSN_BYTES <= size; first += WTR_INSN_BYTES) {
        (void)wtr_get_insn(at + first, &s->insns[s->codes][count++]);
    }
    s->insn_count[s->codes++] = count;
}

static void note_launch(struct sealed *s, const uint8_t *at, size_t size) {
    if (size != WTR_LAUNCH_BYTES) {
        return;
    }
    uint32_t n[7];
    for (unsigned i = 0; i < 7; i++) {
        n[i] = wtr_get32(at + 4 * i);
    }
    s->code = n[0] % CODES_MAX;
    s->ctas = n[1] * n[2] * n[3];
    s->warps = (n[4] * n[5] * n[6] + WARP_SIZE - 1) / WARP_SIZE;
    s->record_bytes = 0;
    s->launches++;
}

static void note_records(struct sealed *s, const uint8_t *at, size_t size) {
    size_t room = RECORDS_MAX - s->record_bytes;
    size = size < room ? size : room;
    memcpy(s->records + s->record_bytes, at, size);
    s->record_bytes += size;
}

/* Totals of the launch: what of the records can be read. */
static struct wtr_totals launch_totals(struct sealed *s) {
    const struct kernel_code code = {.insns = s->insns[s->code],
                                     .insn_count = s->insn_count[s->code]};
    struct warp_stream_counts counts = {0};
    struct wtr_totals t = {.ctas = s->ctas};
    size_t at = 0, offset;
    for (unsigned cta = 0; cta < s->ctas && s->warps <= CTA_WARPS_MAX && s->warps; cta++) {
        size_t sizes = at;
        if (s->record_bytes - at < 4 * s->warps) {
            break;
        }
        at += 4 * s->warps;
        for (unsigned w = 0; w < s->warps; w++) {
            size_t bytes = wtr_get32(s->records + sizes + 4 * w);
            struct warp_stream stream = {.bytes = s->records + at, .size = bytes};
            if (s->record_bytes - at < bytes) {
                return t;
            }
            (void)warp_stream_check(&stream, &code, &counts, &offset);
            at += bytes;
            t.record_bytes += bytes;
        }
    }
    t.warp_instructions = counts.warp_instructions;
    t.thread_instructions = counts.thread_instructions;
    t.memory_instructions = counts.memory_instructions;
    return t;
}

static void seal_block(struct sealed *s, unsigned type, const uint8_t *payload, size_t size) {
    uint8_t totals[WTR_END_BYTES];
    switch (size ? type : type + 16) {
    case WTR_CODE: note_code(s, payload, size); break;
    case WTR_LAUNCH: note_launch(s, payload, size); break;
    case WTR_CTAS: note_records(s, payload, size); break;
    case WTR_COPY: s->copies++; break;
    case WTR_DONE + 16: {
        struct wtr_totals t = launch_totals(s);
        wtr_totals_add(&s->all, &t);
        size = (size_t)(wtr_put_totals(totals, &t) - totals);
        payload = totals;
        break;
    }
    case WTR_END + 16:
        size =
            (size_t)(wtr_put_totals(wtr_put64(wtr_put64(totals, s->launches), s->copies), &s->all) -
                     totals);
        payload = totals;
        break;
    default: break;
    }
    write_block(s, type, payload, size);
}

void seal_trace(const char *path, struct fuzz_bytes *b) {
    uint8_t header[WTR_HEADER_BYTES] = WTR_MAGIC, type;
    struct sealed *s = calloc(1, sizeof *s);
    fuzz_check(s && (s->file = fopen(path, "wb")), "%s cannot be written", path);
    wtr_put32(header + 8, WTR_VERSION);
    memset(header + 12, 0, 4);
    fwrite(header, 1, sizeof header, s->file);
    while (b->left) {
        const uint8_t *payload;
        type = (uint8_t)fuzz_byte(b);
        size_t size = fuzz_take(b, fuzz_u16(b), &payload);
        seal_block(s, type, payload, size);
    }
    fclose(s->file);
    free(s);
}

static void run_wtr_target(const uint8_t *data, size_t size) {
    struct fuzz_bytes b = {data, size};
    unsigned kind = fuzz_byte(&b);
    const char *path = fuzz_save("any.wtr", b.at, kind ? 0 : b.left);
    if (kind) {
        seal_trace(path, &b);
    }
    promise_trace(path, kind);
}

const struct fuzz_target fuzz_wtr = {"wtr", run_wtr_target};
