/* SPDX-License-Identifier: Apache-2.0
 *
 * The order is found from outside to inside: strongly connected components of all blocks in
 * topological order; then, inside each, components of its blocks without the edges to its head; and
 * so on. No function is recursive, because code may have more blocks than C's stack has frames.
 */
#include "capture/block_graph.h"

#include <stdlib.h>
#include <string.h>

/* A component whose blocks are not numbered yet, or, with no blocks, the second number of a head
 * whose component is numbered. */
struct component {
    uint32_t first, count; /* in order_search.blocks */
    uint32_t head;         /* where the search entered it, until its entries are known */
    uint32_t loop;         /* the natural loop around it; of a second number, its own */
};

struct order_search {
    const struct block_graph *g;
    struct block_order *o;
    uint32_t *predecessor_first, *predecessor;
    uint32_t *scope; /* the component that a block is in so far */
    uint32_t scopes;
    uint32_t *blocks;    /* of all components, each in one piece */
    uint32_t *seen;      /* Tarjan's numbers, 0: not seen in this search */
    uint32_t *low;       /* the lowest of them that a block leads back to */
    uint32_t *undecided; /* blocks whose component is not known yet */
    uint32_t *path;      /* from the root of the search to its place */
    uint32_t *edge;      /* next edge of each block on the path */
    bool *waits;         /* is among the undecided */
    uint32_t *place;     /* block + 1 of each number */
    uint32_t clock, undecided_count;
    struct component *waiting;
    uint32_t waiting_count, next_number;
};

static bool block_has_edge(const struct block_graph *g, uint32_t from, uint32_t to) {
    for (uint32_t e = g->first[from]; e < g->first[from + 1]; e++) {
        if (g->target[e] == to) {
            return true;
        }
    }
    return false;
}

static void find_predecessors(struct order_search *s) {
    const struct block_graph *g = s->g;
    uint32_t *at = s->predecessor_first;
    for (uint32_t e = 0; e < g->first[g->count]; e++) {
        at[g->target[e] + 1]++;
    }
    for (uint32_t b = 0; b < g->count; b++) {
        at[b + 1] += at[b];
    }
    for (uint32_t b = g->count; b-- > 0;) { /* edge[] holds how many are in place */
        for (uint32_t e = g->first[b]; e < g->first[b + 1]; e++) {
            uint32_t to = g->target[e];
            s->predecessor[at[to] + s->edge[to]++] = b;
        }
    }
}

static void see_block(struct order_search *s, uint32_t b) {
    s->seen[b] = s->low[b] = ++s->clock;
    s->edge[b] = s->g->first[b + 1]; /* the last first: then the first comes first in the order */
    s->undecided[s->undecided_count++] = b;
    s->waits[b] = true;
}

/* The blocks from @root on are a component: they go to the end of what is found. */
static void decide_component(struct order_search *s, uint32_t root, uint32_t loop,
                             uint32_t *found) {
    struct component *c = &s->waiting[s->waiting_count++];
    *c = (struct component){.first = *found, .head = root, .loop = loop};
    uint32_t b;
    do {
        b = s->undecided[--s->undecided_count];
        s->waits[b] = false;
        s->blocks[(*found)++] = b;
    } while (b != root);
    c->count = *found - c->first;
}

/* Tarjan's algorithm from @start on, inside its scope and without edges to @barred. */
static void search_components(struct order_search *s, uint32_t start, uint32_t barred,
                              uint32_t loop, uint32_t *found) {
    const struct block_graph *g = s->g;
    const uint32_t scope = s->scope[start];
    uint32_t depth = 0;
    s->path[depth++] = start;
    see_block(s, start);
    while (depth) {
        uint32_t b = s->path[depth - 1];
        if (s->edge[b] > g->first[b]) {
            uint32_t to = g->target[--s->edge[b]];
            if (to == barred || s->scope[to] != scope) {
                continue;
            }
            if (!s->seen[to]) {
                s->path[depth++] = to;
                see_block(s, to);
            } else if (s->waits[to] && s->seen[to] < s->low[b]) {
                s->low[b] = s->seen[to];
            }
            continue;
        }
        depth--;
        if (depth && s->low[b] < s->low[s->path[depth - 1]]) {
            s->low[s->path[depth - 1]] = s->low[b];
        }
        if (s->low[b] == s->seen[b]) {
            decide_component(s, b, loop, found);
        }
    }
}

/* Entries of functions: only calls lead to them. The code begins with that of @start. */
static void search_functions(struct order_search *s, uint32_t start, uint32_t loop,
                             uint32_t *found) {
    for (uint32_t b = s->g->count; b-- > 0;) {
        if (b != start && s->predecessor_first[b] == s->predecessor_first[b + 1] && !s->seen[b]) {
            search_components(s, b, BLOCK_NONE, loop, found);
        }
    }
}

/* Puts the components of blocks[first..first+count) on the waiting list, the first in topological
 * order on top. @start is searched first. */
static void split_blocks(struct order_search *s, uint32_t first, uint32_t count, uint32_t start,
                         uint32_t barred, uint32_t loop) {
    uint32_t found = first;
    /* The search writes to blocks[] only what it has read: what is found is never more. */
    uint32_t *inside = s->o->sequence + first; /* not in use before the end */
    memcpy(inside, s->blocks + first, count * sizeof *inside);
    for (uint32_t i = 0; i < count; i++) {
        s->seen[inside[i]] = 0;
    }
    if (start != BLOCK_NONE) {
        search_functions(s, start, loop, &found);
        if (!s->seen[start]) {
            search_components(s, start, barred, loop, &found);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!s->seen[inside[i]]) {
            search_components(s, inside[i], barred, loop, &found);
        }
    }
}

