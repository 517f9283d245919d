/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/loads.h"

#include <stdlib.h>
#include <string.h>

static bool is_counted(const struct insn *i) {
    return (i->op == OP_LOAD || i->op == OP_ATOMIC) && i->space <= SPACE_LOCAL;
}

static bool note_source(struct load_count *row, const struct kernel_source *source, unsigned insn) {
    if (!source || !source->lines[insn].line) {
        return true;
    }
    row->line = source->lines[insn].line;
    row->file = strdup(source->files[source->lines[insn].file]);
    return row->file;
}

bool load_counts_add(struct load_counts *c, const struct kernel_code *code, uint32_t *row_of) {
    for (unsigned i = 0; i < code->insn_count; i++) {
        const struct insn *insn = &code->insns[i];
        unsigned at = 0;
        if (!is_counted(insn)) {
            continue;
        }
        while (at < c->count && (c->row[at].pc != insn->pc || c->row[at].op != insn->op)) {
            at++;
        }
        if (at == c->count) {
            struct load_count *grown = realloc(c->row, (at + 1) * sizeof *grown);
            if (!grown) {
                return false;
            }
            c->row = grown;
            c->row[at] = (struct load_count){
                .pc = insn->pc, .op = insn->op, .space = insn->space, .width = insn->width};
            c->count++;
            if (!note_source(&c->row[at], code->source, i)) {
                return false;
            }
        }
        row_of[i] = at;
    }
    return true;
}

void load_counts_free(struct load_counts *c) {
    for (unsigned i = 0; i < c->count; i++) {
        free(c->row[i].file);
    }
    free(c->row);
    *c = (struct load_counts){0};
}

void core_loads_marker(struct core_loads *c, unsigned warp, const struct insn *marker) {
    struct warp_loads *w = &c->warp[warp];
    if (marker->op == OP_LOOP_BEGIN) {
        if (w->depth < LOADS_NESTING) {
            w->loop[w->depth] = marker->pc;
        }
        w->depth++;
    } else if (marker->op == OP_LOOP_END && w->depth) {
        w->depth--;
    }
}

void core_loads_issued(struct core_loads *c, unsigned warp, const struct insn *insn,
                       uint32_t active, unsigned accesses) {
    struct warp_loads *w = &c->warp[warp];
    const uint32_t number = c->to->row_of[insn - c->to->first];
    struct load_count *row = &c->to->row[number];
    if (!row->executions++ && w->depth) {
        row->in_loop = true;
        row->loop = w->loop[(w->depth < LOADS_NESTING ? w->depth : LOADS_NESTING) - 1];
    }
    row->lanes += (unsigned)__builtin_popcount(active);
    row->accesses += accesses;
    if (!accesses) {
        return;
    }
    if (w->count == LOADS_WAITING) {
        w->load[(w->head + w->count - 1u) % LOADS_WAITING].left += accesses;
    } else {
        w->load[(w->head + w->count++) % LOADS_WAITING] = (struct waiting_load){number, accesses};
    }
}
