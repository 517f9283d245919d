/* SPDX-License-Identifier: Apache-2.0 */
#define _FILE_OFFSET_BITS 64
#include "trace/accelsim_kernel.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PROGRESS_LINES 4096 /* between calls */

/* Matches word by word, "warp = 3", and returns the number behind the words, up to a blank, a comma
 * or the end. */
static bool value_after_words(const char *line, const char *words, const char **value) {
    size_t length = strlen(words);
    if (strncmp(line, words, length)) {
        return false;
    }
    const char *at = line + length + strspn(line + length, " ");
    if (*at != '=') {
        return false;
    }
    *value = at + 1;
    return true;
}

static bool next_line(struct accelsim_kernel *k, const char **line) {
    size_t length;
    do {
        if (!text_lines_next(k->lines, line, &length)) {
            return text_lines_fail(k->lines, "the file ends in a thread block: must have #END_TB");
        }
    } while (!length);
    return true;
}

static bool block_number(struct accelsim_kernel *k, const char *value, uint32_t *cta) {
    uint64_t at[3];
    for (unsigned i = 0; i < 3; i++) {
        char *end;
        value += strspn(value, " ");
        at[i] = *value >= '0' && *value <= '9' ? strtoull(value, &end, 10) : UINT64_MAX;
        if (at[i] >= k->header.grid[i] || *end != (i == 2 ? '\0' : ',')) {
            return text_lines_fail(k->lines, "thread block: must be x,y,z below %u,%u,%u",
                                   k->header.grid[0], k->header.grid[1], k->header.grid[2]);
        }
        value = end + 1;
    }
    *cta = (uint32_t)((at[2] * k->header.grid[1] + at[1]) * k->header.grid[0] + at[0]);
    return true;
}

/* Reads the lines of one warp; its "warp =" line was the last. */
static bool read_warp(struct accelsim_kernel *k, const char *value, uint32_t *seen) {
    const char *line;
    uint64_t warp, count;
    if (!accelsim_unsigned(&value, k->warps - 1, &warp)) {
        return text_lines_fail(k->lines, "warp: must be 0..%u", k->warps - 1);
    }
    if (*seen >> warp & 1) {
        return text_lines_fail(k->lines, "warp %" PRIu64 " a second time: must be once", warp);
    }
    *seen |= UINT32_C(1) << warp;
    if (!next_line(k, &line)) {
        return false;
    }
    if (!value_after_words(line, "insts", &value) ||
        !accelsim_unsigned(&value, UINT32_MAX, &count)) {
        return text_lines_fail(k->lines, "must be \"insts = N\" behind \"warp = N\"");
    }
    struct warp_stream *s = &k->trace->warp[warp];
    for (uint64_t i = 0; i < count; i++) {
        if (!next_line(k, &line)) {
            return false;
        }
        if (*line == '#' || *line == 'w') {
            return text_lines_fail(k->lines,
                                   "%" PRIu64 " instructions in warp %" PRIu64 ": must be %" PRIu64
                                   ", as its \"insts =\" says",
                                   i, warp, count);
        }
        if (!accelsim_instruction(k, s, line)) {
            return false;
        }
        if (k->records + s->size > WTR_CTA_BYTES_MAX) {
            return text_lines_fail(k->lines,
                                   "more than %u bytes of records in a thread block: at most that",
                                   WTR_CTA_BYTES_MAX);
        }
        if (i % PROGRESS_LINES == PROGRESS_LINES - 1) {
            k->progress(k->progress_user, text_lines_read(k->lines));
            if (*k->stop) {
                return false;
            }
        }
    }
    k->records += s->size;
    return true;
}

static bool spool_bytes(struct accelsim_kernel *k, const void *bytes, size_t count) {
    errno = 0;
    k->spooled += count;
    return !count || fwrite(bytes, 1, count, k->spool) == count ||
           text_lines_fail(k->lines, "the temporary file cannot be written: %s",
                           strerror(errno ? errno : EIO));
}

static bool keep_place(struct accelsim_kernel *k, uint32_t cta) {
    if (k->cta_count == k->cta_room) {
        unsigned room = k->cta_room ? 2 * k->cta_room : 256;
        struct accelsim_cta *ctas = realloc(k->ctas, room * sizeof *ctas);
        if (!ctas) {
            return text_lines_fail(k->lines, "out of memory");
        }
        k->ctas = ctas;
        k->cta_room = room;
    }
    k->ascending = k->ascending && cta == k->cta_count;
    k->ctas[k->cta_count++] = (struct accelsim_cta){cta, k->spooled};
    return true;
}

