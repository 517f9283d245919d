/* SPDX-License-Identifier: Apache-2.0 */
#include "workloads/ispass/suffix_tree.h"

#include <stdlib.h>

/* The place for the next suffix: @length symbols down the edge of @node that begins with
 * text[edge]. @unlinked: an inner node whose suffix link is the next that is met. */
struct builder {
    struct suffix_node *node;
    uint32_t count;
    const char *text;
    int32_t last;
    int32_t active, edge, length;
    int32_t unlinked;
};

static int32_t add_node(struct builder *b, int32_t start, int32_t end) {
    b->node[b->count] = (struct suffix_node){.start = start, .end = end};
    return (int32_t)b->count++;
}

static unsigned symbol_at(const struct builder *b, int32_t i) {
    return suffix_symbol(b->text[i]);
}

static void link_to(struct builder *b, int32_t node) {
    if (b->unlinked) {
        b->node[b->unlinked].link = node;
    }
    b->unlinked = node == SUFFIX_ROOT ? 0 : node;
}

/* Enters the suffix at hand up to text[i]. Return: false when it was there already. */
static bool enter(struct builder *b, int32_t i) {
    for (;;) {
        b->edge = b->length == 0 ? i : b->edge;
        int32_t *child = &b->node[b->active].child[symbol_at(b, b->edge)];
        if (!*child) {
            *child = add_node(b, i, b->last);
            link_to(b, b->active);
            return true;
        }
        struct suffix_node *next = &b->node[*child];
        const int32_t edge_length = next->end - next->start + 1;
        if (b->length >= edge_length) {
            b->active = *child;
            b->edge += edge_length;
            b->length -= edge_length;
            continue;
        }
        if (symbol_at(b, next->start + b->length) == symbol_at(b, i)) {
            b->length++;
            link_to(b, b->active);
            return false;
        }
        const int32_t old = *child;
        const int32_t middle = add_node(b, next->start, next->start + b->length - 1);
        const int32_t leaf = add_node(b, i, b->last);
        next->start += b->length;
        *child = middle;
        b->node[middle].child[symbol_at(b, i)] = leaf;
        b->node[middle].child[symbol_at(b, next->start)] = old;
        link_to(b, middle);
        return true;
    }
}

static void build(struct builder *b) {
    int32_t waiting = 0; /* suffixes that are in the tree as parts of longer ones only */
    b->active = add_node(b, 0, -1);
    for (int32_t i = 0; i <= b->last; i++) {
        b->unlinked = 0;
        for (waiting++; waiting > 0 && enter(b, i); waiting--) {
            if (b->active != SUFFIX_ROOT) {
                const int32_t link = b->node[b->active].link;
                b->active = link ? link : SUFFIX_ROOT;
            } else if (b->length > 0) {
                b->length--;
                b->edge = i - waiting + 2;
            }
        }
    }
    b->node[SUFFIX_ROOT].link = SUFFIX_ROOT;
}

/* Numbers level by level instead of as they were met. */
static void renumber(const struct builder *b, struct suffix_tree *t, int32_t *order,
                     int32_t *number) {
    uint32_t tail = SUFFIX_ROOT;
    order[tail] = SUFFIX_ROOT;
    number[SUFFIX_ROOT] = (int32_t)tail++;
    for (uint32_t head = SUFFIX_ROOT; head < tail; head++) {
        const struct suffix_node *from = &b->node[order[head]];
        for (unsigned c = 0; c < SUFFIX_SYMBOLS; c++) {
            if (from->child[c]) {
                order[tail] = from->child[c];
                number[from->child[c]] = (int32_t)tail++;
            }
        }
    }
    t->node[0] = (struct suffix_node){0};
    for (uint32_t i = SUFFIX_ROOT; i < tail; i++) {
        struct suffix_node n = b->node[order[i]];
        for (unsigned c = 0; c < SUFFIX_SYMBOLS; c++) {
            n.child[c] = number[n.child[c]];
        }
        n.link = number[n.link];
        t->node[i] = n;
    }
    t->count = tail;
}

bool suffix_tree_build(struct suffix_tree *t, const char *text, uint32_t length) {
    const size_t nodes = 2 * ((size_t)length + 1) + 1; /* a leaf a suffix, fewer inner nodes */
    struct builder b = {.text = text, .last = (int32_t)length, .count = SUFFIX_ROOT};
    b.node = calloc(nodes, sizeof *b.node);
    t->node = malloc(nodes * sizeof *t->node);
    int32_t *order = calloc(nodes, sizeof *order), *number = calloc(nodes, sizeof *number);
    const bool good = b.node && t->node && order && number;
    if (good) {
        build(&b);
        renumber(&b, t, order, number);
    } else {
        suffix_tree_free(t);
    }
    free(b.node);
    free(order);
    free(number);
    return good;
}

void suffix_tree_free(struct suffix_tree *t) {
    free(t->node);
    *t = (struct suffix_tree){0};
}
