/* SPDX-License-Identifier: Apache-2.0 */
#include "characterize/lanes.h"

void lanes_see(struct lane_counts *c, struct lane_watch *w, const struct warp_op *op) {
    const struct insn *insn = op->insn;
    if (op->active) { /* else predicated off */
        bool fewer = op->active != w->branch && !(op->active & ~w->branch);
        c->divergent_branches += w->branch && fewer;
        w->branch = insn->op == OP_BRANCH ? op->active : 0;
    }
    if (insn_is_marker(insn)) {
        return;
    }
    unsigned lanes = (unsigned)__builtin_popcount(op->active);
    c->warp_instructions++;
    c->thread_instructions += lanes;
    c->lanes[lanes]++;
    c->arithmetic += insn->op < OP_BRANCH;
    c->branches += insn->op == OP_BRANCH;
    c->barriers += insn->op == OP_BARRIER;
    c->fences += insn->op == OP_FENCE;
}

void lanes_add(struct lane_counts *to, const struct lane_counts *c) {
    to->warp_instructions += c->warp_instructions;
    to->thread_instructions += c->thread_instructions;
    for (unsigned i = 0; i <= WARP_SIZE; i++) {
        to->lanes[i] += c->lanes[i];
    }
    to->arithmetic += c->arithmetic;
    to->branches += c->branches;
    to->divergent_branches += c->divergent_branches;
    to->barriers += c->barriers;
    to->fences += c->fences;
}
