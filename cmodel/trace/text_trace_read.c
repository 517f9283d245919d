/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "trace/cta_spool.h"
#include "trace/text_trace.h"
#include "trace/text_trace_code.h"
#include "trace/text_trace_source.h"

#define PROGRESS_LINES 65536 /* between calls */

struct text_trace {
    struct import *import;
    struct text_lines *lines;
    uint64_t line_count;
    char name[WTR_NAME_MAX + 1];
    unsigned registers, shared_bytes;
    bool has_kernel, has_launch, has_cta, written; /* written: a launch or copy */
    struct text_code code;
    struct text_source source;
    struct launch launch;
    struct cta_spool spool;
    struct cta_trace *trace; /* the CTA that is being read */
    uint32_t cta;
    unsigned warp;
    uint32_t seen;       /* warps of it */
    unsigned open_loops; /* of the warp */
    size_t records;
};

static bool at_end(struct text_trace *t, const char *at) {
    char shown[TEXT_SHOWN];
    return !*text_blanks(&at) ||
           text_lines_fail(t->lines, "%s: must be the line's end here", text_shown(shown, 40, at));
}

static bool take_name_word(struct text_trace *t, const char *at, char name[WTR_NAME_MAX + 1]) {
    bool named = text_word(&at, "name");
    size_t length = strlen(text_blanks(&at));
    if (!named || length > WTR_NAME_MAX || !wtr_printable((const uint8_t *)at, length)) {
        return text_lines_fail(t->lines,
                               "must end in \"name NAME\", at most %d printable ASCII characters",
                               WTR_NAME_MAX);
    }
    memcpy(name, at, length + 1);
    return true;
}

/* The CTA that was read is whole. */
static bool end_text_cta(struct text_trace *t) {
    bool had = t->has_cta;
    t->has_cta = false;
    return !had || cta_spool_put(&t->spool, t->cta, t->trace);
}

/* Writes the launch that was read, if there is one. */
static bool end_launch(struct text_trace *t) {
    struct wtr_writer *w = t->import->writer;
    if (!end_text_cta(t)) {
        return false;
    }
    if (!t->has_launch) {
        return true;
    }
    struct kernel_code code = {.name = t->name,
                               .insns = t->code.insns,
                               .insn_count = t->code.count,
                               .registers = t->registers,
                               .shared_bytes = t->shared_bytes,
                               .source = text_source_of(&t->source, t->code.count)};
    t->launch.code = &code;
    t->has_launch = false;
    if (!code.insn_count) {
        return text_lines_fail(t->lines, "the kernel has no instruction: must have one");
    }
    if (!cta_spool_order(&t->spool) || !wtr_write_launch(w, &t->launch)) {
        return false;
    }
    for (uint32_t i = 0; i < launch_ctas(&t->launch); i++) {
        if (*t->import->stop || !cta_spool_get(&t->spool, i, t->trace) ||
            !wtr_write_cta(w, t->trace)) {
            return false;
        }
    }
    return true;
}

/* "origin seed N size SIZE name NAME", for reports. */
static bool take_origin(struct text_trace *t, const char *at) {
    char name[WTR_NAME_MAX + 1];
    uint64_t seed;
    if (t->written || t->has_kernel || !text_word(&at, "seed") ||
        !text_number(&at, "", (UINT64_C(1) << 53) - 1, &seed) || !text_word(&at, "size")) {
        return text_lines_fail(t->lines,
                               "must be \"origin seed N size SIZE name NAME\", before all "
                               "kernels");
    }
    text_blanks(&at);
    size_t length = strcspn(at, " \t");
    struct wtr_origin origin = {.seed = seed};
    snprintf(origin.size, sizeof origin.size, "%.*s", (int)length, at);
    at += length;
    if (!take_name_word(t, at, name)) {
        return false;
    }
    if (!wtr_printable((const uint8_t *)origin.size, strlen(origin.size))) {
        return text_lines_fail(t->lines, "size: must be printable ASCII");
    }
    memcpy(origin.workload, name, sizeof name);
    return t->import->named || wtr_write_origin(t->import->writer, &origin);
}

static bool take_copy_line(struct text_trace *t, const char *at) {
    uint64_t address, bytes;
    if (!text_number(&at, "", UINT64_MAX, &address) || !text_number(&at, "", UINT64_MAX, &bytes)) {
        return text_lines_fail(t->lines, "must be \"copy ADDRESS BYTES\"");
    }
    t->written = true;
    return at_end(t, at) && end_launch(t) && wtr_write_copy(t->import->writer, address, bytes);
}

