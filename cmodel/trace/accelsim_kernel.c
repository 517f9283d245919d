/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/accelsim_kernel.h"

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
            return cta_spool_put(&k->spool, cta, k->trace);
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
    k->local_low = UINT64_MAX;
    k->trace = cta_trace_create();
    if (!accelsim_code_init(&k->code, opcodes, notes) || !k->trace) {
        return text_lines_fail(k->lines, "out of memory");
    }
    if (!accelsim_header_read(&k->header, k->lines)) {
        return false;
    }
    const unsigned *b = k->header.block;
    k->warps = (b[0] * b[1] * b[2] + WARP_SIZE - 1) / WARP_SIZE;
    k->trace->warp_count = k->warps;
    k->spool.lines = k->lines;
    k->spool.cta = "thread block";
    cta_spool_begin(&k->spool, k->header.grid, k->header.block);
    if (!read_blocks(k) || !cta_spool_order(&k->spool)) {
        return false;
    }
    return k->code.insn_count ||
           text_lines_fail(k->lines, "the kernel has no instruction: must have one");
}

void accelsim_kernel_free(struct accelsim_kernel *k) {
    accelsim_code_free(&k->code);
    cta_trace_destroy(k->trace);
    cta_spool_free(&k->spool);
    k->trace = NULL;
}
