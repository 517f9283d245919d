/* SPDX-License-Identifier: Apache-2.0 */
#include "instrument/values.h"

#include <stdlib.h>
#include <string.h>

#include "instrument/spaces.h"

/* The high half of a pair of registers. */
static bool is_high_half(const struct llvm *l, llvm_value i) {
    llvm_value by = l->GetOperand(i, 1);
    llvm_type type = l->TypeOf(i);
    return l->GetTypeKind(type) == LLVM_KIND_INTEGER && l->GetIntTypeWidth(type) == 64 &&
           l->IsAConstantInt(by) && l->ConstIntGetZExtValue(by) == 32;
}

bool values_is_alias(const struct llvm *l, llvm_value i) {
    switch (l->GetInstructionOpcode(i)) {
    case LLVM_LSHR: return is_high_half(l, i);
    case LLVM_TRUNC:
    case LLVM_ZEXT:
    case LLVM_SEXT:
    case LLVM_PTRTOINT:
    case LLVM_INTTOPTR:
    case LLVM_BITCAST:
    case LLVM_ADDRSPACECAST:
    case LLVM_EXTRACT_ELEMENT:
    case LLVM_INSERT_ELEMENT:
    case LLVM_SHUFFLE_VECTOR:
    case LLVM_EXTRACT_VALUE:
    case LLVM_INSERT_VALUE:
    case LLVM_FNEG:
    case LLVM_FREEZE: return true;
    default: return false;
    }
}

static uint32_t slot_of(const struct values *v, llvm_value value) {
    uint32_t at = (uint32_t)((uintptr_t)value >> 4) * UINT32_C(2654435761) % v->slots;
    while (v->value[at] && v->value[at] != value) {
        at = (at + 1) % v->slots;
    }
    return at;
}

static uint32_t root_of(const struct values *v, uint32_t number) {
    while (v->joined[number] != number) {
        number = v->joined[number];
    }
    return number;
}

static bool has_constant_indices(const struct llvm *l, llvm_value gep) {
    for (int n = 1; n < l->GetNumOperands(gep); n++) {
        if (!l->IsAConstant(l->GetOperand(gep, (unsigned)n))) {
            return false;
        }
    }
    return true;
}

/* The value whose register this one shares; NULL: none. */
static llvm_value source_of(const struct llvm *l, llvm_value value) {
    while (l->IsAInstruction(value)) {
        const int opcode = l->GetInstructionOpcode(value);
        if (code_is_texture(l, value)) {
            value = l->GetOperand(value, 1); /* the instruction takes the index */
        } else if (opcode == LLVM_CALL && code_is_same(l, value)) {
            value = l->GetOperand(value, 0);
        } else if (opcode == LLVM_GEP && has_constant_indices(l, value)) {
            value = l->GetOperand(value, 0);
        } else if (opcode == LLVM_INSERT_ELEMENT || opcode == LLVM_INSERT_VALUE) {
            llvm_value whole = l->GetOperand(value, 0);
            value = l->IsAConstant(whole) ? l->GetOperand(value, 1) : whole;
        } else if (values_is_alias(l, value)) {
            value = l->GetOperand(value, 0);
        } else {
            return opcode == LLVM_ALLOCA ? NULL : value;
        }
    }
    return l->IsAArgument(value) ? value : NULL;
}

uint32_t values_number(const struct values *v, llvm_value value) {
    llvm_value source = source_of(v->l, value);
    if (!source) {
        return VALUE_NONE;
    }
    uint32_t at = slot_of(v, source);
    return v->value[at] ? root_of(v, v->number[at]) : VALUE_NONE;
}

uint32_t values_parameter(const struct values *v, unsigned n) {
    return root_of(v, v->parameter[n]);
}

uint32_t values_result(const struct values *v) {
    return root_of(v, v->result);
}

bool values_is_folded(const struct values *v, llvm_value value) {
    return v->l->IsAInstruction(value) && v->folded[slot_of(v, value)];
}

bool values_is_needed(const struct values *v, llvm_value value) {
    return v->l->GetFirstUse(value) && values_number(v, value) != VALUE_NONE;
}

/* A product with one use, an addition in the same block. */
static bool is_part_of_addition(const struct values *v, llvm_value i) {
    const struct llvm *l = v->l;
    const int opcode = l->GetInstructionOpcode(i);
    llvm_use use = l->GetFirstUse(i);
    if ((opcode != LLVM_MUL && (opcode != LLVM_FMUL || !v->fuses)) || !use || l->GetNextUse(use)) {
        return false;
    }
    llvm_value user = l->GetUser(use);
    const int by = l->GetInstructionOpcode(user);
    bool adds =
        opcode == LLVM_MUL ? by == LLVM_ADD || by == LLVM_SUB : by == LLVM_FADD || by == LLVM_FSUB;
    return adds && l->GetInstructionParent(user) == l->GetInstructionParent(i);
}

/* The second of two added products becomes part of the addition. */
static bool is_folded_product(const struct values *v, llvm_value i) {
    const struct llvm *l = v->l;
    if (!is_part_of_addition(v, i)) {
        return false;
    }
    llvm_value user = l->GetUser(l->GetFirstUse(i)), second = l->GetOperand(user, 1);
    return second == i || !l->IsAInstruction(second) || !is_part_of_addition(v, second);
}

