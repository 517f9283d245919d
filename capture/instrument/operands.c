/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/operands.h"

#define INDICES_MAX 8

llvm_value operands_variable(const struct llvm *l, llvm_value operand) {
    while (l->IsAConstantExpr(operand)) {
        switch (l->GetConstOpcode(operand)) {
        case LLVM_BITCAST:
        case LLVM_ADDRSPACECAST:
        case LLVM_GEP: operand = l->GetOperand(operand, 0); break;
        default: return NULL;
        }
    }
    return l->IsAGlobalVariable(operand);
}

/* An operand that is being replaced. */
struct place {
    const struct llvm *l;
    llvm_builder builder;
    llvm_value before, user; /* the replacement is computed before the one, for the other */
    int n;
    operands_replacement *replacement;
    void *context;
};

static llvm_value rebuilt(const struct place *p, llvm_value v);

static llvm_value rebuilt_pointer(const struct place *p, llvm_value v, llvm_value from) {
    const struct llvm *l = p->l;
    llvm_value index[INDICES_MAX];
    const int operands = l->GetNumOperands(v);
    for (int n = 1; n < operands; n++) {
        index[n - 1] = l->GetOperand(v, (unsigned)n);
    }
    return l->BuildGEP2(p->builder, l->GetGEPSourceElementType(v), from, index,
                        (unsigned)operands - 1, "");
}

/* A constant expression as instructions, if a variable in it is replaced. */
static llvm_value rebuilt_expression(const struct place *p, llvm_value v) {
    const struct llvm *l = p->l;
    const int opcode = l->GetConstOpcode(v);
    const bool two = opcode >= LLVM_ADD && opcode <= LLVM_XOR;
    llvm_value a = rebuilt(p, l->GetOperand(v, 0)),
               b = two ? rebuilt(p, l->GetOperand(v, 1)) : NULL;
    if (a == l->GetOperand(v, 0) && (!two || b == l->GetOperand(v, 1))) {
        return v;
    }
    if (two) {
        return l->BuildBinOp(p->builder, opcode, a, b, "");
    }
    switch (opcode) {
    case LLVM_GEP: return rebuilt_pointer(p, v, a);
    case LLVM_TRUNC:
    case LLVM_ZEXT:
    case LLVM_SEXT:
    case LLVM_PTRTOINT:
    case LLVM_INTTOPTR:
    case LLVM_BITCAST:
    case LLVM_ADDRSPACECAST: return l->BuildCast(p->builder, opcode, a, l->TypeOf(v), "");
    default: return v;
    }
}

static llvm_value rebuilt(const struct place *p, llvm_value v) {
    const struct llvm *l = p->l;
    if (l->IsAGlobalVariable(v)) {
        llvm_value by = p->replacement(p->context, v, p->user, p->n);
        l->PositionBuilderBefore(p->builder, p->before);
        return by ? by : v;
    }
    return l->IsAConstantExpr(v) && l->GetNumOperands(v) <= INDICES_MAX + 1
               ? rebuilt_expression(p, v)
               : v;
}

/* A phi has one value for a block, however many edges come from it. */
static int earlier_edge(const struct llvm *l, llvm_value phi, int n) {
    int other = 0;
    while (l->GetIncomingBlock(phi, (unsigned)other) != l->GetIncomingBlock(phi, (unsigned)n)) {
        other++;
    }
    return other;
}

static void replace_in(struct place *p) {
    const struct llvm *l = p->l;
    const bool phi = l->GetInstructionOpcode(p->user) == LLVM_PHI;
    const int operands = l->GetNumOperands(p->user);
    for (p->n = 0; p->n < operands; p->n++) {
        const unsigned n = (unsigned)p->n;
        llvm_value operand = l->GetOperand(p->user, n);
        p->before = phi ? l->GetBasicBlockTerminator(l->GetIncomingBlock(p->user, n)) : p->user;
        if (!l->IsAConstant(operand)) {
            continue;
        }
        const int same = phi ? earlier_edge(l, p->user, p->n) : p->n;
        llvm_value by;
        if (same < p->n) {
            by = l->GetOperand(p->user, (unsigned)same);
        } else {
            l->PositionBuilderBefore(p->builder, p->before);
            by = rebuilt(p, operand);
        }
        if (by != operand) {
            l->SetOperand(p->user, n, by);
        }
    }
}

void operands_replace(const struct llvm *l, llvm_builder builder, llvm_value function,
                      operands_replacement *replacement, void *context) {
    for (llvm_block b = l->GetFirstBasicBlock(function); b; b = l->GetNextBasicBlock(b)) {
        for (llvm_value i = l->GetFirstInstruction(b), next; i; i = next) {
            next = l->GetNextInstruction(i);
            replace_in(&(struct place){.l = l,
                                       .builder = builder,
                                       .user = i,
                                       .replacement = replacement,
                                       .context = context});
        }
    }
}
