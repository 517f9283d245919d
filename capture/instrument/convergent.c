/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/convergent.h"

#include <stdbool.h>
#include <string.h>

#include "instrument/calls.h"

static bool lanes_are_apart(const char *name) {
    static const char prefix[] = "__wm_";
    unsigned op, count;
    const struct call_kind *kind = call_kind_of(name);
    if (strncmp(name, prefix, sizeof prefix - 1) != 0) {
        return false;
    }
    return kind ? kind->what == CALL_OPS || kind->what == CALL_NOTHING || kind->what == CALL_ATOMIC
                : call_next_cost(name + sizeof prefix - 1, &op, &count) != NULL;
}

void convergent_where_lanes_meet(const struct llvm *l, llvm_module module) {
    const unsigned kind = l->GetEnumAttributeKindForName("convergent", 10);
    for (llvm_value f = l->GetFirstFunction(module); f; f = l->GetNextFunction(f)) {
        size_t length;
        if (!l->IsDeclaration(f) || !lanes_are_apart(l->GetValueName2(f, &length))) {
            continue;
        }
        l->RemoveEnumAttributeAtIndex(f, LLVM_FUNCTION_INDEX, kind);
        for (llvm_use use = l->GetFirstUse(f); use; use = l->GetNextUse(use)) {
            llvm_value user = l->GetUser(use);
            if (l->IsAInstruction(user) && l->GetInstructionOpcode(user) == LLVM_CALL &&
                l->GetCalledValue(user) == f) {
                l->RemoveCallSiteEnumAttribute(user, LLVM_FUNCTION_INDEX, kind);
            }
        }
    }
}
