/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/gpu_passes.h"

#include "instrument/spaces.h"

#define ADDRESS_PASSES "separate-const-offset-from-gep,slsr,early-cse,nary-reassociate,early-cse"

static const char gpu_name[] = "nvptx64-nvidia-cuda";

void gpu_align_shared(const struct llvm *l, llvm_module module) {
    for (llvm_value g = l->GetFirstGlobal(module); g; g = l->GetNextGlobal(g)) {
        if (code_space_of_variable(l, module, g) == CODE_SPACE_SHARED && l->GetAlignment(g) < 16) {
            l->SetAlignment(g, 16);
        }
    }
}

const char *gpu_passes_open(struct gpu_passes *g, const struct llvm *l, llvm_module module,
                            llvm_builder builder) {
    llvm_target target;
    char *wrong = NULL;
    if (l->GetTargetFromTriple(gpu_name, &target, &wrong)) {
        return wrong ? wrong : "LLVM has no code generator for NVIDIA's GPUs";
    }
    *g = (struct gpu_passes){l, module, builder,
                             l->CreateTargetMachine(target, gpu_name, "sm_70", "", 2, 0, 0)};
    return NULL;
}

static const char *run_passes(const struct gpu_passes *g, const char *passes) {
    llvm_options options = g->l->CreatePassBuilderOptions();
    llvm_error failed = g->l->RunPasses(g->module, passes, g->gpu, options);
    g->l->DisposePassBuilderOptions(options);
    return failed ? g->l->GetErrorMessage(failed) : NULL;
}

const char *gpu_passes_addresses(const struct gpu_passes *g) {
    gpu_align_shared(g->l, g->module); /* OpenCL's, which are optimized already */
    /* Arrays whose address space is known give their accesses an alignment: instcombine finds it,
     * from version 18 on infer-alignment. Since then instcombine ends the program if another round
     * would change more, unless told not to. */
    return run_passes(g, g->l->version < 18
                             ? "function(infer-address-spaces,instcombine," ADDRESS_PASSES ")"
                             : "function(infer-address-spaces,instcombine<no-verify-fixpoint>,"
                               "infer-alignment," ADDRESS_PASSES ")");
}

static bool is_shared_access(const struct gpu_passes *g, llvm_value i) {
    const int opcode = g->l->GetInstructionOpcode(i);
    if (opcode != LLVM_LOAD && opcode != LLVM_STORE) {
        return false;
    }
    llvm_type pointer = g->l->TypeOf(g->l->GetOperand(i, opcode == LLVM_STORE));
    return code_space_of_number(code_language_of(g->l, g->module),
                                g->l->GetPointerAddressSpace(pointer)) == CODE_SPACE_SHARED;
}

/* ptxas 13 merges no shared loads with a shared store between them, even to another array, nor
 * stores with a load between them. LLVM does where it knows the places, but not over a @mark, which
 * is a call that may do anything; other accesses around a mark stay apart, too. */
static void mark_block(const struct gpu_passes *g, llvm_block block, llvm_type type,
                       llvm_value mark) {
    const struct llvm *l = g->l;
    int last = 0;
    for (llvm_value i = l->GetFirstInstruction(block); i; i = l->GetNextInstruction(i)) {
        if (!is_shared_access(g, i)) {
            continue;
        }
        if (last && last != l->GetInstructionOpcode(i)) {
            l->PositionBuilderBefore(g->builder, i);
            l->SetCurrentDebugLocation2(g->builder, NULL);
            l->BuildCall2(g->builder, type, mark, NULL, 0, "");
        }
        last = l->GetInstructionOpcode(i);
    }
}

const char *gpu_passes_merge(const struct gpu_passes *g) {
    const struct llvm *l = g->l;
    llvm_type type = l->FunctionType(l->VoidTypeInContext(l->GetGlobalContext()), NULL, 0, 0);
    llvm_value mark = l->AddFunction(g->module, "wm_shared_turns", type);
    for (llvm_value f = l->GetFirstFunction(g->module); f; f = l->GetNextFunction(f)) {
        for (llvm_block b = l->GetFirstBasicBlock(f); b; b = l->GetNextBasicBlock(b)) {
            mark_block(g, b, type, mark);
        }
    }
    const char *failed = run_passes(g, "function(load-store-vectorizer)");
    for (llvm_use use = l->GetFirstUse(mark); use; use = l->GetFirstUse(mark)) {
        l->InstructionEraseFromParent(l->GetUser(use));
    }
    l->DeleteFunction(mark);
    return failed;
}
