/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of a kernel as the scoreboard would distinguish them: numbers of LLVM's values; values in
 * one register share a number.
 */
#ifndef WARPMEM_CAPTURE_VALUES_H
#define WARPMEM_CAPTURE_VALUES_H

#include "capture/kernel_table.h"
#include "instrument/llvm.h"

struct values {
    const struct llvm *l;
    llvm_value *value; /* a hash table, half of it free */
    uint32_t *number;  /* of each slot */
    bool *folded;
    bool fuses; /* floats' products and sums */
    uint32_t slots, count;
    uint32_t *joined; /* of each number: its representative */
    uint8_t *words;   /* 32-bit registers of each number */
};

/** values_init() - of all instructions of a function. @fuses: a product of floats may become part
 * of an addition, as one of integers. False: out of memory. */
bool values_init(struct values *v, const struct llvm *l, llvm_layout layout, llvm_value function,
                 bool fuses);
void values_free(struct values *v);

/** values_number() - of a value; VALUE_NONE: constants, parameters, and values without register. */
uint32_t values_number(const struct values *v, llvm_value value);
/** values_is_folded() - true for a product that is part of the addition that uses it. */
bool values_is_folded(const struct values *v, llvm_value value);
/** values_is_needed() - true if an instruction uses it. */
bool values_is_needed(const struct values *v, llvm_value value);
/** values_is_alias() - true if LLVM's instruction is none of a GPU: its value is its first
 * operand's. */
bool values_is_alias(const struct llvm *l, llvm_value i);
/** values_words() - the 32-bit registers of each number, for the caller to free. NULL: out of
 * memory. */
uint8_t *values_words(const struct values *v, uint32_t *count);

#endif
