/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel's code in the form of trace files and the machine, made from the instrumenter's table:
 * blocks in the order of capture/block_graph.h, three markers before the head of each natural loop,
 * registers, and PCs that follow the order of the code. So an outer loop has a smaller PC than a
 * loop inside it, as in the built-in workloads.
 */
#ifndef WARPMEM_CAPTURE_CODE_LAYOUT_H
#define WARPMEM_CAPTURE_CODE_LAYOUT_H

#include "capture/kernel_table.h"

/* An instruction of a block. */
struct layout_item {
    uint16_t index;  /* in the code */
    uint16_t access; /* of the block; ACCESS_NONE: no memory */
    uint32_t offset; /* bytes added to the access's address */
    uint8_t space;
    bool generic; /* executed only by lanes whose address is in the space */
};

/* All items of a block except its barrier. */
struct layout_block {
    uint32_t first, count;
    uint32_t accesses;
    uint32_t barrier; /* index in the code; BLOCK_NONE: none */
    bool chooses;     /* one of its successors, or both, are predicated */
};

struct code_layout {
    const struct kernel_table *table; /* the caller's */
    struct block_order *order;
    uint32_t *post_dominator;
    struct kernel_code code;
    struct layout_block *blocks;
    struct layout_item *items;
    uint32_t *loop_marker;     /* index of each loop's first marker */
    struct source_line *lines; /* of each instruction of the code */
    struct kernel_source source;
};

/**
 * code_layout_create() - from a table, which must stay.
 * @wrong: the limit that the kernel exceeds
 * Return: NULL: @wrong has the reason.
 */
struct code_layout *code_layout_create(const struct kernel_table *t, const char **wrong);
void code_layout_destroy(struct code_layout *l);

#endif
