/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/load_order.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "instrument/values.h"

/* Loads that ptxas 13 has under way, for sm_75, before an instruction that waits for the first of
 * them: as many of global memory as there are registers, 54 of 64 in one case. Of shared memory 12
 * where each is used several times, of wide ones 7 to 9, so that they take some 32 registers (34
 * loads where each is used once). When an instruction has used the first, the next load follows. */
#define GLOBAL_AHEAD 32
#define SHARED_AHEAD 12
#define SHARED_AHEAD_BYTES (32 * 4)

struct order {
    const struct llvm *l;
    llvm_builder builder;
    enum code_language language;
    llvm_value function;
    llvm_layout layout;
    bool is_kernel;
    enum load_order_step step;
    unsigned memory, reads_none, convergent; /* attributes; 0: this version does not have it */
    llvm_value *insn, *ordered; /* of the block without phis and the last one: as it is, and new */
    bool *late;                 /* [insn] it is not in @ordered yet */
    uint32_t count, ordered_count, first_late;
    uint32_t slots, *slot; /* hash table: place in @insn + 1 */
    /* Loads under way: those emitted whose last user in the block is not. */
    struct {
        uint32_t last_user; /* its place */
        uint32_t bytes;
    } ahead[GLOBAL_AHEAD];
    uint32_t ahead_first, ahead_count, ahead_bytes;
    uint32_t late_store; /* to shared memory: place + 1 of the last one that is late; 0: none */
};

static uint32_t slot_of(const struct order *o, llvm_value i) {
    uint32_t at = (uint32_t)((uintptr_t)i >> 4) * UINT32_C(2654435761) % o->slots;
    while (o->slot[at] && o->insn[o->slot[at] - 1] != i) {
        at = (at + 1) % o->slots;
    }
    return at;
}

static void emit_insn(struct order *o, uint32_t n) {
    o->late[n] = false;
    o->ordered[o->ordered_count++] = o->insn[n];
}

/* Those of the late instructions that compute its operands, before it. */
static void emit_operands(struct order *o, llvm_value i) {
    for (int n = 0; n < o->l->GetNumOperands(i); n++) {
        llvm_value operand = o->l->GetOperand(i, (unsigned)n);
        uint32_t place = o->l->IsAInstruction(operand) ? o->slot[slot_of(o, operand)] : 0;
        if (place && o->late[place - 1]) {
            o->late[place - 1] = false;
            emit_operands(o, operand);
            emit_insn(o, place - 1);
        }
    }
}

static void emit_late(struct order *o, uint32_t end) {
    for (uint32_t n = o->first_late; n < end; n++) {
        if (o->late[n]) {
            emit_insn(o, n);
        }
    }
    o->first_late = end > o->first_late ? end : o->first_late;
    if (end >= o->late_store) {
        o->late_store = 0;
    }
}

/* The last place in the block that waits for the value; 0: none does. */
static uint32_t last_user_of(const struct order *o, llvm_value value) {
    const struct llvm *l = o->l;
    uint32_t last = 0;
    for (llvm_use use = l->GetFirstUse(value); use; use = l->GetNextUse(use)) {
        llvm_value user = l->GetUser(use);
        uint32_t place = l->IsAInstruction(user) ? o->slot[slot_of(o, user)] : 0;
        if (place && values_is_alias(l, user)) {
            place = last_user_of(o, user) + 1;
        }
        last = place > last + 1 ? place - 1 : last;
    }
    return last;
}

static void forget_first(struct order *o) {
    o->ahead_bytes -= o->ahead[o->ahead_first].bytes;
    o->ahead_first = (o->ahead_first + 1) % GLOBAL_AHEAD;
    o->ahead_count--;
}

/* Before the load in place @n: instructions that use earlier ones, if too many are under way. */
static void limit_ahead(struct order *o, uint32_t n, bool shared) {
    const uint32_t most = shared ? SHARED_AHEAD : GLOBAL_AHEAD,
                   bytes = (uint32_t)o->l->StoreSizeOfType(o->layout, o->l->TypeOf(o->insn[n])),
                   last = last_user_of(o, o->insn[n]);
    while (o->ahead_count &&
           (o->ahead_count >= most || (shared && o->ahead_bytes + bytes > SHARED_AHEAD_BYTES))) {
        const uint32_t user = o->ahead[o->ahead_first].last_user;
        if (user >= o->first_late) {
            emit_late(o, user < n ? user + 1 : n);
        }
        forget_first(o);
    }
    if (last) {
        const uint32_t at = (o->ahead_first + o->ahead_count++) % GLOBAL_AHEAD;
        o->ahead[at].last_user = last;
        o->ahead[at].bytes = bytes;
        o->ahead_bytes += bytes;
    }
}

static enum code_space space_of(const struct order *o, llvm_value pointer) {
    llvm_value base;
    bool constant_offset = true;
    return code_space_of(o->l, o->language, CODE_SPACE_GLOBAL, o->function, o->is_kernel, pointer,
                         &base, &constant_offset);
}

static bool has_no_effect(const struct order *o, llvm_value call) {
    const struct llvm *l = o->l;
    llvm_value called = l->GetCalledValue(call);
    llvm_attribute memory;
    if (!l->IsAFunction(called) ||
        l->GetEnumAttributeAtIndex(called, LLVM_FUNCTION_INDEX, o->convergent)) {
        return false;
    }
    if (code_is_texture(l, call)) {
        return true; /* the address of a load */
    }
    if (o->reads_none && l->GetEnumAttributeAtIndex(called, LLVM_FUNCTION_INDEX, o->reads_none)) {
        return true;
    }
    memory = o->memory ? l->GetEnumAttributeAtIndex(called, LLVM_FUNCTION_INDEX, o->memory) : NULL;
    return memory && !l->GetEnumAttributeValue(memory);
}

