/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/functions.h"

#include <stdlib.h>

#include "instrument/children.h"

llvm_value functions_called(const struct llvm *l, llvm_value i) {
    llvm_value called = l->GetInstructionOpcode(i) == LLVM_CALL ? l->GetCalledValue(i) : NULL;
    const bool is_function = called && l->IsAFunction(called) && !l->IsDeclaration(called);
    return is_function && !children_is_kernel(l, called) ? called : NULL;
}

bool functions_through_pointer(const struct llvm *l, llvm_value i) {
    llvm_value called = l->GetInstructionOpcode(i) == LLVM_CALL ? l->GetCalledValue(i) : NULL;
    return called && !l->IsAFunction(called) && !l->IsAInlineAsm(called);
}

bool functions_calls_any(const struct llvm *l, llvm_value kernel) {
    for (llvm_block b = l->GetFirstBasicBlock(kernel); b; b = l->GetNextBasicBlock(b)) {
        for (llvm_value i = l->GetFirstInstruction(b); i; i = l->GetNextInstruction(i)) {
            if (functions_called(l, i) || functions_through_pointer(l, i)) {
                return true;
            }
        }
    }
    return false;
}

struct search {
    const struct llvm *l;
    llvm_module module;
    struct functions *found;
    bool pointers; /* a call through one was met */
};

static bool is_found(const struct functions *f, llvm_value function) {
    for (unsigned i = 0; i < f->count; i++) {
        if (f->at[i] == function) {
            return true;
        }
    }
    return false;
}

static void find_called(struct search *s, llvm_value function) {
    const struct llvm *l = s->l;
    for (llvm_block b = l->GetFirstBasicBlock(function); b; b = l->GetNextBasicBlock(b)) {
        for (llvm_value i = l->GetFirstInstruction(b); i; i = l->GetNextInstruction(i)) {
            llvm_value called = functions_called(l, i);
            if (called && !is_found(s->found, called)) {
                s->found->at[s->found->count++] = called;
            }
            s->pointers |= functions_through_pointer(l, i);
        }
    }
}

/* Another use than to be called. */
static bool has_address_taken(const struct llvm *l, llvm_value function) {
    for (llvm_use u = l->GetFirstUse(function); u; u = l->GetNextUse(u)) {
        llvm_value user = l->GetUser(u);
        if (!l->IsAInstruction(user) || functions_called(l, user) != function) {
            return true;
        }
        for (unsigned n = 0; n < l->GetNumArgOperands(user); n++) {
            if (l->GetOperand(user, n) == function) {
                return true;
            }
        }
    }
    return false;
}

static void find_with_address(struct search *s, const llvm_value *kernels, unsigned kernel_count) {
    const struct llvm *l = s->l;
    for (llvm_value f = l->GetFirstFunction(s->module); f; f = l->GetNextFunction(f)) {
        bool is_kernel = false;
        for (unsigned k = 0; k < kernel_count; k++) {
            is_kernel |= kernels[k] == f;
        }
        if (!is_kernel && !l->IsDeclaration(f) && !is_found(s->found, f) &&
            has_address_taken(l, f)) {
            s->found->at[s->found->count++] = f;
        }
    }
}

static void put_in_order(const struct search *s) {
    unsigned count = 0;
    for (llvm_value f = s->l->GetFirstFunction(s->module); f; f = s->l->GetNextFunction(f)) {
        for (unsigned i = count; i < s->found->count; i++) {
            if (s->found->at[i] == f) {
                s->found->at[i] = s->found->at[count];
                s->found->at[count++] = f;
            }
        }
    }
}

bool functions_find(struct functions *f, const struct llvm *l, llvm_module m,
                    const llvm_value *kernels, unsigned kernel_count) {
    struct search s = {.l = l, .module = m, .found = f};
    unsigned all = 0;
    for (llvm_value any = l->GetFirstFunction(m); any; any = l->GetNextFunction(any)) {
        all++;
    }
    *f = (struct functions){.at = calloc((size_t)all + 1, sizeof *f->at)};
    if (!f->at) {
        return false;
    }
    for (unsigned k = 0; k < kernel_count; k++) {
        find_called(&s, kernels[k]);
    }
    bool had_pointers = false;
    for (unsigned looked = 0; looked < f->count || s.pointers != had_pointers;) {
        if (looked < f->count) {
            find_called(&s, f->at[looked++]);
        } else {
            had_pointers = true;
            find_with_address(&s, kernels, kernel_count);
        }
    }
    put_in_order(&s);
    return true;
}

void functions_free(struct functions *f) {
    free(f->at);
    *f = (struct functions){0};
}
