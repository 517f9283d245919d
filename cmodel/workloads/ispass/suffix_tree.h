/* SPDX-License-Identifier: Apache-2.0
 *
 * The suffix tree of a text of bases, built in time proportional to the text (Ukkonen's way).
 */
#ifndef WARPMEM_WORKLOADS_ISPASS_SUFFIX_TREE_H
#define WARPMEM_WORKLOADS_ISPASS_SUFFIX_TREE_H

#include <stdbool.h>
#include <stdint.h>

#define SUFFIX_BASES 4   /* A, C, G, T */
#define SUFFIX_SYMBOLS 5 /* and the end of the text */
#define SUFFIX_ROOT 1

/* The edge to a node bears text[start .. end]; of a leaf end is the terminator's place. */
struct suffix_node {
    int32_t start, end;
    int32_t child[SUFFIX_SYMBOLS]; /* 0: none */
    int32_t link; /* of an inner node: node of the same string without its first symbol; else 0 */
};

/* Nodes SUFFIX_ROOT .. count - 1, level by level, and in each from left to right. */
struct suffix_tree {
    struct suffix_node *node;
    uint32_t count;
};

/** suffix_symbol() - 0 .. 3 of A, C, G, T; 4 of all else. */
static inline unsigned suffix_symbol(char base) {
    return base == 'A' ? 0 : base == 'C' ? 1 : base == 'G' ? 2 : base == 'T' ? 3 : SUFFIX_BASES;
}

/**
 * suffix_tree_build() - of text[0 .. length - 1], bases, and the terminator text[length].
 * Return: false when out of memory. Else suffix_tree_free() is the caller's.
 */
bool suffix_tree_build(struct suffix_tree *t, const char *text, uint32_t length);
void suffix_tree_free(struct suffix_tree *t);

#endif
