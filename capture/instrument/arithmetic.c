/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/arithmetic.h"

#include <stdio.h>

/* 32 or 64; 0: a vector, or a narrower type, which C has promoted to int. */
static unsigned whole_width(const struct llvm *l, llvm_type t) {
    const unsigned width = l->GetTypeKind(t) == LLVM_KIND_INTEGER ? l->GetIntTypeWidth(t) : 0;
    return width == 32 || width == 64 ? width : 0;
}

/* LLVM leaves open what a shift by @width and more gives; x86 takes the amount modulo @width. */
static llvm_value shift_of_gpu(const struct llvm *l, llvm_builder builder, llvm_value i, int opcode,
                               unsigned width) {
    llvm_type type = l->TypeOf(i);
    llvm_value value = l->GetOperand(i, 0), amount = l->GetOperand(i, 1);
    llvm_value fits = l->BuildICmp(builder, LLVM_INT_ULT, amount, l->ConstInt(type, width, 0), "");
    if (opcode == LLVM_ASHR) { /* copies of the sign stay */
        amount = l->BuildSelect(builder, fits, amount, l->ConstInt(type, width - 1, 0), "");
        return l->BuildBinOp(builder, opcode, value, amount, "");
    }
    return l->BuildSelect(builder, fits, l->BuildBinOp(builder, opcode, value, amount, ""),
                          l->ConstInt(type, 0, 0), "");
}

/* NULL: of another type than float and double. */
static llvm_value conversion_of_gpu(const struct llvm *l, llvm_module module, llvm_builder builder,
                                    llvm_value i, int opcode, unsigned width) {
    char name[40];
    llvm_value value = l->GetOperand(i, 0);
    llvm_type from = l->TypeOf(value), type = l->FunctionType(l->TypeOf(i), &from, 1, 0);
    const int kind = l->GetTypeKind(from);
    if (kind != LLVM_KIND_FLOAT && kind != LLVM_KIND_DOUBLE) {
        return NULL;
    }
    snprintf(name, sizeof name, "llvm.fpto%ci.sat.i%u.f%u", opcode == LLVM_FPTOSI ? 's' : 'u',
             width, kind == LLVM_KIND_DOUBLE ? 64U : 32U);
    llvm_value function = l->GetNamedFunction(module, name);
    if (!function) {
        function = l->AddFunction(module, name, type);
    }
    llvm_value nearest = l->BuildCall2(builder, type, function, &value, 1, "");
    if (kind == LLVM_KIND_FLOAT && width == 32) {
        return nearest;
    }
    return l->BuildSelect(builder, l->BuildFCmp(builder, LLVM_REAL_UNO, value, value, ""),
                          l->ConstInt(l->TypeOf(i), UINT64_C(1) << (width - 1), 0), nearest, "");
}

/* NULL: the host computes the same. */
static llvm_value replacement_of(const struct llvm *l, llvm_module module, llvm_builder builder,
                                 llvm_value i) {
    const int opcode = l->GetInstructionOpcode(i);
    const unsigned width = whole_width(l, l->TypeOf(i));
    switch (width ? opcode : 0) {
    case LLVM_SHL:
    case LLVM_LSHR:
    case LLVM_ASHR:
        l->PositionBuilderBefore(builder, i);
        return l->IsAConstantInt(l->GetOperand(i, 1)) ? NULL
                                                      : shift_of_gpu(l, builder, i, opcode, width);
    case LLVM_FPTOSI:
    case LLVM_FPTOUI:
        l->PositionBuilderBefore(builder, i);
        return conversion_of_gpu(l, module, builder, i, opcode, width);
    default: return NULL;
    }
}

void arithmetic_of_gpu(const struct llvm *l, llvm_module module, llvm_builder builder,
                       llvm_value kernel) {
    for (llvm_block b = l->GetFirstBasicBlock(kernel); b; b = l->GetNextBasicBlock(b)) {
        for (llvm_value i = l->GetFirstInstruction(b), next; i; i = next) {
            next = l->GetNextInstruction(i);
            llvm_value better = replacement_of(l, module, builder, i);
            if (better) {
                l->ReplaceAllUsesWith(i, better);
                l->InstructionEraseFromParent(i);
            }
        }
    }
}