static bool take_kernel_line(struct text_trace *t, const char *at) {
    uint64_t registers, shared;
    if (!end_launch(t)) {
        return false;
    }
    if (!text_word(&at, "registers") || !text_number(&at, "", WTR_REGISTERS_MAX, &registers) ||
        !text_word(&at, "shared") || !text_number(&at, "", WTR_SHARED_MAX, &shared)) {
        return text_lines_fail(
            t->lines, "must be \"kernel registers N shared BYTES name NAME\", at most %d and %u",
            WTR_REGISTERS_MAX, WTR_SHARED_MAX);
    }
    t->registers = (unsigned)registers;
    t->shared_bytes = (unsigned)shared;
    t->has_kernel = true;
    text_code_clear(&t->code);
    text_source_clear(&t->source);
    return take_name_word(t, at, t->name);
}

/* Up to three numbers, "x,y,z"; a missing one is 1. */
static bool take_dimensions(const char **at, uint64_t most, unsigned to[3]) {
    uint64_t product = 1, n;
    to[0] = to[1] = to[2] = 1;
    for (unsigned i = 0; i < 3 && (!i || **at == ','); i++) {
        *at += i > 0;
        if (!text_number(at, ",", most, &n) || !n || n > most / product) {
            return false;
        }
        product *= n;
        to[i] = (unsigned)n;
    }
    return **at != ',';
}

static bool take_launch_line(struct text_trace *t, const char *at) {
    if (!t->has_kernel) {
        return text_lines_fail(t->lines, "a launch without a kernel: must follow a kernel line");
    }
    if (!end_launch(t)) {
        return false;
    }
    if (!text_word(&at, "grid") || !take_dimensions(&at, WTR_CTAS_MAX, t->launch.grid) ||
        !text_word(&at, "block") ||
        !take_dimensions(&at, CTA_WARPS_MAX * WARP_SIZE, t->launch.block)) {
        return text_lines_fail(
            t->lines, "must be \"launch grid X,Y,Z block X,Y,Z\", 1..%u CTAs of 1..%u threads",
            WTR_CTAS_MAX, CTA_WARPS_MAX * WARP_SIZE);
    }
    t->has_launch = true;
    t->written = true;
    cta_spool_begin(&t->spool, t->launch.grid, t->launch.block);
    return at_end(t, at);
}

static bool take_insn_line(struct text_trace *t, const char *at) {
    uint64_t pc;
    unsigned index;
    if (!t->has_kernel || t->has_launch) {
        return text_lines_fail(t->lines, "an insn line: must stand between kernel and launch");
    }
    if (!text_number(&at, "", UINT32_MAX, &pc)) {
        return text_lines_fail(t->lines, "PC: must be 0..0xffffffff");
    }
    return text_code_take(&t->code, t->lines, (uint32_t)pc, &at, true, &index) &&
           text_source_take_line(&t->source, t->lines, &at, index) && at_end(t, at);
}

static bool take_source_line(struct text_trace *t, const char *at) {
    if (!t->has_kernel || t->has_launch || t->code.count) {
        return text_lines_fail(t->lines, "a source line: must stand behind the kernel's");
    }
    return text_source_take_file(&t->source, t->lines, at);
}

static bool begin_text_cta(struct text_trace *t, uint32_t cta) {
    if (!end_text_cta(t)) {
        return false;
    }
    t->has_cta = true;
    t->cta = cta;
    t->seen = 0;
    t->records = 0;
    t->trace->warp_count = launch_warps(&t->launch);
    for (unsigned i = 0; i < t->trace->warp_count; i++) {
        warp_stream_clear(&t->trace->warp[i]);
    }
    return true;
}

static bool take_warp(struct text_trace *t, const char *at) {
    uint64_t cta, warp;
    if (!t->has_launch) {
        return text_lines_fail(t->lines, "a warp without a launch: must follow a launch line");
    }
    if (!text_number(&at, "", launch_ctas(&t->launch) - 1, &cta) ||
        !text_number(&at, "", launch_warps(&t->launch) - 1, &warp)) {
        return text_lines_fail(t->lines, "must be \"warp CTA WARP\", at most %u and %u",
                               launch_ctas(&t->launch) - 1, launch_warps(&t->launch) - 1);
    }
    if ((!t->has_cta || t->cta != cta) && !begin_text_cta(t, (uint32_t)cta)) {
        return false;
    }
    if (t->seen >> warp & 1) {
        return text_lines_fail(t->lines, "warp %" PRIu64 " of this CTA a second time: must be once",
                               warp);
    }
    t->seen |= UINT32_C(1) << warp;
    t->warp = (unsigned)warp;
    t->open_loops = 0;
    return at_end(t, at);
}

