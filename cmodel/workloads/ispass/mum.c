/* SPDX-License-Identifier: Apache-2.0
 *
 * ISPASS-2009 MUM, MUMmerGPU: finds the longest matches of many short queries in a reference text,
 * from each base of a query that leaves room for 20. The reference is a suffix tree in two
 * textures, with a record of 16 bytes a node in each. A thread takes a query and walks down the
 * tree: children, then the chosen node, then base by base along the edge. The next start continues
 * at the suffix link of the last node, where that much of the query is known to match and edges are
 * skipped by their lengths. All accesses are pointer chasing, each lane at its own place; the
 * tree's top is hot. Queries are 27 bytes apart.
 *
 * The suite's input is a slice of 19999 lines of 70 bases of B. anthracis, 1399930, and 50000
 * queries of 25 bases, which are pieces of the whole genome: a quarter of them is in the slice,
 * unchanged; the others match by chance. Its command line asks for one launch,
 * of the queries as they are, without the other strand's. Here bases are random, a tenth of them
 * copies of earlier stretches, and so are the queries from elsewhere. The specification's "match >
 * 20" counts a base more than are there, as the program's length does, which begins with the
 * query's mark. The reference's texture has columns of four bases; known bases are skipped, and the
 * first base of an edge, which chose it, is not compared again. The level-by-level numbering of the
 * nodes is recalled. Registers are assumed.
 */
#include "workloads/ispass/mum.h"

#include <stdlib.h>
#include <string.h>

#include "workloads/ispass/suffix_tree.h"
#include "workloads/workloads.h"

#define BLOCK 256
#define GENOME 5227293          /* bases */
#define SLICE 1399930           /* of them in the suite's reference */
#define TREE_COLUMNS 4096       /* of 32 nodes */
#define REFERENCE_COLUMNS 65536 /* of 4 bases */

static const struct {
    uint32_t length, queries;
} sizes[] = {
    [SIZE_TINY] = {20000, 2560},
    [SIZE_SMALL] = {200000, 25000},
    [SIZE_PAPER_OWL] = {1399930, 50000},
};

enum {
    R_TID,
    R_PREDICATE,
    R_ADDRESS,
    R_LENGTH,
    R_QUERY,
    R_RESULT,
    R_START,
    R_CURRENT,
    R_DEPTH,
    R_KNOWN,
    R_AT,
    R_CHARACTER,
    R_X,
    R_Y,
    R_CHILDREN, /* four registers, of which the records name one */
    R_CHILD,
    R_NODE, /* the same */
    R_POSITION,
    R_END,
    R_BASE,
    R_LINK,
};

