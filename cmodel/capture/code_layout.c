/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/code_layout.h"

#include <stdlib.h>
#include <string.h>

#include "capture/registers.h"
#include "kernel/warp_stream.h"

#define INSN_BYTES 8 /* as of built-in workloads */
#define LOOP_MARKERS 3

struct layout_writer {
    struct code_layout *l;
    struct insn *insns;
    const uint8_t *registers;
    uint32_t items;
};

static void add_loop_markers(struct layout_writer *w, uint32_t loop) {
    static const uint8_t markers[LOOP_MARKERS] = {OP_LOOP_BEGIN, OP_LOOP_ITERATION, OP_LOOP_END};
    const uint32_t body = w->l->code.insn_count + LOOP_MARKERS;
    w->l->loop_marker[loop] = w->l->code.insn_count;
    for (unsigned i = 0; i < LOOP_MARKERS; i++) {
        w->insns[w->l->code.insn_count++] =
            (struct insn){.op = markers[i],
                          .dst = REG_NONE,
                          .src = {REG_NONE, REG_NONE, REG_NONE, REG_NONE},
                          .pc = body * INSN_BYTES};
    }
}

static uint8_t register_of(const struct layout_writer *w, uint32_t value) {
    return value == VALUE_NONE ? REG_NONE : w->registers[value];
}

static void add_table_insn(struct layout_writer *w, struct layout_block *block,
                           const struct table_insn *from) {
    const uint32_t index = w->l->code.insn_count++;
    struct insn *insn = &w->insns[index];
    *insn =
        (struct insn){.op = from->op, .dst = register_of(w, from->dst), .pc = index * INSN_BYTES};
    for (unsigned s = 0; s < INSN_SOURCES_MAX; s++) {
        insn->src[s] = register_of(w, from->src[s]);
    }
    if (insn_is_memory(insn)) {
        insn->space = from->space;
        insn->width = from->width;
        insn->uncached = from->uncached;
    }
    w->l->lines[index] = (struct source_line){from->line, from->file};
    if (from->op == OP_BARRIER) {
        block->barrier = index;
        return;
    }
    w->l->items[w->items++] = (struct layout_item){.index = (uint16_t)index,
                                                   .access = from->access,
                                                   .offset = from->offset,
                                                   .space = from->space,
                                                   .generic = from->flags & TABLE_GENERIC};
    block->count++;
}

static bool jumps_to_next(const struct code_layout *l, uint32_t place) {
    const struct block_graph *g = &l->table->graph;
    const uint32_t b = l->order->sequence[place];
    return place + 1 < g->count && g->first[b + 1] == g->first[b] + 1 &&
           g->target[g->first[b]] == l->order->sequence[place + 1];
}

static void add_block_insns(struct layout_writer *w, uint32_t place) {
    const struct kernel_table *t = w->l->table;
    const struct block_order *o = w->l->order;
    const uint32_t b = o->sequence[place], loop = o->loop[b];
    struct layout_block *block = &w->l->blocks[b];
    if (loop != LOOP_NONE && o->loops[loop].head == b) {
        add_loop_markers(w, loop);
    }
    *block = (struct layout_block){
        .first = w->items, .accesses = t->blocks[b].accesses, .barrier = BLOCK_NONE};
    for (uint32_t e = t->graph.first[b]; e < t->graph.first[b + 1]; e++) {
        block->chooses |= t->blocks[t->graph.target[e]].predicated;
    }
    for (uint32_t n = 0; n < t->blocks[b].count; n++) {
        const struct table_insn *i = &t->insns[t->blocks[b].first + n];
        if (!(i->flags & TABLE_JUMP) || !jumps_to_next(w->l, place)) {
            add_table_insn(w, block, i);
        }
    }
}

static bool lay_code(struct code_layout *l, uint8_t *registers) {
    const struct kernel_table *t = l->table;
    struct layout_writer w = {.l = l, .registers = registers};
    const size_t room = (size_t)t->insn_count + LOOP_MARKERS * (size_t)l->order->loop_count + 1;
    w.insns = calloc(room, sizeof *w.insns);
    l->code.insns = w.insns;
    l->lines = calloc(room, sizeof *l->lines);
    l->items = calloc((size_t)t->insn_count + 1, sizeof *l->items);
    l->blocks = calloc(t->graph.count, sizeof *l->blocks);
    l->loop_marker = calloc((size_t)l->order->loop_count + 1, sizeof *l->loop_marker);
    if (!w.insns || !l->lines || !l->items || !l->blocks || !l->loop_marker ||
        !registers_assign(t, l->order, registers, &l->code.registers)) {
        return false;
    }
    for (uint32_t place = 0; place < l->order->count; place++) {
        add_block_insns(&w, place);
    }
    l->code.name = t->name;
    l->code.shared_bytes = t->shared_bytes;
    l->source = (struct kernel_source){(const char *const *)t->files, t->file_count, l->lines};
    l->code.source = &l->source;
    return true;
}

struct code_layout *code_layout_create(const struct kernel_table *t, const char **wrong) {
    struct code_layout *l = calloc(1, sizeof *l);
    uint8_t *registers = malloc((size_t)t->value_count + 1);
    *wrong = "out of memory";
    if (l && registers) {
        l->table = t;
        l->order = block_order_create(&t->graph);
        l->post_dominator = block_post_dominators(&t->graph);
    }
    if (l && l->order && l->post_dominator) {
        if ((uint64_t)t->insn_count + LOOP_MARKERS * (uint64_t)l->order->loop_count >
            WARP_STREAM_INSNS_MAX) {
            *wrong = "more instructions than a trace can name: must be at most 65536";
        } else if (!t->insn_count) {
            *wrong = "no instructions: must have one";
        } else if (lay_code(l, registers)) {
            *wrong = NULL;
        }
    }
    free(registers);
    if (*wrong) {
        code_layout_destroy(l);
        l = NULL;
    }
    return l;
}

void code_layout_destroy(struct code_layout *l) {
    if (l) {
        block_order_destroy(l->order);
        free(l->post_dominator);
        free((struct insn *)l->code.insns);
        free(l->blocks);
        free(l->items);
        free(l->loop_marker);
        free(l->lines);
        free(l);
    }
}