/* Blocks of the component that others lead to from outside; the kernel's entry is one. @head: the
 * first of them in the compiler's order; not changed if there is none. */
static uint32_t count_entries(const struct order_search *s, const struct component *c,
                              uint32_t scope, uint32_t *head) {
    uint32_t entries = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t b = s->blocks[c->first + i];
        bool entered = b == 0;
        for (uint32_t p = s->predecessor_first[b]; !entered && p < s->predecessor_first[b + 1];
             p++) {
            entered = s->scope[s->predecessor[p]] != scope;
        }
        entries += entered;
        if (entered && (entries == 1 || b < *head)) {
            *head = b;
        }
    }
    return entries;
}

static uint32_t add_block_loop(struct block_order *o, uint32_t head, uint32_t parent) {
    o->loops[o->loop_count] = (struct block_loop){.head = head, .parent = parent};
    return o->loop_count++;
}

static void number_component(struct order_search *s, struct component c) {
    struct block_order *o = s->o;
    if (c.count == 1 && !block_has_edge(s->g, s->blocks[c.first], s->blocks[c.first])) {
        uint32_t b = s->blocks[c.first];
        o->number[b] = s->next_number++;
        o->loop[b] = c.loop;
        return;
    }
    const uint32_t scope = ++s->scopes;
    for (uint32_t i = 0; i < c.count; i++) {
        s->scope[s->blocks[c.first + i]] = scope;
    }
    uint32_t loop = c.loop;
    if (count_entries(s, &c, scope, &c.head) <= 1) {
        loop = add_block_loop(o, c.head, c.loop);
        o->loops[loop].first = s->next_number;
    } else {
        o->irreducible++;
    }
    o->number[c.head] = s->next_number++;
    o->loop[c.head] = loop;
    s->waiting[s->waiting_count++] =
        (struct component){.head = c.head, .loop = loop == c.loop ? LOOP_NONE : loop};
    for (uint32_t i = 0; i < c.count; i++) {
        if (s->blocks[c.first + i] == c.head) {
            s->blocks[c.first + i] = s->blocks[c.first];
            s->blocks[c.first] = c.head;
        }
    }
    split_blocks(s, c.first + 1, c.count - 1, BLOCK_NONE, c.head, loop);
}

static void number_blocks(struct order_search *s) {
    struct block_order *o = s->o;
    const uint32_t n = s->g->count;
    for (uint32_t b = 0; b < n; b++) {
        s->blocks[b] = b;
    }
    s->next_number = 1;
    split_blocks(s, 0, n, 0, BLOCK_NONE, LOOP_NONE);
    while (s->waiting_count) {
        struct component c = s->waiting[--s->waiting_count];
        if (c.count) {
            number_component(s, c);
            continue;
        }
        o->back[c.head] = s->next_number++;
        if (c.loop != LOOP_NONE) {
            o->loops[c.loop].last = o->back[c.head];
        }
    }
    for (uint32_t b = 0; b < n; b++) {
        s->place[o->number[b]] = b + 1;
    }
    uint32_t used = 0;
    for (uint32_t number = 1; number < s->next_number; number++) {
        if (s->place[number]) {
            o->sequence[used++] = s->place[number] - 1;
        }
    }
}

/* One piece of memory for all arrays of numbers. */
static bool allocate_search(struct order_search *s, uint32_t **memory) {
    const size_t n = s->g->count, edges = s->g->first[n];
    uint32_t *at = calloc(8 * n + 1 + edges + 2 * n + 2, sizeof *at);
    *memory = at;
    s->waits = calloc(n, sizeof *s->waits);
    s->waiting = calloc(2 * n, sizeof *s->waiting);
    if (!at || !s->waits || !s->waiting) {
        return false;
    }
    s->predecessor_first = at;
    s->predecessor = at + n + 1;
    at += n + 1 + edges;
    uint32_t **arrays[] = {&s->scope,     &s->blocks, &s->seen, &s->low,
                           &s->undecided, &s->path,   &s->edge};
    for (unsigned i = 0; i < sizeof arrays / sizeof *arrays; i++, at += n) {
        *arrays[i] = at;
    }
    s->place = at;
    return true;
}

struct block_order *block_order_create(const struct block_graph *g) {
    struct block_order *o = calloc(1, sizeof *o);
    struct order_search s = {.g = g, .o = o};
    uint32_t *memory = NULL;
    if (!o) {
        return NULL;
    }
    o->count = g->count;
    o->number = calloc(4 * (size_t)g->count, sizeof *o->number);
    o->loops = calloc(g->count, sizeof *o->loops);
    bool good = allocate_search(&s, &memory) && o->number && o->loops;
    if (good) {
        o->back = o->number + g->count;
        o->loop = o->back + g->count;
        o->sequence = o->loop + g->count;
        find_predecessors(&s);
        number_blocks(&s);
    } else {
        block_order_destroy(o);
    }
    free(memory);
    free(s.waits);
    free(s.waiting);
    return good ? o : NULL;
}

void block_order_destroy(struct block_order *o) {
    if (o) {
        free(o->number);
        free(o->loops);
        free(o);
    }
}
