/* SPDX-License-Identifier: Apache-2.0
 *
 * The instructions of a kernel's calls: copies, atomics and functions that the runtime has, and
 * functions of the program.
 */
#include <string.h>

#include "instrument/calls.h"
#include "instrument/children.h"
#include "instrument/code_maker.h"
#include "instrument/constants.h"

#define COPY_BYTES_MAX 65536u /* a table has an instruction for each 16 bytes */

/* memcpy and memset of a known size, as loads and stores of 16 bytes. */
static bool take_copy(struct kernel_code_maker *k, llvm_value i, bool sets) {
    const struct llvm *l = k->l;
    llvm_value size = l->GetOperand(i, 2);
    if (!l->IsAConstantInt(size)) {
        return refuse_code(k, i,
                           "a copy whose size is not known when it is compiled: must be a loop");
    }
    struct access a = {.from = i,
                       .pointer = l->GetOperand(i, 1),
                       .op = OP_LOAD,
                       .bytes = l->ConstIntGetZExtValue(size)};
    if (a.bytes > COPY_BYTES_MAX) {
        return refuse_code(k, i, "a copy of %llu bytes: at most %u, or a loop", a.bytes,
                           COPY_BYTES_MAX);
    }
    if (!a.bytes) {
        return true;
    }
    if (!sets && !constants_has_values(l, a.pointer) && !add_access(k, &a)) {
        return false;
    }
    a.op = OP_STORE;
    a.pointer = l->GetOperand(i, 0);
    return add_access(k, &a);
}

static unsigned op_of_type(const struct kernel_code_maker *k, llvm_value i, unsigned op) {
    const bool is_double = k->l->GetTypeKind(k->l->TypeOf(i)) == LLVM_KIND_DOUBLE;
    return is_double && op >= OP_FP_ADD && op <= OP_FP_DIV ? op + (OP_DP_ADD - OP_FP_ADD) : op;
}

/* __wm_fma3_sfu1_norm3df: three multiply-adds and a special function. False: the name has no cost,
 * or no memory is left. */
static bool take_listed(struct kernel_code_maker *k, llvm_value i, const char *name) {
    static const char prefix[] = "__wm_";
    unsigned op, count;
    bool taken = false;
    if (strncmp(name, prefix, sizeof prefix - 1) != 0) {
        return false;
    }
    for (const char *at = name + sizeof prefix - 1; (at = call_next_cost(at, &op, &count));) {
        taken =
            op == OP_FP_DIV ? add_quotient(k, i) : add_several(k, i, op_of_type(k, i, op), count);
    }
    return taken;
}

/* Atomics that LLVM has not: the runtime computes them. */
static bool take_atomic_call(struct kernel_code_maker *k, llvm_value i, unsigned bytes) {
    const struct llvm *l = k->l;
    llvm_value value = l->GetOperand(i, l->GetNumArgOperands(i) - 1);
    return add_access(k, &(struct access){.from = i,
                                          .pointer = l->GetOperand(i, 0),
                                          .value = value,
                                          .op = OP_ATOMIC,
                                          .bytes = bytes ? bytes : bytes_of(k, l->TypeOf(value))});
}

/* The C library prints for OpenCL C, and knows no vectors. */
static bool take_print(struct kernel_code_maker *k, llvm_value i) {
    const struct llvm *l = k->l;
    for (unsigned n = 0; n < l->GetNumArgOperands(i); n++) {
        if (l->GetTypeKind(l->TypeOf(l->GetOperand(i, n))) == LLVM_KIND_VECTOR) {
            return refuse_code(k, i, "a printf of a vector: is not supported");
        }
    }
    return true;
}

/* A move between a register of the calls and another one. */
struct table_insn *add_move(struct kernel_code_maker *k, llvm_value at, uint32_t to) {
    struct table_insn *i = add_insn(k, at, OP_INT_ADD);
    if (i) {
        i->dst = to;
    }
    return i;
}

/* Moves of the arguments and of the return address, which has two words; the call; behind it a move
 * of the result. */
