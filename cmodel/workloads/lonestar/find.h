/* SPDX-License-Identifier: Apache-2.0
 *
 * The components of LonestarGPU's mst: each element has a parent; an element that is its own parent
 * is the boss. An atomic compare and swap that changes nothing tests whether an element is its own
 * boss, so each hop of a find is an atomic on what are few words when few components are left. The
 * boss that was found is always stored.
 */
#ifndef WARPMEM_WORKLOADS_LONESTAR_FIND_H
#define WARPMEM_WORKLOADS_LONESTAR_FIND_H

#include "workloads/lonestar/accessor.h"

/* Registers after those of the accessor. */
enum {
    R_ELEMENT = LONESTAR_REGISTERS,
    R_ELEMENT_ADDRESS,
    R_PARENT,
    FIND_REGISTERS,
};

/* @P: prefix of the labels. @OF: register of the element. */
#define LONESTAR_IS_BOSS(I, P, OF) \
    I(ALU, P##_ADDRESS, OP_INT_MAD, R_ELEMENT_ADDRESS, OF) \
    I(ATOMIC, P##_CAS, R_PARENT, R_ELEMENT_ADDRESS, OF, OF) \
    I(ALU, P##_COMPARE, OP_INT_ADD, R_PREDICATE, R_PARENT, OF)

/* @BOSS: register of the result. */
#define LONESTAR_FIND(I, P, OF, BOSS) \
    I(ALU, P##_FIRST, OP_INT_ADD, R_ELEMENT, OF) \
    I(LOOP, P##_HOPS) \
    LONESTAR_IS_BOSS(I, P, R_ELEMENT) \
    I(BRANCH, P##_BRANCH, R_PREDICATE) \
    I(LOAD, P##_LOAD_PARENT, SPACE_GLOBAL, 4, R_ELEMENT, R_ELEMENT_ADDRESS) \
    I(ALU, P##_STORE_ADDRESS, OP_INT_MAD, R_ELEMENT_ADDRESS, OF) \
    I(STORE, P##_STORE_BOSS, SPACE_GLOBAL, 4, R_ELEMENT, R_ELEMENT_ADDRESS) \
    I(ALU, P##_BOSS, OP_INT_ADD, BOSS, R_ELEMENT)

/* Their instructions counted from the first one, P_ADDRESS and P_FIRST. */
enum { LONESTAR_IS_BOSS(INSN_INDEX, BOSS, REG_NONE) };
enum { LONESTAR_FIND(INSN_INDEX, FIND, REG_NONE, REG_NONE) };

/** lonestar_is_boss() - of each active thread's element. @first: index of P_ADDRESS. */
struct simt_mask lonestar_is_boss(struct simt *s, unsigned first, const struct buffer *ele2comp,
                                  const int32_t *element);

/** lonestar_find() - the boss of each active thread's element. @first: index of P_FIRST. */
void lonestar_find(struct simt *s, unsigned first, const struct buffer *ele2comp,
                   const int32_t *element, int32_t *boss);

#endif
