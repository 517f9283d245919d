/* SPDX-License-Identifier: Apache-2.0
 *
 * ISPASS-2009 MUM, for its kernel and host side (mum.c) and its check (mum_check.c): the arrays.
 */
#ifndef WARPMEM_WORKLOADS_ISPASS_MUM_H
#define WARPMEM_WORKLOADS_ISPASS_MUM_H

#include "workloads/host.h"
#include "workloads/common/texture.h"

#define MUM_QUERY 25                    /* bases */
#define MUM_QUERY_BYTES (MUM_QUERY + 2) /* with what marks the beginning and the end */
#define MUM_QUERY_MARK 'q'
#define MUM_MATCH_MIN 20
#define MUM_STARTS (MUM_QUERY - MUM_MATCH_MIN + 1)

/* A node's record in the textures of the tree. */
struct mum_node {
    int32_t start, end; /* of the edge that leads to it, in the reference */
    int32_t last_child; /* the terminator's */
    int32_t link;
};

struct mum_children {
    int32_t base[4];
};

/* The end of a match: in the edge to @node, after @edge bases; 0: at the node itself. */
struct mum_match {
    int32_t node;
    uint16_t edge, unused;
};

struct mum {
    struct host host;
    uint32_t length; /* of the reference, bases */
    uint32_t nodes;  /* of the tree; numbers 1 (the root) .. nodes - 1 */
    uint32_t queries;
    struct texture tree_texture, reference_texture;
    struct buffer node, children, reference; /* textures */
    struct buffer query, query_length, query_address;
    struct buffer match; /* of query q from base s on: 6 q + 1 + s */
};

/* The texel of a node's record: neighbours in number lie below each other, in columns of 32. */
static inline int32_t mum_node_at(const struct mum *k, int32_t node) {
    const unsigned id = (unsigned)node;
    return texture_at(&k->tree_texture, (id & 0x1ffff) >> 5, (id >> 17 << 5) + (id & 31));
}

/* The texel of a base of the reference: in columns of four. */
static inline int32_t mum_base_at(const struct mum *k, int32_t position) {
    const unsigned at = (unsigned)position;
    return texture_at(&k->reference_texture, (at & 0x3ffff) >> 2, (at >> 18 << 2) + (at & 3));
}

/** mum_check() - NULL, or the fault of a match. */
const char *mum_check(void *self);

#endif