static void order_load(struct order *o, uint32_t n) {
    const enum code_space space = space_of(o, o->l->GetOperand(o->insn[n], 0));
    const bool shared = space == CODE_SPACE_SHARED, first = o->step == LOAD_ORDER_FAR_FIRST;
    if (o->late_store && (shared || space == CODE_SPACE_GENERIC)) {
        emit_late(o, n);
    }
    if (shared && first) {
        o->late[n] = true;
        return;
    }
    if (shared != first) {
        limit_ahead(o, n, shared);
    }
    emit_operands(o, o->insn[n]);
    emit_insn(o, n);
}

static void order_store(struct order *o, uint32_t n) {
    const enum code_space space = space_of(o, o->l->GetOperand(o->insn[n], 1));
    if (space == CODE_SPACE_SHARED) {
        o->late[n] = true;
        o->late_store = n + 1;
        return;
    }
    if (o->late_store || space == CODE_SPACE_GENERIC) {
        emit_late(o, n);
    }
    emit_operands(o, o->insn[n]);
    emit_insn(o, n);
}

/* Neither volatile nor atomic. */
static bool is_plain(const struct llvm *l, llvm_value access) {
    return !l->GetVolatile(access) && !l->GetOrdering(access);
}

static void order_insn(struct order *o, uint32_t n) {
    const struct llvm *l = o->l;
    const int opcode = l->GetInstructionOpcode(o->insn[n]);
    switch (opcode) {
    case LLVM_LOAD: /* the headers' loads of textures are volatile, so that none is left out */
        if (is_plain(l, o->insn[n]) ||
            space_of(o, l->GetOperand(o->insn[n], 0)) == CODE_SPACE_TEXTURE) {
            order_load(o, n);
            return;
        }
        break;
    case LLVM_STORE:
        if (is_plain(l, o->insn[n])) {
            order_store(o, n);
            return;
        }
        break;
    case LLVM_CALL:
        if (has_no_effect(o, o->insn[n])) {
            o->late[n] = true;
            return;
        }
        break;
    case LLVM_ALLOCA:
    case LLVM_ATOMICRMW:
    case LLVM_CMPXCHG:
    case LLVM_FENCE: break;
    default: o->late[n] = true; return;
    }
    emit_late(o, n);
    emit_insn(o, n);
}

/* Return: the block's last instruction, which stays; NULL: out of memory. */
static llvm_value list_insns(struct order *o, llvm_block b) {
    const struct llvm *l = o->l;
    llvm_value end = l->GetBasicBlockTerminator(b), i = l->GetFirstInstruction(b);
    while (l->GetInstructionOpcode(i) == LLVM_PHI) {
        i = l->GetNextInstruction(i);
    }
    llvm_value first = i;
    for (o->count = 0; i != end; i = l->GetNextInstruction(i)) {
        o->count++;
    }
    o->slots = 2 * o->count + 1;
    o->insn = calloc(o->count + 1, sizeof *o->insn);
    o->ordered = calloc(o->count + 1, sizeof *o->ordered);
    o->late = calloc(o->count + 1, sizeof *o->late);
    o->slot = calloc(o->slots, sizeof *o->slot);
    if (!o->insn || !o->ordered || !o->late || !o->slot) {
        return NULL;
    }
    i = first;
    for (uint32_t n = 0; n < o->count; n++, i = l->GetNextInstruction(i)) {
        o->insn[n] = i;
        o->slot[slot_of(o, i)] = n + 1;
    }
    return end;
}

static bool order_block(struct order *o, llvm_block b) {
    llvm_value end = list_insns(o, b);
    o->ordered_count = o->first_late = o->late_store = 0;
    o->ahead_count = o->ahead_bytes = 0;
    for (uint32_t n = 0; end && n < o->count; n++) {
        order_insn(o, n);
    }
    if (end) {
        emit_late(o, o->count);
        o->l->PositionBuilderBefore(o->builder, end);
        o->l->SetCurrentDebugLocation2(o->builder, NULL); /* each keeps its own */
        for (uint32_t n = 0; n < o->count; n++) {
            o->l->InstructionRemoveFromParent(o->ordered[n]);
            o->l->InsertIntoBuilder(o->builder, o->ordered[n]);
        }
    }
    free(o->insn);
    free(o->ordered);
    free(o->late);
    free(o->slot);
    return end;
}

bool load_order_improve(const struct llvm *l, llvm_builder builder, enum code_language language,
                        llvm_value function, bool is_kernel, enum load_order_step step) {
    struct order o = {.l = l,
                      .builder = builder,
                      .language = language,
                      .function = function,
                      .layout = l->GetModuleDataLayout(l->GetGlobalParent(function)),
                      .is_kernel = is_kernel,
                      .step = step,
                      .memory = l->GetEnumAttributeKindForName("memory", 6),
                      .reads_none = l->GetEnumAttributeKindForName("readnone", 8),
                      .convergent = l->GetEnumAttributeKindForName("convergent", 10)};
    bool good = true;
    for (llvm_block b = l->GetFirstBasicBlock(function); good && b; b = l->GetNextBasicBlock(b)) {
        good = order_block(&o, b);
    }
    return good;
}
