/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/active.h"

#include <stdlib.h>

#include "capture/block_graph.h"

#define CALLS_OF_BLOCK 4096u

/* The kernel's blocks, in LLVM's order, and their graph. */
struct blocks {
    const struct llvm *l;
    llvm_block *block;
    uint32_t count, *first, *target;
};

static uint32_t number_of(const struct blocks *b, llvm_block block) {
    uint32_t n = 0;
    while (b->block[n] != block) {
        n++;
    }
    return n;
}

static bool list_blocks(struct blocks *b, const struct llvm *l, llvm_value kernel) {
    uint32_t edges = 0;
    *b = (struct blocks){.l = l, .count = l->CountBasicBlocks(kernel)};
    b->block = calloc(b->count, sizeof *b->block);
    b->first = calloc((size_t)b->count + 1, sizeof *b->first);
    llvm_block at = l->GetFirstBasicBlock(kernel);
    for (uint32_t n = 0; b->block && b->first && n < b->count; n++, at = l->GetNextBasicBlock(at)) {
        b->block[n] = at;
        b->first[n] = edges;
        edges += l->GetNumSuccessors(l->GetBasicBlockTerminator(at));
    }
    b->target = calloc((size_t)edges + 1, sizeof *b->target);
    if (!b->block || !b->first || !b->target) {
        return false;
    }
    b->first[b->count] = edges;
    for (uint32_t n = 0; n < b->count; n++) {
        llvm_value end = l->GetBasicBlockTerminator(b->block[n]);
        for (unsigned s = 0; s < l->GetNumSuccessors(end); s++) {
            b->target[b->first[n] + s] = number_of(b, l->GetSuccessor(end, s));
        }
    }
    return true;
}

/* @key: of the block among the kernel's. */
static void number_calls(const struct llvm *l, llvm_builder builder, llvm_block block,
                         llvm_value without, llvm_value with, uint32_t key) {
    llvm_type i32 = l->Int32TypeInContext(l->GetGlobalContext());
    uint32_t number = 0;
    for (llvm_value i = l->GetFirstInstruction(block), next; i; i = next) {
        next = l->GetNextInstruction(i);
        if (l->GetInstructionOpcode(i) != LLVM_CALL || l->GetCalledValue(i) != without) {
            continue;
        }
        llvm_value place = l->ConstInt(i32, (uint64_t)key * CALLS_OF_BLOCK + number, 0);
        number += number < CALLS_OF_BLOCK - 1;
        l->PositionBuilderBefore(builder, i); /* which takes its line as well */
        l->ReplaceAllUsesWith(
            i, l->BuildCall2(builder, l->GlobalGetValueType(with), with, &place, 1, ""));
        l->InstructionEraseFromParent(i);
    }
}

bool active_number_places(const struct llvm *l, llvm_module module, llvm_builder builder,
                          llvm_value kernel) {
    static const char with_place[] = "__wm_meet_active";
    llvm_value without = l->GetNamedFunction(module, "__wm_activemask");
    llvm_type i32 = l->Int32TypeInContext(l->GetGlobalContext());
    struct blocks b;
    struct block_order *o = NULL;
    if (!without) {
        return true;
    }
    llvm_value with = l->GetNamedFunction(module, with_place);
    if (!with) {
        with = l->AddFunction(module, with_place, l->FunctionType(i32, &i32, 1, 0));
    }
    if (list_blocks(&b, l, kernel)) {
        o = block_order_create(&(struct block_graph){b.count, b.first, b.target});
    }
    for (uint32_t n = 0; o && n < b.count; n++) {
        number_calls(l, builder, b.block[n], without, with, o->back[n] ? o->back[n] : o->number[n]);
    }
    const bool good = o;
    block_order_destroy(o);
    free(b.block);
    free(b.first);
    free(b.target);
    return good;
}