static bool take_function_call(struct kernel_code_maker *k, llvm_value i) {
    const struct llvm *l = k->l;
    const bool through = functions_through_pointer(l, i);
    llvm_value called = l->GetCalledValue(i);
    struct table_insn *insn;
    if (through &&
        !add_report(k, (struct report){.kind = REPORT_CALL, .before = i, .pointer = called})) {
        return false;
    }
    for (unsigned n = 0; n < l->GetNumArgOperands(i) && n < VALUES_PARAMETERS; n++) {
        if (!(insn = add_move(k, i, values_parameter(&k->values, n)))) {
            return false;
        }
        add_source(k, insn, l->GetOperand(i, n));
    }
    if (!add_move(k, i, VALUE_NONE) || !add_move(k, i, VALUE_NONE) ||
        !(insn = add_insn(k, i, OP_BRANCH))) {
        return false;
    }
    if (through) {
        add_source(k, insn, called);
    }
    this_block(k)->calls = true;
    if (!begin_block(k, l->GetNextInstruction(i))) {
        return false;
    }
    if (values_is_needed(&k->values, i)) {
        if (!(insn = add_move(k, i, values_number(&k->values, i)))) {
            return false;
        }
        insn->src[0] = values_result(&k->values);
    }
    return true;
}

/* warpmem-cc has made C++ of the PTX that it knows, and leaves the reason of a refusal as text. */
static bool take_assembly(struct kernel_code_maker *k, llvm_value i, llvm_value assembly) {
    static const char begins[] = "\"warpmem: ";
    char *text = k->l->PrintValueToString(assembly);
    const char *said = strstr(text, begins);
    if (said) {
        said += sizeof begins - 1;
        refuse_code(k, i, "%.*s", (int)strcspn(said, "\""), said);
    } else {
        refuse_code(k, i, "inline assembly: is not supported");
    }
    k->l->DisposeMessage(text);
    return false;
}

bool take_call(struct kernel_code_maker *k, llvm_value i) {
    const struct llvm *l = k->l;
    size_t length;
    llvm_value called = l->GetCalledValue(i);
    if (l->IsAInlineAsm(called)) {
        return take_assembly(k, i, called);
    }
    if (functions_called(l, i) || functions_through_pointer(l, i)) {
        return take_function_call(k, i);
    }
    const char *name = l->GetValueName2(called, &length);
    if (children_is_kernel(l, called)) { /* the launch counts */
        return !l->IsDeclaration(called) ||
               refuse_code(k, i, "a launch of %.200s, which is in another file: needs -rdc=true",
                           name);
    }
    if (!in_kernel(k) && !strcmp(name, "__wm_activemask")) {
        return refuse_code(k, i,
                           "__activemask() or coalesced_threads() in a function that is called "
                           "through a pointer, or that could not be inlined: is not supported");
    }
    const struct call_kind *kind = call_kind_of(name);
    if (!kind && take_listed(k, i, name)) {
        return true;
    }
    if (!kind) {
        return refuse_code(k, i, "the call of %.200s: is not supported in a kernel", name);
    }
    switch (kind->what) {
    case CALL_NOTHING: return true;
    case CALL_PRINT: return take_print(k, i);
    case CALL_COPY: return take_copy(k, i, false);
    case CALL_SET: return take_copy(k, i, true);
    case CALL_ATOMIC: return take_atomic_call(k, i, kind->count);
    case CALL_BARRIER:
        if (!add_insn(k, i, OP_BARRIER)) {
            return false;
        }
        this_block(k)->barrier = true;
        return begin_block(k, l->GetNextInstruction(i));
    case CALL_FENCE: return add_insn(k, i, OP_FENCE);
    case CALL_MEET: /* a vector is one lane's part of a matrix */
        k->meets = true;
        return add_several(k, i, kind->op, kind->count);
    case CALL_OPS: break;
    }
    return add_several(k, i, op_of_type(k, i, kind->op), kind->count * lanes_of(k, i));
}