#define TEXEL(I, NAME, FROM) \
    I(ALU, NAME##_COLUMN, OP_INT_ADD, R_X, FROM) \
    I(ALU, NAME##_STRIP, OP_INT_ADD, R_Y, FROM) \
    I(ALU, NAME##_ROW, OP_INT_MAD, R_Y, R_Y, FROM)

#define CHARACTER(I, NAME) \
    I(ALU, NAME##_ADDRESS, OP_INT_ADD, R_ADDRESS, R_QUERY, R_AT) \
    I(LOAD, NAME##_LOAD, SPACE_GLOBAL, 1, R_CHARACTER, R_ADDRESS)

#define MATCH(I) \
    I(ALU, TID, OP_INT_MAD, R_TID, REG_NONE) \
    I(ALU, GUARD_COMPARE, OP_INT_ADD, R_PREDICATE, R_TID) \
    I(BRANCH, GUARD, R_PREDICATE) \
    I(ALU, LENGTH_ADDRESS, OP_INT_MAD, R_ADDRESS, R_TID) \
    I(LOAD, LOAD_LENGTH, SPACE_GLOBAL, 4, R_LENGTH, R_ADDRESS) \
    I(LOAD, LOAD_ADDRESS, SPACE_GLOBAL, 4, R_QUERY, R_ADDRESS) \
    I(ALU, RESULT, OP_INT_MAD, R_RESULT, R_TID, R_QUERY) \
    I(ALU, FIRST_NODE, OP_INT_ADD, R_CURRENT, REG_NONE) \
    I(ALU, FIRST_DEPTH, OP_INT_ADD, R_DEPTH, REG_NONE) \
    I(ALU, FIRST_KNOWN, OP_INT_ADD, R_KNOWN, REG_NONE) \
    I(ALU, FIRST_START, OP_INT_ADD, R_START, REG_NONE) \
    I(LOOP, STARTS) \
    I(ALU, FIRST_AT, OP_INT_ADD, R_AT, R_START, R_DEPTH) \
    CHARACTER(I, FIRST) \
    I(LOOP, NODES) \
    I(ALU, END_COMPARE, OP_INT_ADD, R_PREDICATE, R_CHARACTER) \
    I(BRANCH, END_BRANCH, R_PREDICATE) \
    TEXEL(I, CHILDREN, R_CURRENT) \
    I(LOAD, LOAD_CHILDREN, SPACE_TEXTURE, 16, R_CHILDREN, R_Y) \
    I(ALU, CHOOSE_A, OP_INT_ADD, R_CHILD, R_CHARACTER, R_CHILDREN) \
    I(ALU, CHOOSE_C, OP_INT_ADD, R_CHILD, R_CHARACTER, R_CHILD) \
    I(ALU, CHOOSE_G, OP_INT_ADD, R_CHILD, R_CHARACTER, R_CHILD) \
    I(ALU, CHOOSE_T, OP_INT_ADD, R_CHILD, R_CHARACTER, R_CHILD) \
    I(ALU, CHILD_COMPARE, OP_INT_ADD, R_PREDICATE, R_CHILD) \
    I(BRANCH, CHILD_BRANCH, R_PREDICATE) \
    TEXEL(I, NODE, R_CHILD) \
    I(LOAD, LOAD_NODE, SPACE_TEXTURE, 16, R_NODE, R_Y) \
    I(ALU, EDGE_LENGTH, OP_INT_ADD, R_END, R_NODE) \
    I(ALU, EDGE_SKIP, OP_INT_MAX, R_POSITION, R_KNOWN, R_END) \
    I(ALU, EDGE_AT, OP_INT_ADD, R_AT, R_AT, R_POSITION) \
    I(ALU, EDGE_KNOWN, OP_INT_ADD, R_KNOWN, R_KNOWN, R_POSITION) \
    I(ALU, EDGE_POSITION, OP_INT_ADD, R_POSITION, R_POSITION, R_NODE) \
    CHARACTER(I, EDGE) \
    I(LOOP, BASES) \
    I(ALU, POSITION_COMPARE, OP_INT_ADD, R_PREDICATE, R_POSITION, R_END) \
    I(ALU, CHARACTER_COMPARE, OP_INT_ADD, R_PREDICATE, R_PREDICATE, R_CHARACTER) \
    I(BRANCH, POSITION_BRANCH, R_PREDICATE) \
    TEXEL(I, BASE, R_POSITION) \
    I(LOAD, LOAD_BASE, SPACE_TEXTURE, 1, R_BASE, R_Y) \
    I(ALU, BASE_COMPARE, OP_INT_ADD, R_PREDICATE, R_BASE, R_CHARACTER) \
    I(BRANCH, BASE_BRANCH, R_PREDICATE) \
    I(ALU, NEXT_POSITION, OP_INT_ADD, R_POSITION, R_POSITION) \
    I(ALU, NEXT_AT, OP_INT_ADD, R_AT, R_AT) \
    CHARACTER(I, NEXT) \
    I(ALU, WHOLE_COMPARE, OP_INT_ADD, R_PREDICATE, R_POSITION, R_END) \
    I(BRANCH, WHOLE_BRANCH, R_PREDICATE) \
    I(ALU, NEXT_NODE, OP_INT_ADD, R_CURRENT, R_CHILD) \
    I(ALU, NEXT_DEPTH, OP_INT_ADD, R_DEPTH, R_DEPTH, R_END) \
    I(ALU, MATCHED, OP_INT_ADD, R_X, R_AT, R_START) \
    I(ALU, MATCHED_COMPARE, OP_INT_ADD, R_PREDICATE, R_X) \
    I(BRANCH, MATCHED_BRANCH, R_PREDICATE) \
    I(ALU, RESULT_ADDRESS, OP_INT_MAD, R_ADDRESS, R_RESULT, R_START) \
    I(STORE, STORE_MATCH, SPACE_GLOBAL, 8, R_CHILD, R_ADDRESS) \
    TEXEL(I, LINK, R_CURRENT) \
    I(LOAD, LOAD_LINK, SPACE_TEXTURE, 16, R_LINK, R_Y) \
    I(ALU, LINK_NODE, OP_INT_ADD, R_CURRENT, R_LINK) \
    I(ALU, LINK_DEPTH, OP_INT_MAX, R_DEPTH, R_DEPTH) \
    I(ALU, LINK_KNOWN, OP_INT_MAX, R_KNOWN, R_X, R_DEPTH) \
    I(ALU, NEXT_START, OP_INT_ADD, R_START, R_START) \
    I(ALU, START_COMPARE, OP_INT_ADD, R_PREDICATE, R_START, R_LENGTH) \
    I(BRANCH, START_BRANCH, R_PREDICATE)
SIMT_CODE(mum_match, MATCH, .registers = 26);

/* The state of a CTA's threads. Bases @start .. @at - 1 of the query match. @current, @depth: the
 * last node reached, and how many bases are above it. @known: bases from there on of which it is
 * clear that they match. */
struct walk {
    int32_t length[SIMT_THREADS], address[SIMT_THREADS], start[SIMT_THREADS];
    int32_t current[SIMT_THREADS], depth[SIMT_THREADS], known[SIMT_THREADS], at[SIMT_THREADS];
    char character[SIMT_THREADS]; /* number @at of the query, 0: its end */
    struct mum_match match[SIMT_THREADS];
};

/* The two instructions of a CHARACTER, of which @load is the second. */
static void next_character(struct simt *s, const struct mum *k, struct walk *w, unsigned load) {
    int32_t at[SIMT_THREADS];
    SIMT_ALU(s, load - 1, t) {
        at[t] = w->address[t] + w->at[t];
    }
    simt_load(s, load, w->character, &k->query, element_lane(at));
}

/* A record of a node: the three instructions of a TEXEL, and the load behind them. */
static void load_node(struct simt *s, const struct mum *k, unsigned load, const int32_t *node,
                      const struct buffer *from, void *to) {
    int32_t at[SIMT_THREADS];
    simt_alus(s, load - 3, load - 1);
    SIMT_EACH(s, t) {
        at[t] = mum_node_at(k, node[t]);
    }
    simt_load_bytes(s, load, to, sizeof(struct mum_node), from, element_lane(at));
}

/* Along the edge to @child as far as it matches. Lanes that do not reach its end leave the loop
 * around this. */
static void walk_edge(struct simt *s, const struct mum *k, struct walk *w, const int32_t *child) {
    struct mum_node node[SIMT_THREADS];
    int32_t position[SIMT_THREADS], at[SIMT_THREADS];
    char base[SIMT_THREADS];
    struct simt_mask go;

    load_node(s, k, LOAD_NODE, child, &k->node, node);
    simt_alus(s, EDGE_LENGTH, EDGE_POSITION);
    SIMT_EACH(s, t) {
        const int32_t length = node[t].end - node[t].start + 1;
        int32_t skip = w->known[t] > 1 ? w->known[t] : 1;
        skip = skip < length ? skip : length;
        w->known[t] = w->known[t] > skip ? w->known[t] - skip : 0;
        w->at[t] += skip;
        position[t] = node[t].start + skip;
    }
    next_character(s, k, w, EDGE_LOAD);
    SIMT_LOOP(s, BASES) {
        simt_alus(s, POSITION_COMPARE, CHARACTER_COMPARE);
        SIMT_WHERE(s, go, t, position[t] <= node[t].end && w->character[t]);
        simt_while(s, POSITION_BRANCH, &go);
        simt_alus(s, BASE_COLUMN, BASE_ROW);
        SIMT_EACH(s, t) {
            at[t] = mum_base_at(k, position[t]);
        }
        simt_load(s, LOAD_BASE, base, &k->reference, element_lane(at));
        simt_alu(s, BASE_COMPARE);
        SIMT_WHERE(s, go, t, base[t] == w->character[t]);
        simt_while(s, BASE_BRANCH, &go);
        simt_alu(s, NEXT_POSITION);
        SIMT_ALU(s, NEXT_AT, t) {
            position[t]++;
            w->at[t]++;
        }
        next_character(s, k, w, NEXT_LOAD);
    }
    SIMT_EACH(s, t) {
        w->match[t] = (struct mum_match){child[t], (uint16_t)(position[t] - node[t].start), 0};
    }
    simt_alu(s, WHOLE_COMPARE);
    SIMT_WHERE(s, go, t, position[t] > node[t].end);
    simt_while(s, WHOLE_BRANCH, &go);
    simt_alu(s, NEXT_NODE);
    SIMT_ALU(s, NEXT_DEPTH, t) {
        w->current[t] = child[t];
        w->depth[t] += node[t].end - node[t].start + 1;
        w->match[t] = (struct mum_match){child[t], 0, 0};
    }
}

/* From @current as far down as the query from @start on matches. */
static void walk_down(struct simt *s, const struct mum *k, struct walk *w) {
    struct mum_children children[SIMT_THREADS];
    int32_t child[SIMT_THREADS];
    struct simt_mask go;
    SIMT_LOOP(s, NODES) {
        simt_alu(s, END_COMPARE);
        SIMT_WHERE(s, go, t, w->character[t]);
        simt_while(s, END_BRANCH, &go);
        load_node(s, k, LOAD_CHILDREN, w->current, &k->children, children);
        simt_alus(s, CHOOSE_A, CHOOSE_G);
        SIMT_ALU(s, CHOOSE_T, t) {
            child[t] = children[t].base[suffix_symbol(w->character[t])];
        }
        simt_alu(s, CHILD_COMPARE);
        SIMT_WHERE(s, go, t, child[t]);
        simt_while(s, CHILD_BRANCH, &go);
        walk_edge(s, k, w, child);
    }
}

/* One start: walk, record, follow the suffix link. */
static void one_start(struct simt *s, const struct mum *k, struct walk *w) {
    struct mum_node node[SIMT_THREADS];
    int32_t result[SIMT_THREADS];
    struct simt_mask good;

    SIMT_ALU(s, FIRST_AT, t) {
        w->at[t] = w->start[t] + w->depth[t];
        w->match[t] = (struct mum_match){w->current[t], 0, 0};
    }
    next_character(s, k, w, FIRST_LOAD);
    walk_down(s, k, w);
    simt_alus(s, MATCHED, MATCHED_COMPARE);
    SIMT_WHERE(s, good, t, w->at[t] - w->start[t] >= MUM_MATCH_MIN);
    SIMT_IF(s, MATCHED_BRANCH, &good) {
        SIMT_ALU(s, RESULT_ADDRESS, t) {
            const int32_t query = (int32_t)(s->cta[0] * s->block[0] + t);
            result[t] = w->address[t] - query * (MUM_MATCH_MIN + 1) + w->start[t];
        }
        simt_store(s, STORE_MATCH, w->match, &k->match, element_lane(result));
    }
    load_node(s, k, LOAD_LINK, w->current, &k->node, node);
    simt_alus(s, LINK_NODE, LINK_DEPTH);
    SIMT_ALU(s, LINK_KNOWN, t) {
        const int32_t matched = w->at[t] - w->start[t] - 1;
        w->current[t] = node[t].link;
        w->depth[t] = w->depth[t] > 0 ? w->depth[t] - 1 : 0;
        w->known[t] = matched > w->depth[t] ? matched - w->depth[t] : 0;
    }
}

static void match(struct simt *s, const void *arguments) {
    const struct mum *k = arguments;
    const int64_t first = (int64_t)s->cta[0] * s->block[0];
    struct walk w;
    struct simt_mask inside, left;

    simt_alus(s, TID, GUARD_COMPARE);
    SIMT_WHERE(s, inside, t, first + t < k->queries);
    SIMT_IF(s, GUARD, &inside) {
        simt_alu(s, LENGTH_ADDRESS);
        simt_load(s, LOAD_LENGTH, w.length, &k->query_length, element_x(first, 1));
        simt_load(s, LOAD_ADDRESS, w.address, &k->query_address, element_x(first, 1));
        simt_alus(s, RESULT, FIRST_KNOWN);
        SIMT_ALU(s, FIRST_START, t) {
            w.current[t] = SUFFIX_ROOT;
            w.start[t] = w.depth[t] = w.known[t] = 0;
        }
        SIMT_LOOP(s, STARTS) {
            one_start(s, k, &w);
            SIMT_ALU(s, NEXT_START, t) {
                w.start[t]++;
            }
            simt_alu(s, START_COMPARE);
            SIMT_WHERE(s, left, t, w.start[t] <= w.length[t] - MUM_MATCH_MIN);
            simt_while(s, START_BRANCH, &left);
        }
    }
}

static char random_base(uint64_t *seed) {
    return "ACGT"[host_random(seed) >> 62];
}

/* A tenth are copies: one begins once in 2048 bases and is 96 to 351 bases long. */
static void generate_reference(char *text, uint32_t length, uint64_t *seed) {
    for (uint32_t i = 0, copy = 0, from = 0; i < length; i++) {
        if (copy == 0 && i > 512 && host_random(seed) % 2048 == 0) {
            copy = 96 + (uint32_t)(host_random(seed) % 256);
            from = (uint32_t)(host_random(seed) % (i - copy));
        }
        text[i] = copy ? text[from++] : random_base(seed);
        copy -= copy > 0;
    }
    text[length] = '$';
}

static void generate_queries(const struct mum *k, const char *text, uint64_t *seed) {
    char *query = k->query.data;
    int32_t *length = k->query_length.data, *address = k->query_address.data;
    for (uint32_t q = 0; q < k->queries; q++, query += MUM_QUERY_BYTES) {
        const char *from = text + host_random(seed) % (k->length - MUM_QUERY + 1);
        const bool elsewhere = host_random(seed) % GENOME >= SLICE;
        query[0] = MUM_QUERY_MARK;
        for (unsigned i = 0; i < MUM_QUERY; i++) {
            query[1 + i] = elsewhere ? random_base(seed) : from[i];
        }
        query[1 + MUM_QUERY] = '\0';
        length[q] = MUM_QUERY;
        address[q] = (int32_t)(q * MUM_QUERY_BYTES + 1);
    }
}

static bool allocate(struct mum *k) {
    struct device_memory *m = &k->host.memory;
    const struct texture *tree = &k->tree_texture, *reference = &k->reference_texture;
    const uint64_t texels = (uint64_t)tree->width * tree->height;
    return HOST_ALLOC(m, {&k->node, texels, sizeof(struct mum_node)},
                      {&k->children, texels, sizeof(struct mum_children)},
                      {&k->reference, (uint64_t)reference->width * reference->height, 1},
                      {&k->query, (uint64_t)k->queries * MUM_QUERY_BYTES, 1},
                      {&k->query_length, k->queries, 4}, {&k->query_address, k->queries, 4},
                      {&k->match, 1 + (uint64_t)MUM_STARTS * k->queries, sizeof(struct mum_match)});
}

/* The arrays of the device from @text and its tree. */
static bool fill(struct mum *k, const char *text, const struct suffix_tree *tree, uint64_t *seed) {
    k->nodes = tree->count;
    k->tree_texture =
        texture_of(TREE_COLUMNS, ((k->nodes - 1) >> 17 << 5) + 32, sizeof(struct mum_node));
    k->reference_texture = texture_of(REFERENCE_COLUMNS, (k->length >> 18 << 2) + 4, 1);
    if (!allocate(k)) {
        return false;
    }
    for (int32_t i = SUFFIX_ROOT; i < (int32_t)k->nodes; i++) {
        const struct suffix_node *n = &tree->node[i];
        const int32_t at = mum_node_at(k, i);
        ((struct mum_node *)k->node.data)[at] =
            (struct mum_node){n->start, n->end, n->child[SUFFIX_BASES], n->link};
        memcpy(((struct mum_children *)k->children.data)[at].base, n->child,
               sizeof(struct mum_children));
    }
    for (int32_t i = 0; i <= (int32_t)k->length; i++) {
        ((char *)k->reference.data)[mum_base_at(k, i)] = text[i];
    }
    generate_queries(k, text, seed);
    return true;
}

static bool mum_open(void *self, enum workload_size size, uint64_t seed) {
    struct mum *k = self;
    struct suffix_tree tree = {0};
    k->length = sizes[size].length;
    k->queries = sizes[size].queries;
    char *text = malloc(k->length + 1);
    bool good = text != NULL;
    if (good) {
        generate_reference(text, k->length, &seed);
        good = suffix_tree_build(&tree, text, k->length) && fill(k, text, &tree, &seed);
    }
    suffix_tree_free(&tree);
    free(text);
    if (!good) {
        return false;
    }
    HOST_ADD_LAUNCH(&k->host,
                    {&mum_match_code, {(k->queries + BLOCK - 1) / BLOCK, 1, 1}, {BLOCK, 1, 1}},
                    match);
    return true;
}

const struct workload workload_mum = {
    .name = "mum",
    .suite = "ispass",
    .about = "matches of short queries: pointers chased through a suffix tree in textures",
    .size_text = {[SIZE_TINY] = "20000 bases, 2560 queries",
                  [SIZE_SMALL] = "200000 bases, 25000 queries",
                  [SIZE_PAPER_OWL] = "1399930 bases, 50000 queries"},
    .bytes = sizeof(struct mum),
    .open = mum_open,
    .check = mum_check,
    /* .expect: the length of a match is known only from matching. */
};
