/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/predicates.h"

#include <string.h>

#include "instrument/values.h"

/* Arithmetic instructions. ptxas 13 predicates, for sm_75, 8 multiply-adds in a block, 6 and 6 in
 * two, and branches around 10, or 8 and 8; loads and stores beside them change nothing. */
#define BLOCK_MAX 8
#define BOTH_MAX 12
#define TOO_MANY 1000

static unsigned cost_of_call(const struct llvm *l, llvm_value i) {
    static const char *const cheap[] = {"llvm.fma", "llvm.fabs", "llvm.m", "llvm.s", "llvm.u"};
    size_t length;
    llvm_value called = l->GetCalledValue(i);
    const char *name = l->IsAFunction(called) ? l->GetValueName2(called, &length) : NULL;
    if (name && (!strncmp(name, "llvm.dbg.", 9) || !strncmp(name, "llvm.assume", 11))) {
        return 0;
    }
    for (unsigned n = 0; name && n < sizeof cheap / sizeof *cheap; n++) {
        if (!strncmp(name, cheap[n], strlen(cheap[n])) && strncmp(name, "llvm.mem", 8) != 0) {
            return 1;
        }
    }
    return TOO_MANY;
}

static unsigned cost_of(const struct llvm *l, llvm_value i) {
    switch (l->GetInstructionOpcode(i)) {
    case LLVM_LOAD:
    case LLVM_STORE:
    case LLVM_ATOMICRMW:
    case LLVM_GEP: return 0;
    case LLVM_PHI: return TOO_MANY; /* a block with one way to it has none */
    case LLVM_CALL: return cost_of_call(l, i);
    case LLVM_CMPXCHG:
    case LLVM_FENCE:
    case LLVM_FDIV:
    case LLVM_UDIV:
    case LLVM_SDIV:
    case LLVM_UREM:
    case LLVM_SREM: return TOO_MANY;
    default: return !values_is_alias(l, i);
    }
}

/* Arithmetic of a block to which only one branch leads, and which ends with a jump; TOO_MANY: of
 * another one, or more than BLOCK_MAX. */
static unsigned cost_of_block(const struct llvm *l, llvm_block b) {
    llvm_value end = l->GetBasicBlockTerminator(b);
    llvm_use use = l->GetFirstUse(l->BasicBlockAsValue(b));
    unsigned cost = 0;
    if (!use || l->GetNextUse(use) || l->GetInstructionOpcode(end) != LLVM_BR ||
        l->IsConditional(end)) {
        return TOO_MANY;
    }
    for (llvm_value i = l->GetFirstInstruction(b); i != end && cost <= BLOCK_MAX;
         i = l->GetNextInstruction(i)) {
        cost += cost_of(l, i);
    }
    return cost <= BLOCK_MAX ? cost : TOO_MANY;
}

static llvm_block next_of(const struct llvm *l, llvm_block b) {
    return l->GetSuccessor(l->GetBasicBlockTerminator(b), 0);
}

static bool is_short(const struct llvm *l, llvm_value branch) {
    llvm_block one = l->GetSuccessor(branch, 0), other = l->GetSuccessor(branch, 1);
    const unsigned a = cost_of_block(l, one), b = cost_of_block(l, other);
    const bool both = a + b <= BOTH_MAX && next_of(l, one) == next_of(l, other);
    return both || (a <= BLOCK_MAX && next_of(l, one) == other) ||
           (b <= BLOCK_MAX && next_of(l, other) == one);
}

bool predicates_replace(const struct llvm *l, llvm_value branch) {
    if (l->IsConditional(branch)) {
        return is_short(l, branch);
    }
    llvm_block own = l->GetInstructionParent(branch);
    if (cost_of_block(l, own) > BLOCK_MAX) {
        return false;
    }
    llvm_value from = l->GetUser(l->GetFirstUse(l->BasicBlockAsValue(own)));
    return l->IsAInstruction(from) && l->GetInstructionOpcode(from) == LLVM_BR &&
           l->IsConditional(from) && is_short(l, from);
}
