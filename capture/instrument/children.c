/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/children.h"

#include <string.h>

#define SECTION "wm_kernel" /* capture/include/warpmem_cuda.h */

bool children_is_kernel(const struct llvm *l, llvm_value function) {
    const char *section = l->GetSection(function);
    return section && !strcmp(section, SECTION);
}

void children_mark(const struct llvm *l, llvm_module launched, llvm_module launches) {
    llvm_attribute apart = l->CreateEnumAttribute(l->GetGlobalContext(),
                                                  l->GetEnumAttributeKindForName("noinline", 8), 0);
    for (llvm_value f = l->GetFirstFunction(launches); f; f = l->GetNextFunction(f)) {
        size_t length;
        llvm_value its = l->IsDeclaration(f) && children_is_kernel(l, f)
                             ? l->GetNamedFunction(launched, l->GetValueName2(f, &length))
                             : NULL;
        if (its) {
            l->SetSection(its, SECTION);
            l->AddAttributeAtIndex(its, LLVM_FUNCTION_INDEX, apart);
        }
    }
}

struct calls {
    const struct llvm *l;
    llvm_builder builder;
    llvm_type pointer;
    llvm_value take; /* void __wm_child_arguments(const char *kernel, void **arguments) */
    llvm_type take_type;
};

static llvm_value place_at_entry(const struct calls *c, llvm_value function, llvm_type type) {
    const struct llvm *l = c->l;
    l->PositionBuilderBefore(c->builder, l->GetFirstInstruction(l->GetFirstBasicBlock(function)));
    return l->BuildAlloca(c->builder, type, "");
}

/* An address of the argument: its own, if it is a struct. */
static llvm_value address_of(const struct calls *c, llvm_value function, llvm_value call,
                             unsigned n) {
    const struct llvm *l = c->l;
    llvm_value value = l->GetOperand(call, n);
    const unsigned by_value = l->GetEnumAttributeKindForName("byval", 5);
    llvm_value at = value;
    if (!l->GetEnumAttributeAtIndex(l->GetCalledValue(call), n + 1, by_value)) {
        at = place_at_entry(c, function, l->TypeOf(value));
        l->PositionBuilderBefore(c->builder, call);
        l->BuildStore(c->builder, value, at);
    }
    l->PositionBuilderBefore(c->builder, call);
    return l->BuildPointerCast(c->builder, at, c->pointer, "");
}

static void replace_call(const struct calls *c, llvm_value function, llvm_value call) {
    const struct llvm *l = c->l;
    const unsigned count = l->GetNumArgOperands(call);
    llvm_type row_type = l->ArrayType(c->pointer, count ? count : 1);
    llvm_value row = place_at_entry(c, function, row_type);
    llvm_type i32 = l->Int32TypeInContext(l->GetGlobalContext());
    size_t length;
    for (unsigned n = 0; n < count; n++) {
        llvm_value index[] = {l->ConstInt(i32, 0, 0), l->ConstInt(i32, n, 0)};
        llvm_value address = address_of(c, function, call, n);
        l->BuildStore(c->builder, address, l->BuildGEP2(c->builder, row_type, row, index, 2, ""));
    }
    l->PositionBuilderBefore(c->builder, call);
    llvm_value arguments[] = {
        l->BuildGlobalStringPtr(c->builder, l->GetValueName2(l->GetCalledValue(call), &length),
                                "wm_child"),
        l->BuildPointerCast(c->builder, row, c->pointer, "")};
    l->BuildCall2(c->builder, c->take_type, c->take, arguments, 2, "");
    l->InstructionEraseFromParent(call);
}

static void replace_calls(const struct calls *c, llvm_value function) {
    const struct llvm *l = c->l;
    for (llvm_block b = l->GetFirstBasicBlock(function); b; b = l->GetNextBasicBlock(b)) {
        for (llvm_value i = l->GetFirstInstruction(b), next; i; i = next) {
            next = l->GetNextInstruction(i);
            llvm_value called =
                l->GetInstructionOpcode(i) == LLVM_CALL ? l->GetCalledValue(i) : NULL;
            if (called && l->IsAFunction(called) && children_is_kernel(l, called)) {
                replace_call(c, function, i);
            }
        }
    }
}

void children_replace(const struct llvm *l, llvm_module m, llvm_builder builder) {
    struct calls c = {.l = l,
                      .builder = builder,
                      .pointer = l->PointerType(l->Int8TypeInContext(l->GetGlobalContext()), 0)};
    bool any = false;
    for (llvm_value f = l->GetFirstFunction(m); f; f = l->GetNextFunction(f)) {
        any |= children_is_kernel(l, f);
    }
    if (!any) {
        return;
    }
    llvm_type types[] = {c.pointer, c.pointer};
    c.take_type = l->FunctionType(l->VoidTypeInContext(l->GetGlobalContext()), types, 2, 0);
    c.take = l->AddFunction(m, "__wm_child_arguments", c.take_type);
    for (llvm_value f = l->GetFirstFunction(m); f; f = l->GetNextFunction(f)) {
        size_t length;
        if (strncmp(l->GetValueName2(f, &length), "wm_", 3) != 0) { /* not the kernels' callers */
            replace_calls(&c, f);
        }
    }
    for (llvm_value f = l->GetFirstFunction(m); f; f = l->GetNextFunction(f)) {
        if (children_is_kernel(l, f)) {
            l->SetSection(f, "");
        }
    }
}