/* A mask whose result is only compared with 0: the logic instruction writes a predicate (LOP3). */
static bool is_folded_mask(const struct values *v, llvm_value i) {
    const struct llvm *l = v->l;
    llvm_use use = l->GetFirstUse(i);
    if (l->GetInstructionOpcode(i) != LLVM_AND || !use || l->GetNextUse(use)) {
        return false;
    }
    llvm_value user = l->GetUser(use);
    if (l->GetInstructionOpcode(user) != LLVM_ICMP ||
        l->GetInstructionParent(user) != l->GetInstructionParent(i)) {
        return false;
    }
    const int predicate = l->GetICmpPredicate(user);
    llvm_value with = l->GetOperand(user, 1);
    return (predicate == LLVM_INT_EQ || predicate == LLVM_INT_NE) && l->IsAConstantInt(with) &&
           !l->ConstIntGetZExtValue(with);
}

static uint8_t words_of(unsigned long long bytes) {
    const unsigned long long words = (bytes + 3) / 4;
    return (uint8_t)(words > 4 ? 4 : words ? words : 1);
}

static uint32_t new_number(struct values *v, uint8_t words) {
    v->joined[v->count] = v->count;
    v->words[v->count] = words;
    return v->count++;
}

static void enter_value(struct values *v, llvm_value i, unsigned long long bytes) {
    uint32_t at = slot_of(v, i);
    v->value[at] = i;
    v->folded[at] = v->l->IsAInstruction(i) && (is_folded_product(v, i) || is_folded_mask(v, i));
    v->number[at] = new_number(v, words_of(bytes));
}

/* One register for both. */
static void join_numbers(struct values *v, uint32_t own, uint32_t other) {
    if (other != VALUE_NONE && other != own) {
        v->joined[other] = own;
        v->words[own] = v->words[other] > v->words[own] ? v->words[other] : v->words[own];
    }
}

static void join_phi(struct values *v, llvm_value phi) {
    for (unsigned n = 0; n < v->l->CountIncoming(phi); n++) {
        join_numbers(v, values_number(v, phi), values_number(v, v->l->GetIncomingValue(phi, n)));
    }
}

static uint32_t count_instructions(const struct llvm *l, llvm_value function) {
    uint32_t count = 0;
    for (llvm_block b = l->GetFirstBasicBlock(function); b; b = l->GetNextBasicBlock(b)) {
        for (llvm_value i = l->GetFirstInstruction(b); i; i = l->GetNextInstruction(i)) {
            count++;
        }
    }
    return count;
}

static void enter_instructions(struct values *v, llvm_layout layout, llvm_value function) {
    const struct llvm *l = v->l;
    for (llvm_block b = l->GetFirstBasicBlock(function); b; b = l->GetNextBasicBlock(b)) {
        for (llvm_value i = l->GetFirstInstruction(b); i; i = l->GetNextInstruction(i)) {
            llvm_type type = l->TypeOf(i);
            if (l->GetTypeKind(type) != LLVM_KIND_VOID) {
                enter_value(v, i, l->StoreSizeOfType(layout, type));
            }
        }
    }
}

static void enter_parameters(struct values *v, llvm_layout layout, llvm_value function) {
    for (unsigned n = 0; n < v->l->CountParams(function) && n < VALUES_PARAMETERS; n++) {
        llvm_value p = v->l->GetParam(function, n);
        enter_value(v, p, v->l->StoreSizeOfType(layout, v->l->TypeOf(p)));
        join_numbers(v, values_parameter(v, n), values_number(v, p));
    }
}

static void join_values(struct values *v, llvm_value function, bool returns) {
    const struct llvm *l = v->l;
    for (llvm_block b = l->GetFirstBasicBlock(function); b; b = l->GetNextBasicBlock(b)) {
        llvm_value i = l->GetFirstInstruction(b), end = l->GetBasicBlockTerminator(b);
        for (; i && l->GetInstructionOpcode(i) == LLVM_PHI; i = l->GetNextInstruction(i)) {
            join_phi(v, i);
        }
        if (returns && l->GetInstructionOpcode(end) == LLVM_RET && l->GetNumOperands(end)) {
            join_numbers(v, values_result(v), values_number(v, l->GetOperand(end, 0)));
        }
    }
}

bool values_init(struct values *v, const struct llvm *l, llvm_layout layout,
                 const llvm_value *functions, unsigned count, bool fuses) {
    uint32_t most = VALUES_PARAMETERS + 1;
    for (unsigned f = 0; f < count; f++) {
        most += count_instructions(l, functions[f]) + VALUES_PARAMETERS;
    }
    *v = (struct values){.l = l, .fuses = fuses, .slots = 2 * most + 1};
    v->value = calloc(v->slots, sizeof *v->value);
    v->number = calloc(v->slots, sizeof *v->number);
    v->folded = calloc(v->slots, sizeof *v->folded);
    v->joined = calloc(most, sizeof *v->joined);
    v->words = calloc(most, 1);
    if (!v->value || !v->number || !v->folded || !v->joined || !v->words) {
        return false;
    }
    for (unsigned f = 0; f < count; f++) {
        if (f == 1) { /* the first that is no kernel */
            for (unsigned n = 0; n < VALUES_PARAMETERS; n++) {
                v->parameter[n] = new_number(v, 1);
            }
            v->result = new_number(v, 1);
        }
        if (f) {
            enter_parameters(v, layout, functions[f]);
        }
        enter_instructions(v, layout, functions[f]);
    }
    for (unsigned f = 0; f < count; f++) {
        join_values(v, functions[f], f);
    }
    return true;
}

void values_free(struct values *v) {
    free(v->value);
    free(v->number);
    free(v->folded);
    free(v->joined);
    free(v->words);
    *v = (struct values){0};
}

uint8_t *values_words(const struct values *v, uint32_t *count) {
    uint8_t *words = malloc(v->count + 1);
    if (words) {
        memcpy(words, v->words, v->count);
    }
    *count = v->count;
    return words;
}
