/* SPDX-License-Identifier: Apache-2.0 */
#include "characterize/lines.h"

enum access_kind access_kind(const struct insn *i) {
    return i->op == OP_LOAD ? ACCESS_LOAD : i->op == OP_STORE ? ACCESS_STORE : ACCESS_ATOMIC;
}

bool access_in_l1(const struct insn *i) {
    return access_is_line(i) && i->op != OP_ATOMIC && !i->uncached;
}

void lines_of(const struct config *config, const struct warp_op *op, struct accesses *out) {
    out->made = out->count = 0;
    switch (op->insn->space) {
    case SPACE_GLOBAL:
    case SPACE_LOCAL:
        out->made = coalesce_parts(op, config->l1.line_bytes, config->l1.coalesce_parts,
                                   config->l1.atomics == L1_ATOMICS_SECTORS, out->list);
        out->count = coalesce_accesses(op, config->l1.line_bytes, out->list);
        break;
    case SPACE_TEXTURE:
        out->made = out->count = coalesce_accesses(op, config->texture.line_bytes, out->list);
        break;
    case SPACE_CONSTANT:
        out->made = out->count = coalesce_words(op, config->constant.line_bytes, out->list);
        break;
    default: break;
    }
}

void lines_count(struct line_counts *c, struct static_access *insn, const struct warp_op *op,
                 const struct accesses *a) {
    enum access_kind kind = access_kind(op->insn);
    c->instructions[op->insn->space][kind]++;
    c->accesses[op->insn->space][kind] += a->made;
    if (access_is_line(op->insn)) {
        c->histogram[kind][a->made < LINES_MAX ? a->made : LINES_MAX]++;
    }
    insn->executions++;
    insn->lanes += (unsigned)__builtin_popcount(op->active);
    insn->accesses += a->made;
    insn->most = a->made > insn->most ? a->made : insn->most;
}

void lines_add(struct line_counts *to, const struct line_counts *c) {
    for (unsigned kind = 0; kind < ACCESS_KINDS; kind++) {
        for (unsigned space = 0; space < SPACE_COUNT; space++) {
            to->instructions[space][kind] += c->instructions[space][kind];
            to->accesses[space][kind] += c->accesses[space][kind];
        }
        for (unsigned i = 0; i <= LINES_MAX; i++) {
            to->histogram[kind][i] += c->histogram[kind][i];
        }
    }
}
