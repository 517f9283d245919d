/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/managed.h"

#include <stdio.h>
#include <string.h>

#include "instrument/operands.h"

#define SECTION "wm_managed" /* capture/include/warpmem_cuda.h */

bool managed_is(const struct llvm *l, llvm_value variable) {
    const char *section = l->GetSection(variable);
    return section && !strcmp(section, SECTION);
}

struct replacing {
    const struct llvm *l;
    llvm_module module;
    llvm_builder builder;
    llvm_type pointer;
    bool plain;
};

static llvm_value pointer_to(const struct replacing *r, llvm_value variable) {
    const struct llvm *l = r->l;
    char name[4096];
    size_t length;
    snprintf(name, sizeof name, "wm_managed_%s", l->GetValueName2(variable, &length));
    llvm_value g = l->GetNamedGlobal(r->module, name);
    if (!g) {
        g = l->AddGlobal(r->module, r->pointer, name);
        if (!r->plain) {
            l->SetInitializer(g, l->ConstNull(r->pointer));
        }
    }
    return g;
}

static llvm_value replacement_of(void *context, llvm_value variable, llvm_value user, int n) {
    const struct replacing *r = context;
    const struct llvm *l = r->l;
    (void)user, (void)n;
    if (!managed_is(l, variable)) {
        return NULL;
    }
    llvm_type type = l->TypeOf(variable);
    llvm_value at = l->BuildLoad2(r->builder, r->pointer, pointer_to(r, variable), "");
    if (l->GetPointerAddressSpace(type)) {
        at = l->BuildAddrSpaceCast(r->builder, at,
                                   l->PointerType(l->Int8TypeInContext(l->GetGlobalContext()),
                                                  l->GetPointerAddressSpace(type)),
                                   "");
    }
    return l->BuildPointerCast(r->builder, at, type, "");
}

/* The compiler's lists of what must stay have the address too. */
static bool is_compilers_list(const struct llvm *l, llvm_value user) {
    size_t length;
    const char *name = l->IsAGlobalVariable(user) ? l->GetValueName2(user, &length) : "";
    return !strncmp(name, "llvm.", 5) || !strncmp(name, "__clang_", 8);
}

/* By an instruction, or in the initial value of a variable of the program. */
static bool is_still_used(const struct llvm *l, llvm_value v) {
    for (llvm_use u = l->GetFirstUse(v); u; u = l->GetNextUse(u)) {
        llvm_value user = l->GetUser(u);
        const bool last = l->IsAInstruction(user) || l->IsAGlobalVariable(user);
        if (last ? !is_compilers_list(l, user) : is_still_used(l, user)) {
            return true;
        }
    }
    return false;
}

const char *managed_replace(const struct llvm *l, llvm_module m, llvm_builder builder, bool plain) {
    struct replacing r = {l, m, builder,
                          l->PointerType(l->Int8TypeInContext(l->GetGlobalContext()), 0), plain};
    bool any = false;
    for (llvm_value g = l->GetFirstGlobal(m); g; g = l->GetNextGlobal(g)) {
        any |= managed_is(l, g);
    }
    for (llvm_value f = any ? l->GetFirstFunction(m) : NULL; f; f = l->GetNextFunction(f)) {
        operands_replace(l, builder, f, replacement_of, &r);
    }
    for (llvm_value g = l->GetFirstGlobal(m); g; g = l->GetNextGlobal(g)) {
        size_t length;
        if (managed_is(l, g) && is_still_used(l, g)) {
            return l->GetValueName2(g, &length);
        }
    }
    return NULL;
}
