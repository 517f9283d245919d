/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables of a module: each goes to the section of its space, where the runtime finds it.
 */
#include <stdio.h>
#include <string.h>

#include "instrument/instrumenter.h"
#include "instrument/spaces.h"

/* @exported: the host finds it; both modules do. */
static void place_variable(const struct instrumenter *m, llvm_value g, const char *section,
                           bool exported) {
    m->l.SetComdat(g, NULL);
    m->l.SetLinkage(g, LLVM_LINKAGE_EXTERNAL);
    m->l.SetVisibility(g, exported ? LLVM_VISIBILITY_DEFAULT : LLVM_VISIBILITY_HIDDEN);
    m->l.SetGlobalConstant(g, 0);
    if (m->plain) {
        m->l.SetInitializer(g, NULL);
    } else {
        m->l.SetSection(g, section);
    }
}

/* All extern __shared__ arrays are the one of the launch. */
static void replace_dynamic_shared(struct instrumenter *m, llvm_value g) {
    static const char name[] = "wm_dynamic_shared";
    const struct llvm *l = &m->l;
    if (!m->dynamic_shared) {
        m->dynamic_shared = l->AddGlobalInAddressSpace(m->module, l->ArrayType(m->i8, 0), name,
                                                       l->GetPointerAddressSpace(l->TypeOf(g)));
    }
    l->ReplaceAllUsesWith(g, l->ConstBitCast(m->dynamic_shared, l->TypeOf(g)));
    l->DeleteGlobal(g);
}

/* A string, or another table of the compiler's. Both modules have the one, so that a kernel may
 * keep its address. */
static void place_table(const struct instrumenter *m, llvm_value g, unsigned n) {
    char name[32];
    if (m->l.IsDeclaration(g)) {
        return;
    }
    if (!*name_of(m, g)) {
        snprintf(name, sizeof name, "wm_table.%u", n);
        rename_value(m, g, name);
    }
    place_variable(m, g, "wm_in_tables", false);
}

void place_variables(struct instrumenter *m) {
    const struct llvm *l = &m->l;
    unsigned tables = 0;
    for (llvm_value g = l->GetFirstGlobal(m->module), next; g; g = next) {
        next = l->GetNextGlobal(g);
        const char *name = name_of(m, g);
        if (!strncmp(name, "llvm.", 5) || !strncmp(name, "wm_", 3)) {
            continue;
        }
        switch (code_space_of_variable(l, m->module, g)) {
        case CODE_SPACE_SHARED:
            if (l->IsDeclaration(g)) {
                replace_dynamic_shared(m, g);
            } else {
                place_variable(m, g, "wm_in_shared", false);
            }
            break;
        case CODE_SPACE_GLOBAL:
            if (!l->IsDeclaration(g)) { /* as the compiler's threadIdx is */
                place_variable(m, g, "wm_in_device", true);
            }
            break;
        case CODE_SPACE_CONSTANT: place_variable(m, g, "wm_in_constant", true); break;
        case CODE_SPACE_GENERIC: place_table(m, g, tables++); break;
        default: break;
        }
    }
}
