/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/constants.h"

#include <string.h>

#include "instrument/operands.h"

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

/* Has clang put the values of a local array or struct there? */
static bool is_table(const struct llvm *l, llvm_value variable) {
    static const char begins[] = "__const.";
    size_t length;
    const char *name = l->GetValueName2(variable, &length);
    return !l->GetPointerAddressSpace(l->TypeOf(variable)) && name &&
           !strncmp(name, begins, sizeof begins - 1);
}

bool constants_has_values(const struct llvm *l, llvm_value pointer) {
    llvm_value variable = operands_variable(l, pointer);
    return variable && is_table(l, variable);
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

static llvm_value replacement_of(void *context, llvm_value variable, llvm_value user, int n) {
    struct copies *c = context;
    const bool source = is_copying(c->l, user) && n == 1;
    return is_table(c->l, variable) && !source ? copy_of(c, variable, user) : NULL;
}

void constants_make_local(const struct llvm *l, llvm_builder builder, llvm_value kernel) {
    struct copies c = {.l = l,
                       .builder = builder,
                       .kernel = kernel,
                       .layout = l->GetModuleDataLayout(l->GetGlobalParent(kernel))};
    operands_replace(l, builder, kernel, replacement_of, &c);
}