/* Eight hexadecimal digits or fewer, with 0x or without. */
static bool take_lanes(struct text_trace *t, const char **at, uint32_t *active) {
    char *end;
    text_blanks(at);
    size_t digits = strcspn(*at, " \t@"), prefix = !strncmp(*at, "0x", 2) ? 2 : 0;
    unsigned long value = strtoul(*at, &end, 16);
    if (digits <= prefix || digits > prefix + 8 || **at == '-' || **at == '+' ||
        end != *at + digits) {
        return text_lines_fail(t->lines,
                               "active lanes: must be 0..ffffffff, hexadecimal, a bit a lane");
    }
    *at = end;
    *active = (uint32_t)value;
    return true;
}

static bool bad_addresses(struct text_trace *t) {
    return text_lines_fail(t->lines,
                           "addresses: must be @A, the same for all; @A+STRIDE, of lane 0 "
                           "and from lane to lane; or @A,B,C, one for each active lane");
}

/* Numbers of addresses have no blanks. */
static bool take_part(const char **at, const char *ends, uint64_t most, uint64_t *value) {
    return **at != ' ' && **at != '\t' && text_number(at, ends, most, value);
}

static bool take_stride(struct text_trace *t, const char *at, unsigned index, uint32_t active,
                        uint64_t base) {
    struct warp_stream *s = &t->trace->warp[t->warp];
    bool negative = *at == '-', has = negative || *at == '+';
    uint64_t size = 0;
    at += has;
    if (has && !take_part(&at, "", INT64_MAX, &size)) {
        return bad_addresses(t);
    }
    int64_t stride = negative ? -(int64_t)size : (int64_t)size;
    return at_end(t, at) && (warp_stream_put_affine(s, index, active, base, stride) ||
                             text_lines_fail(t->lines, "out of memory"));
}

static bool take_addresses(struct text_trace *t, const char *at, unsigned index, uint32_t active) {
    struct warp_stream *s = &t->trace->warp[t->warp];
    uint64_t address[WARP_SIZE], base;
    at += 1; /* the @ */
    if (!take_part(&at, ",+-", UINT64_MAX, &base)) {
        return bad_addresses(t);
    }
    if (*at != ',') {
        return take_stride(t, at, index, active, base);
    }
    for (uint32_t l = active; l; l &= l - 1) {
        bool more = l & (l - 1);
        address[__builtin_ctz(l)] = base;
        if (more != (*at == ',')) {
            return bad_addresses(t);
        }
        at += more;
        if (more && !take_part(&at, ",", UINT64_MAX, &base)) {
            return bad_addresses(t);
        }
    }
    return at_end(t, at) && (warp_stream_put_memory(s, index, active, address) ||
                             text_lines_fail(t->lines, "out of memory"));
}

/* A warp may end within a loop, but none goes on or ends that has not begun. */
static bool follow_loop(struct text_trace *t, const struct insn *insn) {
    if (insn->op == OP_LOOP_BEGIN) {
        t->open_loops++;
    } else if (insn_is_marker(insn) && !t->open_loops) {
        return text_lines_fail(t->lines, "%s: must follow a loop_begin of its warp",
                               wtr_op_name(insn->op));
    } else if (insn->op == OP_LOOP_END) {
        t->open_loops--;
    }
    return true;
}

