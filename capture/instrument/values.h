/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of a kernel as the scoreboard would distinguish them: numbers of LLVM's values; values in
 * one register share a number. Parameters and results of functions have registers that all
 * functions share.
 */
#ifndef WARPMEM_CAPTURE_VALUES_H
#define WARPMEM_CAPTURE_VALUES_H

#include "capture/kernel_table.h"
#include "instrument/llvm.h"

#define VALUES_PARAMETERS 16 /* of a function, in registers */

struct values {
    const struct llvm *l;
    llvm_value *value; /* a hash table, half of it free */
    uint32_t *number;  /* of each slot */
    bool *folded;
    bool fuses; /* floats' products and sums */
    uint32_t slots, count;
    uint32_t *joined;                              /* of each number: its representative */
    uint8_t *words;                                /* 32-bit registers of each number */
    uint32_t parameter[VALUES_PARAMETERS], result; /* of functions */
};

/** values_init() - of all instructions of a kernel, functions[0], and of @count - 1 functions.
 * @fuses: a product of floats may become part of an addition, as one of integers. False: out of
 * memory. */
bool values_init(struct values *v, const struct llvm *l, llvm_layout layout,
                 const llvm_value *functions, unsigned count, bool fuses);
void values_free(struct values *v);

/** values_number() - of a value; VALUE_NONE: constants, a kernel's parameters, and values without
 * register. values_parameter(), values_result(): of any function. */
uint32_t values_number(const struct values *v, llvm_value value);
uint32_t values_parameter(const struct values *v, unsigned n);
uint32_t values_result(const struct values *v);
/** values_is_folded() - true for a product that is part of the addition that uses it, and for a
 * mask that is part of the comparison with 0. */
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
