/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "trace/text_trace.h"

void text_trace_begin(struct text_trace_writer *w, FILE *file, const struct wtr_origin *origin) {
    *w = (struct text_trace_writer){.file = file};
    fprintf(file, "%s %d\norigin seed %" PRIu64 " size %s name %s\n", TEXT_TRACE_MAGIC,
            TEXT_TRACE_VERSION, origin->seed, *origin->size ? origin->size : "-", origin->workload);
}

void text_trace_copy(struct text_trace_writer *w, uint64_t address, uint64_t bytes) {
    fprintf(w->file, "copy 0x%" PRIx64 " %" PRIu64 "\n", address, bytes);
}

static void write_insn(FILE *f, const struct insn *i, const struct source_line *line) {
    fprintf(f, "insn 0x%" PRIx32 " %s", i->pc, wtr_op_name(i->op));
    if (insn_is_memory(i)) {
        fprintf(f, " %s %u%s", wtr_space_name(i->space), i->width, i->uncached ? " uncached" : "");
    }
    if (i->dst != REG_NONE) {
        fprintf(f, " dst=%u", i->dst);
    }
    const char *before = " src=";
    for (unsigned s = 0; s < INSN_SOURCES_MAX; s++) {
        if (i->src[s] != REG_NONE) {
            fprintf(f, "%s%u", before, i->src[s]);
            before = ",";
        }
    }
    if (line && (line->line || line->file)) {
        fprintf(f, " line=%u:%" PRIu32, line->file + 1u, line->line);
    }
    fputc('\n', f);
}

void text_trace_launch(struct text_trace_writer *w, const struct launch *l) {
    const struct kernel_code *c = l->code;
    if (w->code != c) {
        fprintf(w->file, "kernel registers %u shared %u name %s\n", c->registers, c->shared_bytes,
                c->name);
        for (unsigned i = 0; c->source && i < c->source->file_count; i++) {
            fprintf(w->file, "source %s\n", c->source->files[i]);
        }
        for (unsigned i = 0; i < c->insn_count; i++) {
            write_insn(w->file, &c->insns[i], c->source ? &c->source->lines[i] : NULL);
        }
        w->code = c;
    }
    fprintf(w->file, "launch grid %u,%u,%u block %u,%u,%u\n", l->grid[0], l->grid[1], l->grid[2],
            l->block[0], l->block[1], l->block[2]);
}

/* One address; lane 0's and a stride; or an address for each active lane. */
static void write_addresses(FILE *f, const struct warp_op *op) {
    uint64_t address[WARP_SIZE];
    const char *before = " @";
    if (op->form == ADDRESS_AFFINE) {
        fprintf(f, " @0x%" PRIx64, op->base);
        if (op->stride) {
            fprintf(f, "%+" PRId64, op->stride);
        }
        return;
    }
    warp_op_addresses(op, address);
    for (uint32_t l = op->active; l; l &= l - 1) {
        fprintf(f, "%s0x%" PRIx64, before, address[__builtin_ctz(l)]);
        before = ",";
    }
}

void text_trace_cta(struct text_trace_writer *w, uint32_t cta, const struct cta_trace *t) {
    struct warp_cursor c;
    struct warp_op op;
    for (unsigned i = 0; i < t->warp_count; i++) {
        fprintf(w->file, "warp %" PRIu32 " %u\n", cta, i);
        warp_cursor_open(&c, &t->warp[i], w->code);
        while (warp_cursor_next(&c, &op)) {
            fprintf(w->file, "0x%" PRIx32 " %08" PRIx32, op.insn->pc, op.active);
            if (insn_is_marker(op.insn)) { /* has the PC of another instruction */
                fprintf(w->file, " %s", wtr_op_name(op.insn->op));
            }
            if (op.form != ADDRESS_NONE) {
                write_addresses(w->file, &op);
            }
            fputc('\n', w->file);
        }
    }
}
