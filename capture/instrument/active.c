/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/active.h"

#include <stdlib.h>

#include "capture/block_graph.h"

#define CALLS_OF_BLOCK 4096u
#define LOOPS_MAX 8 /* around a place; of further ones inside, iterations are not told apart */

/* A kernel's blocks in LLVM's order, their graph and its loops. */
struct places {
    const struct llvm *l;
    llvm_builder builder;
    llvm_type i32;
    llvm_value with; /* __wm_meet_active() */
    llvm_block *block;
    uint32_t count, *first, *target;
    struct block_order *order;
    llvm_value *iteration; /* of each loop; NULL: not counted */
};

static uint32_t number_of(const struct places *p, llvm_block block) {
    uint32_t n = 0;
    while (p->block[n] != block) {
        n++;
    }
    return n;
}

static bool list_blocks(struct places *p, llvm_value kernel) {
    const struct llvm *l = p->l;
    uint32_t edges = 0;
    p->count = l->CountBasicBlocks(kernel);
    p->block = calloc(p->count, sizeof *p->block);
    p->first = calloc((size_t)p->count + 1, sizeof *p->first);
    llvm_block at = l->GetFirstBasicBlock(kernel);
    for (uint32_t n = 0; p->block && p->first && n < p->count; n++, at = l->GetNextBasicBlock(at)) {
        p->block[n] = at;
        p->first[n] = edges;
        edges += l->GetNumSuccessors(l->GetBasicBlockTerminator(at));
    }
    p->target = calloc((size_t)edges + 1, sizeof *p->target);
    if (!p->block || !p->first || !p->target) {
        return false;
    }
    p->first[p->count] = edges;
    for (uint32_t n = 0; n < p->count; n++) {
        llvm_value end = l->GetBasicBlockTerminator(p->block[n]);
        for (unsigned s = 0; s < l->GetNumSuccessors(end); s++) {
            p->target[p->first[n] + s] = number_of(p, l->GetSuccessor(end, s));
        }
    }
    return true;
}

static bool order_blocks(struct places *p, llvm_value kernel) {
    if (!list_blocks(p, kernel)) {
        return false;
    }
    p->order = block_order_create(&(struct block_graph){p->count, p->first, p->target});
    p->iteration = p->order ? calloc((size_t)p->order->loop_count + 1, sizeof *p->iteration) : NULL;
    return p->iteration;
}

static void free_places(struct places *p) {
    block_order_destroy(p->order);
    free(p->iteration);
    free(p->block);
    free(p->first);
    free(p->target);
}

/* A phi of the loop's head: 0 from outside, one more from each edge that leads back. */
static llvm_value iteration_of(struct places *p, uint32_t loop) {
    const struct llvm *l = p->l;
    if (p->iteration[loop]) {
        return p->iteration[loop];
    }
    const uint32_t head = p->order->loops[loop].head;
    llvm_value behind = l->GetFirstInstruction(p->block[head]);
    l->PositionBuilderBefore(p->builder, behind);
    llvm_value phi = l->BuildPhi(p->builder, p->i32, "");
    while (l->GetInstructionOpcode(behind) == LLVM_PHI) {
        behind = l->GetNextInstruction(behind);
    }
    l->PositionBuilderBefore(p->builder, behind);
    llvm_value next = l->BuildBinOp(p->builder, LLVM_ADD, phi, l->ConstInt(p->i32, 1, 0), "");
    for (uint32_t from = 0; from < p->count; from++) {
        for (uint32_t e = p->first[from]; e < p->first[from + 1]; e++) {
            if (p->target[e] == head) {
                llvm_value value =
                    block_order_is_back(p->order, from, head) ? next : l->ConstInt(p->i32, 0, 0);
                l->AddIncoming(phi, &value, &p->block[from], 1);
            }
        }
    }
    return p->iteration[loop] = phi;
}

/* Replaces a call, the @n-th of its block. */
static void number_place(struct places *p, llvm_value call, uint32_t block, uint32_t n) {
    const struct llvm *l = p->l;
    const struct block_order *o = p->order;
    llvm_value row[2 * LOOPS_MAX + 2];
    uint32_t nest[LOOPS_MAX], depth = 0, all = 0;
    unsigned words = 1;
    for (uint32_t loop = o->loop[block]; loop != LOOP_NONE; loop = o->loops[loop].parent) {
        all++;
    }
    for (uint32_t loop = o->loop[block]; loop != LOOP_NONE; loop = o->loops[loop].parent) {
        if (--all < LOOPS_MAX) {
            nest[all] = loop;
            depth++;
        }
    }
    for (uint32_t d = 0; d < depth; d++) {
        row[words++] = l->ConstInt(p->i32, o->number[o->loops[nest[d]].head] * CALLS_OF_BLOCK, 0);
        row[words++] = iteration_of(p, nest[d]);
    }
    const uint32_t last = n < CALLS_OF_BLOCK ? n : CALLS_OF_BLOCK - 1;
    row[words++] = l->ConstInt(p->i32, o->number[block] * CALLS_OF_BLOCK + last, 0);
    row[0] = l->ConstInt(p->i32, words - 1, 0);
    l->PositionBuilderBefore(p->builder, call); /* which takes its line as well */
    l->ReplaceAllUsesWith(
        call, l->BuildCall2(p->builder, l->GlobalGetValueType(p->with), p->with, row, words, ""));
    l->InstructionEraseFromParent(call);
}

static void number_block(struct places *p, uint32_t block, llvm_value without) {
    const struct llvm *l = p->l;
    uint32_t n = 0;
    for (llvm_value i = l->GetFirstInstruction(p->block[block]), next; i; i = next) {
        next = l->GetNextInstruction(i);
        if (l->GetInstructionOpcode(i) == LLVM_CALL && l->GetCalledValue(i) == without) {
            number_place(p, i, block, n++);
        }
    }
}

bool active_number_places(const struct llvm *l, llvm_module module, llvm_builder builder,
                          llvm_value kernel) {
    static const char with_place[] = "__wm_meet_active";
    llvm_value without = l->GetNamedFunction(module, "__wm_activemask");
    struct places p = {
        .l = l, .builder = builder, .i32 = l->Int32TypeInContext(l->GetGlobalContext())};
    if (!without) {
        return true;
    }
    p.with = l->GetNamedFunction(module, with_place);
    if (!p.with) {
        p.with = l->AddFunction(module, with_place, l->FunctionType(p.i32, &p.i32, 1, 1));
    }
    const bool good = order_blocks(&p, kernel);
    for (uint32_t n = 0; good && n < p.count; n++) {
        number_block(&p, n, without);
    }
    free_places(&p);
    return good;
}
