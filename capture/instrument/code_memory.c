/* SPDX-License-Identifier: Apache-2.0
 *
 * The instructions of a kernel's accesses to memory.
 */
#include "instrument/code_maker.h"
#include "instrument/spaces.h"
#include "instrument/values.h"

/* A part of an access: of 1, 2, 4, 8 or 16 bytes. */
static unsigned part_of(unsigned long long bytes) {
    unsigned part = 16;
    while (part > bytes) {
        part /= 2;
    }
    return part;
}

/* A vector of several values waits for each of them. An instruction has places for three and the
 * address; of four the first element is not waited for, which mostly is computed first. */
static void add_elements(struct kernel_code_maker *k, struct table_insn *i, llvm_value value) {
    const struct llvm *l = k->l;
    while (i->src[INSN_SOURCES_MAX - 2] == VALUE_NONE && l->IsAInstruction(value) &&
           l->GetInstructionOpcode(value) == LLVM_INSERT_ELEMENT) {
        add_source(k, i, l->GetOperand(value, 1));
        value = l->GetOperand(value, 0);
    }
    if (i->src[INSN_SOURCES_MAX - 2] == VALUE_NONE) {
        add_source(k, i, value);
    }
}

/* The instructions of an access in one space. */
static bool add_parts(struct kernel_code_maker *k, const struct access *a, unsigned access,
                      unsigned space, bool generic) {
    for (unsigned long long done = 0; done < a->bytes;) {
        unsigned width = part_of(a->bytes - done);
        bool shared_atomic = a->op == OP_ATOMIC && space == SPACE_SHARED;
        struct table_insn *i = add_insn(k, a->from, shared_atomic ? OP_LOAD : a->op);
        if (!i) {
            return false;
        }
        i->space = (uint8_t)space;
        i->width = (uint8_t)width;
        i->uncached = a->uncached && space == SPACE_GLOBAL && i->op == OP_LOAD;
        i->flags = generic ? TABLE_GENERIC : 0;
        i->access = (uint16_t)access;
        i->offset = (uint32_t)done;
        if (i->op != OP_STORE && values_is_needed(&k->values, a->from)) {
            i->dst = values_number(&k->values, a->from);
        }
        if (a->value) {
            add_elements(k, i, a->value);
        }
        add_source(k, i, a->pointer);
        done += width;
    }
    return true;
}

bool add_access(struct kernel_code_maker *k, const struct access *a) {
    static const enum report_kind kinds[] = {
        [CODE_SPACE_GLOBAL] = REPORT_GLOBAL,   [CODE_SPACE_LOCAL] = REPORT_LOCAL,
        [CODE_SPACE_SHARED] = REPORT_SHARED,   [CODE_SPACE_CONSTANT] = REPORT_CONSTANT,
        [CODE_SPACE_TEXTURE] = REPORT_TEXTURE, [CODE_SPACE_ARGUMENT] = REPORT_ARGUMENT,
        [CODE_SPACE_GENERIC] = REPORT_GENERIC};
    static const uint8_t spaces[] = {
        [CODE_SPACE_GLOBAL] = SPACE_GLOBAL,   [CODE_SPACE_LOCAL] = SPACE_LOCAL,
        [CODE_SPACE_SHARED] = SPACE_SHARED,   [CODE_SPACE_CONSTANT] = SPACE_CONSTANT,
        [CODE_SPACE_TEXTURE] = SPACE_TEXTURE, [CODE_SPACE_ARGUMENT] = SPACE_CONSTANT};
    llvm_value base = NULL;
    bool constant_offset = true;
    enum code_space space = code_space_of(k->l, k->language, k->options.read_only, k->function,
                                          in_kernel(k), a->pointer, &base, &constant_offset);
    if (space == CODE_SPACE_ARGUMENT && a->op == OP_LOAD && constant_offset) {
        return true; /* an operand in the constant bank, of the instruction that uses it */
    }
    if (a->op == OP_STORE && space == CODE_SPACE_ARGUMENT) {
        space = CODE_SPACE_LOCAL; /* a parameter that is changed has a copy on the stack */
    }
    if (a->op == OP_ATOMIC && space == CODE_SPACE_LOCAL) {
        return refuse_code(k, a->from, "an atomic on local memory");
    }
    struct table_block *b = this_block(k);
    if (b->accesses == ACCESS_NONE - 1) {
        return refuse_code(k, a->from, "more than %u accesses in a block", ACCESS_NONE - 1);
    }
    const unsigned access = b->accesses++;
    if (!add_report(k, (struct report){.kind = kinds[space],
                                       .before = a->from,
                                       .pointer = a->pointer,
                                       .base = base,
                                       .bytes = part_of(a->bytes)})) {
        return false;
    }
    if (space != CODE_SPACE_GENERIC) {
        return add_parts(k, a, access, spaces[space], false);
    }
    static const uint8_t may_be[] = {SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONSTANT};
    const unsigned count = a->op == OP_LOAD ? 4 : a->op == OP_STORE ? 3 : 2;
    bool good = true;
    for (unsigned i = 0; good && i < count; i++) {
        good = add_parts(k, a, access, may_be[i], true);
    }
    return good;
}

bool take_load(struct kernel_code_maker *k, llvm_value i) {
    const struct llvm *l = k->l;
    return add_access(k, &(struct access){.from = i,
                                          .pointer = l->GetOperand(i, 0),
                                          .op = OP_LOAD,
                                          .bytes = bytes_of(k, l->TypeOf(i)),
                                          .uncached = l->GetVolatile(i)});
}

bool take_store(struct kernel_code_maker *k, llvm_value i) {
    const struct llvm *l = k->l;
    llvm_value value = l->GetOperand(i, 0);
    return add_access(k, &(struct access){.from = i,
                                          .pointer = l->GetOperand(i, 1),
                                          .value = value,
                                          .op = OP_STORE,
                                          .bytes = bytes_of(k, l->TypeOf(value))});
}

bool take_atomic(struct kernel_code_maker *k, llvm_value i) {
    const struct llvm *l = k->l;
    const unsigned operand = l->GetInstructionOpcode(i) == LLVM_CMPXCHG ? 2 : 1;
    llvm_value value = l->GetOperand(i, operand);
    return add_access(k, &(struct access){.from = i,
                                          .pointer = l->GetOperand(i, 0),
                                          .value = value,
                                          .op = OP_ATOMIC,
                                          .bytes = bytes_of(k, l->TypeOf(value))});
}