static bool spool_cta(struct accelsim_kernel *k, uint32_t cta) {
    uint8_t sizes[CTA_WARPS_MAX * 4];
    if (k->cta_count == k->ctas_wanted) {
        return text_lines_fail(k->lines, "more thread blocks than the grid has: must be %u",
                               k->ctas_wanted);
    }
    for (unsigned i = 0; i < k->warps; i++) {
        wtr_put32(sizes + 4 * i, (uint32_t)k->trace->warp[i].size);
    }
    bool good = keep_place(k, cta) && spool_bytes(k, sizes, 4 * k->warps);
    for (unsigned i = 0; good && i < k->warps; i++) {
        good = spool_bytes(k, k->trace->warp[i].bytes, k->trace->warp[i].size);
    }
    return good;
}

/* Tracers for Hopper write the thread block's place in its cluster, which the model ignores. */
static bool is_cluster(const char *line) {
    const char *value;
    return value_after_words(line, "cluster id", &value) ||
           value_after_words(line, "cluster cta", &value) ||
           value_after_words(line, "cluster rank", &value);
}

/* Reads from behind #BEGIN_TB to #END_TB. */
static bool read_block(struct accelsim_kernel *k) {
    const char *line, *value;
    uint32_t seen = 0, cta = 0;
    k->records = 0;
    for (unsigned i = 0; i < k->warps; i++) {
        warp_stream_clear(&k->trace->warp[i]);
    }
    if (!next_line(k, &line)) {
        return false;
    }
    if (!value_after_words(line, "thread block", &value)) {
        return text_lines_fail(k->lines, "must be \"thread block = x,y,z\" behind #BEGIN_TB");
    }
    if (!block_number(k, value, &cta)) {
        return false;
    }
    while (next_line(k, &line)) {
        if (!strcmp(line, "#END_TB")) {
            return spool_cta(k, cta);
        }
        if (is_cluster(line)) {
            continue;
        }
        if (!value_after_words(line, "warp", &value)) {
            return text_lines_fail(k->lines, "must be \"warp = N\" or #END_TB");
        }
        if (!read_warp(k, value, &seen)) {
            return false;
        }
    }
    return false;
}

static int by_number(const void *a, const void *b) {
    uint32_t x = ((const struct accelsim_cta *)a)->number;
    uint32_t y = ((const struct accelsim_cta *)b)->number;
    return x < y ? -1 : x > y;
}

/* Sorts the thread blocks in ascending order. False unless each of the grid is there once. */
static bool order_ctas(struct accelsim_kernel *k) {
    const unsigned *grid = k->header.grid;
    if (!k->ascending) {
        qsort(k->ctas, k->cta_count, sizeof *k->ctas, by_number);
    }
    for (unsigned i = 0; i < k->ctas_wanted; i++) {
        if (i < k->cta_count && k->ctas[i].number == i) {
            continue;
        }
        bool twice = i && i < k->cta_count && k->ctas[i].number == k->ctas[i - 1].number;
        unsigned n = twice ? k->ctas[i].number : i;
        return text_lines_fail(k->lines, "thread block %u,%u,%u is there %s: must be once",
                               n % grid[0], n / grid[0] % grid[1], n / grid[0] / grid[1],
                               twice ? "twice" : "never");
    }
    return true;
}

static bool read_blocks(struct accelsim_kernel *k) {
    const char *line;
    size_t length;
    do {
        if (!read_block(k)) {
            return false;
        }
        k->progress(k->progress_user, text_lines_read(k->lines));
        if (*k->stop) {
            return false;
        }
        do {
            if (!text_lines_next(k->lines, &line, &length)) {
                return !text_lines_error(k->lines);
            }
        } while (!length);
    } while (!strcmp(line, "#BEGIN_TB"));
    return text_lines_fail(k->lines, "must be #BEGIN_TB or the end of the file behind #END_TB");
}

bool accelsim_kernel_read(struct accelsim_kernel *k, const struct opcodes *opcodes,
                          struct accelsim_notes *notes) {
    k->ascending = true;
    k->local_low = UINT64_MAX;
    k->trace = cta_trace_create();
    if (!accelsim_code_init(&k->code, opcodes, notes) || !k->trace) {
        return text_lines_fail(k->lines, "out of memory");
    }
    if (!accelsim_header_read(&k->header, k->lines)) {
        return false;
    }
    const unsigned *b = k->header.block, *g = k->header.grid;
    k->warps = (b[0] * b[1] * b[2] + WARP_SIZE - 1) / WARP_SIZE;
    k->trace->warp_count = k->warps;
    k->ctas_wanted = g[0] * g[1] * g[2];
    rewind(k->spool);
    if (!read_blocks(k) || !order_ctas(k)) {
        return false;
    }
    return k->code.insn_count ||
           text_lines_fail(k->lines, "the kernel has no instruction: must have one");
}

void accelsim_kernel_free(struct accelsim_kernel *k) {
    accelsim_code_free(&k->code);
    cta_trace_destroy(k->trace);
    free(k->ctas);
    k->ctas = NULL;
    k->trace = NULL;
}