/* "PC LANES [what it is] [@addresses]" */
static bool take_record(struct text_trace *t, const char *at) {
    uint64_t pc;
    uint32_t active = 0;
    unsigned index;
    char shown[TEXT_SHOWN];
    if (!text_number(&at, "", UINT32_MAX, &pc)) {
        return text_lines_fail(t->lines, "%s: must be kernel, insn, launch, warp, copy, or a PC",
                               text_shown(shown, 40, at));
    }
    if (!t->has_cta) {
        return text_lines_fail(t->lines, "an instruction without a warp: must follow a warp line");
    }
    if (!take_lanes(t, &at, &active) ||
        !text_code_take(&t->code, t->lines, (uint32_t)pc, &at, false, &index)) {
        return false;
    }
    struct warp_stream *s = &t->trace->warp[t->warp];
    const struct insn *insn = &t->code.insns[index];
    size_t before = s->size;
    if (!follow_loop(t, insn)) {
        return false;
    }
    if (!active && !insn_may_be_predicated_off(insn)) {
        return text_lines_fail(t->lines, "active lanes: %s must have one", wtr_op_name(insn->op));
    }
    if (insn_is_memory(insn) ? *text_blanks(&at) != '@' : *text_blanks(&at) == '@') {
        return text_lines_fail(t->lines, "%s: must have %s", wtr_op_name(insn->op),
                               insn_is_memory(insn) ? "@ and addresses" : "no address");
    }
    if (insn_is_memory(insn)) {
        if (!take_addresses(t, at, index, active)) {
            return false;
        }
    } else if (!at_end(t, at) || (!warp_stream_put(s, index, active) &&
                                  !text_lines_fail(t->lines, "out of memory"))) {
        return false;
    }
    t->records += s->size - before;
    return t->records <= WTR_CTA_BYTES_MAX ||
           text_lines_fail(t->lines, "more than %u bytes of records in a CTA: at most that",
                           WTR_CTA_BYTES_MAX);
}

static bool take_text_line(struct text_trace *t, const char *line) {
    static const struct {
        const char *word;
        bool (*take)(struct text_trace *t, const char *at);
    } kinds[] = {{"warp", take_warp},          {"insn", take_insn_line},
                 {"launch", take_launch_line}, {"kernel", take_kernel_line},
                 {"copy", take_copy_line},     {"origin", take_origin},
                 {"source", take_source_line}};
    if (!*text_blanks(&line) || *line == '#') {
        return true;
    }
    for (unsigned i = 0; (*line < '0' || *line > '9') && i < sizeof kinds / sizeof *kinds; i++) {
        if (text_word(&line, kinds[i].word)) {
            return kinds[i].take(t, line);
        }
    }
    return take_record(t, line);
}

static bool next_text_line(struct text_trace *t, const char **line) {
    struct import *i = t->import;
    size_t length;
    if (*i->stop || !text_lines_next(t->lines, line, &length)) {
        return false;
    }
    if (strlen(*line) != length) {
        return text_lines_fail(t->lines, "a zero byte: must be text");
    }
    if (!(t->line_count++ % PROGRESS_LINES)) {
        i->progress(i->progress_user, text_lines_read(t->lines), i->total);
    }
    return true;
}

static bool take_magic(struct text_trace *t) {
    const char *line = "";
    uint64_t version;
    bool good = next_text_line(t, &line) && text_word(&line, TEXT_TRACE_MAGIC) &&
                text_number(&line, "", UINT32_MAX, &version) && !*text_blanks(&line);
    if (*t->import->stop) {
        return false;
    }
    if (!good || version != TEXT_TRACE_VERSION) {
        return text_lines_fail(t->lines, "the first line: must be \"%s %d\"", TEXT_TRACE_MAGIC,
                               TEXT_TRACE_VERSION);
    }
    return true;
}

static bool read_launches(struct text_trace *t) {
    const char *line;
    if (!take_magic(t)) {
        return false;
    }
    while (next_text_line(t, &line)) {
        if (!take_text_line(t, line)) {
            return false;
        }
    }
    if (*t->import->stop || text_lines_error(t->lines) || !end_launch(t)) {
        return false;
    }
    return t->written || text_lines_fail(t->lines, "no launch: must have one");
}

enum import_status text_trace_import(struct import *i) {
    enum import_status status = IMPORT_GOOD;
    struct stat st;
    struct text_trace *t = calloc(1, sizeof *t);
    if (!t) {
        return import_failure(i, NULL);
    }
    i->total = stat(i->path, &st) || !S_ISREG(st.st_mode) ? 0 : (uint64_t)st.st_size;
    t->import = i;
    t->lines = import_open(i, i->path);
    if (!t->lines) {
        free(t);
        return IMPORT_BAD_INPUT;
    }
    t->spool = (struct cta_spool){.file = i->spool, .lines = t->lines, .cta = "CTA"};
    t->trace = cta_trace_create();
    if (!t->trace || !read_launches(t) || !wtr_writer_finish(i->writer)) {
        status = import_failure(i, t->lines);
    }
    cta_trace_destroy(t->trace);
    cta_spool_free(&t->spool);
    text_code_free(&t->code);
    text_source_free(&t->source);
    text_lines_close(t->lines);
    free(t);
    return status;
}
