/* SPDX-License-Identifier: Apache-2.0 */
#include "core/loads.h"

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

/* By place in the code; codes of equal name may have different instructions there. */
static int compare_loads(const void *a, const void *b) {
    const struct load_count *x = a, *y = b;
    const uint64_t left = (uint64_t)x->pc << 24 | (uint64_t)x->op << 16 | x->space << 8 | x->width;
    const uint64_t right = (uint64_t)y->pc << 24 | (uint64_t)y->op << 16 | y->space << 8 | y->width;
    return (left > right) - (left < right);
}

static struct load_count *find_load(const struct load_counts *c, unsigned count,
                                    const struct insn *insn) {
    const struct load_count wanted = {
        .pc = insn->pc, .op = insn->op, .space = insn->space, .width = insn->width};
    return count ? bsearch(&wanted, c->row, count, sizeof wanted, compare_loads) : NULL;
}

/* Rows for the loads that the first @known have none of, behind these. */
static bool add_rows(struct load_counts *c, const struct kernel_code *code) {
    const unsigned known = c->count;
    for (unsigned i = 0; i < code->insn_count; i++) {
        const struct insn *insn = &code->insns[i];
        if (!is_counted(insn) || find_load(c, known, insn)) {
            continue;
        }
        struct load_count *grown = realloc(c->row, (c->count + 1) * sizeof *grown);
        if (!grown) {
            return false;
        }
        c->row = grown;
        c->row[c->count++] = (struct load_count){
            .pc = insn->pc, .op = insn->op, .space = insn->space, .width = insn->width};
        if (!note_source(&c->row[c->count - 1], code->source, i)) {
            return false;
        }
    }
    if (c->count > known) {
        qsort(c->row, c->count, sizeof *c->row, compare_loads);
    }
    return true;
}

bool load_counts_add(struct load_counts *c, const struct kernel_code *code, uint32_t *row_of) {
    if (!add_rows(c, code)) {
        return false;
    }
    for (unsigned i = 0; i < code->insn_count; i++) {
        if (is_counted(&code->insns[i])) {
            row_of[i] = (uint32_t)(find_load(c, c->count, &code->insns[i]) - c->row);
        }
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
