/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/constants.h"

#include <string.h>

#define COPIES_MAX 64 /* of a kernel; others stay tables in global memory */
#define COPY_ALIGNMENT 16

/* The copies of the kernel that is being rewritten. */
struct copies {
    const struct llvm *l;
    llvm_builder builder;
    llvm_value kernel;
    llvm_layout layout;
    llvm_value table[COPIES_MAX], copy[COPIES_MAX];
    unsigned count;
};

/* The table in which clang has put the values of a local array or struct; NULL: another value. */
static llvm_value table_of(const struct llvm *l, llvm_value v) {
    static const char begins[] = "__const.";
    size_t length;
    while (l->IsAConstantExpr(v)) {
        switch (l->GetConstOpcode(v)) {
        case LLVM_BITCAST:
        case LLVM_ADDRSPACECAST:
        case LLVM_GEP: v = l->GetOperand(v, 0); break;
        default: return NULL;
        }
    }
    if (!l->IsAGlobalVariable(v) || l->GetPointerAddressSpace(l->TypeOf(v))) {
        return NULL;
    }
    const char *name = l->GetValueName2(v, &length);
    return name && !strncmp(name, begins, sizeof begins - 1) ? v : NULL;
}

bool constants_has_values(const struct llvm *l, llvm_value pointer) {
    return table_of(l, pointer);
}

static bool is_copying(const struct llvm *l, llvm_value i) {
    size_t length;
    if (l->GetInstructionOpcode(i) != LLVM_CALL || !l->IsAFunction(l->GetCalledValue(i))) {
        return false;
    }
    const char *name = l->GetValueName2(l->GetCalledValue(i), &length);
    return name && (!strncmp(name, "llvm.memcpy.", 12) || !strncmp(name, "llvm.memmove.", 13));
}

/* @user: its source line is the copy's. NULL: the table is too large, or there are too many. */
static llvm_value copy_of(struct copies *c, llvm_value table, llvm_value user) {
    const struct llvm *l = c->l;
    llvm_type type = l->GlobalGetValueType(table);
    const unsigned long long bytes = l->ABISizeOfType(c->layout, type);
    for (unsigned n = 0; n < c->count; n++) {
        if (c->table[n] == table) {
            return c->copy[n];
        }
    }
    if (bytes > CONSTANTS_LOCAL_MAX || c->count == COPIES_MAX) {
        return NULL;
    }
    l->PositionBuilderBefore(c->builder, l->GetFirstInstruction(l->GetFirstBasicBlock(c->kernel)));
    l->SetCurrentDebugLocation2(c->builder, l->InstructionGetDebugLoc(user));
    llvm_value copy = l->BuildAlloca(c->builder, type, "");
    l->SetAlignment(copy, COPY_ALIGNMENT);
    l->BuildMemCpy(c->builder, copy, COPY_ALIGNMENT, table, 1,
                   l->ConstInt(l->Int64TypeInContext(l->GetGlobalContext()), bytes, 0));
    l->SetCurrentDebugLocation2(c->builder, NULL);
    c->table[c->count] = table;
    c->copy[c->count++] = copy;
    return copy;
}

/* A constant pointer into a table, as instructions on the copy. The builder is in place. */
static llvm_value rebuilt(const struct copies *c, llvm_value v, llvm_value copy) {
    const struct llvm *l = c->l;
    llvm_value index[8];
    const int operands = l->IsAConstantExpr(v) ? l->GetNumOperands(v) : 0;
    if (!operands) {
        return copy;
    }
    llvm_value from = rebuilt(c, l->GetOperand(v, 0), copy);
    switch (l->GetConstOpcode(v)) {
    case LLVM_ADDRSPACECAST: return l->BuildAddrSpaceCast(c->builder, from, l->TypeOf(v), "");
    case LLVM_GEP:
        for (int n = 1; n < operands; n++) {
            index[n - 1] = l->GetOperand(v, (unsigned)n);
        }
        return l->BuildGEP2(c->builder, l->GetGEPSourceElementType(v), from, index,
                            (unsigned)operands - 1, "");
    default: return l->BuildPointerCast(c->builder, from, l->TypeOf(v), "");
    }
}

static bool is_deep(const struct llvm *l, llvm_value v) {
    return l->IsAConstantExpr(v) && (l->GetNumOperands(v) > 9 || is_deep(l, l->GetOperand(v, 0)));
}

/* A phi has one value for a block, however many edges come from it. */
static int earlier_edge(const struct llvm *l, llvm_value phi, int n) {
    int other = 0;
    while (l->GetIncomingBlock(phi, (unsigned)other) != l->GetIncomingBlock(phi, (unsigned)n)) {
        other++;
    }
    return other;
}

static void replace_operands(struct copies *c, llvm_value i) {
    const struct llvm *l = c->l;
    const bool phi = l->GetInstructionOpcode(i) == LLVM_PHI, copying = is_copying(l, i);
    const int operands = l->GetNumOperands(i);
    for (int n = 0; n < operands; n++) {
        llvm_value operand = l->GetOperand(i, (unsigned)n);
        llvm_value table = copying && n == 1 ? NULL : table_of(l, operand);
        llvm_value copy = table && !is_deep(l, operand) ? copy_of(c, table, i) : NULL;
        const int same = copy && phi ? earlier_edge(l, i, n) : n;
        if (copy && same < n) {
            l->SetOperand(i, (unsigned)n, l->GetOperand(i, (unsigned)same));
        } else if (copy) {
            l->PositionBuilderBefore(
                c->builder,
                phi ? l->GetBasicBlockTerminator(l->GetIncomingBlock(i, (unsigned)n)) : i);
            l->SetOperand(i, (unsigned)n, rebuilt(c, operand, copy));
        }
    }
}

void constants_make_local(const struct llvm *l, llvm_builder builder, llvm_value kernel) {
    struct copies c = {.l = l,
                       .builder = builder,
                       .kernel = kernel,
                       .layout = l->GetModuleDataLayout(l->GetGlobalParent(kernel))};
    for (llvm_block b = l->GetFirstBasicBlock(kernel); b; b = l->GetNextBasicBlock(b)) {
        for (llvm_value i = l->GetFirstInstruction(b), next; i; i = next) {
            next = l->GetNextInstruction(i);
            replace_operands(&c, i);
        }
    }
}
